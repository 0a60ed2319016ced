"""A run opens its database once for each event loop, however many batches and projects it has."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text

from slowwave.app import open_app
from slowwave.memories import pipeline
from slowwave.memories.context import open_run
from slowwave.memories.reports import RunOptions
from slowwave.storage.engine import connect
from tests.support.postgres import running_postgres
from tests.support.site import Site, teaching

PROJECTS = 10
MOST = 8
"""Pool, heartbeat and a thread or two more; one for each batch and project would be twice as many."""


@pytest.mark.postgres
def test_batches_and_projects_share_their_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = Site(tmp_path)
    for number in range(PROJECTS):
        site.session(f"project{number}", "one", teaching(f"Always name module {number} after a planet."))
    with running_postgres() as postgres:
        url = postgres.database()
        site.env = {
            "SLOWWAVE_DATABASE__URL": url,
            "SLOWWAVE_DATABASE__SHARE": "all",
            "SLOWWAVE_MEMORIES__BATCH_SIZE": "1",
        }
        for name, value in site.environment().items():
            monkeypatch.setenv(name, value)
        app = open_app()
        plan = pipeline.plan_run(app, RunOptions())
        assert len(plan.batches) == PROJECTS
        engine = connect(url)

        def connections() -> int:
            query = (
                "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
            )
            with engine.connect() as connection:
                return int(connection.execute(text(query)).scalar_one())

        async def work() -> list[int]:
            seen = []
            async with open_run(app, plan.run_id) as run:
                for batch in plan.batches:
                    await pipeline.extract_batch(run, batch)
                    seen.append(connections())
                for project in pipeline.dirty_projects(run):
                    await pipeline.consolidate_project(run, project)
                    seen.append(connections())
            return seen

        seen = asyncio.run(work())
        report = pipeline.finish_run(app, plan.run_id)
        left = connections()
        app.engine.dispose()
        engine.dispose()
    assert report.sessions == {"extracted": PROJECTS}
    assert max(seen) <= MOST, seen
    assert left <= 2
