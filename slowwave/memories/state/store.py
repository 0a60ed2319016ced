"""A project's state in the database: load it, and write the difference between two states."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import delete
from sqlmodel import Session, col, select

from slowwave.memories.state.gate import clean_state, settled
from slowwave.memories.state.values import EntryState, EvidenceState, MemoryState, NoteState, SkillState
from slowwave.storage.proposals import drop_changes
from slowwave.storage.tables import Entry, Evidence, Note, Project, Skill
from slowwave.storage.types import EntryStatus, MemoryKind, Origin, Scope, Standing


def lock_project(session: Session, project_id: str) -> Project:
    """Lock a project's row until the transaction ends: whoever changes its state takes this first."""
    return session.get_one(Project, project_id, populate_existing=True, with_for_update=True)


def has_unsupported_in(session: Session, project_id: str) -> bool:
    """Whether an active entry has no evidence left."""
    supported = select(Evidence.id).where(col(Evidence.entry_id) == col(Entry.id)).exists()
    query = select(Entry.id).where(
        col(Entry.project_id) == project_id, col(Entry.status) == EntryStatus.ACTIVE, ~supported
    )
    return session.exec(query.limit(1)).first() is not None


def load_state_in(session: Session, project_id: str) -> MemoryState:
    """Read a project's entries with their evidence, its skills and a person's notes."""
    evidence: defaultdict[int, list[EvidenceState]] = defaultdict(list)
    for row in session.exec(select(Evidence).where(col(Evidence.project_id) == project_id)):
        evidence[row.entry_id].append(_evidence_state(row))
    entries = session.exec(select(Entry).where(col(Entry.project_id) == project_id).order_by(col(Entry.number))).all()
    skills = session.exec(select(Skill).where(col(Skill.project_id) == project_id).order_by(col(Skill.name))).all()
    notes = session.exec(
        select(Note).where(col(Note.project_id) == project_id).order_by(col(Note.path), col(Note.position))
    ).all()
    project = session.get(Project, project_id)
    stored = MemoryState(
        entries=tuple(_entry_state(row, evidence.get(row.id or 0, [])) for row in entries),
        skills=tuple(_skill_state(row) for row in skills),
        notes=tuple(NoteState(note.path, note.anchor, note.position, note.text) for note in notes),
        next_number=project.next_entry if project is not None else 1,
    )
    return clean_state(stored)


def save_state_in(
    session: Session, project_id: str, before: MemoryState, after: MemoryState, run_id: str | None, now: float
) -> None:
    """Write what differs, through the gate. The caller owns the transaction and has checked its lease in it."""
    after = settled(after)
    known = {entry.number: entry for entry in before.entries}
    _add_entries(session, project_id, [e for e in after.entries if e.number not in known], run_id, now)
    for entry in after.entries:
        if entry.number in known and known[entry.number] != entry:
            _save_entry(session, project_id, entry, run_id, now)
    old_skills = {skill.name: skill for skill in before.skills}
    for skill in after.skills:
        if old_skills.get(skill.name) != skill:
            _save_skill(session, project_id, skill, run_id, now)
    if before.notes != after.notes:
        session.exec(delete(Note).where(col(Note.project_id) == project_id))
        session.add_all(
            Note(
                project_id=project_id,
                path=note.path,
                anchor=note.anchor,
                position=note.position,
                text=note.text,
                created_at=now,
            )
            for note in after.notes
        )
    project = session.get(Project, project_id)
    if project is not None and project.next_entry != after.next_number:
        project.next_entry = after.next_number
        session.add(project)


def delete_entries_in(session: Session, project_id: str, numbers: Iterable[int]) -> None:
    """Delete lines with their evidence."""
    for number in numbers:
        row = session.exec(select(Entry).where(Entry.project_id == project_id, Entry.number == number)).one_or_none()
        if row is not None:
            session.exec(delete(Evidence).where(col(Evidence.entry_id) == row.id))
            drop_changes(session, project_id, number)
            session.delete(row)
    session.flush()


def _entry_state(row: Entry, evidence: list[EvidenceState]) -> EntryState:
    return EntryState(
        number=row.number,
        kind=MemoryKind(row.kind),
        text=row.text,
        standing=Standing(row.standing),
        situation=row.situation,
        status=EntryStatus(row.status),
        status_reason=row.status_reason,
        origin=Origin(row.origin),
        pinned=row.pinned,
        hand_edited=row.hand_edited,
        verbatim=row.verbatim,
        summary_hidden=row.summary_hidden,
        superseded_by=row.superseded_by,
        promoted_from=row.promoted_from,
        scope=Scope(row.scope),
        helped=row.helped,
        wrong=row.wrong,
        used=row.used,
        evidence=tuple(sorted(evidence, key=lambda piece: piece.order)),
    )


