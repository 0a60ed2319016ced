"""Bugs that other systems' users reported about saving memories before a compaction, each as a test of ours.

The numbers are those of docs/session-known-bugs.md, where the reports are listed.
"""

from __future__ import annotations

import asyncio
import json
from datetime import datetime
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from slowwave.conversation import Conversation, Limits
from slowwave.errors import ConfigError
from slowwave.paths import session_database_file
from slowwave.session.flushing.shards import Shards, clean_line
from slowwave.session.limits import SessionLimits
from slowwave.storage.insession.flushes import FlushLedger
from slowwave.storage.insession.store import SessionStore
from tests.conversation.conftest import Bench, is_flush, is_summary, shell, write
from tests.session.conftest import Host
from tests.support.loopback import Step


def chat(bench: Bench, talk: Conversation, turns: int, size: int = 90) -> None:
    for number in range(turns):
        bench.replies.append(Step(text=f"Page {number} is done. " + "detail " * size))
        talk.send(f"Build page {number} of the shop")


def rows(talk: Conversation) -> list[Any]:
    return FlushLedger(talk.memory.store).rows(talk.memory.state().key)


def order(bench: Bench) -> list[str]:
    """The calls in the order they came: turn, flush or summary."""
    return ["flush" if is_flush(r) else "summary" if is_summary(r) else "turn" for r in bench.server.messages]


def test_01_output_and_cached_tokens_count(bench: Bench) -> None:
    usage = {
        "input_tokens": 10,
        "cache_read_input_tokens": 900,
        "cache_creation_input_tokens": 80,
        "output_tokens": 400,
    }
    bench.replies = [Step(text="ok", usage=usage)]
    with bench.talk() as talk:
        talk.send("Build the page of the shop")
        assert talk.context_tokens == 1390


def test_02_the_flush_sees_the_history_before_anything_is_cut(bench: Bench, small: Limits) -> None:
    with bench.talk(limits=small) as talk:
        while "summary" not in order(bench):
            chat(bench, talk, 1)
    first = bench.sent(is_flush)[0]
    assert "Build page 0 of the shop" in first["messages"][0]["content"]
    assert order(bench).index("flush") < order(bench).index("summary")


def test_03_one_large_message_that_jumps_over_the_threshold_is_saved_first(bench: Bench, small: Limits) -> None:
    with bench.talk(limits=small) as talk:
        chat(bench, talk, 4, size=30)
        assert order(bench) == ["turn"] * 4
        talk.send("Build the cart, and here are my notes. " + "one more wish for the cart. " * 400)
    assert order(bench)[4:7] == ["flush", "summary", "turn"]


def test_03_a_prompt_that_the_provider_calls_too_long_is_saved_compacted_and_sent_again(bench: Bench) -> None:
    with bench.talk(limits=Limits(context_window=9000, reserve_tokens=1000, compress_at=8000, soft_tokens=500)) as talk:
        chat(bench, talk, 6)
        bench.server.context_window = bench.server.count(bench.sent()[-1]) - 50
        reply = talk.send("Build the cart of the shop")
    assert reply.text == bench.default
    assert [kind for kind, _ in groupby(order(bench)[6:])][:4] == ["turn", "flush", "summary", "turn"]


@pytest.mark.parametrize("usage", [{"input_tokens": 0, "output_tokens": 0}, {"input_tokens": 3, "output_tokens": 1}])
def test_04_an_absent_total_is_estimated(bench: Bench, small: Limits, usage: dict[str, int]) -> None:
    with bench.talk(limits=small) as talk:
        for number in range(40):
            bench.replies = [Step(text=f"Page {number} is done. " + "detail " * 90, usage=usage)]
            talk.send(f"Build page {number} of the shop, with all of its texts and pictures in place")
            if usage["input_tokens"] == 0 and "flush" in order(bench):
                return
    assert usage["input_tokens"] > 0


def test_05_and_10_cycle_zero_flushes_and_every_cycle_does(bench: Bench, small: Limits) -> None:
    with bench.talk(limits=small) as talk:
        while talk.memory.state().compactions < 4:
            chat(bench, talk, 1)
        assert [row.epoch for row in rows(talk)][:4] == [0, 1, 2, 3]


def test_06_after_a_compaction_the_total_is_fresh(bench: Bench, small: Limits) -> None:
    with bench.talk(limits=small) as talk:
        while talk.memory.state().compactions < 1:
            chat(bench, talk, 1)
        before = len(bench.sent(is_flush))
        chat(bench, talk, 1)
        assert talk.context_tokens < small.compaction_point
        assert len(bench.sent(is_flush)) == before


