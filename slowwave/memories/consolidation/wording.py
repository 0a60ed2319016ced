"""Whose words an entry has: those of the memory, unless something has to change."""

from __future__ import annotations

from collections.abc import Iterable

from slowwave.memories.guardrails import covered, opposed, terms_of

WORDS_KEPT = 0.8


def keeps_specifics(text: str, of: Iterable[str]) -> bool:
    """Whether a text keeps every name and number of others, and most of what they say."""
    mine = terms_of(text)
    inside = mine.content | mine.tokens
    for other in of:
        theirs = terms_of(other)
        exact = theirs.names | theirs.numbers
        if len(covered(exact, inside)) < len(exact) or opposed(mine, theirs):
            return False
        if len(covered(theirs.words, inside)) < WORDS_KEPT * len(theirs.words):
            return False
    return True
