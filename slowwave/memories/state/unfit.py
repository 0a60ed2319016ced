"""Lines that may not be shown, however they came into the store: an archive, a team's database, an older version."""

from __future__ import annotations

from slowwave.memories.consolidation.sources import UNTRUSTED
from slowwave.memories.extraction.candidates import Candidate, CheckedQuote
from slowwave.memories.guardrails import WISHES, carries, is_harmful, is_order, reads_as_instruction, terms_of
from slowwave.memories.state.values import EntryState, EvidenceState
from slowwave.rollouts.model import ItemKind
from slowwave.storage.types import MemoryKind, Origin, Standing

NOT_CARRIED = "not_carried_by_its_evidence"
HARMFUL = "harmful_unless_said"


def unfit(entry: EntryState, *, foreign: bool = False) -> str:
    """Why a line may not stand; empty when it may. What a person wrote here may always; of a `foreign` line nobody
    knows who typed its quotes."""
    if entry.from_person and not foreign:
        return ""
    words = f"{entry.text}\n{entry.situation}"
    persons = [piece for piece in entry.evidence if _is_persons(piece, entry.standing)]
    carried = carries(terms_of(words), terms_of("\n".join(piece.quote for piece in persons)))
    if is_harmful(words) and (foreign or not carried):
        return HARMFUL
    if entry.kind in WISHES and entry.evidence and not persons:
        return NOT_CARRIED
    untrusted = {piece.item_kind for piece in entry.evidence} <= UNTRUSTED
    if entry.evidence and untrusted and entry.kind is not MemoryKind.PITFALL and is_order(entry.text):
        return NOT_CARRIED
    if entry.evidence and any(map(reads_as_instruction, (entry.text, entry.situation))) and not carried:
        return NOT_CARRIED
    return ""


def _is_persons(piece: EvidenceState, standing: Standing) -> bool:
    if piece.item_kind == ItemKind.USER_TEXT or piece.origin in (Origin.USER, Origin.EDIT, Origin.FACT):
        return True
    return piece.item_kind == ItemKind.ASSISTANT_TEXT and standing is Standing.AGREED


def as_candidate(entry: EntryState) -> Candidate:
    """A line as something to be proposed to a person."""
    quotes = tuple(CheckedQuote(p.item, p.quote, p.item_kind, p.uid, p.at) for p in entry.evidence)
    return Candidate(entry.kind, entry.text, entry.situation, entry.standing, quotes)
