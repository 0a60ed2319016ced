"""What all flows do with a plan: stage one in batches, stage two for each dirty project, a report."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

from prefect import get_client, get_run_logger, tags
from prefect.context import FlowRunContext

from slowwave.agents.compile import compile_hooks
from slowwave.app import App, open_app
from slowwave.errors import ConfigError, SlowwaveError
from slowwave.flows import artifacts
from slowwave.flows.batches import extracted
from slowwave.flows.plans import take_plan
from slowwave.flows.tasks import StageFailed, consolidate, sanitized
from slowwave.memories import pipeline
from slowwave.memories.context import RunContext, open_run
from slowwave.memories.pipeline import Plan, ProjectReport, RunOptions, RunReport
from slowwave.orchestration.signals import cancelled_by_signals
from slowwave.storage.call_log import spent
from slowwave.storage.engine import reading
from slowwave.storage.queue.backlog import settled_extracts
from slowwave.storage.queue.owner import this_host
from slowwave.storage.types import RunStatus

PROGRESS_SECONDS = 5.0
_BADNESS = (RunStatus.COMPLETED, RunStatus.PARTIAL, RunStatus.CANCELLED, RunStatus.FAILED)


class RunFailed(Exception):
    """The run ended without doing what it was started for; `report` says how far it came."""

    def __init__(self, report: RunReport) -> None:
        super().__init__(f"run {report.run_id} {report.status}")
        self.report = report


async def carry_out(plan_file: str | None, options: RunOptions, *, host: str | None = None) -> RunReport:
    """Carry out a plan, or make one first, and return the run's report.

    A plan belongs to the store that the environment names. Without a plan every store of the installation has its turn,
    unless the environment names one; the report is then that of the store that fared worst.

    SIGTERM, SIGHUP and cancellation release every claim, close the run's record as cancelled and are raised again.

    Raises:
        RunFailed: the run failed as a whole.
        SlowwaveError: it could not be planned.
        StageFailed: an unexpected error; only this host's log has its text.
    """
    with cancelled_by_signals():
        try:
            refuse_other_host(host)
            if plan_file is not None:
                report = await _carry_out(open_app(), take_plan(plan_file))
            else:
                report = await _each_store(open_app(), options)
        except SlowwaveError:
            raise
        except Exception as error:  # noqa: BLE001 - logged by sanitized(); its text may quote a session
            failure = sanitized(error, f"the {options.kind} run")
            raise failure from None
    if report.status == RunStatus.FAILED:
        raise RunFailed(report)
    return report


def refuse_other_host(host: str | None) -> None:
    """A host's logs lie on that host: a worker elsewhere would find none and call the night done.

    Raises:
        ConfigError: this is another machine than the one that was named.
    """
    if host is not None and host not in (this_host(), socket.gethostname(), socket.gethostname().partition(".")[0]):
        raise ConfigError(
            f"this run is for host {host}, and this is {this_host()}",
            hint=f"Start the worker there, with --work-queue {host}.",
        )


async def _each_store(app: App, options: RunOptions) -> RunReport:
    if options.kind == "nightly" and not app.settings.memories.enabled:
        get_run_logger().info("memories.enabled is false on this host: nothing is done")
        return RunReport("", options.kind, RunStatus.COMPLETED, "", message="disabled")
    stores = (app,) if app.store_is_given else app.stores()
    reports: list[RunReport] = []
    unknown: ConfigError | None = None
    for one in stores:
        try:
            reports.append(await _plan_and_carry_out(one, options))
        except ConfigError as error:
            if options.project is None:
                raise
            unknown = error
    if not reports and unknown is not None:
        raise unknown
    engines = [one.engine for one in app.stores()]
    await asyncio.to_thread(compile_hooks, app.home, engines[0], app.settings, more=engines[1:])
    return max(reports, key=lambda report: _BADNESS.index(report.status))


async def _plan_and_carry_out(app: App, options: RunOptions) -> RunReport:
    plan = await asyncio.to_thread(pipeline.plan_run, app, options)
    if not plan.empty and not options.dry_run:
        return await _carry_out(app, plan)
    message = "dry run" if options.dry_run else "nothing to do"
    get_run_logger().info("run=%s store=%s %s reasons=%s", plan.run_id, app.store, message, dict(plan.reasons))
    await artifacts.publish_plan(plan)
    return RunReport(plan.run_id, plan.kind, RunStatus.COMPLETED, plan.extractor, message=message)


async def _carry_out(app: App, plan: Plan) -> RunReport:
    logger = get_run_logger()
    sizes = (plan.run_id, app.store, plan.extractor, plan.sessions, len(plan.batches))
    logger.info("run=%s store=%s extractor=%s sessions=%d batches=%d", *sizes)
    try:
        await _name_run(plan)
        with tags("slowwave", plan.kind, f"run-{plan.run_id}"):
            async with open_run(app, plan.run_id) as run:
                failures = await _extract_all(run, plan)
                failures += await _consolidate_all(run, plan)
    except asyncio.CancelledError:
        pipeline.finish_run(app, plan.run_id, status=RunStatus.CANCELLED)
        raise
    except BaseException:
        pipeline.finish_run(app, plan.run_id, status=RunStatus.FAILED)
        raise
    report = await asyncio.to_thread(
        pipeline.finish_run, app, plan.run_id, status=_overruled(failures), allowed=run.scrubber.allowed
    )
    with reading(app.engine) as session:
        cost = spent(session, run_id=plan.run_id)
    logger.info("run=%s status=%s sessions=%s calls=%d", plan.run_id, report.status, report.sessions, cost.calls)
    await artifacts.publish(report, cost, failures)
    return report


async def _name_run(plan: Plan) -> None:
    """Give Prefect's run the name and tags that lead to this plan; a deployment does not know them beforehand. Where
    several stores have their turn in one run, it is named after the last one and has the tags of all."""
    flow_run = FlowRunContext.get()
    if flow_run is None or flow_run.flow_run is None:
        return
    async with get_client() as client:
        known = await client.read_flow_run(flow_run.flow_run.id)
        wanted = sorted({*known.tags, "slowwave", plan.kind, f"run-{plan.run_id}"})
        await client.update_flow_run(known.id, name=f"{plan.kind}-{plan.run_id}", tags=wanted)


def _overruled(failures: list[StageFailed]) -> RunStatus | None:
    """A unit that failed as a whole left no trace in the run's record, which would look better than it was."""
    return RunStatus.FAILED if failures else None


