"""Open the pipeline's database: SQLite on one machine, PostgreSQL for a team. One URL decides.

SQLite runs in WAL mode with full syncs, so a commit that returned survives a power cut. Every transaction begins with
``BEGIN IMMEDIATE`` unless it was opened by `reading`: a transaction that starts as a reader and then writes cannot wait
for the lock, SQLite refuses it at once. WAL needs shared memory, so a database file must lie on a local file system.
"""

from __future__ import annotations

import math
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import Session

from slowwave.errors import ConnectionLost, SlowwaveError, StoreError
from slowwave.private import make_private_file, make_private_folder

BUSY_TIMEOUT_SECONDS = 30
PING_AFTER_SECONDS = 10.0
_LAST_USE = "slowwave_last_use"
READ_ONLY = "slowwave_read_only"
_NOT_WRITABLE = "slowwave_not_writable"

Migrate = Literal["auto", "check"]


def open_database(url: str | Path, *, migrate: Migrate = "auto") -> Engine:
    """Return an engine on a database whose schema is the one this version needs.

    `url` is a path, a ``sqlite:///`` URL or a ``postgresql://`` URL. With ``auto`` a local database is created or
    upgraded, an empty PostgreSQL database is set up, and an older shared one is refused; with ``check`` nothing is
    changed. Raises `SchemaTooOld`, `SchemaTooNew`, or `StoreError` when the database cannot be reached.
    """
    from slowwave.storage.schema import ensure_schema

    engine = connect(url)
    try:
        with translated_errors(engine.url):
            ensure_schema(engine, migrate)
    except BaseException:
        engine.dispose()
        raise
    return engine


def revision_of(url: str | Path) -> str | None:
    """Return the schema's revision of a database, None where it has no tables of ours. Raises `StoreError`."""
    from slowwave.storage.schema import current_revision

    engine = connect(url)
    try:
        with translated_errors(engine.url):
            return current_revision(engine)
    finally:
        engine.dispose()


def upgrade_database(url: str | Path) -> tuple[str | None, str]:
    """Upgrade any database, shared ones too, to this version's schema; return the revisions before and after."""
    from slowwave.storage.schema import upgrade

    engine = connect(url)
    try:
        with translated_errors(engine.url):
            return upgrade(engine)
    finally:
        engine.dispose()


def connect(url: str | Path) -> Engine:
    """Return an engine without looking at the schema. The SQLite file and its folder are made private here."""
    parsed = parse_url(url)
    return _postgres(parsed) if parsed.get_backend_name() == "postgresql" else _sqlite(parsed)


def parse_url(url: str | Path) -> URL:
    """Turn a path or a URL into the URL that is used, with the driver named. Raises `StoreError`."""
    given = str(url)
    if isinstance(url, Path) or "://" not in given:
        return URL.create("sqlite", database=str(Path(given).expanduser().absolute()))
    try:
        parsed = make_url(given)
    except ArgumentError:
        raise StoreError("the database URL cannot be read", hint="Use postgresql://user@host/name or a path.") from None
    scheme = parsed.drivername.split("+", maxsplit=1)[0]
    if scheme in {"postgresql", "postgres"}:
        return parsed.set(drivername="postgresql+psycopg")
    if scheme == "sqlite" and parsed.database and parsed.database != ":memory:":
        return parsed.set(drivername="sqlite", database=str(Path(parsed.database).expanduser().absolute()))
    raise StoreError(
        f"{scheme} databases are not supported here", hint="Use a path for SQLite, or a postgresql:// URL."
    )


def is_read_only(engine: Engine) -> bool:
    """Tell whether this database lies where nothing may be written, such as in an agent's sandbox."""
    return bool(engine.get_execution_options().get(_NOT_WRITABLE))


def is_sqlite(bind: Engine | Connection | Session) -> bool:
    """Tell whether this is SQLite (the other possibility is PostgreSQL)."""
    if isinstance(bind, Session):
        return bind.get_bind().dialect.name == "sqlite"
    return bind.dialect.name == "sqlite"


@contextmanager
def writing(engine: Engine) -> Iterator[Session]:
    """One transaction that may write: committed when the block ends, rolled back when it raises.

    Keep it short, and do not open a second one inside it: on SQLite it holds the only write lock.
    """
    with translated_errors(engine.url), Session(engine, expire_on_commit=False) as session, session.begin():
        yield session


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A snapshot for reading. It blocks nobody and may stay open for long."""
    reader = engine.execution_options(**{READ_ONLY: True})
    with translated_errors(engine.url), Session(reader, expire_on_commit=False) as session:
        yield session


def database_now(session: Session) -> float:
    """Seconds since the epoch by the clock that every worker shares: PostgreSQL's own, or this machine's for SQLite."""
    if is_sqlite(session):
        return time.time()
    return float(session.connection().execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one())


@contextmanager
def translated_errors(url: URL) -> Iterator[None]:
    """Turn the driver's errors into `StoreError`, without the password that a URL may hold."""
    try:
        yield
    except DBAPIError as error:
        if isinstance(error.orig, SlowwaveError):
            raise error.orig from None
        lost = ConnectionLost if error.connection_invalidated else StoreError
        raise lost(
            f"{url.render_as_string(hide_password=True)}: {error.orig}",
            hint=_hint(error),
            reason=ConnectionLost.reason if error.connection_invalidated else _reason(error),
        ) from error


