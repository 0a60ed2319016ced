"""What ran and what it cost: runs, model calls and message batches."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import func, insert, select, update
from sqlmodel import Session

from slowwave.storage.engine import database_now
from slowwave.storage.queue.owner import Owner, owner_is_dead, this_host
from slowwave.storage.queue.rows import JOBS
from slowwave.storage.tables import ModelBatch, ModelCall, Run, Table
from slowwave.storage.text import storable, storable_or_none
from slowwave.storage.types import JobState, RunStatus

RUNS = Table.metadata.tables["runs"]
CALLS = Table.metadata.tables["model_calls"]
_RECORD_CALL = insert(CALLS)
BATCHES = Table.metadata.tables["model_batches"]

FOREIGN_RUN_STALE_SECONDS = 2 * 86_400.0


@dataclass(frozen=True, slots=True)
class Spent:
    """What model calls added up to. `dollars` counts the calls with a known price, `unpriced` the others."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    dollars: float = 0.0
    unpriced: int = 0


def start_run(
    session: Session,
    owner: Owner,
    *,
    kind: str,
    extractor: str = "",
    flow_run_id: str | None = None,
    run_id: str | None = None,
    now: float | None = None,
) -> str:
    """Record that a run began, and return its id."""
    run = Run(
        id=run_id or uuid.uuid4().hex,
        kind=kind,
        host=owner.host,
        pid=owner.pid,
        owner_boot=owner.boot,
        owner_started=owner.started,
        extractor=extractor,
        flow_run_id=flow_run_id,
        started_at=database_now(session) if now is None else now,
    )
    session.add(run)
    session.flush()
    return run.id


def finish_run(
    session: Session,
    run_id: str,
    status: RunStatus,
    *,
    counts: Mapping[str, int] | None = None,
    reasons: Mapping[str, int] | None = None,
    redactions: Mapping[str, int] | None = None,
    message: str = "",
    now: float | None = None,
) -> None:
    """Record how a run ended."""
    session.flush()
    session.connection().execute(
        update(RUNS)
        .where(RUNS.c.id == run_id)
        .values(
            status=status,
            finished_at=database_now(session) if now is None else now,
            counts=dict(counts or {}),
            reasons=dict(reasons or {}),
            redactions=dict(redactions or {}),
            message=storable(message),
        )
    )


def mark_crashed_runs(session: Session, *, now: float | None = None) -> list[str]:
    """Mark the runs whose process is gone, and return their ids.

    Another host's run counts as crashed when it is two days old and holds no job: nobody here can see its process.
    """
    moment = database_now(session) if now is None else now
    busy = select(JOBS.c.run_id).where(JOBS.c.state == JobState.RUNNING, JOBS.c.run_id.is_not(None))
    crashed = []
    for row in session.connection().execute(select(RUNS).where(RUNS.c.status == RunStatus.RUNNING)).mappings().all():
        owner = Owner(row["host"], row["owner_boot"], row["pid"], row["owner_started"])
        is_foreign = owner.host != this_host() and row["started_at"] < moment - FOREIGN_RUN_STALE_SECONDS
        stale = is_foreign and row["id"] not in set(session.connection().execute(busy).scalars())
        if stale or owner_is_dead(owner):
            crashed.append(row["id"])
    if crashed:
        session.connection().execute(
            update(RUNS)
            .where(RUNS.c.id.in_(crashed), RUNS.c.status == RunStatus.RUNNING)
            .values(status=RunStatus.CRASHED, finished_at=moment, message="the process died")
        )
    return crashed


def record_call(session: Session, call: ModelCall) -> None:
    """Store one model call. Its time is filled in where it is 0."""
    call.at = call.at or database_now(session)
    values = call.model_dump(exclude={"id"}) | {"error": storable_or_none(call.error)}
    session.connection().execute(_RECORD_CALL, values)


def spent(session: Session, *, run_id: str | None = None, since: float | None = None) -> Spent:
    """Add up the model calls of a run, or since a moment (seconds, epoch), or all of them. Failed calls count too."""
    session.flush()
    query = select(
        func.count(),
        func.coalesce(func.sum(CALLS.c.input_tokens), 0),
        func.coalesce(func.sum(CALLS.c.output_tokens), 0),
        func.coalesce(func.sum(CALLS.c.latency_s), 0.0),
        func.coalesce(func.sum(CALLS.c.cost), 0.0),
        func.count() - func.count(CALLS.c.cost),
    )
    if run_id is not None:
        query = query.where(CALLS.c.run_id == run_id)
    if since is not None:
        query = query.where(CALLS.c.at >= since)
    row = session.connection().execute(query).one()
    return Spent(int(row[0]), int(row[1]), int(row[2]), float(row[3]), float(row[4]), int(row[5]))


def plan_batch(session: Session, batch: ModelBatch) -> None:
    """Store a message batch before it is sent, so that one whose answer was lost can be found again."""
    batch.created_at = batch.created_at or database_now(session)
    session.add(batch)
    session.flush()


def update_batch(
    session: Session,
    row_id: str,
    *,
    state: str,
    batch_id: str | None = None,
    submitted_at: float | None = None,
    ended_at: float | None = None,
    detail: str | None = None,
) -> None:
    """Record what became of a batch. None leaves a column as it is."""
    session.flush()
    given = {"batch_id": batch_id, "submitted_at": submitted_at, "ended_at": ended_at}
    values: dict[str, object] = {"state": state} | {name: value for name, value in given.items() if value is not None}
    if detail is not None:
        values["detail"] = storable(detail)
    session.connection().execute(update(BATCHES).where(BATCHES.c.id == row_id).values(**values))


def open_batches(session: Session, *, endpoint: str | None = None) -> list[ModelBatch]:
    """Return the batches that have not ended, oldest first."""
    query = select(ModelBatch).where(BATCHES.c.ended_at.is_(None)).order_by(BATCHES.c.created_at)
    if endpoint is not None:
        query = query.where(BATCHES.c.endpoint == endpoint)
    return list(session.scalars(query))
