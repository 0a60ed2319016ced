"""Kimi CLI's and Kimi Code's sessions: the log of what passed between the agent and its screen.

``~/.kimi/sessions/<md5 of the folder>/<id>/wire.jsonl`` (older: `context.jsonl` only) and
``~/.kimi-code/sessions/<project>/<id>/agents/<agent>/wire.jsonl``; `kimi.json` names the folders. Records as the
vendor's documentation and public source have them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from slowwave.rollouts.base import BaseReader
from slowwave.rollouts.blocks import MessagePass
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.stores.documents import beside
from slowwave.rollouts.values import dict_in, list_in, optional_text, parse_time, squeezed, text_in
from slowwave.rollouts.walk import files_below
from slowwave.storage.types import SessionKind

_ANSWERS = frozenset({"ContentPart", "content.part"})
_BETWEEN = frozenset({"ToolResult", "SubagentEvent", "ApprovalRequest", "ApprovalResponse"})
_RESULTS = frozenset({"ToolResult", "tool.result"})


class KimiPass(MessagePass):
    """One pass over a session. A call's arguments are written as they come: `open_call` holds the one that is."""

    def __init__(self, log: LogFile, session_id: str) -> None:
        super().__init__(log, session_id)
        self.open_call: dict[str, Any] = {}
        self.opened: datetime | None = None

    def continued(self, more: str) -> None:
        """Add to the arguments of the open call."""
        function = dict_in(self.open_call, "function")
        if function:
            function["arguments"] = text_in(function, "arguments") + more

    def closed(self) -> None:
        """Add the open call: what comes next is not of it."""
        if self.open_call:
            self.message("assistant", [self.open_call | {"type": "tool_call"}], time=self.opened)
            self.open_call = {}


class KimiReader(BaseReader):
    """Reader of Kimi's sessions."""

    agent = "kimi"

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Sessions of both programs; the model's context stands in only where there is no wire log."""
        named = env.get("SLOWWAVE_KIMI_ROOT", "").strip() or env.get("KIMI_SHARE_DIR", "").strip()
        for root in [Path(named)] if named else [home / ".kimi", home / ".kimi-code"]:
            for log in files_below(root / "sessions", self.agent, ("wire.jsonl", "context.jsonl"), depth=4):
                name = log.path.name
                if name == "wire.jsonl" or (name == "context.jsonl" and not log.path.with_name("wire.jsonl").exists()):
                    yield log

    def recognises(self, head: bytes) -> bool:
        """Records of a turn, in either program's names."""
        start = squeezed(head)[:16384]
        return (b'"message":{"type":"TurnBegin"' in start and b'"payload":' in start) or (
            b'"type":"turn.prompt"' in start and b'"input":' in start
        )

    def begin(self, log: LogFile) -> KimiPass:
        """Start a pass; a sub-agent of Kimi Code has a folder of its own."""
        path = log.path
        is_code = path.parent.parent.name == "agents"
        session = path.parent.parent.parent if is_code else path.parent
        state = KimiPass(log, session.name.removeprefix("session_"))
        if is_code and path.parent.name != "main":
            state.facts.kind = SessionKind.SUBAGENT
            state.facts.parent_session_id = state.facts.session_id
            state.facts.session_id += f"-{path.parent.name}"
        state.cwd = state.facts.cwd = _folder(session)
        return state

    def take(self, state: LogPass, record: Record) -> None:
        """Feed one record to the pass."""
        assert isinstance(state, KimiPass)
        time = parse_time(record.get("timestamp") or record.get("time"))
        kind = text_in(record, "type")
        if message := dict_in(record, "message"):
            self._event(state, text_in(message, "type"), dict_in(message, "payload"), time)
        elif kind in ("turn.prompt", "turn.steer"):
            state.closed()
            origin = text_in(record.get("origin"), "kind") or "user"
            state.message("user" if origin == "user" else f"origin:{origin}", record.get("input"), time=time)
        elif kind == "config.update":
            state.facts.cwd = state.cwd = optional_text(record, "cwd") or state.cwd
            state.facts.model = optional_text(record, "modelAlias") or state.facts.model
        elif kind == "context.append_loop_event":
            event = dict_in(record, "event")
            self._event(state, text_in(event, "type"), event, time)
        elif role := text_in(record, "role"):
            self._context(state, role, record)
        else:
            state.drop(kind[:40] or "untyped")

    def _event(self, state: KimiPass, kind: str, event: dict[str, Any], time: datetime | None) -> None:
        if kind == "ToolCallPart":
            state.continued(text_in(event, "arguments_part"))
            return
        # Results of earlier calls, a sub-agent's events and approvals come in between.
        answers_open = text_in(event, "tool_call_id") == text_in(state.open_call, "id")
        if kind not in _BETWEEN or (kind == "ToolResult" and answers_open):
            state.closed()
        if kind in ("TurnBegin", "SteerInput"):
            state.message("user", event.get("user_input"), time=time)
        elif kind in ("ToolCall", "tool.call"):
            state.open_call, state.opened = dict(event), time
        elif kind in _ANSWERS:
            state.message("assistant", [event.get("part") if kind == "content.part" else event], time=time)
        elif kind in _RESULTS:
            state.message("tool", [event | {"type": "tool_result"}], time=time)
        else:
            state.drop(kind[:40] or "untyped")

    def end(self, state: LogPass) -> None:
        """Add a call that nothing came after."""
        assert isinstance(state, KimiPass)
        state.closed()

    def _context(self, state: MessagePass, role: str, record: Record) -> None:
        """A message of the model's context, where no wire log was kept: its own notes stand in the user's role too."""
        content = record.get("content")
        if role == "user" and (not isinstance(content, str) or content.startswith("<system>")):
            parts = [part for part in list_in(record, "content") if not text_in(part, "text").startswith("<system>")]
            state.drop("harness") if not parts else state.message("user", parts)
            return
        call_id = text_in(record, "tool_call_id")
        state.message(role, content, calls=record.get("tool_calls"), call_id=call_id)


def _folder(session: Path) -> str | None:
    """The working folder: Kimi CLI names a project's folder by a hash of its path, and keeps a list of paths."""
    known = beside(session.parent.parent.parent / "kimi.json")
    for place in list_in(known, "work_dirs"):
        path = text_in(place, "path")
        if hashlib.md5(path.encode(), usedforsecurity=False).hexdigest() == session.parent.name:
            return path
    return None
