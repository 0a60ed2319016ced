from __future__ import annotations

import random
from dataclasses import replace

import pytest
from sqlalchemy import Engine

from slowwave.errors import LeaseLost
from slowwave.storage.engine import writing
from slowwave.storage.queue.backlog import (
    abandon_batch,
    collect,
    enqueue_extract,
    forget_done,
    retry,
    submit,
    where_it_stands,
    withdraw,
)
from slowwave.storage.queue.jobs import (
    claim_extracts,
    claim_one,
    fail,
    finish_in,
    heartbeat,
    reap_expired,
    reclaim_dead,
    release,
)
from slowwave.storage.queue.leases import MAX_LEASE_SECONDS, Claim, RetryPolicy, check_lease
from slowwave.storage.queue.owner import Owner
from slowwave.storage.types import JobKind, JobState, Reason
from tests.support.queue import POLICY, add_projects, enqueue, job

EXTRACT = JobKind.EXTRACT


def claim(
    engine: Engine, owner: Owner, *, limit: int = 1, now: float, lease: float = 60, cap: int = 100
) -> list[Claim]:
    with writing(engine) as session:
        return claim_extracts(
            session, owner, limit=limit, max_running=cap, lease=lease, policy=POLICY, now=now, run_id="r"
        )


def finish(engine: Engine, held: Claim, now: float, source_hash: str | None = None) -> JobState:
    with writing(engine) as session:
        return finish_in(
            session,
            held,
            source_hash=source_hash or held.source_hash or "",
            extractor="offline",
            extractor_version=1,
            now=now,
        )


def break_down(engine: Engine, held: Claim, now: float, **more: float | bool) -> JobState:
    with writing(engine) as session:
        return fail(session, held, reason="model_error", error="it broke", policy=POLICY, now=now, **more)  # type: ignore[arg-type]


def test_a_session_is_done_once_for_the_same_content(engine: Engine, owner: Owner) -> None:
    assert enqueue(engine, "t", now=0) is Reason.QUEUED
    (held,) = claim(engine, owner, now=1)
    assert (held.source_hash, held.fence, held.attempts) == ("h1", 1, 0)
    assert claim(engine, owner, now=2) == []
    assert enqueue(engine, "t", now=3) is Reason.RUNNING_ELSEWHERE
    assert finish(engine, held, 4) is JobState.DONE
    assert enqueue(engine, "t", now=5) is Reason.UP_TO_DATE
    assert claim(engine, owner, now=6) == []


def test_a_log_that_grew_before_it_was_read_is_done_under_the_hash_that_was_read(engine: Engine, owner: Owner) -> None:
    enqueue(engine, "t", "old", now=0)
    (held,) = claim(engine, owner, now=1)
    assert finish(engine, held, 2, "new") is JobState.DONE
    assert enqueue(engine, "t", "new", now=3) is Reason.UP_TO_DATE


def test_a_log_that_grew_after_it_was_read_waits_again(engine: Engine, owner: Owner) -> None:
    enqueue(engine, "t", "old", now=0)
    (held,) = claim(engine, owner, now=1)
    assert enqueue(engine, "t", "new", now=2) is Reason.RUNNING_ELSEWHERE
    assert finish(engine, held, 3) is JobState.PENDING
    (again,) = claim(engine, owner, now=4)
    assert (again.source_hash, again.fence) == ("new", 2)
    assert finish(engine, again, 5) is JobState.DONE


def test_content_that_returns_to_what_was_done_needs_no_work(engine: Engine, owner: Owner) -> None:
    enqueue(engine, "t", "one", now=0)
    (held,) = claim(engine, owner, now=1)
    finish(engine, held, 2)
    assert enqueue(engine, "t", "two", now=3) is Reason.QUEUED
    assert enqueue(engine, "t", "one", now=4) is Reason.UP_TO_DATE
    assert claim(engine, owner, now=5) == []


