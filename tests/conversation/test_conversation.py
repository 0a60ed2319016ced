"""The conversation as a user of the library sees it."""

from __future__ import annotations

import asyncio

import pytest

from slowwave.conversation import Limits, Tool
from slowwave.errors import ConfigError, ModelError
from slowwave.session.limits import SessionLimits
from tests.conversation.conftest import Bench, shell
from tests.support.loopback import Step

TASK = "Migrate the React app to Vite, keep the existing tests, and don't touch the auth flow."
SYSTEM = "You are a careful engineer. " * 200


def use(command: str, number: int = 1) -> Step:
    block = {"type": "tool_use", "id": f"tu_{number}", "name": "bash", "input": {"command": command}}
    return Step(content=[{"type": "text", "text": "Let me look. "}, block], stop_reason="tool_use")


def test_a_turn_carries_the_pins_at_the_end_of_the_system_prompt(bench: Bench) -> None:
    with bench.talk(system=SYSTEM) as talk:
        reply = talk.send(TASK)
    [body] = bench.sent()
    assert reply.text == bench.default
    assert body["system"][0]["text"] == SYSTEM
    assert "don't touch the auth flow" in body["system"][-1]["text"]
    assert all(block["cache_control"] == {"type": "ephemeral", "ttl": "5m"} for block in body["system"])


def test_tools_run_until_there_is_an_answer(bench: Bench) -> None:
    ran: list[str] = []
    tool = Tool("bash", "run", {"type": "object"}, lambda given: ran.append(given["command"]) or "fine")  # type: ignore[func-returns-value]
    bench.replies = [use("ls"), use("cat x", 2), Step(text="There are two files.")]
    with bench.talk(tools=[tool]) as talk:
        reply = talk.send("How many files are there in the folder?")
    assert ran == ["ls", "cat x"]
    assert reply.calls == 3
    assert reply.text == "Let me look. Let me look. There are two files."
    assert [m["role"] for m in bench.sent()[-1]["messages"]] == ["user", "assistant", "user", "assistant", "user"]


def test_a_failing_and_an_unknown_tool_are_results_for_the_model(bench: Bench) -> None:
    broken = Tool("bash", "run", {"type": "object"}, lambda given: 1 / 0)  # type: ignore[arg-type,return-value]
    bench.replies = [use("ls"), Step(text="I see.")]
    with bench.talk(tools=[broken]) as talk:
        talk.send("list the files of the folder")
    result = bench.sent()[-1]["messages"][-1]["content"][0]
    assert (result["is_error"], "ZeroDivisionError" in result["content"]) == (True, True)


def test_a_failed_call_leaves_the_conversation_as_it_was(bench: Bench) -> None:
    with bench.talk() as talk:
        talk.send(TASK)
        before = talk.messages
        bench.replies = [Step(status=529, message="overloaded")]
        with pytest.raises(ModelError):
            talk.send("go on with the router")
        assert talk.messages == before
        assert talk.send("go on with the router").text == bench.default


def test_streaming_yields_the_text_as_it_comes(bench: Bench) -> None:
    bench.default = "word " * 60
    with bench.talk() as talk:
        parts = list(talk.stream(TASK))
        assert "".join(parts) == bench.default
        assert len(parts) > 3
        assert talk.send("thanks, and the router?").text == bench.default


def test_a_failure_while_streaming_is_raised(bench: Bench) -> None:
    bench.replies = [Step(status=500, message="broken")]
    with bench.talk() as talk, pytest.raises(ModelError):
        list(talk.stream(TASK))


def test_the_asynchronous_kind_does_the_same(bench: Bench) -> None:
    async def slow(given: dict[str, object]) -> str:
        await asyncio.sleep(0)
        return "fine"

    async def run() -> tuple[str, str]:
        bench.replies = [use("ls"), Step(text="Two files.")]
        async with bench.talk_async(tools=[Tool("bash", "run", {"type": "object"}, slow)]) as talk:
            first = await talk.send(TASK)
            streamed = "".join([part async for part in talk.stream("and the router?")])
            return first.text, streamed

    assert asyncio.run(run()) == ("Let me look. Two files.", bench.default)


def test_two_async_turns_at_once_wait_for_each_other(bench: Bench) -> None:
    async def run() -> list[str]:
        async with bench.talk_async() as talk:
            await asyncio.gather(*(talk.send(f"Build page {number} of the shop") for number in range(4)))
            return [message["role"] for message in talk.messages]

    assert asyncio.run(run()) == ["user", "assistant"] * 4


def test_long_earlier_turns_are_trimmed_and_facts_come_back(bench: Bench) -> None:
    with bench.talk() as talk:
        talk.send("We deploy to Cloudflare Workers.\n" + "word " * 300)
        talk.send("go on with the router")
        assert "[trimmed" in str(bench.sent()[-1]["messages"][0]["content"])
    with bench.talk(session_id="other") as talk:
        talk.send("how do I deploy the preview?")
    first = bench.sent()[-1]["messages"][0]["content"]
    assert "Cloudflare Workers" in first[0]["text"]
    assert first[1]["text"] == "how do I deploy the preview?"


def test_a_history_can_be_taken_up_in_another_process(bench: Bench) -> None:
    with bench.talk() as talk:
        talk.send(TASK)
        history = talk.messages
    with bench.talk(history=history) as talk:
        talk.send("go on with the router")
    body = bench.sent()[-1]
    assert len(body["messages"]) == 3
    assert "auth flow" in body["system"][-1]["text"]


def test_breakpoints_stand_on_blocks_and_are_at_most_four(bench: Bench) -> None:
    with bench.talk(system=SYSTEM, tools=[shell()]) as talk:
        for number in range(6):
            bench.replies = [use("ls", number), Step(text="fine")]
            talk.send(f"Build page {number} of the shop, never touch the cart")
    for body in bench.sent():
        marks = [b for b in body["system"] if "cache_control" in b]
        for message in body["messages"]:
            assert "cache_control" not in message
            if isinstance(message["content"], list):
                marks += [block for block in message["content"] if "cache_control" in block]
        assert 1 <= len(marks) <= 4
    turns = [m for m in bench.sent()[-2]["messages"] if m["role"] == "assistant"]
    assert "cache_control" in turns[-3]["content"][-1]


def test_an_hour_s_cache_can_be_asked_for_and_caching_can_be_off(bench: Bench) -> None:
    with bench.talk(system=SYSTEM, ttl="1h") as talk:
        talk.send(TASK)
    with bench.talk(system=SYSTEM, cache=False, session_id="t") as talk:
        talk.send(TASK)
    hour, off = bench.sent()
    assert hour["system"][0]["cache_control"]["ttl"] == "1h"
    assert "cache_control" not in str(off)


def test_what_was_read_from_the_cache_is_exposed(bench: Bench) -> None:
    with bench.talk(system=SYSTEM) as talk:
        for number in range(12):
            reply = talk.send(f"Build page {number} of the shop")
        assert talk.cache_use.calls == 12
        assert talk.cache_use.read_share > 0.7
        assert reply.cache.read > 1000


@pytest.mark.parametrize(
    "limits",
    [
        Limits(context_window=8000, reserve_tokens=8000),
        Limits(context_window=8000, reserve_tokens=4000, soft_tokens=4000),
        Limits(compress_at=3000, soft_tokens=4000),
    ],
)
def test_limits_in_which_the_flush_could_never_fire_are_refused(bench: Bench, limits: Limits) -> None:
    with pytest.raises(ConfigError, match="never fire"):
        bench.talk(limits=limits)
    bench.talk(limits=limits, layers=SessionLimits(enable_memory_flush=False)).close()
