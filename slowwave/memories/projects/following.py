"""Hosts follow their team: what the team's database has published since is fetched, and what was purged there goes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from slowwave.app import TEAM_STORE, App
from slowwave.memories.byhand.changes import desk_for
from slowwave.memories.context import scanner
from slowwave.memories.projects.stores import placed_projects
from slowwave.memories.publishing.publication import root_of
from slowwave.memories.publishing.takeover import repair
from slowwave.storage.engine import reading
from slowwave.storage.published.artifacts import prune
from slowwave.storage.published.live import VERSIONS, list_versions, live_folder, read_manifest
from slowwave.storage.published.versions import history
from slowwave.storage.tables import Project


@dataclass(frozen=True, slots=True)
class Behind:
    """A shared project whose published files here are not those of the team. `here` is 0 where there are none; `purged`
    tells that something here was purged by the team."""

    project: Project
    root: Path
    here: int
    there: int
    purged: bool


def behind(app: App) -> Iterator[Behind]:
    """The shared projects whose files on this host are older than what the team has, those with purged ones first."""
    found = [
        one for store, project in placed_projects(app) if store.store == TEAM_STORE and (one := _behind(store, project))
    ]
    yield from sorted(found, key=lambda one: (not one.purged, one.project.id))


def _behind(team: App, project: Project) -> Behind | None:
    root = root_of(team.home, project)
    folder = live_folder(root) if root.is_dir() and not root.is_symlink() else None
    manifest = read_manifest(folder) if folder is not None else None
    here = manifest.number if manifest is not None else 0
    with reading(team.engine) as session:
        rows = history(session, project.id)
    published = {row.number: row.digest for row in rows}
    on_disk = list_versions(root) if root.is_dir() else []
    purged = any(published.get(one.number) != one.digest for one in on_disk)
    current = manifest is not None and here == project.version and manifest.digest == published.get(here)
    return (
        None
        if (current and not purged) or not project.version
        else Behind(project, root, here, project.version, purged)
    )


def follow_team(app: App) -> int:
    """Fetch what the team published and remove what it purged; return for how many projects. What a person changed in
    the files here meanwhile is taken over first, but for lines that were forgotten since."""
    waiting = list(behind(app))
    if not waiting:
        return 0
    team = app.at(TEAM_STORE)
    with scanner(app) as scrubber:
        for one in waiting:
            # Fetching needs no claim: nothing is consolidated, and the files are this host's own.
            publication = desk_for(team, one.project, scrubber)
            repair(replace(publication, held=lambda _session: None))
            with reading(team.engine) as session:
                kept = {row.number for row in history(session, one.project.id) if not row.pruned}
            prune(one.root, kept)
            if one.purged:
                for aside in (one.root / VERSIONS).glob(".edited-*"):
                    shutil.rmtree(aside)
    return len(waiting)
