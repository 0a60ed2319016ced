"""Join projects that are one. Lines, evidence, skills, facts, sessions and files go along, and a person can undo it.

The joined project's row and its published versions are kept aside. What was learnt since the join stays with the
sessions that taught it when the join is undone.
"""

from __future__ import annotations

import base64
import shutil
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import delete, update
from sqlmodel import Session, col, select

from slowwave.app import App
from slowwave.errors import ConfigError
from slowwave.memories.byhand.changes import HandResult, change_project
from slowwave.memories.projects.carrying import combine, divide
from slowwave.memories.projects.stores import refuse_shared
from slowwave.memories.publishing.publication import root_of
from slowwave.memories.state.store import delete_entries_in, load_state_in, lock_project, save_state_in
from slowwave.memories.state.values import MemoryState, dump_state, load_state
from slowwave.paths import session_database_file
from slowwave.rollouts.identity.paths import folder_key
from slowwave.storage.engine import database_now, reading, writing
from slowwave.storage.failpoints import reach
from slowwave.storage.insession.projects import move_notes
from slowwave.storage.insession.store import SessionStore
from slowwave.storage.project_keys import (
    KeyRow,
    add_keys,
    drop_keys,
    keep_apart,
    keys_in,
    record_change,
    settle_proposals,
)
from slowwave.storage.proposals import FATES, carry_held
from slowwave.storage.queue.backlog import withdraw
from slowwave.storage.queue.generations import bump_generation
from slowwave.storage.queue.rows import JOBS
from slowwave.storage.registry import OUTPUTS, THREADS
from slowwave.storage.tables import (
    EntryChange,
    HeldOperation,
    MemoryFate,
    Note,
    Project,
    ProjectChange,
    Skill,
    Thread,
    Tombstone,
)
from slowwave.storage.types import ChangeKind, ChangeState, JobKind, KeyKind


def join_projects(app: App, keep: str, gone: str, *, by: str, reason: str = "", publish: bool = True) -> HandResult:
    """Make one project part of another one of the same store and publish it there.

    Raises:
        ConfigError: they are one already, or a run is at the one that goes.
        PublishError, RedactionError: from taking over what a person wrote into its files; nothing was joined.
    """
    if keep == gone:
        raise ConfigError("these are one project already")
    refuse_shared(app, keep, gone)
    with reading(app.engine) as session:
        leaving = session.get_one(Project, gone)
        folder = root_of(app.home, leaving)
        if leaving.user_level or session.get_one(Project, keep).user_level:
            raise ConfigError("the user level is no project to join", hint="`slowwave projects` lists them.")
    if leaving.version and change_project(app, gone, lambda _session, state, _now: state, cause="join").pending:
        raise ConfigError(f"a run is at {leaving.name}", hint="Join them when it has ended.")
    with writing(app.engine) as session:
        own_files = _own_files(session, gone)
        join_in(session, keep, gone, by=by, reason=reason)
        kept_root = root_of(app.home, session.get_one(Project, keep))
    reach("projects.joined")
    for path, content in own_files.items():
        target = kept_root / "current" / path
        if (kept_root / "current").is_dir() and not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            target.touch(mode=0o600)
            target.write_bytes(content)
    move_day(app, gone, keep)
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder)
    if not publish:
        return HandResult(None, kept_root, pending=True)
    return change_project(app, keep, lambda _session, state, _now: state, cause="join", note=leaving.name)


