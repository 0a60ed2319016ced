"""User-level entries: what a person wants in every project, on evidence from two projects at least.

Code promotes, never a model alone: a model may ask for it, and then weaker likeness is enough. Memory of one project
never reaches another in any other way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session, col, select

from slowwave.memories.consolidation.state import EntryState, MemoryState
from slowwave.memories.consolidation.state_store import load_state_in
from slowwave.memories.consolidation.tombstones import Tombstones
from slowwave.memories.text import similarity
from slowwave.storage.tables import Project
from slowwave.storage.types import EntryStatus, MemoryKind, Origin, Standing

ALIKE = 0.8
ALIKE_WHEN_ASKED = 0.6
PROMOTABLE = (MemoryKind.PREFERENCE, MemoryKind.CONSTRAINT)
NO_SECOND_PROJECT = "no_second_project"


@dataclass(frozen=True, slots=True)
class _Member:
    project_id: str
    entry: EntryState
    asked: bool


def promote(
    user: MemoryState, projects: Mapping[str, MemoryState], asked: frozenset[tuple[str, str]], tombstones: Tombstones
) -> MemoryState:
    """Return the user's state with what two projects agree on, and without what they no longer do.

    `projects` maps ids to states; `asked` holds (project id, entry id) pairs that a model wanted promoted.
    """
    members = [
        _Member(project_id, entry, (project_id, entry.id) in asked)
        for project_id in sorted(projects)
        for entry in projects[project_id].active
        if entry.kind in PROMOTABLE and entry.standing is Standing.USER_SAID
    ]
    supported: set[int] = set()
    for group in _groups(members):
        user, number = _promote_group(user, group, tombstones)
        if number is not None:
            supported.add(number)
    gone = [
        replace(entry, status=EntryStatus.RETIRED, status_reason=NO_SECOND_PROJECT)
        for entry in user.active
        if entry.promoted_from and not entry.locked and entry.number not in supported
    ]
    return user.put(*gone) if gone else user


def _groups(members: Sequence[_Member]) -> list[list[_Member]]:
    """Entries of different projects that say the same; each group has two projects at least."""
    groups: list[list[_Member]] = []
    for member in members:
        home = next((group for group in groups if _fits(member, group)), None)
        if home is None:
            groups.append([member])
        else:
            home.append(member)
    return [group for group in groups if len({member.project_id for member in group}) >= 2]


def _fits(member: _Member, group: Sequence[_Member]) -> bool:
    first = group[0]
    needed = ALIKE_WHEN_ASKED if member.asked or any(other.asked for other in group) else ALIKE
    return first.entry.kind is member.entry.kind and similarity(first.entry.text, member.entry.text) >= needed


def _promote_group(
    user: MemoryState, group: Sequence[_Member], tombstones: Tombstones
) -> tuple[MemoryState, int | None]:
    newest = max(group, key=lambda member: (member.entry.last_confirmed or 0.0, member.project_id)).entry
    evidence = tuple(piece for member in group for piece in member.entry.evidence)
    origin = ",".join(sorted({member.project_id for member in group}))
    known = next((e for e in user.entries if similarity(e.text, newest.text) >= ALIKE), None)
    if known is not None and known.active:
        return user.put(
            replace(known.with_evidence(evidence), promoted_from=known.promoted_from or origin)
        ), known.number
    if tombstones.covers_text(newest.text) or (known is not None and known.status_reason != NO_SECOND_PROJECT):
        return user, None
    entry = EntryState(
        number=known.number if known is not None else user.next_number,
        kind=newest.kind,
        text=newest.text,
        situation=newest.situation,
        standing=Standing.USER_SAID,
        origin=Origin.SESSION,
        promoted_from=origin,
    ).with_evidence(evidence)
    return user.put(entry), entry.number


def project_states_in(session: Session) -> dict[str, MemoryState]:
    """The states of all projects that may contribute to the user level."""
    rows = session.exec(
        select(Project.id)
        .where(col(Project.user_level).is_(False), col(Project.excluded).is_(False), col(Project.version) > 0)
        .order_by(col(Project.id))
    ).all()
    return {project_id: load_state_in(session, project_id) for project_id in rows}
