"""`slowwave projects`: join, split, rename, move, keep apart, and taking each back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.workshop import Workshop, git

ONE, TWO, THREE = (
    "Always water the ferns on Mondays.",
    "Never park in front of the gate.",
    "Always lock the shed at night.",
)


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    shop = Workshop(tmp_path)
    for name, rule in (("garden", ONE), ("yard", TWO)):
        shop.session(shop.repository(name), rule, days_ago=4)
    shop.night()
    return shop


def listed(shop: Workshop) -> dict[str, dict[str, Any]]:
    done = shop.cli("projects", "--json")
    assert done.returncode == 0, done.stderr
    return {row["name"]: row for row in json.loads(done.stdout)["projects"]}


def does(shop: Workshop, *arguments: str) -> str:
    done = shop.cli("projects", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_join_carries_everything_and_is_undone(shop: Workshop) -> None:
    own = shop.site.home / "memory" / listed(shop)["yard"]["memory_folder"] / "current"
    (own / "skills" / "mow").mkdir(parents=True)
    (own / "skills" / "mow" / "SKILL.md").write_text("---\nname: mow\ndescription: Mow.\n---\n\nMow it.\n")
    shop.cli("remember", "The gate code is on the fridge", "-p", "yard")
    before = listed(shop)

    does(shop, "join", "garden", "yard", "--yes")
    (name,) = listed(shop)
    assert name == "garden" and listed(shop)["garden"]["sessions"] == 2
    for folder in (shop.folder / "garden", shop.folder / "yard"):
        told = shop.hook(folder)
        assert ONE in told and TWO in told and "gate code" in told
    memory = shop.site.home / "memory"
    assert (memory / before["garden"]["memory_folder"] / "current" / "skills" / "mow" / "SKILL.md").is_file()
    assert not (memory / before["yard"]["memory_folder"]).exists(), "one folder, one writer"
    assert shop.cli("why", "m1", "-p", before["yard"]["id"]).returncode == 0, "the old id goes on to work"

    shop.session(shop.folder / "yard", THREE)
    shop.night()
    does(shop, "undo")
    after = listed(shop)
    assert set(after) == {"garden", "yard"}
    assert (after["garden"]["sessions"], after["yard"]["sessions"]) == (1, 2)
    garden, yard = shop.hook(shop.folder / "garden"), shop.hook(shop.folder / "yard")
    assert ONE in garden and TWO not in garden and "gate code" not in garden
    assert ONE not in yard and TWO in yard and THREE in yard and "gate code" in yard
    shop.session(shop.folder / "yard", "Never feed the fox.")
    shop.night()
    assert len(listed(shop)) == 2, "no scan joins what a person parted"


def test_a_split_makes_a_part_a_project_of_its_own(shop: Workshop) -> None:
    part = shop.folder / "garden" / "beds"
    part.mkdir()
    shop.session(part, THREE, days_ago=3)
    shop.night()
    assert THREE in shop.hook(shop.folder / "garden")

    does(shop, "split", "garden", "--folder", str(part), "--yes")
    assert {"garden", "beds", "yard"} == set(listed(shop))
    assert THREE in shop.hook(part) and ONE not in shop.hook(part)
    assert THREE not in shop.hook(shop.folder / "garden") and ONE in shop.hook(shop.folder / "garden")
    session = shop.session(part, "Never step on the seedlings.")
    shop.night()
    assert shop.placed()[session] == listed(shop)["beds"]["id"], "sessions in the part go on belonging to it"

    does(shop, "undo")
    assert {"garden", "yard"} == set(listed(shop))
    told = shop.hook(part)
    assert ONE in told and THREE in told


def test_rename_move_and_apart(shop: Workshop) -> None:
    does(shop, "rename", "garden", "orchard")
    assert "orchard" in listed(shop)
    for name in ("orchard", "garden"):
        assert ONE in shop.cli("view", "-p", name).stdout
    shop.session(shop.folder / "garden", THREE)
    shop.night()
    assert "orchard" in listed(shop), "no scan takes a person's name away"
    new = shop.folder / "new place"
    new.mkdir()
    does(shop, "move", "orchard", str(new))
    assert ONE in shop.hook(new)
    assert ONE in shop.cli("view", cwd=new).stdout
    does(shop, "undo")
    assert ONE not in shop.hook(new)
    done = shop.cli("projects", "move", "orchard", str(shop.folder / "yard"))
    assert done.returncode == 2 and "projects join" in done.stderr
    number = next(row["change"] for row in json.loads(does(shop, "log", "--json")) if row["kind"] == "rename")
    does(shop, "undo", str(number))
    assert "garden" in listed(shop)

    fork = shop.folder / "fork"
    git(shop.folder / "garden", "remote", "add", "origin", "git@git.example:crew/garden.git")
    git(shop.folder, "clone", "-q", str(shop.folder / "garden"), str(fork))
    git(fork, "remote", "set-url", "origin", "git@git.example:me/garden.git")
    shop.session(fork, "Never prune in frost.")
    shop.night()
    assert "perhaps one project" in does(shop)
    does(shop, "apart", str(shop.folder / "garden"), str(fork))
    shop.session(fork, "Always wear gloves.")
    shop.night()
    assert "perhaps one project" not in does(shop)
