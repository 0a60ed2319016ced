"""From a flush to MEMORY.md: flush, pruning, compaction, and the next night remembers what the flush saved."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from anthropic import Anthropic

from slowwave.conversation import Conversation, Limits
from slowwave.session.events import SessionEvent
from tests.conversation.conftest import MODEL, is_flush, is_summary, shell, write
from tests.support.loopback import LoopbackServer, RequestRecord, Step
from tests.support.night import Night
from tests.support.nursery import Nursery

RULE = "Payments of the shop are only ever tested against the sandbox of the bank."


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Nursery]:
    started = Nursery(tmp_path)
    yield started
    started.close()


def work(home: Path, project_id: str) -> list[str]:
    """A conversation with long tool results that reaches its compaction."""
    seen: list[SessionEvent] = []
    output = "log line of the build\n" * 400

    def answer(record: RequestRecord) -> Step:
        if is_flush(record):
            return write((RULE, RULE))
        if is_summary(record):
            return Step(text="The shop grows page by page.")
        usage = {"input_tokens": len(json.dumps(record.json)) // 4}
        last = record.json["messages"][-1]["content"]
        if isinstance(last, list) and last[0]["type"] == "tool_result":
            return Step(text="built", usage=usage)
        block = {"type": "tool_use", "id": f"tu{record.number}", "name": "bash", "input": {"command": "make"}}
        return Step(content=[block], stop_reason="tool_use", usage=usage)

    with LoopbackServer() as server:
        server.script(answer, times=None)
        client = Anthropic(api_key="k-" + "local", base_url=server.base_url, max_retries=0)
        limits = Limits(context_window=40_000, reserve_tokens=1000, soft_tokens=1500, compress_at=6000)
        with Conversation(
            client,
            model=MODEL,
            session_id="day-1",
            project_id=project_id,
            home=home,
            limits=limits,
            tools=[shell(output)],
            on_event=seen.append,
        ) as talk:
            talk.send(f"Build the shop. {RULE}")
            for number in range(10):
                talk.send(f"Go on with page {number} of the shop")
    return [event.type for event in seen]


def test_the_next_night_remembers_what_the_flush_saved(tmp_path: Path, nursery: Nursery) -> None:
    with LoopbackServer() as server:
        night = Night(tmp_path / "user", server.base_url)
        night.write_settings()
        night.write_session(1)
        night.run(nursery)
        [project] = [row for row in night.rows("projects") if not row["user_level"]]
        root = night.home / "slowwave" / "memory"
        [before] = root.glob("*/current/MEMORY.md")
        assert RULE not in before.read_text()

        types = work(night.home / "slowwave", project["id"])
        order = [
            types.index(kind) for kind in ("memory_flush_end", "compaction_start", "results_pruned", "compaction_end")
        ]
        assert order == sorted(order)

        night.run(nursery)
        [after] = root.glob("*/current/MEMORY.md")
        assert RULE in after.read_text()
        quotes = [row["quote"] for row in night.rows("evidence") if row["session_id"] == "day-1"]
        assert RULE in quotes
