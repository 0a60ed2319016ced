"""What Prefect is told before it is imported. Free of Prefect: importing Prefect freezes most of its settings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

# Sent by no code of ours: Prefect's client telemetry and its server's daily report.
TELEMETRY_OFF = {"DO_NOT_TRACK": "1", "PREFECT_SERVER_ANALYTICS_ENABLED": "false"}

# Only log levels of a person's own Prefect settings mean anything to a server that lives as long as one run: a profile,
# an API key or a database URL of theirs would point it somewhere else.
_KEPT_PREFIX = "PREFECT_LOGGING_"

_LOOPBACK = "127.0.0.1,localhost"
_CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR")


def prefect_home(home: Path) -> Path:
    """The embedded server's folder: database, logs and the marker of its last migration."""
    return home / "prefect"


def _without_prefect(env: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value for name, value in env.items() if not name.startswith("PREFECT_") or name.startswith(_KEPT_PREFIX)
    }


def _past_proxies(env: Mapping[str, str]) -> dict[str, str]:
    """Keep a configured proxy away from loopback addresses."""
    present = env.get("NO_PROXY") or env.get("no_proxy") or ""
    value = f"{present},{_LOOPBACK}" if present else _LOOPBACK
    return {"NO_PROXY": value, "no_proxy": value}


def missing_certificates(env: Mapping[str, str]) -> str | None:
    """The variable that names a certificate file or folder which does not exist, None where there is none."""
    return next((name for name in _CERTIFICATES if env.get(name) and not Path(env[name]).exists()), None)


def _on_loopback(env: Mapping[str, str]) -> dict[str, str]:
    """The environment of whoever talks to a server on this machine: without the person's Prefect, and without
    certificates that are not there, which would stop every client before its first request."""
    kept = _without_prefect(env)
    while (name := missing_certificates(kept)) is not None:
        del kept[name]
    return kept | _past_proxies(env)


def embedded_client(home: Path, api_url: str, auth: str, env: Mapping[str, str], *, serving: bool) -> dict[str, str]:
    """Return the whole environment of a process that runs flows against the embedded server at `api_url`.

    A command reports by itself, and Prefect's tracebacks would come on top of it; with `serving` its log is the report.
    """
    return {
        **_on_loopback(env),
        **TELEMETRY_OFF,
        "PREFECT_HOME": str(prefect_home(home)),
        "PREFECT_API_URL": api_url,
        "PREFECT_API_AUTH_STRING": auth,
        "PREFECT_LOGGING_TO_API_ENABLED": "true" if serving else "false",
        "PREFECT_LOGGING_LEVEL": env.get("PREFECT_LOGGING_LEVEL", "INFO" if serving else "CRITICAL"),
        "PREFECT_RESULTS_PERSIST_BY_DEFAULT": "false",
    }


def embedded_server(home: Path, auth: str, env: Mapping[str, str], *, serving: bool) -> dict[str, str]:
    """Return the whole environment of the embedded server's process.

    The recorder settings are what makes task runs appear within a second: with the defaults (one row a batch, five
    seconds between flushes) most of them are not yet written when a short run ends. Prefect casts the interval to whole
    seconds, and 0 is a loop without a pause. With `serving` the server also
    schedules; without, it serves one client and runs none of its loops.
    """
    folder = prefect_home(home)
    one_client = {} if serving else {"PREFECT__SERVER_EPHEMERAL": "1"}
    return {
        **_on_loopback(env),
        **TELEMETRY_OFF,
        **one_client,
        "PREFECT__SERVER_FINAL": "1",
        "PREFECT_HOME": str(folder),
        "PREFECT_SERVER_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{folder / 'prefect.db'}",
        "PREFECT_SERVER_API_AUTH_STRING": auth,
        "PREFECT_UI_ENABLED": "false",
        "PREFECT_LOGGING_LEVEL": "WARNING",
        "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "200",
        "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_READ_BATCH_SIZE": "200",
        "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
        "PREFECT_SERVER_EVENTS_RETENTION_PERIOD": "P14D",
    }


def own_server(api_url: str, env: Mapping[str, str]) -> dict[str, str]:
    """Return the whole environment of a process that runs flows against a configured server.

    The person's Prefect home stays: it holds the profile and the key that this server wants.
    """
    return {**env, **TELEMETRY_OFF, "PREFECT_API_URL": api_url, "PREFECT_RESULTS_PERSIST_BY_DEFAULT": "false"}
