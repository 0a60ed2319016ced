"""A real Prefect server and real process workers, in processes of their own."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.installation import BIN, command, wait_until

START_SECONDS = 600


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class PrefectServer:
    """A running server and the environment of its clients."""

    url: str
    folder: Path
    env: dict[str, str]

    def cli(self, *arguments: str, more: Mapping[str, str] | None = None, timeout: float = 240) -> str:
        """Run `prefect --no-prompt ...` to its end."""
        return command(
            [str(BIN / "prefect"), "--no-prompt", *arguments], {**self.env, **(more or {})}, self.folder, timeout
        )

    def ask(self, path: str, body: Any = None) -> Any:
        """One request to the API, as JSON. A SQLite server that is locked for a moment answers 503: ask again."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}{path}", data=data, headers={"Content-Type": "application/json"})
        for attempt in range(20):
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return json.loads(answer.read() or "null")
            except urllib.error.HTTPError as error:
                if error.code != 503 or attempt == 19:
                    raise
                time.sleep(1)
        raise AssertionError("not reached")

    def flow_runs(self, flow: str) -> list[dict[str, Any]]:
        """Runs of a flow, oldest first."""
        body = {"flows": {"name": {"any_": [flow]}}, "sort": "EXPECTED_START_TIME_ASC", "limit": 200}
        return list(self.ask("/flow_runs/filter", body))

    def states(self, flow: str) -> list[str]:
        """Final and running states of a flow's runs, without those that are only scheduled."""
        return [run["state_type"] for run in self.flow_runs(flow) if run["state_type"] not in ("SCHEDULED", "PENDING")]

    def create_run(self, deployment: str, parameters: dict[str, Any] | None = None) -> str:
        """Ask for a run of `flow/deployment` now and return its id."""
        found = self.ask(f"/deployments/name/{deployment}")
        run = self.ask(
            f"/deployments/{found['id']}/create_flow_run",
            {"parameters": parameters or {}, "state": {"type": "SCHEDULED"}},
        )
        return str(run["id"])

    def state(self, run_id: str) -> str:
        """The state type of a run."""
        return str(self.ask(f"/flow_runs/{run_id}")["state_type"])

    @contextmanager
    def worker(self, name: str, env: Mapping[str, str], *options: str) -> Iterator[subprocess.Popen[bytes]]:
        """A process worker of the pool `slowwave` with an environment of its own."""
        log = (self.folder / f"{name}.log").open("wb")
        process = subprocess.Popen(
            [str(BIN / "prefect"), "worker", "start", "--pool", "slowwave", "--name", name, *options],
            env={**env, **self.env, "PREFECT_WORKER_QUERY_SECONDS": "2"},
            cwd=self.folder,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            yield process
        finally:
            stop(process)
            log.close()


def stop(process: subprocess.Popen[bytes], seconds: float = 25) -> None:
    """End a process politely, then not."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def running_server(folder: Path, database_url: str | None = None) -> Iterator[PrefectServer]:
    """Start `prefect server` in a folder of its own, on SQLite or at `database_url`, and stop it at the end."""
    port = free_port()
    url = f"http://127.0.0.1:{port}/api"
    env = {
        "PREFECT_HOME": str(folder / "prefect"),
        "PREFECT_API_URL": url,
        "DO_NOT_TRACK": "1",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_CLI_PROMPT": "false",
        "PATH": f"{BIN}:/usr/bin:/bin",
        "HOME": str(folder),
    }
    server_env = {
        **env,
        "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "200",
        "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_READ_BATCH_SIZE": "200",
        "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
        "PREFECT_SERVER_SERVICES_SCHEDULER_LOOP_SECONDS": "10",
    }
    if database_url is not None:
        server_env["PREFECT_SERVER_DATABASE_CONNECTION_URL"] = database_url
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port), "--no-ui"],
            env=server_env,
            cwd=folder,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_until(lambda: _healthy(url, process, folder / "server.log"), START_SECONDS, "the Prefect server")
            yield PrefectServer(url, folder, env)
        finally:
            stop(process)


def _healthy(url: str, process: subprocess.Popen[bytes], log: Path) -> bool:
    assert process.poll() is None, f"the Prefect server ended while it started; see {log}"
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        time.sleep(0.3)
        return False