@pytest.mark.parametrize("ending", ["failure", "clean stop", "rest", "crash", "last crash", "batch"])
def test_a_log_that_changed_and_changed_back_is_not_paid_for_again(engine: Engine, owner: Owner, ending: str) -> None:
    enqueue(engine, "t", "one", now=0)
    finish(engine, *claim(engine, owner, now=1), 2)
    enqueue(engine, "t", "two", now=3)
    (held,) = claim(engine, owner, now=304)
    enqueue(engine, "t", "one", now=305)
    with writing(engine) as session:
        if ending == "failure":
            fail(session, held, reason="r", error="e", policy=POLICY, now=306)
        elif ending == "clean stop":
            release(session, held, now=306)
        elif ending == "rest":
            release(session, held, retry_after=50, now=306)
        elif ending == "last crash":
            reap_expired(session, replace(POLICY, max_crashes=1), now=400)
        elif ending == "batch":
            submit(session, held, "b", source_hash="two", now=306)
            abandon_batch(session, "b", reason="expired")
    assert claim(engine, owner, now=10_000) == []
    assert enqueue(engine, "t", "one", now=10_001) is Reason.UP_TO_DATE


def test_a_new_extractor_version_asks_again(engine: Engine, owner: Owner) -> None:
    enqueue(engine, "t", now=0)
    (held,) = claim(engine, owner, now=1)
    finish(engine, held, 2)
    assert enqueue(engine, "t", version=2, now=3) is Reason.QUEUED
    (again,) = claim(engine, owner, now=4)
    assert again.extractor_version == 2


def test_failures_back_off_exponentially_and_then_the_job_is_dead_with_its_reason(engine: Engine, owner: Owner) -> None:
    enqueue(engine, "t", now=0)
    now, rests = 1.0, []
    for _ in range(POLICY.max_attempts - 1):
        (held,) = claim(engine, owner, now=now)
        assert break_down(engine, held, now + 1) is JobState.BACKOFF
        retry_at = job(engine, EXTRACT, "t")["retry_at"]
        rests.append(retry_at - now - 1)
        assert enqueue(engine, "t", now=retry_at - 1) is Reason.IN_BACKOFF
        assert claim(engine, owner, now=retry_at - 1) == []
        now = retry_at
    assert 50 <= rests[0] <= 100 <= rests[1] <= 200
    (held,) = claim(engine, owner, now=now)
    assert break_down(engine, held, now + 1) is JobState.DEAD
    row = job(engine, EXTRACT, "t")
    assert (row["attempts"], row["reason"], row["error"]) == (3, "model_error", "it broke")
    assert enqueue(engine, "t", now=1e9) is Reason.DEAD
    assert claim(engine, owner, now=1e9) == []


def test_a_dead_job_comes_back_with_new_content_a_new_version_or_on_request(engine: Engine, owner: Owner) -> None:
    for name in "xyz":
        enqueue(engine, name, now=0)
    for held in claim(engine, owner, limit=3, now=1):
        assert break_down(engine, held, 2, permanent=True) is JobState.DEAD
    assert enqueue(engine, "x", "h2", now=3) is Reason.QUEUED
    assert enqueue(engine, "y", version=2, now=3) is Reason.QUEUED
    with writing(engine) as session:
        assert retry(session, EXTRACT) == ["z"]
    revived = claim(engine, owner, limit=3, now=4)
    assert [(held.key, held.attempts, held.crashes) for held in revived] == [("x", 0, 0), ("y", 0, 0), ("z", 0, 0)]


def test_a_providers_wait_is_respected_but_bounded(engine: Engine, owner: Owner) -> None:
    for name in "xy":
        enqueue(engine, name, now=0)
    first, second = claim(engine, owner, limit=2, now=0)
    break_down(engine, first, 10, retry_after=500.0)
    break_down(engine, second, 10, retry_after=1e9)
    assert job(engine, EXTRACT, "x")["retry_at"] == 510
    assert job(engine, EXTRACT, "y")["retry_at"] == 10 + POLICY.max_seconds


