"""Which projects have something new, and the claim to consolidate one.

A project is dirty while its input generation is larger than the consolidated one. Both are counters: a claim captures
the input generation, a successful end stores the captured value, so whatever arrives in between keeps the project
dirty. Locks are always taken in one order, the project's row before its job's, so that two transactions never wait for
each other; a transaction that touches several projects goes by ascending id.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import bindparam, case, select, update
from sqlmodel import Session

from slowwave.errors import StoreError
from slowwave.storage.queue.jobs import insert_missing, reap_expired, take
from slowwave.storage.queue.leases import Claim, RetryPolicy
from slowwave.storage.queue.owner import Owner
from slowwave.storage.queue.rows import CLAIMABLE, FORCED, HELD, JOBS, NO_OWNER, begin, claim_values, lost
from slowwave.storage.tables import Table
from slowwave.storage.types import JobKind, JobState

PROJECTS = Table.metadata.tables["projects"]
_HOLDING = select(JOBS.c.fence).where(HELD).with_for_update()
_BUMP = (
    update(PROJECTS)
    .where(PROJECTS.c.id == bindparam("project_"))
    .values(input_generation=PROJECTS.c.input_generation + 1)
)
_WAS_DEAD = JOBS.c.state == JobState.DEAD
_WAKE = (
    update(JOBS)
    .where(
        JOBS.c.kind == JobKind.CONSOLIDATE,
        JOBS.c.key == bindparam("project_"),
        JOBS.c.state.in_((JobState.DONE, JobState.DEAD)),
    )
    .values(
        state=JobState.PENDING,
        attempts=case((_WAS_DEAD, 0), else_=JOBS.c.attempts),
        crashes=case((_WAS_DEAD, 0), else_=JOBS.c.crashes),
        reason=None,
        error=None,
    )
)


@dataclass(frozen=True, slots=True)
class DirtyProject:
    """A project that a run should look at. `state` is its job's; `retry_at` ends a backoff (seconds, epoch)."""

    id: str
    slug: str
    input_generation: int
    consolidated_generation: int
    state: JobState
    retry_at: float | None


def bump_generation(session: Session, project_ids: str | Iterable[str], *, now: float | None = None) -> None:
    """Record that something about these projects changed: an output, an edit, a pin, a fact, something forgotten.

    A job that was done or dead waits again, a dead one with clear counts. A backoff goes on: what failed a minute ago
    is not tried again because one more session came in.
    """
    connection, moment = begin(session, now)
    for project_id in sorted({project_ids} if isinstance(project_ids, str) else set(project_ids)):
        if connection.execute(_BUMP, {"project_": project_id}).rowcount != 1:
            raise StoreError(f"there is no project {project_id}")
        if not insert_missing(session, JobKind.CONSOLIDATE, project_id, moment, project_id=project_id):
            connection.execute(_WAKE, {"project_": project_id})


def dirty_projects(session: Session) -> list[DirtyProject]:
    """Return the projects with unconsolidated input that are not excluded, the longest waiting first.

    Those in backoff, dead or running elsewhere are among them; `state` tells.
    """
    connection, _ = begin(session, 0.0)
    rows = connection.execute(
        select(
            PROJECTS.c.id,
            PROJECTS.c.slug,
            PROJECTS.c.input_generation,
            PROJECTS.c.consolidated_generation,
            JOBS.c.state,
            JOBS.c.retry_at,
        )
        .join(JOBS, (JOBS.c.key == PROJECTS.c.id) & (JOBS.c.kind == JobKind.CONSOLIDATE))
        .where(
            PROJECTS.c.input_generation > PROJECTS.c.consolidated_generation,
            PROJECTS.c.excluded.is_(False),
            PROJECTS.c.joined_to.is_(None),
        )
        .order_by(JOBS.c.finished_at.asc().nulls_first(), PROJECTS.c.id)
    )
    return [DirtyProject(row[0], row[1], row[2], row[3], JobState(row[4]), row[5]) for row in rows]


def claim_project(
    session: Session,
    project_id: str,
    owner: Owner,
    *,
    lease: float,
    policy: RetryPolicy,
    run_id: str | None = None,
    forced: bool = False,
    now: float | None = None,
) -> Claim | None:
    """Claim the consolidation of a dirty project, capturing its input generation; None when there is none to be had.

    `forced` is for what a person asks for (a rollback, a rebuild): clean, resting and dead projects are claimed as
    well, only one that somebody else works at is not.
    """
    connection, moment = begin(session, now)
    row = connection.execute(
        select(PROJECTS.c.input_generation, PROJECTS.c.consolidated_generation)
        .where(PROJECTS.c.id == project_id)
        .with_for_update()
    ).first()
    if row is None or (row[0] <= row[1] and not forced):
        return None
    reap_expired(session, policy, now=moment)
    if forced:
        insert_missing(session, JobKind.CONSOLIDATE, project_id, moment, project_id=project_id)
    taken = take(
        connection,
        JobKind.CONSOLIDATE,
        [project_id],
        FORCED if forced else CLAIMABLE,
        owner,
        lease,
        run_id,
        moment,
        generation=row[0],
    )
    return next(iter(taken), None)


def finish_project_in(
    session: Session,
    claim: Claim,
    *,
    version: int | None = None,
    now: float | None = None,
) -> JobState:
    """End a consolidation in the transaction that holds its results; `PENDING` when more input came meanwhile.

    `version` is the number that was published, if one was. Raises `LeaseLost`, and then the caller's transaction must
    roll back.
    """
    connection, moment = begin(session, now)
    row = connection.execute(
        select(PROJECTS.c.input_generation).where(PROJECTS.c.id == claim.key).with_for_update()
    ).first()
    more = row is not None and row[0] > claim.generation
    ended = connection.execute(
        update(JOBS)
        .where(HELD)
        .values(
            **NO_OWNER,
            state=JobState.PENDING if more else JobState.DONE,
            attempts=0,
            crashes=0,
            retry_at=None,
            reason=None,
            error=None,
            finished_at=moment,
        ),
        claim_values(claim, moment),
    )
    if ended.rowcount != 1 or row is None:
        raise lost(claim)
    changes: dict[str, object] = {"consolidated_generation": claim.generation}
    if version is not None:
        changes |= {"version": version, "fence": claim.fence}
    connection.execute(update(PROJECTS).where(PROJECTS.c.id == claim.key).values(**changes))
    return JobState.PENDING if more else JobState.DONE


def check_held(session: Session, claim: Claim, *, now: float | None = None) -> None:
    """Raise `LeaseLost` unless the claim is still held; PostgreSQL keeps its row locked until the transaction ends."""
    connection, moment = begin(session, now)
    if connection.execute(_HOLDING, claim_values(claim, moment)).first() is None:
        raise lost(claim)
