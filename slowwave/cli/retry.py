"""`slowwave retry`: give failed and dead work another chance."""

from __future__ import annotations

import click
from sqlmodel import col, select

from slowwave.app import open_app
from slowwave.cli.common import emit, json_option, pick_project
from slowwave.errors import ConfigError
from storage.backlog import retry as requeue
from storage.engine import writing
from storage.tables import Thread
from storage.types import JobKind


@click.command()
@click.argument("session_ids", nargs=-1, metavar="[SESSION]...")
@click.option("-p", "--project", metavar="PROJECT", help="Everything of this project.")
@json_option
def retry(session_ids: tuple[str, ...], project: str | None, as_json: bool) -> None:
    """Queue failed and dead work again with fresh attempts: all of it, or what is named.

    \b
    Example:
      slowwave retry --project shop
    """
    app = open_app()
    project_id = pick_project(app, project).id if project else None
    with writing(app.engine) as session:
        keys: list[str] | None = None
        if session_ids:
            rows = session.exec(
                select(Thread.id).where(col(Thread.id).in_(session_ids) | col(Thread.session_id).in_(session_ids))
            ).all()
            if not rows:
                raise ConfigError("no such session is known", hint="`slowwave status` lists them.")
            keys = list(rows)
        sessions = requeue(session, JobKind.EXTRACT, keys, project_id=project_id)
        projects = [] if keys is not None else requeue(session, JobKind.CONSOLIDATE, project_id=project_id)
    if as_json:
        emit({"sessions": sessions, "projects": projects})
        return
    click.echo(f"queued again: {len(sessions)} sessions, {len(projects)} projects; `slowwave run` works on them")
