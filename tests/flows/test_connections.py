"""A whole run, watched: every connection that any of its processes opens goes to the model or to Prefect's server."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.support.installation import Installation
from tests.support.loopback import LoopbackServer

pytestmark = [pytest.mark.prefect_server, pytest.mark.xdist_group("prefect")]

WATCH = """
import os, sys

def watch(event, arguments):
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        line = f"connect {arguments[1][0]} {arguments[1][1]}"
    elif event == "socket.getaddrinfo":
        line = f"resolve {arguments[0]} {arguments[1]}"
    else:
        return
    descriptor = os.open(os.environ["WATCH_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(descriptor, f"{os.getpid()} {line}\\n".encode())
    os.close(descriptor)

sys.addaudithook(watch)
"""


def watched(installation: Installation, folder: Path) -> tuple[Path, dict[str, str]]:
    """Environment that makes every Python process of the installation report its connections into a file."""
    (folder / "watch").mkdir()
    (folder / "watch" / "sitecustomize.py").write_text(WATCH, encoding="utf-8")
    log = folder / "connections.log"
    return log, {"PYTHONPATH": f"{folder / 'watch'}:{installation.env()['PYTHONPATH']}", "WATCH_LOG": str(log)}


def test_a_run_talks_to_the_model_and_to_its_own_server_only(installation: Installation, tmp_path: Path) -> None:
    installation.write_sessions(2)
    log, environment = watched(installation, tmp_path)
    with LoopbackServer() as model:
        environment |= {"SLOWWAVE_MODELS__DEFAULT__BASE_URL": model.base_url, "ANTHROPIC_API_KEY": "any"}
        report = json.loads(installation.run("run", "--json", more=environment).stdout)
        assert report["sessions"] == {"extracted": 2}
        model_port = int(model.base_url.rsplit(":", 1)[1])
    lines = [line.split() for line in log.read_text(encoding="utf-8").splitlines()]
    connected = {(host, int(port)) for _, what, host, port in lines if what == "connect"}
    resolved = {line[2] for line in lines if line[1] == "resolve"}
    assert resolved <= {"127.0.0.1", "localhost", "None"}, resolved
    assert {host for host, _ in connected} == {"127.0.0.1"}, connected
    others = {port for _, port in connected if port != model_port}
    assert ("127.0.0.1", model_port) in connected, "the model was not asked"
    assert len(others) == 1, f"more than one server beside the model: {others}"


def test_the_watch_sees_a_connection_to_elsewhere(installation: Installation, tmp_path: Path) -> None:
    log, environment = watched(installation, tmp_path)
    environment["SLOWWAVE_PREFECT__API_URL"] = "http://127.0.0.1:9/api"
    installation.write_sessions(1)
    installation.run("run", more=environment, code=1)
    assert re.search(r"connect 127\.0\.0\.1 9$", log.read_text(encoding="utf-8"), re.MULTILINE)
