"""Factory Droid's sessions: ``~/.factory/sessions/<slug>/<id>.jsonl`` (``$SLOWWAVE_DROID_ROOT`` names another root).

A header with the folder, then messages in the shape of the Messages API; `<id>.settings.json` beside it names the
model. Form as public readers of it describe it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from slowwave.rollouts.base import BaseReader
from slowwave.rollouts.blocks import MessagePass
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.stores.documents import beside
from slowwave.rollouts.values import optional_text, parse_time, squeezed, text_in
from slowwave.rollouts.walk import files_below
from slowwave.storage.types import SessionKind

_BOOKKEEPING = ("session_end", "todo_state", "compaction_state", "compaction", "summary", "checkpoint", "file_history")


class DroidReader(BaseReader):
    """Reader of Factory Droid's sessions."""

    agent = "droid"

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Sessions of every project."""
        named = env.get("SLOWWAVE_DROID_ROOT", "").strip()
        root = Path(named) if named else home / ".factory"
        yield from files_below(root / "sessions", self.agent, (".jsonl",), depth=2)

    def recognises(self, head: bytes) -> bool:
        """A header that starts a session."""
        return squeezed(head).startswith(b'{"type":"session_start","id":')

    def begin(self, log: LogFile) -> MessagePass:
        """Start a pass."""
        state = MessagePass(log, log.path.stem)
        state.facts.model = optional_text(beside(log.path.with_suffix(".settings.json")), "model")
        return state

    def take(self, state: LogPass, record: Record) -> None:
        """Feed the header or one message to the pass."""
        assert isinstance(state, MessagePass)
        facts, kind = state.facts, text_in(record, "type")
        if kind == "session_start":
            facts.session_id = optional_text(record, "id") or facts.session_id
            facts.title = optional_text(record, "sessionTitle") or optional_text(record, "title")
            facts.cwd = state.cwd = optional_text(record, "cwd")
            facts.parent_session_id = optional_text(record, "callingSessionId") or optional_text(record, "parent")
            facts.kind = SessionKind.SUBAGENT if facts.parent_session_id else facts.kind
            state.drop(kind)
        elif kind == "message":
            uid = optional_text(record, "id")
            message = record.get("message")
            if not state.is_repeat(uid) and isinstance(message, dict):
                time = parse_time(record.get("timestamp"))
                state.message(text_in(message, "role"), message.get("content"), time=time, uid=uid)
        elif kind in _BOOKKEEPING:
            state.drop(kind)
        else:
            state.unknown(kind)
