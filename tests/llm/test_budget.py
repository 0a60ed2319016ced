"""Limits hold before money is spent, over threads, processes and days."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC
from typing import Any

import pytest
from sqlalchemy import Engine

from slowwave.errors import BudgetReached, ConfigError
from slowwave.llm.base import ExtractReply
from slowwave.llm.model_extractor import ModelExtractor
from slowwave.llm.spending.budget import Amount, Budget, exceeded
from slowwave.settings import BudgetSettings, Limits
from slowwave.storage.call_log import record_call, start_run
from slowwave.storage.engine import writing
from slowwave.storage.queue.owner import current_owner
from slowwave.storage.tables import ModelCall
from tests.llm.conftest import Bench, request_of

CALL = Amount(1, 1000, 500, 0.0, 0.01)


def budget(engine: Engine, run_id: str | None = "r1", **limits: dict[str, float]) -> Budget:
    settings = BudgetSettings.model_validate({"per_run": {}, "per_day": {}} | limits)
    return Budget(settings, engine, run_id, UTC)


def spend(engine: Engine, run_id: str, at: float = 0.0, **columns: Any) -> None:
    with writing(engine) as session:
        record_call(session, ModelCall(run_id=run_id, at=at, role="default", model="m", **columns))


@pytest.mark.parametrize(
    ("limit", "named"),
    [
        ({"calls": 1}, "calls: 2 of 1"),
        ({"input_tokens": 1500}, "input tokens: 2,000 of 1,500"),
        ({"output_tokens": 900}, "output tokens: 1,000 of 900"),
        ({"dollars": 0.015}, "dollars: 0.02 of 0.01"),
        ({"calls": 2, "input_tokens": 2000, "output_tokens": 1000, "dollars": 0.02}, None),
        ({}, None),
    ],
)
def test_each_limit_by_itself(limit: dict[str, float], named: str | None) -> None:
    found = exceeded(Limits.model_validate(limit), CALL + CALL)
    assert (found is None) if named is None else (found is not None and found.startswith(named[:20]))


@pytest.mark.parametrize("limit", [{"calls": 2}, {"input_tokens": 2500}, {"output_tokens": 1000}, {"dollars": 0.029}])
def test_what_an_earlier_process_spent_in_this_run_counts(engine: Engine, limit: dict[str, float]) -> None:
    spend(engine, "r1", input_tokens=1000, output_tokens=500, cost=0.01)
    spend(engine, "another", input_tokens=10**6, output_tokens=10**6, cost=100.0)
    made = budget(engine, per_run=limit)

    async def twice() -> None:
        release = await made.reserve(CALL)
        spend(engine, "r1", input_tokens=1000, output_tokens=500, cost=0.01)
        release()
        with pytest.raises(BudgetReached) as caught:
            await made.reserve(CALL)
        assert caught.value.reason == "budget_run"
        assert caught.value.exit_code == 0

    asyncio.run(twice())


def test_the_day_counts_every_run_and_begins_at_midnight(engine: Engine) -> None:
    midnight = time.time() // 86_400 * 86_400
    spend(engine, "yesterday", at=midnight - 10)
    spend(engine, "other", at=midnight + 0.001)
    made = budget(engine, per_day={"calls": 1})
    with pytest.raises(BudgetReached) as caught:
        asyncio.run(made.reserve(CALL))
    assert caught.value.reason == "budget_day"
    asyncio.run(budget(engine, per_day={"calls": 2}).reserve(CALL))


def test_a_failed_call_counts_as_a_call(engine: Engine) -> None:
    spend(engine, "r1")
    with pytest.raises(BudgetReached):
        asyncio.run(budget(engine, per_run={"calls": 1}).reserve(CALL))


def test_the_wall_time_of_a_run_is_bounded(engine: Engine) -> None:
    with writing(engine) as session:
        start_run(session, current_owner(), kind="nightly", run_id="r1", now=time.time() - 100)
    asyncio.run(budget(engine, per_run={"seconds": 120}).reserve(CALL))
    with pytest.raises(BudgetReached, match="seconds"):
        asyncio.run(budget(engine, per_run={"seconds": 90}).reserve(CALL))


def test_the_wall_time_of_a_day_adds_up_its_runs(engine: Engine) -> None:
    now = time.time()
    with writing(engine) as session:
        start_run(session, current_owner(), kind="nightly", run_id="crashed", now=now - 70)
        record_call(session, ModelCall(run_id="crashed", at=now - 20, role="default", model="m"))
    asyncio.run(budget(engine, per_day={"seconds": 60}).reserve(CALL))
    with pytest.raises(BudgetReached, match="seconds"):
        asyncio.run(budget(engine, per_day={"seconds": 40}).reserve(CALL))


def test_a_call_waits_for_others_whose_worst_case_leaves_no_room(engine: Engine) -> None:
    made = budget(engine, per_run={"output_tokens": 800})

    async def race() -> float:
        release = await made.reserve(CALL)
        began = time.monotonic()
        waiting = asyncio.create_task(made.reserve(CALL))
        await asyncio.sleep(0.3)
        assert not waiting.done()
        spend(engine, "r1", output_tokens=100)
        release()
        (await waiting)()
        return time.monotonic() - began

    assert asyncio.run(race()) >= 0.3


def test_money_cannot_be_bounded_for_a_model_without_a_price(engine: Engine) -> None:
    unknown = Amount(1, 10, 10, 0.0, None)
    made = budget(engine, per_run={"dollars": 1.0})
    with pytest.raises(ConfigError, match="unknown"):
        asyncio.run(made.reserve(unknown))
    asyncio.run(made.reserve(unknown, is_local=True))
    asyncio.run(budget(engine, per_run={"calls": 5}).reserve(unknown))


def test_a_batch_is_admitted_as_far_as_it_fits(engine: Engine) -> None:
    spend(engine, "r1", cost=0.01)
    count, reached = budget(engine, per_run={"dollars": 0.035}).admit([CALL] * 5)
    assert count == 2
    assert reached is not None and "dollars" in str(reached)
    assert budget(engine).admit([CALL] * 5) == (5, None)


def test_no_limit_is_exceeded_by_calls_at_the_same_time(bench: Bench) -> None:
    async def many(extractor: ModelExtractor) -> list[object]:
        requests = (extractor.extract(request_of("Always use uv.", thread_id=f"c:{n}")) for n in range(30))
        return await asyncio.gather(*requests, return_exceptions=True)

    limits = {"per_run": {"output_tokens": 9000, "dollars": 1.0}, "per_day": {}}
    results = bench.run(many, budget=limits)
    spent = sum(call.output_tokens or 0 for call in bench.calls())
    assert spent <= 9000
    answered = sum(isinstance(result, ExtractReply) for result in results)
    stopped = sum(isinstance(result, BudgetReached) for result in results)
    assert answered + stopped == 30 and answered == len(bench.calls()) and stopped > 0
