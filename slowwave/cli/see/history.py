"""`slowwave log`, `diff` and `rollback`: the published versions of a project."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

import click
from sqlmodel import Session

from slowwave.app import App
from slowwave.cli.common import json_option, locate, minute, project_option, tell
from slowwave.cli.output import emit, say, table, verbatim
from slowwave.errors import ConfigError, NotFound
from slowwave.memories.byhand.changes import change_project
from slowwave.memories.byhand.merging import Restored, roll_back
from slowwave.memories.publishing.render import day
from slowwave.memories.state.tombstones import Tombstones
from slowwave.memories.state.values import MemoryState, load_state
from slowwave.storage.engine import reading
from slowwave.storage.proposals import held
from slowwave.storage.published.versions import history, version_files
from slowwave.storage.queries.projects import version_numbered
from slowwave.storage.tables import Project


@click.command()
@project_option
@click.option("-n", "--number", "limit", default=20, show_default=True, help="How many versions.")
@json_option
def log(project: str | None, limit: int, as_json: bool) -> None:
    """List the published versions, newest first.

    \b
    Example:
      slowwave log --project shop
    """
    app, chosen = locate(project)
    with reading(app.engine) as session:
        versions = history(session, chosen.id)[:limit]
        waiting = [(row.id, str(row.operation["op"]), row.reason) for row in held(session, chosen.id)]
    rows = [
        {
            "version": v.number,
            "digest": v.digest[:12],
            "published_at": v.published_at,
            "cause": v.cause,
            "note": v.note,
            "run": v.run_id,
            "kept": not v.pruned,
            "live": v.number == chosen.version,
        }
        for v in versions
    ]
    if as_json:
        emit(rows)
        return
    if rows:
        table(("version", "published", "digest", "cause"), [_listed(row) for row in rows])
    for number, operation, reason in waiting:
        say(f"  held  {operation} ({reason.replace('_', ' ')}): `slowwave review show {number}`")
    if not rows:
        say("nothing was published yet")


def _listed(row: Mapping[str, Any]) -> tuple[str, ...]:
    run = f" run {str(row['run'])[:8]}" if row["run"] else ""
    note = f" {row['note']}" if row["note"] else ""
    gone = "" if row["kept"] else " (files not kept)"
    number = f"{row['version']}{' *' if row['live'] else ''}"
    return number, minute(row["published_at"]), row["digest"], f"{row['cause']}{run}{note}{gone}"


@click.command()
@click.argument("old", required=False, type=int)
@click.argument("new", required=False, type=int)
@project_option
@json_option
def diff(old: int | None, new: int | None, project: str | None, as_json: bool) -> None:
    """Show what changed between versions OLD and NEW (default: the last change).

    \b
    Example:
      slowwave diff 3 5
    """
    app, chosen = locate(project)
    if not chosen.version:
        raise ConfigError("nothing was published yet", hint="`slowwave run` publishes.")
    new = new or chosen.version
    old = old if old is not None else new - 1
    with reading(app.engine) as session:
        before = version_files(session, chosen.id, old) if old > 0 else {}
        after = version_files(session, chosen.id, new)
    changes = {path: _unified(before.get(path), after.get(path), path) for path in sorted(before.keys() | after.keys())}
    changes = {path: text for path, text in changes.items() if text}
    if as_json:
        emit({"old": old, "new": new, "files": changes})
        return
    for text in changes.values():
        verbatim(text)
    if not changes:
        say(f"versions {old} and {new} are the same")


def _unified(before: bytes | None, after: bytes | None, path: str) -> str:
    if before == after:
        return ""
    old = (before or b"").decode("utf-8", "replace").splitlines()
    new = (after or b"").decode("utf-8", "replace").splitlines()
    return "\n".join(difflib.unified_diff(old, new, f"a/{path}", f"b/{path}", lineterm=""))


@click.command()
@click.argument("version", type=click.IntRange(min=0))
@click.option("-e", "--entry", "entries", multiple=True, metavar="ID", help="Only this entry (m12); may be repeated.")
@project_option
@json_option
def rollback(version: int, entries: tuple[str, ...], project: str | None, as_json: bool) -> None:
    """Return to the entries of VERSION, 0 being the time before the first. It is a new version.

    What was learnt since is retired, not deleted. What was removed from a file comes back; what `forget` took does not.

    \b
    Example:
      slowwave rollback 3
      slowwave rollback 3 --entry m12
    """
    app, chosen = locate(project)
    old = _state_of(app, chosen, version)
    only = _numbers(old, entries) if entries else None
    done: list[Restored] = []

    def change(session: Session, state: MemoryState, _now: float) -> MemoryState:
        tombstones = Tombstones.load_in(session, chosen.id)
        forgotten = tombstones.forgotten_in(session, chosen.id, [entry.text for entry in old.entries])
        restored = roll_back(state, old, forgotten, only=only)
        tombstones.lift_in(session, chosen.id, [entry.text for entry in restored.back])
        done.append(restored)
        return restored.state

    result = change_project(app, chosen.id, change, cause="rollback", note=f"to version {version}")
    back, gone = len(done[-1].back), done[-1].gone
    tell(app, result, f"rolled back to version {version}: {back} entries back, {gone} retired", as_json)


def _numbers(old: MemoryState, entries: Sequence[str]) -> frozenset[int]:
    wanted = {name.strip().strip("[]") for name in entries}
    found = {entry.id: entry.number for entry in old.entries if entry.id in wanted}
    if missing := sorted(wanted - found.keys()):
        raise NotFound(f"that version has no entry {missing[0]}", hint="`slowwave diff` shows what it has.")
    return frozenset(found.values())


def _state_of(app: App, project: Project, number: int) -> MemoryState:
    if number == 0:
        return MemoryState()
    with reading(app.engine) as session:
        row = version_numbered(session, project.id, number)
    if row is None:
        raise NotFound(f"there is no version {number}", hint="`slowwave log` lists them.")
    if not row.state:
        raise ConfigError(
            f"version {number} of {day(row.published_at)} is not kept", hint="memories.keepVersions says how many are."
        )
    return load_state(row.state)
