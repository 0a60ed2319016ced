"""What a person may do to single entries: add, pin, unpin, remove, take back, and ask where they come from."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from slowwave.errors import ConfigError
from slowwave.memories.consolidation.state import EntryState, EvidenceState, MemoryState
from slowwave.memories.publishing.markdown import blocks, plain_text
from slowwave.memories.text import quote_hash, similarity
from slowwave.storage.queue.owner import this_host
from slowwave.storage.types import EntryStatus, MemoryKind, Origin, Standing
from slowwave.text import canonical, fold_space
from slowwave.text.ids import split_tail, unescape_ids, with_renamed_id

_SHORT_ID = re.compile(r"\[?(m[1-9][0-9]*)\]?")
NEAR = 0.55


def find_entry(state: MemoryState, wanted: str) -> EntryState:
    """Find an entry by `m12`, by its line as it stands in a file, or by words close to it.

    Raises:
        ConfigError: nothing is close enough; the hint names the nearest.
    """
    match = _SHORT_ID.fullmatch(wanted.strip())
    if match is not None:
        entry = state.entry(match.group(1))
        if entry is None:
            raise ConfigError(f"there is no entry {match.group(1)}", hint="`slowwave search` finds entries.")
        return entry
    words, tagged = split_tail(wanted.strip())
    if tagged and (entry := state.entry(tagged)) is not None and _fits(words, entry):
        return entry
    wanted = unescape_ids(words)
    plain = canonical(wanted)
    if not plain:
        raise ConfigError("that names no entry", hint="Give an id such as m12, or words of the entry.")
    ranked = sorted(
        state.entries,
        key=lambda entry: (plain not in canonical(entry.text), -similarity(wanted, entry.text), entry.number),
    )
    if ranked and (plain in canonical(ranked[0].text) or similarity(wanted, ranked[0].text) >= NEAR):
        return ranked[0]
    near = f"The nearest is {ranked[0].id}: {ranked[0].text}" if ranked else "Nothing is remembered here yet."
    raise ConfigError("no entry says that", hint=near)


def _fits(words: str, entry: EntryState) -> bool:
    """Whether a line that ends in an entry's id is that entry's: a text may end in the same characters."""
    said = plain_text(words)
    return not canonical(said) or canonical(entry.text) in canonical(said) or similarity(said, entry.text) >= NEAR


def remember(state: MemoryState, text: str, kind: MemoryKind, now: float) -> tuple[MemoryState, EntryState]:
    """Add what a person told Slowwave. It counts as their word: no run rewrites it."""
    plain = fold_space(text)
    known = next((entry for entry in state.entries if canonical(entry.text) == canonical(plain)), None)
    evidence = EvidenceState(quote=plain, quote_hash=quote_hash(plain), uid=by_hand(), origin=Origin.USER, at=now)
    if known is not None:
        entry = replace(
            known.with_evidence((evidence,)),
            status=EntryStatus.ACTIVE,
            status_reason="",
            standing=Standing.USER_SAID,
            hand_edited=True,
        )
    else:
        entry = EntryState(
            number=state.next_number,
            kind=kind,
            text=plain,
            standing=Standing.USER_SAID,
            origin=Origin.USER,
            hand_edited=True,
            evidence=(evidence,),
        )
    return state.put(entry), entry


def by_hand() -> str:
    """What tells on which host a person wrote a line: it is that host's when a project is no longer shared."""
    return f"by-hand:{this_host()}"


def pin(state: MemoryState, entry: EntryState, published: str) -> MemoryState:
    """Freeze an entry's block as it stands in MEMORY.md, byte for byte.

    Raises:
        ConfigError: it is not active.
    """
    if not entry.active:
        raise ConfigError(f"{entry.id} is {entry.status}", hint="Only entries that stand can be pinned.")
    shown = [block.text for block in blocks(published) if block.id == entry.id]
    block = next((text for text in shown if canonical(plain_text(text)) == canonical(entry.text)), entry.verbatim)
    return state.put(replace(entry, pinned=True, verbatim=block))


