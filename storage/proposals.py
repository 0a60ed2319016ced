"""What became of proposed memories, what operations changed, and what waits for a person: rows and queries.

The caller owns the transaction and has checked its lease in it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from sqlalchemy import delete, func
from sqlmodel import Session, col, select

from slowwave.storage.tables import EntryChange, HeldOperation, MemoryFate, StageOneOutput, Table, Thread
from slowwave.storage.types import Fate, HeldState

FATES = Table.metadata.tables["memory_fates"]


@dataclass(frozen=True, slots=True)
class FateRow:
    """What became of one memory of a session. `hash` is the identity of its text."""

    thread_id: str
    hash: str
    kind: str
    text: str
    state: Fate
    stage: int = 2
    reason: str = ""
    entry: int | None = None


@dataclass(frozen=True, slots=True)
class HeldRow:
    """An operation to hold back, complete in itself."""

    operation: Mapping[str, Any]
    sources: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""

    @property
    def key(self) -> str:
        """The same proposal has the same key in every night: references of memories differ, their words do not."""
        operation = {name: value for name, value in self.operation.items() if name not in ("memories", "reason")}
        texts = sorted(str(source["candidate"]["text"]) for source in self.sources.values())
        plain = json.dumps([operation, texts], sort_keys=True, ensure_ascii=False, default=str)
        return sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def record_fates(
    session: Session, project_id: str, rows: Iterable[FateRow], *, run_id: str | None, now: float, offered: int = 0
) -> None:
    """Store what became of memories; the latest word about a text counts. `offered` is added to how often it was."""
    for row in {(row.thread_id, row.hash): row for row in rows}.values():
        known = session.exec(
            select(MemoryFate).where(MemoryFate.thread_id == row.thread_id, MemoryFate.hash == row.hash)
        ).one_or_none()
        if known is None:
            known = MemoryFate(
                project_id=project_id,
                thread_id=row.thread_id,
                hash=row.hash,
                kind=row.kind,
                text=row.text,
                state=row.state,
            )
        known.project_id, known.state, known.stage = project_id, row.state, row.stage
        known.reason, known.entry, known.run_id, known.at = row.reason, row.entry, run_id, now
        known.offered += offered
        session.add(known)
    session.flush()


def fates_of(session: Session, thread_id: str) -> list[MemoryFate]:
    """What became of everything that a session proposed, in the order in which it was decided."""
    query = select(MemoryFate).where(MemoryFate.thread_id == thread_id).order_by(col(MemoryFate.id))
    return list(session.exec(query))


def settled_in(session: Session, project_id: str) -> dict[str, frozenset[str]]:
    """By session the hashes of texts that stage two has decided about since their session was last extracted."""
    query = select(MemoryFate.thread_id, MemoryFate.hash).where(
        MemoryFate.project_id == project_id, MemoryFate.stage == 2
    )
    found: dict[str, set[str]] = {}
    for thread_id, hashed in session.exec(query):
        found.setdefault(thread_id, set()).add(hashed)
    return {thread_id: frozenset(hashes) for thread_id, hashes in found.items()}


def left_out_in(session: Session, project_id: str, *, offered_below: int) -> list[MemoryFate]:
    """Memories that stage two left out and has not been offered too often, the newest first."""
    query = (
        select(MemoryFate)
        .where(
            MemoryFate.project_id == project_id,
            MemoryFate.state == Fate.LEFT_OUT,
            MemoryFate.offered < offered_below,
        )
        .order_by(col(MemoryFate.at).desc(), col(MemoryFate.id).desc())
    )
    return list(session.exec(query))


def drop_fates(session: Session, thread_ids: Collection[str], *, stage: int | None = None) -> None:
    """Remove what is stored of sessions that are extracted or consolidated anew, or forgotten."""
    query = delete(MemoryFate).where(col(MemoryFate.thread_id).in_(sorted(thread_ids)))
    session.exec(query if stage is None else query.where(col(MemoryFate.stage) == stage))


def drop_changes(session: Session, project_id: str, number: int) -> None:
    """Remove what is stored of an entry that a person forgot."""
    session.exec(
        delete(EntryChange).where(col(EntryChange.project_id) == project_id, col(EntryChange.number) == number)
    )


def drop_texts(session: Session, project_id: str, thread_ids: Collection[str], hashes: Collection[str]) -> None:
    """Remove the fates of some texts of some sessions: a person forgot them."""
    session.exec(
        delete(MemoryFate).where(
            col(MemoryFate.project_id) == project_id,
            col(MemoryFate.thread_id).in_(sorted(thread_ids)),
            col(MemoryFate.hash).in_(sorted(hashes)),
        )
    )


def drop_project(session: Session, project_id: str) -> None:
    """Remove everything of a project that is cleared."""
    for table in (MemoryFate, HeldOperation, EntryChange):
        session.exec(delete(table).where(col(table.project_id) == project_id))


def drop_held(session: Session, project_id: str, forgotten: Callable[[Mapping[str, Any]], bool]) -> None:
    """Remove held operations that rest on a memory which a person forgot."""
    for row in session.exec(select(HeldOperation).where(HeldOperation.project_id == project_id)):
        if any(forgotten(source) for source in row.sources.values()):
            session.delete(row)
    session.flush()


def record_change(
    session: Session,
    project_id: str,
    number: int,
    operation: str,
    before: str,
    after: str,
    reason: str,
    *,
    run_id: str | None,
    now: float,
) -> None:
    """Store what an operation did to an entry."""
    session.add(
        EntryChange(
            project_id=project_id,
            number=number,
            operation=operation,
            before=before,
            after=after,
            reason=reason,
            run_id=run_id,
            at=now,
        )
    )


def changes_of(session: Session, project_id: str, number: int) -> list[EntryChange]:
    """What happened to an entry, oldest first."""
    query = select(EntryChange).where(EntryChange.project_id == project_id, EntryChange.number == number)
    return list(session.exec(query.order_by(col(EntryChange.id))))


def hold(session: Session, project_id: str, row: HeldRow, *, run_id: str | None, now: float) -> HeldOperation | None:
    """Keep an operation for a person. One that was declined before is not kept again: None."""
    known = session.exec(
        select(HeldOperation).where(HeldOperation.project_id == project_id, HeldOperation.key == row.key)
    ).one_or_none()
    if known is None:
        known = HeldOperation(project_id=project_id, key=row.key, at=now, offered=0)
    elif known.state == HeldState.DECLINED:
        return None
    known.operation, known.sources, known.reason = dict(row.operation), dict(row.sources), row.reason
    known.state, known.run_id, known.decided_at = HeldState.WAITING, run_id, None
    known.offered += 1
    session.add(known)
    session.flush()
    return known


def held(session: Session, project_id: str | None = None) -> list[HeldOperation]:
    """What waits for a person, of one project or of all, oldest first."""
    query = select(HeldOperation).where(HeldOperation.state == HeldState.WAITING).order_by(col(HeldOperation.id))
    return list(session.exec(query if project_id is None else query.where(HeldOperation.project_id == project_id)))


def held_counts(session: Session) -> dict[str, int]:
    """How many operations of each project wait for a person."""
    query = (
        select(HeldOperation.project_id, func.count())
        .where(HeldOperation.state == HeldState.WAITING)
        .group_by(HeldOperation.project_id)
    )
    return {project_id: int(count) for project_id, count in session.exec(query)}


def carry_held(session: Session, source: str, target: str, *, now: float) -> None:
    """What waits of a project that becomes part of another: memories to add go with it, what concerns single lines is
    pointless, since their numbers are others now."""
    for row in held(session, source):
        twin = select(HeldOperation).where(HeldOperation.project_id == target, HeldOperation.key == row.key)
        if row.operation.get("entries") or session.exec(twin).one_or_none() is not None:
            row.state, row.decided_at = HeldState.OBSOLETE, now
        else:
            row.project_id = target
        session.add(row)
    session.flush()


def decide_held(session: Session, row_id: int, state: HeldState, *, now: float) -> HeldOperation | None:
    """Say what became of a held operation; None when it does not wait."""
    row = session.get(HeldOperation, row_id)
    if row is None or row.state != HeldState.WAITING:
        return None
    row.state, row.decided_at = state, now
    session.add(row)
    return row


@dataclass(frozen=True, slots=True)
class OpenSession:
    """What the newest session of a branch left open: points with their text and evidence, and when (seconds, epoch)."""

    points: tuple[dict[str, Any], ...]
    at: float
    branch: str
    agent: str
    session_id: str


def open_work_in(session: Session, project_id: str, since: float) -> list[OpenSession]:
    """What sessions since a moment left open: of each branch the newest that said anything, the newest first."""
    query = (
        select(StageOneOutput, Thread)
        .join(Thread, col(Thread.id) == col(StageOneOutput.thread_id))
        .where(
            StageOneOutput.project_id == project_id,
            col(Thread.forgotten).is_(False),
            col(StageOneOutput.session_last_activity) >= since,
        )
        .order_by(col(StageOneOutput.session_last_activity).desc(), col(StageOneOutput.thread_id))
    )
    found: dict[str, OpenSession] = {}
    for output, thread in session.exec(query):
        branch = thread.branch or ""
        if output.open_work and branch not in found:
            at = output.session_last_activity or 0.0
            found[branch] = OpenSession(tuple(output.open_work), at, branch, thread.agent, thread.session_id)
    return list(found.values())
