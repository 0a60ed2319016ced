"""What a person said in a session that may last: rules, preferences, decisions, facts, confirmed fixes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from slowwave.llm.offline import text as texts
from slowwave.rollouts.model import Item, ItemKind
from slowwave.storage.types import MemoryKind
from slowwave.text.languages import explicit, statements

_LONGEST_ASIDE = 1_500
"""A longer message is a specification: what it demands without saying that it lasts belongs to its task."""


@dataclass(frozen=True, slots=True)
class Said:
    """One durable thing that a person typed: kind, what holds, and where it stands. Without `lasting` it counts only
    when another session says it too."""

    kind: MemoryKind
    text: str
    item: int
    quote: str
    lasting: bool


def said_in(item: Item) -> Iterator[Said]:
    """Yield the durable statements of one item that a person typed, in order."""
    if item.kind is not ItemKind.USER_TEXT:
        return
    words = item.said
    aside = len(words) <= _LONGEST_ASIDE
    for found in statements(words):
        if len(found.quote) > texts.MAX_QUOTE or texts.is_volatile(found.quote):
            continue
        if found.lasting or aside:
            yield Said(MemoryKind(found.kind), found.text, item.index, found.quote, found.lasting)


def is_explicit(quotes: Iterable[str]) -> bool:
    """Tell whether the quoted words say themselves that they hold beyond their session."""
    return any(explicit(quote) for quote in quotes)
