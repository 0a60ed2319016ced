"""What a person says about projects: a part is one of its own, this is its name, here it lies now. Each with undo."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from sqlmodel import Session, select

from slowwave.app import HOME_STORE, App
from slowwave.errors import ConfigError
from slowwave.memories.byhand.changes import HandResult, change_project
from slowwave.memories.projects.books import adopt_in, begin_in, book_in
from slowwave.memories.projects.carrying import divide
from slowwave.memories.projects.joining import (
    join_projects,
    mostly_in,
    move_day,
    move_sessions_in,
    part_states_in,
    undo_join,
)
from slowwave.memories.projects.stores import refuse_shared, store_of
from slowwave.memories.state.store import load_state_in, lock_project
from slowwave.memories.state.values import MemoryState
from slowwave.rollouts.identity import paths
from slowwave.rollouts.identity.book import Key
from slowwave.rollouts.identity.places import trace
from slowwave.rollouts.identity.projects import host_id, named, shown_name
from slowwave.storage.engine import database_now, reading, writing
from slowwave.storage.project_keys import KeyRow, add_keys, drop_keys, keep_apart, keys_in, record_change
from slowwave.storage.queue.generations import bump_generation
from slowwave.storage.tables import Project, ProjectChange, Thread
from slowwave.storage.types import ChangeKind, ChangeState, KeyKind


def split_project(
    app: App, project_id: str, *, folder: str | None = None, sessions: Collection[str] = (), name: str | None = None
) -> tuple[str, HandResult]:
    """Make a project of its own of what lies in one folder, or of some sessions; return its id.

    Lines that both sides support stand on both sides; what a person wrote by hand stays.

    Raises:
        ConfigError: nothing would go, or everything would.
    """
    refuse_shared(app, project_id)
    with reading(app.engine) as session:
        threads = list(session.exec(select(Thread).where(Thread.project_id == project_id)))
    going = sorted(thread.id for thread in threads if _goes(thread, folder, sessions))
    if not going and folder is None:
        raise ConfigError("none of these sessions is in this project", hint="`slowwave status` lists them.")
    if going and len(going) == len(threads):
        raise ConfigError("all of its sessions would go", hint="Rename it instead: `slowwave projects rename`.")
    key = f"split:{project_id}:{folder or ','.join(going)}"
    title = name or (Path(folder).name if folder else "split")
    identity = named(key, title, folder, None)
    root = _part_key(folder) if folder is not None else None
    with writing(app.at(HOME_STORE).engine) as session:
        book = book_in(session)
        taken = [row for row in keys_in(session, project_id) if root is not None and _below(row, root.value)]
        other = begin_in(session, book, identity)
        if root is not None:
            drop_keys(session, taken)
            adopt_in(session, book, other, [root])
            add_keys(session, [KeyRow(other, row.kind, row.value, row.host, row.detail) for row in taken])
        keep_apart(session, project_id, other)
        data: dict[str, Any] = {"threads": going, "keys": _listed(taken)}
        record_change(session, ChangeKind.SPLIT, project_id, other, data=data)
    with writing(app.engine) as session:
        _part_rows(session, project_id, other, going)
    move_day(app, project_id, other, going)
    change_project(app, project_id, _same, cause="split")
    return other, change_project(app, other, _same, cause="split")


def _part_rows(session: Session, here: str, there: str, threads: Collection[str]) -> None:
    for project_id in sorted((here, there)):
        lock_project(session, project_id)
    state = load_state_in(session, here)
    divided = divide(state, threads)
    part_states_in(session, here, there, state, divided.stays, divided.goes, database_now(session))
    move_sessions_in(session, threads, here, there)
    bump_generation(session, (here, there))


def rename_project(app: App, project_id: str, name: str) -> None:
    """Give a project a name. It is found by the old one, too."""
    shown = shown_name(name)
    with writing(app.engine) as session:
        project = session.get_one(Project, project_id)
        old_name = project.name
        before: dict[str, Any] = {"name": old_name, "named": project.named}
        project.name, project.named = shown, True
        session.add(project)
    with writing(app.at(HOME_STORE).engine) as session:
        card = session.get(Project, project_id)
        if card is not None:
            card.name, card.named = shown, True
            session.add(card)
        add_keys(session, [KeyRow(project_id, KeyKind.NAME, one) for one in (old_name, shown) if one])
        record_change(session, ChangeKind.RENAME, project_id, reason=f"{before['name']} -> {shown}", data=before)


def move_project(app: App, project_id: str, folder: str) -> None:
    """Say where a project lies now.

    Raises:
        ConfigError: the folder is not there, or belongs to another project that is in use.
    """
    place = str(Path(folder).expanduser().resolve())
    if not Path(place).is_dir():
        raise ConfigError(f"{folder} is no folder")
    with writing(app.at(HOME_STORE).engine) as session:
        book = book_in(session)
        root = _root_key(place)
        owner = book.roots.get(root.value)
        if owner is not None and owner != project_id:
            raise ConfigError(
                f"{folder} is {book.projects[owner].name} [{owner[:8]}]",
                hint=f"`slowwave projects join {project_id[:8]} {owner[:8]}` makes one of them.",
            )
        project = session.get_one(Project, project_id)
        data = {"root": project.root, "key": root.value, "known": owner == project_id}
        record_change(session, ChangeKind.MOVE, project_id, reason=f"{project.root} -> {place}", data=data)
        project.root = place
        session.add(project)
        adopt_in(session, book, project_id, [root])


def undo(app: App, change: ProjectChange) -> str:
    """Take a change back and return what was done, in words.

    Raises:
        ConfigError: it was taken back before, or cannot be.
    """
    if change.state != ChangeState.DONE:
        raise ConfigError(
            f"change {change.id} is {change.state}", hint="`slowwave projects log` lists what can be undone."
        )
    if change.kind in (ChangeKind.JOIN, ChangeKind.SPLIT):
        refuse_shared(app, change.project_id, *([change.other_id] if change.other_id else []))
    store = store_of(app, change.project_id)
    if change.kind == ChangeKind.JOIN:
        undo_join(store, change)
        return "they are two projects again"
    if change.kind == ChangeKind.SPLIT:
        join_projects(store, change.project_id, change.other_id, by="person", reason=f"undo of change {change.id}")
        _restore_keys(app, change)
        done = "they are one project again"
    elif change.kind == ChangeKind.RENAME:
        done = _undo_rename(app, store, change)
    else:
        done = _undo_move(app, change)
    with writing(app.at(HOME_STORE).engine) as session:
        row = session.get_one(ProjectChange, change.id)
        row.state, row.ended_at, row.data = ChangeState.UNDONE, database_now(session), {}
        session.add(row)
    return done


def _restore_keys(app: App, change: ProjectChange) -> None:
    with writing(app.at(HOME_STORE).engine) as session:
        mine = keys_in(session, change.project_id)
        drop_keys(session, [row for row in mine if row.detail.get("part")])
        before = [
            KeyRow(change.project_id, KeyKind(k), value, host, detail) for k, value, host, detail in change.data["keys"]
        ]
        add_keys(session, before)


def _undo_rename(app: App, store: App, change: ProjectChange) -> str:
    for one in {store.store: store, HOME_STORE: app.at(HOME_STORE)}.values():
        with writing(one.engine) as session:
            project = session.get(Project, change.project_id)
            if project is not None:
                project.name, project.named = str(change.data["name"]), bool(change.data["named"])
                session.add(project)
    return f"its name is {change.data['name']} again"


def _undo_move(app: App, change: ProjectChange) -> str:
    with writing(app.at(HOME_STORE).engine) as session:
        project = session.get_one(Project, change.project_id)
        project.root = change.data["root"]
        session.add(project)
        if not change.data["known"]:
            drop_keys(session, [KeyRow(project.id, KeyKind.ROOT, str(change.data["key"]), host_id())])
    return f"it lies at {change.data['root']} again"


def _goes(thread: Thread, folder: str | None, sessions: Collection[str]) -> bool:
    if folder is None:
        return thread.id in sessions or thread.session_id in sessions
    return mostly_in(thread, (paths.folder_key(folder),))


def _below(row: KeyRow, root: str) -> bool:
    return row.kind is KeyKind.ROOT and (row.value + "/").startswith(root + "/")


def _root_key(folder: str) -> Key:
    seen = trace(folder)
    detail = {"path": folder, "number": seen.number, "names": list(seen.names)}
    return Key(KeyKind.ROOT, paths.folder_key(folder), host_id(), detail)


def _part_key(folder: str) -> Key:
    """A part that a person made a project counts as one inside its repository, too."""
    key = _root_key(folder)
    return Key(key.kind, key.value, key.host, {**key.detail, "part": True})


def _listed(rows: Collection[KeyRow]) -> list[list[Any]]:
    return [[row.kind.value, row.value, row.host, dict(row.detail)] for row in rows]


def _same(_session: Session, state: MemoryState, _now: float) -> MemoryState:
    return state
