"""Plain phrases, sought without regular expressions: a hook process starts on every user turn, and compiling large
patterns would cost it more than everything else together."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache


@lru_cache(maxsize=64)
def folded(text: str) -> str:
    """Lower case, straight apostrophes, every other mark a space, one space at each end: what `words` are sought in."""
    return (
        " "
        + re.sub(r"[^\w'\u0300-\u036f\u0900-\u109f-]+|-(?!\w)|(?<!\w)-", " ", text.lower().replace("’", "'")).strip()
        + " "
    )


def phrases_cut(block: str) -> tuple[str, ...]:
    """Cut a block at `|` and line ends."""
    return tuple(phrase for line in block.splitlines() for part in line.split("|") if (phrase := part.strip()))


class Phrases:
    """Phrases separated by `|` or line ends. ` .. ` in one stands for up to `gap` characters.

    `words` are whole words of scripts with spaces, `anywhere` may stand anywhere. A phrase of `unless` hides the match
    that it contains. `opening` asks that a phrase opens the text. The blocks are cut at the first use.
    """

    def __init__(
        self, *, words: str = "", anywhere: str = "", unless: str = "", gap: int = 40, opening: bool = False
    ) -> None:
        self._blocks = words, anywhere, unless
        self.gap = gap
        self.opening = opening

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Whole words, with a space at each end."""
        return tuple(f" {phrase} " for phrase in phrases_cut(self._blocks[0]))

    @cached_property
    def anywhere(self) -> tuple[str, ...]:
        """Pieces of scripts without spaces."""
        return phrases_cut(self._blocks[1])

    @cached_property
    def unless(self) -> tuple[str, ...]:
        """Phrases in which nothing is found."""
        return phrases_cut(self._blocks[2])

    def found_in(self, text: str) -> bool:
        """Tell whether one of the phrases occurs in the text (or opens it, where that is asked)."""
        low = folded(text)
        raw = text.lower()
        if self.opening and self.opens_with_exception(text):
            return False
        for phrase in () if self.opening and raw.isascii() else self.unless:
            low, raw = low.replace(f" {phrase} ", " \x00 "), raw.replace(phrase, "\x00")
        if self.opening:
            raw = raw.lstrip(" \t\n-*>#.,!¡¿\"'([（「")
            return low.startswith(self.words) or (not raw.isascii() and raw.startswith(self.anywhere))
        return any(self._in(phrase, low) for phrase in self.words) or (
            not raw.isascii() and any(self._in(phrase, raw) for phrase in self.anywhere)
        )

    def opens_with_exception(self, text: str) -> bool:
        """Tell whether a text opens with a phrase that looks like one of these and is none (`no problem`)."""
        return folded(text).startswith(tuple(f" {phrase} " for phrase in self.unless))

    def hides(self, text: str) -> bool:
        """Tell whether a text holds a phrase in which nothing is found."""
        low, raw = folded(text), text.lower()
        return any(f" {phrase} " in low or (not phrase.isascii() and phrase in raw) for phrase in self.unless)

    def _in(self, phrase: str, text: str) -> bool:
        first, gap, second = phrase.partition(" .. ")
        if not gap:
            return phrase in text
        at = text.find(first)
        while at >= 0:
            end = at + len(first)
            if second in text[end : end + self.gap + len(second)]:
                return True
            at = text.find(first, end)
        return False
