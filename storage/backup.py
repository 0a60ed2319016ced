"""Backups of a SQLite database: taken while it is in use, kept small, a few of them.

A backup holds everything but the bytes of versions that are not live (their folders, and the states behind them, are
there) and is compressed. A PostgreSQL database has its server's own means.
"""

from __future__ import annotations

import gzip
import os
import shutil
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

from sqlalchemy import Engine

from slowwave.errors import StoreError
from slowwave.private import make_private_folder
from slowwave.storage.engine import is_sqlite

FOLDER = "backups"
SUFFIX = ".db.gz"
KEPT = 3
DAY = 86_400.0

_SLIM = (
    "DELETE FROM artifacts WHERE version_id NOT IN"
    " (SELECT v.id FROM versions v JOIN projects p ON p.id = v.project_id AND p.version = v.number)",
    "UPDATE versions SET pruned = 1 WHERE id NOT IN (SELECT version_id FROM artifacts)",
)


def backup_folder(database: Path) -> Path:
    """Where the backups of a database lie: beside it."""
    return database.parent / FOLDER


def backups(database: Path) -> list[Path]:
    """The backups of a database, oldest first."""
    return sorted(backup_folder(database).glob(f"*{SUFFIX}"), key=lambda path: (path.stat().st_mtime, path.name))


def back_up(engine: Engine, target: Path | None = None, *, label: str = "slowwave", now: float | None = None) -> Path:
    """Write a backup and return its file; without a `target` it goes beside the database, and old ones go.

    Raises:
        StoreError: it is no SQLite database, or it cannot be read or written.
    """
    if not is_sqlite(engine):
        raise StoreError("only a SQLite database is backed up here", hint="Use pg_dump for PostgreSQL.")
    database = Path(engine.url.database or "")
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(time.time() if now is None else now))
    goal = target or backup_folder(database) / f"{label}-{stamp}{SUFFIX}"
    try:
        make_private_folder(goal.parent)
        _write(database, goal)
        if target is None:
            for old in backups(database)[:-KEPT]:
                old.unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise StoreError(f"no backup was made in {goal.parent}: {reason}", hint="Free some disk space.") from error
    return goal


def _write(database: Path, goal: Path) -> None:
    with tempfile.TemporaryDirectory(dir=goal.parent, prefix=".backup-") as work:
        copy, packed = Path(work, "copy.db"), Path(work, "packed")
        source, out = sqlite3.connect(f"file:{database}?mode=ro", uri=True), sqlite3.connect(copy)
        with closing(source), closing(out):
            source.backup(out, pages=1000)
            if out.execute("SELECT 1 FROM sqlite_master WHERE name = 'artifacts'").fetchone():
                for statement in _SLIM:
                    out.execute(statement)
                out.commit()
                out.execute("VACUUM")
        with copy.open("rb") as plain, gzip.open(packed, "wb", compresslevel=6) as out_file:
            shutil.copyfileobj(plain, out_file, 1 << 20)
        packed.chmod(0o600)
        with packed.open("rb") as file:
            os.fsync(file.fileno())
        packed.replace(goal)


def back_up_if_due(engine: Engine, days: float) -> Path | None:
    """Write a backup unless there is one that is younger than `days` (0: never); None when there is nothing to do."""
    if not days or not is_sqlite(engine):
        return None
    known = backups(Path(engine.url.database or ""))
    age = time.time() - known[-1].stat().st_mtime if known else None
    # A clock that went back makes the newest backup one of the future; it is due then.
    if age is not None and 0 <= age < days * DAY:
        return None
    return back_up(engine)


def renew(engine: Engine) -> None:
    """Replace all backups by a fresh one: what was forgotten must not stay in the old ones."""
    if not is_sqlite(engine):
        return
    old = backups(Path(engine.url.database or ""))
    if old:
        fresh = back_up(engine, label="fresh")
        for each in old:
            if each != fresh:
                each.unlink(missing_ok=True)


def restore(backup: Path, database: Path) -> Path | None:
    """Put a backup in the place of a database; return where the present one was put aside, None if there was none.

    Raises:
        StoreError: it is no backup of ours.
    """
    with tempfile.TemporaryDirectory(dir=database.parent, prefix=".restore-") as work:
        fresh = Path(work, "fresh.db")
        try:
            with gzip.open(backup, "rb") as packed, fresh.open("xb") as out:
                shutil.copyfileobj(packed, out, 1 << 20)
            with closing(sqlite3.connect(fresh)) as check:
                sound = check.execute("PRAGMA quick_check").fetchone() == ("ok",)
                check.execute("SELECT count(*) FROM slowwave_alembic_version").fetchone()
        except (OSError, EOFError, sqlite3.Error) as error:
            raise StoreError(f"{backup} is no backup that can be read: {error}", hint="Take another one.") from error
        if not sound:
            raise StoreError(f"{backup} is damaged", hint="Take another one.")
        fresh.chmod(0o600)
        aside = None
        if database.exists():
            aside = database.with_name(f"{database.name}.{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}.aside")
            for tail in ("", "-wal", "-shm"):
                part = database.with_name(database.name + tail)
                if part.exists():
                    part.replace(aside.with_name(aside.name + tail))
        fresh.replace(database)
    return aside
