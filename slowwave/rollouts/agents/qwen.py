"""Qwen Code's chats: Claude Code's envelope around Gemini's parts.

``~/.qwen/projects/<slug>/chats/<id>.jsonl`` and ``~/.qwen/tmp/<hash>/chats/`` (``$SLOWWAVE_QWEN_ROOT`` names another
root). Rows as `ChatRecord` of the public source has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from slowwave.rollouts.base import BaseReader
from slowwave.rollouts.blocks import MessagePass
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.values import list_in, optional_text, parse_time, squeezed, text_in
from slowwave.rollouts.walk import files_below


class QwenReader(BaseReader):
    """Reader of Qwen Code's chats."""

    agent = "qwen"

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Chats of every project."""
        named = env.get("SLOWWAVE_QWEN_ROOT", "").strip() or env.get("QWEN_HOME", "").strip()
        root = Path(named) if named else home / ".qwen"
        for below in ("projects", "tmp"):
            for log in files_below(root / below, self.agent, (".jsonl",), depth=2):
                if log.path.parent.name == "chats":
                    yield log

    def recognises(self, head: bytes) -> bool:
        """Rows with Claude Code's ids and Gemini's parts."""
        start = squeezed(head)[:16384]
        return b'"uuid":' in start and b'"sessionId":' in start and (b'"parts":[' in start or b'"model":"qwen' in start)

    def begin(self, log: LogFile) -> MessagePass:
        """Start a pass."""
        return MessagePass(log, log.path.stem)

    def take(self, state: LogPass, record: Record) -> None:
        """Feed one row to the pass."""
        assert isinstance(state, MessagePass)
        uid = optional_text(record, "uuid")
        if state.is_repeat(uid):
            return
        facts = state.facts
        facts.session_id = optional_text(record, "sessionId") or facts.session_id
        state.cwd = optional_text(record, "cwd") or state.cwd
        facts.cwd = facts.cwd or state.cwd
        facts.branch = facts.branch or optional_text(record, "gitBranch")
        facts.model = optional_text(record, "model") or facts.model
        kind, time = text_in(record, "type"), parse_time(record.get("timestamp"))
        message = record.get("message")
        parts = list_in(message, "parts")
        if kind == "user" and record.get("subtype") is None:
            state.message("user", parts, time=time, uid=uid)
        elif kind == "assistant":
            state.message("assistant", parts, time=time, uid=uid)
        elif kind == "tool_result":
            state.message("tool", parts, time=time, uid=uid)
        elif kind in ("system", "user"):
            state.drop(f"{kind}:{text_in(record, 'subtype')[:30]}")
        else:
            state.unknown(kind)
