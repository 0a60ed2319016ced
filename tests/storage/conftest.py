"""Databases of both kinds, and a project with sessions to queue."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from slowwave.storage.engine import open_database
from slowwave.storage.queue.owner import Owner, current_owner
from tests.support.postgres import Postgres

ENGINES = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file at the current schema, to copy: migrating takes longer than most tests."""
    path = tmp_path_factory.mktemp("template") / "slowwave.db"
    engine = open_database(path)
    with engine.connect() as connection:
        connection.connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
    return path


@pytest.fixture(params=ENGINES)
def database_url(request: pytest.FixtureRequest, tmp_path: Path, sqlite_template: Path) -> Iterator[str]:
    """The URL of an empty database at the current schema, once for SQLite and once for PostgreSQL."""
    if request.param == "sqlite":
        path = tmp_path / "home" / "slowwave.db"
        path.parent.mkdir(mode=0o700)
        shutil.copyfile(sqlite_template, path)
        yield f"sqlite:///{path}"
        return
    server: Postgres = request.getfixturevalue("postgres")
    yield server.emptied()


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    opened = open_database(database_url)
    yield opened
    opened.dispose()


@pytest.fixture
def owner() -> Owner:
    return current_owner()


@pytest.fixture
def small_disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A file system of 300 KiB, or of the size that the test's `small_disk` parameter names."""
    folder = tmp_path / "small"
    folder.mkdir()
    size = getattr(request, "param", "300k")
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("mounting a small file system is not permitted here")
    yield folder
    subprocess.run(["umount", folder], check=True)
