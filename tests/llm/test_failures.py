"""Every way in which a provider can fail, against a real server: the error, its reason, what was sent and booked."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from typing import Any

import pytest

from slowwave.errors import (
    BudgetReached,
    ModelDenied,
    ModelError,
    ModelRejected,
    ModelUnavailable,
    PromptTooLong,
)
from slowwave.llm.base import ExtractReply
from slowwave.llm.model_extractor import ModelExtractor
from tests.llm.conftest import Bench, request_of
from tests.support.loopback import LoopbackServer, Step

TEXT = "Please always use uv instead of pip here."


async def extract(extractor: ModelExtractor) -> ExtractReply:
    return await extractor.extract(request_of(TEXT))


FATAL = [
    (Step(status=400, message="messages: something odd"), ModelRejected, "bad_request", 1),
    (
        Step(status=400, message="prompt is too long: 1200000 tokens > 1000000 maximum"),
        PromptTooLong,
        "prompt_too_long",
        1,
    ),
    (
        Step(
            status=400,
            message="You have reached your specified API usage limits. You will regain access on 2026-12-01.",
        ),
        ModelDenied,
        "usage_limit",
        1,
    ),
    (Step(status=400, message="Your credit balance is too low to access the API."), ModelDenied, "no_credit", 1),
    (Step(status=401, message="invalid API key"), ModelDenied, "wrong_key", 1),
    (Step(status=402, message="payment required"), ModelDenied, "no_credit", 1),
    (Step(status=403, message="no access"), ModelDenied, "no_permission", 1),
    (Step(status=404, message="model: claude-haiku-5-5"), ModelDenied, "not_found", 1),
    (Step(status=413, message="Request exceeds the maximum size"), PromptTooLong, "request_too_large", 1),
    (Step(status=429, error_code="enforced_spend_limit_reached"), ModelDenied, "spend_limit", 1),
    (Step(status=307, body=b"", headers={"location": "http://127.0.0.1:9/v1/messages"}), ModelDenied, "redirected", 1),
    (Step(stop_reason="refusal", content=[]), ModelRejected, "refusal", 1),
    (Step(stop_reason="model_context_window_exceeded"), PromptTooLong, "context_window", 1),
    (Step(stop_reason="pause_turn"), ModelRejected, "unexpected_stop", 1),
]
PASSING = [
    (Step(status=429, headers={"retry-after": "0"}), "rate_limited"),
    (Step(status=429), "rate_limited"),
    (Step(status=500, message="boom"), "server_error"),
    (Step(status=503, message="down"), "overloaded"),
    (Step(status=504, message="slow"), "server_error"),
    (Step(status=529, message="Overloaded"), "overloaded"),
    (Step(status=408, message="timeout"), "server_error"),
    (Step(status=409, message="conflict"), "server_error"),
    (Step(fault="reset"), "connection"),
    (Step(fault="close"), "connection"),
    (Step(fault="cut_body"), "connection"),
    (Step(body=b'{"id": "msg_1", "type": "mess'), "invalid_response"),
    (Step(body=b"<html>proxy error</html>"), "invalid_response"),
    (Step(body=b"{}"), "invalid_response"),
    (Step(body=b'{"content": null}'), "invalid_response"),
    (Step(body=b"[]"), "invalid_response"),
    (Step(body=b"\xff\xfe\x00"), "invalid_response"),
]


@pytest.mark.parametrize(("step", "kind", "reason", "sent"), FATAL, ids=[row[2] + str(row[0].status) for row in FATAL])
def test_what_no_repetition_helps_is_sent_once(
    bench: Bench, step: Step, kind: type[ModelError], reason: str, sent: int
) -> None:
    bench.server.script(step, times=None)
    with pytest.raises(kind) as caught:
        bench.run(extract)
    assert type(caught.value) is kind
    assert caught.value.reason == reason
    assert len(bench.server.messages) == sent
    assert len(bench.calls()) == sent


@pytest.mark.parametrize(("step", "reason"), PASSING, ids=[f"{row[1]}-{n}" for n, row in enumerate(PASSING)])
def test_what_passes_is_repeated_and_booked(bench: Bench, step: Step, reason: str) -> None:
    bench.server.script(step)
    reply = bench.run(extract).reply
    assert reply.memories[0].evidence[0].quote == TEXT
    assert [call.outcome for call in bench.calls()] == [reason, "ok"]
    first, second = bench.calls()
    # What an endpoint may have worked on is booked at its bounds; a refusal costs nothing.
    was_worked_on = reason == "connection" or (reason == "invalid_response" and b"html" not in (step.body or b""))
    assert ((first.cost or 0) > 0, (first.input_tokens or 0) > 0) == (was_worked_on, was_worked_on)
    assert second.cost is not None and second.cost > 0


@pytest.mark.parametrize("step", [Step(status=529), Step(fault="close")], ids=["overloaded", "connection"])
def test_what_does_not_pass_is_given_up_after_three_tries(bench: Bench, step: Step) -> None:
    bench.server.script(step, times=None)
    with pytest.raises(ModelUnavailable):
        bench.run(extract)
    assert len(bench.server.messages) == 3


def test_a_short_retry_after_is_honoured(bench: Bench) -> None:
    bench.server.script(Step(status=429, headers={"retry-after": "1.2"}))
    bench.run(extract)
    first, second = bench.server.messages
    assert second.at - first.at >= 1.2


def test_a_huge_retry_after_is_not_slept_but_handed_on(bench: Bench) -> None:
    bench.server.script(Step(status=429, headers={"retry-after": "4000000"}), times=None)
    began = time.monotonic()
    with pytest.raises(ModelUnavailable) as caught:
        bench.run(extract)
    assert time.monotonic() - began < 3
    assert caught.value.reason == "rate_limited"
    assert caught.value.retry_after == 86_400
    assert len(bench.server.messages) == 1


@pytest.mark.parametrize("fault", ["hang", "drip"])
def test_an_endpoint_that_never_ends_is_cut_off_at_the_deadline(bench: Bench, fault: Any) -> None:
    bench.server.script(Step(fault=fault), times=None)
    began = time.monotonic()
    with pytest.raises(ModelUnavailable) as caught:
        bench.run(extract, default={"timeout_seconds": 1})
    assert caught.value.reason == "timeout"
    assert time.monotonic() - began < 8
    assert len(bench.server.messages) == 1


def test_an_endless_body_at_full_speed_is_cut_off_by_its_size(bench: Bench) -> None:
    bench.server.script(Step(body=b" " * 40_000_000), times=None)
    with pytest.raises(ModelUnavailable) as caught:
        bench.run(extract, default={"timeout_seconds": 30})
    assert caught.value.reason == "connection"


def test_an_endpoint_that_is_not_there(bench: Bench) -> None:
    with LoopbackServer() as gone:
        url = gone.base_url
    with pytest.raises(ModelUnavailable) as caught:
        bench.run(extract, default={"base_url": url})
    assert caught.value.reason == "connection"


def test_a_cut_answer_is_asked_for_again_with_more_room(bench: Bench) -> None:
    bench.server.script(Step(cut=40))
    assert bench.run(extract).reply.memories
    first, second = bench.server.messages
    assert second.json["max_tokens"] == 2 * first.json["max_tokens"]
    assert [call.outcome for call in bench.calls()] == ["max_tokens", "ok"]


def test_an_answer_that_is_cut_twice_is_named(bench: Bench) -> None:
    bench.server.script(Step(cut=40), times=None)
    with pytest.raises(ModelRejected) as caught:
        bench.run(extract)
    assert caught.value.reason == "answer_cut"
    assert len(bench.server.messages) == 2


def test_an_empty_answer_gets_one_more_try(bench: Bench) -> None:
    bench.server.script(Step(content=[]))
    assert bench.run(extract).reply.memories
    bench.server.script(Step(content=[]), times=None)
    with pytest.raises(ModelRejected) as caught:
        bench.run(extract)
    assert caught.value.reason == "empty_answer"


def test_thinking_before_the_text_is_skipped(bench: Bench) -> None:
    bench.server.script(Step(thinking=True))
    assert bench.run(extract).reply.memories


def test_json_of_the_wrong_shape_is_repaired_in_one_turn_that_says_what_is_wrong(bench: Bench) -> None:
    bench.server.script(Step(text='{"outcome": "great", "memories": []}'))
    assert bench.run(extract).reply.memories
    turns = bench.server.messages[1].json["messages"]
    assert [turn["role"] for turn in turns] == ["user", "assistant", "user"]
    assert "outcome" in turns[2]["content"] and "rollout_slug" in turns[2]["content"]


def test_no_json_in_two_tries_is_named(bench: Bench) -> None:
    bench.server.script(Step(text="I would rather talk about the weather."), times=None)
    with pytest.raises(ModelRejected) as caught:
        bench.run(extract)
    assert caught.value.reason == "invalid_answer"
    assert len(bench.server.messages) == 2


def test_a_wrong_key_costs_one_request_however_many_sessions_wait(bench: Bench) -> None:
    bench.server.keys = {"another"}

    async def many(extractor: ModelExtractor) -> list[object]:
        requests = (extractor.extract(request_of(TEXT, thread_id=f"claude:{n}")) for n in range(20))
        return await asyncio.gather(*requests, return_exceptions=True)

    results = bench.run(many)
    assert len(bench.server.messages) == 1
    assert {type(result) for result in results} == {ModelDenied}
    assert all(isinstance(result, ModelDenied) and result.reason == "wrong_key" for result in results)


def test_a_key_that_the_provider_quotes_is_not_kept(bench: Bench) -> None:
    key = "sk-" + "ant-api03-" + "Qm7Zk2Vx9LpT4wRb8NcY5sHd1JfGa3Ue" * 2 + "AA"
    bench.server.script(Step(status=401, message=f"invalid x-api-key: {key}"))
    with pytest.raises(ModelDenied):
        bench.run(extract)
    assert key not in str(bench.calls()[0].error)
    assert "invalid x-api-key" in str(bench.calls()[0].error)


def test_an_endpoint_that_is_down_stops_the_run_after_twelve_failures(bench: Bench) -> None:
    bench.server.script(Step(status=400, message="messages: odd"), times=2)
    bench.server.script(Step(fault="close"), times=None)

    async def many(extractor: ModelExtractor) -> list[object]:
        return [
            (
                await asyncio.gather(
                    extractor.extract(request_of(TEXT, thread_id=f"claude:{n}")), return_exceptions=True
                )
            )[0]
            for n in range(12)
        ]

    results = bench.run(many)
    reasons = [getattr(result, "reason", "") for result in results]
    assert reasons[:2] == ["bad_request"] * 2
    assert reasons[2:5] == ["connection"] * 3
    assert reasons[6:] == ["endpoint_down"] * 6
    assert len(bench.server.messages) == 2 + 12


def test_an_endpoint_that_rejects_every_request_stops_the_run_after_three(bench: Bench) -> None:
    bench.server.script(Step(status=400, message="no"), times=None)

    async def many(extractor: ModelExtractor) -> list[object]:
        requests = (extractor.extract(request_of(TEXT, thread_id=f"claude:{n}")) for n in range(20))
        return await asyncio.gather(*requests, return_exceptions=True)

    reasons = Counter(getattr(result, "reason", "") for result in bench.run(many))
    # The first one is tried without each part that could be the reason, and without all of them.
    assert len(bench.server.messages) == 3 + 4
    assert reasons == {"bad_request": 3, "endpoint_rejects": 17}


def test_one_bad_session_does_not_touch_the_others(bench: Bench) -> None:
    def answer(record: Any) -> Step:
        return Step(status=400, message="messages: odd") if "claude:3" in record.prompt else Step()

    bench.server.script(answer, times=None)

    async def many(extractor: ModelExtractor) -> list[object]:
        requests = (extractor.extract(request_of(TEXT, thread_id=f"claude:{n}")) for n in range(8))
        return await asyncio.gather(*requests, return_exceptions=True)

    results = bench.run(many)
    assert [isinstance(result, ExtractReply) for result in results] == [n != 3 for n in range(8)]


def test_a_cancelled_call_is_booked(bench: Bench) -> None:
    bench.server.script(Step(fault="hang"), times=None)

    async def cancelled(extractor: ModelExtractor) -> None:
        task = asyncio.create_task(extractor.extract(request_of(TEXT)))
        await asyncio.to_thread(bench.server.wait_for, 1)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    bench.run(cancelled)
    assert [call.outcome for call in bench.calls()] == ["cancelled"]


def test_a_prompt_over_the_window_is_refused_by_the_provider(bench: Bench) -> None:
    bench.server.context_window = 1000
    with pytest.raises(PromptTooLong):
        bench.run(extract)


def test_a_lone_surrogate_in_a_session_can_be_sent(bench: Bench) -> None:
    reply = bench.run(lambda extractor: extractor.extract(request_of("Never use \ud800 in names, please.")))
    assert "Never use ? in names" in json.dumps(bench.server.messages[0].json)
    assert reply.reply.memories


def test_no_more_calls_are_under_way_than_allowed(bench: Bench) -> None:
    bench.server.latency = 0.15

    async def many(extractor: ModelExtractor) -> float:
        await extract(extractor)
        began = time.monotonic()
        requests = (extractor.extract(request_of(TEXT, thread_id=f"claude:{n}")) for n in range(9))
        await asyncio.gather(*requests)
        return time.monotonic() - began

    assert bench.run(many, memories={"stage1_concurrency": 3}) >= 3 * 0.15


def test_calls_stop_before_a_limit_is_exceeded(bench: Bench) -> None:
    async def many(extractor: ModelExtractor) -> list[object]:
        requests = (extractor.extract(request_of(TEXT, thread_id=f"claude:{n}")) for n in range(12))
        return await asyncio.gather(*requests, return_exceptions=True)

    results = bench.run(many, budget={"per_run": {"calls": 5}, "per_day": {}})
    assert len(bench.server.messages) == 5
    assert sum(isinstance(result, ExtractReply) for result in results) == 5
    stopped = [result for result in results if isinstance(result, BudgetReached)]
    assert len(stopped) == 7 and {result.reason for result in stopped} == {"budget_run"}
