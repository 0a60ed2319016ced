"""What the queue is asked for: sessions to extract, jobs to retry, work to withdraw, batches to wait for.

These are the transitions that need no claim. Like those of `slowwave.storage.queue.jobs` they run inside the
caller's transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, case, delete, func, select, update
from sqlmodel import Session

from slowwave.storage.queue.jobs import insert_missing, take
from slowwave.storage.queue.leases import Claim
from slowwave.storage.queue.owner import Owner
from slowwave.storage.queue.rows import HELD, IN_BATCH, JOBS, NO_OWNER, SETTLED, UNCHANGED, begin, claim_values, lost
from slowwave.storage.types import JobKind, JobState, Reason


@dataclass(frozen=True, slots=True)
class Request:
    """One session whose extraction is wanted. `priority` orders sessions of a project: the newest activity first."""

    thread_id: str
    source_hash: str
    extractor: str
    extractor_version: int
    project_id: str | None
    host: str | None
    priority: float = 0.0


def enqueue_extract(session: Session, request: Request, *, now: float | None = None) -> Reason:
    """Ask for a session's extraction and return where it stands now.

    New content, or another extractor or version, revives a job that failed, died or is done, and clears its counts; the
    same request again changes nothing, least of all a backoff. A running job goes on and is queued again when it ends.
    """
    connection, moment = begin(session, now)
    wanted = {
        "source_hash": request.source_hash,
        "extractor": request.extractor,
        "extractor_version": request.extractor_version,
    }
    place = {"project_id": request.project_id, "host": request.host, "priority": request.priority}
    this = _is(JobKind.EXTRACT, [request.thread_id])
    if insert_missing(session, JobKind.EXTRACT, request.thread_id, moment, **wanted, **place):
        return Reason.QUEUED
    row = connection.execute(select(JOBS).where(this).with_for_update()).mappings().one()
    changes: dict[str, Any] = dict(place)
    if any(row[name] != value for name, value in wanted.items()):
        changes |= wanted | {"attempts": 0, "crashes": 0}
        if row["state"] not in {JobState.RUNNING, JobState.SUBMITTED}:
            done = all(row[f"done_{name.removeprefix('source_')}"] == value for name, value in wanted.items())
            changes |= {"state": JobState.DONE if done else JobState.PENDING}
            changes |= {"retry_at": None, "reason": None, "error": None, "batch_id": None}
    connection.execute(update(JOBS).where(this).values(**changes))
    return _standing(dict(row) | changes, moment)


def where_it_stands(session: Session, kind: JobKind, key: str, *, now: float | None = None) -> Reason | None:
    """Return a job's place in the queue as `slowwave status` shows it; None where there is no such job."""
    connection, moment = begin(session, now)
    row = connection.execute(select(JOBS).where(_is(kind, [key]))).mappings().first()
    return None if row is None else _standing(dict(row), moment)


def retry(
    session: Session,
    kind: JobKind,
    keys: Collection[str] | None = None,
    *,
    project_id: str | None = None,
    reasons: Collection[str] | None = None,
) -> list[str]:
    """Put failed and dead jobs back into the queue with clear counts; return their keys.

    Without `keys`, `project_id` and `reasons` (why they failed the last time), all of them.
    """
    which = [JOBS.c.kind == kind, JOBS.c.state.in_((JobState.DEAD, JobState.BACKOFF))]
    if keys is not None:
        which.append(JOBS.c.key.in_(keys))
    if project_id is not None:
        which.append(JOBS.c.project_id == project_id)
    if reasons is not None:
        which.append(JOBS.c.reason.in_(reasons))
    connection, _ = begin(session, 0.0)
    rows = connection.execute(
        update(JOBS)
        .where(*which)
        .values(state=JobState.PENDING, attempts=0, crashes=0, retry_at=None, reason=None, error=None, batch_id=None)
        .returning(JOBS.c.key)
    )
    return sorted(rows.scalars())


def withdraw(session: Session, kind: JobKind, keys: Collection[str], *, reason: str) -> int:
    """End jobs whatever their state: a session was forgotten, ignored or excluded. Return how many there were.

    A worker that is at one of them loses its claim. What was done stays known, so the same content is not asked again.
    """
    connection, moment = begin(session, None)
    ended = connection.execute(
        update(JOBS)
        .where(_is(kind, keys))
        .values(**NO_OWNER, state=JobState.DONE, retry_at=None, reason=reason, batch_id=None, finished_at=moment)
    )
    return ended.rowcount


def give_back_own(session: Session, kind: JobKind, keys: Collection[str], owner: Owner, run_id: str) -> int:
    """Let jobs wait again that this very process holds for a run: its connection was cut, and it takes them up anew."""
    connection, _ = begin(session, None)
    mine = (JOBS.c.run_id == run_id, JOBS.c.owner_host == owner.host, JOBS.c.owner_pid == owner.pid)
    waiting = {**NO_OWNER, "state": JobState.PENDING}
    query = update(JOBS).where(_is(kind, keys), JOBS.c.state == JobState.RUNNING, *mine).values(**waiting)
    return connection.execute(query).rowcount


