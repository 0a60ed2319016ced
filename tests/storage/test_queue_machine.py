"""Random interleavings of workers, scans, crashes and clocks against the queue, checked against a model of it.

Time is the model's own, so leases and backoffs end when the machine says so. Workers may go silent (a crash that only
the lease reveals), be seen dead on this host, or act on a claim that they lost long ago.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import Engine, event
from sqlalchemy.engine import RowMapping
from sqlmodel import Session

from slowwave.errors import LeaseLost
from slowwave.storage.engine import writing
from slowwave.storage.queue.backlog import Request, abandon_batch, collect, enqueue_extract, retry, submit, withdraw
from slowwave.storage.queue.generations import PROJECTS, bump_generation, claim_project, finish_project_in
from slowwave.storage.queue.jobs import claim_extracts, fail, finish_in, heartbeat, reap_expired, reclaim_dead, release
from slowwave.storage.queue.leases import MAX_LEASE_SECONDS, Claim
from slowwave.storage.queue.owner import current_owner
from slowwave.storage.queue.rows import JOBS
from slowwave.storage.registry import ensure_project
from slowwave.storage.types import JobKind, JobState
from tests.support.queue import POLICY

CASES = int(os.environ.get("SLOWWAVE_CASES", "1000" if os.environ.get("SLOWWAVE_FULL") == "1" else "60"))
LEASE = 60.0
HOME = {"t0": "a", "t1": "a", "t2": "b", "t3": "b"}
CAP = 3
DOOMED = 2

Place = tuple[str, str]
Version = tuple[str, int]


@dataclass
class Live:
    """What the model knows of a job's present claim."""

    claim: Claim
    until: float
    owner_is_dead: bool


