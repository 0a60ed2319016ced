"""`slowwave export` and `import`: a project's memory as one JSON file."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import click
from sqlmodel import Session

from slowwave import __version__
from slowwave.app import App
from slowwave.cli.common import json_option, locate, project_option, tell
from slowwave.cli.output import emit, say
from slowwave.errors import ConfigError
from slowwave.memories.byhand.changes import change_project
from slowwave.memories.byhand.entries import merge_states
from slowwave.memories.consolidation.state import MemoryState, dump_state, load_state
from slowwave.memories.consolidation.state_store import load_state_in
from slowwave.memories.context import scanner
from slowwave.storage.engine import reading

FORMAT = "slowwave-memory-1"


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@project_option
@json_option
def export(file: Path | None, project: str | None, as_json: bool) -> None:
    """Write a project's entries, skills and notes to FILE (or to standard output).

    \b
    Example:
      slowwave export shop.json --project shop
    """
    app, chosen = locate(project)
    with reading(app.engine) as session:
        state = load_state_in(session, chosen.id)
    data = {
        "format": FORMAT,
        "version": __version__,
        "project": {"key": chosen.key, "name": chosen.name},
        "entries": [{"id": e.id, "kind": e.kind, "text": e.text, "status": e.status} for e in state.entries],
        "state": base64.b64encode(dump_state(state)).decode("ascii"),
    }
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    if file is None:
        say(text, nl=False)
        return
    file.touch(mode=0o600)
    file.write_text(text, encoding="utf-8")
    if as_json:
        emit({"file": file, "entries": len(state.entries)})
    else:
        say(f"{len(state.entries)} entries of {chosen.name} in {file}")


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@project_option
@json_option
def import_(file: Path, project: str | None, as_json: bool) -> None:
    """Add the entries of an exported FILE to a project. What stands there stays; equal lines are confirmed.

    \b
    Example:
      slowwave import shop.json --project ~/src/shop
    """
    app, chosen = locate(project)
    incoming = _read(app, file)
    added: list[int] = []

    def change(_session: Session, state: MemoryState, _now: float) -> MemoryState:
        merged, count = merge_states(state, incoming, foreign=True)
        added.append(count)
        return merged

    result = change_project(app, chosen.id, change, cause="import", note=file.name)
    tell(app, result, f"{added[-1]} entries added to {chosen.name}", as_json, added=added[-1])


def _read(app: App, file: Path) -> MemoryState:
    try:
        data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise ValueError(f"format {data['format']!r}")
        state = load_state(base64.b64decode(data["state"]))
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise ConfigError(f"{file} is no exported memory: {error}", hint="`slowwave export` writes one.") from error
    with scanner(app) as scrubber:
        for entry in state.entries:
            for text in (entry.text, entry.situation, entry.verbatim, *(piece.quote for piece in entry.evidence)):
                scrubber.assert_clean(f"{file.name}, entry {entry.id}", text.encode())
    return state
