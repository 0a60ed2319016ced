"""The in-session store's file: opening, migrating, and waiting for other processes.

Standard library only, because every hook opens it. Many short-lived processes write at once, so a write is one short
`BEGIN IMMEDIATE` transaction, waited for with small jittered sleeps instead of SQLite's own growing ones.
"""

from __future__ import annotations

import gc
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from slowwave.errors import SchemaTooNew, StoreError
from slowwave.private import make_private_file
from slowwave.storage.insession.schema import SCHEMA, SCHEMA_VERSION

T = TypeVar("T")
Value = str | int | float | None

BUSY_SECONDS = 2.0
CHECKPOINT_PAGES = 4000
TIDY_BYTES = 1_000_000
_LEFT_OPEN: dict[Path, object] = {}


class SessionFile:
    """An open `session.db`. Use it as a context manager, or call `close`.

    Raises `StoreError` when the file cannot be opened or written and `SchemaTooNew` when a newer Slowwave wrote it.
    `longest_wait` is the longest time in seconds that a write waited for another process.
    """

    def __init__(self, path: Path, *, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = path
        self.busy_seconds = busy_seconds
        self.longest_wait = 0.0
        try:
            # Opening can meet another process that recovers, migrates or tidies up the log at its end.
            self._db = self._patiently(self._open)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"cannot open {path.name}: {error}", reason="session_store_unavailable") from error

    def _open(self) -> sqlite3.Connection:
        if not self.path.exists():
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            make_private_file(self.path)
        db = sqlite3.connect(self.path, timeout=0.0, isolation_level=None, check_same_thread=False)
        db.row_factory = sqlite3.Row
        try:
            found = int(db.execute("PRAGMA user_version").fetchone()[0])
            if found > SCHEMA_VERSION:
                raise SchemaTooNew(
                    f"{self.path.name} was written by a newer Slowwave (schema {found}, known {SCHEMA_VERSION})",
                    hint="upgrade Slowwave",
                )
            if found < SCHEMA_VERSION:
                self._migrate(db)
            db.execute("PRAGMA synchronous=NORMAL")
            db.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")
        except BaseException:
            db.close()
            raise
        return db

    def _migrate(self, db: sqlite3.Connection) -> None:
        # Several first hooks may start together: the version is read again under the write lock.
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("BEGIN IMMEDIATE")
        try:
            found = int(db.execute("PRAGMA user_version").fetchone()[0])
            for version in range(found, SCHEMA_VERSION):
                for statement in SCHEMA[version]:
                    db.execute(statement)
            db.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")

    def _patiently(self, action: Callable[[], T]) -> T:
        started = time.monotonic()
        while True:
            waited = time.monotonic() - started
            try:
                result = action()
            except sqlite3.OperationalError as error:
                if not _is_busy(error) or waited > self.busy_seconds:
                    raise
                time.sleep(0.003 + time.monotonic_ns() % 6_000 / 1e6)
            else:
                self.longest_wait = max(self.longest_wait, waited)
                return result

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """One write transaction. Keep it short: others wait. Nested use joins the outer one."""
        try:
            if self._db.in_transaction:
                yield self._db
                return
            self._patiently(lambda: self._db.execute("BEGIN IMMEDIATE"))
            yield self._db
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            reason = "session_store_busy" if _is_busy(error) else "session_store_write_failed"
            raise StoreError(f"cannot write {self.path.name}: {error}", reason=reason) from error
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        # The error that led here is the one to report; a closed or full database may refuse even this.
        with suppress(sqlite3.Error):
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def rows(self, sql: str, parameters: Sequence[Value] | Mapping[str, Value] = ()) -> list[sqlite3.Row]:
        """Run a query. Readers never wait for writers (WAL), only for a recovery after a crash."""
        try:
            return self._patiently(lambda: self._db.execute(sql, parameters).fetchall())
        except sqlite3.Error as error:
            raise StoreError(f"cannot read {self.path.name}: {error}", reason="session_store_read_failed") from error

    def next_seq(self) -> int:
        """The next number of the one counter that orders everything the night reads. Inside a transaction."""
        row = self._db.execute("UPDATE sequence SET value = value + 1 RETURNING value").fetchone()
        return int(row[0])

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def tidy(self) -> None:
        """Fold a large write-ahead log into the file; skipped when others are at it. For moments when nobody waits."""
        log = self.path.with_name(self.path.name + "-wal")
        try:
            if log.stat().st_size > TIDY_BYTES:
                self._db.execute("PRAGMA wal_checkpoint(PASSIVE)")
        except (OSError, sqlite3.Error):
            # Somebody else just did it, or holds it: the next one will.
            return

    def overwrite_deleted(self) -> None:
        """Rebuild the file without what was deleted, and empty the write-ahead log. Others may have to wait."""
        try:
            self._patiently(lambda: self._db.execute("VACUUM"))
            self._patiently(lambda: self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())
        except sqlite3.Error as error:
            raise StoreError(f"cannot rebuild {self.path.name}: {error}", reason="session_store_busy") from error

    def leave(self) -> None:
        """End the work of a process that lives for one call: nothing is closed, the operating system does it.

        Closing the last connection folds the write-ahead log into the file, which waits for the disk twice, and the
        next process pays again for a new log. `tidy` folds it in where nobody waits.
        """
        older = _LEFT_OPEN.get(self.path)
        if not _LEFT_OPEN:
            # The interpreter drops its objects at its end and would close the connection after all: a cycle that the
            # collector does not look at keeps it.
            _LEFT_OPEN[Path()] = _LEFT_OPEN
            gc.freeze()
        _LEFT_OPEN[self.path] = self._db
        if isinstance(older, sqlite3.Connection):
            older.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _is_busy(error: sqlite3.Error) -> bool:
    text = str(error)
    return "locked" in text or "busy" in text