def test_07_a_failed_compaction_blocks_no_later_flush(bench: Bench, small: Limits) -> None:
    bench.summaries = [Step(status=500, message="x")] * 3
    with bench.talk(limits=small) as talk:
        while talk.memory.state().compactions < 2:
            chat(bench, talk, 1)
        assert {row.epoch for row in rows(talk) if row.state in ("done", "empty")} >= {0, 1}


def test_08_and_15_flush_and_compaction_use_the_same_point_and_the_real_window(bench: Bench) -> None:
    limits = Limits(context_window=1_050_000, reserve_tokens=20_000, compaction_trigger=205_000)
    assert limits.compaction_point == 205_000
    with bench.talk(limits=limits) as talk:
        assert talk._core.decision().threshold == 201_000
    small = Limits(context_window=8_000, reserve_tokens=1_000)
    assert small.compaction_point == 7_000


def test_09_and_18_a_threshold_that_could_never_fire_is_refused_when_it_is_set(bench: Bench) -> None:
    with pytest.raises(ConfigError, match="never fire"):
        bench.talk(limits=Limits(context_window=200_000, compress_at=50_000, soft_tokens=160_000))


def test_11_a_second_flush_finds_nothing_new_and_asks_nobody(bench: Bench) -> None:
    with bench.talk() as talk:
        chat(bench, talk, 1)
        talk.flush()
        talk.flush()
        talk.flush("overflow")
    assert len(bench.sent(is_flush)) == 1


def test_12_flush_and_compaction_do_not_call_each_other_for_ever(bench: Bench) -> None:
    limits = Limits(context_window=3000, reserve_tokens=500, soft_tokens=200, compress_at=600)
    with bench.talk(limits=limits, system="s" * 6000) as talk:
        chat(bench, talk, 20, size=20)
    calls = order(bench)
    assert calls.count("turn") == 20
    assert len(calls) < 80


def test_13_the_flush_is_called_and_leaves_its_reason(bench: Bench, small: Limits) -> None:
    with bench.talk(limits=small) as talk:
        while "flush" not in order(bench):
            chat(bench, talk, 1)
        reasons = [row.reason for row in talk.memory.store.decisions("sdk:s") if row.layer == "flush"]
    assert reasons[0] == "nothing_to_save"


def test_14_overflow_recovery_flushes(bench: Bench) -> None:
    with bench.talk(limits=Limits(context_window=9000, reserve_tokens=1000, compress_at=8000, soft_tokens=500)) as talk:
        chat(bench, talk, 6)
        bench.server.context_window = bench.server.count(bench.sent()[-1]) - 50
        talk.send("Build the cart of the shop")
        assert [row.cause for row in rows(talk)] == ["overflow"]


def test_16_a_compaction_never_overtakes_its_flush(bench: Bench, small: Limits) -> None:
    bench.flushes = [Step(text="[SILENT]", delay=0.4)] * 20
    with bench.talk(limits=small) as talk:
        while talk.memory.state().compactions < 2:
            chat(bench, talk, 1)
    for body in bench.sent(is_flush):
        assert "summary" not in body["messages"][0]["content"].lower()[:200]
    types = [t for t in bench.types if t in ("memory_flush_start", "memory_flush_end", "compaction_start")]
    for place, kind in enumerate(types):
        if kind == "compaction_start":
            assert types[place - 1] == "memory_flush_end"


def test_19_a_long_tool_loop_compacts_inside_the_turn_and_keeps_its_pairs(bench: Bench) -> None:
    limits = Limits(context_window=20_000, reserve_tokens=1000, soft_tokens=300, compress_at=2500)
    for number in range(12):
        block = {"type": "tool_use", "id": f"tu{number}", "name": "bash", "input": {"command": f"make {number}"}}
        bench.replies.append(Step(content=[block], stop_reason="tool_use"))
    with bench.talk(limits=limits, tools=[shell("log line of the build\n" * 100)]) as talk:
        reply = talk.send("Build the whole shop, page by page")
    assert reply.text == bench.default
    assert "memory_flush_start" in bench.types
    for body in bench.sent():
        blocks = [b for m in body["messages"] if isinstance(m["content"], list) for b in m["content"]]
        assert [b["id"] for b in blocks if b["type"] == "tool_use"] == [
            b["tool_use_id"] for b in blocks if b["type"] == "tool_result"
        ]


