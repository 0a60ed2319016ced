"""One whole run of the pipeline in a process of its own, without Prefect: `python -m tests.support.drive`.

Killed processes, concurrent runs and machines with their own environment are tested through this.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from slowwave.app import open_app
from slowwave.memories import pipeline
from slowwave.memories.context import open_run
from slowwave.memories.pipeline import RunOptions


def run(options: RunOptions) -> dict[str, object]:
    """Plan, extract, consolidate, finish; return the report (empty when there was nothing to do)."""
    app = open_app()
    plan = pipeline.plan_run(app, options)
    if plan.empty:
        return {"status": "nothing_to_do"}

    async def work() -> None:
        async with open_run(app, plan.run_id) as context:
            for batch in plan.batches:
                await pipeline.extract_batch(context, batch)
            for project in pipeline.dirty_projects(context):
                await pipeline.consolidate_project(context, project)

    asyncio.run(work())
    return asdict(pipeline.finish_run(app, plan.run_id))


def main(options: Mapping[str, Any]) -> int:
    """Run and print the report; return the exit code."""
    print(json.dumps(run(RunOptions(**options)), default=str), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1] if len(sys.argv) > 1 else "{}")))
