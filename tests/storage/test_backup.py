"""A backup is taken while the database is in use, stays small, and brings it back."""

from __future__ import annotations

import gzip
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from slowwave.errors import StoreError
from slowwave.storage import backup
from slowwave.storage.engine import open_database, reading, writing
from slowwave.storage.published.live import manifest_of
from slowwave.storage.published.versions import record_version_in, version_files
from slowwave.storage.tables import Project


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "home" / "slowwave.db"
    engine = open_database(path)
    with writing(engine) as session:
        session.add(Project(id="p", key="k", slug="s", name="n"))
        session.flush()
        for number in (1, 2, 3):
            files = {"MEMORY.md": os.urandom(200_000)}
            record_version_in(session, "p", manifest_of(files, number=number, fence=0, generation=0), files)
        session.get_one(Project, "p").version = 3
    engine.dispose()
    return path


def test_a_backup_comes_back_with_what_is_live(database: Path) -> None:
    engine = open_database(database)
    with writing(engine) as busy:
        busy.get_one(Project, "p").name = "not committed"
        made = backup.back_up(engine)
        busy.rollback()
    engine.dispose()
    assert made.stat().st_mode & 0o077 == 0 and made.parent.stat().st_mode & 0o077 == 0
    assert made.stat().st_size < database.stat().st_size / 2

    database.write_bytes(b"junk")
    aside = backup.restore(made, database)
    assert aside is not None and aside.read_bytes() == b"junk"
    engine = open_database(database)
    with reading(engine) as session:
        assert session.get_one(Project, "p").name == "n"
        assert len(version_files(session, "p", 3)["MEMORY.md"]) == 200_000
        with pytest.raises(StoreError):
            version_files(session, "p", 1)
    engine.dispose()


def test_few_are_kept_and_none_is_made_before_it_is_due(database: Path) -> None:
    engine = open_database(database)
    assert backup.back_up_if_due(engine, 0) is None
    first = backup.back_up_if_due(engine, 7)
    assert first is not None and backup.back_up_if_due(engine, 7) is None
    for age in (400, -400):
        os.utime(first, times=(time.time() - age * 86_400,) * 2)
        again = backup.back_up_if_due(engine, 7)
        assert again is not None, "also after a clock that went back"
        again.unlink() if again != first else None
    for number in range(5):
        backup.back_up(engine, now=1_700_000_000.0 + number)
    assert len(backup.backups(database)) == backup.KEPT
    engine.dispose()


def test_what_was_forgotten_is_in_no_backup(database: Path) -> None:
    engine = open_database(database)
    with writing(engine) as session:
        session.get_one(Project, "p").name = "the words to forget"
    backup.back_up(engine)
    with writing(engine) as session:
        session.get_one(Project, "p").name = "n"
    backup.renew(engine)
    engine.dispose()
    for made in backup.backups(database):
        assert b"the words to forget" not in gzip.decompress(made.read_bytes())


@pytest.mark.parametrize(
    "content",
    [b"", b"junk", gzip.compress(b"junk"), gzip.compress(b"x" * 4096)],
    ids=["empty", "junk", "packed", "page"],
)
def test_what_is_no_backup_replaces_nothing(database: Path, tmp_path: Path, content: bytes) -> None:
    before = database.read_bytes()
    file = tmp_path / "x.db.gz"
    file.write_bytes(content)
    with pytest.raises(StoreError):
        backup.restore(file, database)
    assert database.read_bytes() == before
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE t (x)")
    file.write_bytes(gzip.compress((tmp_path / "other.db").read_bytes()))
    with pytest.raises(StoreError):
        backup.restore(file, database)


def test_a_disk_that_refuses_is_said_in_one_line(database: Path, tmp_path: Path) -> None:
    engine = open_database(database)
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError) as refused:
        backup.back_up(engine, tmp_path / "file" / "x.gz")
    assert "\n" not in str(refused.value)
    engine.dispose()
