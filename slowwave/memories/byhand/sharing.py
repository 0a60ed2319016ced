"""Share a project with a team, by the explicit act of whoever works there: its rows then lie in the team's database.

What is not shared stays in the home's own SQLite file: neither its memory nor its quotes ever lie in the team's
database. Each home decides for itself; it keeps a row and the keys of a shared project, so that it finds it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import delete
from sqlmodel import Session, col, select

from slowwave.app import HOME_STORE, TEAM_STORE, App
from slowwave.errors import ConfigError
from slowwave.memories.byhand.changes import HandResult, change_project
from slowwave.memories.byhand.entries import by_hand
from slowwave.memories.byhand.forgetting import purge_left_behind
from slowwave.memories.consolidation.promotion import USER_ID
from slowwave.memories.projects.books import book_in
from slowwave.memories.projects.carrying import combine, divide
from slowwave.memories.projects.joining import join_projects
from slowwave.memories.projects.placing import refresh_keys
from slowwave.memories.projects.stores import SHARED, shared_projects
from slowwave.memories.publishing.publication import root_of
from slowwave.memories.state.store import load_state_in
from slowwave.memories.state.tombstones import Tombstones, copy_tombstones
from slowwave.memories.state.values import EntryState, MemoryState
from slowwave.rollouts.identity.book import Known
from slowwave.storage.engine import database_now, reading, writing
from slowwave.storage.project_keys import KeyRow, add_keys, keys_in, projects_in
from slowwave.storage.published.artifacts import forget_published
from slowwave.storage.queue.owner import this_host
from slowwave.storage.registry import ensure_project
from slowwave.storage.tables import (
    Artifact,
    Checkpoint,
    Entry,
    EntryChange,
    Evidence,
    HeldOperation,
    Job,
    MemoryFate,
    Note,
    Project,
    Setting,
    Skill,
    StageOneOutput,
    Thread,
    Tombstone,
    Version,
)
from slowwave.storage.types import KeyKind, Origin, Visibility

GOES = (
    Version, Evidence, Skill, Note, MemoryFate, EntryChange, HeldOperation, StageOneOutput, Checkpoint, Tombstone,
    Entry, Thread,
)  # fmt: skip
"""What leaves the home's store when a project is shared, in an order that keeps references whole."""
TRAVELS = (KeyKind.REMOTE, KeyKind.COMMIT)


def private_lines(app: App, project_id: str) -> tuple[str, ...]:
    """What a person wrote into a project that is not shared yet: lines, notes and procedures in their own words."""
    with reading(app.at(HOME_STORE).engine) as session:
        state = load_state_in(session, project_id)
    lines = [f"{entry.id}: {entry.text}" for entry in state.active if entry.origin == Origin.USER or entry.hand_edited]
    lines += [f"note in {note.path}: {note.text.strip()}" for note in state.notes]
    return (*lines, *(f"skill {skill.name}" for skill in state.skills if skill.hand_edited))


def share_project(app: App, project_id: str) -> HandResult:
    """Move a project into the team's store and publish it there. Safe to repeat after a crash, and when it is shared.

    Raises:
        ConfigError: there is no team's store, this is the user level, or the team has another project of that remote.
    """
    if not app.has_team:
        raise ConfigError("no team database is configured", hint="Set database.url and database.share: explicit.")
    if project_id == USER_ID:
        raise ConfigError("the user level is never shared", hint="Share single projects.")
    home, team = app.at(HOME_STORE), app.at(TEAM_STORE)
    if project_id not in shared_projects(app):
        with reading(home.engine) as session:
            published = session.get_one(Project, project_id).version
        if published:
            change_project(home, project_id, _same, cause="share")
        refresh_keys(home.engine)
        project_id = _as_in_team(home, team, project_id)
        _mark(home, project_id, shared=True)
        _hand_over(home, project_id)
    with reading(home.engine) as session:
        project = session.get_one(Project, project_id)
        state = load_state_in(session, project_id)
        rows = _rows(session, project_id)
        keys = [row for row in keys_in(session, project_id) if row.kind in TRAVELS]
        with writing(team.engine) as there:
            _begin_in_team(there, project, keys)
            copy_tombstones(session, there, project_id)
            for row in rows:
                there.merge(row)

    def change(session: Session, current: MemoryState, _now: float) -> MemoryState:
        tombstones = Tombstones.load_in(session, project_id)
        return combine(current, _without(state, tombstones)).state

    forget_published(root_of(team.home, project))
    result = change_project(team, project_id, change, cause="share")
    _drop(home, project_id)
    purge_left_behind(home, project_id)
    return result


def unshare_project(app: App, project_id: str) -> HandResult:
    """Keep a project to this host again: what its sessions taught and what was written here comes back. What the team
    has stays with the team."""
    home, team = app.at(HOME_STORE), app.at(TEAM_STORE)
    change_project(team, project_id, _same, cause="edits")
    host = this_host()
    with reading(team.engine) as there:
        threads = list(there.exec(select(Thread.id).where(Thread.project_id == project_id, Thread.host == host)))
        state = load_state_in(there, project_id)
        mine = {piece.key for entry in state.entries for piece in entry.evidence if piece.uid == by_hand()}
        own = divide(state, threads, pieces=mine).goes
        rows = _rows(there, project_id, threads)
        with writing(home.engine) as session:
            _show_as(session, project_id, Visibility.PRIVATE)
            copy_tombstones(there, session, project_id)
            for row in rows:
                session.merge(row)
    _mark(home, project_id, shared=False)
    _hand_over(home, project_id)

    def change(session: Session, current: MemoryState, _now: float) -> MemoryState:
        return combine(current, _without(own, Tombstones.load_in(session, project_id))).state

    return change_project(home, project_id, change, cause="unshare")


