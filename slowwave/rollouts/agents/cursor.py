"""Cursor's sessions: transcripts of its agent, its command line's databases, and the editor's own database.

Transcripts lie in ``~/.cursor/projects/<slug>/agent-transcripts/<id>/<id>.jsonl`` (older: ``<id>.jsonl``, ``<id>.txt``)
and carry neither times nor results; the database ``.../Cursor/User/globalStorage/state.vscdb`` has both, so a session
that it holds is taken from there. Formats as public readers of them describe them; the vendor documents none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from slowwave.rollouts.agents import cursor_databases
from slowwave.rollouts.agents.cursor_prompts import prompt_time, text_records, typed_in_query
from slowwave.rollouts.base import BaseReader, open_log
from slowwave.rollouts.blocks import CALL, MessagePass, parts_of
from slowwave.rollouts.lines import MAX_LINE, Record
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.stores.databases import SQLITE_MAGIC
from slowwave.rollouts.stores.workspaces import folder_of_slug
from slowwave.rollouts.values import dump, squeezed, text_in
from slowwave.rollouts.walk import files_below
from slowwave.storage.types import SessionKind

_PATH = re.compile(r"(?:/|[A-Za-z]:\\\\?)[\w./\\ @+-]{2,300}")
_MOST_PATHS = 400


class CursorPass(MessagePass):
    """One pass over a Cursor session. `paths` are folders that its calls name: one of them may be the project's."""

    def __init__(self, log: LogFile) -> None:
        session = log.key.rsplit("#", 1)[1] if "#" in log.key else log.path.stem
        super().__init__(log, session if session != "store" else log.path.parent.name, typed_in_query)
        self.paths: dict[str, None] = {}
        if log.path.parent.name == "subagents":
            self.facts.kind = SessionKind.SUBAGENT
            self.facts.parent_session_id = log.path.parent.parent.name


class CursorReader(BaseReader):
    """Reader of Cursor's sessions."""

    agent = "cursor"

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """The editor's sessions, then transcripts of others, then those of the command line."""
        held: set[str] = set()
        for log in cursor_databases.editor_sessions(env, home, self.agent):
            session = log.key.rsplit("#", 1)[-1]
            if session not in held:
                held.add(session)
                yield log
        root = cursor_root(env, home)
        for log in files_below(root / "projects", self.agent, (".jsonl", ".txt"), depth=4):
            if "agent-transcripts" in log.path.parts and log.path.stem not in held:
                held.add(log.path.stem)
                yield log
        for log in files_below(root / "chats", self.agent, ("store.db",), depth=2):
            if log.path.parent.name not in held:
                yield log

    def recognises(self, head: bytes) -> bool:
        """Rows of a role and a message and nothing else, or a database with Cursor's tables."""
        if head.startswith(SQLITE_MAGIC):
            return cursor_databases.is_cursors(head)
        start = squeezed(head)[:200]
        return start.startswith((b'{"role":"user","message":{', b'{"role":"assistant","message":{')) or (
            start.startswith(b"user:\n") and b"<user_query>" in head
        )

    def begin(self, log: LogFile) -> CursorPass:
        """Start a pass."""
        return CursorPass(log)

    def records(self, log: LogFile, state: LogPass) -> Iterator[Record]:
        """Messages of any of the forms, in the one that the transcripts have."""
        assert isinstance(state, CursorPass)
        with open_log(log.path) as stream:
            head = stream.read(16)
            stream.seek(0)
            if head.startswith(SQLITE_MAGIC):
                yield from cursor_databases.database_records(log, state)
            elif head.startswith((b"user:", b"assistant:")):
                yield from text_records(stream.read(MAX_LINE).decode("utf-8", "replace"))
            else:
                yield from self.lines(stream, state, limit=log.size or None)

    def take(self, state: LogPass, record: Record) -> None:
        """Feed one message to the pass."""
        assert isinstance(state, CursorPass)
        if "bubbleId" in record:
            cursor_databases.take_bubble(state, record)
            return
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else record.get("content")
        if not state.facts.cwd and state.hashing:
            self._remember(state, content)
        role = text_in(record, "role")
        if not role:
            kind = text_in(record, "type")
            state.drop(kind) if kind == "turn_ended" else state.unknown(kind)
            return
        state.message(role, content, time=cursor_databases.time_of(record) or prompt_time(content))

    def _remember(self, state: CursorPass, content: object) -> None:
        for part in parts_of(content):
            if part.kind == CALL and len(state.paths) < _MOST_PATHS:
                words = part.value if isinstance(part.value, str) else dump(part.value)
                state.paths.update(dict.fromkeys(_PATH.findall(words[:4000])[:20]))

    def end(self, state: LogPass) -> None:
        """Name the working folder after the project's slug; without success the project's own folder stands for it."""
        assert isinstance(state, CursorPass)
        parts = state.log.path.parts
        if state.facts.cwd or not state.hashing or "agent-transcripts" not in parts:
            return
        project = Path(*parts[: parts.index("agent-transcripts")])
        state.settle_cwd(folder_of_slug(project.name, state.paths) or str(project))


def cursor_root(env: Mapping[str, str], home: Path) -> Path:
    """Cursor's folder; ``$SLOWWAVE_CURSOR_ROOT`` names another."""
    named = env.get("SLOWWAVE_CURSOR_ROOT", "").strip()
    return Path(named) if named else home / ".cursor"
