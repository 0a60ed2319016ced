"""Which schema a database has, which one this version needs, and how to get from one to the other.

The revisions are named here so that the usual case, a database that is current, costs one query and never imports
Alembic. The version table has a name of its own because Prefect keeps `alembic_version` and may share the database.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect, text

from slowwave.errors import SchemaTooNew, SchemaTooOld, StoreError
from slowwave.storage.engine import BUSY_TIMEOUT_SECONDS, READ_ONLY, Migrate, is_sqlite

if TYPE_CHECKING:
    from alembic.config import Config

VERSION_TABLE = "slowwave_alembic_version"
REVISIONS = ("0001", "0002", "0003")
HEAD = REVISIONS[-1]
MIGRATIONS = Path(__file__).parent / "migrations"

# Any constant does, as long as nobody else on the server locks with it.
_ADVISORY_LOCK = 0x510_3AFE


def current_revision(engine: Engine) -> str | None:
    """Return the revision the database is at; None for an empty one. Raises `StoreError` for somebody else's file."""
    with engine.connect().execution_options(**{READ_ONLY: True}) as connection:
        return _revision(connection)


def ensure_schema(engine: Engine, migrate: Migrate) -> None:
    """Bring the database to `HEAD` where that is allowed, or refuse; see `slowwave.storage.engine.open_database`."""
    revision = current_revision(engine)
    if revision == HEAD:
        return
    _refuse_newer(revision)
    may_change = migrate == "auto" and (is_sqlite(engine) or revision is None)
    if not may_change:
        raise SchemaTooOld(
            f"the database is at revision {revision or 'none'}, this version needs {HEAD}",
            hint="Stop the workers, run `slowwave db upgrade` once, then start them again.",
        )
    if is_sqlite(engine) and revision is not None:
        from slowwave.storage.backup import back_up

        back_up(engine, label=f"before-{HEAD}")
    upgrade(engine)


def upgrade(engine: Engine) -> tuple[str | None, str]:
    """Upgrade to `HEAD` under a lock that all processes share; return the revisions before and after."""
    with _exclusive(engine) as connection:
        before = _revision(connection)
        if before == HEAD:
            return before, HEAD
        _refuse_newer(before)
        from alembic import command

        command.upgrade(alembic_config(connection), "head")
        if is_sqlite(connection):
            _check_foreign_keys(connection)
    return before, HEAD


def alembic_config(connection: Connection) -> Config:
    """Return an Alembic configuration that works on this connection; there is no alembic.ini."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _revision(connection: Connection) -> str | None:
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE not in tables:
        if tables and is_sqlite(connection):
            raise StoreError("this file is another program's database", hint="Choose a path of its own for Slowwave.")
        return None
    row = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).first()
    return None if row is None else str(row[0])


def _refuse_newer(revision: str | None) -> None:
    if revision is not None and revision not in REVISIONS:
        raise SchemaTooNew(
            f"the database is at revision {revision}, which this version does not know (it knows up to {HEAD})",
            hint="Upgrade Slowwave on this machine.",
        )


@contextmanager
def _exclusive(engine: Engine) -> Iterator[Connection]:
    if not is_sqlite(engine):
        with engine.begin() as connection:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_LOCK})
            yield connection
        return
    from filelock import FileLock, Timeout

    lock = FileLock(f"{engine.url.database}.lock", timeout=BUSY_TIMEOUT_SECONDS * 4, mode=0o600)
    try:
        lock.acquire()
    except Timeout:
        raise StoreError("another process is upgrading the database and does not finish") from None
    try:
        with engine.connect() as connection:
            # Rebuilding a table in SQLite drops the old one, which would cascade; the pragma has no effect inside a
            # transaction, and it must not leak to the next user of this pooled connection.
            connection.connection.cursor().execute("PRAGMA foreign_keys = OFF")
            try:
                with connection.begin():
                    yield connection
            finally:
                connection.connection.cursor().execute("PRAGMA foreign_keys = ON")
    finally:
        lock.release()


def _check_foreign_keys(connection: Connection) -> None:
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if broken:
        raise StoreError(f"the upgrade would leave {len(broken)} rows without their parent; nothing was changed")
