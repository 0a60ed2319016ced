"""A team's upgrade: worker and schema of different versions refuse each other before anything is claimed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from slowwave.storage.engine import connect
from slowwave.storage.schema import VERSION_TABLE
from tests.support.installation import Installation
from tests.support.postgres import running_postgres

pytestmark = pytest.mark.postgres


@pytest.fixture
def team(tmp_path: Path) -> Iterator[tuple[Installation, str]]:
    """A host with a session, and the team's database without any schema."""
    with running_postgres() as postgres:
        url = postgres.database(empty=True)
        installation = Installation(tmp_path, {"SLOWWAVE_DATABASE__URL": url, "SLOWWAVE_DATABASE__SHARE": "all"})
        installation.write_sessions(1)
        yield installation, url


def set_revision(url: str, revision: str) -> None:
    engine = connect(url)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '{revision}'"))
    engine.dispose()


def count(url: str, table: str) -> int:
    engine = connect(url)
    with engine.begin() as connection:
        rows = int(connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one())
    engine.dispose()
    return rows


def test_an_old_worker_refuses_a_new_schema_until_it_is_upgraded(team: tuple[Installation, str]) -> None:
    installation, url = team
    upgraded = installation.run("db", "upgrade")
    assert "schema none -> " in upgraded.stdout
    head = upgraded.stdout.split("schema none -> ")[1].split()[0]

    set_revision(url, "9999_of_the_next_version")
    refused = installation.run("run", code=1)
    assert "9999_of_the_next_version" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert count(url, "threads") == count(url, "jobs") == count(url, "runs") == 0
    assert not (installation.home / "prefect").exists(), "a Prefect server was started for nothing"
    assert "9999_of_the_next_version" in installation.run("db", "upgrade", code=1).stderr

    set_revision(url, head)
    assert "is current" in installation.run("db", "upgrade").stdout
    assert "1 sessions to extract" in installation.run("run", "--dry-run").stdout
