"""Goose's sessions: a SQLite database, and JSON lines before it.

``~/.local/share/goose/sessions/sessions.db`` (``$GOOSE_PATH_ROOT``, ``$XDG_DATA_HOME``), else ``<id>.jsonl`` beside it.
Columns and blocks as in the public source (`session_manager.rs`, `message.rs`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from sqlite3 import Connection

from slowwave.errors import RolloutVanished
from slowwave.rollouts.blocks import MessagePass, decoded_list
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.stores.databases import DatabaseReader, decoded_object, session_in
from slowwave.rollouts.values import optional_text, parse_time, squeezed, text_in
from slowwave.rollouts.walk import files_below
from slowwave.storage.types import SessionKind

_UNSEEN = frozenset({"scheduled", "sub_agent", "hidden", "acp_hidden"})


class GooseReader(DatabaseReader):
    """Reader of Goose's sessions."""

    agent = "goose"
    older_lines = True
    words = (b"content_json", b"working_dir", b"session_id")
    listing = """
        SELECT session_id, sum(length(content_json)), max(created_timestamp) * 1000
        FROM messages GROUP BY session_id
    """

    def databases(self, env: Mapping[str, str], home: Path) -> Iterable[Path]:
        """The one database."""
        return [_folder(env, home) / "sessions.db"]

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """The database's sessions, then older files that it does not hold."""
        held: set[str] = set()
        for log in super().discover(env, home):
            held.add(session_in(log))
            yield log
        for log in files_below(_folder(env, home), self.agent, (".jsonl",), depth=0):
            if log.path.stem not in held:
                yield log

    def recognises(self, head: bytes) -> bool:
        """The database, or a header with a working folder and a description."""
        if super().recognises(head):
            return True
        start = squeezed(head).split(b"\n", 1)[0][:4096]
        return b'"working_dir":' in start and b'"description":' in start

    def begin(self, log: LogFile) -> MessagePass:
        """Start a pass."""
        return MessagePass(log, session_in(log))

    def rows(self, connection: Connection, session_id: str, state: LogPass) -> Iterator[Record]:
        """The session's row as a header, then its messages."""
        row = connection.execute("SELECT * FROM sessions WHERE id = ?", (session_id,)).fetchone()
        if row is None:
            raise RolloutVanished(f"session {session_id} is gone from {state.log.path}")
        yield {key: row[key] for key in row.keys()}  # noqa: SIM118 - a row is no mapping
        messages = connection.execute(
            "SELECT * FROM messages WHERE session_id = ? ORDER BY created_timestamp, id", (session_id,)
        )
        for message in messages:
            found = {key: message[key] for key in message.keys()}  # noqa: SIM118
            yield {
                "id": found.get("message_id") or f"row-{found.get('id')}",
                "role": found.get("role"),
                "created": found.get("created_timestamp"),
                "content": decoded_list(found.get("content_json")),
                "metadata": decoded_object(found.get("metadata_json")),
            }

    def take(self, state: LogPass, record: Record) -> None:
        """Feed the header or one message to the pass."""
        assert isinstance(state, MessagePass)
        facts = state.facts
        if "working_dir" in record:
            facts.cwd = state.cwd = optional_text(record, "working_dir")
            facts.title = optional_text(record, "name") or optional_text(record, "description")
            facts.model = optional_text(decoded_object(record.get("model_config_json")), "model_name")
            facts.parent_session_id = optional_text(record, "parent_session_id")
            if text_in(record, "session_type") in _UNSEEN:
                is_sub = text_in(record, "session_type") == "sub_agent"
                facts.kind = SessionKind.SUBAGENT if is_sub else SessionKind.HEADLESS
            return
        uid = optional_text(record, "id")
        metadata = record.get("metadata")
        if state.is_repeat(uid):
            return
        if isinstance(metadata, dict) and metadata.get("userVisible") is False:
            state.drop("invisible")
            return
        state.message(text_in(record, "role"), record.get("content"), time=parse_time(record.get("created")), uid=uid)


def _folder(env: Mapping[str, str], home: Path) -> Path:
    root, base = env.get("GOOSE_PATH_ROOT", "").strip(), env.get("XDG_DATA_HOME", "").strip()
    if root:
        return Path(root) / "data" / "sessions"
    return (Path(base) if base else home / ".local" / "share") / "goose" / "sessions"
