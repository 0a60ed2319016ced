"""Crush's sessions: a SQLite database in each repository.

``<repository>/.crush/crush.db``; Crush's own list (``~/.local/share/crush/projects.json``) and
``$SLOWWAVE_REPOSITORIES`` name repositories, else those near the home folder are looked at. Tables and parts as in the
public source (`internal/db`, `internal/message`).
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
from slowwave.rollouts.stores.databases import DatabaseReader, session_in
from slowwave.rollouts.stores.documents import beside
from slowwave.rollouts.stores.workspaces import repositories
from slowwave.rollouts.values import list_in, optional_text, parse_time, text_in
from slowwave.storage.types import SessionKind


class CrushReader(DatabaseReader):
    """Reader of Crush's sessions."""

    agent = "crush"
    words = (b"CREATE TABLE sessions", b"parent_session_id", b"parts TEXT", b"completion_tokens")
    listing = """
        SELECT session_id, sum(length(parts)), max(CASE WHEN updated_at < 100000000000 THEN updated_at * 1000
               ELSE updated_at END)
        FROM messages GROUP BY session_id
    """

    def databases(self, env: Mapping[str, str], home: Path) -> Iterable[Path]:
        """Databases of the repositories that are known or near."""
        base = env.get("XDG_DATA_HOME", "").strip()
        known = beside((Path(base) if base else home / ".local" / "share") / "crush" / "projects.json")
        folders = [
            Path(text_in(project, "data_dir") or text_in(project, "path") + "/.crush")
            for project in list_in(known, "projects")
        ]
        folders += [folder / ".crush" for folder in repositories(env, home)]
        return dict.fromkeys(folder / "crush.db" for folder in folders if folder.is_absolute())

    def begin(self, log: LogFile) -> MessagePass:
        """Start a pass; the repository is the folder that holds the database."""
        state = MessagePass(log, session_in(log))
        state.cwd = state.facts.cwd = str(log.path.parent.parent)
        return state

    def rows(self, connection: Connection, session_id: str, state: LogPass) -> Iterator[Record]:
        """The session, then its messages."""
        row = connection.execute("SELECT * FROM sessions WHERE id = ?", (session_id,)).fetchone()
        if row is None:
            raise RolloutVanished(f"session {session_id} is gone from {state.log.path}")
        yield {"session": {key: row[key] for key in row.keys()}}  # noqa: SIM118 - a row is no mapping
        query = (
            "SELECT id, role, parts, model, created_at FROM messages WHERE session_id = ? ORDER BY created_at, rowid"
        )
        for message in connection.execute(query, (session_id,)):
            yield dict(message)

    def take(self, state: LogPass, record: Record) -> None:
        """Feed the session or one message to the pass."""
        assert isinstance(state, MessagePass)
        facts = state.facts
        if session := record.get("session"):
            facts.title = optional_text(session, "title")
            facts.parent_session_id = optional_text(session, "parent_session_id")
            facts.started = parse_time(session.get("created_at"))
            facts.kind = SessionKind.SUBAGENT if facts.parent_session_id else facts.kind
            return
        facts.model = optional_text(record, "model") or facts.model
        parts = [part for part in decoded_list(record.get("parts")) if text_in(part, "type") != "finish"]
        uid = optional_text(record, "id")
        state.message(text_in(record, "role"), parts, time=parse_time(record.get("created_at")), uid=uid)
