"""A worker in a process of its own, as many as a test wants, on one database.

``python -m tests.support.queue_worker URL LEASE CAP MODEL`` says that it is ready, waits for a line on its standard
input (or its end), works until nothing is left and prints one JSON line. Each
session it finishes goes into `stage_one_outputs` in the same transaction that ends the job, and dirties the project;
each consolidation writes a row of `versions`, whose number is unique, so work that is done twice shows.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine, func, select
from sqlmodel import Session

from slowwave.storage.engine import database_now, open_database, reading, writing
from slowwave.storage.failpoints import reach
from slowwave.storage.queue.generations import bump_generation, claim_project, dirty_projects, finish_project_in
from slowwave.storage.queue.heartbeat import Heartbeat
from slowwave.storage.queue.jobs import claim_extracts, finish_in, reclaim_dead
from slowwave.storage.queue.leases import Claim, RetryPolicy
from slowwave.storage.queue.owner import Owner, current_owner
from slowwave.storage.queue.rows import JOBS
from slowwave.storage.tables import StageOneOutput, Version
from slowwave.storage.types import JobKind, JobState

REPOSITORY = Path(__file__).parents[2]
POLICY = RetryPolicy(max_crashes=50)
IDLE_SECONDS = 0.25


@dataclass
class Tally:
    """What one worker did. `database_seconds` is wall time inside transactions, waiting included."""

    sessions: list[str] = field(default_factory=list)
    projects: list[tuple[str, int]] = field(default_factory=list)
    claims: int = 0
    database_seconds: float = 0.0
    database_processor_seconds: float = 0.0
    seconds: float = 0.0


class Worker:
    """Claims, works (a pause that stands for the model) and finishes until the queue is empty."""

    def __init__(self, url: str, *, lease: float, cap: int, model_seconds: float = 0.0) -> None:
        self.engine: Engine = open_database(url)
        self.url, self.lease, self.cap, self.model_seconds = url, lease, cap, model_seconds
        self.owner: Owner = current_owner()
        self.tally = Tally()

    def run(self) -> Tally:
        """Work until every job is done."""
        started = time.monotonic()
        with self.transaction() as session:
            reclaim_dead(session, POLICY)
        with Heartbeat(self.engine.url, lease=self.lease) as heart:
            while self.extract(heart) or self.consolidate(heart) or self.busy():
                pass
        self.tally.seconds = time.monotonic() - started
        self.engine.dispose()
        return self.tally

    def busy(self) -> bool:
        """Tell whether any job waits or runs elsewhere, after a pause."""
        time.sleep(IDLE_SECONDS)
        with self.transaction(reading) as session:
            left = session.connection().execute(
                select(func.count()).where(JOBS.c.state.not_in((JobState.DONE, JobState.DEAD)))
            )
            return bool(left.scalar_one())

    def extract(self, heart: Heartbeat) -> bool:
        """Claim and finish a few sessions; tell whether there were any."""
        with self.transaction() as session:
            claims = claim_extracts(session, self.owner, limit=2, max_running=self.cap, lease=self.lease, policy=POLICY)
        for claim in claims:
            heart.add(claim)
            self.tally.claims += 1
        reach("worker.claimed")
        for claim in claims:
            time.sleep(self.model_seconds)
            reach("worker.extracted")
            heart.remove(claim)
            with self.transaction() as session:
                self.store(session, claim)
                reach("worker.stored")
            reach("worker.finished")
            self.tally.sessions.append(claim.key)
        return bool(claims)

    def store(self, session: Session, claim: Claim) -> None:
        """End the job and write its output, in the caller's transaction: a lost claim is found out before the write."""
        now = database_now(session)
        finish_in(
            session, claim, source_hash=claim.source_hash or "", extractor="offline", extractor_version=1, now=now
        )
        session.add(
            StageOneOutput(
                thread_id=claim.key,
                project_id=claim.project_id or "",
                source_hash=claim.source_hash or "",
                extractor="offline",
                extractor_version=1,
                outcome="success",
                slug="s",
                rollout_summary="",
                raw_memory="",
            )
        )
        bump_generation(session, claim.project_id or "", now=now)

    def consolidate(self, heart: Heartbeat) -> bool:
        """Claim and finish one dirty project whose sessions are all done; tell whether there was one."""
        with self.transaction(reading) as session:
            if session.connection().execute(select(func.count()).where(*_WAITING_EXTRACTS)).scalar_one():
                return False
            dirty = [project.id for project in dirty_projects(session) if project.state == JobState.PENDING]
        for project in dirty:
            with self.transaction() as session:
                claim = claim_project(session, project, self.owner, lease=self.lease, policy=POLICY)
            if claim is None:
                continue
            heart.add(claim)
            self.tally.claims += 1
            reach("worker.project_claimed")
            time.sleep(self.model_seconds)
            heart.remove(claim)
            with self.transaction() as session:
                finish_project_in(session, claim, version=claim.generation)
                session.add(Version(project_id=claim.key, number=claim.generation, digest="", fence=claim.fence))
                reach("worker.project_stored")
            self.tally.projects.append((claim.key, claim.generation))
            return True
        return False

    @contextmanager
    def transaction(self, kind: Callable[[Engine], AbstractContextManager[Session]] = writing) -> Iterator[Session]:
        """A transaction whose wall and processor time are added to the tally."""
        wall, processor = time.monotonic(), time.process_time()
        try:
            with kind(self.engine) as session:
                yield session
        finally:
            self.tally.database_seconds += time.monotonic() - wall
            self.tally.database_processor_seconds += time.process_time() - processor


_WAITING_EXTRACTS = (JOBS.c.kind == JobKind.EXTRACT, JOBS.c.state.not_in((JobState.DONE, JobState.DEAD)))


def start(
    url: str, *, lease: float = 30.0, cap: int = 16, model: float = 0.0, held: bool = False, **env: str
) -> subprocess.Popen[str]:
    """Start a worker; ``SLOWWAVE_KILL_AT`` and ``SLOWWAVE_STOP_AT`` go into its environment. With `held` it waits for
    `let_go`."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.queue_worker", url, str(lease), str(cap), str(model)],
        cwd=REPOSITORY,
        env={**os.environ, **env},
        stdin=subprocess.PIPE if held else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def let_go(workers: list[subprocess.Popen[str]], over: float = 0.0) -> None:
    """Wait until all of these held workers are ready, then let them work, one after the other within `over` seconds."""
    for worker in workers:
        assert worker.stdout is not None
        worker.stdout.readline()
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
        time.sleep(over / len(workers))


def result(process: subprocess.Popen[str], seconds: float = 240) -> Tally:
    """Wait for a worker that is expected to end well, and return what it printed."""
    out, err = process.communicate(timeout=seconds)
    assert process.returncode == 0, err
    printed = json.loads(out.splitlines()[-1])
    printed["projects"] = [(key, generation) for key, generation in printed["projects"]]
    return Tally(**printed)


if __name__ == "__main__":
    worker = Worker(sys.argv[1], lease=float(sys.argv[2]), cap=int(sys.argv[3]), model_seconds=float(sys.argv[4]))
    print("ready", flush=True)
    sys.stdin.readline()
    print(json.dumps(vars(worker.run())), flush=True)