def test_a_crash_loop_is_counted_apart_and_ends(engine: Engine, owner: Owner) -> None:
    enqueue(engine, "t", now=0)
    now = 1.0
    for crashes in range(POLICY.max_crashes):
        (held,) = claim(engine, owner, now=now)
        assert (held.crashes, held.attempts) == (crashes, 0)
        now += 61
    assert claim(engine, owner, now=now) == []
    row = job(engine, EXTRACT, "t")
    assert (row["state"], row["reason"], row["crashes"], row["attempts"]) == (JobState.DEAD, "crashed", 4, 0)


def test_a_clean_stop_gives_the_attempt_back(engine: Engine, owner: Owner) -> None:
    enqueue(engine, "t", now=0)
    (held,) = claim(engine, owner, now=1)
    with writing(engine) as session:
        assert release(session, held, now=2)
        assert not release(session, held, now=2)
    (again,) = claim(engine, owner, now=3)
    assert (again.attempts, again.crashes, again.fence) == (0, 0, 2)
    with writing(engine) as session:
        assert release(session, again, reason="model_unavailable", retry_after=100, now=4)
    assert enqueue(engine, "t", now=5) is Reason.IN_BACKOFF
    assert claim(engine, owner, now=103) == []
    assert len(claim(engine, owner, now=104)) == 1


def test_a_stale_owner_changes_nothing(engine: Engine, owner: Owner) -> None:
    enqueue(engine, "t", now=0)
    (stale,) = claim(engine, owner, now=0)
    (current,) = claim(engine, owner, now=60)
    before = dict(job(engine, EXTRACT, "t"))
    forged = replace(current, token="guess")
    for claimed in (stale, forged):
        with writing(engine) as session:
            assert not heartbeat(session, claimed, 60, now=61)
            assert not release(session, claimed, now=61)
        with pytest.raises(LeaseLost):
            finish(engine, claimed, 61)
        with pytest.raises(LeaseLost):
            break_down(engine, claimed, 61)
        with pytest.raises(LeaseLost), writing(engine) as session:
            submit(session, claimed, "b", source_hash="h1", now=61)
    assert dict(job(engine, EXTRACT, "t")) == before
    assert current.fence == stale.fence + 1
    assert finish(engine, current, 62) is JobState.DONE


def test_an_expired_lease_is_lost_even_before_somebody_takes_it(engine: Engine, owner: Owner) -> None:
    enqueue(engine, "t", now=0)
    (held,) = claim(engine, owner, now=0)
    with writing(engine) as session:
        assert heartbeat(session, held, 60, now=59)
        assert not heartbeat(session, held, 60, now=119)
    with pytest.raises(LeaseLost):
        finish(engine, held, 119)


def test_the_live_cap_counts_every_running_session(engine: Engine, owner: Owner) -> None:
    for number in range(6):
        enqueue(engine, f"t{number}", now=0)
    assert len(claim(engine, owner, limit=3, cap=4, now=1)) == 3
    assert len(claim(engine, owner, limit=3, cap=4, now=1)) == 1
    assert claim(engine, owner, limit=3, cap=4, now=1) == []
    assert len(claim(engine, owner, limit=9, cap=4, now=62)) == 4
    assert claim(engine, owner, limit=9, cap=4, now=63) == []


def test_projects_take_turns_and_the_newest_session_comes_first(engine: Engine, owner: Owner) -> None:
    for number in range(5):
        enqueue(engine, f"busy{number}", project_id="busy", priority=100 + number, now=0)
    enqueue(engine, "quiet", project_id="quiet", priority=1, now=0)
    enqueue(engine, "calm", project_id="calm", priority=2, now=0)
    assert [held.key for held in claim(engine, owner, limit=4, now=1)] == ["busy4", "calm", "quiet", "busy3"]
    enqueue(engine, "late", project_id="calm", priority=0, now=2)
    assert [held.key for held in claim(engine, owner, limit=2, now=2)] == ["late", "busy2"]


