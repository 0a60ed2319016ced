"""Value propagation: a secret that was found once is removed wherever it stands again, in every usual encoding.

Values live in memory only, for one night. Nothing here writes or logs them.
"""

from __future__ import annotations

import base64
import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any
from urllib.parse import quote, quote_plus

import ahocorasick

from slowwave.redaction.findings import Finding, Redaction, merged, replace
from slowwave.redaction.scan.values import alternations, harsh, mixed_case
from slowwave.redaction.scan.views import MASK, readings
from slowwave.text.lazy import lazy

SHORTEST = 8
"""A value below this many characters is not propagated: it would meet chance repeats."""

LOOSE = 12
"""Letters and digits of a random value that may stand with any separators between them."""
PART = 12
"""Letters and digits at either end of a long random value that give it away."""
_SEPARATED = lazy(r"[-_.+ ]")
_ALNUM = lazy(r"[^\W_]+")
_GAP = lazy(r"(?<=[^\W_])[\W_]+(?=[^\W_])")
_MASKED = lazy(
    r"(?P<left>[A-Za-z0-9+/=_!$%&()@^~:;,-]{3,200}+)(?:[*•●·#]{3,}|\.{3,}|…+|x{4,}|X{4,}|\[(?:\.\.\.|…|snip|masked)\])(?P<right>[A-Za-z0-9+/=_!$%&()@^~:;,-]{0,200}+)"
)
_PREFIXED = lazy(r"[A-Za-z0-9]{1,12}[_.-](?:[a-z0-9]{1,8}[_.-]){0,3}([A-Za-z0-9+/=_-]{16,})\Z")
"""A vendor's prefix and the random part, which may stand alone somewhere else."""


def encodings(value: str) -> Iterator[str]:
    """The value as it may stand again: plain, JSON-escaped, percent-encoded, hexadecimal, base64 in its three phases."""
    yield value
    yield json.dumps(value)[1:-1]
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    yield quote(value, safe="", errors="replace")
    yield quote_plus(value, errors="replace")
    raw = value.encode("utf-8", "replace")
    yield raw.hex()
    for pad in range(3):
        # Only the characters that depend on the value alone: what precedes and follows it is unknown.
        text = base64.b64encode(b"\0" * pad + raw).decode()
        first, last = (0, 2, 3)[pad], (len(raw) + pad) * 4 // 3
        stable = text[first : last - last % 4 if (len(raw) + pad) % 3 else None].rstrip("=")
        if len(stable) >= SHORTEST:
            yield stable
            yield stable.replace("+", "-").replace("/", "_")


def worth_keeping(value: str) -> bool:
    """Whether a value is rare enough to be removed on sight: long, and no word, number or path."""
    if len(value) < SHORTEST or MASK in value or len(set(value)) < 5:
        return False
    if value.isdigit():
        return len(value) >= 10
    if value.isalpha():
        return harsh(value) if value.islower() or value.isupper() or value.istitle() else len(value) >= 10
    if all(part.isalpha() for part in _SEPARATED.split(value)):
        return len(value) >= 16
    has_symbol = any(not c.isalnum() and c not in "-_./ " for c in value)
    return alternations(value) >= 1 or has_symbol or len(value) >= 20


def is_random(value: str) -> bool:
    """Whether chance made a value, so that no text spells it by accident."""
    return alternations(value) >= 3 or (len(value) >= 10 and mixed_case(value)) or (len(value) >= 16 and harsh(value))


