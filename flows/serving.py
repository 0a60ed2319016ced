"""Serve the flows from one process: schedule, manual runs, no work pool. Free of Prefect until the server is up."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slowwave.app import App
from slowwave.orchestration.environment import prefect_home
from slowwave.orchestration.runtime import configured_api_url, prefect_api
from slowwave.private import replace_private
from slowwave.scheduling.calendar import parse_cron

if TYPE_CHECKING:
    from prefect.deployments.runner import RunnerDeployment

# The nightly run and one run by hand; more would only wait for each other's claims.
RUNS_AT_ONCE = 2


def serve_flows(app: App, *, say: Callable[[str], object], check: bool = False) -> None:
    """Register the deployments and run them until the process is told to stop.

    With `check` everything is registered and the process ends. The address and the login of an embedded server are
    written to a file that a shell can read, so that `prefect deployment run` works from another terminal.

    Raises:
        ConfigError: the schedule is wrong.
        OrchestrationError: the server cannot be started or reached.
    """
    parse_cron(app.settings.schedule.cron)
    with prefect_api(app, preload="slowwave.flows.nightly", serving=True):
        from prefect import serve

        deployments = served_deployments(app)
        if configured_api_url(app) is None:
            say(f"for `prefect deployment run` in another terminal: set -a; . {_write_login(app.home)}; set +a")
        names = ", ".join(f"{deployment.flow_name}/{deployment.name}" for deployment in deployments)
        say(f"serving {names}; {app.settings.schedule.cron} ({app.settings.schedule.time_zone or 'machine time zone'})")
        if check:
            for deployment in deployments:
                deployment.apply()
            return
        serve(*deployments, pause_on_shutdown=False, print_starting_message=False, limit=RUNS_AT_ONCE)


def served_deployments(app: App) -> list[RunnerDeployment]:
    """The deployments of deployments/prefect.yaml, with the settings' schedule and no work pool."""
    from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy
    from prefect.deployments.runner import RunnerDeployment
    from prefect.schedules import Cron, Schedule
    from prefect.types.entrypoint import EntrypointType

    from slowwave.flows.backfill import backfill
    from slowwave.flows.nightly import nightly
    from slowwave.flows.rebuild import rebuild
    from slowwave.scheduling.files import machine_zone

    zone = app.settings.schedule.time_zone or machine_zone()
    schedule = Cron(parse_cron(app.settings.schedule.cron).expression, timezone=zone)
    flows: list[tuple[Any, Schedule | None]] = [(nightly, schedule), (rebuild, None), (backfill, None)]
    return [
        RunnerDeployment.from_flow(
            flow,
            name=flow.name,
            schedule=when,
            tags=["slowwave", flow.name],
            concurrency_limit=ConcurrencyLimitConfig(limit=1, collision_strategy=ConcurrencyLimitStrategy.CANCEL_NEW),
            entrypoint_type=EntrypointType.MODULE_PATH,
        )
        for flow, when in flows
    ]


def _write_login(home: Path) -> Path:
    path = prefect_home(home) / "serve.env"
    names = ("PREFECT_API_URL", "PREFECT_API_AUTH_STRING")
    replace_private(path, "".join(f"{name}={os.environ[name]}\n" for name in names).encode())
    return path
