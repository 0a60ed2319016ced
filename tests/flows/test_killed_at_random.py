"""`slowwave run` killed at random moments of a night of edits, skills and promotion, then run again: as if undisturbed.

The processes are forked from one that has imported Prefect, and share a Prefect server: what is killed is the command's
own work, not its imports. Some are killed twice, the second time while they pick up what the first left.
"""

from __future__ import annotations

import base64
import json
import os
import random
import shutil
import signal
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from slowwave.cli.main import EXIT_INTERRUPTED
from slowwave.orchestration.signals import TERMINATED
from tests.support.nursery import Finished, Nursery
from tests.support.postgres import Postgres
from tests.support.prefect_server import running_server
from tests.support.site import RELEASE, Site, teaching

pytestmark = [
    pytest.mark.full,
    pytest.mark.prefect_server,
    pytest.mark.xdist_group("prefect"),
]
KILLS = int(os.environ.get("SLOWWAVE_KILLS", "150"))
EVERYWHERE = "In all my projects, always answer in short sentences."


def before(folder: Path) -> Site:
    """A machine whose first night is still to come."""
    site = Site(folder)
    site.session("shop", "one", teaching("Always use pnpm, never npm."), days_ago=6)
    site.session("blog", "one", teaching("Always write dates as YYYY-MM-DD."), days_ago=5)
    return site


def after(site: Site) -> None:
    """What the second night finds: sessions that give a skill and a rule for all projects, and a person's edits."""
    site.session("shop", "two", RELEASE, days_ago=4)
    site.session("shop", "three", teaching("Never commit directly to main."), days_ago=3)
    site.session("blog", "two", teaching(EVERYWHERE), days_ago=2)
    site.session("blog", "three", teaching("Never commit directly to main."), days_ago=2)
    (memory,) = (site.home / "memory").glob("shop-*/current/MEMORY.md")
    lines = memory.read_text().split("\n")
    at = next(n for n, line in enumerate(lines) if "use pnpm, never npm" in line)
    lines[at] = lines[at].replace("never npm", "never npm or yarn")
    lines[at + 1 : at + 1] = ["- Ask Ana before a release."]
    memory.write_text("\n".join([*lines, "", "The pipeline belongs to Ana.", ""]))
    (memory.parent / "team.md").write_text("who is who\n")


class Machine:
    """One machine between its first and its second night, put back as it was before each trial."""

    def __init__(self, site: Site, nursery: Nursery, postgres: Postgres | None) -> None:
        self.site, self._nursery, self._postgres = site, nursery, postgres
        self._kept = site.folder.with_name("kept")
        self._url = self._database = ""
        if postgres is not None:
            self._url = postgres.database()
            site.env |= {"SLOWWAVE_DATABASE__URL": self._url, "SLOWWAVE_DATABASE__SHARE": "all"}

    def keep(self) -> None:
        shutil.copytree(self.site.folder, self._kept, symlinks=True)
        if self._postgres is not None:
            self._database = self._postgres.copy(self._url)

    def restore(self) -> None:
        shutil.rmtree(self.site.folder)
        shutil.copytree(self._kept, self.site.folder, symlinks=True)
        if self._postgres is not None:
            self._postgres.drop(self._url)
            self._postgres.copy(self._database, self._url)

    def files(self) -> dict[str, bytes]:
        """The published files; an edit's time is when a run found it, so that is taken out of what `.state` packs."""
        files = self.site.files()
        for path in files:
            if path.endswith("/.state"):
                whole = json.loads(files[path])
                state = json.loads(zlib.decompress(base64.b64decode(whole["state"])))
                for piece in (piece for entry in state["entries"] for piece in entry["evidence"]):
                    piece["at"] = None if piece["origin"] == "edit" else piece["at"]
                files[path] = json.dumps(whole | {"state": state}).encode()
        return files

    def run(self, kill_after: float | None = None, by: int = signal.SIGKILL) -> Finished:
        """`slowwave run`, sent a signal after so many seconds unless it ended before."""
        child = self._nursery.start("slowwave.cli.main:main", ["run", "--json"], self.site.environment())
        if kill_after is not None:
            time.sleep(kill_after)
            child.kill(by)
        return child.wait()

    def claims(self) -> int:
        """How many jobs are claimed."""
        return sum(row[2] == "running" for row in self.site.rows()["jobs"])


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def machine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    folder = tmp_path_factory.mktemp("kills")
    (folder / "server").mkdir()
    (folder / "prints").mkdir()
    postgres = request.getfixturevalue("postgres") if request.param == "postgres" else None
    with running_server(folder / "server") as server:
        nursery = Nursery(folder / "prints", "slowwave.cli.main", "slowwave.cli.runs.run", "slowwave.flows.nightly")
        site = before(folder / "machine")
        site.env |= {"PREFECT_API_URL": server.url}
        made = Machine(site, nursery, postgres)
        first = made.run()
        assert first.code == 0, first
        after(site)
        made.keep()
        yield made
        nursery.close()


def test_the_same_bytes_whenever_it_is_killed(machine: Machine) -> None:
    site, rng = machine.site, random.Random(16)
    started = time.monotonic()
    done = machine.run()
    whole = time.monotonic() - started
    assert done.code == 0, done
    files, rows = machine.files(), site.rows()
    assert any("/skills/" in path for path in files) and any(path.startswith("user-") for path in files), list(files)
    assert any(b"never npm or yarn" in data for data in files.values())

    kills, failures = 0, []
    while kills < KILLS:
        machine.restore()
        moments = [rng.uniform(0, whole) for _ in range(rng.choice((1, 1, 2)))]
        ends = [machine.run(moment) for moment in moments]
        kills += sum(end.code == -9 for end in ends)
        last = machine.run()
        if any(end.code not in (0, -9) for end in (*ends, last)) or "Traceback" in "".join(
            end.stderr for end in (*ends, last)
        ):
            failures.append(f"{moments}: {[*ends, last]}")
        elif (machine.files(), site.rows(), site.litter()) != (files, rows, []):
            failures.append(f"{moments}: {difference(files, machine.files())} {site.litter()}")
    assert not failures, f"{len(failures)} of {kills} kills:\n" + "\n".join(failures[:5])


def difference(wanted: dict[str, bytes], got: dict[str, bytes]) -> list[str]:
    """The paths at which two machines differ."""
    return sorted(path for path in wanted.keys() | got.keys() if wanted.get(path) != got.get(path))


def test_a_closed_terminal_gives_every_claim_back(machine: Machine) -> None:
    machine.restore()
    assert machine.run().code == 0
    files, rng, cancelled = machine.files(), random.Random(17), 0
    for _ in range(max(6, KILLS // 5)):
        machine.restore()
        ended = machine.run(rng.uniform(0.3, 2.5), by=signal.SIGHUP)
        # Before the run has begun there is nothing to give back, and the signal does what it always does.
        assert ended.code in (0, EXIT_INTERRUPTED, TERMINATED, -signal.SIGHUP) and "Traceback" not in ended.stderr, (
            ended
        )
        cancelled += ended.code in (EXIT_INTERRUPTED, TERMINATED)
        assert ended.code == -signal.SIGHUP or machine.claims() == 0
        assert machine.run().code == 0
        assert machine.files() == files
    assert cancelled
