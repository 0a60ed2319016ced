from __future__ import annotations

import asyncio
import threading
import time

import pytest
from sqlalchemy import Engine

from slowwave.errors import LeaseLost
from slowwave.storage.engine import database_now, open_database, writing
from slowwave.storage.queue.backlog import withdraw
from slowwave.storage.queue.heartbeat import Heartbeat
from slowwave.storage.queue.jobs import claim_extracts, finish_in
from slowwave.storage.queue.leases import Claim
from slowwave.storage.queue.owner import Owner
from slowwave.storage.types import JobKind, JobState
from tests.support.postgres import Postgres
from tests.support.queue import POLICY, enqueue, job


def claim(engine: Engine, owner: Owner, lease: float) -> Claim:
    enqueue(engine, "t")
    with writing(engine) as session:
        (held,) = claim_extracts(session, owner, limit=1, max_running=9, lease=lease, policy=POLICY)
    return held


def test_a_blocked_event_loop_does_not_lose_the_claim(engine: Engine, owner: Owner) -> None:
    held = claim(engine, owner, lease=1.5)

    async def block() -> None:
        time.sleep(4)  # noqa: ASYNC251

    with Heartbeat(engine.url, [held], lease=1.5, interval=0.2) as heart:
        asyncio.run(block())
        heart.check(held)
        heart.remove(held)
        with writing(engine) as session:
            state = finish_in(session, held, source_hash="h1", extractor="offline", extractor_version=1)
    assert state is JobState.DONE


def test_without_a_heartbeat_the_same_claim_is_lost(engine: Engine, owner: Owner) -> None:
    held = claim(engine, owner, lease=0.3)
    time.sleep(0.5)
    with pytest.raises(LeaseLost), writing(engine) as session:
        finish_in(session, held, source_hash="h1", extractor="offline", extractor_version=1)


def test_a_refused_beat_is_told_once(engine: Engine, owner: Owner) -> None:
    held = claim(engine, owner, lease=30)
    told: list[Claim] = []
    happened = threading.Event()

    def tell(lost: Claim) -> None:
        told.append(lost)
        happened.set()

    with Heartbeat(engine.url, [held], lease=30, interval=0.05, on_lost=tell) as heart:
        with writing(engine) as session:
            withdraw(session, JobKind.EXTRACT, ["t"], reason="forgotten")
        assert happened.wait(20)
        time.sleep(0.3)
        with pytest.raises(LeaseLost):
            heart.check(held)
    assert told == [held]


def test_beats_reach_as_far_as_the_lease_and_end_with_the_block(engine: Engine, owner: Owner) -> None:
    held = claim(engine, owner, lease=5)
    first = job(engine, JobKind.EXTRACT, "t")["lease_until"]
    with Heartbeat(engine.url, lease=5, interval=0.1) as heart:
        heart.add(held)
        time.sleep(1)
    with writing(engine) as session:
        now = database_now(session)
    reached = job(engine, JobKind.EXTRACT, "t")["lease_until"]
    assert first < reached <= now + 5
    time.sleep(0.4)
    assert job(engine, JobKind.EXTRACT, "t")["lease_until"] == reached
    assert not [thread for thread in threading.enumerate() if thread.name == "slowwave-heartbeat"]


def test_a_callback_that_fails_does_not_end_the_other_beats(engine: Engine, owner: Owner) -> None:
    enqueue(engine, "gone")
    enqueue(engine, "kept")
    with writing(engine) as session:
        gone, kept = claim_extracts(session, owner, limit=2, max_running=9, lease=4, policy=POLICY)

    def fail(_: Claim) -> None:
        raise RuntimeError("the event loop is closed")

    with Heartbeat(engine.url, [gone, kept], lease=4, interval=0.1, on_lost=fail) as heart:
        with writing(engine) as session:
            withdraw(session, JobKind.EXTRACT, ["gone"], reason="forgotten")
        before = job(engine, JobKind.EXTRACT, "kept")["lease_until"]
        time.sleep(1.5)
        assert heart.is_lost(gone) and not heart.is_lost(kept)
    assert heart.last_error == "RuntimeError: the event loop is closed"
    assert job(engine, JobKind.EXTRACT, "kept")["lease_until"] > before


@pytest.mark.postgres
def test_a_database_that_stays_away_loses_the_claim_when_the_lease_is_over(postgres: Postgres, owner: Owner) -> None:
    url = postgres.database()
    opened = open_database(url)
    held = claim(opened, owner, lease=3.0)
    opened.dispose()
    lost = threading.Event()
    with Heartbeat(url, [held], lease=3.0, interval=0.2, on_lost=lambda _: lost.set()) as heart:
        time.sleep(0.5)
        postgres.drop(url)
        assert not lost.is_set()
        assert lost.wait(60)
        assert heart.last_error is not None
