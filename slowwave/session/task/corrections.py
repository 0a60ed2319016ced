"""Corrections: the user says that something went wrong, or undoes it. Pure policy, no I/O."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from slowwave.session import phrases
from slowwave.session.text import QUOTE_LIMIT, sentences
from slowwave.text import shorten
from slowwave.text.typed import said_text


class CorrectionKind(StrEnum):
    """How the user corrected."""

    REJECTED = "rejected"
    REPEATED = "repeated"
    REVERTED = "reverted"
    RULE = "rule"


class Correction(NamedTuple):
    """A correction with the user's words. `weight` is 0 to 1: how plainly it is one."""

    kind: CorrectionKind
    quote: str
    weight: float


def find(prompt: str) -> Correction | None:
    """The correction in a user's message, None if there is none. Pasted text is not looked at."""
    typed = said_text(prompt)
    pieces = sentences(typed[:1500])
    if not pieces:
        return None
    first = pieces[0]
    if phrases.REJECTED.found_in(first):
        kind, quote, weight = CorrectionKind.REJECTED, first, 0.9
    elif hit := next((piece for piece in pieces[:3] if phrases.REVERTED.found_in(piece)), None):
        kind, quote, weight = CorrectionKind.REVERTED, hit, 0.8
    elif hit := next((piece for piece in pieces[:4] if phrases.NEW_RULE.found_in(piece)), None):
        kind, quote, weight = CorrectionKind.RULE, hit, 0.8
    elif hit := next((piece for piece in pieces[:2] if phrases.REPEATED.found_in(piece)), None):
        kind, quote, weight = CorrectionKind.REPEATED, hit, 0.6
    else:
        return None
    return Correction(kind, shorten(quote, QUOTE_LIMIT) if len(quote) > QUOTE_LIMIT else quote, weight)