class Queue(RuleBasedStateMachine):
    """The machine. `open_engine` is set by the test, once for each kind of database."""

    open_engine: Engine
    claims = Bundle("claims")

    def __init__(self) -> None:
        super().__init__()
        self.engine = self.open_engine
        self.now = 1_000.0
        self.live: dict[Place, Live] = {}
        self.fences: dict[Place, int] = {}
        self.counts: dict[Place, tuple[int, int]] = {}
        self.given_up: set[Place] = set()
        self.wanted: dict[str, Version] = {}
        self.done: dict[str, Version] = {}
        self.withdrawn: set[str] = set()
        self.inputs = {"a": 0, "b": 0}
        self.consolidated = {"a": 0, "b": 0}
        alive = current_owner()
        self.owners = [alive, replace(alive, host="far-away"), replace(alive, started=alive.started - 99)]
        with writing(self.engine) as session:
            session.connection().execute(JOBS.delete())
            session.connection().execute(PROJECTS.delete())
            for project in self.inputs:
                ensure_project(session, key=project, id=project, slug=project, name=project)

    @initialize(target=claims, who=st.integers(0, 2))
    def everything_is_new_and_a_run_has_begun(self, who: int) -> object:
        for thread in HOME:
            self.scan_finds(thread, "x", 1)
        self.something_changes({"a", "b"})
        return multiple(*self.claim_all(who))

    @rule(seconds=st.sampled_from([10.0, 61.0, 150.0, 2_000.0]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule(seconds=st.sampled_from([30.0, 5_000.0]))
    def clock_is_set_back(self, seconds: float) -> None:
        self.now = max(1.0, self.now - seconds)

    @rule(thread=st.sampled_from(sorted(HOME)), source=st.sampled_from("xxyyz"), version=st.sampled_from([1, 1, 1, 2]))
    def scan_finds(self, thread: str, source: str, version: int) -> None:
        with writing(self.engine) as session:
            request = Request(thread, source, "offline", version, HOME[thread], None)
            enqueue_extract(session, request, now=self.now)
        if self.wanted.get(thread) != (source, version):
            self.clear(JobKind.EXTRACT, thread)
            self.withdrawn.discard(thread)
        self.wanted[thread] = (source, version)

    @rule(projects=st.sets(st.sampled_from("ab"), min_size=1))
    def something_changes(self, projects: set[str]) -> None:
        dead = {row["key"] for row in self.rows(JobKind.CONSOLIDATE) if row["state"] == JobState.DEAD}
        with writing(self.engine) as session:
            bump_generation(session, projects, now=self.now)
        for project in projects:
            self.inputs[project] += 1
            if project in dead:
                self.clear(JobKind.CONSOLIDATE, project)

    @rule(thread=st.sampled_from(sorted(HOME)))
    def session_is_forgotten(self, thread: str) -> None:
        with writing(self.engine) as session:
            withdraw(session, JobKind.EXTRACT, [thread], reason="forgotten")
        self.live.pop((JobKind.EXTRACT, thread), None)
        self.withdrawn.add(thread)

    @rule(kind=st.sampled_from([JobKind.EXTRACT, JobKind.CONSOLIDATE]))
    def person_retries(self, kind: JobKind) -> None:
        with writing(self.engine) as session:
            for key in retry(session, kind):
                self.clear(kind, key)

    @rule(target=claims, who=st.integers(0, 2), limit=st.integers(1, 3))
    def claim_sessions(self, who: int, limit: int) -> object:
        self.expire()
        with writing(self.engine) as session:
            got = claim_extracts(
                session, self.owners[who], limit=limit, max_running=CAP, lease=LEASE, policy=POLICY, now=self.now
            )
        for claim in got:
            assert self.wanted[claim.key] == (claim.source_hash, claim.extractor_version) != self.done.get(claim.key)
            self.take(claim, who)
        assert len(got) <= limit
        return multiple(*got)

    @rule(target=claims, who=st.integers(0, 2), project=st.sampled_from("ab"))
    def claim_consolidation(self, who: int, project: str) -> object:
        self.expire()
        with writing(self.engine) as session:
            got = claim_project(session, project, self.owners[who], lease=LEASE, policy=POLICY, now=self.now)
        if got is None:
            return multiple()
        assert got.generation == self.inputs[project] > self.consolidated[project]
        self.take(got, who)
        return got

    @rule(target=claims, who=st.integers(0, 2))
    def answers_come(self, who: int) -> object:
        self.expire()
        with writing(self.engine) as session:
            got = collect(session, "batch", self.owners[who], lease=LEASE, now=self.now)
        for claim in got:
            self.take(claim, who)
        return multiple(*got)

    @rule(claim=claims)
    def beat(self, claim: Claim) -> None:
        with self.as_worker(claim) as held, writing(self.engine) as session:
            assert heartbeat(session, claim, LEASE, now=self.now) is held
        if held:
            self.live[claim.kind, claim.key].until = self.now + LEASE

    @rule(claim=claims, found=st.sampled_from([None, None, "x", "y"]))
    def finish(self, claim: Claim, found: str | None) -> None:
        read = found or claim.source_hash or ""
        with self.as_worker(claim) as held, self.lost_unless(held), writing(self.engine) as session:
            state = self.end(session, claim, read)
        if not held:
            return
        del self.live[claim.kind, claim.key]
        self.clear(claim.kind, claim.key)
        if claim.kind == JobKind.CONSOLIDATE:
            self.consolidated[claim.key] = claim.generation
            assert state == (JobState.PENDING if self.inputs[claim.key] > claim.generation else JobState.DONE)
            return
        asked, answer = (claim.source_hash, claim.extractor_version), (read, claim.extractor_version)
        if claim.batch_id is None and self.wanted[claim.key] == asked:
            self.wanted[claim.key] = answer
        self.done[claim.key] = answer
        assert state == (JobState.DONE if self.wanted[claim.key] == answer else JobState.PENDING)

    @rule(claim=claims, permanent=st.booleans())
    def work_fails(self, claim: Claim, permanent: bool) -> None:
        with self.as_worker(claim) as held, self.lost_unless(held), writing(self.engine) as session:
            fail(session, claim, reason="r", error="e", policy=POLICY, permanent=permanent, now=self.now)
        if held:
            self.drop(claim, attempts=1)
            if permanent:
                self.given_up.add((claim.kind, claim.key))

    @rule(claim=claims, rest=st.sampled_from([None, 100.0]))
    def worker_stops_cleanly(self, claim: Claim, rest: float | None) -> None:
        with self.as_worker(claim) as held, writing(self.engine) as session:
            assert release(session, claim, retry_after=rest, now=self.now) is held
        if held:
            self.drop(claim)

    @rule(claim=claims)
    def session_goes_into_a_batch(self, claim: Claim) -> None:
        if claim.kind != JobKind.EXTRACT or claim.source_hash is None:
            return
        with self.as_worker(claim) as held, self.lost_unless(held), writing(self.engine) as session:
            submit(session, claim, "batch", source_hash=claim.source_hash, now=self.now)
        if held:
            self.drop(claim)

    @rule()
    def batch_expires(self) -> None:
        with writing(self.engine) as session:
            abandon_batch(session, "batch", reason="expired")

    @rule()
    def run_starts(self) -> None:
        self.expire()
        with writing(self.engine) as session:
            reclaim_dead(session, POLICY, now=self.now)
        for place in [place for place, live in self.live.items() if live.owner_is_dead]:
            self.drop(self.live[place].claim, crashes=1)
        for live in self.live.values():
            live.until = min(live.until, self.now + MAX_LEASE_SECONDS)
        for row in self.rows():
            assert row["lease_until"] is None or row["lease_until"] <= self.now + MAX_LEASE_SECONDS
            assert row["retry_at"] is None or row["retry_at"] <= self.now + POLICY.max_seconds

    @invariant()
    def everything_holds(self) -> None:
        jobs, projects = self.tables()
        self.rows_are_as_the_model_says(jobs)
        self.no_work_is_lost([row for row in jobs if row["kind"] == JobKind.EXTRACT])
        self.no_wake_up_is_lost([row for row in jobs if row["kind"] == JobKind.CONSOLIDATE], projects)

    def rows_are_as_the_model_says(self, jobs: list[RowMapping]) -> None:
        for row in jobs:
            place = (row["kind"], row["key"])
            live = self.live.get(place)
            assert (row["state"] == JobState.RUNNING) is (live is not None)
            assert row["token"] == (None if live is None else live.claim.token)
            assert row["lease_until"] == (None if live is None else live.until)
            assert (row["attempts"], row["crashes"]) == self.counts.get(place, (0, 0))
            assert row["fence"] == self.fences.get(place, 0)
            if row["state"] == JobState.DEAD:
                used_up = row["attempts"] >= POLICY.max_attempts or row["crashes"] >= POLICY.max_crashes
                assert used_up or place in self.given_up
        assert sum(kind == JobKind.EXTRACT for kind, _ in self.live) <= CAP + len(HOME)

    def no_work_is_lost(self, extracts: list[RowMapping]) -> None:
        states = {row["key"]: row for row in extracts}
        assert set(states) == set(self.wanted)
        for thread, wanted in self.wanted.items():
            assert (states[thread]["source_hash"], states[thread]["extractor_version"]) == wanted
            if states[thread]["state"] == JobState.DONE:
                assert thread in self.withdrawn or self.done[thread] == wanted

    def no_wake_up_is_lost(self, consolidations: list[RowMapping], projects: list[RowMapping]) -> None:
        states = {row["key"]: row["state"] for row in consolidations}
        for row in projects:
            project = row["id"]
            assert row["input_generation"] == self.inputs[project]
            assert row["consolidated_generation"] == self.consolidated[project]
            is_dirty = self.inputs[project] > self.consolidated[project]
            assert is_dirty is (states.get(project, JobState.DONE) != JobState.DONE)

    def teardown(self) -> None:
        """However it went, a run of healthy workers ends it: everything is done, or dead with its reason."""
        for _ in range(12):
            if all(row["state"] in {JobState.DONE, JobState.DEAD} for row in self.rows()):
                break
            self.now += 5_000
            self.expire()
            self.batch_expires()
            for claim in self.claim_all(0):
                self.finish(claim, None)
        for row in self.rows():
            assert row["state"] in {JobState.DONE, JobState.DEAD}, dict(row)
            assert row["state"] == JobState.DONE or row["reason"]
        self.everything_holds()

    def claim_all(self, who: int) -> list[Claim]:
        owner = self.owners[who]
        with writing(self.engine) as session:
            got = claim_extracts(session, owner, limit=9, max_running=9, lease=LEASE, policy=POLICY, now=self.now)
            for project in self.inputs:
                claim = claim_project(session, project, owner, lease=LEASE, policy=POLICY, now=self.now)
                got += [] if claim is None else [claim]
        for claim in got:
            self.take(claim, who)
        return got

    def rows(self, kind: JobKind | None = None) -> list[RowMapping]:
        return [row for row in self.tables()[0] if kind in {None, row["kind"]}]

    def tables(self) -> tuple[list[RowMapping], list[RowMapping]]:
        with self.engine.connect() as connection:
            jobs = connection.execute(JOBS.select().order_by(JOBS.c.kind, JOBS.c.key)).mappings().all()
            projects = connection.execute(PROJECTS.select().order_by(PROJECTS.c.id)).mappings().all()
        return list(jobs), list(projects)

    def end(self, session: Session, claim: Claim, read: str) -> JobState:
        if claim.kind == JobKind.CONSOLIDATE:
            return finish_project_in(session, claim, now=self.now)
        return finish_in(
            session,
            claim,
            source_hash=read,
            extractor="offline",
            extractor_version=claim.extractor_version,
            now=self.now,
        )

    def take(self, claim: Claim, who: int) -> None:
        place = (claim.kind, claim.key)
        assert place not in self.live, "two owners at once"
        assert claim.fence > self.fences.get(place, 0)
        assert (claim.attempts, claim.crashes) == self.counts.get(place, (0, 0))
        self.fences[place] = claim.fence
        self.live[place] = Live(claim, self.now + LEASE, who == DOOMED)

    def drop(self, claim: Claim, *, attempts: int = 0, crashes: int = 0) -> None:
        place = (claim.kind, claim.key)
        del self.live[place]
        before = self.counts.get(place, (0, 0))
        self.counts[place] = (before[0] + attempts, before[1] + crashes)

    def clear(self, kind: JobKind, key: str) -> None:
        self.counts[kind, key] = (0, 0)
        self.given_up.discard((kind, key))

    def expire(self) -> None:
        with writing(self.engine) as session:
            reap_expired(session, POLICY, now=self.now)
        for place in [place for place, live in self.live.items() if live.until <= self.now]:
            self.drop(self.live[place].claim, crashes=1)

    @contextmanager
    def as_worker(self, claim: Claim) -> Iterator[bool]:
        """Yield whether the claim is still held; when it is not, whatever the worker does must change nothing."""
        live = self.live.get((claim.kind, claim.key))
        held = live is not None and live.claim.token == claim.token and live.until > self.now
        before = None if held else self.tables()
        yield held
        assert held or self.tables() == before, "a stale owner changed something"

    @contextmanager
    def lost_unless(self, held: bool) -> Iterator[None]:
        if held:
            yield
            return
        with pytest.raises(LeaseLost):
            yield


def test_no_interleaving_breaks_the_queue(engine: Engine) -> None:
    def without_syncs(connection: object, _: object) -> None:
        if isinstance(connection, sqlite3.Connection):
            connection.execute("PRAGMA synchronous = OFF")

    event.listen(engine, "connect", without_syncs)
    engine.dispose()
    machine = type("QueueOn", (Queue,), {"open_engine": engine})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=CASES,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            print_blob=True,
        ),
    )
