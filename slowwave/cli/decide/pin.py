"""`slowwave pin` and `unpin`: keep an entry byte for byte."""

from __future__ import annotations

import click
from sqlmodel import Session

from slowwave.cli.common import json_option, locate_entry, project_option, tell
from slowwave.memories.byhand import entries as authority
from slowwave.memories.byhand.changes import change_project
from slowwave.memories.publishing.edits import MEMORY
from slowwave.memories.publishing.publish import root_of
from slowwave.memories.state.values import MemoryState


@click.command()
@click.argument("entry")
@project_option
@json_option
def pin(entry: str, project: str | None, as_json: bool) -> None:
    """Pin ENTRY (m12, u3 of the user level, or words of it): its block in MEMORY.md stays as it is, byte for byte.

    \b
    Example:
      slowwave pin m12
    """
    app, chosen, entry = locate_entry(entry, project)
    path = root_of(app.home, chosen) / "current" / MEMORY
    published = path.read_text(encoding="utf-8") if path.is_file() else ""
    found: list[str] = []

    def change(_session: Session, state: MemoryState, _now: float) -> MemoryState:
        one = authority.find_entry(state, entry)
        found.append(one.id)
        return authority.pin(state, one, published)

    result = change_project(app, chosen.id, change, cause="pin")
    tell(app, result, f"pinned {found[-1]}", as_json, id=found[-1])


@click.command()
@click.argument("entry")
@project_option
@json_option
def unpin(entry: str, project: str | None, as_json: bool) -> None:
    """Let runs change ENTRY again.

    \b
    Example:
      slowwave unpin m12
    """
    app, chosen, entry = locate_entry(entry, project)
    found: list[str] = []

    def change(_session: Session, state: MemoryState, _now: float) -> MemoryState:
        one = authority.find_entry(state, entry)
        found.append(one.id)
        return authority.unpin(state, one)

    result = change_project(app, chosen.id, change, cause="unpin")
    tell(app, result, f"unpinned {found[-1]}", as_json, id=found[-1])
