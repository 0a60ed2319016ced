"""Other readings of one text, each with a way back to the original offsets. Standard library only.

A secret may stand behind JSON escapes, percent-encoding, HTML entities, colour codes, zero-width characters or a string
concatenation. Each reading undoes one of them; what a scan finds in a reading is cut from the original.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

MASK = "\x00"
"""Stands for every character of a placeholder that is already in the text, so no rule reads or extends it."""


CONTEXT = 320
"""Characters around an undone place in which a secret may begin or end because of it."""


@dataclass(slots=True)
class View:
    """A reading of a text. `text` is what is scanned; `span` maps a span of it to the original text; `changes` are
    the places where it differs from its parent, None where all of it is to be read."""

    text: str
    parent: View | None = None
    _at: list[int] = field(default_factory=lambda: [0])
    _origin: list[int] = field(default_factory=lambda: [0])
    _width: list[int] = field(default_factory=lambda: [1])
    changes: list[int] | None = None

    def regions(self) -> Iterator[tuple[int, int]]:
        """Yield (start, end) of what this reading has to itself: what was undone, and `CONTEXT` characters around it.

        The rest reads as in its parent, so whatever stands there was found in that one.
        """
        size = len(self.text)
        if self.changes is None:
            yield 0, size
            return
        start, end = 0, -1
        for at in self.changes:
            if at - CONTEXT > end:
                if end > start:
                    yield start, end
                start = max(0, at - CONTEXT)
            end = min(size, at + CONTEXT)
        if end > start:
            yield start, end

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Map [start, end) of this reading to offsets in the original text."""
        if self.parent is None:
            return start, end
        first = bisect_right(self._at, start) - 1
        last = bisect_right(self._at, max(start, end - 1)) - 1
        begin = self._origin[first] + (start - self._at[first] if self._width[first] == 1 else 0)
        stop = self._origin[last] + self._width[last]
        if self._width[last] == 1:
            stop += max(start, end - 1) - self._at[last]
        return self.parent.span(begin, stop)


def substituted(parent: View, pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str]) -> View | None:
    """The reading in which every match of `pattern` is replaced by at most one character, or None when none matches."""
    source = parent.text
    parts: list[str] = []
    view = View("", parent, [], [], [])
    changes: list[int] = []
    at = done = 0
    for match in pattern.finditer(source):
        start, end = match.span()
        if start > done:
            parts.append(source[done:start])
            view._at.append(at)
            view._origin.append(done)
            view._width.append(1)
            at += start - done
        changes.append(at)
        if char := replacement(match):
            parts.append(char)
            view._at.append(at)
            view._origin.append(start)
            view._width.append(end - start)
            at += 1
        done = end
    if not done:
        return None
    if done < len(source) or not parts:
        parts.append(source[done:])
        view._at.append(at)
        view._origin.append(done)
        view._width.append(1)
    view.text = "".join(parts)
    view.changes = changes
    return view


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name])


_PATTERNS = {
    "placeholder": r"\[(?:REDACTED:[a-z0-9-]{1,64}|OMITTED: secret scan failed)\]",
    "invisible": "\x1b\\[[0-9;:?]{0,40}[A-Za-z]|\x1b\\][^\x07\x1b]{0,400}(?:\x07|\x1b\\\\)|"
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e007f]",
    "full-width": "[\uff01-\uff5e]",
    "escape": r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\"'`\\/bfnrt])",
    "percent": r"%[0-9a-fA-F]{2}|&(?:quot|apos|amp|lt|gt|#(?:x[0-9a-fA-F]{1,4}|[0-9]{1,5}));",
    "joined": r"([\"'`])[ \t]{0,8}(?:\+|\.\.|\.|&|\|\|)?[ \t]{0,8}(?:\\?\r?\n[ \t]{0,40})?(?:\+[ \t]{0,8})?\1(?<=[+.&|\n \t]\1)",
}
_LETTER = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_ENTITY = {"quot": '"', "apos": "'", "amp": "&", "lt": "<", "gt": ">"}


def _unescape(match: re.Match[str]) -> str:
    body = match.group()[1:]
    if len(body) > 1:
        return chr(int(body[1:], 16))
    return _LETTER.get(body, body)


def _unpercent(match: re.Match[str]) -> str:
    body = match.group()
    if body[0] == "%":
        return chr(int(body[1:], 16))
    name = body[1:-1]
    if name[0] == "#":
        code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
        return chr(code) if 0 < code < 0xD800 else " "
    return _ENTITY[name]


def base(text: str) -> View:
    """The first reading: placeholders masked, colour codes and zero-width characters gone, full-width ASCII narrowed."""
    view = View(text)
    if MASK in text:
        # A NUL that was in the text before must not pass for a placeholder's character.
        view = View(text.replace(MASK, " "))
    if "[REDACTED:" in text or "[OMITTED:" in text:
        masked = _pattern("placeholder").sub(lambda m: MASK * len(m.group()), view.text)
        view = View(masked)
    if "\x1b" in view.text or not view.text.isascii():
        view = substituted(view, _pattern("invisible"), lambda m: "") or view
        if not view.text.isascii():
            view = substituted(view, _pattern("full-width"), lambda m: chr(ord(m.group()) - 0xFEE0)) or view
    view.changes = None
    return view


def readings(text: str) -> Iterator[View]:
    """Yield the base reading and each decoded one that differs from it (nested JSON up to three levels)."""
    view = base(text)
    yield view
    if '"' in view.text or "'" in view.text:
        joined = substituted(view, _pattern("joined"), lambda m: "")
        if joined is not None:
            yield joined
    deepest = view
    for _ in range(3):
        if "\\" not in deepest.text:
            break
        decoded = substituted(deepest, _pattern("escape"), _unescape)
        if decoded is None:
            break
        deepest = decoded
        yield deepest
    for _ in range(2):
        if "%" not in deepest.text and "&" not in deepest.text:
            break
        decoded = substituted(deepest, _pattern("percent"), _unpercent)
        if decoded is None:
            break
        deepest = decoded
        yield deepest
