"""A turn happens as a whole or not at all, however it ends: generated conversations with faults at random points.

The logic is driven directly: it yields calls and tools and is sent results, errors or its end, as both drivers do it.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sqlite3
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from anthropic.types import Message

from slowwave.conversation import Limits, Tool
from slowwave.conversation.core import Core
from slowwave.conversation.steps import Call, RunTool
from slowwave.conversation.upkeep import memory_files
from slowwave.errors import ModelError, ModelRejected, ModelUnavailable, PromptTooLong
from slowwave.session.limits import SessionLimits
from slowwave.session.memory import SessionMemory, text_of
from slowwave.session.text import strip_own_blocks
from tests.conversation.conftest import MODEL, Bench, shell
from tests.support.loopback import Step

CONVERSATIONS = 5000 if os.environ.get("SLOWWAVE_FULL") == "1" else 150
SMALL = Limits(context_window=6000, reserve_tokens=500, soft_tokens=300, compress_at=1200)
CALL = {"type": "tool_use", "id": "t1", "name": "bash", "input": {}}
USAGE = {"input_tokens": 0, "output_tokens": 0}


def said(*blocks: dict[str, Any], stop: str = "end_turn") -> Message:
    return Message.model_validate(
        {"id": "m", "type": "message", "role": "assistant", "model": "any", "content": list(blocks),
         "stop_reason": stop, "stop_sequence": None, "usage": USAGE}
    )  # fmt: skip


def check_request(messages: Sequence[dict[str, Any]]) -> None:
    """The Messages API's rules on the order of roles and on tools."""
    assert messages and messages[0]["role"] == "user" == messages[-1]["role"]
    open_calls: list[str] = []
    for before, message in zip([None, *messages], messages, strict=False):
        assert before is None or before["role"] != message["role"], "two messages of one role"
        blocks = message["content"] if isinstance(message["content"], list) else []
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        assert results == open_calls, "tool_use ids without tool_result blocks, or the other way round"
        open_calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
    assert not open_calls


class Faulty:
    """Drives the logic with answers, errors and sudden ends drawn at random."""

    def __init__(self, core: Core, draw: random.Random) -> None:
        self.core = core
        self.draw = draw
        self.calls = 0

    def drive(self, steps: Any) -> str:
        """How it ended: `done`, `failed`, `cancelled`."""
        answer: Any = None
        failure: Exception | None = None
        try:
            while True:
                step = steps.throw(failure) if failure is not None else steps.send(answer)
                answer, failure = None, None
                if self.draw.random() < 0.04:
                    return "cancelled"
                if isinstance(step, Call):
                    answer, failure = self._call(step)
                elif isinstance(step, RunTool):
                    answer = ("x" * self.draw.choice((10, 900, 6000)), False)
        except StopIteration:
            return "done"
        except ModelError:
            return "failed"
        finally:
            steps.close()

    def _call(self, step: Call) -> tuple[Message | None, Exception | None]:
        if step.visible:
            check_request(step.body["messages"])
        if self.draw.random() < 0.12:
            kinds = (ModelUnavailable("529"), ModelRejected("400"), PromptTooLong("too long"))
            return None, self.draw.choice(kinds)
        if not step.visible:
            return said({"type": "text", "text": "[SILENT]" if "tools" in step.body else "so far"}), None
        self.calls += 1
        text = {"type": "text", "text": f"answer {self.calls} " + "word " * self.draw.choice((3, 150))}
        if self.draw.random() < 0.3:
            uses = [
                {"type": "tool_use", "id": f"t{self.calls}-{n}", "name": "bash", "input": {}}
                for n in range(self.draw.choice((1, 2)))
            ]
            return said(text, *uses, stop="tool_use"), None
        return said(text), None


def typed_in(messages: Sequence[dict[str, Any]]) -> list[str]:
    """The numbers of the typed messages that stand in a history."""
    typed = "\n".join(strip_own_blocks(text_of(message)) for message in messages if message["role"] == "user")
    return [word for word in typed.split() if word.startswith("typed#")]


def one_conversation(folder: Path, seed: int) -> None:
    draw = random.Random(seed)
    folder.mkdir()
    memory = SessionMemory(folder / "session.db", session_id="s", project_id="p")
    files = memory_files(folder, "me", None)

    def opened(history: Sequence[dict[str, Any]]) -> Core:
        return Core(memory, files, model="m", system="S", tools=[shell()], limits=SMALL, history=history)

    core, accepted = opened(()), []
    for number in range(draw.choice((4, 9))):
        pins, before = len(memory.store.pins("sdk:s")), list(core.messages)
        word = f"typed#{number}"
        how = Faulty(core, draw).drive(
            core.turn(f"Build {word} , and never touch it. " + "more " * draw.choice((1, 200)))
        )
        if how == "done":
            accepted.append(word)
        else:
            assert len(memory.store.pins("sdk:s")) == pins, "a turn that did not happen left a pin"
            assert word not in json.dumps(core.messages)
            assert len(core.messages) <= len(before)
        standing = typed_in(core.messages)
        assert standing == accepted[len(accepted) - len(standing) :], "lost, doubled or out of order"
        assert len(standing) == len(accepted) or core.summary, "what is gone stands in a summary"
        if draw.random() < 0.1:
            # The process dies; its caller goes on with the history that it was given last.
            core = opened(draw.choice((core.messages, before)) if how != "done" else core.messages)
    memory.close()


