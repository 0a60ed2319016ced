"""Stage two under a project's lease: fold the new extractions into what stands, step by step, then publish."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from sqlmodel import Session

from slowwave.app import HOME_STORE
from slowwave.errors import (
    BudgetReached,
    ConnectionLost,
    InternalError,
    LeaseLost,
    ModelDenied,
    ModelUnavailable,
    SlowwaveError,
)
from slowwave.memories.consolidation.folding import Consolidated, count, fold
from slowwave.memories.consolidation.operations import retire_unsupported
from slowwave.memories.consolidation.promotion import ask_for_promotion_in
from slowwave.memories.consolidation.settling import hold_candidate_in
from slowwave.memories.context import RunContext, render_options
from slowwave.memories.publishing.publish import Publication, publish_project, repair, root_of
from slowwave.memories.state.store import has_unsupported_in, load_state_in, lock_project, save_state_in
from slowwave.memories.state.unfit import as_candidate, unfit
from slowwave.storage.engine import database_now, reading, writing
from slowwave.storage.failpoints import reach
from slowwave.storage.queue.generations import check_held, claim_project, finish_project_in
from slowwave.storage.queue.heartbeat import Heartbeat
from slowwave.storage.queue.jobs import fail, release
from slowwave.storage.queue.leases import Claim
from slowwave.storage.tables import Project
from slowwave.storage.types import EntryStatus, MemoryKind

__all__ = ["Consolidated", "consolidate", "make_desk"]


async def consolidate(space: RunContext, project_id: str) -> Consolidated:
    """Claim a dirty project, fold, publish. A failure is the queue's business and stands in the report."""
    report = Consolidated(project_id)
    lease = space.memories.stage2_lease_seconds
    claim = await asyncio.to_thread(_claim, space, project_id)
    if claim is None:
        report.reason = "not_dirty_or_running"
        return report
    reach("consolidate.claimed")
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    lost: list[Claim] = []

    def on_lost(gone: Claim) -> None:
        lost.append(gone)
        if task is not None:
            loop.call_soon_threadsafe(task.cancel)

    with Heartbeat(
        space.engine.url, [claim], lease=lease, interval=lease * space.memories.heartbeat_share, on_lost=on_lost
    ) as beat:
        try:
            await _work(space, claim, beat, report)
        except asyncio.CancelledError:
            if not lost:
                beat.remove(claim)
                await asyncio.shield(asyncio.to_thread(_release, space, claim))
                raise
            report.outcome, report.reason = "skipped", LeaseLost.reason
        except LeaseLost as error:
            report.outcome, report.reason = "skipped", error.reason
        except ConnectionLost:
            # The project is taken up again on a new connection; this is no failure of it.
            beat.remove(claim)
            raise
        except (BudgetReached, ModelDenied) as stop:
            beat.remove(claim)
            await asyncio.to_thread(_release, space, claim)
            report.outcome, report.reason, report.stopped = "stopped", stop.reason, stop
        except Exception as problem:  # noqa: BLE001 - whatever one project brings up, the others go on
            failure = InternalError.of(problem)
            beat.remove(claim)
            report.outcome, report.reason = "failed", failure.reason
            report.stopped = failure
            await asyncio.to_thread(_fail, space, claim, failure)
    return report


def _claim(space: RunContext, project_id: str) -> Claim | None:
    with writing(space.engine) as session:
        return claim_project(
            session,
            project_id,
            space.owner,
            lease=space.memories.stage2_lease_seconds,
            policy=space.policy,
            run_id=space.run_id,
        )


def _release(space: RunContext, claim: Claim) -> None:
    with writing(space.engine) as session:
        release(session, claim)


def _fail(space: RunContext, claim: Claim, error: SlowwaveError) -> None:
    text = str(error)
    try:
        text = space.scrubber.propagate(space.scrubber.redact(text).text)
    except SlowwaveError:
        text = f"{type(error).__name__} (its text could not be scanned)"
    with writing(space.engine) as session:
        try:
            fail(
                session,
                claim,
                reason=error.reason,
                error=text,
                policy=space.policy,
                retry_after=error.retry_after if isinstance(error, ModelUnavailable) else None,
            )
        except LeaseLost:
            return


async def _work(space: RunContext, claim: Claim, beat: Heartbeat, report: Consolidated) -> None:
    publication = await asyncio.to_thread(make_desk, space, claim)
    settle = publication.settle

    def ends(session: Session, version: int | None) -> None:
        # A beat between the commit and the end of this task would be refused and taken for a loss.
        beat.remove(claim)
        settle(session, version)

    publication = replace(publication, settle=ends)
    report.root = str(publication.root)
    live = await asyncio.to_thread(repair, publication)
    await fold(space, claim, publication, live, beat, report)
    await asyncio.to_thread(_retire, space, claim, report)
    await asyncio.to_thread(_ask_for_promotion, space)
    beat.check(claim)
    outcome = await asyncio.to_thread(publish_project, publication, live)
    beat.remove(claim)
    reach("consolidate.finished")
    report.outcome = "unchanged" if outcome.version is None else "published"
    report.version = outcome.version
    report.changes, report.damage = outcome.changes, outcome.damage
    report.late = outcome.late


def make_desk(space: RunContext, claim: Claim, cause: str = "consolidate", note: str = "") -> Publication:
    """The publication of a claimed project: its transactions check the claim, and its commit ends the job."""
    with reading(space.engine) as session:
        project = session.get_one(Project, claim.key)

    def settle(session: Session, version: int | None) -> None:
        finish_project_in(session, claim, version=version)

    return Publication(
        engine=space.engine,
        root=root_of(space.app.home, project),
        project_id=project.id,
        name=project.name,
        fence=claim.fence,
        generation=claim.generation,
        render=space.render,
        scrubber=space.scrubber,
        options=render_options(space.memories),
        keep_versions=space.memories.keep_versions,
        run_id=space.run_id,
        held=lambda session: check_held(session, claim),
        settle=settle,
        cause=cause,
        note=note,
    )


def _ask_for_promotion(space: RunContext) -> None:
    if space.app.store != HOME_STORE:
        # What colleagues want is no preference of this user.
        return
    with writing(space.engine) as session:
        ask_for_promotion_in(session)


def _retire(space: RunContext, claim: Claim, report: Consolidated) -> None:
    with reading(space.engine) as session:
        state = load_state_in(session, claim.key)
        lists = any(entry.kind is MemoryKind.LIST for entry in state.active)
        idle = space.memories.max_unconfirmed_days is None and not lists and not has_unsupported_in(session, claim.key)
    doubtful = [(entry, reason) for entry in state.active if (reason := unfit(entry))]
    if idle and not doubtful:
        return
    with writing(space.engine) as session:
        lock_project(session, claim.key)
        check_held(session, claim)
        now = database_now(session)
        before = load_state_in(session, claim.key)
        step = retire_unsupported(before, now=now, max_unconfirmed_days=space.memories.max_unconfirmed_days)
        after = step.state
        for entry, reason in doubtful:
            # However it came here, it is not shown before a person has seen it.
            after = after.put(replace(entry, status=EntryStatus.QUARANTINED, status_reason=reason))
            thread_id = next((piece.thread_id for piece in entry.evidence if piece.thread_id), "unknown:")
            candidate = as_candidate(entry)
            hold_candidate_in(session, claim.key, thread_id, candidate, reason, run_id=space.run_id, now=now)
            report.held[reason] += 1
        if after != before:
            save_state_in(session, claim.key, before, after, space.run_id, now)
    count(report, step.decisions)