def test_20_and_22_and_21_every_write_appends_whatever_path_is_asked_for(bench: Bench) -> None:
    entry = ("The cart is off limits.", "Build page 0")
    bench.flushes = [write(entry, path="memory.md"), write(("Two.", "Build page 0"), path="../memory.md")]
    root = bench.home / "profiles" / "sdk-p"
    root.mkdir(parents=True)
    (root / "memory.md").write_text("my own notes\n")
    with bench.talk() as talk:
        chat(bench, talk, 1)
        talk.flush()
        chat(bench, talk, 1)
        talk.flush("overflow")
        detail = [row.detail for row in talk.memory.store.decisions("sdk:s") if row.layer == "flush"]
    assert (root / "memory.md").read_text() == "my own notes\n- The cart is off limits.\n"
    assert [file.read_text() for file in (root / "memory").glob("*.md")] == ["- Two.\n"]
    assert "redirected:../memory.md" in detail


def test_24_25_and_33_dates_are_the_user_s_in_name_and_prompt_alike(bench: Bench) -> None:
    zone = "Pacific/Kiritimati"
    bench.flushes = [write(("One.", "Build page 0"), path="memory/YYYY-MM-DD.md")]
    with bench.talk(layers=SessionLimits(time_zone=zone)) as talk:
        chat(bench, talk, 1)
        talk.flush()
    day = datetime.now(ZoneInfo(zone)).date().isoformat()
    [file] = (bench.home / "profiles" / "sdk-p" / "memory").glob("*.md")
    assert file.name == f"{day}.md"
    assert f"Today is {day}" in bench.sent(is_flush)[0]["messages"][0]["content"]


def test_26_duplicates_and_endless_lines_are_bounded(bench: Bench) -> None:
    long = "x" * 1277
    bench.flushes = [write(*[("Same line.", "Build page 0")] * 62, (long, "Build page 0"))]
    with bench.talk() as talk:
        chat(bench, talk, 1)
        talk.flush()
    [file] = (bench.home / "profiles" / "sdk-p" / "memory").glob("*.md")
    lines = file.read_text().splitlines()
    assert len(lines) == 2
    assert max(map(len, lines)) <= 502


def test_28_the_flush_tool_does_not_depend_on_the_conversation_s_tools(bench: Bench) -> None:
    for tools in ([], [shell()]):
        with bench.talk(session_id=f"s{len(tools)}", tools=tools) as talk:
            chat(bench, talk, 1)
            talk.flush()
    assert [[tool["name"] for tool in body["tools"]] for body in bench.sent(is_flush)] == [["memory_write"]] * 2


def test_29_a_retry_has_the_instruction_and_the_tool_limits(bench: Bench) -> None:
    bench.flushes = [Step(status=500, message="x")]
    with bench.talk() as talk:
        chat(bench, talk, 1)
        talk.flush()
        talk.flush()
    first, second = bench.sent(is_flush)
    assert first["system"] == second["system"]
    assert first["tools"] == second["tools"]


@pytest.mark.parametrize(
    "given",
    [{}, {"entries": None}, {"entries": "text"}, {"entries": [None, 3, {"text": 5}]}, {"path": 7, "entries": []}],
)
def test_30_an_invalid_shape_of_the_call_ends_the_flush_and_not_the_turn(bench: Bench, given: dict[str, Any]) -> None:
    block = {"type": "tool_use", "id": "tu", "name": "memory_write", "input": given}
    bench.flushes = [Step(content=[block], stop_reason="tool_use")]
    with bench.talk() as talk:
        chat(bench, talk, 1)
        assert talk.flush() == 0
        assert talk.send("go on with the cart").text == bench.default


def test_31_a_flush_with_an_old_history_reverts_nothing(bench: Bench) -> None:
    shards = Shards(bench.home / "profiles" / "sdk-p")
    newer = shards.write(["The port is 9000 now."])
    bench.flushes = [write(("The port is 8000.", "Build page 0"))]
    with bench.talk() as talk:
        chat(bench, talk, 1)
        talk.flush()
    assert shards.read(newer.path).splitlines() == ["- The port is 9000 now.", "- The port is 8000."]


def test_32_a_flush_always_has_its_store(bench: Bench) -> None:
    bench.flushes = [write(("One.", "Build page 0"))]
    with bench.talk() as talk:
        chat(bench, talk, 1)
        assert talk.flush() == 1


