"""User-level entries: how a person works everywhere, by what they said of it, or by what two projects say alike.

A person who says that something holds in all projects has said it for all of them. Otherwise it takes evidence of its
own in two projects: distinct records are counted, never project ids, and nobody may say the opposite. A project that
says the opposite keeps its own line, which wins there. Memory of one project never reaches another in any other way.

Promotion is queued work: whoever changes what it depends on asks for it, and the request stands until it is answered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session, col, select

from slowwave.memories.guardrails import WISHES, is_harmful, opposed, terms_of
from slowwave.memories.state.store import load_state_in
from slowwave.memories.state.tombstones import Tombstones
from slowwave.memories.state.values import EntryState, MemoryState
from slowwave.storage.project_keys import doubtful_in
from slowwave.storage.published.versions import ensure_setting
from slowwave.storage.tables import Entry, Project, Setting
from slowwave.storage.types import EntryStatus, MemoryKind, Origin, Scope, Standing
from slowwave.text import Relation, relate

USER_ID = "0000000000000000"
_WORK = "promotion"
NO_LONGER_SAID = "no_second_project"


@dataclass(frozen=True, slots=True)
class _Member:
    project_id: str
    entry: EntryState

    @property
    def records(self) -> frozenset[str]:
        """The records of logs, or the acts of a person, that the entry rests on; a copied record counts once."""
        return frozenset(
            piece.uid or f"{piece.thread_id}#{piece.item}#{piece.quote_hash}" for piece in self.entry.evidence
        )


def promote(user: MemoryState, projects: Mapping[str, MemoryState], tombstones: Tombstones) -> MemoryState:
    """Return the user's state with what holds everywhere, and without what nobody says any more.

    `projects` maps ids to states.
    """
    members = [
        _Member(project_id, entry)
        for project_id in sorted(projects)
        for entry in projects[project_id].active
        if _may_hold_everywhere(entry)
    ]
    supported: set[int] = set()
    for group in _groups(members):
        if _holds(group, members):
            user, number = _promote_group(user, group, tombstones)
            if number is not None:
                supported.add(number)
    gone = [
        replace(entry, status=EntryStatus.RETIRED, status_reason=NO_LONGER_SAID)
        for entry in user.active
        if entry.promoted_from and not entry.locked and entry.number not in supported
    ]
    return user.put(*gone) if gone else user


def hidden_in(user: MemoryState, project: MemoryState) -> frozenset[int]:
    """Numbers of user-level entries that a project does not show: it says them itself, or says the opposite."""
    own = [entry for entry in project.active if entry.kind in WISHES or entry.scope is Scope.USER]
    return frozenset(
        entry.number
        for entry in user.active
        if not entry.from_person and any(_same(entry, other) or _against(other, entry) for other in own)
    )


def user_lines_in(session: Session) -> MemoryState:
    """The standing lines of the user level, without their evidence."""
    return MemoryState(entries=_lines_in(session, USER_ID))


def hidden_numbers_in(session: Session, project_id: str, user: MemoryState) -> frozenset[int]:
    """Like `hidden_in`, for a project in the database."""
    if project_id == USER_ID or not user.entries:
        return frozenset()
    return hidden_in(user, MemoryState(entries=_lines_in(session, project_id)))


def _lines_in(session: Session, project_id: str) -> tuple[EntryState, ...]:
    rows = session.exec(
        select(Entry)
        .where(col(Entry.project_id) == project_id, col(Entry.status) == EntryStatus.ACTIVE)
        .order_by(col(Entry.number))
    )
    return tuple(
        EntryState(
            number=row.number,
            kind=MemoryKind(row.kind),
            text=row.text,
            standing=Standing(row.standing),
            situation=row.situation,
            origin=Origin(row.origin),
            pinned=row.pinned,
            hand_edited=row.hand_edited,
            scope=Scope(row.scope),
        )
        for row in rows
    )


def _may_hold_everywhere(entry: EntryState) -> bool:
    if entry.standing is not Standing.USER_SAID or is_harmful(f"{entry.text} {entry.situation}"):
        return False
    return entry.kind in WISHES or (entry.kind is MemoryKind.FACT and entry.scope is Scope.USER)


def _same(one: EntryState, other: EntryState) -> bool:
    return one.hash == other.hash or relate(one.text, other.text) is Relation.SAME


def _against(one: EntryState, other: EntryState) -> bool:
    if relate(one.text, other.text) is Relation.CONTRADICTS:
        return True
    mine, theirs = terms_of(one.text), terms_of(other.text)
    shared = mine.content & theirs.content
    return 2 * len(shared) >= max(len(mine.content), len(theirs.content)) and opposed(mine, theirs)


def _groups(members: Sequence[_Member]) -> list[list[_Member]]:
    """Entries that say the same, of one project or of several."""
    groups: list[list[_Member]] = []
    for member in members:
        alike = (g for g in groups if g[0].entry.kind is member.entry.kind and _same(g[0].entry, member.entry))
        home = next(alike, None)
        if home is None:
            groups.append([member])
        else:
            home.append(member)
    return groups


def _holds(group: Sequence[_Member], members: Sequence[_Member]) -> bool:
    """Whether a statement holds everywhere."""
    against = [member.entry for member in members if _against(member.entry, group[0].entry)]
    if any(member.entry.scope is Scope.USER for member in group):
        # Of two opposite statements about all projects the later one counts.
        rivals = [entry.last_confirmed or 0.0 for entry in against if entry.scope is Scope.USER]
        return not rivals or max(member.entry.last_confirmed or 0.0 for member in group) > max(rivals)
    return not against and _agreed(group)


def _agreed(group: Sequence[_Member]) -> bool:
    """Whether two projects have a record each that the other one has not."""
    records: dict[str, frozenset[str]] = {}
    for member in group:
        records[member.project_id] = records.get(member.project_id, frozenset()) | member.records
    sets = list(records.values())
    return any(one - other and other - one for at, one in enumerate(sets) for other in sets[at + 1 :])


def _promote_group(
    user: MemoryState, group: Sequence[_Member], tombstones: Tombstones
) -> tuple[MemoryState, int | None]:
    stated = [member for member in group if member.entry.scope is Scope.USER] or list(group)
    newest = max(stated, key=lambda member: (member.entry.last_confirmed or 0.0, member.project_id)).entry
    evidence = tuple(piece for member in group for piece in member.entry.evidence)
    origin = ",".join(sorted({member.project_id for member in group}))
    known = next((entry for entry in user.entries if _same(entry, newest)), None)
    if known is not None and known.active:
        kept = replace(known.with_evidence(evidence), promoted_from=origin if known.promoted_from else None)
        return user.put(kept), known.number
    if tombstones.covers_text(newest.text) or (known is not None and known.status_reason != NO_LONGER_SAID):
        return user, None
    entry = EntryState(
        number=known.number if known is not None else user.next_number,
        kind=newest.kind,
        text=newest.text,
        situation=newest.situation,
        standing=Standing.USER_SAID,
        origin=Origin.SESSION,
        promoted_from=origin,
        scope=Scope.USER,
    ).with_evidence(evidence)
    return user.put(entry), entry.number


def promote_in(session: Session, user: MemoryState) -> MemoryState:
    """The user's state by what all projects say now."""
    return promote(user, project_states_in(session), Tombstones.load_in(session, USER_ID))


