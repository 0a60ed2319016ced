"""The literal pass of the batch path. Finds exactly what `core.plain_literals` finds, in linear time.

With the extra `fast` (hyperscan) all anchors are one vectorised automaton over bytes; without it, pyahocorasick's.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any

import ahocorasick

from slowwave.redaction.scan.core import Anchor, Literals, lowered
from slowwave.text.lazy import lazy

_NOT_ASCII = lazy("[^\x00-\x7f]++")


def automaton_literals(anchors: Sequence[Anchor]) -> Literals:
    """The pass by pyahocorasick: one automaton for anchors with case, one for those without."""
    automata: dict[bool, Any] = {False: ahocorasick.Automaton(), True: ahocorasick.Automaton()}
    for index, (word, fold) in enumerate(anchors):
        automata[fold].add_word(word, (index, len(word) - 1))
    for automaton in automata.values():
        automaton.make_automaton()

    def literals(text: str) -> Iterator[tuple[int, int]]:
        for fold, automaton in automata.items():
            if len(automaton):
                for end, (index, back) in automaton.iter(lowered(text) if fold else text):
                    yield end - back, index

    return literals


def vectorised_literals(anchors: Sequence[Anchor]) -> Literals:
    """The pass by hyperscan. Raises ImportError where it is not installed."""
    import hyperscan

    ascii_words = [(index, word, fold) for index, (word, fold) in enumerate(anchors) if word.isascii()]
    others = [(index, word, fold) for index, (word, fold) in enumerate(anchors) if not word.isascii()]
    sizes = {index: len(word) for index, word, _ in ascii_words}
    database = hyperscan.Database()
    database.compile(
        expressions=[word.encode() for _, word, _ in ascii_words],
        ids=[index for index, _, _ in ascii_words],
        flags=[hyperscan.HS_FLAG_CASELESS if fold else 0 for _, _, fold in ascii_words],
        literal=True,
    )
    # A scan releases the interpreter's lock, and two scans may not share their scratch space.
    own = threading.local()
    rest = automaton_literals([(word, fold) for _, word, fold in others])
    longest = max((len(word) for _, word, _ in others), default=0)

    def literals(text: str) -> list[tuple[int, int]]:
        hits: list[tuple[int, int]] = []

        def on_match(index: int, start: int, end: int, flags: int, context: object) -> None:
            hits.append((end - sizes[index], index))

        scratch = getattr(own, "scratch", None)
        if scratch is None:
            scratch = own.scratch = hyperscan.Scratch(database)
        # One byte per character, so that offsets in bytes are offsets in the text.
        database.scan(text.encode("latin-1", "replace"), match_event_handler=on_match, scratch=scratch)
        if not text.isascii():
            for begin, stop in _foreign(text, longest):
                hits += [(begin + at, others[index][0]) for at, index in rest(text[begin:stop])]
        return hits

    return literals


def _foreign(text: str, margin: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches around characters of other scripts, `margin` characters to both sides."""
    begin, stop = 0, -1
    for match in _NOT_ASCII.finditer(text):
        if match.start() - margin > stop:
            if stop > 0:
                yield begin, stop
            begin = max(0, match.start() - margin)
        stop = match.end() + margin
    if stop > 0:
        yield begin, stop


def fast_literals(anchors: Sequence[Anchor]) -> Literals:
    """The fastest pass that is installed."""
    try:
        return vectorised_literals(anchors)
    except ImportError:
        return automaton_literals(anchors)
