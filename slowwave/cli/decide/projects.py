"""`slowwave projects`: which projects there are, by what they are known, and what a person says about them."""

from __future__ import annotations

import time
from typing import Any

import click

from slowwave.app import HOME_STORE, App, open_app
from slowwave.cli.common import ago, confirm, json_option, locate, refresh_hooks, yes_option
from slowwave.cli.output import emit, say
from slowwave.errors import ConfigError, NotFound
from slowwave.memories.projects.finding import Listed, all_projects
from slowwave.storage.engine import reading, writing
from slowwave.storage.project_keys import changes_in, keep_apart, proposals_in
from slowwave.storage.tables import ProjectChange
from slowwave.storage.types import ChangeState, KeyKind
from slowwave.text import counted

SHOWN = (KeyKind.REMOTE, KeyKind.ROOT, KeyKind.GIT_DIR, KeyKind.COMMIT, KeyKind.NAME, KeyKind.GIVEN, KeyKind.ID)


@click.group(invoke_without_command=True)
@click.option("--all", "everything", is_flag=True, help="Those without memory and sessions, too.")
@json_option
@click.pass_context
def projects(context: click.Context, everything: bool, as_json: bool) -> None:
    """List projects with folder, keys, sessions and state; join, split, rename and move them.

    \b
    Example:
      slowwave projects
      slowwave projects join shop shop-web
    """
    if context.invoked_subcommand is not None:
        return
    app = open_app()
    listed = [one for one in all_projects(app) if everything or one.has_memory or one.usage.sessions]
    with reading(app.at(HOME_STORE).engine) as session:
        proposals = proposals_in(session)
    known = {one.project.id: one for one in listed}
    open_ones = [row for row in proposals if row.project_id in known and row.other_id in known]
    if as_json:
        emit({"projects": [_row(one) for one in listed], "proposals": [_proposal(row) for row in open_ones]})
        return
    for one in listed:
        _show(one)
    if not listed:
        say("no project yet; `slowwave run` finds them in the logs, `slowwave remember` begins one here")
    for row in open_ones:
        one, other = known[row.project_id], known[row.other_id]
        say(f"\nperhaps one project: {one.project.name} [{one.project.id[:8]}], {other.project.name}"
            f" [{other.project.id[:8]}] ({row.reason})")  # fmt: skip
        say(f"  slowwave projects join {row.project_id[:8]} {row.other_id[:8]}    (or: apart)")


@projects.command()
@click.argument("one")
@click.argument("other")
@yes_option
@json_option
def join(one: str, other: str, yes: bool, as_json: bool) -> None:
    """Make ONE project of two: OTHER becomes part of ONE, with its lines, quotes, skills, facts, sessions and files.

    \b
    Example:
      slowwave projects join shop 4f1c22aa
    """
    from slowwave.memories.projects.joining import join_projects

    app, keep = locate(one)
    _, gone = locate(other)
    if not as_json:
        say(f"{gone.name} [{gone.id[:8]}] becomes part of {keep.name} [{keep.id[:8]}].")
    confirm("Join them?", yes)
    result = join_projects(app, keep.id, gone.id, by="person")
    refresh_hooks(open_app())
    number = _newest(app).id
    _tell(as_json, f"joined; version {result.version}; `slowwave projects undo {number}` makes two of it again",
          joined=[keep.id, gone.id], change=number)  # fmt: skip


@projects.command()
@click.argument("project")
@click.option("--folder", metavar="FOLDER", help="What happened in this folder goes.")
@click.option("--session", "sessions", multiple=True, metavar="ID", help="This session goes; may be repeated.")
@click.option("--name", metavar="NAME", help="Name of the new project.")
@yes_option
@json_option
def split(
    project: str, folder: str | None, sessions: tuple[str, ...], name: str | None, yes: bool, as_json: bool
) -> None:
    """Make a project of its own of a part of PROJECT: of one folder of a monorepo, or of some sessions.

    \b
    Example:
      slowwave projects split shop --folder ~/src/shop/packages/web
    """
    from pathlib import Path

    from slowwave.memories.projects.splitting import split_project

    if (folder is None) == (not sessions):
        raise click.UsageError("give --folder or --session")
    app, chosen = locate(project)
    place = str(Path(folder).expanduser().resolve()) if folder is not None else None
    confirm(f"Split {chosen.name} [{chosen.id[:8]}]?", yes)
    other, _ = split_project(app, chosen.id, folder=place, sessions=sessions, name=name)
    refresh_hooks(open_app())
    number = _newest(app).id
    _tell(as_json, f"split off as [{other[:8]}]; `slowwave projects undo {number}` makes one of them again",
          project=chosen.id, other=other, change=number)  # fmt: skip


@projects.command()
@click.argument("project")
@click.argument("name")
@json_option
def rename(project: str, name: str, as_json: bool) -> None:
    """Call PROJECT by NAME. The old name goes on to work.

    \b
    Example:
      slowwave projects rename shop storefront
    """
    from slowwave.memories.projects.splitting import rename_project

    app, chosen = locate(project)
    rename_project(app, chosen.id, name)
    refresh_hooks(open_app())
    number = _newest(app).id
    _tell(as_json, f"{chosen.name} is called {name} now; `slowwave projects undo {number}` takes it back",
          project=chosen.id, change=number)  # fmt: skip


