"""How the batches of stage one are spread: one event loop (the default) or the processes of a Dask cluster."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from slowwave.app import STORE_VARIABLE
from slowwave.errors import ConfigError
from slowwave.flows.tasks import StageFailed, extract, extract_elsewhere, sanitized
from slowwave.memories.context import RunContext
from slowwave.memories.extraction.claimed import live_sessions
from slowwave.memories.pipeline import BatchReport, Plan
from slowwave.paths import HOME_VARIABLE
from slowwave.settings import MemoriesSettings

Result = BatchReport | StageFailed | None


async def extracted(run: RunContext, plan: Plan) -> AsyncGenerator[Result, None]:
    """Run all batches and yield, as it comes, what became of each: a report, a failure, or None when it was not
    started because a budget or a refused key had ended an earlier one.
    """
    batches = _on_dask(run, plan) if run.memories.task_runner == "dask" else _in_process(run, plan)
    async with aclosing(batches):
        async for result in batches:
            yield result


async def _in_process(run: RunContext, plan: Plan) -> AsyncGenerator[Result, None]:
    """All batches share one limit on live sessions, so the end of one batch leaves no slot idle.

    As many batches are open as fill that limit, and one more: tasks that only wait cost Prefect all the same.
    """
    live = live_sessions(run.memories, plan.extractor)
    limit = asyncio.Semaphore(live)
    window = asyncio.Semaphore(1 + math.ceil(live / max([1, *map(len, plan.batches)])))
    stopped = asyncio.Event()

    async def one(number: int, thread_ids: list[str]) -> Result:
        async with window:
            if stopped.is_set():
                return None
            try:
                report = await extract(run, thread_ids, number, len(plan.batches), limit)
            except StageFailed as failure:
                return failure
            if report.stopped:
                stopped.set()
            return report

    tasks = [asyncio.create_task(one(number, list(ids))) for number, ids in enumerate(plan.batches, 1)]
    try:
        for finished in asyncio.as_completed(tasks):
            yield await finished
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _on_dask(run: RunContext, plan: Plan) -> AsyncGenerator[Result, None]:
    """One Dask task a batch: each costs Prefect about 0.15 s, so single sessions would be dearer than their work.

    An engine that runs a task twice, or loses a worker, changes nothing: sessions are claimed in the database.
    """
    try:
        from prefect_dask.task_runners import DaskTaskRunner
    except ImportError as error:
        raise ConfigError(
            "memories.taskRunner is dask, but the extra is not installed", hint="Install slowwave[dask]."
        ) from error
    of = len(plan.batches)
    installation = {HOME_VARIABLE: str(run.app.home), STORE_VARIABLE: run.app.store}
    with DaskTaskRunner(**_cluster(run.memories, of)) as runner:
        futures = [
            runner.submit(
                extract_elsewhere,
                {
                    "installation": installation,
                    "run_id": plan.run_id,
                    "thread_ids": list(ids),
                    "number": number,
                    "of": of,
                },
            )
            for number, ids in enumerate(plan.batches, 1)
        ]
        for finished in asyncio.as_completed([asyncio.to_thread(_result, future) for future in futures]):
            yield await finished


def _cluster(settings: MemoriesSettings, batches: int) -> dict[str, Any]:
    if settings.dask_address:
        return {"address": settings.dask_address}
    workers = max(1, min(os.cpu_count() or 1, batches))
    return {"cluster_kwargs": {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}}


def _result(future: Any) -> Result:
    try:
        report: BatchReport = future.result()
    except StageFailed as failure:
        return failure
    except Exception as error:  # noqa: BLE001 - a lost worker or cluster; logged by sanitized()
        return sanitized(error, "a batch on Dask")
    return report
