"""GitHub Copilot CLI's session logs.

``~/.copilot/session-state/<id>/events.jsonl`` or ``<id>.jsonl`` (``$COPILOT_HOME`` moves the root). One event a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from slowwave.rollouts.base import BaseReader
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import ItemKind, LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.values import (
    blocks_text,
    call_text,
    dict_in,
    dump,
    exit_status_in,
    list_in,
    optional_text,
    parse_time,
    squeezed,
    strip_blobs,
    text_in,
)
from slowwave.rollouts.walk import files_below
from slowwave.text.authors import authorship

_DROPPED_PREFIXES = ("hook.", "permission.", "assistant.", "session.", "system.", "tool.", "subagent.", "skill.")
_DROPPED = frozenset({"abort", "model_change"})


class CopilotPass(LogPass):
    """One pass over a Copilot log."""

    def __init__(self, log: LogFile) -> None:
        stem = log.path.stem
        super().__init__(log, log.path.parent.name if stem == "events" else stem)
        self.calls: dict[str, str] = {}
        self.asked: dict[str, int] = {}


class CopilotReader(BaseReader):
    """Reader of GitHub Copilot CLI logs."""

    agent = "copilot"

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Session files in both layouts."""
        configured = env.get("COPILOT_HOME", "").strip()
        root = (Path(configured) if configured else home / ".copilot") / "session-state"
        for log in files_below(root, self.agent, (".jsonl",), depth=1):
            if log.path.name == "events.jsonl" or log.path.parent == root:
                yield log

    def recognises(self, head: bytes) -> bool:
        """Events with a dotted type and a `data` object."""
        head = squeezed(head)
        start = head[:8192]
        return b'"data":' in start and any(
            mark in start for mark in (b'"type":"session.start"', b'"type":"user.message"', b'"type":"assistant.')
        )

    def begin(self, log: LogFile) -> CopilotPass:
        """Start a pass."""
        return CopilotPass(log)

    def take(self, state: LogPass, record: Record) -> None:
        """Feed one event to the pass."""
        assert isinstance(state, CopilotPass)
        kind, data = text_in(record, "type"), dict_in(record, "data")
        uid = optional_text(record, "id")
        if state.is_repeat(uid):
            return
        time = parse_time(record.get("timestamp"))
        if kind == "session.start":
            self._start(state, data, time)
        elif kind == "session.model_change":
            state.facts.model = optional_text(data, "newModel") or optional_text(data, "model") or state.facts.model
            state.drop(kind)
        elif kind == "user.message":
            state.add_authored(authorship(text_in(data, "content")), time=time, uid=uid)
        elif kind == "assistant.message":
            self._assistant(state, data, time, uid)
        elif kind == "tool.execution_start":
            self._call(state, data, text_in(data, "toolName"), time, uid)
        elif kind == "tool.execution_complete":
            self._result(state, data, time, uid)
        elif kind in _DROPPED or kind.startswith(_DROPPED_PREFIXES):
            state.drop(kind)
        else:
            state.unknown(kind)

    def _start(self, state: CopilotPass, data: dict[str, Any], time: datetime | None) -> None:
        facts, context = state.facts, dict_in(data, "context")
        facts.session_id = optional_text(data, "sessionId") or facts.session_id
        facts.started = parse_time(data.get("startTime")) or time
        facts.model = optional_text(data, "selectedModel") or facts.model
        facts.cwd = state.cwd = optional_text(context, "cwd")
        facts.branch = optional_text(context, "branch")
        host, repository = text_in(context, "repositoryHost"), text_in(context, "repository")
        if repository.count("/") == 1:
            facts.remote = f"https://{host or 'github.com'}/{repository}"
        state.drop("session.start")

    def _assistant(self, state: CopilotPass, data: dict[str, Any], time: datetime | None, uid: str | None) -> None:
        state.facts.model = optional_text(data, "model") or state.facts.model
        state.add(ItemKind.ASSISTANT_TEXT, text_in(data, "content"), time=time, uid=uid)
        if text_in(data, "reasoningText"):
            state.drop("reasoning")
        for request in list_in(data, "toolRequests"):
            self._call(state, request, text_in(request, "name"), time, uid)

    def _call(self, state: CopilotPass, call: Any, name: str, time: datetime | None, uid: str | None) -> None:
        """A call stands in the answer that asks for it and again where it starts."""
        call_id = text_in(call, "toolCallId")
        text = call_text(call.get("arguments") if isinstance(call, dict) else None)
        if call_id and state.asked.get(call_id) == hash(text):
            state.drop("duplicate")
            return
        if call_id:
            state.calls[call_id] = name
            state.asked[call_id] = hash(text)
        state.add(ItemKind.TOOL_CALL, text, time=time, tool=name, call_id=call_id or None, uid=uid)

    def _result(self, state: CopilotPass, data: dict[str, Any], time: datetime | None, uid: str | None) -> None:
        call_id = text_in(data, "toolCallId")
        result, error = data.get("result"), data.get("error")
        text = _result_text(error) if error else _result_text(result)
        success = data.get("success")
        status = exit_status_in(text)
        failed = not success if isinstance(success, bool) else (True if error else None)
        if status:
            failed = True
        state.add(
            ItemKind.TOOL_RESULT,
            strip_blobs(text),
            time=time,
            tool=state.calls.get(call_id) or text_in(data, "toolName") or None,
            call_id=call_id or None,
            exit_status=status,
            failed=failed,
            uid=uid,
        )


def _result_text(result: object) -> str:
    if isinstance(result, dict):
        for key in ("content", "textResultForLlm", "message", "detailedContent"):
            if text := blocks_text(result.get(key)):
                return text
        return dump(result)
    return blocks_text(result)