def _hand_over(app: App, project_id: str) -> None:
    """The project's files belong to another database from now on: what that one does not know is no loss."""
    with reading(app.engine) as session:
        forget_published(root_of(app.home, session.get_one(Project, project_id)))


def _as_in_team(home: App, team: App, project_id: str) -> str:
    """The id that the team knows this project by. Members begin with different keys: remote and history tell."""
    with reading(home.engine) as session:
        book = book_in(session)
        known = book.projects[project_id]
    with reading(team.engine) as session:
        theirs = {project.id: Known(project.id) for project in projects_in(session)}
        for row in keys_in(session):
            if row.project_id in theirs and row.kind in TRAVELS:
                (theirs[row.project_id].remotes if row.kind is KeyKind.REMOTE else theirs[row.project_id].marks).add(
                    row.value
                )
    history = book.history_of(known)
    for one in sorted(theirs.values(), key=lambda one: (one.id != project_id, one.id)):
        agrees = bool(one.marks & known.marks) or any(history is not None and history.has(mark) for mark in one.marks)
        unknown = not one.marks or not known.marks
        if one.id == project_id and not agrees and not unknown:
            raise ConfigError(
                "the team has another project of this remote: their histories have no commit in common",
                hint="Fetch the team's history first, or give yours another remote.",
            )
        if one.id == project_id:
            return project_id
        if one.remotes & known.remotes and agrees:
            return _renamed(home, team, project_id, one.id)
    return project_id


def _renamed(home: App, team: App, project_id: str, wanted: str) -> str:
    with reading(team.engine) as session:
        project = session.get_one(Project, wanted)
    with writing(home.engine) as session:
        ensure_project(session, key=project.key, id=wanted, slug=project.slug, name=project.name)
    join_projects(home, wanted, project_id, by="share", reason="the team knows it by this id", publish=False)
    return wanted


def _begin_in_team(session: Session, project: Project, keys: Iterable[KeyRow]) -> None:
    ensure_project(session, key=project.key, id=project.id, slug=project.slug, name=project.name, remote=project.remote)
    _show_as(session, project.id, Visibility.SHARED)
    add_keys(session, keys)


def _show_as(session: Session, project_id: str, visibility: Visibility) -> None:
    project = session.get_one(Project, project_id)
    project.visibility = visibility
    session.add(project)
    session.flush()


def _without(state: MemoryState, tombstones: Tombstones) -> MemoryState:
    """A state without what was forgotten where it goes."""

    def stays(entry: EntryState) -> bool:
        return not tombstones.covers_text(entry.text)

    return MemoryState(tuple(filter(stays, state.entries)), state.skills, state.notes, state.next_number)


def _same(_session: Session, state: MemoryState, _now: float) -> MemoryState:
    return state


def _mark(home: App, project_id: str, *, shared: bool) -> None:
    ids = set(shared_projects(home)) - {project_id}
    if shared:
        ids.add(project_id)
    with writing(home.engine) as session:
        session.merge(Setting(name=SHARED, value={"ids": sorted(ids)}, updated_at=database_now(session)))


def _rows(session: Session, project_id: str, wanted: Iterable[str] | None = None) -> list[Any]:
    """Detached copies of what a project's sessions left behind."""
    threads = session.exec(select(Thread).where(Thread.project_id == project_id)).all()
    ids = sorted(thread.id for thread in threads) if wanted is None else sorted(wanted)
    jobs = session.exec(select(Job).where(col(Job.kind) == "extract", col(Job.key).in_(ids))).all()
    outputs = session.exec(select(StageOneOutput).where(col(StageOneOutput.thread_id).in_(ids))).all()
    copies: list[Any] = [Thread(**row.model_dump()) for row in threads if row.id in ids]
    copies += [Job(**row.model_dump() | {"token": None, "lease_until": None}) for row in jobs if row.done_hash]
    return copies + [StageOneOutput(**row.model_dump()) for row in outputs]


def _drop(home: App, project_id: str) -> None:
    """Remove the project's rows from the home's store; its card and its keys stay. Its files are the team's now."""
    with writing(home.engine) as session:
        ids = list(session.exec(select(Thread.id).where(Thread.project_id == project_id)))
        versions = list(session.exec(select(Version.id).where(Version.project_id == project_id)))
        session.exec(delete(Artifact).where(col(Artifact.version_id).in_(versions)))
        for table in GOES:
            session.exec(delete(table).where(col(table.project_id) == project_id))
        session.exec(delete(Job).where(col(Job.key).in_([*ids, project_id])))
        project = session.get_one(Project, project_id)
        project.version, project.visibility = 0, Visibility.SHARED
        project.consolidated_generation = project.input_generation
        session.add(project)