def _reason(error: DBAPIError) -> str:
    message = str(error.orig).lower()
    if "locked" in message or "lock timeout" in message or "deadlock" in message:
        return "store_busy"
    if "full" in message or "no space" in message:
        return "store_full"
    return "store"


def _hint(error: DBAPIError) -> str:
    if any(sign in str(error.orig).lower() for sign in ("disk i/o error", "locking protocol")):
        return (
            "On a network disk SQLite's log cannot be shared. Put the home on a local one (SLOWWAVE_HOME), or use"
            " PostgreSQL (database.url); a local disk that says this is failing."
        )
    if "readonly" in str(error.orig).lower():
        return "Nothing may be written there. Commands that read work; run this one where the home can be written."
    return {
        "store_busy": "Another process held the database for too long; run again.",
        "store_full": "Free some disk space and run again; nothing was lost.",
        "store": "Check that the database can be reached and written.",
    }[_reason(error)]


def _sqlite(url: URL) -> Engine:
    path = Path(url.database or "")
    if path.exists() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        return _sqlite_read_only(url, path)
    try:
        make_private_folder(path.parent)
        # SQLite gives its -wal and -shm files the mode of the database file, so creating it privately is enough.
        make_private_file(path)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or error}", hint="Check the folder's permissions.") from error
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT_SECONDS, "check_same_thread": False})
    event.listen(engine, "connect", _configure_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _sqlite_read_only(url: URL, path: Path) -> Engine:
    """An engine on a file that nobody here may write. `writing` raises `StoreError`.

    A reader of a WAL database needs its shared memory. Where that can neither be opened nor made nobody writes, or
    somebody outside whose newest commits are then not seen: the file itself is read.
    """

    def open_it() -> sqlite3.Connection:
        address = f"{path.as_uri()}?mode=ro"
        connection = sqlite3.connect(address, uri=True, timeout=BUSY_TIMEOUT_SECONDS, check_same_thread=False)
        try:
            connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
        except sqlite3.OperationalError:
            connection.close()
            connection = sqlite3.connect(f"{address}&immutable=1", uri=True, check_same_thread=False)
        connection.isolation_level = None
        return connection

    engine = create_engine(url, creator=open_it, execution_options={_NOT_WRITABLE: True})
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _configure_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    if not isinstance(connection, sqlite3.Connection):
        raise StoreError("the SQLite driver of the standard library is required")
    # The driver's own transaction handling begins lazily and never with IMMEDIATE; `_begin_sqlite` takes over.
    connection.isolation_level = None
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        f"busy_timeout = {BUSY_TIMEOUT_SECONDS * 1000}",
        "foreign_keys = ON",
        "secure_delete = ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    read_only = connection.get_execution_options().get(READ_ONLY, False)
    connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")


def _postgres(url: URL) -> Engine:
    if find_spec("psycopg") is None:
        raise StoreError(
            "PostgreSQL needs the psycopg driver, which is not installed",
            hint="Install Slowwave with its 'postgres' extra.",
        )
    engine = create_engine(
        url,
        connect_args={
            "connect_timeout": 15,
            "application_name": "slowwave",
            "options": f"-c lock_timeout={BUSY_TIMEOUT_SECONDS}s -c timezone=UTC",
        },
    )
    event.listen(engine, "checkin", _note_use)
    event.listen(engine, "checkout", _ping_after_rest)
    return engine


def _note_use(_connection: DBAPIConnection | None, entry: ConnectionPoolEntry) -> None:
    entry.info[_LAST_USE] = time.monotonic()


def _ping_after_rest(connection: DBAPIConnection, entry: ConnectionPoolEntry, _proxy: object) -> None:
    """A connection that a proxy or a server restart cut is noticed before it is used, not in the middle of a night.

    One that was used a moment ago is not asked: that would cost more than most statements do.
    """
    if time.monotonic() - entry.info.get(_LAST_USE, math.inf) < PING_AFTER_SECONDS:
        return
    try:
        connection.cursor().execute("SELECT 1")
        connection.rollback()
    except Exception as error:
        raise DisconnectionError("the server has closed this connection") from error
