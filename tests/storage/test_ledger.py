from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Engine

from slowwave.storage.call_log import (
    FOREIGN_RUN_STALE_SECONDS,
    Spent,
    finish_run,
    mark_crashed_runs,
    open_batches,
    plan_batch,
    record_call,
    spent,
    start_run,
    update_batch,
)
from slowwave.storage.engine import reading, writing
from slowwave.storage.queue.owner import Owner
from slowwave.storage.tables import ModelBatch, ModelCall, Run
from slowwave.storage.types import RunStatus


def test_a_run_is_recorded_from_start_to_end(engine: Engine, owner: Owner) -> None:
    with writing(engine) as session:
        run_id = start_run(session, owner, kind="nightly", extractor="offline", now=1)
    with writing(engine) as session:
        finish_run(session, run_id, RunStatus.PARTIAL, counts={"extracted": 2}, reasons={"budget": 1}, now=9)
    with reading(engine) as session:
        run = session.get_one(Run, run_id)
    assert (run.status, run.started_at, run.finished_at) == (RunStatus.PARTIAL, 1, 9)
    assert (run.counts, run.reasons, run.redactions) == ({"extracted": 2}, {"budget": 1}, {})


def test_runs_of_dead_processes_are_marked_and_only_those(engine: Engine, owner: Owner) -> None:
    dead = replace(owner, started=owner.started - 500)
    far = replace(owner, host="another-machine")
    with writing(engine) as session:
        alive_run = start_run(session, owner, kind="nightly", now=1)
        dead_run = start_run(session, dead, kind="nightly", now=1)
        far_run = start_run(session, far, kind="nightly", now=1)
        ended = start_run(session, dead, kind="nightly", now=1)
        finish_run(session, ended, RunStatus.COMPLETED)
        assert mark_crashed_runs(session, now=2) == [dead_run]
        assert mark_crashed_runs(session, now=3) == []
        assert mark_crashed_runs(session, now=2 + FOREIGN_RUN_STALE_SECONDS) == [far_run]
        assert session.get_one(Run, alive_run).status == RunStatus.RUNNING
        assert session.get_one(Run, ended).status == RunStatus.COMPLETED


def test_spending_adds_up_by_run_and_by_time(engine: Engine) -> None:
    calls = [
        ModelCall(run_id="r1", at=10, role="default", model="m", input_tokens=100, output_tokens=5, cost=0.5),
        ModelCall(run_id="r1", at=20, role="smol", model="m", outcome="overloaded", latency_s=2.0, error="\0"),
        ModelCall(run_id="r2", at=30, role="smol", model="m", input_tokens=1, latency_s=1.5, cost=0.25),
    ]
    with writing(engine) as session:
        assert spent(session) == Spent()
        for call in calls:
            record_call(session, call)
        assert spent(session) == Spent(3, 101, 5, 3.5, 0.75, 1)
        assert spent(session, run_id="r1") == Spent(2, 100, 5, 2.0, 0.5, 1)
        assert spent(session, since=20) == Spent(2, 1, 0, 3.5, 0.25, 1)
        assert spent(session, run_id="r1", since=20) == Spent(1, 0, 0, 2.0, 0.0, 1)


def test_a_call_without_a_time_gets_the_databases(engine: Engine) -> None:
    with writing(engine) as session:
        record_call(session, ModelCall(role="default", model="m"))
        assert spent(session, since=1e9).calls == 1


def test_a_batch_is_on_record_before_it_is_sent_and_open_until_it_ends(engine: Engine) -> None:
    with writing(engine) as session:
        for row_id in ("first", "second"):
            batch = ModelBatch(
                id=row_id, endpoint="e", model="m", body_hash="h", custom_ids=["x"], state="planned", created_at=1
            )
            plan_batch(session, batch)
    with writing(engine) as session:
        assert [batch.batch_id for batch in open_batches(session)] == [None, None]
        update_batch(session, "first", state="submitted", batch_id="b1", submitted_at=2)
        update_batch(session, "second", state="ended", ended_at=3, detail="it never arrived")
    with reading(engine) as session:
        (left,) = open_batches(session, endpoint="e")
        assert (left.id, left.batch_id, left.state, left.submitted_at) == ("first", "b1", "submitted", 2)
        assert open_batches(session, endpoint="other") == []
        assert session.get_one(ModelBatch, "second").detail == "it never arrived"


@pytest.mark.parametrize("status", list(RunStatus))
def test_every_end_of_a_run_can_be_stored(engine: Engine, owner: Owner, status: RunStatus) -> None:
    with writing(engine) as session:
        run_id = start_run(session, owner, kind="nightly")
        finish_run(session, run_id, status)
        assert session.get_one(Run, run_id).status == status
