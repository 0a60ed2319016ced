"""A Prefect server of one's own, for as long as one run takes. Free of Prefect.

Prefect can start a temporary server by itself. It is not used because it imports the server twice (about eight seconds
and 100 MB in the client), gives up after 20 seconds although a first start takes longer, and lets two first starts
migrate the same database at once.
"""

from __future__ import annotations

import base64
import re
import secrets
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException
from importlib.metadata import version
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from slowwave.errors import OrchestrationError
from slowwave.orchestration import environment
from slowwave.private import make_private_folder

# A first start takes 22 s on an idle two-core machine, more than ten times that on an overloaded one. A server that
# dies is noticed at once, so patience costs nothing.
START_SECONDS = 600.0
STOP_SECONDS = 8.0
# What SQLite, SQLAlchemy and Alembic write of a database that is damaged, of another program or of a newer version.
_DATABASE_TROUBLE = re.compile(r"sqlite3\.|sqlalchemy\.exc|alembic|locate revision", re.IGNORECASE)


@dataclass
class EmbeddedServer:
    """A starting or running server. Call `wait` before using `api_url`."""

    process: subprocess.Popen[str]
    api_url: str
    auth: str
    log: Path
    when_ready: list[Callable[[], object]] = field(default_factory=list)

    def wait(self) -> None:
        """Return once the server answers.

        The listener exists from the start, so one request waits for the whole start instead of many polling.

        Raises:
            OrchestrationError: it did not start; the hint names its log.
        """
        token = base64.b64encode(self.auth.encode()).decode()
        request = urllib.request.Request(f"{self.api_url}/health", headers={"Authorization": f"Basic {token}"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            opener.open(request, timeout=START_SECONDS).read()
        except (OSError, HTTPException) as error:
            raise OrchestrationError(
                f"Prefect's embedded server did not start: {error}",
                hint=f"Its log is {self.log}.",
                reason="prefect_start",
            ) from error
        while self.when_ready:
            self.when_ready.pop(0)()

    def stop(self) -> None:
        """End the process; return when it is gone."""
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@contextmanager
def embedded_server(home: Path, env: Mapping[str, str], *, serving: bool = False) -> Iterator[EmbeddedServer]:
    """Start a server for the caller's run and end it afterwards; with `serving` it schedules deployments as well.

    The first start with each version of Prefect migrates the database, and only one process may do so: others wait for
    it on a lock. Later starts do not meet. The server is still importing when this yields.

    Raises:
        OrchestrationError: the process cannot be started or another one migrates for too long.
    """
    folder = make_private_folder(environment.prefect_home(home))
    marker = folder / f"migrated-{version('prefect')}"
    with ExitStack() as stack:
        lock = FileLock(folder / "migrate.lock", mode=0o600)
        migrating = not (marker.exists() and (folder / "prefect.db").exists())
        if migrating:
            _acquire(lock, folder)
            stack.callback(lock.release)
        server = _spawn(home, folder, env, serving)
        stack.callback(server.stop)
        if migrating:
            server.when_ready.append(partial(marker.touch, 0o600))
            server.when_ready.append(lock.release)
        yield server


def set_aside(home: Path) -> Path | None:
    """Put the embedded server's database out of the way if that is why it did not start; return where it lies now.

    It holds the history of runs as Prefect shows it and nothing that Slowwave needs. It is of no use when it is
    damaged, or when a newer Prefect has migrated it.
    """
    folder = environment.prefect_home(home)
    database, log = folder / "prefect.db", folder / "server.log"
    if not database.exists() or not _DATABASE_TROUBLE.search(log.read_text("utf-8", "replace")):
        return None
    aside = folder / "prefect.db.set-aside"
    for part in ("", "-wal", "-shm"):
        if (path := folder / f"prefect.db{part}").exists():
            path.replace(folder / f"{aside.name}{part}")
    for marker in folder.glob("migrated-*"):
        marker.unlink()
    return aside


def _acquire(lock: BaseFileLock, folder: Path) -> None:
    try:
        lock.acquire(timeout=START_SECONDS)
    except Timeout as error:
        raise OrchestrationError(
            f"another run has been preparing {folder} for {START_SECONDS:.0f} seconds",
            hint="Wait for it, or end it and run again.",
            reason="prefect_start",
        ) from error


def _spawn(home: Path, folder: Path, env: Mapping[str, str], serving: bool) -> EmbeddedServer:
    auth = f"slowwave:{secrets.token_urlsafe(24)}"
    log = folder / "server.log"
    log.touch(mode=0o600)
    with log.open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-P", str(Path(__file__).with_name("server.py"))],
            env=environment.embedded_server(home, auth, env, serving=serving),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
    port = process.stdout.readline().strip() if process.stdout else ""
    server = EmbeddedServer(process, f"http://127.0.0.1:{port}/api", auth, log)
    if not port:
        server.stop()
        raise OrchestrationError(
            "Prefect's embedded server did not start", hint=f"Its log is {log}.", reason="prefect_start"
        )
    return server
