"""What Prefect is told: nothing of the user's own Prefect reaches an embedded server, and no telemetry leaves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from slowwave.orchestration import environment

MINE = {
    "PATH": "/bin",
    "PREFECT_API_URL": "https://elsewhere.example/api",
    "PREFECT_API_KEY": "of-elsewhere",
    "PREFECT_PROFILE": "work",
    "PREFECT_SERVER_DATABASE_CONNECTION_URL": "postgresql+asyncpg://elsewhere/prefect",
    "PREFECT_LOGGING_LEVEL": "DEBUG",
    "HTTP_PROXY": "http://proxy.example:3128",
    "NO_PROXY": "intranet.example",
}


def test_an_embedded_client_sees_its_own_server_only() -> None:
    told = environment.embedded_client(Path("/h"), "http://127.0.0.1:1/api", "me:secret", MINE, serving=False)
    assert told["PREFECT_API_URL"] == "http://127.0.0.1:1/api"
    assert told["PREFECT_API_AUTH_STRING"] == "me:secret"
    assert told["PREFECT_HOME"] == "/h/prefect"
    assert "PREFECT_API_KEY" not in told
    assert "PREFECT_PROFILE" not in told
    assert told["PREFECT_LOGGING_LEVEL"] == "DEBUG"
    assert told["PATH"] == "/bin"


def test_a_proxy_stays_but_not_for_loopback() -> None:
    told = environment.embedded_client(Path("/h"), "http://127.0.0.1:1/api", "me:secret", MINE, serving=False)
    assert told["HTTP_PROXY"] == MINE["HTTP_PROXY"]
    assert told["NO_PROXY"].split(",") == ["intranet.example", "127.0.0.1", "localhost"]


def test_an_embedded_server_uses_its_own_database_and_runs_loops_only_when_it_serves() -> None:
    once = environment.embedded_server(Path("/h"), "me:secret", MINE, serving=False)
    serving = environment.embedded_server(Path("/h"), "me:secret", MINE, serving=True)
    for told in (once, serving):
        assert told["PREFECT_SERVER_DATABASE_CONNECTION_URL"] == "sqlite+aiosqlite:////h/prefect/prefect.db"
        assert told["PREFECT_SERVER_API_AUTH_STRING"] == "me:secret"
    assert once["PREFECT__SERVER_EPHEMERAL"] == "1"
    assert "PREFECT__SERVER_EPHEMERAL" not in serving


def test_a_server_of_ones_own_keeps_its_profile_and_key() -> None:
    told = environment.own_server("https://ours.example/api", MINE)
    assert told["PREFECT_API_URL"] == "https://ours.example/api"
    assert told["PREFECT_API_KEY"] == "of-elsewhere"
    assert told["PREFECT_PROFILE"] == "work"


def test_telemetry_is_off_in_every_case() -> None:
    cases = [
        environment.embedded_client(Path("/h"), "u", "a", {}, serving=True),
        environment.embedded_client(Path("/h"), "u", "a", {}, serving=False),
        environment.embedded_server(Path("/h"), "a", {}, serving=True),
        environment.embedded_server(Path("/h"), "a", {}, serving=False),
        environment.own_server("u", {"DO_NOT_TRACK": "0", "PREFECT_SERVER_ANALYTICS_ENABLED": "true"}),
    ]
    for told in cases:
        assert told["DO_NOT_TRACK"] == "1"
        assert told["PREFECT_SERVER_ANALYTICS_ENABLED"] == "false"


def test_starting_a_run_imports_prefect_only_after_the_environment_is_set() -> None:
    code = (
        "import sys, slowwave.orchestration.runtime, slowwave.flows.serving\n"
        "assert 'prefect' not in sys.modules, 'prefect is imported early'"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