def project_states_in(session: Session) -> dict[str, MemoryState]:
    """The states of all projects that may contribute to the user level. One that may be part of another, because a scan
    proposes to join them, says nothing of its own until a person has decided."""
    said = (
        select(Entry.id)
        .where(
            col(Entry.project_id) == col(Project.id),
            col(Entry.status) == EntryStatus.ACTIVE,
            col(Entry.standing) == Standing.USER_SAID,
        )
        .exists()
    )
    rows = session.exec(
        select(Project.id)
        .where(col(Project.user_level).is_(False), col(Project.excluded).is_(False), said)
        .order_by(col(Project.id))
    ).all()
    doubtful = doubtful_in(session)
    return {project_id: load_state_in(session, project_id) for project_id in rows if project_id not in doubtful}


def ask_for_promotion_in(session: Session) -> None:
    """Note that the user level may have to change. It is done at the end of this run, or of the next one."""
    ensure_setting(session, _WORK, {"wanted": 0, "done": 0})
    row = session.get_one(Setting, _WORK, populate_existing=True, with_for_update=True)
    row.value = {**row.value, "wanted": int(row.value["wanted"]) + 1}
    session.add(row)


def promotion_wanted_in(session: Session) -> int:
    """The number of the latest unanswered request; 0 when there is none."""
    row = session.get(Setting, _WORK)
    return 0 if row is None or row.value["wanted"] <= row.value["done"] else int(row.value["wanted"])


def promotion_done_in(session: Session, number: int) -> None:
    """Note that all requests up to a number are answered."""
    row = session.get_one(Setting, _WORK, populate_existing=True, with_for_update=True)
    row.value = {**row.value, "done": max(int(row.value["done"]), number)}
    session.add(row)
