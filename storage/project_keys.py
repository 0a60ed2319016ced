"""What projects are known by, and what became of them: keys, joins and splits, proposals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import and_, delete, func, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session

from slowwave.storage.engine import database_now, is_sqlite
from slowwave.storage.tables import Project, ProjectChange, Table
from slowwave.storage.text import storable
from slowwave.storage.types import ChangeKind, ChangeState, KeyKind

KEYS = Table.metadata.tables["project_keys"]
CHANGES = Table.metadata.tables["project_changes"]
PROJECTS = Table.metadata.tables["projects"]
THREADS = Table.metadata.tables["threads"]
ENTRIES = Table.metadata.tables["entries"]
_EXCLUSIVE = (KeyKind.ROOT, KeyKind.GIT_DIR, KeyKind.ID, KeyKind.GIVEN)


@dataclass(frozen=True, slots=True)
class KeyRow:
    """One key of one project."""

    project_id: str
    kind: KeyKind
    value: str
    host: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Usage:
    """What there is of a project: sessions, lines that stand, and the last activity (seconds, epoch)."""

    sessions: int = 0
    entries: int = 0
    last_activity: float | None = None


def keys_in(session: Session, project_id: str | None = None) -> list[KeyRow]:
    """Return the keys of one project or of all."""
    query = select(KEYS).order_by(KEYS.c.project_id, KEYS.c.kind, KEYS.c.host, KEYS.c.value)
    if project_id is not None:
        query = query.where(KEYS.c.project_id == project_id)
    rows = session.connection().execute(query).mappings()
    return [KeyRow(r["project_id"], KeyKind(r["kind"]), r["value"], r["host"], r["detail"] or {}) for r in rows]


def add_keys(session: Session, rows: Iterable[KeyRow], *, now: float | None = None) -> None:
    """Record keys. A folder, a git folder and an id belong to one project: whoever had it before loses it."""
    session.flush()
    moment = database_now(session) if now is None else now
    insert = sqlite.insert(KEYS) if is_sqlite(session) else postgresql.insert(KEYS)
    for row in rows:
        value = storable(row.value)
        if row.kind in _EXCLUSIVE:
            others = and_(KEYS.c.kind == row.kind, KEYS.c.value == value, KEYS.c.host == row.host)
            session.connection().execute(delete(KEYS).where(others, KEYS.c.project_id != row.project_id))
        values = {
            "kind": row.kind.value,
            "value": value,
            "host": row.host,
            "project_id": row.project_id,
            "detail": dict(row.detail),
            "seen_at": moment,
        }
        changes = {"detail": values["detail"], "seen_at": moment}
        index = ["kind", "value", "host", "project_id"]
        statement = insert.values(**values).on_conflict_do_update(index_elements=index, set_=changes)
        session.connection().execute(statement)


def drop_keys(session: Session, rows: Iterable[KeyRow]) -> None:
    """Forget keys."""
    for row in rows:
        this = and_(KEYS.c.kind == row.kind, KEYS.c.value == row.value, KEYS.c.host == row.host)
        session.connection().execute(delete(KEYS).where(this, KEYS.c.project_id == row.project_id))


def usage_in(session: Session) -> dict[str, Usage]:
    """Return what there is of each project that has anything."""
    sessions = session.connection().execute(
        select(THREADS.c.project_id, func.count(), func.max(THREADS.c.last_activity)).group_by(THREADS.c.project_id)
    )
    counted = {row[0]: (row[1], row[2]) for row in sessions}
    lines = session.connection().execute(
        select(ENTRIES.c.project_id, func.count()).where(ENTRIES.c.status == "active").group_by(ENTRIES.c.project_id)
    )
    entries = {row[0]: row[1] for row in lines}
    known = (counted.keys() | entries.keys()) - {None}
    return {one: Usage(*_counts(counted.get(one), entries.get(one, 0))) for one in known}


def _counts(sessions: tuple[int, float | None] | None, entries: int) -> tuple[int, int, float | None]:
    return (sessions[0], entries, sessions[1]) if sessions is not None else (0, entries, None)


def projects_in(session: Session) -> list[Project]:
    """Return the projects that are not part of another one, by id."""
    query = select(Project).where(PROJECTS.c.joined_to.is_(None)).order_by(PROJECTS.c.id)
    return list(session.scalars(query))


def record_change(
    session: Session,
    kind: ChangeKind,
    project_id: str,
    other_id: str = "",
    *,
    state: ChangeState = ChangeState.DONE,
    reason: str = "",
    by: str = "person",
    data: Mapping[str, Any] | None = None,
) -> int:
    """Store a change and return its number."""
    row = ProjectChange(
        kind=kind,
        state=state,
        project_id=project_id,
        other_id=other_id,
        reason=storable(reason),
        by=by,
        data=dict(data or {}),
        created_at=database_now(session),
    )
    session.add(row)
    session.flush()
    return row.id or 0


def propose_joins(session: Session, pairs: Mapping[tuple[str, str], str]) -> None:
    """Note that two projects may be one. A pair that was proposed, refused or joined before is not proposed again."""
    for (one, other), reason in sorted(pairs.items()):
        if one != other and _about(session, one, other) is None:
            record_change(session, ChangeKind.JOIN, one, other, state=ChangeState.OPEN, reason=reason, by="scan")


def keep_apart(session: Session, one: str, other: str) -> None:
    """Note a person's word that two projects are two."""
    row = _about(session, one, other)
    if row is None:
        record_change(session, ChangeKind.JOIN, one, other, state=ChangeState.DECLINED)
        return
    row.state, row.ended_at, row.by = ChangeState.DECLINED, database_now(session), "person"
    session.add(row)


