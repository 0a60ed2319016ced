"""GitHub Copilot CLI's older sessions: one document each, with the messages as the model was sent them.

``~/.copilot/history-session-state/session_<id>_<time>.json``. Form as public readers of it describe it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from slowwave.rollouts.agents.copilot import CopilotReader
from slowwave.rollouts.base import BaseReader
from slowwave.rollouts.blocks import MessagePass
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.stores.documents import document
from slowwave.rollouts.values import list_in, optional_text, parse_time, squeezed, text_in
from slowwave.rollouts.walk import files_below

_MESSAGE = re.compile(r'\{\s*"role"\s*:\s*"')


class CopilotHistoryReader(BaseReader):
    """Reader of the older documents; they are listed as an agent of their own, beside the newer logs."""

    agent = "copilot-history"

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Documents whose session was not continued in the newer form."""
        configured = env.get("COPILOT_HOME", "").strip()
        root = Path(configured) if configured else home / ".copilot"
        newer = " ".join(log.key for log in CopilotReader(self.own_home).discover(env, home))
        for log in files_below(root / "history-session-state", self.agent, (".json",), depth=0):
            session = re.sub(r"^session_|_\d+$", "", log.path.stem)
            if session not in newer:
                yield log

    def recognises(self, head: bytes) -> bool:
        """A session with chat messages."""
        head = squeezed(head)
        return head.startswith(b"{") and b'"sessionId":' in head[:4096] and b'"chatMessages":' in head

    def begin(self, log: LogFile) -> MessagePass:
        """Start a pass."""
        return MessagePass(log, re.sub(r"^session_|_\d+$", "", log.path.stem))

    def records(self, log: LogFile, state: LogPass) -> Iterator[Record]:
        """The session's own fields, then its messages."""
        found = document(log.path, state.facts, "chatMessages", _MESSAGE)
        facts = state.facts
        facts.session_id = optional_text(found, "sessionId") or facts.session_id
        facts.started = parse_time(found.get("startTime"))
        facts.cwd = state.cwd = optional_text(found, "cwd")
        facts.model = optional_text(found, "selectedModel") or optional_text(found, "model")
        yield from (message for message in list_in(found, "chatMessages") if isinstance(message, dict))

    def take(self, state: LogPass, record: Record) -> None:
        """Feed one message to the pass."""
        assert isinstance(state, MessagePass)
        time = parse_time(record.get("timestamp"))
        call_id = text_in(record, "tool_call_id")
        calls = record.get("tool_calls")
        state.message(text_in(record, "role"), record.get("content"), time=time, calls=calls, call_id=call_id)
