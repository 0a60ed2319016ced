"""A run over all sessions that were never extracted, whatever their age."""

from __future__ import annotations

from prefect import flow

from slowwave.flows.running import carry_out
from slowwave.memories.pipeline import RunOptions, RunReport


@flow(name="backfill", flow_run_name="backfill-{run}", persist_result=False, retries=0)
async def backfill(
    run: str = "by-hand", plan_file: str | None = None, project: str | None = None, host: str | None = None
) -> RunReport:
    """Like nightly, without the limits on age and number; budgets hold. `host` is as in nightly."""
    return await carry_out(plan_file, RunOptions(kind="backfill", project=project, backfill=True), host=host)
