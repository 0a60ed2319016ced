"""Consolidate again, now: one project or all, from stored extractions or from the logs."""

from __future__ import annotations

from prefect import flow

from slowwave.flows.running import carry_out
from slowwave.memories.pipeline import RunOptions, RunReport


@flow(name="rebuild", flow_run_name="rebuild-{run}", persist_result=False, retries=0)
async def rebuild(
    run: str = "by-hand",
    plan_file: str | None = None,
    project: str = "all",
    since: str | None = None,
    dry_run: bool = False,
    reextract: bool = False,
    host: str | None = None,
) -> RunReport:
    """Build memory again.

    `project` is an id, a name, a folder or `all`. `reextract` reads the logs again instead of using the stored
    extractions, `since` (a date such as 2026-11-01) only those of newer sessions. `dry_run` plans and reports, without
    a model call or a write. `host` names the machine whose sessions are meant: on another one it fails.
    """
    options = RunOptions(
        kind="rebuild",
        project=None if project == "all" else project,
        since=since,
        dry_run=dry_run,
        reextract=reextract,
        force=not dry_run,
    )
    return await carry_out(plan_file, options, host=host)
