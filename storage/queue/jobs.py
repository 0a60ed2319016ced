"""The queue: one row for each (kind, key). docs/queue.md has the states, who may change them, and the invariants.

Every function works inside the caller's transaction (`slowwave.storage.engine.writing`), so that a result and the
end of its job
are committed together. A change by a worker is conditional on the job running, on the claim's token and on the lease:
whoever lost the claim changes nothing and gets `LeaseLost`. `now` is for tests; the default is the clock that all
workers share.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    case,
    func,
    literal,
    null,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import RowMapping
from sqlmodel import Session

from slowwave.storage.engine import is_sqlite
from slowwave.storage.queue.leases import MAX_LEASE_SECONDS, Claim, RetryPolicy, check_lease
from slowwave.storage.queue.owner import Owner, owner_is_dead, this_host
from slowwave.storage.queue.rows import CLAIMABLE, HELD, JOBS, NEW_JOB, NO_OWNER, SETTLED, begin, claim_values, lost
from slowwave.storage.queue.statements import BEAT, FINISH, FINISH_BATCH, taking, turns
from slowwave.storage.text import storable
from slowwave.storage.types import JobKind, JobState

MAX_ERROR_CHARACTERS = 2_000

_CLAIM_LOCK = 0x510_C1A1
# Answers of a batch that were being collected are still there to be collected, and already paid for.
_WAITING: ColumnElement[str] = case(
    (SETTLED, JobState.DONE.value),
    (JOBS.c.batch_id.is_not(None), JobState.SUBMITTED.value),
    else_=JobState.PENDING.value,
)


def claim_extracts(
    session: Session,
    owner: Owner,
    *,
    limit: int,
    max_running: int,
    lease: float,
    policy: RetryPolicy,
    keys: Collection[str] | None = None,
    run_id: str | None = None,
    now: float | None = None,
) -> list[Claim]:
    """Claim up to `limit` sessions of the owner's host, never more than `max_running` running at once anywhere.

    Projects take turns: the first session of each comes before the second of any, counting those already running, and
    within a project higher `priority` comes first. `keys` restricts the choice to a plan's sessions.
    """
    connection, moment = begin(session, now)
    reap_expired(session, policy, now=moment)
    if not is_sqlite(session):
        # Two claimers that count the running jobs at the same moment would exceed the cap together.
        connection.execute(select(func.pg_advisory_xact_lock(_CLAIM_LOCK)))
    wanted = _next_in_turn(connection, owner.host, limit, max_running, keys, moment)
    if not wanted:
        return []
    taken = {
        claim.key: claim for claim in take(connection, JobKind.EXTRACT, wanted, CLAIMABLE, owner, lease, run_id, moment)
    }
    return [taken[key] for key in wanted if key in taken]


def claim_one(
    session: Session,
    kind: JobKind,
    key: str,
    owner: Owner,
    *,
    lease: float,
    policy: RetryPolicy,
    run_id: str | None = None,
    now: float | None = None,
) -> Claim | None:
    """Claim one job by its key if it waits for work and its backoff is over; None otherwise."""
    connection, moment = begin(session, now)
    reap_expired(session, policy, now=moment)
    return next(iter(take(connection, kind, [key], CLAIMABLE, owner, lease, run_id, moment)), None)


def heartbeat(session: Session, claim: Claim, lease: float, *, now: float | None = None) -> bool:
    """Extend the lease to `lease` seconds from now. False: the claim is lost (expired ones are not revived)."""
    connection, moment = begin(session, now)
    beaten = connection.execute(BEAT, claim_values(claim, moment) | {"until": moment + check_lease(lease)})
    return beaten.rowcount == 1


def finish_in(
    session: Session,
    claim: Claim,
    *,
    source_hash: str,
    extractor: str,
    extractor_version: int,
    now: float | None = None,
) -> JobState:
    """End an extract job whose output is written in this same transaction; return `DONE`, or `PENDING` if more came.

    `source_hash` is that of the text which was really read. If the log was scanned again meanwhile and something else
    is wanted by now, the job waits again. A batch's answer counts for what was sent, so there only an equal hash will
    do. Raises `LeaseLost`.
    """
    connection, moment = begin(session, now)
    read = {"read_hash": source_hash, "read_by": extractor, "read_version": extractor_version, "now_": moment}
    statement = FINISH if claim.batch_id is None else FINISH_BATCH
    row = connection.execute(statement, claim_values(claim, moment) | read).first()
    if row is None:
        raise lost(claim)
    return JobState(row[0])


def fail(
    session: Session,
    claim: Claim,
    *,
    reason: str,
    error: str,
    policy: RetryPolicy,
    retry_after: float | None = None,
    permanent: bool = False,
    now: float | None = None,
) -> JobState:
    """Count a failure of the work: `BACKOFF` with a growing delay, or `DEAD` at the limit. Raises `LeaseLost`.

    `retry_after` (seconds) is the least delay. `permanent` gives the job up at once: no repetition could help.
    """
    connection, moment = begin(session, now)
    delay = min(max(policy.delay(claim.attempts + 1), retry_after or 0.0), policy.max_seconds)
    dead = or_(literal(permanent), JOBS.c.attempts + 1 >= policy.max_attempts)
    row = connection.execute(
        update(JOBS)
        .where(HELD)
        .values(
            **NO_OWNER,
            state=case((SETTLED, JobState.DONE.value), (dead, JobState.DEAD.value), else_=JobState.BACKOFF.value),
            attempts=JOBS.c.attempts + 1,
            retry_at=case((dead, null()), else_=moment + delay),
            reason=reason,
            error=storable(error)[:MAX_ERROR_CHARACTERS],
            batch_id=None,
            finished_at=moment,
        )
        .returning(JOBS.c.state),
        claim_values(claim, moment),
    ).first()
    if row is None:
        raise lost(claim)
    return JobState(row[0])


def release(
    session: Session,
    claim: Claim,
    *,
    reason: str | None = None,
    retry_after: float | None = None,
    now: float | None = None,
) -> bool:
    """Give a claim back without counting anything: a clean stop, a spent budget, a provider that is down.

    With `retry_after` (seconds) the job rests that long. False: the claim was lost already, there is nothing to give.
    """
    connection, moment = begin(session, now)
    rests = retry_after is not None and retry_after > 0
    given = connection.execute(
        update(JOBS)
        .where(HELD)
        .values(
            **NO_OWNER,
            state=case((SETTLED, JobState.DONE.value), else_=JobState.BACKOFF.value) if rests else _WAITING,
            retry_at=moment + retry_after if rests and retry_after is not None else None,
            reason=reason,
            batch_id=None if rests else JOBS.c.batch_id,
        ),
        claim_values(claim, moment),
    )
    return given.rowcount == 1


def reap_expired(session: Session, policy: RetryPolicy, *, now: float | None = None) -> int:
    """Take back every claim whose lease ended; each counts as a crash. Return how many."""
    _, moment = begin(session, now)
    return _crashed(session, JOBS.c.lease_until <= moment, policy, moment)


def reclaim_dead(session: Session, policy: RetryPolicy, *, now: float | None = None) -> int:
    """Take back at once what dead processes of this host hold, and every expired claim; return how many.

    Also repairs what a clock that ran ahead has written: no lease and no rest reaches further than the longest one.
    """
    connection, moment = begin(session, now)
    _cut_far_future(connection, policy, moment)
    dead = reap_expired(session, policy, now=moment)
    owned = (JOBS.c.owner_host, JOBS.c.owner_boot, JOBS.c.owner_pid, JOBS.c.owner_started)
    rows = connection.execute(
        select(*owned).where(JOBS.c.state == JobState.RUNNING, JOBS.c.owner_host == this_host()).distinct()
    )
    for host, boot, pid, started in rows.all():
        if owner_is_dead(Owner(host, boot or "", pid, started)):
            is_his = and_(*(column == value for column, value in zip(owned, (host, boot, pid, started), strict=True)))
            dead += _crashed(session, is_his, policy, moment)
    return dead


def insert_missing(session: Session, kind: JobKind, key: str, now: float, **values: Any) -> bool:
    """Create a job's row if there is none; tell whether it was created."""
    exists = select(JOBS.c.key).where(JOBS.c.kind == kind, JOBS.c.key == key)
    if session.connection().execute(exists).first() is not None:
        return False
    insert = sqlite.insert(JOBS) if is_sqlite(session) else postgresql.insert(JOBS)
    statement = insert.values(**(NEW_JOB | {"kind": kind, "key": key, "created_at": now} | values))
    made = session.connection().execute(statement.on_conflict_do_nothing().returning(JOBS.c.key))
    return made.first() is not None