def test_34_a_flush_that_always_fails_wedges_nothing(bench: Bench, small: Limits) -> None:
    bench.flushes = [Step(status=500, message="x")] * 200
    with bench.talk(limits=small) as talk:
        chat(bench, talk, 40)
        assert talk.memory.state().compactions >= 2
        assert len(talk.messages) < 40


def test_35_the_flush_never_replaces_or_joins_the_user_s_turn(bench: Bench, small: Limits) -> None:
    with bench.talk(limits=small) as talk:
        chat(bench, talk, 30)
    said = [body["messages"][-1]["content"] for body in bench.sent()]
    assert [json.dumps(text).count(f"Build page {number} of the shop") for number, text in enumerate(said)] == [1] * 30


def test_36_and_38_silence_and_errors_are_told_apart(bench: Bench) -> None:
    bench.flushes = [Step(text="[SILENT]"), Step(status=529, message="overloaded")]
    with bench.talk() as talk:
        chat(bench, talk, 1)
        talk.flush()
        chat(bench, talk, 1)
        talk.flush("overflow")
        assert [(row.state, bool(row.reason)) for row in rows(talk)] == [("empty", False), ("failed", True)]


def test_37_no_sentinel_reaches_a_reply_or_a_file(bench: Bench, small: Limits) -> None:
    bench.flushes = [write(("[SILENT]", "x"), ("NO_REPLY", "x"), ("Kept.", "Build page 0")), Step(text="[SILENT]")] * 5
    with bench.talk(limits=small) as talk:
        replies = [talk.send(f"Build page {number} of the shop " + "with care " * 30).text for number in range(20)]
    text = "".join(file.read_text() for file in bench.home.rglob("*.md"))
    assert "SILENT" not in "".join(replies) + text
    assert "NO_REPLY" not in text
    assert "- Kept." in text
    assert clean_line("[silent]") == ""


def test_39_maintenance_can_run_while_nobody_waits(bench: Bench, small: Limits) -> None:
    bench.flushes = [Step(text="[SILENT]", delay=0.3)] * 9

    async def run() -> list[str]:
        async with bench.talk_async(limits=small) as talk:
            for number in range(8):
                bench.replies.append(Step(text=f"Page {number} is done. " + "detail " * 90))
                await talk.send(f"Build page {number} of the shop")
                await asyncio.create_task(talk.maintain())
            return bench.types

    types = asyncio.run(run())
    assert "memory_flush_end" in types
    calls = order(bench)
    assert calls[calls.index("flush") - 1] == "turn"


def test_40_what_was_saved_is_looked_for_in_the_file(bench: Bench) -> None:
    bench.flushes = [write(("One.", "Build page 0"), ("Two.", "Build page 0"))]
    with bench.talk() as talk:
        chat(bench, talk, 1)
        assert talk.flush() == 2
        [row] = rows(talk)
    [file] = (bench.home / "profiles" / "sdk-p" / "memory").glob("*.md")
    assert row.saved == len(file.read_text().splitlines()) == 2


def test_44_what_changes_stands_after_the_cached_prefix(bench: Bench) -> None:
    """Each request repeats the one before it up to its last message."""
    with bench.talk(system="You are careful. " * 300) as talk:
        for number in range(8):
            talk.send(
                f"Build page {number} of the shop. Never touch module {number}. Our host{number} is node{number}."
            )
    bodies = bench.sent()
    for before, after in pairwise(bodies):
        assert plain(after["messages"])[: len(before["messages"])] == plain(before["messages"])
        assert plain(after["system"]) == plain(before["system"])


def plain(blocks: Any) -> Any:
    """Without breakpoints, text as blocks."""
    if isinstance(blocks, list):
        return [plain(block) for block in blocks]
    if isinstance(blocks, dict):
        kept = {key: plain(value) for key, value in blocks.items() if key != "cache_control"}
        if isinstance(kept.get("content"), str):
            kept["content"] = [{"type": "text", "text": kept["content"]}]
        return kept
    return blocks


def test_17_hosts_that_compact_by_themselves_flush_once_before_each_compaction(tmp_path: Path) -> None:
    host = Host(tmp_path / "home")
    for number in range(20):
        host.says(f"Build page {number} of the shop, never touch module {number}")
        host.answers("done")
        if number % 5 == 4:
            host.compacts("manual" if number % 2 else "auto")
    host.ends()
    with SessionStore(session_database_file(host.home)) as store:
        found = FlushLedger(store).rows(host.key)
    assert [row.state for row in found] == ["done"] * 4
    assert [row.epoch for row in found] == [0, 1, 2, 3]
