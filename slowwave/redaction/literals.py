"""The literal pass of the batch path: one automaton over all anchors. Finds exactly what `core.plain_literals` finds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import ahocorasick

from slowwave.redaction.core import anchors, lowered


@cache
def _automata() -> tuple[Any, Any]:
    exact, folded = ahocorasick.Automaton(), ahocorasick.Automaton()
    for index, (word, fold, _) in enumerate(anchors()):
        (folded if fold else exact).add_word(word, (index, len(word) - 1))
    exact.make_automaton()
    folded.make_automaton()
    return exact, folded


def fast_literals(text: str) -> Iterator[tuple[int, int]]:
    """Yield (offset, anchor index) of every anchor in the text, in linear time."""
    exact, folded = _automata()
    for end, (index, back) in exact.iter(text):
        yield end - back, index
    for end, (index, back) in folded.iter(lowered(text)):
        yield end - back, index
