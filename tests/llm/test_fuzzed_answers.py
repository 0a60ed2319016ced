"""Whatever an endpoint answers is a value within bounds, or a ModelError of that one session."""

from __future__ import annotations

import json
import random

import httpx2
import pytest

from slowwave.errors import ModelError
from slowwave.llm.endpoint.answers import read_response
from slowwave.llm.endpoint.parsing import LONGEST_TEXT, MOST_ROWS
from slowwave.llm.endpoint.reported import Answered
from slowwave.llm.endpoint.structured import accept
from slowwave.llm.prompting.schemas import StageOneReply
from slowwave.llm.spending.plausible import Bounds, booked
from slowwave.memories.extraction.checks import MAX_MEMORIES, MAX_TEXT, check_reply
from slowwave.rollouts.model import Item, ItemKind, Role
from tests.llm.fuzzed_answers import fuzzed_message, good_answer
from tests.support.loopback import LoopbackServer, RequestRecord, Step
from tests.support.night import Night
from tests.support.nursery import Nursery

CONTROL = json.dumps({"type": "message", "content": [{"type": "text", "text": json.dumps(good_answer(1))}]}).encode()
ITEMS = (Item(0, Role.USER, ItemKind.USER_TEXT, "Always name module 1 after planet 1, never after a colour."),)
REQUEST = httpx2.Request("POST", "http://127.0.0.1:9/v1/messages")


def read(raw: bytes, kind: str = "application/json") -> Answered:
    return read_response(httpx2.Response(200, content=raw, headers={"content-type": kind}, request=REQUEST))


@pytest.mark.parametrize("count", [600, pytest.param(20_000, marks=pytest.mark.full)])
def test_every_answer_is_a_bounded_value_or_an_error_of_its_own(count: int) -> None:
    rng = random.Random(20_261)
    kept = failed = 0
    for number in range(count):
        raw = fuzzed_message(rng)
        kind = rng.choice(("application/json", "text/event-stream", "text/html"))
        try:
            answered = read(raw, kind)
            bounds = Bounds(1000, 8000)
            counts = booked(answered.counts, bounds, len(answered.all_text) // 3, is_absurd=answered.is_absurd)
            assert 0 <= counts.prompt <= 33_000 and 0 <= counts.output <= 24_000
            reply = accept(answered, StageOneReply)
        except ModelError as error:
            str(error).encode()
            failed += 1
            continue
        assert len(reply.memories) <= MOST_ROWS
        assert all(len(memory.text) <= LONGEST_TEXT for memory in reply.memories)
        checked = check_reply(reply, ITEMS)
        assert len(checked.kept) <= MAX_MEMORIES and all(len(one.text) <= MAX_TEXT for one in checked.kept)
        json.dumps([one.as_json() for one in checked.kept], ensure_ascii=False).encode()
        kept += bool(checked.kept)
        if number % 100 == 0:
            control = check_reply(accept(read(CONTROL), StageOneReply), ITEMS)
            assert [one.text for one in control.kept] == [ITEMS[0].text]
    assert kept > count / 20 and failed > count / 5


@pytest.mark.parametrize("count", [8, pytest.param(80, marks=pytest.mark.full)])
def test_a_night_of_such_answers_publishes_what_is_good(
    count: int, night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    control = night.write_session(0, project="control")
    for number in range(1, count + 1):
        night.write_session(number, project=f"fuzzed{number}")
    rng = random.Random(7)

    def answer(record: RequestRecord) -> Step:
        return Step() if "planet 0," in record.prompt else Step(body=fuzzed_message(rng, rng.randint(1, count)))

    server.script(answer, times=None)
    report = night.run(nursery)
    assert night.fates()[control] in ("extracted", "queued")
    server.clear_script()
    if night.fates()[control] == "queued":
        # A model that gives nothing usable stops the run; what waits is done when it works again.
        assert "could not be used" in report["message"] or "failed" in report["message"]
        report = night.run(nursery)
    assert night.fates()[control] == "extracted"
    assert {row["outcome"] for row in report["projects"]} <= {"published", "unchanged", "failed", "stopped"}
    assert any(row["outcome"] == "published" for row in report["projects"])
    assert "internal" not in {row["reason"] for row in night.rows("jobs")}


def test_an_answer_without_measure_is_bounded_and_that_is_said(
    night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    control, huge = night.write_session(0, project="control"), night.write_session(1)
    quote = {"item": 0, "quote": "Always name module 1 after planet 1"}
    memory = {"kind": "constraint", "situation": "", "standing": "user_said", "evidence": [quote]}
    rows = [
        memory | {"text": f"Always name module 1 after planet 1: {n}. " + "x" * 200_000 * (n == 0)} for n in range(1000)
    ]
    answer = {"outcome": "success", "rollout_slug": "a-b", "rollout_summary": "s", "memories": rows, "open_work": []}
    step = Step(text=json.dumps(answer))
    server.script(step, when=lambda record: "planet 1," in record.prompt and '"item"' in record.prompt, times=None)
    night.run(nursery)
    outputs = {row["thread_id"]: row for row in night.rows("stage_one_outputs")}
    assert outputs[control]["memories"]
    assert len(outputs[huge]["memories"]) <= MAX_MEMORIES
    assert all(len(one["text"]) <= MAX_TEXT for one in outputs[huge]["memories"])
    assert sum(outputs[huge]["rejected"].values()) >= 900
