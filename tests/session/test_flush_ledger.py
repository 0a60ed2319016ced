"""The flush ledger: once for each range, whoever dies when."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from slowwave.errors import LeaseLost
from slowwave.session.flushing.digest import flush_digest
from slowwave.session.flushing.shards import profile_root
from slowwave.session.limits import SessionLimits
from slowwave.storage.insession.flushes import Claim, FlushLedger
from slowwave.storage.insession.store import SessionStore

KEY = "claude:s"
LINE = [("never touch the auth code", "never touch the auth code", "user_said")]


def claimed(ledger: FlushLedger, **more: object) -> Claim:
    given = {"epoch": 0, "cursor": 10, "cause": "threshold", "now": 100.0, **more}
    found = ledger.claim(KEY, **given)  # type: ignore[arg-type]
    assert isinstance(found, Claim), found
    return found


def finish(ledger: FlushLedger, claim: Claim, lines: list[tuple[str, str, str]] = LINE) -> int:
    return ledger.finish_with(claim, lines, project_id="p", turn=1, path="memory/x.md", now=200.0)


def test_a_threshold_flush_happens_once_an_epoch(store: SessionStore) -> None:
    ledger = FlushLedger(store)
    assert finish(ledger, claimed(ledger)) == 1
    assert ledger.claim(KEY, epoch=0, cursor=20, cause="threshold", now=300.0) == "already_flushed"
    assert claimed(ledger, epoch=1, cursor=20)[2:4] == (10, 20)


def test_other_causes_take_what_came_since_and_nothing_twice(store: SessionStore) -> None:
    ledger = FlushLedger(store)
    finish(ledger, claimed(ledger))
    assert ledger.claim(KEY, epoch=0, cursor=10, cause="overflow", now=300.0) == "nothing_new"
    later = claimed(ledger, cause="overflow", cursor=14)
    assert (later.cursor_from, later.cursor_to) == (10, 14)
    finish(ledger, later, [])
    assert [row.state for row in ledger.rows(KEY)] == ["done", "empty"]


def test_two_at_once_are_one(store: SessionStore) -> None:
    ledger = FlushLedger(store)
    claimed(ledger)
    assert ledger.claim(KEY, epoch=0, cursor=10, cause="threshold", now=101.0) == "running_elsewhere"


def test_a_dead_owner_s_range_goes_to_the_next_and_the_dead_one_can_note_nothing(store: SessionStore) -> None:
    ledger = FlushLedger(store)
    dead = claimed(ledger)
    taken = claimed(ledger, now=1000.0)
    assert taken.cursor_from == dead.cursor_from
    with pytest.raises(LeaseLost):
        finish(ledger, dead)
    assert store.rows("SELECT count(*) FROM shard_lines")[0][0] == 0
    assert finish(ledger, taken) == 1


def test_three_failures_exhaust_the_epoch_and_not_the_next(store: SessionStore) -> None:
    ledger = FlushLedger(store)
    assert [ledger.fail(claimed(ledger), "timeout", now=200.0) for _ in range(3)] == ["failed", "failed", "exhausted"]
    assert ledger.claim(KEY, epoch=0, cursor=10, cause="overflow", now=300.0) == "exhausted"
    assert claimed(ledger, epoch=1).cursor_from == 0


def test_three_dead_owners_exhaust_it_too(store: SessionStore) -> None:
    ledger = FlushLedger(store)
    for number in range(3):
        claimed(ledger, now=1000.0 * number)
    assert ledger.claim(KEY, epoch=0, cursor=10, cause="threshold", now=1e6) == "exhausted"


def test_a_skip_leaves_its_reason_and_blocks_nothing(store: SessionStore) -> None:
    ledger = FlushLedger(store)
    ledger.skip(KEY, epoch=0, cursor=10, cause="threshold", reason="disabled", now=1.0)
    assert [(row.state, row.reason) for row in ledger.rows(KEY)] == [("skipped", "disabled")]
    assert finish(ledger, claimed(ledger)) == 1


DIE = textwrap.dedent(
    """
    import os, signal, sys
    from pathlib import Path
    import slowwave.session.flushing.digest as digest
    import slowwave.storage.insession.flushes as ledger
    from slowwave.session.limits import SessionLimits
    from slowwave.session.flushing.shards import Shards
    from slowwave.storage.insession.store import SessionStore
    home, point = Path(sys.argv[1]), sys.argv[2]

    def die(*args, **kwargs):
        os.kill(os.getpid(), signal.SIGKILL)

    def after(function):
        def run(*args, **kwargs):
            function(*args, **kwargs)
            die()
        return run

    if point == "before_claim":
        ledger.FlushLedger.claim = die
    elif point == "claimed":
        ledger.FlushLedger.claim = after(ledger.FlushLedger.claim)
    elif point == "before_write":
        Shards.write = die
    elif point == "half_written":
        Shards._write_whole = lambda self, fd, data, size: (os.write(fd, data[: len(data) // 2]), die())
    elif point == "written":
        Shards.write = after(Shards.write)
    elif point == "finishing":
        ledger.FlushLedger._end = die
    elif point == "finished":
        ledger.FlushLedger.finish_with = after(ledger.FlushLedger.finish_with)
    with SessionStore(home / "session.db") as store:
        state = store.session("claude:s")
        digest.flush_digest(store, state, home, SessionLimits(), cause="auto", now=1000.0)
    """
)
POINTS = ["before_claim", "claimed", "before_write", "half_written", "written", "finishing", "finished"]


@pytest.mark.parametrize("point", POINTS)
def test_killed_anywhere_and_run_again_each_line_is_saved_once(tmp_path: Path, point: str) -> None:
    rules = [f"never touch module {number}" for number in range(5)]
    with SessionStore(tmp_path / "session.db") as store:
        state = store.touch_session(agent="claude", session_id="s", project_id="p", user_id="u", now=1.0)
        for rule in rules:
            store.add_pin(
                state.key,
                kind="constraint",
                text=rule,
                quote=rule,
                question="",
                turn=0,
                task=0,
                supersedes=None,
                now=1.0,
            )
    killed = subprocess.run([sys.executable, "-c", DIE, str(tmp_path), point], timeout=60)
    assert killed.returncode == -signal.SIGKILL
    with SessionStore(tmp_path / "session.db") as store:
        again = store.session("claude:s")
        assert again is not None
        flush_digest(store, again, tmp_path, SessionLimits(), cause="auto", now=1_000_000.0)
        rows = FlushLedger(store).rows("claude:s")
        night = [row[0] for row in store.rows("SELECT line FROM shard_lines ORDER BY id")]
    assert [row.state for row in rows] == ["done"]
    assert sorted(night) == sorted(f"Rule: {rule}" for rule in rules)
    text = "".join(file.read_text() for file in (profile_root(tmp_path, "claude-p") / "memory").glob("*.md"))
    whole = [line for line in text.splitlines() if line in {f"- Rule: {rule}" for rule in rules}]
    assert len(set(whole)) == 5


def test_a_failed_write_never_raises_and_is_recorded(tmp_path: Path, store: SessionStore) -> None:
    state = store.touch_session(agent="claude", session_id="s", project_id="p", user_id="u", now=1.0)
    store.add_pin(
        KEY, kind="constraint", text="x y", quote="x y", question="", turn=0, task=0, supersedes=None, now=1.0
    )
    home = tmp_path / "home"
    profile_root(home, "claude-p").mkdir(parents=True)
    (profile_root(home, "claude-p") / "memory").write_text("a file where the folder should be")
    assert flush_digest(store, state, home, SessionLimits(), cause="auto", now=10.0) == 0
    assert [event.type for event in store.events()] == ["memory_flush_start", "memory_flush_failed"]
    assert [row.state for row in FlushLedger(store).rows(KEY)] == ["failed"]
