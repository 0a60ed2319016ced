"""Value propagation: a secret that was found once is removed wherever it stands again, in every usual encoding.

Values live in memory only, for one night. Nothing here writes or logs them.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, quote_plus

import ahocorasick

from slowwave.redaction.findings import Finding, Redaction, merged, replace
from slowwave.redaction.lazy import lazy
from slowwave.redaction.values import alternations
from slowwave.redaction.views import MASK, readings

SHORTEST = 8
"""A value below this many characters is not propagated: it would meet chance repeats."""

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
    has_symbol = any(not c.isalnum() and c not in "-_./ " for c in value)
    return alternations(value) >= 1 or has_symbol or len(value) >= 20


class KnownValues:
    """The secrets of one night. Not thread-safe; share it under a lock."""

    def __init__(self) -> None:
        self._types: dict[str, str] = {}
        self._automaton: Any = None

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
        if worth_keeping(piece) and piece not in self._types:
            for form in encodings(piece):
                self._types.setdefault(form, kind)
            self._automaton = None

    def find(self, text: str) -> tuple[Finding, ...]:
        """Every place of a known value in the text."""
        if not self._types or len(text) < SHORTEST:
            return ()
        if self._automaton is None:
            self._automaton = ahocorasick.Automaton()
            for form, kind in self._types.items():
                self._automaton.add_word(form, (len(form) - 1, kind))
            self._automaton.make_automaton()
        found = []
        for view in readings(text):
            for end, (back, kind) in self._automaton.iter(view.text):
                start, stop = view.span(end - back, end + 1)
                found.append(Finding(start, stop, kind))
        return merged(found)

    def redact(self, text: str) -> Redaction:
        """Replace every known value in the text."""
        findings = self.find(text)
        return Redaction(replace(text, findings), findings)
