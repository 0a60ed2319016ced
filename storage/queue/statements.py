"""The queue's busiest statements, built once with bound values.

Building an expression takes longer than its statement takes in the database; a night runs these at every session.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Integer, Select, and_, bindparam, case, func, or_, select, update
from sqlalchemy.sql.dml import ReturningUpdate

from slowwave.storage.queue.rows import CLAIMABLE, HELD, JOBS, NO_OWNER, UNCHANGED
from slowwave.storage.types import JobKind, JobState

_READ_IS_WANTED = and_(
    JOBS.c.source_hash == bindparam("read_hash"),
    JOBS.c.extractor == bindparam("read_by"),
    JOBS.c.extractor_version == bindparam("read_version"),
)


def _finishing(satisfied: ColumnElement[bool]) -> ReturningUpdate[str]:
    return (
        update(JOBS)
        .where(HELD)
        .values(
            **NO_OWNER,
            state=case((satisfied, JobState.DONE.value), else_=JobState.PENDING.value),
            source_hash=case((satisfied, bindparam("read_hash")), else_=JOBS.c.source_hash),
            extractor=case((satisfied, bindparam("read_by")), else_=JOBS.c.extractor),
            extractor_version=case((satisfied, bindparam("read_version")), else_=JOBS.c.extractor_version),
            done_hash=bindparam("read_hash"),
            done_extractor=bindparam("read_by"),
            done_extractor_version=bindparam("read_version"),
            attempts=0,
            crashes=0,
            retry_at=None,
            reason=None,
            error=None,
            batch_id=None,
            finished_at=bindparam("now_"),
        )
        .returning(JOBS.c.state)
    )


FINISH = _finishing(or_(UNCHANGED, _READ_IS_WANTED))
FINISH_BATCH = _finishing(_READ_IS_WANTED)
BEAT = update(JOBS).where(HELD).values(lease_until=bindparam("until"))


@cache
def turns(*, restricted: bool) -> Select[str]:
    """Keys of claimable sessions, the projects taking turns; `restricted` to `keys_`: up to `limit_`, and no
    more than leave `most_` sessions running."""
    busy = (
        select(JOBS.c.project_id, func.count().label("n"))
        .where(JOBS.c.kind == JobKind.EXTRACT, JOBS.c.state == JobState.RUNNING)
        .group_by(JOBS.c.project_id)
        .subquery()
    )
    place = func.row_number().over(
        partition_by=JOBS.c.project_id, order_by=(JOBS.c.priority.desc(), JOBS.c.key)
    ) + func.coalesce(busy.c.n, 0)
    running = (
        select(func.count()).where(JOBS.c.kind == JobKind.EXTRACT, JOBS.c.state == JobState.RUNNING).scalar_subquery()
    )
    room = bindparam("most_", type_=Integer) - running
    limit = bindparam("limit_", type_=Integer)
    is_here = or_(JOBS.c.host.is_(None), JOBS.c.host == bindparam("host_"))
    query = (
        select(JOBS.c.key)
        .outerjoin(busy, busy.c.project_id.is_not_distinct_from(JOBS.c.project_id))
        .where(JOBS.c.kind == JobKind.EXTRACT, CLAIMABLE, is_here)
        .order_by(place, JOBS.c.priority.desc(), JOBS.c.key)
        .limit(case((room < 0, 0), (room < limit, room), else_=limit))
    )
    return query.where(JOBS.c.key.in_(bindparam("keys_", expanding=True))) if restricted else query


@cache
def taking(free: ColumnElement[bool], *, counted: bool) -> ReturningUpdate[Any]:
    """The conditional update of a claim; `counted` stores a project's `generation_` with it."""
    unlocked = select(JOBS.c.key).where(
        JOBS.c.kind == bindparam("kind_"), JOBS.c.key.in_(bindparam("keys_", expanding=True)), free
    )
    generation: dict[str, Any] = {"generation": bindparam("generation_")} if counted else {}
    return (
        update(JOBS)
        .where(JOBS.c.kind == bindparam("kind_"), JOBS.c.key.in_(unlocked.with_for_update(skip_locked=True)), free)
        .values(
            state=JobState.RUNNING,
            token=bindparam("token_"),
            fence=JOBS.c.fence + 1,
            owner_host=bindparam("owner_host_"),
            owner_boot=bindparam("owner_boot_"),
            owner_pid=bindparam("owner_pid_"),
            owner_started=bindparam("owner_started_"),
            lease_until=bindparam("until"),
            retry_at=None,
            run_id=bindparam("run_"),
            started_at=bindparam("now_"),
            **generation,
        )
        .returning(JOBS)
    )
