"""Corrections: the user says that something went wrong, or undoes it. Pure policy, no I/O."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

from slowwave.session.text import QUOTE_LIMIT, sentences
from slowwave.text import shorten
from slowwave.text.languages import Day, days_of
from slowwave.text.languages.phrases import Phrases
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
    pieces = sentences(said_text(prompt)[:1500])
    if not pieces:
        return None
    days = [days_of(piece) for piece in pieces[:4]]
    if _turns_down(pieces[0], days[0]):
        kind, quote, weight = CorrectionKind.REJECTED, pieces[0], 0.9
    elif hit := _first(pieces[:3], days, lambda day: day.reverted):
        kind, quote, weight = CorrectionKind.REVERTED, hit, 0.8
    elif hit := _first(pieces[:4], days, lambda day: day.renewed):
        kind, quote, weight = CorrectionKind.RULE, hit, 0.8
    elif hit := _first(pieces[:2], days, lambda day: day.repeated):
        kind, quote, weight = CorrectionKind.REPEATED, hit, 0.6
    else:
        return None
    return Correction(kind, shorten(quote, QUOTE_LIMIT) if len(quote) > QUOTE_LIMIT else quote, weight)


_NO = r"(?i)\W*(?:no|nope|nein|nee|non|não|нет|không(?: được)?|ไม่|不|いや|いいえ|아니요?)\s?[,，、!]"


def _turns_down(first: str, days: Sequence[Day]) -> bool:
    if any(day.rejected.found_in(first) for day in days):
        return True
    return re.match(_NO, first) is not None and not any(day.rejected.opens_with_exception(first) for day in days)


def _first(pieces: Sequence[str], days: Sequence[tuple[Day, ...]], phrases: Callable[[Day], Phrases]) -> str:
    """The first sentence that holds one of the phrases and is no question, or an empty string."""
    for piece, known in zip(pieces, days, strict=False):
        if not piece.endswith(("?", "？")) and any(phrases(day).found_in(piece) for day in known):
            return piece
    return ""