def join_in(session: Session, keep: str, gone: str, *, by: str, reason: str = "") -> int:
    """The rows of `join_projects`, in the caller's transaction; return the change's number."""
    for project_id in sorted((keep, gone)):
        lock_project(session, project_id)
    now = database_now(session)
    ours, theirs = load_state_in(session, keep), load_state_in(session, gone)
    made = combine(ours, theirs)
    threads = _thread_ids(session, gone)
    keys = keys_in(session, gone)
    data: dict[str, Any] = {
        "kept": _packed(ours),
        "joined": _packed(theirs),
        "numbers": {str(old): new for old, new in made.numbers.items()},
        "threads": threads,
        "keys": [[row.kind.value, row.value, row.host, dict(row.detail)] for row in keys],
    }
    delete_entries_in(session, gone, [entry.number for entry in theirs.entries])
    for table in (Skill, Note):
        session.exec(delete(table).where(col(table.project_id) == gone))
    save_state_in(session, keep, ours, made.state, None, now)
    _move_sessions(session, threads, keep)
    _move_story(session, gone, keep, made.numbers)
    _copy_tombstones(session, gone, keep)
    drop_keys(session, keys)
    add_keys(session, [KeyRow(keep, row.kind, row.value, row.host, row.detail) for row in keys], now=now)
    add_keys(session, [KeyRow(keep, KeyKind.ID, gone)], now=now)
    carry_held(session, gone, keep, now=now)
    settle_proposals(session, keep, gone)
    change = record_change(session, ChangeKind.JOIN, keep, gone, reason=reason, by=by, data=data)
    leaving, staying = session.get_one(Project, gone), session.get_one(Project, keep)
    leaving.joined_to = keep
    leaving.consolidated_generation = leaving.input_generation
    staying.last_activity = max((staying.last_activity or 0.0, leaving.last_activity or 0.0)) or None
    if staying.remote is None and leaving.remote is not None and not staying.named:
        staying.name = leaving.name
    staying.root = staying.root or leaving.root
    staying.remote = staying.remote or leaving.remote
    session.add_all((leaving, staying))
    session.flush()
    withdraw(session, JobKind.CONSOLIDATE, [gone], reason="joined")
    bump_generation(session, keep, now=now)
    return change


def undo_join(app: App, change: ProjectChange) -> HandResult:
    """Make two projects of what was joined. A person keeps them apart from now on.

    Raises:
        ConfigError: what was joined was purged since, so it cannot come back.
    """
    if "joined" not in change.data:
        raise ConfigError("this join cannot be undone: what was joined was purged since")
    keep, gone = change.project_id, change.other_id
    with writing(app.engine) as session:
        for project_id in sorted((keep, gone)):
            lock_project(session, project_id)
        now = database_now(session)
        numbers = {int(old): int(new) for old, new in change.data["numbers"].items()}
        kept, joined = _unpacked(change.data["kept"]), _unpacked(change.data["joined"])
        roots = [value for kind, value, _host, _detail in change.data["keys"] if kind == KeyKind.ROOT.value]
        mine = session.exec(select(Thread).where(Thread.project_id == keep).order_by(col(Thread.id))).all()
        came = set(change.data["threads"])
        threads = [row.id for row in mine if row.id in came or (roots and mostly_in(row, roots))]
        own = {piece.key for entry in joined.entries for piece in entry.evidence if piece.thread_id is None}
        own -= {piece.key for entry in kept.entries for piece in entry.evidence}
        theirs = set(numbers.values()) - {entry.number for entry in kept.entries}
        state = load_state_in(session, keep)
        divided = divide(
            state,
            threads,
            owns=lambda entry: entry.number in theirs,
            pieces=own,
            numbers={new: old for old, new in numbers.items()},
            skills={skill.name for skill in joined.skills} - {skill.name for skill in kept.skills},
            notes=MemoryState(notes=tuple(note for note in joined.notes if note not in kept.notes)),
        )
        part_states_in(session, keep, gone, state, divided.stays, divided.goes, now)
        _move_sessions(session, threads, gone)
        _copy_tombstones(session, keep, gone)
        keys = [KeyRow(keep, KeyKind(kind), value, host, detail) for kind, value, host, detail in change.data["keys"]]
        drop_keys(session, [*keys, KeyRow(keep, KeyKind.ID, gone)])
        add_keys(session, [KeyRow(gone, row.kind, row.value, row.host, row.detail) for row in keys], now=now)
        leaving = session.get_one(Project, gone)
        leaving.joined_to = None
        row = session.get_one(ProjectChange, change.id)
        row.state, row.ended_at, row.data = ChangeState.UNDONE, now, {}
        session.add_all((leaving, row))
        session.flush()
        keep_apart(session, keep, gone)
        bump_generation(session, (keep, gone), now=now)
    move_day(app, keep, gone, threads)
    change_project(app, gone, lambda _session, state, _now: state, cause="undo join")
    return change_project(app, keep, lambda _session, state, _now: state, cause="undo join")


