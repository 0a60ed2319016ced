"""`slowwave deployments`: write prefect.yaml and what belongs to it into a folder of one's own."""

from __future__ import annotations

from pathlib import Path

import click

from slowwave.app import open_app
from slowwave.cli.common import json_option
from slowwave.cli.output import emit, say


@click.group()
def deployments() -> None:
    """Files for a Prefect server, workers and containers.

    \b
    Example:
      slowwave deployments init ./ops
    """


@deployments.command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
@click.option("--host", metavar="HOST", help="Only prefect.yaml, with deployments for the queue of this host.")
@click.option("--force", is_flag=True, help="Overwrite files that are there.")
@json_option
def init(directory: Path, host: str | None, force: bool, as_json: bool) -> None:
    """Write prefect.yaml, automations, container and Kubernetes files into DIRECTORY.

    The schedule in prefect.yaml is that of schedule.cron and schedule.timeZone.

    \b
    Example:
      slowwave deployments init ./ops && cd ops && prefect --no-prompt deploy --all
      slowwave deployments init ./mine --host "$(hostname)"
    """
    from slowwave.scheduling.files import write_deployment_files

    written = write_deployment_files(directory, open_app().settings.schedule, host=host, force=force)
    if as_json:
        emit({"written": [str(path) for path in written]})
        return
    for path in written:
        say(path)
