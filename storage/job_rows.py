"""The rows of the queue: their table, and the conditions that its transitions share."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, or_
from sqlmodel import Session

from slowwave.errors import LeaseLost
from storage.engine import database_now
from storage.leases import Claim
from storage.tables import Table
from storage.types import JobState

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


def begin(session: Session, now: float | None) -> tuple[Connection, float]:
    """Write out the session's pending objects; return its connection and the moment to use."""
    session.flush()
    return session.connection(), database_now(session) if now is None else now


def held(claim: Claim, now: float) -> ColumnElement[bool]:
    """The condition on which every change by a worker depends."""
    return and_(
        JOBS.c.kind == claim.kind,
        JOBS.c.key == claim.key,
        JOBS.c.state == JobState.RUNNING,
        JOBS.c.token == claim.token,
        JOBS.c.lease_until > now,
    )


def unchanged_since(claim: Claim) -> ColumnElement[bool]:
    """The condition that nothing else was asked for since the claim."""
    return and_(
        JOBS.c.source_hash.is_not_distinct_from(claim.source_hash),
        JOBS.c.extractor.is_not_distinct_from(claim.extractor),
        JOBS.c.extractor_version == claim.extractor_version,
    )


def claimable(now: float) -> ColumnElement[bool]:
    """The condition on which a job may be claimed, its expired lease having been reaped."""
    return or_(
        JOBS.c.state == JobState.PENDING,
        and_(JOBS.c.state == JobState.BACKOFF, or_(JOBS.c.retry_at.is_(None), JOBS.c.retry_at <= now)),
    )


def wants(source_hash: str, extractor: str, version: int) -> ColumnElement[bool]:
    """The condition that exactly this is asked for."""
    return and_(JOBS.c.source_hash == source_hash, JOBS.c.extractor == extractor, JOBS.c.extractor_version == version)


def lost(claim: Claim) -> LeaseLost:
    """The error for a worker whose claim is gone."""
    return LeaseLost(
        f"the claim on {claim.kind} {claim.key} is no longer held",
        hint="Nothing is wrong: another run took the work over. Its result counts.",
    )
