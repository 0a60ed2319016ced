"""The gate of a project's state: whatever is loaded or saved is clean text, real times and valid names.

Loading passes it too, so that a state that an older version, another program or a colleague stored cannot stop the
night, and so that skills follow their entries whichever way these changed.
"""

from __future__ import annotations

import math
from dataclasses import replace

from slowwave.memories.consolidation.skills import MAX_BODY, MAX_DESCRIPTION, prune_skills, valid_name
from slowwave.memories.publishing.markdown import blocks
from slowwave.memories.state.values import EntryState, EvidenceState, MemoryState, NoteState, SkillState
from slowwave.storage.types import EntryStatus
from slowwave.text.hygiene import clean, clean_line

LONGEST_TEXT = 4_000
LONGEST_QUOTE = 8_000
LONGEST_BLOCK = 16_000
LONGEST_NOTE = 64_000
LATEST = 253_402_300_800.0
"""The year 10000, in seconds since the epoch: no calendar has it."""


def clean_state(state: MemoryState) -> MemoryState:
    """The state as it may be stored and rendered; the same one when nothing is wrong with it."""
    entries = tuple(clean_entry(entry) for entry in state.entries)
    skills = tuple(_skill(skill) for skill in state.skills)
    notes = tuple(_note(note) for note in state.notes)
    cleaned = replace(state, entries=entries, skills=skills, notes=notes)
    return state if cleaned == state else cleaned


def settled(state: MemoryState) -> MemoryState:
    """The state to store: clean, and without skills that none of its entries supports any more."""
    return prune_skills(clean_state(state)).state


def clean_entry(entry: EntryState) -> EntryState:
    """An entry with clean texts and times."""
    return replace(
        entry,
        text=clean_line(entry.text, LONGEST_TEXT),
        situation=clean_line(entry.situation, LONGEST_TEXT),
        status_reason=clean_line(entry.status_reason),
        verbatim=_block(clean(entry.verbatim, LONGEST_BLOCK), entry.id),
        evidence=tuple(_evidence(piece) for piece in entry.evidence),
    )


def _block(verbatim: str, short_id: str) -> str:
    """A kept block that is one entry's, and no more: nothing else may come into the files with it."""
    if not verbatim:
        return ""
    found = list(blocks(f"## Facts\n{verbatim}"))
    if len(found) == 2 and (found[1].shape == "bullet" or found[1].id == short_id):
        return verbatim
    return ""


def _evidence(piece: EvidenceState) -> EvidenceState:
    quote, at = clean(piece.quote, LONGEST_QUOTE), real_time(piece.at)
    if quote == piece.quote and at == piece.at:
        return piece
    return replace(piece, quote=quote, at=at)


def real_time(at: float | None) -> float | None:
    """A time that a calendar has, None for others."""
    return at if at is not None and math.isfinite(at) and 0 <= at < LATEST else None


def _skill(skill: SkillState) -> SkillState:
    named = valid_name(skill.name)
    return replace(
        skill,
        description=clean_line(skill.description, MAX_DESCRIPTION),
        body=clean(skill.body, MAX_BODY),
        verbatim=clean(skill.verbatim, LONGEST_NOTE),
        status=skill.status if named else EntryStatus.RETIRED,
    )


def _note(note: NoteState) -> NoteState:
    return replace(note, anchor=clean_line(note.anchor), text=clean(note.text, LONGEST_NOTE))