def unpin(state: MemoryState, entry: EntryState) -> MemoryState:
    """Let runs touch an entry again; a person's own wording stays."""
    verbatim = entry.verbatim if entry.hand_edited else ""
    return state.put(replace(entry, pinned=False, verbatim=verbatim))


@dataclass(frozen=True, slots=True)
class Restored:
    """The outcome of a rollback: the state, and how many entries came back or went."""

    state: MemoryState
    back: int
    gone: int


def roll_back(state: MemoryState, old: MemoryState, forgotten: frozenset[str]) -> Restored:
    """Return to the entries, skills and notes of an older version. What was learnt since is retired, not deleted; what
    a person forgot in between (`forgotten`: text hashes) stays forgotten."""
    by_number = {entry.number: entry for entry in state.entries}
    target = {entry.number: entry for entry in old.entries if entry.hash not in forgotten}
    back = gone = 0
    for number, entry in target.items():
        current = by_number.get(number)
        if current is None or (entry.active and not current.active):
            back += entry.active
        if current is not None:
            # Quotes that were forgotten since are no longer among the current ones.
            left = {piece.key for piece in current.evidence}
            entry = replace(entry, evidence=tuple(piece for piece in entry.evidence if piece.key in left))
        by_number[number] = entry
    for number, entry in by_number.items():
        if number not in target and entry.active:
            by_number[number] = replace(entry, status=EntryStatus.RETIRED, status_reason="rolled_back")
            gone += 1
    skills = {skill.name: skill for skill in state.skills}
    names = {skill.name for skill in old.skills}
    for name, skill in skills.items():
        if name not in names:
            skills[name] = replace(skill, status=EntryStatus.RETIRED)
    skills |= {skill.name: skill for skill in old.skills}
    return Restored(
        MemoryState(
            entries=tuple(by_number[number] for number in sorted(by_number)),
            skills=tuple(skills[name] for name in sorted(skills)),
            notes=old.notes,
            next_number=max(state.next_number, old.next_number),
        ),
        back,
        gone,
    )


def merge_states(state: MemoryState, incoming: MemoryState, *, foreign: bool = False) -> tuple[MemoryState, int]:
    """Add another state's entries and skills; equal lines are confirmed. Return the state and how many are new.

    `foreign` means another database: its sessions are not in this one, so the quotes stay and the links do not.
    """
    known = {canonical(entry.text): entry for entry in state.entries}
    added = 0
    for entry in incoming.active:
        evidence = tuple(_foreign(piece) if foreign else piece for piece in entry.evidence)
        twin = known.get(canonical(entry.text))
        if twin is not None:
            state = state.put(twin.with_evidence(evidence))
            continue
        fresh = replace(entry, number=state.next_number, evidence=evidence, superseded_by=None)
        if foreign:
            fresh = replace(fresh, origin=Origin.IMPORT, pinned=False, helped=0, wrong=0, used=0)
        # A kept block names the old id.
        fresh = replace(fresh, verbatim=with_renamed_id(fresh.verbatim, entry.id, fresh.id))
        state = state.put(fresh)
        added += 1
    names = {skill.name for skill in state.skills}
    for skill in incoming.skills:
        if skill.name not in names:
            numbers = {entry.number for entry in incoming.entries if entry.number in skill.entries}
            texts = {canonical(entry.text) for entry in incoming.entries if entry.number in numbers}
            entries = tuple(entry.number for entry in state.entries if canonical(entry.text) in texts)
            state = state.put_skill(replace(skill, entries=entries))
    notes = (*state.notes, *(note for note in incoming.notes if note not in state.notes))
    return replace(state, notes=notes), added


def _foreign(piece: EvidenceState) -> EvidenceState:
    return replace(piece, thread_id=None, uid=None, origin=Origin.IMPORT)
