"""The store under fire: many processes, SIGKILL, a full disk, a read-only folder, a newer schema."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from slowwave.errors import SchemaTooNew, StoreError
from slowwave.paths import hook_log_file, session_database_file
from slowwave.session.hosts import hooks
from slowwave.storage.insession.schema import SCHEMA_VERSION
from slowwave.storage.insession.store import SessionStore
from tests.session.conftest import Host

WRITER = textwrap.dedent(
    """
    import json, sys, time
    from pathlib import Path
    from slowwave.session.hosts.turn import plan_turn
    from slowwave.session.limits import SessionLimits
    from slowwave.storage.insession.store import SessionStore
    home, number, rounds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    print("ready", flush=True)
    sys.stdin.readline()
    waits = []
    for turn in range(rounds):
        store = SessionStore(home / "session.db")
        session = "shared" if turn % 2 else f"s{number}"
        state = store.touch_session(agent="claude", session_id=session, project_id="p", user_id="u", now=time.time())
        plan = plan_turn(store, state, f"Our service{number}x{turn} runs on port {turn}.", SessionLimits(), tokens=9)
        assert plan.record(store, now=time.time()) is not None
        waits.append(store.longest_wait)
        store.leave()
    print(json.dumps(waits), flush=True)
    """
)


def start(home: Path, number: int, rounds: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(home), str(number), str(rounds)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def test_twenty_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    writers = [start(tmp_path, number, 6) for number in range(20)]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        out, _ = writer.communicate(timeout=120)
        assert writer.returncode == 0
        assert len(json.loads(out)) == 6
    with SessionStore(tmp_path / "session.db") as store:
        turns = store.rows("SELECT count(*) FROM turns")[0][0]
        facts = store.rows("SELECT count(*) FROM facts")[0][0]
        assert store.rows("PRAGMA integrity_check")[0][0] == "ok"
    assert (turns, facts) == (120, 120)


@pytest.mark.parametrize("delay", [0.0, 0.01, 0.03, 0.08])
def test_a_killed_writer_leaves_whole_turns_only(tmp_path: Path, delay: float) -> None:
    writer = start(tmp_path, 1, 5000)
    assert writer.stdin is not None
    writer.stdin.write("go\n")
    writer.stdin.flush()
    time.sleep(delay)
    os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    with SessionStore(tmp_path / "session.db") as store:
        assert store.rows("PRAGMA integrity_check")[0][0] == "ok"
        by_turn = store.rows("SELECT turns.session, turns.turn, (SELECT count(*) FROM decisions d WHERE d.session ="
                             " turns.session AND d.turn = turns.turn) FROM turns")  # fmt: skip
        assert all(row[2] == 4 for row in by_turn)
        state = store.touch_session(agent="claude", session_id="s1", project_id="p", user_id="u", now=1.0)
        assert store.begin_turn(state.key, prompt_id="", prompt="next", tokens=1, now=1.0) == state.turn + 1


def test_files_are_private(store: SessionStore) -> None:
    store.touch_session(agent="claude", session_id="s", project_id="p", user_id="u", now=1.0)
    for name in ("session.db", "session.db-wal", "session.db-shm"):
        assert stat.S_IMODE((store.path.parent / name).stat().st_mode) == 0o600


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "session.db"
    SessionStore(path).close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    with pytest.raises(SchemaTooNew):
        SessionStore(path)


def test_a_file_that_is_no_database_is_a_store_error(tmp_path: Path) -> None:
    path = tmp_path / "session.db"
    path.write_bytes(b"garbage" * 1000)
    with pytest.raises(StoreError) as failed:
        SessionStore(path)
    assert failed.value.reason == "session_store_unavailable"


def test_unknown_columns_are_refused(store: SessionStore) -> None:
    with pytest.raises(StoreError):
        store.update_session("claude:s", nonsense=1)


def test_a_prompt_that_comes_twice_counts_once(host: Host) -> None:
    host.says("Add a retry policy to the HTTP client", prompt_id="x1")
    host.says("Add a retry policy to the HTTP client", prompt_id="x1")
    with SessionStore(session_database_file(host.home)) as store:
        state = store.session(host.key)
    assert state is not None
    assert state.turn == 1


def test_a_broken_store_costs_the_turn_nothing_and_is_logged(host: Host) -> None:
    path = session_database_file(host.home)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"garbage" * 1000)
    for call in (host.start, lambda: host.says("Add a retry policy"), lambda: host.answers("done?"), host.ends):
        assert call() == ""
    logged = hook_log_file(host.home).read_text()
    assert logged.count("session_store_unavailable") == 4
    assert "retry policy" not in logged


def test_a_read_only_folder_costs_the_turn_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o500)
    code = textwrap.dedent(
        f"""
        import os, pathlib
        from slowwave.session.hosts import hooks
        # The first call loads everything: an unprivileged user may not be able to read the interpreter's folder.
        hooks.on_user_prompt(home=pathlib.Path({str(tmp_path / "other")!r}), session_id="s", agent="claude",
                             project_id="p", prompt="Add a retry policy to the client")
        if os.geteuid() == 0:
            os.setgid(65534); os.setuid(65534)
        print(hooks.on_user_prompt(home=pathlib.Path({str(home)!r}), session_id="s", agent="claude", project_id="p",
                                   prompt="Add a retry policy to the client"))
        """
    )
    tmp_path.chmod(0o755)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path.cwd(), timeout=60)
    assert (done.returncode, done.stdout) == (0, "None\n"), done.stderr


def test_a_full_disk_costs_the_turn_nothing(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    host.says("Add a retry policy to the HTTP client")
    path = session_database_file(host.home)
    with sqlite3.connect(path) as db:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
    real = SessionStore._open

    def limited(self: SessionStore) -> sqlite3.Connection:
        opened = real(self)
        opened.execute(f"PRAGMA max_page_count={pages}")
        return opened

    monkeypatch.setattr(SessionStore, "_open", limited)
    assert host.says("Our service runs on port 9000. " + "word " * 3000) == ""
    assert "session_store_write_failed" in hook_log_file(host.home).read_text()
    monkeypatch.undo()
    assert host.pinned() == ["Add a retry policy to the HTTP client"]


def test_a_failed_scan_stores_nothing(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    import slowwave.redaction.scan.core as core

    def broken(text: str) -> None:
        raise RuntimeError("scanner out of order")

    monkeypatch.setattr(core, "redact", broken)
    assert host.says("Add a retry policy to the HTTP client") == ""
    assert "redaction_failed" in hook_log_file(host.home).read_text()
    assert not session_database_file(host.home).exists()


def test_no_hook_stores_a_secret(host: Host) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    host.says(f"We deploy with the token {secret}. Never print {secret} anywhere.")
    host.answers(f"Should I store {secret}?")
    hooks.on_session_end(home=host.home, session_id="s1", agent="claude", project_id="p1")
    data = b"".join(path.read_bytes() for path in host.home.rglob("*") if path.is_file())
    assert secret.encode() not in data
    assert secret[8:20].encode() not in data
