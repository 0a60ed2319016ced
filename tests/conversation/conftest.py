"""A conversation with a loopback endpoint that keeps a prompt cache and counts tokens."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from anthropic import Anthropic, AsyncAnthropic

from slowwave.conversation import AsyncConversation, Conversation, Limits, Tool
from slowwave.session.events import SessionEvent
from tests.support.loopback import LoopbackServer, RequestRecord, Step
from tests.support.prompt_cache import PromptCache

MODEL = "claude-haiku-5-5"


def is_flush(record: RequestRecord) -> bool:
    body = record.json or {}
    return [tool["name"] for tool in body.get("tools") or []] == ["memory_write"]


def is_summary(record: RequestRecord) -> bool:
    return "Summarise the older part" in str((record.json or {}).get("system", ""))


def write(*entries: tuple[str, str], path: str = "") -> Step:
    """A flush answer that saves (text, quote) pairs."""
    rows = [{"text": text, "quote": quote} for text, quote in entries]
    block = {"type": "tool_use", "id": "tu_1", "name": "memory_write", "input": {"path": path, "entries": rows}}
    return Step(content=[block], stop_reason="tool_use")


@dataclass
class Bench:
    """The endpoint and how it answers: `replies` are used up in order, then `default`."""

    server: LoopbackServer
    home: Path
    cache: PromptCache = field(default_factory=PromptCache)
    replies: list[Step] = field(default_factory=list)
    flushes: list[Step] = field(default_factory=list)
    summaries: list[Step] = field(default_factory=list)
    default: str = "All right, done as you asked."
    events: list[SessionEvent] = field(default_factory=list)

    def answer(self, record: RequestRecord) -> Step:
        if is_flush(record):
            step = self.flushes.pop(0) if self.flushes else Step(text="[SILENT]")
        elif is_summary(record):
            step = self.summaries.pop(0) if self.summaries else Step(text="The user builds a shop; pages 1 to 9 stand.")
        else:
            step = self.replies.pop(0) if self.replies else Step(text=self.default)
        if step.usage is None and step.status == 200 and not is_flush(record) and not is_summary(record):
            said = json.dumps(step.content) if step.content is not None else step.text or ""
            usage = {**self.cache.usage_for(record.json), "output_tokens": max(1, len(said) // 4)}
            step = Step(**{**step.__dict__, "usage": usage})
        return step

    def talk(self, **options: Any) -> Conversation:
        client = Anthropic(api_key="k-" + "local", base_url=self.server.base_url, max_retries=0)
        return Conversation(client, **self._options(options))

    def talk_async(self, **options: Any) -> AsyncConversation:
        client = AsyncAnthropic(api_key="k-" + "local", base_url=self.server.base_url, max_retries=0)
        return AsyncConversation(client, **self._options(options))

    def _options(self, options: dict[str, Any]) -> dict[str, Any]:
        base = {"model": MODEL, "session_id": "s", "project_id": "p", "home": self.home, "on_event": self.events.append}
        return {**base, **options}

    def sent(self, kind: Callable[[RequestRecord], bool] | None = None) -> list[dict[str, Any]]:
        """Bodies of the visible calls, or of those that `kind` accepts."""
        wanted = kind or (lambda record: not is_flush(record) and not is_summary(record))
        return [record.json for record in self.server.messages if wanted(record)]

    @property
    def types(self) -> list[str]:
        return [event.type for event in self.events]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with LoopbackServer() as server:
        made = Bench(server, tmp_path / "home")
        server.script(made.answer, times=None)
        yield made


@pytest.fixture
def small() -> Limits:
    """A window in which a few turns reach the compaction."""
    return Limits(context_window=8000, reserve_tokens=1000, soft_tokens=400, compress_at=1500)


def shell(output: str = "ok") -> Tool:
    return Tool("bash", "run", {"type": "object", "properties": {"command": {"type": "string"}}}, lambda given: output)
