"""Whole states put together: an older version taken back, an exported or shared one added."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from slowwave.memories.byhand.foreign import Line, believed
from slowwave.memories.consolidation.skills import unsupported
from slowwave.memories.state.values import EntryState, EvidenceState, MemoryState
from slowwave.rollouts.model import ItemKind
from slowwave.storage.types import EntryStatus, MemoryKind, Origin
from slowwave.text import canonical
from slowwave.text.ids import with_renamed_id

ROLLED_BACK = "rolled_back"


@dataclass(frozen=True, slots=True)
class Restored:
    """The outcome of a rollback: the state, the entries that came back, and how many went."""

    state: MemoryState
    back: tuple[EntryState, ...]
    gone: int


def roll_back(
    state: MemoryState, old: MemoryState, forgotten: Collection[str], *, only: Collection[int] | None = None
) -> Restored:
    """Return to the entries, skills and notes of an older version, or to some of its entries (`only`: their numbers).

    What was learnt since is retired, not deleted; what a person forgot in between (`forgotten`: text hashes) stays
    forgotten.
    """
    by_number = {entry.number: entry for entry in state.entries}
    target = {e.number: e for e in old.entries if e.hash not in forgotten and (only is None or e.number in only)}
    back: list[EntryState] = []
    gone = 0
    for number, entry in target.items():
        current = by_number.get(number)
        if entry.active and (current is None or not current.active):
            back.append(entry)
        if current is not None:
            # Quotes that were forgotten since are no longer among the current ones.
            left = {piece.key for piece in current.evidence}
            entry = replace(entry, evidence=tuple(piece for piece in entry.evidence if piece.key in left))
        by_number[number] = entry
    for number, entry in by_number.items():
        if only is None and number not in target and entry.active:
            by_number[number] = replace(entry, status=EntryStatus.RETIRED, status_reason=ROLLED_BACK)
            gone += 1
    entries = tuple(by_number[number] for number in sorted(by_number))
    restored = replace(state, entries=entries, next_number=max(state.next_number, old.next_number))
    if only is not None:
        return Restored(restored, tuple(back), gone)
    skills = {skill.name: replace(skill, status=EntryStatus.RETIRED) for skill in state.skills}
    skills |= {skill.name: skill for skill in old.skills}
    ordered = tuple(skills[name] for name in sorted(skills))
    return Restored(replace(restored, skills=ordered, notes=old.notes), tuple(back), gone)


@dataclass(frozen=True, slots=True)
class Merged:
    """The outcome of adding a state: entries that are new, that came back, and that a person forgot here. `doubtful`
    ones are not carried by their evidence or would steer agents: they wait for a person, each with the reason.
    `left_out` are skills whose lines nothing in the memory holds."""

    state: MemoryState
    added: tuple[EntryState, ...]
    back: tuple[EntryState, ...] = ()
    refused: int = 0
    doubtful: tuple[Line, ...] = ()
    left_out: tuple[str, ...] = ()


def merge_states(
    state: MemoryState, incoming: MemoryState, *, foreign: bool = False, forgotten: Collection[str] = ()
) -> Merged:
    """Add another state's entries and skills; equal lines are confirmed, and stand again where they were retired.

    `foreign` means another database: its sessions are not in this one, so the quotes stay and the links do not.
    Its notes go into MEMORY.md, never into the block that sessions start with. `forgotten` are text hashes that stay
    away.
    """
    entries = {entry.number: entry for entry in state.entries}
    known = {canonical(entry.text): entry.number for entry in reversed(state.entries)}
    number, added, back, refused = state.next_number, [], [], 0
    doubtful: list[tuple[EntryState, str]] = []
    left_out: list[str] = []
    lines: list[Line] = [(entry, "") for entry in incoming.active]
    if foreign:
        incoming, lines = believed(incoming)
    renamed: dict[int, int] = {}
    for entry, reason in lines:
        if entry.hash in forgotten or (foreign and not _said_by_somebody(entry)):
            refused += 1
            continue
        if reason:
            doubtful.append((entry, reason))
            continue
        evidence = tuple(_foreign(piece) if foreign else piece for piece in entry.evidence)
        twin = known.get(canonical(entry.text))
        if twin is not None:
            merged = entries[twin].with_evidence(evidence)
            if not merged.active:
                merged = replace(merged, status=EntryStatus.ACTIVE, status_reason="", superseded_by=None)
                back.append(merged)
            entries[twin] = merged
            renamed[entry.number] = twin
            continue
        fresh = replace(entry, number=number, evidence=evidence, superseded_by=None)
        if foreign:
            fresh = replace(fresh, origin=Origin.IMPORT, pinned=False, helped=0, wrong=0, used=0)
        # A kept block names the old id.
        fresh = replace(fresh, verbatim=with_renamed_id(fresh.verbatim, entry.id, fresh.id))
        entries[number] = fresh
        known[canonical(fresh.text)] = number
        renamed[entry.number] = number
        added.append(fresh)
        number += 1
    state = replace(state, entries=tuple(entries[key] for key in sorted(entries)), next_number=number)
    names = {skill.name for skill in state.skills if skill.status is EntryStatus.ACTIVE}
    for skill in incoming.skills:
        if skill.name not in names:
            rests_on = tuple(sorted(renamed[old] for old in skill.entries if old in renamed))
            under = [entry for entry in state.entries if entry.number in rests_on]
            if foreign and unsupported(state, f"{skill.description}\n{skill.body}\n{skill.verbatim}", under):
                left_out.append(skill.name)
                continue
            state = state.put_skill(replace(skill, entries=rests_on))
    notes = (*state.notes, *(note for note in incoming.notes if note not in state.notes))
    return Merged(replace(state, notes=notes), tuple(added), tuple(back), refused, tuple(doubtful), tuple(left_out))


def _said_by_somebody(entry: EntryState) -> bool:
    """A rule needs words that somebody typed, in an archive as anywhere else."""
    if entry.kind not in (MemoryKind.PREFERENCE, MemoryKind.CONSTRAINT):
        return True
    by_hand = (Origin.USER, Origin.EDIT)
    return any(piece.item_kind == ItemKind.USER_TEXT or piece.origin in by_hand for piece in entry.evidence)


def _foreign(piece: EvidenceState) -> EvidenceState:
    return replace(piece, thread_id=None, uid=None, origin=Origin.IMPORT)
