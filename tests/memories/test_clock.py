"""A clock that went back is said and survived."""

from __future__ import annotations

import time
from pathlib import Path

from slowwave.memories import pipeline
from slowwave.memories.discovery.eligibility import Policy, refusal
from slowwave.memories.reports import RunOptions
from slowwave.settings import MemoriesSettings
from slowwave.storage.engine import writing
from slowwave.storage.tables import Run, Thread
from slowwave.storage.types import MemoryKind, Reason
from tests.support.remembered import Remembered

DAYS = 400 * 86_400.0


def test_a_run_says_that_the_clock_is_behind_and_goes_on(tmp_path: Path) -> None:
    one = Remembered(tmp_path)
    one.add({"Use pnpm.": MemoryKind.PREFERENCE})
    assert pipeline.plan_run(one.app, RunOptions(dry_run=True)).notes == ()
    with writing(one.app.engine) as session:
        session.add(Run(id="later", kind="nightly", host="h", pid=1, started_at=time.time() + DAYS, status="completed"))
    plan = pipeline.plan_run(one.app, RunOptions(dry_run=True))
    assert len(plan.notes) == 1 and "400 days behind" in plan.notes[0]
    assert one.add({"Goes on.": MemoryKind.FACT}).version == 2
    one.close()


def test_a_session_of_a_later_date_waits_and_is_not_called_unreadable() -> None:
    thread = Thread(
        id="claude:1", agent="claude", session_id="1", host="h", path="/x", log_key="k", kind="interactive",
        last_activity=time.time() + DAYS, items={"user_text": 1},
    )  # fmt: skip
    policy = Policy(memories=MemoriesSettings(), family="offline", version=1, now=time.time())
    reason = refusal(thread, None, policy)
    assert reason is not None and reason[0] is Reason.CLOCK and "400 days ahead" in reason[1]
