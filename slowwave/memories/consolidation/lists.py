"""Lists that grow: an entry whose members have evidence of their own, shown as one line.

A piece of evidence names the members that it supports. A member stands as long as one piece supports it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from slowwave.memories.consolidation.sources import Source
from slowwave.memories.extraction.candidates import MAX_MEMBER
from slowwave.memories.guardrails import holds, terms_of
from slowwave.memories.state.values import EntryState, EvidenceState
from slowwave.text import canonical, fold_space, shorten

_SEPARATOR = ": "


def name_of(text: str) -> str:
    """The name of a list from its line, or from what a model calls it."""
    return text.partition(_SEPARATOR)[0].strip().rstrip(":")


def members_of(evidence: Iterable[EvidenceState]) -> tuple[str, ...]:
    """The members that have evidence, in the order in which they came."""
    found = (member for piece in evidence for member in piece.member.split("\n") if member)
    return tuple(dict.fromkeys(found))


def with_line(entry: EntryState) -> EntryState:
    """The entry with its line written anew from its members."""
    return replace(entry, text=f"{name_of(entry.text)}{_SEPARATOR}{', '.join(members_of(entry.evidence))}")


def proven(members: Sequence[str], sources: Sequence[Source]) -> dict[str, tuple[EvidenceState, ...]]:
    """Those of some members that stand in a quote, each with the pieces that name it."""
    found: dict[str, tuple[EvidenceState, ...]] = {}
    for raw in members:
        member = shorten(fold_space(raw), MAX_MEMBER)
        wanted = terms_of(member)
        pieces = tuple(
            piece for source in sources for piece in source.evidence if wanted.content and _names(piece.quote, member)
        )
        if pieces:
            found[member] = pieces
    return found


def _names(quote: str, member: str) -> bool:
    given, wanted = terms_of(quote), terms_of(member)
    inside = given.content | given.tokens
    if canonical(member) in canonical(quote):
        return True
    return all(holds(term, inside) for term in wanted.names | wanted.numbers | wanted.words)


def joined(entry: EntryState, members: dict[str, tuple[EvidenceState, ...]]) -> EntryState:
    """The list with more members; one that it has gets more evidence."""
    known = {canonical(member): member for member in members_of(entry.evidence)}
    pieces = {piece.key: piece for piece in entry.evidence}
    for name, evidence in members.items():
        member = known.get(canonical(name), name)
        for piece in evidence:
            held = pieces.get(piece.key, piece)
            names = dict.fromkeys([*held.member.split("\n"), member])
            pieces[piece.key] = replace(held, member="\n".join(one for one in names if one))
    return with_line(replace(entry, evidence=tuple(sorted(pieces.values(), key=lambda piece: piece.order))))


def without(entry: EntryState, gone: Iterable[str]) -> EntryState:
    """The list without some members, and without the evidence that only they had."""
    names = {canonical(member) for member in gone}
    kept = []
    for piece in entry.evidence:
        left = [member for member in piece.member.split("\n") if member and canonical(member) not in names]
        if left:
            kept.append(replace(piece, member="\n".join(left)))
    return with_line(replace(entry, evidence=tuple(kept)))


def known_members(entry: EntryState, wanted: Iterable[str]) -> tuple[str, ...]:
    """Those of some names that are members of a list, as it spells them."""
    known = {canonical(member): member for member in members_of(entry.evidence)}
    return tuple(known[canonical(name)] for name in wanted if canonical(name) in known)
