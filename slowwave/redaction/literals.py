"""The literal pass of the batch path. Finds exactly what `core.plain_literals` finds, in linear time.

With the extra `fast` (hyperscan) all anchors are one vectorised automaton over bytes; without it, pyahocorasick's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import ahocorasick

from slowwave.redaction.core import anchors, lowered

Hits = list[tuple[int, int]]


@cache
def _automata() -> tuple[Any, Any]:
    exact, folded = ahocorasick.Automaton(), ahocorasick.Automaton()
    for index, (word, fold, _) in enumerate(anchors()):
        (folded if fold else exact).add_word(word, (index, len(word) - 1))
    exact.make_automaton()
    folded.make_automaton()
    return exact, folded


def automaton_literals(text: str) -> Iterator[tuple[int, int]]:
    """The pass by pyahocorasick: one automaton for anchors with case, one for those without."""
    exact, folded = _automata()
    for end, (index, back) in exact.iter(text):
        yield end - back, index
    for end, (index, back) in folded.iter(lowered(text)):
        yield end - back, index


@cache
def _vectorised() -> Callable[[str], Hits] | None:
    try:
        import hyperscan
    except ImportError:
        return None
    table = anchors()
    ascii_words = [(index, word, fold) for index, (word, fold, _) in enumerate(table) if word.isascii()]
    others = [(index, word) for index, (word, _, _) in enumerate(table) if not word.isascii()]
    sizes = {index: len(word) for index, word, _ in ascii_words}
    database = hyperscan.Database()
    database.compile(
        expressions=[word.encode() for _, word, _ in ascii_words],
        ids=[index for index, _, _ in ascii_words],
        flags=[hyperscan.HS_FLAG_CASELESS if fold else 0 for _, _, fold in ascii_words],
        literal=True,
    )

    def literals(text: str) -> Hits:
        hits: Hits = []

        def on_match(index: int, start: int, end: int, flags: int, context: object) -> None:
            hits.append((end - sizes[index], index))

        # One byte per character, so that offsets in bytes are offsets in the text.
        database.scan(text.encode("latin-1", "replace"), match_event_handler=on_match)
        if not text.isascii():
            for index, word in others:
                at = text.find(word)
                while at >= 0:
                    hits.append((at, index))
                    at = text.find(word, at + 1)
        return hits

    return literals


def fast_literals(text: str) -> Iterator[tuple[int, int]] | Hits:
    """Every (offset, anchor index) in the text, by the fastest pass that is installed."""
    vectorised = _vectorised()
    return automaton_literals(text) if vectorised is None else vectorised(text)
