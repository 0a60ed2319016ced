"""The rows of the queue: their table, and the conditions that its transitions share."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, bindparam, or_
from sqlmodel import Session

from slowwave.errors import LeaseLost
from slowwave.storage.engine import database_now
from slowwave.storage.queue.leases import Claim
from slowwave.storage.tables import Table
from slowwave.storage.types import JobState

JOBS = Table.metadata.tables["jobs"]

NEW_JOB: dict[str, Any] = {
    "state": JobState.PENDING,
    "fence": 0,
    "attempts": 0,
    "crashes": 0,
    "extractor_version": 0,
    "done_extractor_version": 0,
    "generation": 0,
    "priority": 0.0,
}
NO_OWNER: dict[str, Any] = {
    "token": None,
    "lease_until": None,
    "owner_host": None,
    "owner_boot": None,
    "owner_pid": None,
    "owner_started": None,
}

SETTLED: ColumnElement[bool] = and_(
    JOBS.c.done_hash == JOBS.c.source_hash,
    JOBS.c.done_extractor == JOBS.c.extractor,
    JOBS.c.done_extractor_version == JOBS.c.extractor_version,
)
"""What is wanted was done before: the log changed, and changed back while a worker was at it."""

# Built once, with bound values: building an expression takes longer than its statement takes in the database.
HELD: ColumnElement[bool] = and_(
    JOBS.c.kind == bindparam("held_kind"),
    JOBS.c.key == bindparam("held_key"),
    JOBS.c.state == JobState.RUNNING,
    JOBS.c.token == bindparam("held_token"),
    JOBS.c.lease_until > bindparam("held_at"),
)
"""The condition on which every change by a worker depends."""

UNCHANGED: ColumnElement[bool] = and_(
    JOBS.c.source_hash.is_not_distinct_from(bindparam("claimed_hash")),
    JOBS.c.extractor.is_not_distinct_from(bindparam("claimed_extractor")),
    JOBS.c.extractor_version == bindparam("claimed_version"),
)
"""The condition that nothing else was asked for since the claim."""

CLAIMABLE: ColumnElement[bool] = or_(
    JOBS.c.state == JobState.PENDING,
    and_(JOBS.c.state == JobState.BACKOFF, or_(JOBS.c.retry_at.is_(None), JOBS.c.retry_at <= bindparam("now_"))),
)
"""The condition on which a job may be claimed, its expired lease having been reaped."""

FORCED: ColumnElement[bool] = JOBS.c.state != JobState.RUNNING
"""The condition on which a person may have a job done: nobody else is at it."""

IN_BATCH: ColumnElement[bool] = and_(JOBS.c.state == JobState.SUBMITTED, JOBS.c.batch_id == bindparam("batch_"))
"""The condition that a session waits for a message batch."""


def begin(session: Session, now: float | None) -> tuple[Connection, float]:
    """Write out the session's pending objects; return its connection and the moment to use."""
    session.flush()
    return session.connection(), database_now(session) if now is None else now


def claim_values(claim: Claim, now: float) -> dict[str, Any]:
    """What `HELD` and `UNCHANGED` compare with."""
    return {
        "held_kind": claim.kind,
        "held_key": claim.key,
        "held_token": claim.token,
        "held_at": now,
        "claimed_hash": claim.source_hash,
        "claimed_extractor": claim.extractor,
        "claimed_version": claim.extractor_version,
    }


def lost(claim: Claim) -> LeaseLost:
    """The error for a worker whose claim is gone."""
    return LeaseLost(
        f"the claim on {claim.kind} {claim.key} is no longer held",
        hint="Nothing is wrong: another run took the work over. Its result counts.",
    )