def joined_in(session: Session, project_id: str) -> list[Project]:
    """Return the projects that were joined to one, directly or not."""
    found: list[Project] = []
    waiting = [project_id]
    while waiting:
        rows = session.scalars(
            select(Project).where(PROJECTS.c.joined_to == waiting.pop()).order_by(PROJECTS.c.id)
        ).all()
        found += rows
        waiting += [row.id for row in rows]
    return found


def proposals_in(session: Session) -> list[ProjectChange]:
    """Return the joins that wait for a person."""
    return changes_in(session, states=(ChangeState.OPEN,))


def doubtful_in(session: Session) -> set[str]:
    """The younger of each two projects that may be one."""
    since = {project.id: (project.created_at, project.id) for project in projects_in(session)}
    pairs = ((row.project_id, row.other_id) for row in proposals_in(session))
    return {max(pair, key=since.__getitem__) for pair in pairs if since.keys() >= set(pair)}


def changes_in(
    session: Session, *, states: Sequence[ChangeState] = (), kind: ChangeKind | None = None
) -> list[ProjectChange]:
    """Return changes, the oldest first."""
    query = select(ProjectChange).order_by(CHANGES.c.id)
    if states:
        query = query.where(CHANGES.c.state.in_([state.value for state in states]))
    if kind is not None:
        query = query.where(CHANGES.c.kind == kind.value)
    return list(session.scalars(query))


def settle_proposals(session: Session, one: str, other: str) -> None:
    """End what was proposed or refused about a pair because it was joined."""
    this = _pair(one, other)
    session.connection().execute(
        update(CHANGES)
        .where(this, CHANGES.c.state.in_([ChangeState.OPEN.value, ChangeState.DECLINED.value]))
        .values(state=ChangeState.DONE.value, ended_at=database_now(session))
    )


def _about(session: Session, one: str, other: str) -> ProjectChange | None:
    query = select(ProjectChange).where(_pair(one, other), CHANGES.c.kind == ChangeKind.JOIN.value)
    standing = CHANGES.c.state.in_([ChangeState.OPEN.value, ChangeState.DECLINED.value])
    return session.scalars(query.where(standing).order_by(CHANGES.c.id.desc())).first()


def _pair(one: str, other: str) -> Any:
    return or_(
        and_(CHANGES.c.project_id == one, CHANGES.c.other_id == other),
        and_(CHANGES.c.project_id == other, CHANGES.c.other_id == one),
    )
