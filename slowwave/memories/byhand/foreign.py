"""What of a foreign archive is believed. Who wrote it is not known, so every line is judged anew by its own quotes."""

from __future__ import annotations

from dataclasses import replace

from slowwave.memories.consolidation.sources import UNTRUSTED
from slowwave.memories.guardrails import Claim, Piece, judge, weakest
from slowwave.memories.publishing.edits import MEMORY
from slowwave.memories.publishing.markdown import plain_text, situation_of
from slowwave.memories.state.unfit import unfit
from slowwave.memories.state.values import EntryState, EvidenceState, MemoryState, NoteState
from slowwave.rollouts.model import ItemKind
from slowwave.storage.types import MemoryKind, Origin, Scope, Standing
from slowwave.text import fold_space

Line = tuple[EntryState, str]
"""A line as far as it is believed, and why it has to wait for a person; empty when it may stand."""

_BY_HAND = (Origin.USER, Origin.EDIT, Origin.FACT)


def believed(incoming: MemoryState) -> tuple[MemoryState, list[Line]]:
    """The notes and skills that may be taken over, and each active line with what is believed of it.

    A note that would steer agents is among the lines: it waits as one.
    """
    lines = [_line(entry) for entry in incoming.active]
    notes: list[NoteState] = []
    for note in incoming.notes:
        words = EntryState(0, MemoryKind.FACT, fold_space(note.text), Standing.INFERRED, evidence=(_quote(note.text),))
        reason = unfit(words, foreign=True)
        if reason:
            lines.append((words, reason))
        else:
            # Never into the block that sessions start with.
            notes.append(replace(note, path=MEMORY))
    return replace(incoming, notes=tuple(notes)), lines


def _line(entry: EntryState) -> Line:
    """The entry with the strength and the kind that its quotes carry, without what only its owner can grant: a pin, a
    place at the user level, words of the block that are not those of the entry."""
    entry = replace(entry, scope=Scope.PROJECT, pinned=False, promoted_from=None)
    shown = plain_text(entry.verbatim), situation_of(entry.verbatim)
    if tuple(map(fold_space, shown)) != (fold_space(entry.text), fold_space(entry.situation)):
        entry = replace(entry, verbatim="", hand_edited=False)
    if reason := unfit(entry, foreign=True):
        return entry, reason
    judged = judge(
        Claim(entry.kind, entry.text, entry.situation), [_piece(piece, entry.standing) for piece in entry.evidence]
    )
    if judged.standing is None or judged.quarantined:
        return entry, judged.reason
    return replace(entry, standing=weakest((entry.standing, judged.standing)), kind=judged.kind), ""


def _piece(piece: EvidenceState, standing: Standing) -> Piece:
    if piece.item_kind == ItemKind.USER_TEXT or piece.origin in _BY_HAND:
        return Piece(piece.quote, Standing.USER_SAID, acts=True)
    if piece.item_kind == ItemKind.ASSISTANT_TEXT and standing is Standing.AGREED:
        return Piece(piece.quote, Standing.AGREED, acts=True)
    if piece.item_kind in (ItemKind.TOOL_CALL, ItemKind.TOOL_RESULT):
        return Piece(
            piece.quote,
            Standing.VERIFIED,
            acts=piece.item_kind == ItemKind.TOOL_CALL,
            untrusted=piece.item_kind in UNTRUSTED,
        )
    return Piece(piece.quote, Standing.INFERRED, untrusted=piece.item_kind in UNTRUSTED)


def _quote(text: str) -> EvidenceState:
    return EvidenceState(quote=text, quote_hash="", item_kind=ItemKind.CONTEXT.value)
