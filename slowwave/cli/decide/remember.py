"""`slowwave remember`: add a line by hand."""

from __future__ import annotations

import click
from sqlmodel import Session

from slowwave.app import open_app
from slowwave.cli.common import json_option, project_option, tell
from slowwave.cli.output import say
from slowwave.memories.byhand.changes import change_project, user_project_in
from slowwave.memories.byhand.entries import remember as add_entry
from slowwave.memories.context import scanner
from slowwave.memories.projects.finding import find_or_begin
from slowwave.memories.state.tombstones import Tombstones
from slowwave.memories.state.values import EntryState, MemoryState
from slowwave.storage.engine import writing
from slowwave.storage.types import MemoryKind
from slowwave.text.hygiene import clean_line


@click.command()
@click.argument("text")
@click.option(
    "--kind",
    type=click.Choice([kind.value for kind in MemoryKind]),
    default=MemoryKind.PREFERENCE.value,
    show_default=True,
    help="Section of MEMORY.md.",
)
@click.option("--user", "for_user", is_flag=True, help="For all projects of this user.")
@project_option
@json_option
def remember(text: str, kind: str, for_user: bool, project: str | None, as_json: bool) -> None:
    """Remember TEXT about the current project, in your words. No run rewrites it.

    \b
    Example:
      slowwave remember "Deploy only from the release branch" --kind constraint
    """
    if for_user:
        app = open_app()
        with writing(app.engine) as session:
            project_id = user_project_in(session).id
    else:
        app, chosen = find_or_begin(open_app(), project)
        project_id = chosen.id
    added: list[EntryState] = []
    with scanner(app) as scrubber:
        redaction = scrubber.redact(text)

        def change(session: Session, state: MemoryState, now: float) -> MemoryState:
            changed, entry = add_entry(state, clean_line(redaction.text), MemoryKind(kind), now)
            Tombstones.load_in(session, project_id).lift_in(session, project_id, [entry.text])
            added.append(entry)
            return changed

        result = change_project(app, project_id, change, cause="remember", scrubber=scrubber)
    if redaction.findings:
        kinds = ", ".join(sorted({finding.type for finding in redaction.findings}))
        say(f"a secret was replaced before storing: {kinds}", err=True)
    tell(app, result, f"remembered as {added[-1].id}: {added[-1].text}", as_json, id=added[-1].id)
