"""Runs on machines whose environment gets in the way: none of it is needed for a server on loopback."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from slowwave.app import App
from slowwave.errors import OrchestrationError
from slowwave.orchestration import environment
from slowwave.orchestration.runtime import prefect_api
from slowwave.settings import Settings
from tests.support.installation import Installation

pytestmark = [pytest.mark.prefect_server, pytest.mark.xdist_group("prefect")]

PECULIAR = {
    "a SOCKS proxy for everything, no certificates": {
        "all_proxy": "socks5h://127.0.0.1:9",
        "ALL_PROXY": "socks5h://127.0.0.1:9",
        "SSL_CERT_FILE": "/nowhere/ca-bundle.pem",
    },
    "proxies that nobody listens on, a folder of certificates that is gone": {
        "HTTP_PROXY": "http://127.0.0.1:9",
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "SSL_CERT_DIR": "/nowhere/certs",
    },
}


@pytest.mark.parametrize("variables", PECULIAR.values(), ids=PECULIAR)
def test_an_offline_run_needs_neither_proxy_nor_certificates(
    installation: Installation, variables: dict[str, str]
) -> None:
    installation.write_sessions(1)
    installation.extra.update(variables)
    assert json.loads(installation.run("run", "--json").stdout)["status"] == "completed"


def _newer(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("update alembic_version set version_num = 'ffff00000000'")
    database.close()


def _damaged(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 8000)


def _foreign(path: Path) -> None:
    path.write_text("not a database at all\n" * 400)


@pytest.mark.parametrize(
    "spoil", [_newer, pytest.param(_damaged, marks=pytest.mark.full), pytest.param(_foreign, marks=pytest.mark.full)]
)
def test_an_embedded_database_that_cannot_be_used_is_set_aside(
    installation: Installation, spoil: Callable[[Path], None]
) -> None:
    installation.write_sessions(1)
    installation.run("run")
    folder = installation.home / "prefect"
    for leftover in ("prefect.db-wal", "prefect.db-shm"):
        (folder / leftover).unlink(missing_ok=True)
    spoil(folder / "prefect.db")
    installation.write_sessions(1, first=50)
    done = installation.run("run", "--json")
    assert json.loads(done.stdout)["status"] == "completed"
    assert "set aside as" in done.stderr
    assert (folder / "prefect.db.set-aside").exists()


def test_certificates_that_are_missing_are_named_where_a_server_elsewhere_needs_them(tmp_path: Path) -> None:
    env = {"PREFECT_API_URL": "https://ours.example/api", "SSL_CERT_FILE": "/nowhere/ca.pem"}
    app = App(tmp_path, Settings(), env)
    with pytest.raises(OrchestrationError, match=r"SSL_CERT_FILE names /nowhere/ca\.pem"), prefect_api(app):
        pass


def test_what_the_embedded_server_is_told_are_whole_numbers() -> None:
    """Prefect casts some of its intervals to whole numbers, and 0 is a loop without a pause."""
    told = environment.embedded_server(Path("/h"), "me:secret", {}, serving=True)
    numbers = [value for name, value in told.items() if name.startswith("PREFECT_") and value[:1].isdigit()]
    assert len(numbers) > 3
    assert all(value.isdigit() and int(value) > 0 for value in numbers)
