"""Redaction of a text that holds JSON, one document a line, so that every document stays one.

Standard library only. What a prompt is made of was scanned leaf by leaf before it was serialised; this is the last look
at the exact text, where joining clean pieces can have made a secret whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from slowwave.errors import RedactionError
from slowwave.redaction.findings import Finding, placeholder, replace
from slowwave.text.lazy import lazy

_STRING = lazy(r'"(?P<inner>[^"\\]*+(?:\\.[^"\\]*+)*)"')
_ESCAPE = lazy(r"\\(?:u[0-9a-fA-F]{4}|.)")
_SCALAR = lazy(r"-?[0-9][0-9.eE+-]*")


def redact_serialised(text: str, findings: Iterable[Finding]) -> str:
    """Replace findings in a text; within a line of JSON only inside its strings and in place of its numbers.

    Raises `RedactionError` when a line of JSON would not be JSON any more: then nothing of the text may be used.
    """
    pieces = sorted(set(_pieces(text, findings)))
    return replace(text, pieces) if not pieces else _checked(text, pieces)


def _checked(text: str, pieces: list[Finding]) -> str:
    """Replace, then parse every line that was JSON and has changed."""
    out, at, number = [], 0, 0
    for line in text.splitlines(keepends=True):
        end = at + len(line)
        mine = []
        while number < len(pieces) and pieces[number].start < end:
            piece = pieces[number]
            mine.append(Finding(piece.start - at, min(piece.end, end) - at, piece.type))
            if piece.end > end:
                pieces[number] = Finding(end, piece.end, piece.type)
                break
            number += 1
        out.append(_line(line, mine))
        at = end
    return "".join(out)


def _line(line: str, pieces: list[Finding]) -> str:
    if not pieces:
        return line
    if not _is_json(line):
        return replace(line, pieces)
    parts, at = [], 0
    for piece in pieces:
        mark = placeholder(piece.type)
        inside = any(match.start("inner") <= piece.start <= match.end("inner") for match in _STRING.finditer(line))
        parts += [line[at : piece.start], mark if inside else json.dumps(mark)]
        at = piece.end
    clean = "".join(parts) + line[at:]
    if not _is_json(clean):
        raise RedactionError("A line of JSON could not be redacted.", hint="Nothing of it was sent.")
    return clean


def _pieces(text: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The parts of findings that may be cut out: in JSON the insides of strings and whole numbers."""
    known: dict[int, list[tuple[int, int]] | None] = {}
    for finding in findings:
        at = finding.start
        while at < finding.end:
            begin = text.rfind("\n", 0, at) + 1
            over = text.find("\n", at)
            over = len(text) if over < 0 else over
            if begin not in known:
                known[begin] = _tokens(text, begin, over)
            tokens = known[begin]
            stop = min(finding.end, over)
            if tokens is None:
                if stop > at:
                    yield Finding(at, stop, finding.type)
            else:
                yield from _clipped(text, tokens, Finding(at, stop, finding.type))
            at = over + 1


def _tokens(text: str, begin: int, over: int) -> list[tuple[int, int]] | None:
    """The spans of a JSON line's strings (without their quotes) and numbers, or None for any other line."""
    if not _is_json(text[begin:over]):
        return None
    spans, at = [], begin
    while at < over:
        match = _STRING.match(text, at, over)
        if match:
            spans.append(match.span("inner"))
            at = match.end()
        elif number := _SCALAR.match(text, at, over):
            spans.append(number.span())
            at = number.end()
        else:
            at += 1
    return spans


def _clipped(text: str, tokens: list[tuple[int, int]], finding: Finding) -> Iterator[Finding]:
    for left, right in tokens:
        start, end = max(left, finding.start), min(right, finding.end)
        if start >= end:
            continue
        if text[left - 1 : left] != '"':
            start, end = left, right
        for escape in _ESCAPE.finditer(text, left, right):
            if escape.start() < start < escape.end():
                start = escape.start()
            if escape.start() < end < escape.end():
                end = escape.end()
        yield Finding(start, end, finding.type)


def _is_json(line: str) -> bool:
    if line.strip()[:1] not in ("{", "["):
        return False
    try:
        json.loads(line)
    except ValueError:
        return False
    return True
