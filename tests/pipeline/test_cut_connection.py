"""A connection to PostgreSQL that is cut once in a night is opened again within the run."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event, text

from slowwave.app import open_app
from slowwave.memories import pipeline
from slowwave.memories.context import open_run
from slowwave.memories.pipeline import RunOptions
from slowwave.storage.engine import connect
from tests.support.postgres import Postgres
from tests.support.workshop import Workshop

pytestmark = [pytest.mark.postgres, pytest.mark.xdist_group("team")]


class Cut:
    """Ends the server's side of a connection in the middle of a transaction, once, at the n-th statement of a kind."""

    def __init__(self, engine: Engine, url: str, wanted: str, nth: int = 1) -> None:
        self._other = connect(url)
        self._wanted, self._left = wanted, nth
        self.done = False
        event.listen(engine, "before_cursor_execute", self._before)

    def _before(self, connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if self.done or self._wanted not in statement:
            return
        self._left -= 1
        if self._left == 0:
            self.done = True
            pid = connection.connection.dbapi_connection.info.backend_pid
            with self._other.begin() as other:
                other.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": pid})
            self._other.dispose()


def engine_counts(url: str) -> tuple[int, int]:
    engine = connect(url)
    with engine.connect() as connection:
        outputs = connection.execute(text("SELECT count(*) FROM stage_one_outputs")).scalar_one()
        attempts = connection.execute(text("SELECT coalesce(max(attempts + crashes), 0) FROM jobs")).scalar_one()
    engine.dispose()
    return int(outputs), int(attempts)


@pytest.mark.parametrize(
    ("wanted", "nth"),
    [("UPDATE jobs", 1), ("INSERT INTO stage_one_outputs", 1), ("INSERT INTO entries", 1), ("INSERT INTO versions", 1),
     ("UPDATE runs", 1)],
)  # fmt: skip
def test_a_connection_that_is_cut_once_costs_nothing(tmp_path: Path, postgres: Postgres, wanted: str, nth: int) -> None:
    url = postgres.database()
    shop = Workshop(tmp_path, {"SLOWWAVE_DATABASE__URL": url, "SLOWWAVE_DATABASE__SHARE": "all"})
    for number in range(3):
        shop.session(shop.repository(f"repo{number}"), f"Always keep drawer number {number} tidy.")
    app = open_app(shop.site.environment())
    plan = pipeline.plan_run(app, RunOptions())

    async def night() -> bool:
        async with open_run(app, plan.run_id) as run:
            cut = Cut(run.engine, url, wanted, nth)
            for batch in plan.batches:
                await pipeline.extract_batch(run, batch)
            for project in pipeline.dirty_projects(run):
                await pipeline.consolidate_project(run, project)
        return cut.done

    assert asyncio.run(night()), "the connection was cut"
    report = pipeline.finish_run(app, plan.run_id)
    assert report.status == "completed", report
    assert sum(report.sessions.values()) == 3 and set(report.sessions) <= {"extracted", "not_claimed"}
    assert engine_counts(url) == (3, 0), "three extractions, and no attempt was counted"
    assert [row["outcome"] for row in report.projects] == ["published"] * 3
