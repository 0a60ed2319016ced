"""`slowwave rebuild` and `slowwave enqueue`: consolidate again, now or at the next run."""

from __future__ import annotations

import click

from slowwave.app import open_app
from slowwave.cli.common import json_option, locate, project_option
from slowwave.cli.output import emit, say
from slowwave.cli.runs.run import execute
from slowwave.memories.byhand.forgetting import force_in
from slowwave.memories.pipeline import RunOptions
from slowwave.storage.engine import reading, writing
from slowwave.storage.queries.projects import published_projects


@click.command()
@project_option
@click.option("--all", "everything", is_flag=True, help="Every project.")
@click.option("--since", metavar="DATE", help="With --reextract: leave out sessions that ended before this date.")
@click.option("--reextract", is_flag=True, help="Read the logs again instead of using the stored extractions.")
@click.option("--dry-run", is_flag=True, help="Show what would be done.")
@json_option
def rebuild(
    project: str | None, everything: bool, since: str | None, reextract: bool, dry_run: bool, as_json: bool
) -> int:
    """Consolidate now, although nothing is new.

    \b
    Example:
      slowwave rebuild --project shop
    """
    app, only = (open_app(), None) if everything else locate(project)
    options = RunOptions(
        kind="rebuild",
        project=only.id if only is not None else None,
        since=since,
        reextract=reextract,
        backfill=reextract,
        force=not dry_run,
        dry_run=dry_run,
    )
    return execute(app, options, as_json=as_json)


@click.command()
@project_option
@click.option("--all", "everything", is_flag=True, help="Every project.")
@json_option
def enqueue(project: str | None, everything: bool, as_json: bool) -> None:
    """Mark a project so that the next run consolidates it.

    \b
    Example:
      slowwave enqueue --project shop
    """
    if everything:
        app = open_app()
        with reading(app.engine) as session:
            chosen = published_projects(session)
    else:
        app, one = locate(project)
        chosen = [one]
    with writing(app.engine) as session:
        force_in(session, [one.id for one in chosen])
    if as_json:
        emit({"enqueued": [one.id for one in chosen]})
        return
    for one in chosen:
        say(f"{one.name}: consolidated by the next run")
