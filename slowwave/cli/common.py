"""What several commands share: options, JSON output, finding the project, publishing after a change."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

import click

from slowwave.app import App
from slowwave.cli.output import emit, say
from slowwave.memories.byhand.changes import HandResult
from slowwave.storage.tables import Project

F = TypeVar("F", bound=Callable[..., Any])
EXIT_DECLINED = 1
_USER_ENTRY = re.compile(r"\[?u([1-9][0-9]*)\]?")


def json_option(command: F) -> F:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def project_option(command: F) -> F:
    """Add `--project`."""
    return click.option(
        "-p",
        "--project",
        metavar="PROJECT",
        help="Project id, name or folder; default: the current folder's.",
        shell_complete=_projects,
    )(command)


def _projects(_context: click.Context, _option: click.Parameter, begun: str) -> list[str]:
    """Names that a shell may complete; none where the installation cannot be read, and no word about it."""
    from slowwave.app import open_app
    from slowwave.errors import SlowwaveError
    from slowwave.memories.projects.finding import all_projects

    try:
        return sorted({one.project.name for one in all_projects(open_app()) if one.project.name.startswith(begun)})
    except (SlowwaveError, OSError):
        return []


def yes_option(command: F) -> F:
    """Add `--yes`."""
    return click.option("-y", "--yes", is_flag=True, help="Do not ask.")(command)


def locate(name: str | None) -> tuple[App, Project]:
    """The named project, or that of the current folder, and the installation with the store that holds it.

    Raises:
        ConfigError: it is not known.
    """
    from slowwave.app import open_app
    from slowwave.memories.projects.finding import find

    return find(open_app(), name)


def locate_entry(name: str, project: str | None) -> tuple[App, Project, str]:
    """Where an entry lies: `u3` is entry m3 of the user level, anything else belongs to the project."""
    match = _USER_ENTRY.fullmatch(name.strip())
    if match is None:
        return (*locate(project), name)
    from slowwave.app import open_app
    from slowwave.memories.byhand.changes import user_project_in
    from slowwave.storage.engine import writing

    app = open_app()
    with writing(app.engine) as session:
        return app, user_project_in(session), f"m{match.group(1)}"


def refresh_hooks(app: App) -> None:
    """Compile what hooks inject, after anything that changes it. Says which projects have no block and why."""
    from slowwave.agents.compile import compile_hooks
    from slowwave.storage.engine import is_read_only

    engines = [one.engine for one in app.stores()]
    if is_read_only(engines[0]):
        return
    for problem in compile_hooks(app.home, engines[0], app.settings, more=engines[1:]).problems:
        say(f"no start-up block: {problem}", err=True)


def tell(app: App, result: HandResult, done: str, as_json: bool, **more: object) -> None:
    """Say what a change by hand led to, and compile the hooks' blocks."""
    refresh_hooks(app)
    if as_json:
        emit(
            {
                "done": done,
                "version": result.version,
                "root": result.root,
                "pending": result.pending,
                "damage": list(result.damage),
                **more,
            }
        )
        return
    say(done)
    for change in (*result.changes, *result.damage):
        say(f"  {change}")
    if result.pending:
        say("A run is at this project; it is published by the next one (or by `slowwave rebuild`).")
    elif result.version is not None:
        say(f"version {result.version} in {result.root / 'current'}")


def confirm(question: str, yes: bool) -> None:
    """Ask; without a terminal and without `--yes`, refuse.

    Raises:
        click.UsageError: there is nobody to ask.
        click.exceptions.Exit: the answer is no.
    """
    if yes:
        return
    if not sys.stdin.isatty():
        raise click.UsageError("this needs --yes when nobody can be asked")
    if not click.confirm(question):
        say("nothing was done; the same command with --yes does it without asking", err=True)
        raise click.exceptions.Exit(EXIT_DECLINED)


def minute(at: float) -> str:
    """A moment (seconds, epoch) as this machine's date and time."""
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M")


def ago(at: float | None, now: float) -> str:
    """A time as an age in words."""
    if at is None:
        return "never"
    seconds = max(0.0, now - at)
    for unit, size in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit} ago"
    return "now"
