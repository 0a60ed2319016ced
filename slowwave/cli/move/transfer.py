"""`slowwave export` and `import`: a project's memory as one JSON file."""

from __future__ import annotations

from pathlib import Path

import click
from sqlmodel import Session

from slowwave.cli.common import json_option, locate, project_option, tell
from slowwave.cli.output import emit, say, verbatim
from slowwave.memories.byhand.archive import archive_of, read_archive
from slowwave.memories.byhand.changes import change_project
from slowwave.memories.byhand.merging import Merged, merge_states
from slowwave.memories.consolidation.settling import hold_candidate_in
from slowwave.memories.context import scanner
from slowwave.memories.state.store import load_state_in
from slowwave.memories.state.tombstones import Tombstones
from slowwave.memories.state.unfit import as_candidate
from slowwave.memories.state.values import MemoryState
from slowwave.storage.engine import reading
from slowwave.text.hygiene import clean_line


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
    text = archive_of(chosen, state)
    if file is None:
        verbatim(text)
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
    done: list[Merged] = []
    with scanner(app) as scrubber:
        incoming = read_archive(file, scrubber)

        def change(session: Session, state: MemoryState, now: float) -> MemoryState:
            tombstones = Tombstones.load_in(session, chosen.id)
            forgotten = tombstones.forgotten_in(session, chosen.id, [entry.text for entry in incoming.active])
            merged = merge_states(state, incoming, foreign=True, forgotten=forgotten)
            tombstones.lift_in(session, chosen.id, [entry.text for entry in (*merged.added, *merged.back)])
            for entry, reason in merged.doubtful:
                candidate, source = as_candidate(entry), f"import:{clean_line(file.name)}"
                hold_candidate_in(session, chosen.id, source, candidate, reason, run_id=None, now=now)
            done.append(merged)
            return merged.state

        result = change_project(app, chosen.id, change, cause="import", note=clean_line(file.name), scrubber=scrubber)
    merged = done[-1]
    back = f", {len(merged.back)} stand again" if merged.back else ""
    refused = f"; {merged.refused} were refused (forgotten here, or rules that nobody typed)" if merged.refused else ""
    held = f"; {len(merged.doubtful)} wait for you (`slowwave review`)" if merged.doubtful else ""
    left = ", ".join(merged.left_out)
    skills = f"; skills left out, their commands stand in no line of the memory: {left}" if left else ""
    undo = f"; `slowwave rollback {(result.version or 1) - 1}` undoes it" if result.version else ""
    text = f"{len(merged.added)} entries added to {chosen.name}{back}{refused}{held}{skills}{undo}"
    counts = {"added": len(merged.added), "back": len(merged.back), "refused": merged.refused}
    counts |= {"held": len(merged.doubtful), "skills_left_out": len(merged.left_out)}
    tell(app, result, text, as_json, **counts)