def settled_extracts(session: Session, run_id: str) -> int:
    """How many of the sessions that a run claimed are done, wait for another try, or are given up."""
    settled = (JobState.DONE, JobState.BACKOFF, JobState.DEAD)
    where = (JOBS.c.kind == JobKind.EXTRACT, JOBS.c.run_id == run_id, JOBS.c.state.in_(settled))
    return int(session.connection().execute(select(func.count()).where(*where)).scalar_one())


def forget_done(session: Session, keys: Collection[str]) -> int:
    """Forget that sessions were processed, so that the next scan asks for them again; return how many jobs went."""
    connection, _ = begin(session, 0.0)
    return connection.execute(delete(JOBS).where(_is(JobKind.EXTRACT, keys))).rowcount


def submit(session: Session, claim: Claim, batch_id: str, *, source_hash: str, now: float | None = None) -> None:
    """Hand a claimed session to a model batch: it waits without a lease until `collect`. Raises `LeaseLost`.

    `source_hash` is that of the text which was really read and sent.
    """
    connection, moment = begin(session, now)
    sent = case((UNCHANGED, source_hash), else_=JOBS.c.source_hash)
    handed = connection.execute(
        update(JOBS).where(HELD).values(**NO_OWNER, state=JobState.SUBMITTED, batch_id=batch_id, source_hash=sent),
        claim_values(claim, moment),
    )
    if handed.rowcount != 1:
        raise lost(claim)


def collect(
    session: Session,
    batch_id: str,
    owner: Owner,
    *,
    lease: float,
    keys: Collection[str] | None = None,
    run_id: str | None = None,
    now: float | None = None,
) -> list[Claim]:
    """Claim the sessions of a batch whose answers have come, to store them; the caller holds the batch's own job."""
    connection, moment = begin(session, now)
    query = select(JOBS.c.key).where(JOBS.c.kind == JobKind.EXTRACT, IN_BATCH).order_by(JOBS.c.key)
    if keys is not None:
        query = query.where(JOBS.c.key.in_(keys))
    found = list(connection.execute(query, {"batch_": batch_id}).scalars())
    return take(connection, JobKind.EXTRACT, found, IN_BATCH, owner, lease, run_id, moment, batch_id=batch_id)


def rejoin_batch(session: Session, batch_id: str) -> int:
    """Let sessions wait for their batch again whose process died while it stored the answer; return how many.

    The caller holds the batch's own job, so nobody else is at these answers.
    """
    connection, _ = begin(session, 0.0)
    rejoined = connection.execute(
        update(JOBS)
        .where(JOBS.c.kind == JobKind.EXTRACT, JOBS.c.state == JobState.PENDING, JOBS.c.batch_id == batch_id)
        .values(state=JobState.SUBMITTED)
    )
    return rejoined.rowcount


def waiting_for_batch(session: Session, batch_id: str) -> list[str]:
    """Return the sessions that wait for a batch, sorted."""
    which = (JOBS.c.kind == JobKind.EXTRACT, JOBS.c.state == JobState.SUBMITTED, JOBS.c.batch_id == batch_id)
    return sorted(session.connection().execute(select(JOBS.c.key).where(*which)).scalars())


def abandon_batch(session: Session, batch_id: str, *, reason: str) -> int:
    """Queue again whatever still waits for a batch that expired, was cancelled or never arrived; return how many."""
    connection, _ = begin(session, 0.0)
    queued = connection.execute(
        update(JOBS)
        .where(JOBS.c.kind == JobKind.EXTRACT, JOBS.c.state == JobState.SUBMITTED, JOBS.c.batch_id == batch_id)
        .values(
            state=case((SETTLED, JobState.DONE.value), else_=JobState.PENDING.value),
            batch_id=None,
            retry_at=None,
            reason=reason,
        )
    )
    return queued.rowcount


def _is(kind: JobKind, keys: Collection[str]) -> ColumnElement[bool]:
    return and_(JOBS.c.kind == kind, JOBS.c.key.in_(keys))


def _standing(row: Mapping[str, Any], now: float) -> Reason:
    match JobState(row["state"]):
        case JobState.DONE:
            return Reason.UP_TO_DATE
        case JobState.DEAD:
            return Reason.DEAD
        case JobState.SUBMITTED:
            return Reason.SUBMITTED
        case JobState.RUNNING if row["lease_until"] is not None and row["lease_until"] > now:
            return Reason.RUNNING_ELSEWHERE
        case JobState.BACKOFF if row["retry_at"] is not None and row["retry_at"] > now:
            return Reason.IN_BACKOFF
    return Reason.QUEUED