def test_a_host_gets_its_own_sessions_only(engine: Engine, owner: Owner) -> None:
    enqueue(engine, "mine", host=owner.host, now=0)
    enqueue(engine, "theirs", host="elsewhere", now=0)
    enqueue(engine, "anyones", now=0)
    assert [held.key for held in claim(engine, owner, limit=9, now=1)] == ["anyones", "mine"]


def test_a_plan_restricts_the_claim(engine: Engine, owner: Owner) -> None:
    for name in "xyz":
        enqueue(engine, name, now=0)
    with writing(engine) as session:
        held = claim_extracts(
            session, owner, limit=9, max_running=9, lease=60, policy=POLICY, keys=["z", "x", "unknown"], now=1
        )
    assert [each.key for each in held] == ["x", "z"]
    with writing(engine) as session:
        assert claim_one(session, EXTRACT, "x", owner, lease=60, policy=POLICY, now=2) is None
        one = claim_one(session, EXTRACT, "y", owner, lease=60, policy=POLICY, now=2)
    assert one is not None and one.key == "y"


def test_dead_owners_on_this_host_are_reclaimed_at_once_and_living_ones_are_not(engine: Engine, owner: Owner) -> None:
    dead = replace(owner, started=owner.started - 1000)
    elsewhere = replace(dead, host="another-machine")
    for name, who in (("alive", owner), ("dead", dead), ("far", elsewhere)):
        enqueue(engine, name, now=0)
        assert [held.key for held in claim(engine, who, now=1)] == [name]
    with writing(engine) as session:
        assert reclaim_dead(session, POLICY, now=2) == 1
    assert [held.key for held in claim(engine, owner, limit=9, now=2)] == ["dead"]
    assert job(engine, EXTRACT, "dead")["crashes"] == 1


def test_a_clock_that_ran_ahead_cannot_block_a_job_for_long(engine: Engine, owner: Owner) -> None:
    for name in "xy":
        enqueue(engine, name, now=0)
    ahead = 1e9
    first, second = claim(engine, owner, limit=2, now=ahead)
    break_down(engine, second, ahead + 1)
    with writing(engine) as session:
        reclaim_dead(session, POLICY, now=10)
    assert job(engine, EXTRACT, first.key)["lease_until"] == 10 + MAX_LEASE_SECONDS
    assert job(engine, EXTRACT, second.key)["retry_at"] == 10 + POLICY.max_seconds
    with writing(engine) as session:
        assert heartbeat(session, first, 60, now=11)
    assert job(engine, EXTRACT, first.key)["lease_until"] == 71


def test_withdrawn_work_is_void_and_known(engine: Engine, owner: Owner) -> None:
    enqueue(engine, "t", now=0)
    (held,) = claim(engine, owner, now=1)
    with writing(engine) as session:
        assert withdraw(session, EXTRACT, ["t", "unknown"], reason="forgotten") == 1
    with pytest.raises(LeaseLost):
        finish(engine, held, 2)
    assert claim(engine, owner, now=3) == []
    assert enqueue(engine, "t", now=4) is Reason.UP_TO_DATE
    with writing(engine) as session:
        assert forget_done(session, ["t"]) == 1
    assert enqueue(engine, "t", now=5) is Reason.QUEUED


def test_a_batch_waits_without_a_lease_and_is_collected_once(engine: Engine, owner: Owner) -> None:
    for name in "xyz":
        enqueue(engine, name, now=0)
    for held in claim(engine, owner, limit=3, now=1):
        with writing(engine) as session:
            submit(session, held, "b1", source_hash="read", now=2)
    assert claim(engine, owner, limit=9, now=1e6) == []
    assert enqueue(engine, "x", "read", now=1e6) is Reason.SUBMITTED
    assert enqueue(engine, "y", "grown", now=1e6) is Reason.SUBMITTED
    with writing(engine) as session:
        got = collect(session, "b1", owner, lease=60, keys=["x", "y"], now=1e6)
    assert [(held.key, held.batch_id) for held in got] == [("x", "b1"), ("y", "b1")]
    assert finish(engine, got[0], 1e6 + 1, "read") is JobState.DONE
    assert finish(engine, got[1], 1e6 + 1, "read") is JobState.PENDING
    assert job(engine, EXTRACT, "y")["source_hash"] == "grown"
    with writing(engine) as session:
        assert collect(session, "b1", owner, lease=60, keys=["x", "y"], now=1e6 + 2) == []
        assert abandon_batch(session, "b1", reason="batch_expired") == 1
        assert where_it_stands(session, EXTRACT, "z", now=1e6 + 3) is Reason.QUEUED
        assert where_it_stands(session, EXTRACT, "unknown") is None