def _next_in_turn(
    connection: Connection, host: str, limit: int, max_running: int, keys: Collection[str] | None, now: float
) -> list[str]:
    values: dict[str, Any] = {"now_": now, "host_": host, "limit_": limit, "most_": max_running}
    if keys is not None:
        values["keys_"] = list(keys)
    return list(connection.execute(turns(restricted=keys is not None), values).scalars())


def take(
    connection: Connection,
    kind: JobKind,
    keys: list[str],
    free: ColumnElement[bool],
    owner: Owner,
    lease: float,
    run_id: str | None,
    now: float,
    *,
    generation: int | None = None,
    batch_id: str | None = None,
) -> list[Claim]:
    """The claim itself: one conditional UPDATE. A row that somebody else is changing right now is left to them.

    `free` is one of the conditions of `job_rows`; `batch_id` goes with `IN_BATCH`.
    """
    values: dict[str, Any] = {
        "kind_": kind,
        "keys_": keys,
        "now_": now,
        "token_": uuid.uuid4().hex,
        "owner_host_": owner.host,
        "owner_boot_": owner.boot,
        "owner_pid_": owner.pid,
        "owner_started_": owner.started,
        "until": now + check_lease(lease),
        "run_": run_id,
    }
    if generation is not None:
        values["generation_"] = generation
    if batch_id is not None:
        values["batch_"] = batch_id
    rows = connection.execute(taking(free, counted=generation is not None), values)
    return [_claim(row) for row in rows.mappings().all()]


