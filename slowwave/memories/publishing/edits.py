"""A person's edits to published files, found by a three-way comparison and turned into state that no run rewrites."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from slowwave.memories.consolidation.operations import REMOVED_BY_PERSON
from slowwave.memories.publishing.markdown import Block, blocks, plain_text, situation_of
from slowwave.memories.publishing.matching import match_lines
from slowwave.memories.state.values import EntryState, EvidenceState, MemoryState, NoteState
from slowwave.memories.text import quote_hash
from slowwave.storage.types import EntryStatus, MemoryKind, Origin, Standing
from slowwave.text import fold_space
from slowwave.text.ids import escape_ids

MEMORY = "MEMORY.md"
SUMMARY = "memory_summary.md"
_EDITED_BY_HAND = "edited_by_person"


@dataclass(frozen=True, slots=True)
class Absorbed:
    """The state with a person's edits in it.

    `changes` says in words what was found, for the prompt and the report. `carried` are files that are the person's own
    and go into every later version as they are. `tombstones` are texts that the person removed.
    """

    state: MemoryState
    changes: tuple[str, ...] = ()
    carried: Mapping[str, bytes] = field(default_factory=dict)
    tombstones: tuple[str, ...] = ()


def absorb_edits(
    state: MemoryState,
    published: Mapping[str, bytes],
    live: Mapping[str, bytes],
    *,
    carried: Mapping[str, bytes] | None = None,
    now: float = 0.0,
) -> Absorbed:
    """Compare the live files with the published ones and take over what a person changed.

    A published file that is gone from the live folder is no edit: it is published again (`slowwave forget`, `clear` and
    removing lines are the ways to remove memory). Applying the same edits twice changes nothing.
    """
    result = Absorbed(state, carried=dict(carried or {}))
    for path in sorted(live):
        before, after = published.get(path), live[path]
        if before == after:
            continue
        if path == MEMORY and before is not None:
            result = _memory(result, before, after, now)
        elif path == SUMMARY and before is not None:
            result = _summary(result, before, after, now)
        elif (skill := _skill_name(path)) is not None and before is not None:
            result = _skill(result, skill, after)
        else:
            result = replace(
                result,
                carried={**result.carried, path: after},
                changes=(*result.changes, f"{path}: a file of the user's own"),
            )
    return result


def _skill_name(path: str) -> str | None:
    parts = path.split("/")
    return parts[1] if len(parts) == 3 and parts[0] == "skills" and parts[2] == "SKILL.md" else None


def decoded(data: bytes) -> str:
    """The text of a published file, without the mark that some editors put first."""
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


def _memory(result: Absorbed, before: bytes, after: bytes, now: float) -> Absorbed:
    old, new = list(blocks(decoded(before))), list(blocks(decoded(after)))
    matched = match_lines(result.state, old, new)
    result = _entries(result, old, matched.lines, matched.lost, now)
    result = _bullets(result, old, matched.own, now)
    return _notes(result, MEMORY, old, new)


def _entries(
    result: Absorbed, old: list[Block], lines: Mapping[str, Block], lost: Sequence[str], now: float
) -> Absorbed:
    state, changes, gone = result.state, list(result.changes), list(result.tombstones)
    before = {block.id: block for block in old if block.shape == "entry"}
    for short_id, block in lines.items():
        known = before.get(short_id)
        entry = state.entry(short_id)
        if entry is None or (known is not None and _says_the_same(known, block)):
            continue
        edited = _edited(entry, block, now)
        if edited != entry:
            state = state.put(edited)
            changes.append(f"{short_id} was rewritten by the user: {edited.text}")
    for short_id in lost:
        entry = state.entry(short_id)
        if entry is not None and entry.active:
            state = state.put(replace(entry, status=EntryStatus.RETIRED, status_reason=REMOVED_BY_PERSON, pinned=False))
            changes.append(f"{short_id} was removed by the user: {entry.text}")
            gone.append(entry.text)
    return replace(result, state=state, changes=tuple(changes), tombstones=tuple(gone))


def _says_the_same(published: Block, block: Block) -> bool:
    if published.text == block.text:
        return published.kind == block.kind or block.kind is None
    # The id or the support behind it was lost, not a word of the entry.
    same = plain_text(published.text) == plain_text(block.text) and situation_of(published.text) == situation_of(
        block.text
    )
    return same and published.kind == block.kind


def _edited(entry: EntryState, block: Block, now: float) -> EntryState:
    if entry.verbatim == block.text and entry.active:
        return entry
    text = plain_text(block.text) or entry.text
    return replace(
        entry.with_evidence((_edit_evidence(block.text, now),)),
        text=text,
        situation=situation_of(block.text),
        kind=block.kind or entry.kind,
        verbatim=block.text,
        hand_edited=True,
        status=EntryStatus.ACTIVE,
        status_reason=_EDITED_BY_HAND,
        standing=Standing.USER_SAID,
    )


def _edit_evidence(text: str, now: float) -> EvidenceState:
    return EvidenceState(quote=text, quote_hash=quote_hash(text), origin=Origin.EDIT, at=now)


def _bullets(result: Absorbed, old: Sequence[Block], new: Sequence[Block], now: float) -> Absorbed:
    """Lines without an id: the person's own entries, kept exactly as typed and recognised by their words."""
    state, changes, gone = result.state, list(result.changes), list(result.tombstones)
    before = Counter(block.text for block in old if block.shape == "bullet")
    after = Counter(block.text for block in new)
    kinds = {block.text: block.kind for block in new}
    for text in sorted((after - before).keys()):
        if any(entry.verbatim == text and entry.active for entry in state.entries):
            continue
        entry = EntryState(
            number=state.next_number,
            kind=kinds[text] or MemoryKind.FACT,
            text=plain_text(text),
            situation=situation_of(text),
            standing=Standing.USER_SAID,
            origin=Origin.EDIT,
            hand_edited=True,
            verbatim=text,
            status_reason=_EDITED_BY_HAND,
            evidence=(_edit_evidence(text, now),),
        )
        state = state.put(entry)
        changes.append(f"{entry.id} was written by the user: {entry.text}")
    for text in sorted((before - after).keys()):
        for entry in state.entries:
            if entry.verbatim == text and entry.active:
                state = state.put(
                    replace(entry, status=EntryStatus.RETIRED, status_reason=REMOVED_BY_PERSON, pinned=False)
                )
                changes.append(f"{entry.id} was removed by the user: {entry.text}")
                gone.append(entry.text)
    return replace(result, state=state, changes=tuple(changes), tombstones=tuple(gone))


