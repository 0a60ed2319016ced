"""`slowwave ignore`: leave a folder, a project or a session alone."""

from __future__ import annotations

from pathlib import Path

import click

from slowwave.app import App, open_app
from slowwave.cli.common import json_option, refresh_hooks
from slowwave.cli.output import emit, say
from slowwave.errors import ConfigError
from slowwave.memories.projects.finding import find
from slowwave.memories.state.tombstones import Tombstones
from slowwave.settings_file import set_value
from slowwave.storage.engine import writing
from slowwave.storage.queries.projects import excluded_names
from slowwave.storage.queries.threads import ignored_threads, threads_named
from slowwave.storage.tables import Project, Tombstone
from slowwave.storage.types import TombstoneKind


@click.command()
@click.argument("target", required=False)
@click.option("--remove", is_flag=True, help="Read it again from now on.")
@click.option("--list", "show", is_flag=True, help="List what is ignored.")
@json_option
def ignore(target: str | None, remove: bool, show: bool, as_json: bool) -> None:
    """Never read a PATH, PROJECT or SESSION again. What was learnt from it stays (see `forget`).

    A folder that no project is known for is added to memories.exclude.

    \b
    Example:
      slowwave ignore ~/clients/secret
    """
    app = open_app()
    if show or target is None:
        _show(app, as_json)
        return
    done = _session(app, target, not remove) or _project(app, target, not remove) or _pattern(app, target, not remove)
    refresh_hooks(open_app())
    if as_json:
        emit({"target": target, "ignored": not remove, "as": done})
    else:
        say(f"{done}: {'read again from now on' if remove else 'ignored from now on'}")


def _session(app: App, target: str, ignored: bool) -> str | None:
    with writing(app.engine) as session:
        rows = threads_named(session, [target])
        for row in rows:
            row.ignored = ignored
            row.reason = ""
            if not ignored and row.forgotten:
                row.forgotten = False
                tombstones = Tombstones.load_in(session, row.project_id or "")
                buried = session.get(Tombstone, (tombstones.hash(TombstoneKind.SESSION, row.id), row.project_id or ""))
                if buried is not None:
                    session.delete(buried)
            session.add(row)
        return f"session {rows[0].id}" if rows else None


def _project(app: App, target: str, ignored: bool) -> str | None:
    try:
        store, chosen = find(app, target)
    except ConfigError:
        return None
    with writing(store.engine) as session:
        project = session.get_one(Project, chosen.id)
        project.excluded = ignored
        session.add(project)
        return f"project {project.name}"


def _pattern(app: App, target: str, ignored: bool) -> str:
    pattern = str(Path(target).expanduser().absolute()) if "/" in target or target.startswith("~") else target
    patterns = [known for known in app.settings.memories.exclude if known != pattern]
    if ignored:
        patterns.append(pattern)
    elif pattern not in app.settings.memories.exclude:
        raise ConfigError(f"{target} is not ignored", hint="`slowwave ignore --list` shows what is.")
    import json

    set_value(app.home, "memories.exclude", json.dumps(patterns))
    return f"pattern {pattern}"


def _show(app: App, as_json: bool) -> None:
    with writing(app.engine) as session:
        projects, threads = excluded_names(session), ignored_threads(session)
    data = {"patterns": list(app.settings.memories.exclude), "projects": projects, "sessions": threads}
    if as_json:
        emit(data)
        return
    for name, values in data.items():
        for value in values:
            say(f"{name[:-1]} {value}")
    if not any(data.values()):
        say("nothing is ignored")
