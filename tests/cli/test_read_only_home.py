"""A home that may be read and not written, as an agent's sandbox has it: what reads works, the rest says why not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.memory import MemoryHome

READERS = (
    ("view",), ("search", "sandbox"), ("status",), ("status", "--json"), ("read", "memory://root"), ("why", "m1"),
    ("log",), ("sessions",), ("cost",), ("doctor",),
)  # fmt: skip
WRITERS = (("remember", "Always rinse the cups."), ("pin", "m1"), ("forget", "m1", "--yes"))


@contextmanager
def not_writable(home: Path) -> Iterator[None]:
    """Mount a folder read-only onto itself. Root, who runs most containers, is stopped by nothing less."""
    made = [["mount", "--bind", str(home), str(home)], ["mount", "-o", "remount,bind,ro", str(home)]]
    for command in made:
        if subprocess.run(command, capture_output=True).returncode:
            pytest.skip("no file system can be mounted read-only here (needs the right to mount)")
    try:
        yield
    finally:
        subprocess.run(["umount", str(home)], check=True)


@pytest.fixture
def memory(tmp_path: Path) -> MemoryHome:
    memory = MemoryHome(tmp_path / "home")
    memory.publish(memory.project(tmp_path / "shop").id, ["the sandbox has no network"])
    return memory


def slowwave(memory: MemoryHome, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {"SLOWWAVE_HOME": str(memory.home), "HOME": str(memory.home.parent), "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        [sys.executable, "-m", "slowwave.cli.main", *arguments],
        cwd=memory.home.parent / "shop", env=env, capture_output=True, text=True,
    )  # fmt: skip


def test_what_reads_works_and_writes_nothing(memory: MemoryHome) -> None:
    slowwave(memory, "view")
    before = {path: path.stat().st_mtime_ns for path in memory.home.rglob("*")}
    with not_writable(memory.home):
        for arguments in READERS:
            done = slowwave(memory, *arguments)
            assert "Traceback" not in done.stderr, done.stderr
            assert done.returncode == 0 or arguments == ("doctor",), (arguments, done.stderr)
        assert "the sandbox has no network" in slowwave(memory, "view").stdout
        assert "the sandbox has no network" in slowwave(memory, "search", "network").stdout
    assert {path: path.stat().st_mtime_ns for path in memory.home.rglob("*")} == before


def test_a_database_that_a_process_outside_has_open_is_read_too(memory: MemoryHome) -> None:
    with memory.engine.connect(), not_writable(memory.home):
        assert "the sandbox has no network" in slowwave(memory, "search", "network").stdout


@pytest.mark.parametrize("arguments", WRITERS, ids=[one[0] for one in WRITERS])
def test_what_would_write_says_in_one_line_that_it_may_not(memory: MemoryHome, arguments: tuple[str, ...]) -> None:
    with not_writable(memory.home):
        done = slowwave(memory, *arguments)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert "read-only" in done.stderr.lower() or "readonly" in done.stderr.lower() or "written" in done.stderr
