"""SIGKILL at every step of both stages, then one more run at once: the result is that of an undisturbed run.

A real server answers the extractor's calls, so that what was paid for twice can be counted.
"""

from __future__ import annotations

import datetime
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support.loopback import LoopbackServer
from tests.support.postgres import Postgres
from tests.support.site import Site, small_site

STEPS = (
    "scan.stored",
    "plan.made",
    "extract.claimed",
    "extract.read",
    "extract.answered",
    "extract.storing",
    "extract.stored",
    "consolidate.claimed",
    "consolidate.recovered",
    "consolidate.edits_taken",
    "consolidate.answered",
    "consolidate.applying",
    "consolidate.step",
    "publish.scanned",
    "publish.written",
    "publish.built",
    "publish.locked",
    "publish.checked",
    "publish.fenced",
    "publish.placed",
    "publish.linked",
    "publish.switched",
    "consolidate.committing",
    "publish.committed",
    "consolidate.finished",
)
SECOND = (
    "extract.claimed:2",
    "extract.read:3",
    "extract.answered:2",
    "extract.answered:4",
    "extract.storing:3",
    "extract.stored:2",
    "extract.stored:5",
    "consolidate.claimed:2",
    "consolidate.recovered:2",
    "consolidate.answered:2",
    "consolidate.applying:2",
    "consolidate.step:2",
    "publish.scanned:2",
    "publish.written:3",
    "publish.written:6",
    "publish.built:2",
    "publish.locked:2",
    "publish.placed:2",
    "publish.switched:2",
    "consolidate.committing:2",
    "publish.committed:2",
    "consolidate.finished:2",
)
POINTS = STEPS + SECOND


def _rotating(count: int) -> set[str]:
    """A different ten every day, all of them within five days."""
    start = datetime.date.today().toordinal() * count
    return {POINTS[(start + at) % len(POINTS)] for at in range(count)}


def _cases() -> list[object]:
    today = _rotating(10)
    cases = []
    for point in POINTS:
        for kind in ("sqlite", "postgres"):
            marks = [] if point in today and kind == "sqlite" else [pytest.mark.full]
            cases.append(pytest.param(point, kind, marks=marks, id=f"{kind}-{point}"))
    return cases


@pytest.fixture(scope="module")
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer() as running:
        yield running


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs written once: both runs of a case must see the same bytes."""
    folder = tmp_path_factory.mktemp("logs")
    small_site(folder)
    return folder


def _site(folder: Path, template: Path, server: LoopbackServer, database: str | None) -> Site:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(template, folder)
    for path in (folder / "claude").rglob("*.jsonl"):
        path.write_text(path.read_text().replace(str(template), str(folder)))
    site = Site(folder)
    site.env = {
        "SLOWWAVE_MODELS__DEFAULT__BASE_URL": server.base_url,
        "SLOWWAVE_MEMORIES__STAGE1_CONCURRENCY": "1",
        "ANTHROPIC_API_KEY": "test-key",
    }
    if database is not None:
        site.env |= {"SLOWWAVE_DATABASE__URL": database, "SLOWWAVE_DATABASE__SHARE": "all"}
    return site


def _asked(server: LoopbackServer, site: Site) -> Counter[str]:
    """How often each session was asked about, told by its id in the prompt."""
    counts: Counter[str] = Counter()
    for record in server.messages:
        for path in (site.logs / "projects").rglob("*.jsonl"):
            if f"Session claude:{path.stem}" in record.prompt:
                counts[path.stem] += 1
    return counts


Undisturbed = tuple[dict[str, bytes], dict[str, list[tuple[object, ...]]]]


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The one folder that every machine of this module has: projects are told by their paths."""
    return tmp_path_factory.mktemp("crash") / "machine"


@pytest.fixture(scope="module")
def undisturbed(
    machine: Path, template: Path, server: LoopbackServer, request: pytest.FixtureRequest
) -> Callable[[str], Undisturbed]:
    """What a run that nobody kills leads to, on each kind of database."""

    @cache
    def result(kind: str) -> Undisturbed:
        site = _site(machine, template, server, _database(kind, request))
        site.drive()
        return site.files(), site.rows()

    return result


def _database(kind: str, request: pytest.FixtureRequest) -> str | None:
    if kind == "sqlite":
        return None
    running: Postgres = request.getfixturevalue("postgres")
    return running.database()


@pytest.mark.xdist_group("crash-matrix")
@pytest.mark.parametrize(("point", "kind"), _cases())
def test_killed_anywhere_and_run_again(
    point: str,
    kind: str,
    machine: Path,
    template: Path,
    server: LoopbackServer,
    undisturbed: Callable[[str], Undisturbed],
    request: pytest.FixtureRequest,
) -> None:
    files, rows = undisturbed(kind)
    site = _site(machine, template, server, _database(kind, request))
    server.requests.clear()
    killed = site.drive(kill_at=point)
    assert killed == {"killed": True}, f"{point} was never reached"
    stored = {row[0].partition(":")[2] for row in site.rows()["stage_one_outputs"]}
    site.drive()

    assert site.files() == files
    assert site.rows() == rows
    assert site.litter() == []
    assert site.drive() == {"status": "nothing_to_do"}
    asked = _asked(server, site)
    assert len(asked) == 5
    # Only an answer that could not have been stored is asked for again, and only once.
    assert {name for name, count in asked.items() if count > 1} & stored == set()
    assert max(asked.values()) <= 2
