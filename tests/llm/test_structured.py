"""Answers of a given shape: schemas the API accepts, and servers that do not enforce them."""

from __future__ import annotations

import json

import pytest

from slowwave.errors import ModelRejected
from slowwave.llm.base import ConsolidateRequest, ExtractReply, StandingEntry
from slowwave.llm.endpoint.capabilities import Capabilities
from slowwave.llm.endpoint.structured import parse, schema_of
from slowwave.llm.model_extractor import ModelExtractor
from slowwave.llm.prompting.schemas import StageOneReply, StageTwoReply
from slowwave.llm.roles import resolve_roles
from slowwave.text import estimate_tokens
from tests.llm.conftest import Bench, request_of
from tests.support.loopback import LoopbackServer, RequestRecord, Step
from tests.support.loopback.validation import check_message

TEXT = "Please always use uv instead of pip here."
GOOD = '{"outcome":"success","rollout_slug":"a-b","rollout_summary":"x","memories":[]}'


async def extract(extractor: ModelExtractor) -> ExtractReply:
    return await extractor.extract(request_of(TEXT))


@pytest.mark.parametrize("model", [StageOneReply, StageTwoReply])
def test_the_schemas_are_what_the_api_accepts(model: type[StageOneReply] | type[StageTwoReply]) -> None:
    body = {
        "model": "m",
        "max_tokens": 5,
        "messages": [{"role": "user", "content": "x"}],
        "output_config": {"format": {"type": "json_schema", "schema": schema_of(model)}},
    }
    assert check_message(body, "2026-10-21") is None


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"Sure! Here it is:\n\n```json\n{GOOD}\n```\nAnything else?",
        f"<think>{{maybe}}</think>{GOOD}",
        GOOD.replace('"memories":[]', '"memories":[],'),
        GOOD.replace('"', "'"),
    ],
    ids=["bare", "fenced", "after braces", "trailing comma", "single quotes"],
)
def test_json_is_found_in_what_models_write(text: str) -> None:
    assert parse(text, StageOneReply).rollout_slug == "a-b"


@pytest.mark.parametrize(("text", "reason"), [("", "empty_answer"), ("no", "invalid_answer"), ("{}", "invalid_answer")])
def test_what_is_no_answer_is_named(text: str, reason: str) -> None:
    with pytest.raises(ModelRejected) as caught:
        parse(text, StageOneReply)
    assert caught.value.reason == reason


def test_an_unknown_key_is_not_accepted() -> None:
    with pytest.raises(ModelRejected, match="extra"):
        parse(GOOD.replace('"outcome"', '"extra":1,"outcome"'), StageOneReply)


def test_a_server_that_ignores_the_format_is_understood(bench: Bench, server: LoopbackServer) -> None:
    server.features.discard("structured_output")
    assert bench.run(extract).reply.memories
    assert len(server.messages) == 1


def test_a_server_that_refuses_the_format_is_asked_without_it_and_remembered(
    bench: Bench, server: LoopbackServer
) -> None:
    def refuse(record: RequestRecord) -> Step:
        asked = "format" in record.json.get("output_config", {})
        return Step(status=400, message="output_config.format: Extra inputs are not permitted") if asked else Step()

    server.script(refuse, times=None)
    assert bench.run(extract).reply.memories
    assert ["format" in record.json.get("output_config", {}) for record in server.messages] == [True, False]
    assert '"rollout_slug"' in server.messages[1].json["system"][0]["text"]
    bench.run(extract)
    assert len(server.messages) == 3
    role = resolve_roles(bench.settings().models, {}).default
    assert Capabilities(role, bench.engine).offers("structured_output") is False


def test_a_model_that_the_endpoint_only_knows_by_name_gets_no_effort(bench: Bench, server: LoopbackServer) -> None:
    bench.run(extract, default={"model": "qwen3:8b"})
    assert "effort" not in server.messages[0].json["output_config"]


def test_a_configured_capability_is_not_probed(bench: Bench, server: LoopbackServer) -> None:
    bench.run(extract, default={"capabilities": {"structured_output": True}})
    (sent,) = server.messages
    assert '"rollout_slug"' not in sent.json["system"][0]["text"]
    bench.run(extract, default={"capabilities": {"structured_output": False}})
    assert "format" not in server.messages[1].json["output_config"]


def test_a_prompt_near_the_limit_is_counted_exactly_where_the_endpoint_counts(
    bench: Bench, server: LoopbackServer
) -> None:
    line = "Never deploy on a Friday. "
    long = line * (1_500_000 // estimate_tokens(line * 100))
    server.count = lambda body: 17_000  # type: ignore[method-assign]
    bench.run(lambda extractor: extractor.extract(request_of(long)), default={"input_tokens": 20_000})
    assert len(server.asked("/v1/messages/count_tokens")) == 1
    server.features.discard("count_tokens")
    for _ in range(2):
        bench.run(lambda extractor: extractor.extract(request_of(long)), default={"model": "m", "input_tokens": 20_000})
    assert len(server.asked("/v1/messages/count_tokens")) == 2


def test_stage_two_asks_the_other_role_and_falls_back_where_its_model_is_unknown(
    bench: Bench, server: LoopbackServer
) -> None:
    server.script(
        Step(status=404, message="model: tiny"), when=lambda record: record.json["model"] == "tiny", times=None
    )
    request = ConsolidateRequest("demo", "p1", (StandingEntry("m1", "fact", "x", "", "verified", 1, ""),), (), ())
    models = {"smol": {"model": "tiny"}}
    reply = bench.run(lambda extractor: extractor.consolidate(request), models=models)
    assert reply.reply.operations == []
    assert [record.json["model"] for record in server.messages] == ["tiny", "claude-haiku-5-5"]
    assert [(call.role, call.outcome, call.project_id) for call in bench.calls()] == [
        ("smol", "not_found", "p1"),
        ("default", "ok", "p1"),
    ]


def test_a_repair_turn_shows_the_shape(bench: Bench, server: LoopbackServer) -> None:
    server.script(Step(text=json.dumps({"memories": "none"})))
    bench.run(extract)
    assert '"rollout_slug":""' in server.messages[1].json["messages"][-1]["content"]
