"""The database's own id, made by whoever comes first."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import Engine

from slowwave.storage.engine import writing
from slowwave.storage.published.versions import store_id

PROJECTS = 6


def test_projects_that_come_first_at_the_same_time_get_one_id(engine: Engine) -> None:
    together = threading.Barrier(PROJECTS)

    def first() -> str:
        together.wait()
        with writing(engine) as session:
            return store_id(session)

    with ThreadPoolExecutor(PROJECTS) as pool:
        found = [work.result(60) for work in [pool.submit(first) for _ in range(PROJECTS)]]
    assert len(set(found)) == 1
