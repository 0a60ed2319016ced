"""The pipeline as plain functions: plan, extract a batch, consolidate a project, finish. Flows only orchestrate them.

Work is claimed in the database, so it does not matter who calls these, how often, or how many at the same time.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial

from sqlalchemy import Engine

from slowwave.app import App
from slowwave.errors import ConnectionLost, ModelDenied, SlowwaveError, StoreError
from slowwave.llm.base import Usage
from slowwave.memories.consolidation.promotion_step import promote_to_user
from slowwave.memories.consolidation.stage_two import Consolidated, consolidate
from slowwave.memories.context import RunContext
from slowwave.memories.discovery.eligibility import OFFLINE
from slowwave.memories.discovery.planning import plan_run, ready_projects_in
from slowwave.memories.extraction.claimed import Tally, extract_claimed, live_sessions
from slowwave.memories.projects.stores import is_for
from slowwave.memories.reports import BatchReport, Plan, ProjectReport, RunOptions, RunReport
from slowwave.storage.backup import back_up_if_due
from slowwave.storage.call_log import finish_run as close_run
from slowwave.storage.engine import database_now, reading, writing
from slowwave.storage.queue.backlog import give_back_own
from slowwave.storage.tables import Project, Run
from slowwave.storage.types import JobKind, Reason, RunStatus

DENIED = "denied"
"""Counts how often the provider refused the key or the account."""

__all__ = [
    "DENIED",
    "BatchReport",
    "Plan",
    "ProjectReport",
    "RunOptions",
    "RunReport",
    "consolidate_project",
    "dirty_projects",
    "extract_batch",
    "finish_run",
    "plan_run",
]


async def extract_batch(
    run: RunContext, thread_ids: Sequence[str], *, limit: asyncio.Semaphore | None = None
) -> BatchReport:
    """Stage one for the sessions of a batch that can be claimed. `limit` bounds live sessions over several batches."""
    limit = limit or asyncio.Semaphore(live_sessions(run.memories, run.extractor.name))
    try:
        tally = await _stage_one(run, thread_ids, limit)
    except ConnectionLost:
        await _after_a_cut(run, JobKind.EXTRACT, thread_ids)
        tally = await _stage_one(run, thread_ids, limit)
    await asyncio.to_thread(once_more, run.engine, partial(_add_batch, run, tally))
    stopped = f"{tally.stopped.reason}: {tally.stopped}" if tally.stopped is not None else ""
    return BatchReport(dict(tally.reasons), dict(tally.redactions), tally.usage, stopped)


async def _after_a_cut(run: RunContext, kind: JobKind, keys: Sequence[str]) -> None:
    """Give back what this run holds of some work, so that it can be taken up again on new connections."""

    def give_back() -> None:
        run.engine.dispose()
        with writing(run.engine) as session:
            give_back_own(session, kind, keys, run.owner, run.run_id)

    await asyncio.to_thread(give_back)


def once_more(engine: Engine, work: Callable[[], None]) -> None:
    """Do one transaction, and again when its connection was cut. Raises `StoreError`."""
    try:
        work()
    except ConnectionLost:
        engine.dispose()
        work()


async def _stage_one(run: RunContext, thread_ids: Sequence[str], limit: asyncio.Semaphore) -> Tally:
    if run.family == OFFLINE:
        return await extract_claimed(run, thread_ids, limit)
    # The SDK takes most of a second to import, so it is left out where nothing is sent.
    from slowwave.memories.extraction.batches import extract_sessions

    return await extract_sessions(run, thread_ids, limit)


def _add_batch(run: RunContext, tally: Tally) -> None:
    with writing(run.engine) as session:
        row = session.get(Run, run.run_id, with_for_update=True)
        if row is None:
            return
        row.reasons = _sum(row.reasons, tally.reasons)
        row.redactions = _sum(row.redactions, tally.redactions)
        row.counts = _sum(row.counts, _usage_counts(tally.usage))
        if tally.stopped is not None:
            row.message = str(tally.stopped)
            row.counts = _sum(row.counts, _denied(tally.stopped))
        session.add(row)


def _denied(stop: SlowwaveError) -> dict[str, int]:
    return {DENIED: 1} if isinstance(stop, ModelDenied) else {}


def _sum(old: Mapping[str, int], new: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted((Counter(old) + Counter(new)).items()))


def _usage_counts(usage: Usage) -> dict[str, int]:
    if not usage.calls:
        return {}
    return {
        "model_calls": usage.calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cache_read_tokens": usage.cache_read_tokens,
    }


def dirty_projects(run: RunContext) -> tuple[str, ...]:
    """The projects that stage two should look at now."""
    with reading(run.engine) as session:
        ready = ready_projects_in(session)
    return tuple(project_id for project_id in ready if is_for(run.app, project_id))


async def consolidate_project(run: RunContext, project_id: str) -> ProjectReport:
    """Stage two for one project, if it is dirty and nobody else is at it."""
    try:
        result = await consolidate(run, project_id)
    except ConnectionLost:
        await _after_a_cut(run, JobKind.CONSOLIDATE, [project_id])
        result = await consolidate(run, project_id)
    if result.late:
        again = await consolidate(run, project_id)
        result = replace(
            again,
            operations=result.operations + again.operations,
            changes=result.changes + again.changes,
            damage=result.damage + again.damage,
        )
    report = _project_report(result)
    await asyncio.to_thread(once_more, run.engine, partial(_add_project, run, report, result))
    return report


def _project_report(result: Consolidated) -> ProjectReport:
    return ProjectReport(
        result.project_id,
        result.outcome,
        result.reason,
        result.version,
        result.root,
        dict(sorted(result.operations.items())),
        dict(sorted(result.refused.items())),
        dict(sorted(result.held.items())),
        list(result.damage),
    )


def _add_project(run: RunContext, report: ProjectReport, result: Consolidated) -> None:
    with writing(run.engine) as session:
        record = session.get(Run, run.run_id, with_for_update=True)
        if record is None:
            return
        project = session.get(Project, report.project_id)
        row = asdict(report) | {"name": project.name if project is not None else report.project_id}
        row |= {"edits": len(result.changes)}
        record.projects = [*record.projects, row]
        record.counts = _sum(record.counts, _usage_counts(result.usage))
        if result.stopped is not None:
            record.message = record.message or str(result.stopped)
            record.counts = _sum(record.counts, _denied(result.stopped))
        session.add(record)


def finish_run(
    app: App, run_id: str, *, status: RunStatus | None = None, allowed: Mapping[str, int] | None = None
) -> RunReport:
    """Promote what two projects agree on, close the run's record and return its report.

    `allowed` counts by type what the scanner let pass because a person allowed it.
    """
    if status is None:
        promote_to_user(app)
    trouble = _backed_up(app)
    with writing(app.engine) as session:
        run = session.get_one(Run, run_id)
        run.message = run.message or trouble
        final = status or _status(run)
        run.redactions = _sum(run.redactions, {f"allowed {kind}": count for kind, count in (allowed or {}).items()})
        close_run(
            session,
            run_id,
            final,
            counts=run.counts,
            reasons=run.reasons,
            redactions=run.redactions,
            message=run.message,
        )
        seconds = database_now(session) - run.started_at
        return RunReport(
            run_id=run.id,
            kind=run.kind,
            status=final,
            extractor=run.extractor,
            sessions=dict(run.reasons),
            projects=list(run.projects),
            redactions=dict(run.redactions),
            counts=dict(run.counts),
            seconds=seconds,
            message=run.message,
        )


def _backed_up(app: App) -> str:
    """Back the database up when it is due; return what kept it from being done."""
    try:
        back_up_if_due(app.engine, app.settings.database.backup_days)
    except StoreError as error:
        return str(error)
    return ""


_FINE = {Reason.EXTRACTED, Reason.NOTHING_TO_KEEP, Reason.BUDGET, Reason.SUBMITTED, "not_claimed", "lease_lost"}


def _status(run: Run) -> RunStatus:
    failed = sum(count for reason, count in run.reasons.items() if reason not in _FINE)
    bad_projects = [row for row in run.projects if row["outcome"] == "failed"]
    if not failed and not bad_projects:
        return RunStatus.COMPLETED
    good = any(reason in _FINE for reason in run.reasons) or any(
        row["outcome"] in ("published", "unchanged") for row in run.projects
    )
    return RunStatus.PARTIAL if good else RunStatus.FAILED
