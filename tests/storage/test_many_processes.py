"""Real processes on one database: nothing is done twice, nothing is lost, whoever dies or is stopped."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable

import psutil
import pytest
from sqlalchemy import Engine, select
from sqlalchemy.engine import make_url

from slowwave.storage.engine import reading, writing
from slowwave.storage.published.versions import VERSION_ROWS
from slowwave.storage.queue.generations import PROJECTS
from slowwave.storage.queue.rows import JOBS
from slowwave.storage.registry import OUTPUTS, SeenThread, upsert_thread
from slowwave.storage.types import JobKind, JobState, SessionKind
from tests.support.queue import add_projects, enqueue
from tests.support.queue_worker import result, start


def fill(engine: Engine, projects: int, sessions: int) -> None:
    add_projects(engine, *(f"p{number}" for number in range(projects)))
    for number in range(sessions):
        project = f"p{number % projects}"
        thread = SeenThread(
            id=f"x:{number:03}",
            agent="x",
            session_id=f"{number:03}",
            host="h",
            path="",
            log_key=str(number),
            kind=SessionKind.INTERACTIVE,
            content_hash="h1",
            project_id=project,
        )
        with writing(engine) as session:
            upsert_thread(session, thread)
        enqueue(engine, thread.id, project_id=project)


def assert_all_done(engine: Engine, projects: int, sessions: int) -> None:
    with reading(engine) as session:
        connection = session.connection()
        states = connection.execute(select(JOBS.c.kind, JOBS.c.key, JOBS.c.state)).all()
        outputs = connection.execute(select(OUTPUTS.c.thread_id)).scalars().all()
        rows = connection.execute(select(PROJECTS)).mappings().all()
        versions = connection.execute(select(VERSION_ROWS.c.project_id, VERSION_ROWS.c.number)).all()
    assert {state for _, _, state in states} == {JobState.DONE}
    assert len([1 for kind, _, _ in states if kind == JobKind.EXTRACT]) == len(outputs) == sessions
    assert len(rows) == projects
    assert all(row["input_generation"] == row["consolidated_generation"] > 0 for row in rows)
    assert len(versions) == len(set(versions))
    assert {tuple(version) for version in versions} >= {(row["id"], row["input_generation"]) for row in rows}


def wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(1200):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen")


def address(engine: Engine) -> str:
    return make_url(engine.url).render_as_string(hide_password=False)


def test_workers_together_do_each_session_and_each_generation_once(engine: Engine) -> None:
    fill(engine, projects=3, sessions=36)
    workers = [start(address(engine), cap=5) for _ in range(4)]
    tallies = [result(worker) for worker in workers]
    done = [session for tally in tallies for session in tally.sessions]
    consolidated = [project for tally in tallies for project in tally.projects]
    assert sorted(done) == [f"x:{number:03}" for number in range(36)]
    assert len(consolidated) == len(set(consolidated))
    assert_all_done(engine, 3, 36)


@pytest.mark.parametrize(
    "step",
    [
        pytest.param("worker.claimed", marks=pytest.mark.full),
        pytest.param("worker.extracted:2", marks=pytest.mark.full),
        "worker.stored:3",
        pytest.param("worker.finished", marks=pytest.mark.full),
        pytest.param("worker.project_claimed", marks=pytest.mark.full),
        "worker.project_stored",
    ],
)
def test_a_killed_workers_work_is_taken_over_at_once(engine: Engine, step: str) -> None:
    fill(engine, projects=2, sessions=6)
    killed = start(address(engine), lease=3_000, SLOWWAVE_KILL_AT=step)
    killed.communicate(timeout=60)
    assert killed.returncode == -signal.SIGKILL
    began = time.monotonic()
    result(start(address(engine), lease=3_000))
    assert time.monotonic() - began < 60
    assert_all_done(engine, 2, 6)


@pytest.mark.parametrize(
    "step",
    [
        pytest.param("worker.claimed", marks=pytest.mark.full),
        "worker.extracted",
        pytest.param("worker.project_claimed", marks=pytest.mark.full),
    ],
)
def test_a_worker_stopped_past_its_lease_changes_nothing_when_it_wakes_up(engine: Engine, step: str) -> None:
    fill(engine, projects=1, sessions=3)
    stale = start(address(engine), lease=1.0, SLOWWAVE_STOP_AT=step)
    try:
        wait_for(lambda: psutil.Process(stale.pid).status() == psutil.STATUS_STOPPED)
        time.sleep(1.1)
        result(start(address(engine), lease=30.0))
        assert_all_done(engine, 1, 3)
        before = everything(engine)
        stale.send_signal(signal.SIGCONT)
        _, err = stale.communicate(timeout=60)
    finally:
        stale.kill()
    assert "LeaseLost" in err
    assert everything(engine) == before


def everything(engine: Engine) -> list[object]:
    with reading(engine) as session:
        tables = (JOBS, PROJECTS, OUTPUTS, VERSION_ROWS)
        return [session.connection().execute(table.select()).mappings().all() for table in tables]


@pytest.mark.full
def test_a_worker_that_is_stopped_for_less_than_its_lease_goes_on(engine: Engine) -> None:
    fill(engine, projects=1, sessions=2)
    stopped: subprocess.Popen[str] = start(address(engine), lease=30.0, SLOWWAVE_STOP_AT="worker.claimed")
    wait_for(lambda: psutil.Process(stopped.pid).status() == psutil.STATUS_STOPPED)
    stopped.send_signal(signal.SIGCONT)
    assert len(result(stopped).sessions) == 2
    assert_all_done(engine, 1, 2)
