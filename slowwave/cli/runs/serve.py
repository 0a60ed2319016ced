"""`slowwave serve`: one process that schedules and runs the flows, with a Prefect server inside or one's own."""

from __future__ import annotations

import click

from slowwave.app import open_app
from slowwave.cli.output import say


@click.command()
@click.option("--check", is_flag=True, help="Start, register the deployments, stop again.")
def serve(check: bool) -> None:
    """Schedule the nightly run and take manual runs, until stopped.

    Keeps a Prefect server (about 250 MB and some percent of a core) unless prefect.apiUrl names one. A timer costs
    nothing between runs: see `slowwave schedule`.

    \b
    Example:
      slowwave serve
    """
    from slowwave.flows.serving import serve_flows

    app = open_app()
    if not app.settings.memories.enabled:
        say("memories.enabled is false: the schedule will do nothing until it is true", err=True)
    serve_flows(app, say=say, check=check)
