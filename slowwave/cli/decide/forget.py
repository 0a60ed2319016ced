"""`slowwave forget`: an entry, a session or a project."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import click
from sqlmodel import Session

from slowwave.app import App, open_app
from slowwave.cli.common import confirm, json_option, locate_entry, project_option, tell, yes_option
from slowwave.cli.output import say
from slowwave.errors import ConfigError
from slowwave.memories.byhand.changes import Change, change_project
from slowwave.memories.byhand.entries import find_entry
from slowwave.memories.byhand.forgetting import forget_entry_in, forget_sessions_in, purge_history
from slowwave.memories.state.store import load_state_in
from slowwave.memories.state.values import MemoryState
from slowwave.session.forgetting import forget_sessions, forget_words
from slowwave.storage.engine import reading
from slowwave.storage.queries.threads import threads_like, threads_named, threads_of
from slowwave.storage.tables import Project, Thread


@click.command()
@click.argument("what")
@project_option
@click.option("--purge", is_flag=True, help="Also remove it from history: all older versions go.")
@click.option("--dry-run", is_flag=True, help="Show what would go.")
@yes_option
@json_option
def forget(what: str, project: str | None, purge: bool, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Forget WHAT: an entry (m12 or words of it), a session id, or `project`. It is not learnt again.

    \b
    Example:
      slowwave forget m12 --purge
      slowwave forget 0a1b2c3d-... --dry-run
    """
    target = _target(what, project)
    app, chosen = target.app, target.project
    if not as_json or dry_run:
        for line in target.lines:
            say(line)
    if dry_run:
        return
    confirm("Forget this?", yes)
    result = change_project(app, chosen.id, target.change, cause="forget")
    target.forget_the_day()
    promise = purge_history(app, chosen.id) if purge else ""
    tell(app, result, "forgotten", as_json, purged=purge, limits=promise)
    if promise and not as_json:
        say(promise)


@dataclass(frozen=True, slots=True)
class _Target:
    """What is to be forgotten: where it lies, how the state changes, what is said, and the day's notes of it."""

    app: App
    project: Project
    change: Change
    lines: Sequence[str]
    forget_the_day: Callable[[], object]


def _target(what: str, project: str | None) -> _Target:
    for app in open_app().stores():
        with reading(app.engine) as session:
            threads = threads_named(session, [what])
            if not threads and re.fullmatch(r"[0-9a-fA-F-]{8,}", what):
                threads = threads_like(session, what)
            if threads:
                return _sessions(app, session, threads)
    app, chosen, what = locate_entry(what, project)
    with reading(app.engine) as session:
        if what == "project":
            return _sessions(app, session, threads_of(session, chosen.id), chosen)
        entry = find_entry(load_state_in(session, chosen.id), what)

    def change(session: Session, state: MemoryState, _now: float) -> MemoryState:
        return forget_entry_in(session, chosen.id, state, find_entry(state, entry.id))

    return _Target(
        app,
        chosen,
        change,
        (f"{entry.id}: {entry.text}", f"  with {len(entry.evidence)} quotes"),
        partial(forget_words, app.home, chosen.id, entry.text),
    )


def _sessions(app: App, session: Session, rows: Sequence[Thread], project: Project | None = None) -> _Target:
    owners = {thread.project_id for thread in rows}
    if project is None:
        if len(owners) != 1:
            raise ConfigError("these sessions belong to several projects", hint="Give one whole session id.")
        project = session.get_one(Project, owners.pop())
    ids = sorted(thread.id for thread in rows)
    state = load_state_in(session, project.id)
    touched = [e for e in state.entries if any(piece.thread_id in ids for piece in e.evidence)]
    alone = [e for e in touched if all(piece.thread_id in ids for piece in e.evidence) and not e.locked]
    chosen = project
    lines = [f"{len(ids)} sessions of {project.name}; {len(touched)} entries lose evidence, {len(alone)} go:"]
    lines += [f"  {entry.id}: {entry.text}" for entry in alone]

    def change(session: Session, state: MemoryState, _now: float) -> MemoryState:
        return forget_sessions_in(session, chosen.id, state, ids)

    return _Target(app, project, change, lines, partial(forget_sessions, app.home, ids))
