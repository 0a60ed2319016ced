"""What a run held back is shown by the run, by `status` and by `log`, and decided by `slowwave review`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.llm.test_nights_of_updates import Model, adds, memory, talk
from tests.support.loopback import LoopbackServer
from tests.support.night import Night
from tests.support.nursery import Nursery

FACTS = ("Never deploy on Fridays.", "Always squash before merging.", "Keep the changelog in CHANGES.md.")


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer() as started:
        yield started


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    started = Nursery(tmp_path_factory.mktemp("nights"))
    yield started
    started.close()


@pytest.fixture
def held(tmp_path: Path, server: LoopbackServer, nursery: Nursery) -> tuple[Night, str]:
    """A home in which a night wanted to retire all that the user had said; and the session's id."""
    night = Night(tmp_path / "home", server.base_url)
    night.write_settings()
    model = Model(server)
    model.learns(FACTS[0], *(memory(text, text, item=2 * n, kind="constraint") for n, text in enumerate(FACTS)))
    model.stage_two = adds
    thread = night.write_session(1, talk(*FACTS))
    night.run(nursery)
    text = "Answer in one sentence, please."
    model.learns(text, memory("Answer in one sentence.", text))
    model.stage_two = lambda rows, prompt: [
        {"op": "retire", "entries": ["m1", "m2", "m3"], "reason": "no longer so"},
        *adds(rows, prompt),
    ]
    night.write_session(2, talk(text))
    report = night.run(nursery)
    assert report["projects"][0]["held"] == {"needs_evidence": 3}
    return night, thread


def cli(night: Night, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "slowwave.cli.main", *arguments],
        cwd=night.home, env=night.environment, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_what_waits_is_shown_and_decided(held: tuple[Night, str]) -> None:
    night, thread = held
    rows = json.loads(cli(night, "review", "--json"))
    assert [row["reason"] for row in rows] == ["needs_evidence"] * 3
    project = rows[0]["project_id"]
    first, second, third = (str(row["id"]) for row in rows)

    assert "3 changes wait for you" in cli(night, "status")
    assert cli(night, "log", "--project", project).count("held") == 3
    assert FACTS[0] in cli(night, "review", "show", first)
    assert "applied" in cli(night, "review", "apply", first)
    assert "declined" in cli(night, "review", "decline", second)

    entries = {row["text"]: row["status"] for row in night.rows("entries")}
    assert [entries[text] for text in FACTS] == ["retired", "active", "active"]
    assert [row["id"] for row in json.loads(cli(night, "review", "--json"))] == [int(third)]
    assert "nothing waits" not in cli(night, "review", "decline", "--all")
    assert "nothing waits for you" in cli(night, "review")

    told = cli(night, "why", thread)
    assert "used in m1" in told and FACTS[2] in told
    assert "retire" in cli(night, "why", "m1", "--project", project)
