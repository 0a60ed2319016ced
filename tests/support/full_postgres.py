"""The system's own PostgreSQL, for Prefect's server: its tables need the extension pg_trgm, which wheels leave out."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.prefect_server import free_port

SERVER_USER = "postgres"


@contextmanager
def full_postgres() -> Iterator[str]:
    """Start a server in a folder of its own and yield the URL of an empty database for Prefect.

    PostgreSQL refuses to run as root, so root starts it as its own user. Skips where it is not installed.
    """
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found or not list(Path("/usr/share/postgresql").glob("*/extension/pg_trgm.control")):
        pytest.skip("PostgreSQL with pg_trgm is not installed on this system")
    binaries = found[-1].parent
    user = SERVER_USER if os.getuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="slowwave-pg-"))
    if user is not None:
        shutil.chown(folder, user, user)
    port = free_port()

    def run(*arguments: str) -> None:
        subprocess.run(
            [str(binaries / arguments[0]), *arguments[1:]], cwd=folder, user=user, check=True, capture_output=True
        )

    try:
        data = str(folder / "data")
        run("initdb", "-D", data, "-U", "prefect", "--auth=trust", "--no-sync")
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        run("pg_ctl", "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
        try:
            run("createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "prefect", "prefect")
            yield f"postgresql+asyncpg://prefect@127.0.0.1:{port}/prefect"
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
