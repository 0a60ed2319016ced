from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Engine
from sqlalchemy.engine import RowMapping

from slowwave.errors import LeaseLost, StoreError
from slowwave.storage.engine import writing
from slowwave.storage.queue.backlog import retry
from slowwave.storage.queue.generations import (
    PROJECTS,
    bump_generation,
    check_held,
    claim_project,
    dirty_projects,
    finish_project_in,
)
from slowwave.storage.queue.jobs import fail, heartbeat, release
from slowwave.storage.queue.leases import Claim
from slowwave.storage.queue.owner import Owner
from slowwave.storage.types import JobKind, JobState
from tests.support.queue import POLICY, add_projects, job

CONSOLIDATE = JobKind.CONSOLIDATE


def bump(engine: Engine, *projects: str) -> None:
    with writing(engine) as session:
        bump_generation(session, projects)


def claim(engine: Engine, owner: Owner, project: str = "a", *, now: float, forced: bool = False) -> Claim | None:
    with writing(engine) as session:
        return claim_project(session, project, owner, lease=60, policy=POLICY, forced=forced, now=now)


def held(engine: Engine, owner: Owner, *, now: float, forced: bool = False) -> Claim:
    got = claim(engine, owner, now=now, forced=forced)
    assert got is not None
    return got


def finish(engine: Engine, claimed: Claim, now: float, version: int | None = None) -> JobState:
    with writing(engine) as session:
        return finish_project_in(session, claimed, version=version, now=now)


def project(engine: Engine, project_id: str = "a") -> RowMapping:
    with writing(engine) as session:
        return session.connection().execute(PROJECTS.select().where(PROJECTS.c.id == project_id)).mappings().one()


def dirty(engine: Engine) -> list[str]:
    with writing(engine) as session:
        return [each.id for each in dirty_projects(session)]


@pytest.fixture(autouse=True)
def projects(engine: Engine) -> None:
    add_projects(engine, "a", "b", "c")


def test_a_clean_project_is_not_consolidated(engine: Engine, owner: Owner) -> None:
    assert dirty(engine) == []
    assert claim(engine, owner, now=1) is None
    bump(engine, "a")
    assert dirty(engine) == ["a"]
    assert finish(engine, held(engine, owner, now=1), 2, version=1) is JobState.DONE
    row = project(engine)
    assert (row["input_generation"], row["consolidated_generation"]) == (1, 1)
    assert (row["version"], row["fence"]) == (1, 1)
    assert dirty(engine) == []
    assert claim(engine, owner, now=3) is None


def test_what_arrives_while_a_project_is_dirty_or_being_consolidated_is_not_lost(engine: Engine, owner: Owner) -> None:
    bump(engine, "a", "a")
    bump(engine, "a")
    claimed = held(engine, owner, now=1)
    bump(engine, "a")
    assert finish(engine, claimed, 2) is JobState.PENDING
    assert dirty(engine) == ["a"]
    again = held(engine, owner, now=3)
    assert again.generation == claimed.generation + 1
    assert finish(engine, again, 4) is JobState.DONE
    assert dirty(engine) == []


def test_one_owner_at_a_time(engine: Engine, owner: Owner) -> None:
    bump(engine, "a")
    claimed = held(engine, owner, now=0)
    assert claim(engine, owner, now=59) is None
    later = held(engine, owner, now=60)
    assert later.fence == claimed.fence + 1
    with pytest.raises(LeaseLost):
        finish(engine, claimed, 61, version=7)
    assert project(engine)["version"] == 0
    with pytest.raises(LeaseLost), writing(engine) as session:
        check_held(session, claimed, now=61)
    with writing(engine) as session:
        check_held(session, later, now=61)
    assert finish(engine, later, 62) is JobState.DONE


def test_new_input_does_not_cut_a_backoff_short(engine: Engine, owner: Owner) -> None:
    bump(engine, "a")
    with writing(engine) as session:
        fail(session, claimed := held_in(session, owner, 0), reason="model_error", error="", policy=POLICY, now=1)
    bump(engine, "a")
    retry_at = job(engine, CONSOLIDATE, "a")["retry_at"]
    assert claim(engine, owner, now=retry_at - 1) is None
    again = held(engine, owner, now=retry_at)
    assert (again.attempts, again.generation, again.fence) == (1, 2, claimed.fence + 1)


def held_in(session: object, owner: Owner, now: float) -> Claim:
    from sqlmodel import Session

    assert isinstance(session, Session)
    got = claim_project(session, "a", owner, lease=60, policy=POLICY, now=now)
    assert got is not None
    return got


def test_a_dead_project_comes_back_with_new_input_or_on_request(engine: Engine, owner: Owner) -> None:
    for revive in ("input", "request"):
        bump(engine, "a")
        claimed = held(engine, owner, now=1)
        with writing(engine) as session:
            fail(session, claimed, reason="model_rejected", error="", policy=POLICY, permanent=True, now=2)
        assert claim(engine, owner, now=1e9) is None
        assert dirty(engine) == ["a"]
        if revive == "input":
            bump(engine, "a")
        else:
            with writing(engine) as session:
                assert retry(session, CONSOLIDATE, project_id="a") == ["a"]
        again = held(engine, owner, now=3)
        assert (again.attempts, again.crashes) == (0, 0)
        assert finish(engine, again, 4) is JobState.DONE


def test_a_released_project_is_dirty_still(engine: Engine, owner: Owner) -> None:
    bump(engine, "a")
    claimed = held(engine, owner, now=1)
    with writing(engine) as session:
        assert heartbeat(session, claimed, 60, now=2)
        assert release(session, claimed, now=3)
    assert dirty(engine) == ["a"]
    assert held(engine, owner, now=3).fence == claimed.fence + 1


def test_a_person_may_claim_a_clean_project_but_not_a_busy_one(engine: Engine, owner: Owner) -> None:
    forced = held(engine, owner, now=1, forced=True)
    assert claim(engine, owner, now=2, forced=True) is None
    assert finish(engine, forced, 3, version=2) is JobState.DONE
    assert dirty(engine) == []


def test_a_forced_claim_that_is_given_back_makes_no_work(engine: Engine, owner: Owner) -> None:
    forced = held(engine, owner, now=1, forced=True)
    with writing(engine) as session:
        assert release(session, forced, now=2)
    assert dirty(engine) == []
    assert claim(engine, owner, now=3) is None


def test_the_longest_waiting_project_comes_first_and_excluded_ones_never(engine: Engine, owner: Owner) -> None:
    bump(engine, "a", "b", "c")
    assert dirty(engine) == ["a", "b", "c"]
    finish(engine, held(engine, owner, now=1), 2)
    bump(engine, "a")
    assert dirty(engine) == ["b", "c", "a"]
    with writing(engine) as session:
        session.connection().execute(PROJECTS.update().where(PROJECTS.c.id == "b").values(excluded=True))
    assert dirty(engine) == ["c", "a"]


def test_bumping_an_unknown_project_is_an_error(engine: Engine) -> None:
    with pytest.raises(StoreError, match="no project"):
        bump(engine, "nobody")


def test_a_finish_under_a_foreign_token_leaves_the_generations_alone(engine: Engine, owner: Owner) -> None:
    bump(engine, "a")
    claimed = held(engine, owner, now=1)
    with pytest.raises(LeaseLost):
        finish(engine, replace(claimed, token="guess"), 2)
    assert project(engine)["consolidated_generation"] == 0
