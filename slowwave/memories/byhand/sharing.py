"""Share a project with a team, by its owner's explicit act: from then on its rows lie in the team's database.

What is not shared stays in the home's own SQLite file: neither its memory nor its quotes ever lie in the team's
database. A project is shared on each host by whoever works there.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete
from sqlmodel import Session, col, select

from slowwave.app import HOME_STORE, TEAM_STORE, App
from slowwave.errors import ConfigError
from slowwave.memories.byhand.changes import HandResult, change_project
from slowwave.memories.byhand.entries import merge_states
from slowwave.memories.consolidation.promotion import USER_ID
from slowwave.memories.consolidation.state import MemoryState
from slowwave.memories.consolidation.state_store import load_state_in
from slowwave.storage.engine import database_now, reading, writing
from slowwave.storage.registry import ensure_project
from slowwave.storage.tables import (
    Artifact,
    Checkpoint,
    Entry,
    Evidence,
    Job,
    LogRecord,
    Note,
    Project,
    Setting,
    Skill,
    StageOneOutput,
    Thread,
    Tombstone,
    Version,
)
from slowwave.storage.types import Visibility

_SHARED = "shared_projects"


def shared_projects(app: App) -> frozenset[str]:
    """Ids of the projects that this host shares; empty where there is no team's store."""
    if not app.has_team:
        return frozenset()
    with reading(app.at(HOME_STORE).engine) as session:
        setting = session.get(Setting, _SHARED)
        return frozenset(setting.value["ids"]) if setting is not None else frozenset()


def store_of(app: App, project_id: str) -> App:
    """The installation with the store that holds a project."""
    if not app.has_team:
        return app
    return app.at(TEAM_STORE if project_id in shared_projects(app) else HOME_STORE)


def share_project(app: App, project_id: str) -> HandResult:
    """Move a project into the team's store and publish it there. Safe to repeat after a crash.

    Raises:
        ConfigError: there is no team's store, or this is the user level.
    """
    if not app.has_team:
        raise ConfigError("no team database is configured", hint="Set database.url and database.share: explicit.")
    if project_id == USER_ID:
        raise ConfigError("the user level is never shared", hint="Share single projects.")
    home, team = app.at(HOME_STORE), app.at(TEAM_STORE)
    _mark(home, project_id, shared=True)
    with reading(home.engine) as session:
        project = session.get_one(Project, project_id)
        state = load_state_in(session, project_id)
        rows = _rows(session, project_id)
    with writing(team.engine) as session:
        ensure_project(
            session,
            key=project.key,
            id=project.id,
            slug=project.slug,
            name=project.name,
            root=project.root,
            remote=project.remote,
        )
        shared = session.get_one(Project, project_id)
        shared.visibility = Visibility.SHARED
        session.add(shared)
        session.flush()
        for row in rows:
            session.merge(row)

    def change(_session: Session, current: MemoryState, _now: float) -> MemoryState:
        return merge_states(current, state)[0]

    result = change_project(team, project_id, change, cause="share")
    _drop(home, project_id)
    return result


def unshare_project(app: App, project_id: str) -> None:
    """Keep a project to this host again: its sessions are read anew into the home's store. What the team has stays."""
    home = app.at(HOME_STORE)
    _mark(home, project_id, shared=False)
    with writing(home.engine) as session, reading(app.at(TEAM_STORE).engine) as team:
        keys = [row.log_key for row in team.exec(select(Thread).where(Thread.project_id == project_id))]
        session.exec(delete(LogRecord).where(col(LogRecord.key).in_(keys)))


def _mark(home: App, project_id: str, *, shared: bool) -> None:
    ids = set(shared_projects(home)) - {project_id}
    if shared:
        ids.add(project_id)
    with writing(home.engine) as session:
        session.merge(Setting(name=_SHARED, value={"ids": sorted(ids)}, updated_at=database_now(session)))


def _rows(session: Session, project_id: str) -> list[Any]:
    """Detached copies of what a project's sessions left behind; stage two looks at them again in the new store."""
    threads = session.exec(select(Thread).where(Thread.project_id == project_id)).all()
    ids = [thread.id for thread in threads]
    jobs = session.exec(select(Job).where(col(Job.kind) == "extract", col(Job.key).in_(ids))).all()
    outputs = session.exec(select(StageOneOutput).where(StageOneOutput.project_id == project_id)).all()
    tombstones = session.exec(select(Tombstone).where(Tombstone.project_id == project_id)).all()
    copies: list[Any] = [Thread(**row.model_dump()) for row in threads]
    copies += [Job(**row.model_dump() | {"token": None, "lease_until": None}) for row in jobs if row.done_hash]
    copies += [StageOneOutput(**row.model_dump() | {"pending": True}) for row in outputs]
    copies += [Tombstone(**row.model_dump()) for row in tombstones]
    return copies


def _drop(home: App, project_id: str) -> None:
    """Remove the project's rows from the home's store. Its files belong to the team's store now."""
    with writing(home.engine) as session:
        ids = list(session.exec(select(Thread.id).where(Thread.project_id == project_id)))
        versions = list(session.exec(select(Version.id).where(Version.project_id == project_id)))
        session.exec(delete(Artifact).where(col(Artifact.version_id).in_(versions)))
        for table in (Version, Evidence, Skill, Note, StageOneOutput, Checkpoint, Tombstone, Entry, Thread):
            session.exec(delete(table).where(col(table.project_id) == project_id))
        session.exec(delete(Job).where(col(Job.key).in_([*ids, project_id])))
        session.exec(delete(Project).where(col(Project.id) == project_id))
