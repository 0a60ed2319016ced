"""A memory of one session as stage two handles it, and what several of them prove together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from slowwave.memories.extraction.candidates import Candidate
from slowwave.memories.guardrails import Piece, strongest, terms_of, weakest
from slowwave.memories.state.values import EntryState, EvidenceState
from slowwave.rollouts.model import ItemKind
from slowwave.storage.types import Scope, Standing

UNTRUSTED = frozenset({ItemKind.TOOL_RESULT, ItemKind.CONTEXT, ItemKind.SUMMARY})
"""What anybody may have written."""


@dataclass(frozen=True, slots=True)
class Source:
    """A candidate and the session that it came from."""

    thread_id: str
    session_id: str
    agent: str
    candidate: Candidate

    @property
    def evidence(self) -> tuple[EvidenceState, ...]:
        """The candidate's quotes as evidence of an entry."""
        return tuple(
            EvidenceState(
                quote=quote.quote,
                quote_hash=quote.hash,
                thread_id=self.thread_id,
                session_id=self.session_id,
                agent=self.agent,
                item=quote.item,
                uid=quote.uid,
                item_kind=quote.item_kind,
                at=quote.at,
            )
            for quote in self.candidate.evidence
        )

    @property
    def piece(self) -> Piece:
        """What the candidate proves: its own words and its quotes, checked when it was extracted. Members of a list
        stand in the quotes or prove nothing."""
        one = self.candidate
        words = "\n".join((one.text, one.situation, *(quote.quote for quote in one.evidence)))
        kinds = {quote.item_kind for quote in one.evidence}
        acts = bool(kinds & {ItemKind.USER_TEXT, ItemKind.TOOL_CALL}) or self.standing is Standing.AGREED
        return Piece(words, self.standing, acts=acts, untrusted=kinds <= UNTRUSTED)

    @property
    def standing(self) -> Standing:
        """The candidate's standing, never more than what the sort of its quotes can prove."""
        kinds = {quote.item_kind for quote in self.candidate.evidence}
        most = Standing.INFERRED
        if ItemKind.USER_TEXT in kinds:
            most = Standing.USER_SAID
        elif kinds & {ItemKind.TOOL_CALL, ItemKind.TOOL_RESULT}:
            most = Standing.VERIFIED
        elif ItemKind.ASSISTANT_TEXT in kinds and self.candidate.standing is Standing.AGREED:
            # The approving words of an agreed proposal need not be quoted.
            most = Standing.AGREED
        return weakest((self.candidate.standing, most))

    def as_json(self) -> dict[str, Any]:
        """The form that is stored with a held operation."""
        return {**asdict(self), "candidate": self.candidate.as_json()}

    @staticmethod
    def from_json(data: dict[str, Any]) -> Source:
        """The inverse of `as_json`."""
        return Source(
            str(data["thread_id"]), str(data["session_id"]), str(data["agent"]), Candidate.from_json(data["candidate"])
        )


def evidence_of(sources: Sequence[Source]) -> tuple[EvidenceState, ...]:
    """The evidence of several candidates, each piece once, oldest first."""
    pieces = {piece.key: piece for source in sources for piece in source.evidence}
    return tuple(sorted(pieces.values(), key=lambda piece: piece.order))


def newest(evidence: Sequence[EvidenceState]) -> float | None:
    """When the newest of some pieces was observed, in seconds since the epoch."""
    return max((piece.at for piece in evidence if piece.at is not None), default=None)


def standing_of(sources: Sequence[Source]) -> Standing:
    """The strongest standing among candidates."""
    return strongest(source.standing for source in sources)


def scope_of(sources: Sequence[Source]) -> Scope:
    """The user level where one of the candidates was stated for everywhere."""
    wide = any(source.candidate.scope is Scope.USER for source in sources)
    return Scope.USER if wide else Scope.PROJECT


def piece_of(entry: EntryState) -> Piece:
    """What a standing entry proves by itself."""
    return Piece(f"{entry.text}\n{entry.situation}", entry.standing, acts=True)


def speaks_of(sources: Sequence[Source], entry: EntryState) -> bool:
    """Whether candidates are about the same thing as an entry: they share a name or a word."""
    mine = terms_of("\n".join(source.piece.text for source in sources)).content
    theirs = terms_of(f"{entry.text} {entry.situation}")
    return bool((theirs.names | theirs.words) & mine)