class KnownValues:
    """The secrets of one night. Not thread-safe; share it under a lock."""

    def __init__(self) -> None:
        self._types: dict[str, str] = {}
        self._spelt: dict[str, tuple[str, bool, str]] = {}
        self._whole: dict[str, str] = {}
        self._automaton: Any = None
        self._speller: Any = None

    def __len__(self) -> int:
        return len(self._types)

    def add(self, value: str, kind: str) -> None:
        """Remember a value. Long blocks are remembered line by line, so that a part of a key is found too."""
        pieces = value.splitlines() if "\n" in value else [value]
        for piece in pieces:
            piece = piece.strip(" \t\r+-|>\"',")
            self._remember(piece, kind)
            if prefixed := _PREFIXED.match(piece):
                self._remember(prefixed[1], kind)

    def _remember(self, piece: str, kind: str) -> None:
        if not worth_keeping(piece) or piece in self._types:
            return
        for form in encodings(piece):
            self._types.setdefault(form, kind)
        for spelling, loose, whole in spellings(piece):
            self._spelt.setdefault(spelling, (kind, loose, whole))
        self._whole["".join(_ALNUM.findall(piece)).lower()] = kind
        self._automaton = self._speller = None

    def find(self, text: str) -> tuple[Finding, ...]:
        """Every place of a known value in the text, however it is encoded or spelt."""
        if not self._types or len(text) < SHORTEST:
            return ()
        if self._automaton is None:
            self._automaton = _automaton({form: (len(form) - 1, kind) for form, kind in self._types.items()})
            self._speller = _automaton({form: (form, *found) for form, found in self._spelt.items()})
        found = []
        for number, view in enumerate(readings(text)):
            places = [(end - back, end + 1, kind) for end, (back, kind) in self._automaton.iter(view.text)]
            if number == 0:
                places += [*self._respelt(view.text), *self._half_masked(view.text)]
            for start, end, kind in places:
                found.append(Finding(*view.span(start, end), kind))
        return merged(found)

    def _respelt(self, text: str) -> Iterator[tuple[int, int, str]]:
        if not self._spelt:
            return
        pieces = [match.span() for match in _ALNUM.finditer(text)]
        joined = "".join(text[start:end] for start, end in pieces).lower()
        hits = list(self._speller.iter(joined)) if len(joined) == sum(end - start for start, end in pieces) else []
        if not hits:
            return
        offsets = list(accumulate((end - start for start, end in pieces), initial=0))

        def place(at: int) -> int:
            number = bisect_right(offsets, at) - 1
            return pieces[number][0] + at - offsets[number]

        for end, (form, kind, loose, whole) in hits:
            first, last = _extended(joined, end - len(form) + 1, end + 1, whole, whole.find(form))
            start, stop = place(first), place(last - 1) + 1
            if loose or _respelt_on_purpose(text[start:stop]):
                yield start, stop, kind

    def _half_masked(self, text: str) -> Iterator[tuple[int, int, str]]:
        for match in _MASKED.finditer(text):
            left, right = ("".join(_ALNUM.findall(match[side])).lower() for side in ("left", "right"))
            if len(left) + len(right) < SHORTEST:
                continue
            for value, kind in self._whole.items():
                if _ends_agree(value, left, right):
                    yield match.start(), match.end(), kind
                    break

    def redact(self, text: str) -> Redaction:
        """Replace every known value in the text."""
        findings = self.find(text)
        return Redaction(replace(text, findings), findings)


def spellings(value: str) -> Iterator[tuple[str, bool, str]]:
    """The letters and digits of a value as it may be spelt out again, lower case: whole, backwards, its two ends.

    The flag says that any separators may stand between them; a value that a person chose ("summer 2026") must not be
    found in a sentence. The last item is the whole value in that spelling.
    """
    plain = "".join(_ALNUM.findall(value)).lower()
    if len(plain) < SHORTEST:
        return
    phrase = len(plain) >= 16 and len(_SEPARATED.split(value)) >= 3
    loose = phrase or (is_random(value) and len(plain) >= LOOSE)
    yield plain, loose, plain
    yield plain[::-1], loose, plain[::-1]
    digits = value.encode("utf-8", "replace").hex()
    yield digits, True, digits
    if loose and len(plain) >= 20:
        # Every token of a kind may start alike: the head of a signed web token tells nothing.
        if not plain.startswith("eyj"):
            yield plain[:PART], True, plain
        yield plain[-PART:], True, plain


def _extended(text: str, start: int, end: int, whole: str, at: int) -> tuple[int, int]:
    """The place of an end of a value, grown as far as the text agrees with the whole."""
    rest = at + end - start
    while rest < len(whole) and end < len(text) and text[end] == whole[rest]:
        end, rest = end + 1, rest + 1
    while at > 0 and start > 0 and text[start - 1] == whole[at - 1]:
        start, at = start - 1, at - 1
    return start, end


def _respelt_on_purpose(piece: str) -> bool:
    """Whether a piece of text spells a value in one run, or with separators inside its words."""
    gaps = [match.span() for match in _GAP.finditer(piece)]
    if not gaps:
        return True
    broken = any("\n" in piece[left:right] for left, right in gaps)
    inside = sum(
        piece[left - 1].isdigit() == piece[right].isdigit() and not piece[right].isupper() for left, right in gaps
    )
    return inside >= (1 if broken else 2) and len(piece) < 4 * sum(map(str.isalnum, piece))


def _ends_agree(value: str, left: str, right: str) -> bool:
    head = next((size for size in range(len(left), 3, -1) if value.startswith(left[-size:])), 0)
    tail = next((size for size in range(len(right), 1, -1) if value.endswith(right[:size])), 0)
    return head + tail >= SHORTEST - 2 and (head == len(left) or head >= 6) and (tail == len(right) or tail >= 4)


def _automaton(words: Mapping[str, object]) -> Any:
    automaton = ahocorasick.Automaton()
    for word, value in words.items():
        automaton.add_word(word, value)
    automaton.make_automaton()
    return automaton