def _notes(result: Absorbed, path: str, old: list[Block], new: list[Block]) -> Absorbed:
    """Free text is the person's altogether, but for what we render ourselves."""
    ours = Counter(block.text for block in old if block.shape in ("heading", "text"))
    for note in result.state.notes:
        if note.path == path:
            ours[note.text] -= 1
    notes: list[NoteState] = []
    for block in new:
        if block.shape not in ("heading", "text") or (block.shape == "heading" and block.kind is not None):
            continue
        if ours[block.text] > 0:
            ours[block.text] -= 1
            continue
        notes.append(NoteState(path, block.anchor, len(notes), block.text))
    known = {block.text for block in (*old, *new)}
    kept = tuple(note for note in result.state.notes if note.path != path or note.text not in known)
    if tuple(note for note in result.state.notes if note.path == path and note.text in known) == tuple(notes):
        return result
    state = replace(result.state, notes=(*kept, *notes))
    return replace(result, state=state, changes=(*result.changes, f"{path}: the user's own text changed"))


def _summary(result: Absorbed, before: bytes, after: bytes, now: float) -> Absorbed:
    old, new = list(blocks(decoded(before))), list(blocks(decoded(after)))
    state, changes = result.state, list(result.changes)
    shown = {block.id: block for block in old if block.shape == "entry"}
    matched = match_lines(state, old, new)
    for short_id, block in matched.lines.items():
        entry = state.entry(short_id)
        known = shown.get(short_id)
        if entry is None or known is None or known.text == block.text:
            continue
        text, situation = summary_words(block.text, entry)
        if (text, situation) == summary_words(known.text, entry):
            continue
        when = f"\n  When: {escape_ids(situation)}" if situation else ""
        verbatim = f"- {escape_ids(text)} [{short_id}]{when}"
        state = state.put(_edited(entry, replace(block, text=verbatim, kind=entry.kind), now))
        changes.append(f"{short_id} was rewritten by the user: {text}")
    for short_id in matched.lost:
        entry = state.entry(short_id)
        if entry is not None and not entry.summary_hidden:
            state = state.put(replace(entry, summary_hidden=True))
            changes.append(f"{short_id} was taken out of the summary by the user")
    return _notes(replace(result, state=state, changes=tuple(changes)), SUMMARY, old, new)


def summary_words(block: str, entry: EntryState) -> tuple[str, str]:
    """Text and situation of an entry's line in the summary, where the situation follows in brackets."""
    words = plain_text(block) or entry.text
    known = f" (when: {fold_space(entry.situation)})"
    if entry.situation and words.endswith(known):
        return words.removesuffix(known), entry.situation
    text, mark, rest = words.rpartition(" (when: ")
    if entry.situation and mark and rest.endswith(")"):
        return text, rest.removesuffix(")")
    return words, ""


def _skill(result: Absorbed, name: str, after: bytes) -> Absorbed:
    skill = next((skill for skill in result.state.skills if skill.name == name), None)
    text = decoded(after)
    if skill is None or skill.verbatim == text:
        return result
    state = result.state.put_skill(replace(skill, hand_edited=True, verbatim=text, status=EntryStatus.ACTIVE))
    return replace(result, state=state, changes=(*result.changes, f"skill {name} was rewritten by the user"))
