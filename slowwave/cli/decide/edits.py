"""`slowwave edits`: what was changed in the memory files, and damaged files that were kept aside."""

from __future__ import annotations

import time

import click

from slowwave.app import App
from slowwave.cli.common import ago, confirm, json_option, locate, project_option, tell, yes_option
from slowwave.cli.output import emit, say
from slowwave.errors import ConfigError
from slowwave.memories.byhand.changes import change_files
from slowwave.memories.publishing.damage import WISH, WORDS, Kept, kept_aside
from slowwave.memories.publishing.publication import Publication, root_of
from slowwave.memories.publishing.takeover import accept_kept, pending_edits
from slowwave.storage.engine import reading
from slowwave.storage.tables import Project


@click.command()
@click.argument("what", type=click.Choice(["show", "accept", "discard"]), default="show")
@project_option
@yes_option
@json_option
def edits(what: str, project: str | None, yes: bool, as_json: bool) -> None:
    """Show what waits in the memory files, `accept` a mass change that was held back, or `discard` what was kept aside.

    A file that lost most of its lines counts as damaged: what was published is restored and the file is kept.

    \b
    Example:
      slowwave edits
      slowwave edits accept
    """
    app, chosen = locate(project)
    if what == "show":
        _show(app, chosen, as_json)
    elif what == "accept":
        _accept(app, chosen, yes, as_json)
    else:
        _discard(app, chosen, yes, as_json)


def _kept(app: App, project: Project) -> list[Kept]:
    return kept_aside(root_of(app.home, project))


def _show(app: App, project: Project, as_json: bool) -> None:
    with reading(app.engine) as session:
        waiting = pending_edits(session, root_of(app.home, project), project)
    kept = _kept(app, project)
    if as_json:
        files = [{"file": str(k.file), "path": k.path, "reason": k.reason, "at": k.at} for k in kept]
        emit({"changes": list(waiting.changes), "damage": list(waiting.damage), "kept_aside": files})
        return
    for change in waiting:
        say(change)
    for one in kept:
        say(f"{one.path} was damaged {ago(one.at, time.time())} ({WORDS[one.reason]}); kept in {one.file}")
    if not waiting and not kept:
        say("nothing was changed in the files")


def _accept(app: App, project: Project, yes: bool, as_json: bool) -> None:
    chosen: list[Kept] = []

    def take(publication: Publication) -> tuple[str, ...]:
        meant = [one for one in _kept(app, project) if one.reason in WISH]
        if not meant:
            raise ConfigError("no change of the files was held back", hint="`slowwave edits` shows what there is.")
        chosen.append(meant[-1])
        return accept_kept(publication, meant[-1])

    confirm(f"Take the held back change over into the memory of {project.name}? `slowwave rollback` undoes it.", yes)
    result = change_files(app, project.id, take, cause="edits accepted")
    tell(app, result, f"{chosen[-1].path} was taken over as it was changed", as_json)


def _discard(app: App, project: Project, yes: bool, as_json: bool) -> None:
    kept = _kept(app, project)
    confirm(f"Remove {len(kept)} damaged files that were kept aside?", yes)
    for one in kept:
        one.file.unlink(missing_ok=True)
    emit({"discarded": len(kept)}) if as_json else say(f"{len(kept)} files removed")