@pytest.mark.parametrize("part", range(5))
def test_generated_conversations_stay_valid_and_lose_nothing(tmp_path: Path, part: int) -> None:
    for seed in range(part, CONVERSATIONS, 5):
        one_conversation(tmp_path / str(seed), seed)


def test_a_cancelled_turn_leaves_a_conversation_that_goes_on(bench: Bench) -> None:
    async def run() -> None:
        started = asyncio.Event()

        async def slow(_: dict[str, Any]) -> str:
            started.set()
            await asyncio.sleep(60)
            return "never"

        tool = Tool("bash", "run", {"type": "object"}, slow)
        bench.replies = [Step(content=[CALL], stop_reason="tool_use")]
        async with bench.talk_async(tools=[tool]) as talk:
            turn = asyncio.create_task(talk.send("Start the long job, and never stop the database."))
            await started.wait()
            turn.cancel()
            with pytest.raises(asyncio.CancelledError):
                await turn
            assert talk.messages == []
            assert talk.memory.store.pins("sdk:s") == []
            assert (await talk.send("Then only say hello.")).text == bench.default

    asyncio.run(run())
    check_request(bench.sent()[-1]["messages"])


def test_a_stream_closed_early_takes_its_turn_back(bench: Bench) -> None:
    closed = threading.Event()
    tool = Tool("bash", "run", {"type": "object"}, lambda _: str(closed.wait(30)))
    bench.replies = [Step(content=[{"type": "text", "text": "Let me look."}, CALL], stop_reason="tool_use")]
    with bench.talk(tools=[tool]) as talk:
        parts = talk.stream("Tell me a long story about the harbour.")
        assert next(parts)
        parts.close()
        closed.set()
        assert talk.send("Stop, another question.").text == bench.default
        assert [message["role"] for message in talk.messages] == ["user", "assistant"]
        assert "another question" in json.dumps(talk.messages)
        assert "harbour" not in json.dumps(talk.messages)


def test_ctrl_c_while_a_tool_runs_takes_the_turn_back(bench: Bench) -> None:
    def interrupted(_: dict[str, Any]) -> str:
        raise KeyboardInterrupt

    bench.replies = [Step(content=[CALL], stop_reason="tool_use")]
    with bench.talk(tools=[Tool("bash", "run", {"type": "object"}, interrupted)]) as talk:
        with pytest.raises(KeyboardInterrupt):
            talk.send("Run it.")
        assert talk.messages == []
        assert talk.send("Go on.").text == bench.default


def test_a_locked_store_costs_the_memory_of_a_turn_and_says_so(bench: Bench) -> None:
    with bench.talk() as talk:
        talk.send("We build a shop.")
        locked = sqlite3.connect(bench.home / "session.db", isolation_level=None, check_same_thread=False)
        locked.execute("BEGIN IMMEDIATE")
        threading.Timer(8, locked.rollback).start()
        began = time.monotonic()
        reply = talk.send("And never touch the billing tables.")
        assert time.monotonic() - began < 8
        assert reply.text == bench.default
        assert reply.reasons["after_turn"] or reply.reasons["memory"]
        assert [message["role"] for message in talk.messages] == ["user", "assistant"] * 2


def test_a_failed_turns_message_gives_its_place_in_the_ledger_back(bench: Bench, small: Limits) -> None:
    with bench.talk(limits=small) as talk:
        while not bench.sent(lambda record: "memory_write" in json.dumps(record.json.get("tools", []))):
            talk.send("Page by page. " + "words " * 60)
        bench.replies = [Step(status=529, message="busy")]
        with pytest.raises(ModelError):
            talk.send("The lost one. " + "words " * 60)
        talk.send("The next one is about lanterns. " + "words " * 60)
        talk.flush()
    flushed = [json.dumps(body) for body in bench.sent(lambda r: "memory_write" in json.dumps(r.json.get("tools", [])))]
    assert "lanterns" in flushed[-1]
    assert not any("The lost one" in body for body in flushed)


def test_a_system_prompt_larger_than_the_compression_point_is_not_compressed_away(bench: Bench) -> None:
    with bench.talk(system="rule " * 52_000) as talk:
        for number in range(8):
            talk.send(f"line {number}")
    assert len(bench.server.messages) == 8 + 1  # and one flush at the end


def test_the_cheap_model_looks_at_ended_turns_where_the_settings_ask_for_it(bench: Bench) -> None:
    fact = {"text": "The harbour office closes at noon.", "quote": "the harbour office closes at noon"}
    bench.replies = [Step(text="Planned."), Step(text=json.dumps({"facts": [fact], "pins": []}))]
    with bench.talk(layers=SessionLimits(extract_with_model=True), utility_model="cheap") as talk:
        talk.send("Plan the trip for Friday, given that the harbour office closes at noon.")
        talk.maintain()
        rows = talk.memory.store.rows("SELECT text, source FROM facts")
    assert [tuple(row) for row in rows] == [(fact["text"], "model")]
    assert [body["model"] for body in bench.sent()] == [MODEL, "cheap"]


def test_the_settings_of_the_home_hold_where_none_are_given(bench: Bench) -> None:
    bench.home.mkdir()
    (bench.home / "config.yml").write_text("session:\n  enableMemoryFlush: false\n  compressionTokens: 7000\n")
    with bench.talk() as talk:
        assert not talk.memory.limits.enable_memory_flush
        assert talk.memory.limits.compression_tokens == 7000