def part_states_in(
    session: Session, here: str, there: str, before: MemoryState, stays: MemoryState, goes: MemoryState, now: float
) -> None:
    """Write what stays and what goes of a state into two projects, in the caller's transaction. What already stands in
    the other one stays there."""
    gone = {entry.number for entry in before.entries} - {entry.number for entry in stays.entries}
    delete_entries_in(session, here, sorted(gone))
    names = {skill.name for skill in before.skills} - {skill.name for skill in stays.skills}
    session.exec(delete(Skill).where(col(Skill.project_id) == here, col(Skill.name).in_(sorted(names))))
    save_state_in(session, here, load_state_in(session, here), stays, None, now)
    standing = load_state_in(session, there)
    wanted = {entry.number: entry.number for entry in goes.entries}
    save_state_in(session, there, standing, combine(standing, goes, wanted).state, None, now)


def move_sessions_in(session: Session, threads: Iterable[str], source: str, target: str) -> None:
    """Give sessions with their extractions and what was forgotten to another project."""
    _move_sessions(session, sorted(threads), target)
    _copy_tombstones(session, source, target)


def mostly_in(thread: Thread, folders: Iterable[str]) -> bool:
    """Whether most of a session's user turns happened in some folders (given by their keys) or below."""
    turns = thread.turns_by_cwd or {thread.cwd or "": 1}
    tops = tuple(folder.rstrip("/") + "/" for folder in folders)
    inside = sum(count for cwd, count in turns.items() if (folder_key(cwd) + "/").startswith(tops))
    return inside * 2 > sum(turns.values())


def _thread_ids(session: Session, project_id: str) -> list[str]:
    return list(session.exec(select(Thread.id).where(Thread.project_id == project_id).order_by(col(Thread.id))))


def _move_sessions(session: Session, threads: Iterable[str], target: str) -> None:
    ids = list(threads)
    for start in range(0, len(ids), 500):
        chunk = ids[start : start + 500]
        by_thread = ((THREADS, "id"), (OUTPUTS, "thread_id"), (JOBS, "key"), (FATES, "thread_id"))
        for table, column in ((table, table.c[name]) for table, name in by_thread):
            session.connection().execute(update(table).where(column.in_(chunk)).values(project_id=target))


def _move_story(session: Session, source: str, target: str, numbers: Mapping[int, int]) -> None:
    """What became of each memory and each line goes along; what waited for a review there is asked again in time."""
    for change in session.exec(select(EntryChange).where(EntryChange.project_id == source)).all():
        change.project_id, change.number = target, numbers.get(change.number, change.number)
        session.add(change)
    for fate in session.exec(select(MemoryFate).where(MemoryFate.project_id == source)).all():
        fate.project_id = target
        fate.entry = numbers.get(fate.entry, fate.entry) if fate.entry is not None else None
        session.add(fate)
    session.exec(delete(HeldOperation).where(col(HeldOperation.project_id) == source))
    session.flush()


def _copy_tombstones(session: Session, source: str, target: str) -> None:
    for row in session.exec(select(Tombstone).where(Tombstone.project_id == source)).all():
        session.merge(Tombstone(**row.model_dump() | {"project_id": target}))
    session.flush()


def _own_files(session: Session, project_id: str) -> dict[str, bytes]:
    """Files that a person put into the published folder."""
    from slowwave.memories.publishing.takeover import carried_in

    number = session.get_one(Project, project_id).version
    return carried_in(session, project_id, number) if number else {}


def move_day(app: App, old: str, new: str, sessions: Iterable[str] | None = None) -> None:
    """Give what the day noted (in some sessions only, where they are given) to another project."""
    path = session_database_file(app.home)
    if path.exists():
        with SessionStore(path) as store:
            move_notes(store, old, new, frozenset(sessions) if sessions is not None else None)


def _packed(state: MemoryState) -> str:
    return base64.b64encode(dump_state(state)).decode("ascii")


def _unpacked(text: str) -> MemoryState:
    return load_state(base64.b64decode(text))
