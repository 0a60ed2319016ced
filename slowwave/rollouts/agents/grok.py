"""Grok Build's sessions: ``~/.grok/sessions/<encoded folder>/<id>/chat_history.jsonl`` (``$GROK_HOME``).

What the model was sent, line by line, in two dialects; `summary.json` beside it names the folder. Form as in the public
source (`chat_format_version` 1) and as public readers of it describe it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

from slowwave.rollouts.agents.cursor_prompts import typed_in_query
from slowwave.rollouts.base import BaseReader
from slowwave.rollouts.blocks import MessagePass, result_text
from slowwave.rollouts.lines import Record
from slowwave.rollouts.messages import message_authorship
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.stores.documents import beside
from slowwave.rollouts.values import dict_in, optional_text, parse_time, squeezed, text_in
from slowwave.rollouts.walk import files_below
from slowwave.storage.types import SessionKind
from slowwave.text.authors import Authorship

_TYPED_TOO = "interjection"


class GrokReader(BaseReader):
    """Reader of Grok Build's sessions."""

    agent = "grok"

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Sessions of every folder."""
        named = env.get("GROK_HOME", "").strip()
        root = Path(named) if named else home / ".grok"
        for log in files_below(root / "sessions", self.agent, ("chat_history.jsonl",), depth=2):
            if log.path.name == "chat_history.jsonl":
                yield log

    def recognises(self, head: bytes) -> bool:
        """Rows of the model's log: its own system prompt, or answers with a model's name."""
        start = squeezed(head)[:16384]
        return start.startswith(
            (b'{"type":"system","content":', b'{"role":"system","content":', b'{"type":"user","content":[')
        ) and (b'"model_id":"' in start or b"Grok" in start)

    def begin(self, log: LogFile) -> MessagePass:
        """Start a pass; the summary names the folder, else the name of the folder that the session lies in."""
        state = MessagePass(log, log.path.parent.name, _typed)
        summary, facts = beside(log.path.with_name("summary.json")), state.facts
        info = dict_in(summary, "info")
        above = unquote(log.path.parent.parent.name)
        facts.cwd = state.cwd = optional_text(info, "cwd") or (above if above.startswith("/") else None)
        facts.title = optional_text(summary, "generated_title") or optional_text(summary, "session_summary")
        facts.model = optional_text(summary, "current_model_id")
        facts.branch = optional_text(summary, "head_branch")
        facts.parent_session_id = optional_text(summary, "parent_session_id")
        if isinstance(summary, dict):
            facts.started = parse_time(summary.get("created_at"))
            facts.last_activity = parse_time(summary.get("last_active_at") or summary.get("updated_at"))
        if text_in(summary, "session_kind") == "subagent":
            facts.kind = SessionKind.SUBAGENT
        return state

    def take(self, state: LogPass, record: Record) -> None:
        """Feed one row to the pass."""
        assert isinstance(state, MessagePass)
        kind = text_in(record, "type") or text_in(record, "role")
        state.facts.model = optional_text(record, "model_id") or state.facts.model
        reason = text_in(record, "synthetic_reason")
        if kind == "user" and reason not in ("", _TYPED_TOO):
            state.drop(f"synthetic:{reason[:30]}")
        elif kind in ("user", "assistant", "tool", "tool_result"):
            call_id = text_in(record, "tool_call_id")
            state.message(kind, record.get("content"), calls=record.get("tool_calls"), call_id=call_id)
        elif kind in ("system", "reasoning", "backend_tool_call"):
            state.drop(kind)
        else:
            state.unknown(kind)


def _typed(content: object) -> Authorship:
    """Prompts stand in the wrapper that Cursor uses, or bare."""
    text = result_text(content)
    if "<user_query>" in text or text.lstrip().startswith("<user_info>"):
        return typed_in_query(text)
    return message_authorship(content)
