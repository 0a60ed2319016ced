"""opencode's SQLite database, read without changing anything beside it.

A reader of a database in WAL mode normally creates or updates the shared-memory file. Here, without a log file the
database is opened as immutable; with one, the shared-memory file is opened read-only (SQLite then builds the index in
its own memory where it must); where that file is missing, a private copy is read.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from slowwave.errors import RolloutUnreadable, RolloutVanished
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.values import decode_json

SQLITE_MAGIC = b"SQLite format 3\0"
_BUSY_TIMEOUT = 5.0
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


@contextmanager
def read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database for reading. Raises `RolloutVanished` or `RolloutUnreadable`, also for errors of queries."""
    if not path.is_file():
        raise RolloutVanished(f"{path} is gone")
    wal, shm = path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")
    try:
        if not wal.exists() or wal.stat().st_size == 0:
            with _connect(path, "immutable=1") as connection:
                yield connection
        elif shm.exists():
            with _connect(path, "readonly_shm=1") as connection:
                yield connection
        else:
            with tempfile.TemporaryDirectory(prefix="slowwave-") as folder:
                copy = Path(folder) / "copy.db"
                shutil.copyfile(path, copy)
                shutil.copyfile(wal, copy.with_name("copy.db-wal"))
                with _connect(copy, "mode=rw") as connection:
                    yield connection
    except sqlite3.Error as error:
        raise RolloutUnreadable(f"{path} cannot be read: {error}") from error
    except OSError as error:
        raise RolloutUnreadable(f"{path} cannot be read: {error.strerror or error}") from error


@contextmanager
def _connect(path: Path, option: str) -> Iterator[sqlite3.Connection]:
    mode = option if option.startswith("mode=") else f"mode=ro&{option}"
    uri = f"file:{quote(str(path.absolute()))}?{mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_TIMEOUT, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    try:
        connection.execute("PRAGMA query_only = 1")
        yield connection
    finally:
        connection.close()


def database_sessions(path: Path, agent: str) -> Iterator[LogFile]:
    """Yield the sessions that have messages. Size and time are those of the session's rows, so that work in one
    session does not make all others look changed."""
    with read_only(path) as connection:
        times = "time_updated" if "time_updated" in _columns(connection, "message") else "time_created"
        part_times = "time_updated" if "time_updated" in _columns(connection, "part") else "time_created"
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
            info = _decoded(message["data"]) | {"id": message["id"]}
            info.setdefault("time", {"created": message["time_created"]})
            yield {"info": info, "parts": [_decoded(part["data"]) | {"id": part["id"]} for part in parts]}


def _session(connection: sqlite3.Connection, path: Path, session_id: str) -> dict[str, Any]:
    row = connection.execute("SELECT * FROM session WHERE id = ?", (session_id,)).fetchone()
    if row is None:
        raise RolloutVanished(f"session {session_id} is gone from {path}")
    names = row.keys()
    session: dict[str, Any] = {ours: row[theirs] for theirs, ours in _SESSION_COLUMNS.items() if theirs in names}
    if "time_created" in names:
        session["time"] = {"created": row["time_created"]}
    if "revert" in names and row["revert"]:
        session["revert"] = _decoded(row["revert"])
    return session


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    return {row["name"] for row in connection.execute(f"PRAGMA table_info({table})")}


def _decoded(data: object) -> dict[str, Any]:
    value = decode_json(data) if isinstance(data, str) else None
    return value if isinstance(value, dict) else {}
