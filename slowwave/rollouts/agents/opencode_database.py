"""opencode's SQLite database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from slowwave.errors import RolloutVanished
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.stores.databases import columns, decoded_object, read_only

_SESSION_COLUMNS = {
    "id": "id",
    "parent_id": "parentID",
    "directory": "directory",
    "title": "title",
    "version": "version",
    "project_id": "projectID",
}
_SIZES = """
    SELECT m.session_id, count(DISTINCT m.id), max(m.{time}), sum(length(m.data)),
           (SELECT sum(length(p.data)) FROM part p WHERE p.session_id = m.session_id),
           (SELECT max(p.{part_time}) FROM part p WHERE p.session_id = m.session_id)
    FROM message m GROUP BY m.session_id
"""


def database_sessions(path: Path, agent: str) -> Iterator[LogFile]:
    """Yield the sessions that have messages. Size and time are those of the session's rows, so that work in one
    session does not make all others look changed."""
    with read_only(path) as connection:
        times = "time_updated" if "time_updated" in columns(connection, "message") else "time_created"
        part_times = "time_updated" if "time_updated" in columns(connection, "part") else "time_created"
        inode = path.stat().st_ino
        for row in connection.execute(_SIZES.format(time=times, part_time=part_times)):
            size = int(row[3] or 0) + int(row[4] or 0)
            newest = max(int(row[2] or 0), int(row[5] or 0))
            yield LogFile(agent, path, f"{path}#{row[0]}", size, newest * 1_000_000, inode)


def database_records(path: Path, session_id: str) -> Iterator[Record]:
    """Yield the session, then its messages with their parts, in order."""
    with read_only(path) as connection:
        yield {"session": _session(connection, path, session_id)}
        messages = connection.execute(
            "SELECT id, data, time_created FROM message WHERE session_id = ? ORDER BY time_created, id", (session_id,)
        )
        for message in messages:
            parts = connection.execute("SELECT id, data FROM part WHERE message_id = ? ORDER BY id", (message["id"],))
            info = decoded_object(message["data"]) | {"id": message["id"]}
            info.setdefault("time", {"created": message["time_created"]})
            yield {"info": info, "parts": [decoded_object(part["data"]) | {"id": part["id"]} for part in parts]}


def _session(connection: sqlite3.Connection, path: Path, session_id: str) -> dict[str, Any]:
    row = connection.execute("SELECT * FROM session WHERE id = ?", (session_id,)).fetchone()
    if row is None:
        raise RolloutVanished(f"session {session_id} is gone from {path}")
    names = row.keys()
    session: dict[str, Any] = {ours: row[theirs] for theirs, ours in _SESSION_COLUMNS.items() if theirs in names}
    if "time_created" in names:
        session["time"] = {"created": row["time_created"]}
    if "revert" in names and row["revert"]:
        session["revert"] = decoded_object(row["revert"])
    return session
