"""Agents' SQLite databases, read without changing anything beside them.

A reader of a database in WAL mode normally creates or updates the shared-memory file. Here, without a log file the
database is opened as immutable; with one, the shared-memory file is opened read-only (SQLite then builds the index in
its own memory where it must); where that file is missing, a private copy is read.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from slowwave.errors import RolloutError, RolloutUnreadable, RolloutVanished
from slowwave.rollouts.base import BaseReader, log_file, open_log
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.values import decode_json
from slowwave.rollouts.walk import note_place

SQLITE_MAGIC = b"SQLite format 3\0"
_BUSY_TIMEOUT = 5.0


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
    except (sqlite3.Error, UnicodeDecodeError) as error:
        # The module decodes a damaged schema's names and messages strictly.
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


def columns(connection: sqlite3.Connection, table: str) -> set[str]:
    """Names of a table's columns; empty where there is no such table."""
    return {row["name"] for row in connection.execute(f"PRAGMA table_info({table})")}


def decoded_object(data: object) -> dict[str, Any]:
    """The object that a column holds as JSON, or an empty one."""
    text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
    value = decode_json(text) if isinstance(text, str) else None
    return value if isinstance(value, dict) else {}


class DatabaseReader(BaseReader):
    """A reader over a database that holds many sessions.

    A format gives `listing` (a query of each session's id, size, and newest time in milliseconds), `words` (names that
    the head of such a file holds), `table` (without it there are no sessions yet), `databases` and `rows`. With
    `older_lines` the agent wrote files of JSON lines before it had a database.
    """

    listing: str = ""
    table: str = "messages"
    words: tuple[bytes, ...] = ()
    older_lines: bool = False

    def databases(self, env: Mapping[str, str], home: Path) -> Iterable[Path]:
        """Where this agent's databases lie, whether they exist or not."""
        raise NotImplementedError

    def rows(self, connection: sqlite3.Connection, session_id: str, state: LogPass) -> Iterator[Record]:
        """The session's records, in order."""
        raise NotImplementedError

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """The sessions of every database."""
        for path in self.databases(env, home):
            if note_place(path).is_file():
                yield from self.sessions(path)

    def sessions(self, path: Path) -> Iterator[LogFile]:
        """The sessions of one. A database that cannot be read is listed as one log, so that reading it reports why."""
        try:
            with read_only(path) as connection:
                inode = path.stat().st_ino
                for row in connection.execute(self.listing) if columns(connection, self.table) else ():
                    newest = row[2] if isinstance(row[2], int | float) else 0
                    size = row[1] if isinstance(row[1], int) else 0
                    yield LogFile(self.agent, path, f"{path}#{row[0]}", size, int(newest) * 1_000_000, inode)
        except RolloutError:
            yield log_file(self.agent, path)

    def recognises(self, head: bytes) -> bool:
        """A database with this agent's tables."""
        return head.startswith(SQLITE_MAGIC) and all(word in head for word in self.words)

    def records(self, log: LogFile, state: LogPass) -> Iterator[Record]:
        """The rows of the session that the log's key names; the only session where it names none."""
        with open_log(log.path) as stream:
            if stream.read(16) != SQLITE_MAGIC:
                if not self.older_lines:
                    raise RolloutUnreadable(f"{log.path} is no database")
                stream.seek(0)
                yield from self.lines(stream, state, limit=log.size or None)
                return
        with read_only(log.path) as connection:
            if "#" in log.key:
                session_id = log.key.rsplit("#", 1)[1]
            else:
                ids = [str(row[0]) for row in connection.execute(self.listing)]
                if len(ids) != 1:
                    raise RolloutUnreadable(f"{log.path} holds {len(ids)} sessions; name one of them")
                session_id = state.facts.session_id = ids[0]
            yield from self.rows(connection, session_id, state)


def session_in(log: LogFile) -> str:
    """The id of a session that lies in a file with others, or the file's name."""
    return log.key.rsplit("#", 1)[1] if "#" in log.key else log.path.stem