@projects.command()
@click.argument("project")
@click.argument("folder")
@json_option
def move(project: str, folder: str, as_json: bool) -> None:
    """Say that PROJECT lies in FOLDER now, where nothing else tells.

    \b
    Example:
      slowwave projects move shop ~/src/shop
    """
    from slowwave.memories.projects.splitting import move_project

    app, chosen = locate(project)
    move_project(app, chosen.id, folder)
    refresh_hooks(open_app())
    number = _newest(app).id
    _tell(as_json, f"{chosen.name} lies in {folder} now; `slowwave projects undo {number}` takes it back",
          project=chosen.id, change=number)  # fmt: skip


@projects.command()
@click.argument("one")
@click.argument("other")
@json_option
def apart(one: str, other: str, as_json: bool) -> None:
    """Say that two projects are two: no scan joins or proposes them again.

    \b
    Example:
      slowwave projects apart shop shop-fork
    """
    first, second = locate(one)[1], locate(other)[1]
    with writing(open_app().at(HOME_STORE).engine) as session:
        keep_apart(session, first.id, second.id)
    _tell(as_json, f"{first.name} and {second.name} stay two", apart=[first.id, second.id])


@projects.command()
@click.argument("number", type=int, required=False)
@json_option
def undo(number: int | None, as_json: bool) -> None:
    """Take back change NUMBER (default: the newest) that `slowwave projects log` lists.

    \b
    Example:
      slowwave projects undo 3
    """
    from slowwave.memories.projects.splitting import undo as take_back

    app = open_app()
    change = _newest(app) if number is None else _change(app, number)
    done = take_back(app, change)
    refresh_hooks(open_app())
    _tell(as_json, f"change {change.id} is undone: {done}", undone=change.id)


@projects.command()
@json_option
def log(as_json: bool) -> None:
    """List what became of projects, by a person or by a scan, the newest first.

    \b
    Example:
      slowwave projects log
    """
    app = open_app()
    with reading(app.at(HOME_STORE).engine) as session:
        rows = changes_in(session)[::-1]
    names = {one.project.id: one.project.name for one in all_projects(app)}
    if as_json:
        emit([_proposal(row) | {"state": row.state, "by": row.by, "at": row.created_at} for row in rows])
        return
    now = time.time()
    for row in rows:
        pair = " and ".join(
            f"{names.get(one, '')} [{one[:8]}]".strip() for one in (row.project_id, row.other_id) if one
        )
        reason = f" ({row.reason})" if row.reason else ""
        say(f"{row.id:>4}  {ago(row.created_at, now):>10}  {row.kind} {row.state} by {row.by}: {pair}{reason}")
    if not rows:
        say("nothing yet")


def _row(one: Listed) -> dict[str, Any]:
    keys: dict[str, list[str]] = {}
    for row in one.keys:
        keys.setdefault(row.kind.value, []).append(row.value)
    return {
        "id": one.project.id,
        "name": one.project.name,
        "folder": one.folder,
        "memory_folder": one.folder_name,
        "keys": keys,
        "sessions": one.usage.sessions,
        "entries": one.usage.entries,
        "version": one.project.version,
        "last_activity": one.usage.last_activity or one.project.last_activity,
        "state": _state(one),
        "store": one.app.store,
    }


def _state(one: Listed) -> str:
    if one.project.excluded:
        return "ignored"
    waiting = one.project.input_generation > one.project.consolidated_generation
    memory = f"version {one.project.version}" if one.project.version else "no memory yet"
    shared = ", shared" if one.app.store != HOME_STORE else ""
    return f"{memory}{', waits for consolidation' if waiting else ''}{shared}"


def _show(one: Listed) -> None:
    last = ago(one.usage.last_activity or one.project.last_activity, time.time())
    counts = f"{counted(one.usage.sessions, 'session')} (last {last}), {counted(one.usage.entries, 'line')}"
    say(f"{one.project.name} [{one.project.id[:8]}]  {one.folder or 'no folder here'}")
    say(f"    {counts}; {_state(one)}; {one.folder_name}")
    for kind in SHOWN:
        values = [row.value for row in one.keys if row.kind is kind and row.value != one.folder]
        if values:
            more = f" and {len(values) - 4} more" if len(values) > 4 else ""
            say(f"    {kind.value.replace('_', ' ')}: {', '.join(values[:4])}{more}")


def _proposal(row: ProjectChange) -> dict[str, Any]:
    pair = [one for one in (row.project_id, row.other_id) if one]
    return {"change": row.id, "kind": row.kind, "projects": pair, "reason": row.reason}


def _newest(app: App) -> ProjectChange:
    with reading(app.at(HOME_STORE).engine) as session:
        rows = changes_in(session, states=(ChangeState.DONE,))
    if not rows:
        raise ConfigError("nothing was changed yet")
    return rows[-1]


def _change(app: App, number: int) -> ProjectChange:
    with reading(app.at(HOME_STORE).engine) as session:
        row = next((row for row in changes_in(session) if row.id == number), None)
    if row is None:
        raise NotFound(f"there is no change {number}", hint="`slowwave projects log` lists them.")
    return row


def _tell(as_json: bool, text: str, **data: object) -> None:
    if as_json:
        emit(data)
    else:
        say(text)
