from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
from alembic import command
from alembic.util.exc import CommandError
from sqlalchemy import Engine, text

from slowwave.errors import SchemaTooOld, StoreError
from slowwave.storage import schema
from slowwave.storage.engine import connect, is_sqlite, open_database, upgrade_database
from slowwave.storage.schema import HEAD, alembic_config, current_revision
from slowwave.storage.tables import Table
from tests.support.schema_dump import NUMBERS, example_row, fill

DUMPS = sorted((Path(__file__).parent / "data").glob("revision_*.sql"))

NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "9001"
down_revision = "{head}"


def upgrade():
    # Rebuilding the table that others refer to is the hardest case on SQLite.
    with op.batch_alter_table("projects", recreate="auto") as batch:
        batch.add_column(sa.Column("mood", sa.String(), nullable=False, server_default="calm"))
        batch.alter_column("name", nullable=True)
    op.execute("UPDATE projects SET name = 'upgraded' WHERE id = 'key-1'")
    {then}
"""


def add_revision(monkeypatch: pytest.MonkeyPatch, folder: Path, then: str = "pass") -> None:
    """Make this process believe that a next version of the schema exists."""
    shutil.copytree(schema.MIGRATIONS, folder)
    (folder / "versions" / "9001_next.py").write_text(NEXT.format(head=HEAD, then=then))
    monkeypatch.setattr(schema, "MIGRATIONS", folder)
    monkeypatch.setattr(schema, "REVISIONS", (*schema.REVISIONS, "9001"))
    monkeypatch.setattr(schema, "HEAD", "9001")


def rows(engine: Engine, table: str) -> list[dict[str, object]]:
    with engine.connect() as connection:
        found = connection.execute(Table.metadata.tables[table].select()).mappings().all()
    return [dict(row) for row in found]


@pytest.fixture
def disposable_url(request: pytest.FixtureRequest, database_url: str) -> str:
    """Like `database_url`, but the test may leave any schema behind."""
    if database_url.startswith("sqlite"):
        return database_url
    server = request.getfixturevalue("postgres")
    url: str = server.database()
    request.addfinalizer(lambda: server.drop(url))
    return url


def test_an_upgrade_keeps_every_row_and_every_reference(
    disposable_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(disposable_url)
    fill(engine)
    before = {name: rows(engine, name) for name in Table.metadata.tables if name != "projects"}
    add_revision(monkeypatch, tmp_path / "migrations")
    if not is_sqlite(engine):
        with pytest.raises(SchemaTooOld):
            open_database(disposable_url)
    assert upgrade_database(disposable_url) == (HEAD, "9001")
    assert upgrade_database(disposable_url) == ("9001", "9001")
    assert {name: rows(engine, name) for name in before} == before
    with engine.begin() as connection:
        found = connection.execute(text("SELECT id, name, mood FROM projects ORDER BY id")).all()
        assert [tuple(row) for row in found] == [
            ("key-1", "upgraded", "calm"),
            ("key-2", example_row(Table.metadata.tables["projects"], 2)["name"], "calm"),
        ]
        if is_sqlite(connection):
            assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one() == 1
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
    engine.dispose()


def test_a_local_database_is_upgraded_when_it_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "slowwave.db"
    engine = open_database(path)
    fill(engine)
    engine.dispose()
    add_revision(monkeypatch, tmp_path / "migrations")
    with pytest.raises(SchemaTooOld):
        open_database(path, migrate="check")
    engine = open_database(path)
    assert current_revision(engine) == "9001"
    assert len(rows(engine, "threads")) == len(NUMBERS)
    engine.dispose()


@pytest.mark.parametrize(
    ("then", "error"),
    [
        ("raise RuntimeError('half way')", RuntimeError),
        ('op.execute("SELECT * FROM no_such_table")', StoreError),
        ('op.execute("DELETE FROM projects")', StoreError),
    ],
)
def test_an_upgrade_that_fails_changes_nothing(
    disposable_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: str, error: type[Exception]
) -> None:
    engine = open_database(disposable_url)
    fill(engine)
    before = {name: rows(engine, name) for name in Table.metadata.tables}
    add_revision(monkeypatch, tmp_path / "migrations", then)
    with pytest.raises(error):
        upgrade_database(disposable_url)
    assert {name: rows(engine, name) for name in before} == before
    assert current_revision(engine) == HEAD
    engine.dispose()


@pytest.mark.parametrize("dump", DUMPS, ids=lambda path: path.stem)
def test_every_released_schema_upgrades_with_its_data(dump: Path, tmp_path: Path) -> None:
    path = tmp_path / "slowwave.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
    connection.close()
    engine = open_database(path)
    assert current_revision(engine) == HEAD
    with engine.begin() as open_connection:
        command.check(alembic_config(open_connection))
    had = [name for name in Table.metadata.tables if f"CREATE TABLE {name} " in dump.read_text(encoding="utf-8")]
    assert len(had) >= 16 and all(len(rows(engine, name)) == len(NUMBERS) for name in had)
    assert [row["name"] for row in rows(engine, "projects")] == ["projects.name é 1", "projects.name é 2"]
    assert rows(engine, "artifacts")[0]["content"] == b"\x00\xff\x01"
    engine.dispose()


def test_a_dump_is_stored_for_every_revision() -> None:
    assert [dump.stem.removeprefix("revision_") for dump in DUMPS] == list(schema.REVISIONS)


def test_a_drift_between_tables_and_migrations_would_be_noticed(tmp_path: Path) -> None:
    engine = connect(tmp_path / "slowwave.db")
    schema.upgrade(engine)
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE jobs DROP COLUMN priority")
        with pytest.raises(CommandError, match="priority"):
            command.check(alembic_config(connection))
    engine.dispose()
