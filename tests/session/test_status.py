"""The status line."""

from __future__ import annotations

import time
from pathlib import Path

from slowwave.paths import session_database_file
from slowwave.session.hosts.status import SAVING, status_line
from slowwave.storage.insession.store import SessionStore
from tests.session.conftest import Host


def line(home: Path, after: float = 0.0) -> str:
    return status_line(home, agent="claude", session_id="s1", now=time.time() + after)


def test_it_tells_what_was_saved_for_a_while(host: Host, home: Path) -> None:
    assert line(home) == ""
    host.says("Add a retry policy to the client, never touch the auth code")
    assert line(home) == ""
    host.compacts()
    assert line(home) == "2 memories saved"
    assert line(home, after=3600) == ""


def test_it_tells_that_a_flush_is_under_way_and_not_for_ever(host: Host, home: Path) -> None:
    host.says("Add a retry policy to the client")
    with SessionStore(session_database_file(home)) as store:
        store.add_event(host.key, project_id="p1", turn=1, type="memory_flush_start", now=time.time())
    assert line(home) == SAVING
    assert line(home, after=3600) == ""


def test_a_broken_store_says_nothing(home: Path) -> None:
    home.mkdir()
    session_database_file(home).write_bytes(b"garbage" * 1000)
    assert line(home) == ""
