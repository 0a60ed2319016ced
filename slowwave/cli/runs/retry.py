"""`slowwave retry`: give failed and dead work another chance."""

from __future__ import annotations

import click
from sqlmodel import Session

from slowwave.app import open_app
from slowwave.cli.common import json_option, locate
from slowwave.cli.output import emit, say
from slowwave.errors import ConfigError
from slowwave.storage.engine import writing
from slowwave.storage.queries.threads import threads_named
from slowwave.storage.queue.backlog import retry as requeue
from slowwave.storage.types import JobKind


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
    only = locate(project) if project else None
    sessions: list[str] = []
    projects: list[str] = []
    for one in app.stores() if only is None else (only[0],):
        with writing(one.engine) as session:
            keys = _keys(session, session_ids)
            project_id = only[1].id if only is not None else None
            if keys or not session_ids:
                sessions += requeue(session, JobKind.EXTRACT, keys, project_id=project_id)
            if not session_ids:
                projects += requeue(session, JobKind.CONSOLIDATE, project_id=project_id)
    if session_ids and not sessions:
        raise ConfigError("none of these sessions has failed", hint="`slowwave status` shows their fate.")
    if as_json:
        emit({"sessions": sessions, "projects": projects})
        return
    say(f"queued again: {len(sessions)} sessions, {len(projects)} projects; `slowwave run` works on them")


def _keys(session: Session, names: tuple[str, ...]) -> list[str] | None:
    return [row.id for row in threads_named(session, names)] if names else None
