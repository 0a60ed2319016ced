"""Endpoints that speak some of the API: each behaviour for stage one, stage two and batches.

Every cell ends in memory or in a message that names the remedy; every call is booked, and none is paid twice.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from slowwave.errors import ModelError
from slowwave.llm.base import ConsolidateRequest, StandingEntry
from slowwave.llm.model_extractor import ModelExtractor
from tests.llm.conftest import Bench, request_of
from tests.support.loopback import LoopbackServer, RequestRecord, Step
from tests.support.loopback.answers import answer_for
from tests.support.night import Night
from tests.support.nursery import Nursery


@dataclass(frozen=True)
class Behaviour:
    """What an endpoint does to a Messages body, and what a night on it must come to: memory, or words in its report."""

    name: str
    act: Callable[[RequestRecord], Step]
    said: str = ""
    features: frozenset[str] = frozenset({"structured_output", "count_tokens", "batches"})
    suffix: str = ""


def refuses(part: Callable[[dict[str, Any]], bool], status: int, message: str) -> Callable[[RequestRecord], Step]:
    return lambda record: Step(status=status, message=message) if part(record.json) else Step()


def has_effort(body: dict[str, Any]) -> bool:
    return "effort" in body.get("output_config", {})


def has_format(body: dict[str, Any]) -> bool:
    return "format" in body.get("output_config", {})


def message(body: dict[str, Any], text: str, **fields: Any) -> bytes:
    whole: dict[str, Any] = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "stop_reason": "end_turn",
        "content": [{"type": "text", "text": text}], "usage": {"input_tokens": 900, "output_tokens": 90},
    }  # fmt: skip
    return json.dumps(whole | fields).encode()


def as_events(record: RequestRecord) -> Step:
    text = answer_for(record.json)
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "content": [],
                                              "model": "m", "usage": {"input_tokens": 900, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text[at : at + 50]}}
          for at in range(0, len(text), 50)),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 90}},
        {"type": "message_stop"},
    ]  # fmt: skip
    body = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()
    return Step(body=body, headers={"content-type": "text/event-stream"})


def thinks_only(record: RequestRecord) -> Step:
    content = [{"type": "thinking", "thinking": answer_for(record.json), "signature": ""}, {"type": "text", "text": ""}]
    return Step(content=content)


def talks_in_a_tool(record: RequestRecord) -> Step:
    call = {"type": "tool_use", "id": "t1", "name": "json", "input": json.loads(answer_for(record.json))}
    return Step(content=[call], stop_reason="tool_use")


BEHAVIOURS = (
    Behaviour("refuses effort by name", refuses(has_effort, 400, "effort: Extra inputs are not permitted")),
    Behaviour("refuses the format by name", refuses(has_format, 400, "response_format is not supported")),
    Behaviour("refuses output_config in other words",
              refuses(lambda body: "output_config" in body, 422, "unexpected key")),
    Behaviour("finds no endpoint for the parameters",
              refuses(has_format, 404, "No endpoints found that support structured_outputs")),
    Behaviour("wants the system text as a string",
              refuses(lambda body: isinstance(body.get("system"), list), 400, "Bad Request")),
    Behaviour("has a small output limit",
              refuses(lambda body: body["max_tokens"] > 2048, 400, "max_tokens must be at most 2048")),
    Behaviour("answers a stream", as_events),
    Behaviour("answers in a thinking block", thinks_only),
    Behaviour("says how much in strings and nonsense",
              lambda record: Step(usage={"input_tokens": "1e9", "output_tokens": -5})),
    Behaviour("answers by a tool call", talks_in_a_tool),
    Behaviour("ignores the format", lambda record: Step(text=f"Here:\n```json\n{answer_for(record.json)}\n```")),
    Behaviour("leaves usage out",
              lambda record: Step(body=message(record.json, answer_for(record.json), usage=None))),
    Behaviour("knows another stop reason", lambda record: Step(stop_reason="eos_token")),
    Behaviour("has no batches and counts no tokens", lambda record: Step(), features=frozenset({"structured_output"})),
    Behaviour("is given with /v1", lambda record: Step(), suffix="/v1"),
    Behaviour("answers a sign-in page", lambda record: Step(body=b"<!doctype html><title>Sign in</title>"),
              said="answered with a web page"),
    Behaviour("wraps an error in a 200", lambda record: Step(body=json.dumps(
        {"type": "error", "error": {"type": "authentication_error", "message": "expired session"}}).encode()),
        said="refuses the API key"),
    Behaviour("knows no such model", lambda record: Step(status=400, message="Unknown model, see the list of models"),
              said="knows no such model"),
    Behaviour("is out of money", lambda record: Step(status=429, message="Insufficient quota for this key"),
              said="no credit"),
)  # fmt: skip


@pytest.mark.parametrize("stage", ["one", "two"])
@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=[b.name.replace(" ", "-") for b in BEHAVIOURS])
def test_a_stage_is_answered_or_says_what_to_do(
    behaviour: Behaviour, stage: str, bench: Bench, server: LoopbackServer
) -> None:
    server.features = set(behaviour.features)
    server.script(behaviour.act, times=None)
    entry = StandingEntry("m1", "fact", "x", "", "verified", 1, "")

    async def work(extractor: ModelExtractor) -> object:
        if stage == "one":
            return (await extractor.extract(request_of("Please always use uv instead of pip here."))).reply.memories
        return (await extractor.consolidate(ConsolidateRequest("demo", "p1", (entry,), (), ()))).reply.operations

    role = {"base_url": server.base_url + behaviour.suffix}
    if behaviour.said:
        with pytest.raises(ModelError) as caught:
            bench.run(work, default=role)
        assert behaviour.said in str(caught.value)
    else:
        found = bench.run(work, default=role)
        assert found if stage == "one" else found == []
        bench.run(work, default=role)
        # What was found out is remembered: the second time, nothing is refused.
        assert [record.status for record in server.messages][-1] == 200
    check_books(behaviour, [call.model_dump() for call in bench.calls()], server, answers=2)


BATCHED = ("refuses the format by name", "wraps an error in a 200", "is out of money")


@pytest.mark.parametrize(
    "behaviour",
    [b if b.name in BATCHED else pytest.param(b, marks=pytest.mark.full) for b in BEHAVIOURS],
    ids=[b.name.replace(" ", "-") for b in BEHAVIOURS],
)
def test_batches_end_in_memory_or_in_a_message(
    behaviour: Behaviour, night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    server.features = set(behaviour.features)
    night.base_url = server.base_url + behaviour.suffix
    night.write_settings(batch=True, stage1Concurrency=2)
    threads = [night.write_session(number) for number in range(2)]
    server.batch_source = (
        behaviour.act if behaviour.name not in ("answers a stream", "answers a sign-in page") else Step()
    )
    paths = ("/v1/messages", "/v1/messages/batches") if "page" in behaviour.name else ("/v1/messages",)
    server.script(behaviour.act, when=lambda record: record.path in paths, times=None)
    report = night.run(nursery)
    if behaviour.said:
        told = [report["message"], *(row["reason_detail"] for row in night.rows("threads"))]
        assert behaviour.said in " ".join(told)
    else:
        assert {night.fates()[thread] for thread in threads} == {"extracted"}
        assert [row["outcome"] for row in report["projects"]] == ["published"]
    # One answer a session and one for the project: nothing is paid twice.
    check_books(behaviour, night.rows("model_calls"), server, answers=3)


def check_books(behaviour: Behaviour, calls: list[dict[str, Any]], server: LoopbackServer, answers: int) -> None:
    answered = [row for row in calls if row["error"] is None]
    assert all(row["input_tokens"] > 0 and row["cost"] > 0 for row in answered)
    if not behaviour.said:
        assert len(answered) <= answers
    assert len([row for row in calls if row["batch_id"] is None]) == len(server.messages)
