"""The nightly run: extract the sessions of a plan, consolidate each dirty project, report."""

from __future__ import annotations

from prefect import flow

from slowwave.flows.running import carry_out
from slowwave.memories.pipeline import RunOptions, RunReport


@flow(name="nightly", flow_run_name="nightly-{run}", persist_result=False, retries=0)
async def nightly(
    run: str = "scheduled", plan_file: str | None = None, project: str | None = None, host: str | None = None
) -> RunReport:
    """Extract and consolidate.

    `plan_file` is what `slowwave run` made before it started the flow. A deployment leaves it out: the flow then plans
    by itself, for one project or for all. `host` names the machine whose night this is: on another one it fails.
    """
    return await carry_out(plan_file, RunOptions(project=project), host=host)
