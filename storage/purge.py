"""Make deleted rows unreadable, as far as the engine can."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from sqlalchemy import Engine

from slowwave.storage.engine import BUSY_TIMEOUT_SECONDS, is_sqlite, translated_errors

POSTGRES_LIMITS = (
    "PostgreSQL keeps deleted rows in its write-ahead log, in backups and, until VACUUM, in its tables: run VACUUM and"
    " let archived logs expire."
)


def overwrite_free_pages(engine: Engine) -> str:
    """Rewrite a SQLite file without its free pages and empty its log; return what cannot be promised, or nothing.

    Raises `StoreError` when another process keeps the database busy.
    """
    if not is_sqlite(engine):
        return POSTGRES_LIMITS
    database = engine.url.database
    engine.dispose()
    if database is None:
        return ""
    with (
        translated_errors(engine.url),
        closing(sqlite3.connect(database, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None)) as connection,
    ):
        for statement in ("PRAGMA secure_delete = ON", "PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM"):
            connection.execute(statement).fetchall()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return ""
