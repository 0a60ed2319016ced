"""What a person may do to single entries: add, pin, unpin, remove, take back, and ask where they come from."""

from __future__ import annotations

import re
from dataclasses import replace

from slowwave.errors import ConfigError, NotFound
from slowwave.memories.publishing.markdown import blocks, plain_text
from slowwave.memories.state.values import EntryState, EvidenceState, MemoryState
from slowwave.memories.text import quote_hash, similarity
from slowwave.storage.queue.owner import this_host
from slowwave.storage.types import EntryStatus, MemoryKind, Origin, Standing
from slowwave.text import Relation, canonical, fold_space, relate
from slowwave.text.ids import split_tail, unescape_ids

_SHORT_ID = re.compile(r"\[?(m[1-9][0-9]*)\]?")
NEAR = 0.55


def find_entry(state: MemoryState, wanted: str) -> EntryState:
    """Find an entry by `m12`, by its line as it stands in a file, or by words that say the same.

    Raises:
        ConfigError: no entry says that, or several do; the hint names the nearest.
    """
    match = _SHORT_ID.fullmatch(wanted.strip())
    if match is not None:
        entry = state.entry(match.group(1))
        if entry is None:
            raise NotFound(f"there is no entry {match.group(1)}", hint="`slowwave search` finds entries.")
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
    if ranked and plain in canonical(ranked[0].text):
        return ranked[0]
    for meant in ((Relation.SAME,), (Relation.WIDER, Relation.NARROWER)):
        saying = [entry for entry in ranked if relate(wanted, entry.text) in meant]
        if saying and (len(saying) == 1 or meant == (Relation.SAME,)):
            return saying[0]
    near = f"The nearest is {ranked[0].id}: {ranked[0].text}" if ranked else "Nothing is remembered here yet."
    raise NotFound("no entry says that", hint=near)


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