def _evidence_state(row: Evidence) -> EvidenceState:
    return EvidenceState(
        quote=row.quote,
        quote_hash=row.quote_hash,
        thread_id=row.thread_id,
        session_id=row.session_id,
        agent=row.agent,
        item=row.item,
        uid=row.uid,
        item_kind=row.item_kind,
        origin=row.origin,
        at=row.observed_at,
        member=row.member,
    )


def _skill_state(row: Skill) -> SkillState:
    return SkillState(
        name=row.name,
        description=row.description,
        body=row.body,
        entries=tuple(row.entries),
        status=EntryStatus(row.status),
        hand_edited=row.hand_edited,
        verbatim=row.verbatim,
        used=row.used,
    )


def _save_entry(session: Session, project_id: str, entry: EntryState, run_id: str | None, now: float) -> None:
    row = session.exec(
        select(Entry).where(col(Entry.project_id) == project_id, col(Entry.number) == entry.number)
    ).one_or_none()
    if row is None:
        row = _new_row(project_id, entry, run_id)
    _fill(row, entry, run_id, now)
    session.add(row)
    session.flush()
    _save_evidence(session, project_id, row.id or 0, entry, run_id)


def _add_entries(
    session: Session, project_id: str, entries: Sequence[EntryState], run_id: str | None, now: float
) -> None:
    """Entries that are new, in two statements however many they are."""
    rows = [_fill(_new_row(project_id, entry, run_id), entry, run_id, now) for entry in entries]
    session.add_all(rows)
    session.flush()
    for row, entry in zip(rows, entries, strict=True):
        pieces = {piece.key: piece for piece in entry.evidence}
        session.add_all(_evidence_row(project_id, row.id or 0, piece, run_id) for piece in pieces.values())


def _new_row(project_id: str, entry: EntryState, run_id: str | None) -> Entry:
    return Entry(
        project_id=project_id,
        number=entry.number,
        kind=entry.kind,
        text=entry.text,
        standing=entry.standing,
        created_run=run_id,
    )


def _fill(row: Entry, entry: EntryState, run_id: str | None, now: float) -> Entry:
    if row.status != entry.status:
        row.status_at = now
    values: dict[str, Any] = {
        "kind": entry.kind,
        "text": entry.text,
        "situation": entry.situation,
        "standing": entry.standing,
        "status": entry.status,
        "status_reason": entry.status_reason,
        "origin": entry.origin,
        "pinned": entry.pinned,
        "hand_edited": entry.hand_edited,
        "verbatim": entry.verbatim,
        "summary_hidden": entry.summary_hidden,
        "superseded_by": entry.superseded_by,
        "promoted_from": entry.promoted_from,
        "scope": entry.scope,
        "confirmations": entry.confirmations,
        "first_seen": entry.first_seen,
        "last_confirmed": entry.last_confirmed,
        "updated_run": run_id,
    }
    for name, value in values.items():
        setattr(row, name, value)
    return row


def _save_evidence(session: Session, project_id: str, entry_id: int, entry: EntryState, run_id: str | None) -> None:
    wanted = {piece.key: piece for piece in entry.evidence}
    for row in session.exec(select(Evidence).where(col(Evidence.entry_id) == entry_id)).all():
        kept = wanted.pop((row.thread_id, row.item, row.quote_hash), None)
        if kept is None:
            session.delete(row)
        elif kept.member != row.member:
            row.member = kept.member
            session.add(row)
    session.add_all(_evidence_row(project_id, entry_id, piece, run_id) for piece in wanted.values())


def _evidence_row(project_id: str, entry_id: int, piece: EvidenceState, run_id: str | None) -> Evidence:
    return Evidence(
        entry_id=entry_id,
        project_id=project_id,
        thread_id=piece.thread_id,
        session_id=piece.session_id,
        agent=piece.agent,
        item=piece.item,
        uid=piece.uid,
        item_kind=piece.item_kind,
        quote=piece.quote,
        quote_hash=piece.quote_hash,
        origin=piece.origin,
        member=piece.member,
        observed_at=piece.at,
        run_id=run_id,
    )


def _save_skill(session: Session, project_id: str, skill: SkillState, run_id: str | None, now: float) -> None:
    row = session.exec(
        select(Skill).where(col(Skill.project_id) == project_id, col(Skill.name) == skill.name)
    ).one_or_none()
    if row is None:
        row = Skill(
            project_id=project_id,
            name=skill.name,
            description=skill.description,
            body=skill.body,
            created_run=run_id,
        )
    row.description = skill.description
    row.body = skill.body
    row.entries = list(skill.entries)
    row.status = skill.status
    row.hand_edited = skill.hand_edited
    row.verbatim = skill.verbatim
    row.updated_run = run_id
    row.updated_at = now
    session.add(row)
