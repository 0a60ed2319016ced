"""Runs, what their calls cost, and how long they took."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlmodel import Session

from slowwave.storage.call_log import BATCHES, CALLS, RUNS
from slowwave.storage.tables import Job, Run, Table

THREADS = Table.metadata.tables["threads"]
PROJECTS = Table.metadata.tables["projects"]


@dataclass(frozen=True, slots=True)
class PricedCall:
    """One model call as `slowwave cost` adds it up. Tokens and `cost` (dollars) are None where nobody knows them."""

    at: float
    role: str
    model: str
    endpoint: str
    outcome: str
    project: str | None
    failed: bool
    input_tokens: int | None
    cache_write_tokens: int | None
    cache_read_tokens: int | None
    output_tokens: int | None
    cost: float | None


def jobs_by_key(session: Session) -> dict[tuple[str, str], Job]:
    """Every job by kind and key."""
    return {(row.kind, row.key): row for row in session.scalars(select(Job))}


def newest_runs(session: Session, limit: int) -> list[Run]:
    """The last runs, the newest first."""
    return list(session.scalars(select(Run).order_by(RUNS.c.started_at.desc()).limit(limit)))


def last_finished_run(session: Session) -> Run | None:
    """The newest run that is over. One that is under way says nothing yet."""
    over = select(Run).where(RUNS.c.finished_at.is_not(None)).order_by(RUNS.c.finished_at.desc())
    return session.scalars(over.limit(1)).first()


def calls_since(session: Session, since: float) -> Iterator[PricedCall]:
    """Every model call since a moment (seconds, epoch), with the name of the project that it was for."""
    query = (
        select(CALLS, PROJECTS.c.name.label("project"))
        .outerjoin(THREADS, THREADS.c.id == CALLS.c.thread_id)
        .outerjoin(PROJECTS, PROJECTS.c.id == func.coalesce(CALLS.c.project_id, THREADS.c.project_id))
        .where(CALLS.c.at >= since)
    )
    names = [name for name in PricedCall.__slots__ if name != "failed"]
    for row in session.connection().execute(query).mappings():
        yield PricedCall(failed=row["error"] is not None, **{name: row[name] for name in names})


def is_booked(session: Session, batch_id: str, thread_id: str) -> bool:
    """Whether a batch's answer for a session is in the call log already."""
    where = (CALLS.c.batch_id == batch_id, CALLS.c.thread_id == thread_id)
    return session.connection().execute(select(CALLS.c.id).where(*where).limit(1)).first() is not None


def known_batches(session: Session) -> set[str]:
    """The provider's ids of all batches that were sent from here."""
    query = select(BATCHES.c.batch_id).where(BATCHES.c.batch_id.is_not(None))
    return set(session.connection().execute(query).scalars())


def began_at(session: Session, run_id: str) -> float | None:
    """When a run started (seconds, epoch)."""
    started = session.connection().execute(select(RUNS.c.started_at).where(RUNS.c.id == run_id)).scalar()
    return None if started is None else float(started)


def seconds_since(session: Session, since: float, now: float) -> float:
    """Wall time of the runs since a moment; one that is still running, or died, counts until its last call."""
    last_call = select(func.max(CALLS.c.at)).where(CALLS.c.run_id == RUNS.c.id).scalar_subquery()
    ended = func.coalesce(RUNS.c.finished_at, last_call, RUNS.c.started_at)
    query = select(RUNS.c.started_at, ended).where(ended >= since)
    rows = session.connection().execute(query).all()
    return math.fsum(max(0.0, min(end, now) - max(start, since)) for start, end in rows)
