"""A project that several people share: what each of them says holds for their own home, and hosts follow the team."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from slowwave.paths import hook_log_file
from tests.support.installation import wait_until
from tests.support.postgres import Postgres
from tests.support.team import Member, everything, team

pytestmark = [pytest.mark.postgres, pytest.mark.xdist_group("team")]

STEPS = 300 if os.environ.get("SLOWWAVE_FULL") == "1" else 10


def test_each_home_shares_for_itself(tmp_path: Path, postgres: Postgres) -> None:
    url = postgres.database()
    members = team(tmp_path, url, ("anna", "boris"))
    anna, boris = members["anna"], members["boris"]
    anna.act("remember", "The staging host is called heron")
    assert anna.act("share", "--yes")["code"] == 0
    assert "heron" in everything(url)

    boris.act("remember", "A private thought about kestrels")
    assert "kestrels" not in everything(url) and "kestrels" in boris.files()
    assert "heron" not in boris.files(), "what a colleague shares does not come by itself"

    asked = boris.act("share")
    assert asked["code"] == 2 and "kestrels" in asked["told"], "what was written privately is shown before it goes"
    assert "kestrels" not in everything(url)
    assert boris.act("share", "--yes")["code"] == 0
    assert "kestrels" in everything(url) and "heron" in boris.files()
    anna.act("night")
    assert "kestrels" in anna.files()
    assert boris.act("share", "--yes")["code"] == 0, "sharing twice is fine"

    assert boris.act("unshare", "--yes")["code"] == 0
    assert "kestrels" in boris.files() and "heron" not in boris.files(), "what was written here comes back"
    assert "kestrels" in everything(url), "what the team has stays with the team"
    boris.act("remember", "Another private thought about shrikes")
    assert "shrikes" not in everything(url)
    assert boris.act("share", "--yes")["code"] == 0
    assert "shrikes" in everything(url) and "heron" in boris.files()
    assert len(boris.writers()) == len(anna.writers()) == 1 and boris.writers() == anna.writers()


def test_a_purge_reaches_every_host_at_its_next_run(tmp_path: Path, postgres: Postgres) -> None:
    url = postgres.database()
    members = team(tmp_path, url, ("anna", "boris"))
    anna, boris = members["anna"], members["boris"]
    anna.act("remember", "The old password scheme was magpie")
    anna.act("remember", "Deploys go out on Tuesdays")
    boris.act("remember", "The cellar key is with nuthatch")
    anna.act("share", "--yes")
    boris.act("share", "--yes")
    assert "magpie" in boris.files()
    memory = next(boris.shop.site.home.glob("memory/shop-*/current/MEMORY.md"))
    edited = memory.read_text().replace("Deploys go out on Tuesdays", "Deploys go out on Thursdays")
    for word in ("magpie", "nuthatch"):
        anna.act("night")
        assert word in anna.files()
        assert anna.act("forget", word, "--purge", "--yes")["code"] == 0
        assert word not in everything(url) + anna.files() + anna.databases()

    memory.write_text(edited)
    assert "the team has" in boris.act("doctor")["told"]
    boris.act("night")
    kept = everything(url) + boris.files() + boris.databases()
    assert "magpie" not in kept and "nuthatch" not in kept
    assert "Thursdays" in boris.files(), "an edit that was made meanwhile is kept"
    assert "as the team published it" in boris.act("doctor")["told"]


def test_a_session_that_starts_lets_another_process_fetch(tmp_path: Path, postgres: Postgres) -> None:
    url = postgres.database()
    members = team(tmp_path, url, ("anna", "boris"))
    anna, boris = members["anna"], members["boris"]
    anna.act("remember", "The old password scheme was magpie")
    asked = boris.shop.site.home / "hooks" / "followed"
    boris.act("remember", "Deploys go out on Tuesdays")
    boris.shop.hook(boris.root)
    assert not asked.exists(), "a home that shares nothing has nobody to ask"
    anna.act("share", "--yes")
    boris.act("share", "--yes")
    anna.act("forget", "magpie", "--purge", "--yes")
    assert "magpie" in boris.shop.hook(boris.root), "the hook itself waits for no network"
    wait_until(lambda: "magpie" not in boris.files(), 60, "the fetch")
    assert "magpie" not in boris.shop.hook(boris.root)
    before = asked.stat().st_mtime_ns
    assert "Tuesdays" in boris.shop.hook(boris.root)
    assert asked.stat().st_mtime_ns == before, "one look in a quarter of an hour is enough"
    os.utime(asked, (1.0, 1.0))
    boris.shop.env["SLOWWAVE_DATABASE__URL"] = "postgresql://nobody@127.0.0.1:9/none"
    assert "Tuesdays" in boris.shop.hook(boris.root), "an address that does not answer costs a session nothing"
    log = hook_log_file(boris.shop.site.home)
    wait_until(lambda: log.exists() and '"follower"' in log.read_text(), 60, "the reason")


def test_members_whose_projects_began_apart_share_one(tmp_path: Path, postgres: Postgres) -> None:
    from tests.support.workshop import git

    url = postgres.database()
    members = team(tmp_path, url, ("anna", "boris"))
    anna, boris = members["anna"], members["boris"]
    git(boris.root, "remote", "remove", "origin")
    boris.act("remember", "Wrens nest in the cellar")
    git(boris.root, "remote", "add", "origin", "https://git.example/crew/shop")
    boris.act("night")
    anna.act("remember", "Herons fish at dawn")
    assert anna.act("share", "--yes")["code"] == boris.act("share", "--yes")["code"] == 0
    anna.act("night")
    assert "Wrens" in anna.files() and "Herons" in boris.files()


def test_a_worker_that_consolidates_leaves_its_own_home_alone(tmp_path: Path, postgres: Postgres) -> None:
    url = postgres.database()
    members = team(tmp_path, url, ("anna", "server"))
    anna, server = members["anna"], members["server"]
    anna.act("remember", "Herons fish at dawn")
    anna.act("share", "--yes")
    server.act("remember", "The server's own note about owls")
    server.shop.env["SLOWWAVE_STORE"] = "team"
    anna.shop.session(anna.root, "Always feed the herons first.")
    anna.act("night")
    server.act("night")
    assert "owls" not in everything(url)
    assert "owls" in server.files() and "Herons" not in server.files(), "one folder has one writer"


def test_a_team_of_four_in_any_order(tmp_path: Path, postgres: Postgres) -> None:
    """Share, unshare, purge, edit and nights, at random: no private line in the team's database, no purged line on a
    host that shares after its next run, no folder with two writers."""
    url = postgres.database()
    members = team(tmp_path, url, ("anna", "boris", "chloe", "dmitri"))
    seed = int(os.environ.get("SLOWWAVE_SEED", "17"))
    chance = random.Random(seed)
    shared: set[str] = set()
    private: dict[str, set[str]] = {name: set() for name in members}
    public: dict[str, str] = {}
    purged: set[str] = set()
    stale: dict[str, set[str]] = {name: set() for name in members}
    clean: dict[str, set[str]] = {name: set() for name in members}
    for step in range(STEPS):
        name = chance.choice(sorted(members))
        deed = chance.choice(("remember", "remember", "share", "unshare", "purge", "edit", "night", "night", "session"))
        word = f"{chance.choice(('finch', 'crane', 'stork', 'robin'))}{step:03d}x"
        was_shared = name in shared
        _do(members[name], name, deed, word, shared, private, public, purged, stale, chance)
        if was_shared or name in shared:
            clean[name] |= purged - stale[name]
        where = f"seed {seed}, step {step}: {name} {deed}"
        print(f"{where} {word}; shared by {sorted(shared)}, purged {sorted(purged)}")
        held = members[name].databases()
        assert not [word for word in clean[name] if word in held], f"purged, in the databases of {where}"
        _check(members, url, private, purged, clean, where)


def _do(
    member: Member,
    name: str,
    deed: str,
    word: str,
    shared: set[str],
    private: dict[str, set[str]],
    public: dict[str, str],
    purged: set[str],
    stale: dict[str, set[str]],
    chance: random.Random,
) -> None:
    if deed == "remember":
        assert member.act("remember", f"The codeword of this hour is {word}")["code"] == 0
        (public.update({word: name}) if name in shared else private[name].add(word))
    elif deed == "share":
        member.act("remember", f"Something must be there for {word}")
        (public.update({word: name}) if name in shared else private[name].add(word))
        assert member.act("share", "--yes")["code"] == 0
        public.update(dict.fromkeys(private[name], name))
        private[name] = set()
        if name not in shared:
            stale[name] = set()
        shared.add(name)
    elif deed == "unshare" and name in shared:
        assert member.act("unshare", "--yes")["code"] == 0
        shared.discard(name)
        stale[name] = set()
    elif deed == "purge" and name in shared and public:
        gone = chance.choice(sorted(public))
        if member.act("forget", gone, "--purge", "--yes")["code"] == 0:
            del public[gone]
            purged.add(gone)
            for other in stale:
                stale[other].add(gone)
            stale[name].discard(gone)
    elif deed == "edit":
        files = list(member.shop.site.home.glob("memory/shop-*/current/MEMORY.md"))
        if files:
            files[0].write_text(files[0].read_text() + f"\nA note by hand: {word}\n")
            (public.update({word: name}) if name in shared else private[name].add(word))
            member.act("night")
            stale[name] = set()
    elif deed in ("night", "session"):
        if deed == "session":
            member.shop.session(member.root, f"Always greet the {word} first.")
            (public.update({word: name}) if name in shared else private[name].add(word))
        member.act("night")
        stale[name] = set()


def _check(
    members: dict[str, Member],
    url: str,
    private: dict[str, set[str]],
    purged: set[str],
    clean: dict[str, set[str]],
    where: str,
) -> None:
    database = everything(url)
    for name, words in private.items():
        assert not [word for word in words if word in database], f"private lines of {name}; {where}"
    assert not [word for word in purged if word in database], where
    for name, member in members.items():
        assert len(member.writers()) <= 1, where
        held = member.files()
        assert not [word for word in clean[name] if word in held], f"purged, at {name}; {where}"


@pytest.mark.skipif(not (Path(__file__).parents[2].parent / "shared" / "cases").is_dir(), reason="no case files here")
def test_every_case_of_teams_has_its_test() -> None:
    table = (Path(__file__).parents[2].parent / "shared" / "cases" / "teams.md").read_text(encoding="utf-8")
    numbers = {line.split("|")[1].strip() for line in table.split("\n") if line.startswith("| ")} - {"#"}
    assert numbers == {"1", "4", "6", "7", "9"}, json.dumps(sorted(numbers))
