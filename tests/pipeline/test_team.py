"""A team's database: a project is in it only by its owner's explicit act."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import text

from slowwave.storage.engine import connect
from tests.support.postgres import Postgres
from tests.support.site import Site, small_site, teaching

pytestmark = [pytest.mark.postgres, pytest.mark.xdist_group("team")]


@pytest.fixture
def site(tmp_path: Path, postgres: Postgres) -> Site:
    site = small_site(tmp_path)
    site.env = {"SLOWWAVE_DATABASE__URL": postgres.database()}
    return site


def everything(url: str) -> str:
    """All rows of all tables as one text."""
    engine = connect(url)
    try:
        with engine.connect() as connection:
            tables = connection.execute(
                text("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
            ).scalars()
            return "\n".join(
                str(row) for table in list(tables) for row in connection.execute(text(f'SELECT * FROM "{table}"'))
            )
    finally:
        engine.dispose()


def test_nothing_is_shared_until_its_owner_says_so(site: Site) -> None:
    assert site.drive()["status"] == "completed"
    url = site.env["SLOWWAVE_DATABASE__URL"]
    before = everything(url)
    assert "pnpm" not in before and "YYYY-MM-DD" not in before and "shop" not in before

    shared = site.cli("share", "--project", "shop", "--yes")
    assert shared.returncode == 0, shared.stderr

    after = everything(url)
    assert "Always use pnpm, never npm." in after
    assert "YYYY-MM-DD" not in after and "blog" not in after
    private = site.rows(site.home / "slowwave.db")
    assert not any("pnpm, never" in str(row) for rows in private.values() for row in rows)
    assert any("YYYY-MM-DD" in str(row) for row in private["entries"])


def test_a_shared_project_lives_on_in_the_teams_store(site: Site) -> None:
    site.drive()
    before = {path: data for path, data in site.files().items() if path.startswith("shop-")}
    site.cli("share", "--project", "shop", "--yes")
    after = {path: data for path, data in site.files().items() if path.startswith("shop-")}
    assert {p.partition("/")[2] for p in before} == {p.partition("/")[2] for p in after}

    site.session("shop", "four", teaching("Always deploy with just ship."), days_ago=1)
    done = site.cli("run", "--json")
    assert done.returncode == 0, done.stderr
    memory = next(data for path, data in site.files().items() if path.startswith("shop-") and "MEMORY" in path)
    assert b"just ship" in memory and b"pnpm" in memory
    status = json.loads(site.cli("status", "--json").stdout)
    assert {p["name"]: p["visibility"] for p in status["projects"]} == {"shop": "shared", "blog": "private"}
    assert json.loads(site.cli("why", "m1", "--project", "shop", "--json").stdout)["evidence"]


def test_sharing_twice_and_taking_it_back(site: Site) -> None:
    site.drive()
    site.cli("share", "--project", "shop", "--yes")
    assert "already" in site.cli("share", "--project", "shop", "--yes").stdout
    assert site.cli("unshare", "--project", "shop", "--yes").returncode == 0
    site.drive()
    texts = [row[3] for row in site.rows(site.home / "slowwave.db")["entries"]]
    assert "Always use pnpm, never npm." in texts


def test_share_says_what_is_missing_without_a_team(tmp_path: Path) -> None:
    site = small_site(tmp_path)
    site.drive()
    done = site.cli("share", "--project", "shop", "--yes")
    assert done.returncode == 2 and "database.url" in done.stderr
