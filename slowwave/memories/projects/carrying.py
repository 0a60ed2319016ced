"""Two memories become one, and one becomes two. Pure functions on states; numbers of lines that stay never change."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from slowwave.memories.state.values import EntryState, EvidenceState, MemoryState
from slowwave.text import canonical


@dataclass(frozen=True, slots=True)
class Combined:
    """One state of two. `numbers` maps the numbers of the second to those that its lines have now."""

    state: MemoryState
    numbers: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Divided:
    """Two states of one. `gone` are the numbers of lines that left altogether."""

    stays: MemoryState
    goes: MemoryState
    gone: tuple[int, ...]


def combine(state: MemoryState, other: MemoryState, wanted: Mapping[int, int] | None = None) -> Combined:
    """Add all lines of another project, those that no longer stand too; equal lines become one with all evidence.

    `wanted` maps numbers of the other to those they should get back, where these are free.
    """
    twins = {(canonical(entry.text), entry.status): entry.number for entry in state.entries}
    taken = {entry.number for entry in state.entries}
    numbers: dict[int, int] = {}
    following = state.next_number
    for entry in other.entries:
        number = twins.get((canonical(entry.text), entry.status))
        if number is None:
            number = (wanted or {}).get(entry.number, 0)
            if not number or number in taken:
                number, following = following, following + 1
            taken.add(number)
        numbers[entry.number] = number
    for entry in other.entries:
        number = numbers[entry.number]
        here = next((known for known in state.entries if known.number == number), None)
        state = state.put(_moved(entry, numbers) if here is None else _merged(here, entry))
    names = {skill.name for skill in state.skills}
    for skill in other.skills:
        if skill.name not in names:
            entries = tuple(numbers[number] for number in skill.entries if number in numbers)
            state = state.put_skill(replace(skill, entries=entries))
    notes = (*state.notes, *(note for note in other.notes if note not in state.notes))
    return Combined(replace(state, notes=notes, next_number=max(state.next_number, following)), numbers)


def _moved(entry: EntryState, numbers: Mapping[int, int]) -> EntryState:
    number = numbers[entry.number]
    follows = numbers.get(entry.superseded_by) if entry.superseded_by is not None else None
    # A kept block names the old id.
    verbatim = entry.verbatim.replace(f"[{entry.id}]", f"[m{number}]")
    return replace(entry, number=number, superseded_by=follows, verbatim=verbatim)


def _merged(here: EntryState, entry: EntryState) -> EntryState:
    both = here.with_evidence(entry.evidence)
    return replace(
        both,
        used=here.used + entry.used,
        helped=here.helped + entry.helped,
        wrong=here.wrong + entry.wrong,
        hand_edited=here.hand_edited or entry.hand_edited,
        pinned=here.pinned or entry.pinned,
        verbatim=here.verbatim or entry.verbatim.replace(f"[{entry.id}]", f"[{here.id}]"),
    )


def divide(
    state: MemoryState,
    threads: Collection[str],
    *,
    owns: Callable[[EntryState], bool] = lambda _: False,
    pieces: Collection[tuple[str | None, int, str]] = (),
    numbers: Mapping[int, int] | None = None,
    skills: Collection[str] = (),
    notes: MemoryState | None = None,
) -> Divided:
    """Take out what certain sessions taught. A line with evidence on both sides stands on both sides.

    `pieces` are keys of evidence without a session that go, too, `owns` names lines that go whatever their evidence,
    `numbers` the numbers that lines get where they go, `skills` the procedures and `notes` the state whose notes go.
    """

    def mine(piece: EvidenceState) -> bool:
        return piece.thread_id in threads if piece.thread_id is not None else piece.key in pieces

    goes = MemoryState(next_number=max((numbers or {0: 0}).values()) + 1)
    mapped: dict[int, int] = {}
    leaving: list[int] = []
    for entry in state.entries:
        taken = tuple(piece for piece in entry.evidence if mine(piece))
        left = tuple(piece for piece in entry.evidence if not mine(piece))
        if not taken and not (owns(entry) and not left):
            continue
        number = (numbers or {}).get(entry.number, 0) or goes.next_number
        mapped[entry.number] = number
        goes = goes.put(_moved(replace(entry, evidence=taken, superseded_by=None), {entry.number: number}))
        if left:
            state = state.put(replace(entry, evidence=left))
        else:
            leaving.append(entry.number)
    gone = set(leaving)
    for skill in state.skills:
        if skill.name in skills or (skill.entries and set(skill.entries) <= gone):
            entries = tuple(mapped[number] for number in skill.entries if number in mapped)
            goes = goes.put_skill(replace(skill, entries=entries))
    moved_skills = {skill.name for skill in goes.skills}
    going_notes = tuple(note for note in state.notes if notes is not None and note in notes.notes)
    stays = replace(
        state,
        entries=tuple(entry for entry in state.entries if entry.number not in gone),
        skills=tuple(skill for skill in state.skills if skill.name not in moved_skills),
        notes=tuple(note for note in state.notes if note not in going_notes),
    )
    return Divided(stays, replace(goes, notes=going_notes), tuple(leaving))
