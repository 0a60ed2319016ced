from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from slowwave.errors import SchemaTooNew, SchemaTooOld, StoreError
from slowwave.storage.engine import (
    database_now,
    is_sqlite,
    open_database,
    parse_url,
    reading,
    upgrade_database,
    writing,
)
from slowwave.storage.insession.store import SessionStore
from slowwave.storage.registry import ensure_project
from slowwave.storage.schema import HEAD, REVISIONS, VERSION_TABLE, alembic_config, current_revision
from slowwave.storage.tables import Project
from tests.support.postgres import Postgres
from tests.support.queue import add_projects


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_new_sqlite_database_is_private_and_durable(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        engine = open_database(tmp_path / "above" / "home" / "slowwave.db")
        add_projects(engine, "a")
        assert mode(tmp_path / "above") == mode(tmp_path / "above" / "home") == 0o700
        files = sorted((tmp_path / "above" / "home").iterdir())
        assert {"slowwave.db", "slowwave.db-wal"} <= {file.name for file in files}
        assert {mode(file) for file in files} == {0o600}
        with engine.connect() as connection:
            names = ("journal_mode", "synchronous", "busy_timeout", "foreign_keys", "secure_delete")
            settings = [connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in names]
        assert settings == ["wal", 2, 30_000, 1, 1]
        engine.dispose()
    finally:
        os.umask(old)


def test_schema_and_tables_agree(engine: Engine) -> None:
    from alembic import command

    with engine.begin() as connection:
        command.check(alembic_config(connection))


def test_the_named_revisions_are_those_that_exist(engine: Engine) -> None:
    from alembic.script import ScriptDirectory

    with engine.begin() as connection:
        scripts = ScriptDirectory.from_config(alembic_config(connection))
    assert tuple(script.revision for script in reversed(list(scripts.walk_revisions()))) == REVISIONS
    assert scripts.get_current_head() == HEAD


def test_opening_a_current_database_does_not_import_alembic(tmp_path: Path) -> None:
    path = tmp_path / "slowwave.db"
    open_database(path).dispose()
    code = (
        "import sys; from slowwave.storage.engine import open_database\n"
        "from slowwave.storage.queue.jobs import claim_extracts\n"
        f"open_database({str(path)!r}).dispose()\n"
        "assert 'alembic' not in sys.modules and 'filelock' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_newer_database_is_refused_and_left_alone(database_url: str) -> None:
    engine = open_database(database_url)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    for attempt in (lambda: open_database(database_url), lambda: upgrade_database(database_url)):
        with pytest.raises(SchemaTooNew, match="9999"):
            attempt()
    assert current_revision(engine) == "9999"
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '{HEAD}'"))
    engine.dispose()


@pytest.mark.postgres
def test_a_shared_database_is_upgraded_on_purpose_only(postgres: Postgres) -> None:
    url = postgres.database(empty=True)
    with pytest.raises(SchemaTooOld):
        open_database(url, migrate="check")
    open_database(url).dispose()
    engine = open_database(url, migrate="check")
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '0000'"))
    engine.dispose()
    with pytest.raises(SchemaTooNew):
        open_database(url)
    postgres.drop(url)


def test_many_processes_may_create_one_database(tmp_path: Path) -> None:
    path = tmp_path / "home" / "slowwave.db"
    code = f"from slowwave.storage.engine import open_database; open_database({str(path)!r}).dispose()"
    processes = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]
    assert [process.wait(timeout=60) for process in processes] == [0] * 4
    engine = open_database(path, migrate="check")
    assert current_revision(engine) == HEAD
    engine.dispose()


def test_writers_wait_for_each_other_and_readers_for_nobody(engine: Engine) -> None:
    add_projects(engine, "a")
    entered, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with writing(engine) as session:
            session.add(Project(id="b", key="b", slug="b", name="b"))
            session.flush()
            entered.set()
            leave.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    assert entered.wait(10)
    started = time.monotonic()
    with reading(engine) as session:
        assert session.get(Project, "b") is None
    assert time.monotonic() - started < 2
    threading.Timer(0.3, leave.set).start()
    with writing(engine) as session:
        ensure_project(session, key="path:a", id="a", slug="a", name="new name")
    holder.join()
    with reading(engine) as session:
        assert session.get_one(Project, "b").name == "b"
        assert session.get_one(Project, "a").name == "new name"


IS_LOCKED = """
import fcntl, sys
with open(sys.argv[1], "r+b") as file:
    try:
        # Where SQLite holds its shared lock as long as a database is open (https://sqlite.org/fileformat2.html).
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 510, 0x40000000 + 2)
    except OSError:
        print("locked")
"""


@pytest.mark.parametrize("kind", ["pipeline", "session"])
def test_opening_a_database_again_does_not_drop_the_locks_of_this_process(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "home" / "some.db"

    def is_locked() -> bool:
        return (
            subprocess.run([sys.executable, "-c", IS_LOCKED, str(path)], capture_output=True, text=True).stdout
            == "locked\n"
        )

    if kind == "session":
        with SessionStore(path), SessionStore(path):
            assert is_locked()
        return
    first = open_database(path)
    with reading(first) as session:
        session.connection().execute(text("SELECT count(*) FROM projects"))
        assert is_locked()
        second = open_database(path)
        second.dispose()
        assert is_locked(), "another process could take the database for unused and delete its log"
    first.dispose()


@pytest.mark.postgres
def test_a_connection_that_was_cut_while_it_rested_is_replaced(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.database()
    engine, other = open_database(url), open_database(url)
    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    cut = f"SELECT pg_terminate_backend(pid) {others}"

    def is_served() -> bool:
        with reading(engine) as session:
            return bool(session.connection().execute(text("SELECT true")).scalar_one())

    assert is_served()
    with other.connect() as connection:
        connection.execute(text(cut))
    monkeypatch.setattr("slowwave.storage.engine.PING_AFTER_SECONDS", 0.0)
    assert is_served()

    monkeypatch.setattr("slowwave.storage.engine.PING_AFTER_SECONDS", 3600.0)
    with other.connect() as connection:
        connection.execute(text(cut))
    with pytest.raises(StoreError, match="terminat"):
        is_served()
    assert is_served(), "one that is cut in the middle of work costs one transaction"
    engine.dispose()
    other.dispose()


def test_a_block_that_raises_changes_nothing(engine: Engine) -> None:
    with pytest.raises(ZeroDivisionError), writing(engine) as session:
        session.add(Project(id="a", key="a", slug="a", name="a"))
        session.flush()
        raise ZeroDivisionError
    with reading(engine) as session:
        assert session.get(Project, "a") is None


def test_the_clock_is_the_databases(engine: Engine) -> None:
    with writing(engine) as session:
        assert abs(database_now(session) - time.time()) < 5


def test_what_is_no_database_of_ours_is_refused(tmp_path: Path) -> None:
    text_file = tmp_path / "notes.db"
    text_file.write_text("these are somebody's notes, not a database at all\n" * 50)
    with pytest.raises(StoreError, match="not a database"):
        open_database(text_file)
    assert text_file.read_text().startswith("these are")
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(StoreError, match="another program"):
        open_database(other)


@pytest.mark.parametrize("url", ["mysql://x/y", "sqlite://", "sqlite:///:memory:", "no scheme at all://"])
def test_unusable_urls_have_a_clear_error(url: str) -> None:
    with pytest.raises(StoreError):
        parse_url(url)


def test_errors_do_not_show_the_password() -> None:
    word = "-".join(["not", "a", "secret", "really"])
    with pytest.raises(StoreError) as caught:
        open_database(f"postgresql://user:{word}@127.0.0.1:1/none")
    assert word not in str(caught.value)
    assert "user" in str(caught.value)


def test_a_folder_that_cannot_be_made_has_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError):
        open_database(tmp_path / "file" / "slowwave.db")


def test_forgotten_text_does_not_stay_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "slowwave.db"
    engine = open_database(path)
    marker = "unmistakable " * 20
    with writing(engine) as session:
        session.add(Project(id="a", key="a", slug="a", name=marker))
    with writing(engine) as session:
        session.delete(session.get_one(Project, "a"))
    with engine.connect() as connection:
        assert is_sqlite(connection)
    with sqlite3.connect(path) as plain:
        plain.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    plain.close()
    engine.dispose()
    assert b"unmistakable" not in path.read_bytes()


@pytest.mark.parametrize("small_disk", ["3m"], indirect=True)
def test_a_full_disk_is_named_and_loses_nothing_that_was_committed(small_disk: Path) -> None:
    engine = open_database(small_disk / "slowwave.db")
    add_projects(engine, "a")
    with pytest.raises(StoreError) as caught, writing(engine) as session:
        session.add(Project(id="b", key="b", slug="b", name="x" * 4_000_000))
    assert caught.value.reason == "store_full"
    assert "disk space" in caught.value.hint
    with reading(engine) as session:
        assert session.get(Project, "b") is None
        assert session.get_one(Project, "a").slug == "a"
    add_projects(engine, "c")
    engine.dispose()


def test_a_missing_driver_is_named() -> None:
    code = """
import sys
from importlib.machinery import PathFinder

class WithoutPsycopg(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] == "psycopg" else super().find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = WithoutPsycopg
from slowwave.errors import StoreError
from slowwave.storage.engine import open_database

try:
    open_database("postgresql://user@127.0.0.1:1/none")
except StoreError as error:
    print(error, "|", error.hint)
"""
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "psycopg" in printed and "'postgres' extra" in printed
