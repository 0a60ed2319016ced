"""Forget an entry, a session or a project: from the database, the files and, with purge, from history."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import delete
from sqlmodel import Session, col, select

from slowwave.app import App
from slowwave.memories.extraction.candidates import Candidate
from slowwave.memories.publishing.damage import FOLDER as DAMAGED
from slowwave.memories.publishing.publish import root_of
from slowwave.memories.state.store import delete_entries_in
from slowwave.memories.state.tombstones import FORGOTTEN, Tombstones
from slowwave.memories.state.values import EntryState, MemoryState
from slowwave.storage.backup import renew
from slowwave.storage.engine import writing
from slowwave.storage.project_keys import joined_in
from slowwave.storage.proposals import drop_fates, drop_held, drop_project, drop_texts
from slowwave.storage.purge import overwrite_free_pages
from slowwave.storage.queue.backlog import forget_done, withdraw
from slowwave.storage.queue.generations import bump_generation
from slowwave.storage.registry import set_reasons
from slowwave.storage.tables import (
    Artifact,
    Checkpoint,
    Entry,
    EntryChange,
    Evidence,
    HeldOperation,
    MemoryFate,
    Note,
    Project,
    ProjectChange,
    Skill,
    StageOneOutput,
    Thread,
    Version,
)
from slowwave.storage.types import JobKind, Reason, TombstoneKind


def forget_entry_in(session: Session, project_id: str, state: MemoryState, entry: EntryState) -> MemoryState:
    """Delete an entry with its evidence and bury its words. The candidates behind it go too."""
    tombstones = Tombstones.load_in(session, project_id)
    quotes = [piece.quote for piece in entry.evidence]
    buried = [(TombstoneKind.TEXT, tombstones.text(entry.text))]
    buried += [(TombstoneKind.QUOTE, tombstones.quote(quote)) for quote in quotes]
    tombstones.bury_in(session, project_id, buried, FORGOTTEN)
    _drop_candidates(session, project_id, {piece.thread_id for piece in entry.evidence if piece.thread_id is not None})
    buried_now = Tombstones.load_in(session, project_id)
    drop_held(session, project_id, lambda source: _covered(buried_now, source))
    delete_entries_in(session, project_id, [entry.number])
    return replace(state, entries=tuple(known for known in state.entries if known.number != entry.number))


def forget_sessions_in(session: Session, project_id: str, state: MemoryState, thread_ids: Iterable[str]) -> MemoryState:
    """Delete what sessions contributed. Entries that only they supported are deleted, not just retired."""
    wanted = set(thread_ids)
    tombstones = Tombstones.load_in(session, project_id)
    buried: list[tuple[TombstoneKind, str]] = []
    kept: list[EntryState] = []
    gone: list[int] = []
    for entry in state.entries:
        mine = [piece for piece in entry.evidence if piece.thread_id in wanted]
        if not mine:
            kept.append(entry)
            continue
        buried += [(TombstoneKind.QUOTE, tombstones.quote(piece.quote)) for piece in mine]
        left = tuple(piece for piece in entry.evidence if piece.thread_id not in wanted)
        if left or entry.locked:
            kept.append(replace(entry, evidence=left))
        else:
            gone.append(entry.number)
    for thread_id in sorted(wanted):
        buried.append((TombstoneKind.SESSION, tombstones.hash(TombstoneKind.SESSION, thread_id)))
        thread = session.get(Thread, thread_id)
        if thread is not None:
            thread.forgotten, thread.title = True, None
            session.add(thread)
        output = session.get(StageOneOutput, thread_id)
        if output is not None:
            session.delete(output)
    tombstones.bury_in(session, project_id, buried, FORGOTTEN)
    drop_fates(session, wanted)
    drop_held(session, project_id, lambda source: source["thread_id"] in wanted)
    withdraw(session, JobKind.EXTRACT, sorted(wanted), reason=Reason.FORGOTTEN)
    set_reasons(session, dict.fromkeys(wanted, (Reason.FORGOTTEN, FORGOTTEN)))
    delete_entries_in(session, project_id, gone)
    return replace(state, entries=tuple(kept))


def _covered(tombstones: Tombstones, source: Mapping[str, Any]) -> bool:
    return tombstones.covers(str(source["thread_id"]), Candidate.from_json(source["candidate"]))


def _drop_candidates(session: Session, project_id: str, thread_ids: set[str]) -> None:
    tombstones = Tombstones.load_in(session, project_id)
    for thread_id in sorted(thread_ids):
        output = session.get(StageOneOutput, thread_id)
        if output is None:
            continue
        left = [data for data in output.memories if not tombstones.covers(thread_id, Candidate.from_json(data))]
        if left != output.memories:
            gone = [Candidate.from_json(data).hash for data in output.memories if data not in left]
            drop_texts(session, project_id, [thread_id], gone)
            output.memories = left
            output.raw_memory = ""
            output.quarantined = []
            output.rollout_summary = output.rollout_summary if left else ""
            session.add(output)


def clear_project(app: App, project_id: str, *, relearn: bool = False) -> None:
    """Remove everything remembered about one project: rows, files and history. No other project is touched.

    What is known as processed stays known, so the same sessions are not read again; `relearn` drops that too.
    """
    with writing(app.engine) as session:
        project = session.get_one(Project, project_id, with_for_update=True)
        root = root_of(app.home, project)
        threads = list(session.exec(select(Thread.id).where(Thread.project_id == project_id)))
        versions = list(session.exec(select(Version.id).where(Version.project_id == project_id)))
        session.exec(delete(Artifact).where(col(Artifact.version_id).in_(versions)))
        for table in (
            Version,
            Evidence,
            Skill,
            Note,
            StageOneOutput,
            Checkpoint,
            EntryChange,
            HeldOperation,
            MemoryFate,
        ):
            session.exec(delete(table).where(col(table.project_id) == project_id))
        session.exec(delete(Entry).where(col(Entry.project_id) == project_id))
        drop_project(session, project_id)
        project.version = 0
        session.add(project)
        withdraw(session, JobKind.CONSOLIDATE, [project_id], reason="cleared")
        project.consolidated_generation = project.input_generation
        if relearn:
            forget_done(session, threads)
        set_reasons(session, dict.fromkeys(threads, (Reason.UP_TO_DATE, "memory was cleared")))
        session.flush()
    if root.is_symlink():
        root.unlink()
    elif root.is_dir():
        shutil.rmtree(root)
    renew(app.engine)


def purge_history(app: App, project_id: str) -> str:
    """Remove every version but the live one from database and disk, and overwrite free pages on SQLite.

    Returns what cannot be promised, empty when everything can.
    """
    with writing(app.engine) as session:
        project = session.get_one(Project, project_id)
        old = session.exec(
            select(Version).where(Version.project_id == project_id, Version.number != project.version)
        ).all()
        session.exec(delete(Artifact).where(col(Artifact.version_id).in_([version.id for version in old])))
        for version in old:
            session.delete(version)
        live = session.exec(
            select(Version).where(Version.project_id == project_id, Version.number == project.version)
        ).one_or_none()
        if live is not None and live.state:
            live.state = b""
            session.add(live)
        _purge_joined(session, project_id)
        number, root = project.version, root_of(app.home, project)
    if root.is_dir():
        from slowwave.storage.published.artifacts import prune

        prune(root, {number})
        for kept in (*(root / "versions").glob(".edited-*"), root / DAMAGED):
            shutil.rmtree(kept, ignore_errors=True)
    renew(app.engine)
    return overwrite_free_pages(app.engine)


def purge_left_behind(app: App, project_id: str) -> None:
    """Make unreadable what a store still has of a project that went to another one: deleted rows, what was kept aside
    of projects that were joined to it, and backups with either. A purge over there could not reach them."""
    with writing(app.engine) as session:
        _purge_joined(session, project_id)
    renew(app.engine)
    overwrite_free_pages(app.engine)


def _purge_joined(session: Session, project_id: str) -> None:
    """What is kept aside of projects that were joined to this one goes, too: such a join cannot be undone any more."""
    for joined in joined_in(session, project_id):
        versions = list(session.exec(select(Version.id).where(Version.project_id == joined.id)))
        session.exec(delete(Artifact).where(col(Artifact.version_id).in_(versions)))
        session.exec(delete(Version).where(col(Version.project_id) == joined.id))
        joined.version = 0
        session.add(joined)
    for change in session.exec(select(ProjectChange).where(ProjectChange.project_id == project_id)):
        if "joined" in change.data:
            change.data = {}
            session.add(change)


def force_in(session: Session, project_ids: Iterable[str]) -> None:
    """Make projects dirty and let stage two look at every session again."""
    wanted = sorted(set(project_ids))
    for output in session.exec(select(StageOneOutput).where(col(StageOneOutput.project_id).in_(wanted))):
        output.pending = True
        session.add(output)
        drop_fates(session, [output.thread_id], stage=2)
    session.flush()
    bump_generation(session, wanted)