async def _extract_all(run: RunContext, plan: Plan) -> list[StageFailed]:
    """Stage one. Returns what failed as a whole; a failed session is the queue's business and not in here."""
    if not plan.batches:
        return []
    async with (
        _progress_shown(run.app, plan),
        aclosing(extracted(run, plan)) as results,
    ):
        return [result async for result in results if isinstance(result, StageFailed)]


@asynccontextmanager
async def _progress_shown(app: App, plan: Plan) -> AsyncIterator[None]:
    """Keep the progress artifact current while stage one runs, whichever processes work at it."""
    progress = await artifacts.Progress.start(plan.sessions)

    def settled() -> int:
        with reading(app.engine) as session:
            return settled_extracts(session, plan.run_id)

    async def watch() -> None:
        while True:
            await asyncio.sleep(PROGRESS_SECONDS)
            await progress.show(await asyncio.to_thread(settled))

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()
        (ended,) = await asyncio.gather(watching, return_exceptions=True)
        if not isinstance(ended, asyncio.CancelledError):
            get_run_logger().warning("progress was not shown to the end: %s", ended)
    await progress.show(await asyncio.to_thread(settled), ended=True)


async def _consolidate_all(run: RunContext, plan: Plan) -> list[StageFailed]:
    """Stage two for each project that is dirty now, several at a time."""
    limit = asyncio.Semaphore(run.memories.stage2_concurrency)

    async def one(project_id: str) -> ProjectReport | StageFailed:
        async with limit:
            try:
                return await consolidate(run, project_id, project_id[:8])
            except StageFailed as failure:
                return failure

    dirty = await asyncio.to_thread(pipeline.dirty_projects, run)
    chosen = [project for project in dirty if plan.only_project in (None, project)]
    results = await asyncio.gather(*(one(project) for project in chosen))
    return [result for result in results if isinstance(result, StageFailed)]
