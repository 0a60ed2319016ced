"""Short forms for tests that drive the queue."""

from __future__ import annotations

from sqlalchemy import Engine, select
from sqlalchemy.engine import RowMapping

from slowwave.storage.engine import reading, writing
from slowwave.storage.queue.backlog import Request, enqueue_extract
from slowwave.storage.queue.leases import RetryPolicy
from slowwave.storage.queue.rows import JOBS
from slowwave.storage.registry import ensure_project
from slowwave.storage.types import JobKind, Reason

POLICY = RetryPolicy(max_attempts=3, max_crashes=4, base_seconds=100.0, max_seconds=1000.0)


def add_projects(engine: Engine, *ids: str) -> None:
    """Create projects whose id, key and slug are alike."""
    with writing(engine) as session:
        for project_id in ids:
            ensure_project(session, key=f"path:{project_id}", id=project_id, slug=project_id, name=project_id)


def enqueue(
    engine: Engine,
    thread_id: str,
    source_hash: str = "h1",
    *,
    project_id: str = "a",
    extractor: str = "offline",
    version: int = 1,
    host: str | None = None,
    priority: float = 0.0,
    now: float | None = None,
) -> Reason:
    """Ask for one session's extraction."""
    request = Request(thread_id, source_hash, extractor, version, project_id, host, priority)
    with writing(engine) as session:
        return enqueue_extract(session, request, now=now)


def job(engine: Engine, kind: JobKind, key: str) -> RowMapping:
    """Return a job's row."""
    with reading(engine) as session:
        query = select(JOBS).where(JOBS.c.kind == kind, JOBS.c.key == key)
        return session.connection().execute(query).mappings().one()