def test_a_batchs_answers_are_not_paid_for_again_when_their_collector_dies(engine: Engine, owner: Owner) -> None:
    for name in "xy":
        enqueue(engine, name, now=0)
    for held in claim(engine, owner, limit=2, now=1):
        with writing(engine) as session:
            submit(session, held, "b1", source_hash="h1", now=2)
    with writing(engine) as session:
        first, _ = collect(session, "b1", owner, lease=60, now=3)
    with writing(engine) as session:
        assert release(session, first, now=4)
    assert claim(engine, owner, limit=9, now=100) == []
    with writing(engine) as session:
        again = collect(session, "b1", owner, lease=60, now=101)
    assert [(held.key, held.crashes) for held in again] == [("x", 0), ("y", 1)]
    assert break_down(engine, again[0], 102) is JobState.BACKOFF
    assert job(engine, EXTRACT, "x")["batch_id"] is None


def test_an_output_and_the_end_of_its_job_are_one_transaction(engine: Engine, owner: Owner) -> None:
    from slowwave.storage.registry import PROJECTS, ensure_project

    enqueue(engine, "t", now=0)
    (held,) = claim(engine, owner, now=0)
    with pytest.raises(LeaseLost), writing(engine) as session:
        ensure_project(session, key="k", id="p", slug="s", name="written before the end was refused")
        finish_in(session, held, source_hash="h1", extractor="offline", extractor_version=1, now=61)
    with writing(engine) as session:
        assert session.connection().execute(PROJECTS.select()).all() == []


def test_text_that_a_database_refuses_is_stored_anyway(engine: Engine, owner: Owner) -> None:
    enqueue(engine, "t", now=0)
    (held,) = claim(engine, owner, now=0)
    with writing(engine) as session:
        fail(session, held, reason="odd", error="a\0b\ud800c \U0001f600" + "x" * 5000, policy=POLICY, now=1)
    error = job(engine, EXTRACT, "t")["error"]
    assert error.startswith("a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c \U0001f600")
    assert len(error) == 2000


def test_the_delay_doubles_is_jittered_repeatably_and_has_a_ceiling() -> None:
    delays = [RetryPolicy(rng=random.Random(7)).delay(failures) for failures in (1, 2, 3, 50, 10_000)]
    assert delays == [RetryPolicy(rng=random.Random(7)).delay(failures) for failures in (1, 2, 3, 50, 10_000)]
    many = [RetryPolicy().delay(2) for _ in range(200)]
    assert 120 <= min(many) < max(many) <= 240
    assert all(43_200 <= RetryPolicy().delay(failures) <= 86_400 for failures in (50, 10_000))


@pytest.mark.parametrize("seconds", [0, -1, MAX_LEASE_SECONDS + 1, float("nan"), float("inf")])
def test_a_lease_of_absurd_length_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="lease"):
        check_lease(seconds)


def test_enqueue_takes_part_in_the_callers_transaction(engine: Engine) -> None:
    add_projects(engine, "a")
    with pytest.raises(ZeroDivisionError), writing(engine) as session:
        from slowwave.storage.queue.backlog import Request

        enqueue_extract(session, Request("t", "h", "offline", 1, "a", None))
        raise ZeroDivisionError
    with writing(engine) as session:
        assert where_it_stands(session, EXTRACT, "t") is None
