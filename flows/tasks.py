"""The units of work as Prefect tasks.

The queue in the database decides about retries, so no task has any: Prefect's would run claimed work again. Results and
errors hold counts, ids and reason codes; a session's text reaches neither Prefect's database nor its logs.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Sequence

from prefect import task
from prefect.cache_policies import NO_CACHE

from slowwave.app import open_app
from slowwave.errors import SlowwaveError
from slowwave.memories import pipeline
from slowwave.memories.context import RunContext, open_run
from slowwave.memories.pipeline import BatchReport, ProjectReport

log = logging.getLogger("slowwave.flows")


class StageFailed(Exception):
    """A unit of work failed as a whole. Holds what may be shown anywhere: the error's type, reason and exit code."""

    def __init__(self, kind: str, reason: str, exit_code: int = 1) -> None:
        super().__init__(kind, reason, exit_code)
        self.kind = kind
        self.reason = reason
        self.exit_code = exit_code

    def __str__(self) -> str:
        return f"{self.kind} ({self.reason})"


def sanitized(error: Exception, what: str) -> StageFailed:
    """Log an error where only this host sees it and return what Prefect may see of it."""
    log.error("%s failed: %s", what, error, exc_info=not isinstance(error, SlowwaveError))
    if isinstance(error, SlowwaveError):
        return StageFailed(type(error).__name__, error.reason, error.exit_code)
    return StageFailed(type(error).__name__, "unexpected")


@task(name="extract", task_run_name="extract-{number}-of-{of}", cache_policy=NO_CACHE, persist_result=False, retries=0)
async def extract(
    run: RunContext, thread_ids: Sequence[str], number: int, of: int, limit: asyncio.Semaphore
) -> BatchReport:
    """Stage one for one batch of sessions, each under a claim of its own."""
    try:
        return await pipeline.extract_batch(run, thread_ids, limit=limit)
    except Exception as error:  # noqa: BLE001 - logged by sanitized(); its text may quote a session
        failure = sanitized(error, f"run {run.run_id}: batch {number} of {of}")
    raise failure


@task(name="extract", task_run_name="extract-{number}-of-{of}", cache_policy=NO_CACHE, persist_result=False, retries=0)
async def extract_elsewhere(
    installation: dict[str, str], run_id: str, thread_ids: Sequence[str], number: int, of: int
) -> BatchReport:
    """`extract` in a process of a cluster. `installation` holds the variables that name the home and the store there.

    What it opens ends with the batch: nobody tells a cluster's process when the run ends.
    """
    try:
        async with open_run(open_app({**os.environ, **installation}), run_id) as run:
            return await pipeline.extract_batch(run, thread_ids)
    except Exception as error:  # noqa: BLE001 - logged by sanitized(); its text may quote a session
        failure = sanitized(error, f"run {run_id}: batch {number} of {of}")
    raise failure


@task(name="consolidate", task_run_name="consolidate-{label}", cache_policy=NO_CACHE, persist_result=False, retries=0)
async def consolidate(run: RunContext, project_id: str, label: str) -> ProjectReport:
    """Stage two for one project, under its lease."""
    try:
        return await pipeline.consolidate_project(run, project_id)
    except Exception as error:  # noqa: BLE001 - logged by sanitized(); its text may quote a session
        failure = sanitized(error, f"run {run.run_id}: project {label}")
    raise failure