def _claim(row: RowMapping) -> Claim:
    return Claim(
        kind=JobKind(row["kind"]),
        key=row["key"],
        token=row["token"],
        fence=row["fence"],
        lease_until=row["lease_until"],
        project_id=row["project_id"],
        source_hash=row["source_hash"],
        extractor=row["extractor"],
        extractor_version=row["extractor_version"],
        generation=row["generation"],
        batch_id=row["batch_id"],
        attempts=row["attempts"],
        crashes=row["crashes"],
    )


def _crashed(session: Session, which: ColumnElement[bool], policy: RetryPolicy, now: float) -> int:
    connection = session.connection()
    locked = select(JOBS.c.kind, JOBS.c.key).where(JOBS.c.state == JobState.RUNNING, which)
    rows = connection.execute(locked.with_for_update(skip_locked=True)).all()
    if not rows:
        return 0
    dead = JOBS.c.crashes + 1 >= policy.max_crashes
    taken = connection.execute(
        update(JOBS)
        .where(tuple_(JOBS.c.kind, JOBS.c.key).in_([tuple(row) for row in rows]), JOBS.c.state == JobState.RUNNING)
        .values(
            **NO_OWNER,
            state=case((SETTLED, JobState.DONE.value), (dead, JobState.DEAD.value), else_=_WAITING),
            crashes=JOBS.c.crashes + 1,
            retry_at=None,
            reason="crashed",
            error=case((dead, literal("the process died every time it worked on this")), else_=JOBS.c.error),
            finished_at=now,
        )
    )
    return taken.rowcount


def _cut_far_future(connection: Connection, policy: RetryPolicy, now: float) -> None:
    for column, reach in ((JOBS.c.lease_until, MAX_LEASE_SECONDS), (JOBS.c.retry_at, policy.max_seconds)):
        late = select(JOBS.c.kind, JOBS.c.key).where(column > now + reach)
        rows = connection.execute(late.with_for_update(skip_locked=True)).all()
        if rows:
            connection.execute(
                update(JOBS)
                .where(tuple_(JOBS.c.kind, JOBS.c.key).in_([tuple(row) for row in rows]), column > now + reach)
                .values({column.name: now + reach})
            )
