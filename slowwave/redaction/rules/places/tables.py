"""Values in columns: CSV, tab-separated, Markdown and aligned tables whose head names a secret. Standard library only."""

from __future__ import annotations

from slowwave.redaction.findings import Finding
from slowwave.redaction.rules.places.spans import line_start
from slowwave.redaction.scan.names import Kind
from slowwave.redaction.scan.values import Certainty, is_placeholder, is_secret, plain_word
from slowwave.text.lazy import lazy

ROWS = 60
"""Rows below a head that are looked at."""
_HEAD = lazy(r"[\"'*`]{0,2}[A-Za-z_][\w :/*`-]{0,40}(?:\([\w -]{1,20}\))?[\"'*`]{0,2}\Z")
_RULE = lazy(r"[\s|+:=-]*\Z")
_CELLS = {
    ",": lazy(r"[ ]*(?:\"(?P<q>(?:[^\"\n]|\"\")*)\"|(?P<b>[^,\n\r]*))[ ]*(?:,|(?=[\n\r]|\Z))"),
    ";": lazy(r"[ ]*(?:\"(?P<q>(?:[^\"\n]|\"\")*)\"|(?P<b>[^;\n\r]*))[ ]*(?:;|(?=[\n\r]|\Z))"),
    "\t": lazy(r"(?P<q>\0)?(?P<b>[^\t\n\r]*)(?:\t|(?=[\n\r]|\Z))"),
    "|": lazy(r"(?P<q>\0)?(?P<b>[^|\n\r]*)(?:\||(?=[\n\r]|\Z))"),
}
_ALIGNED = lazy(r"[^\s](?:[^\n\r ]|[ ](?![ ]))*")

Cell = tuple[int, int]


def below(text: str, start: int, end: int, kind: Kind) -> tuple[Finding, ...]:
    """The cells below the head that the name at [start, end) stands in; none when this is no table."""
    begin = line_start(text, start)
    stop = text.find("\n", end, end + 400)
    if stop < 0 or stop - begin > 600:
        return ()
    line = text[begin:stop]
    for sign in ("|", "\t", ",", ";"):
        if sign in line:
            return _rows(text, begin, stop, start, sign, kind)
    return _aligned_rows(text, begin, stop, start, kind) if "  " in line.strip() else ()


def _cells(text: str, at: int, sign: str) -> list[Cell]:
    found: list[Cell] = []
    pattern = _CELLS[sign]
    while len(found) < 40:
        cell = pattern.match(text, at)
        if cell is None:
            break
        span = cell.span("q") if cell["q"] is not None else cell.span("b")
        found.append(span)
        if cell.end() == at or text[cell.end() - 1 : cell.end()] != sign:
            break
        at = cell.end()
    return found


def _rows(text: str, begin: int, stop: int, start: int, sign: str, kind: Kind) -> tuple[Finding, ...]:
    head = _cells(text, begin, sign)
    index = next((i for i, (left, right) in enumerate(head) if left <= start <= right), None)
    if index is None or sum(right > left for left, right in head) < 2:
        return ()
    if not all(_HEAD.match(text[left:right].strip()) for left, right in head if text[left:right].strip()):
        return ()
    certainty = Certainty.SURE if sign in ",;\t" else Certainty.LIKELY
    found: list[Finding] = []
    at = stop + 1
    for _ in range(ROWS):
        over = text.find("\n", at)
        over = len(text) if over < 0 else over
        if not text[at:over].strip():
            break
        if not (sign == "|" and _RULE.match(text[at:over])):
            row = _cells(text, at, sign)
            if len(row) != len(head):
                break
            found += _weighed(text, row[index], kind, certainty)
        at = over + 1
    return tuple(found)


def _aligned_rows(text: str, begin: int, stop: int, start: int, kind: Kind) -> tuple[Finding, ...]:
    head = [match.span() for match in _ALIGNED.finditer(text, begin, stop)]
    index = next((i for i, (left, right) in enumerate(head) if left <= start < right), None)
    if index is None or len(head) < 2 or not all(_HEAD.match(text[left:right]) for left, right in head):
        return ()
    left = head[index][0] - begin
    found: list[Finding] = []
    at = stop + 1
    for _ in range(ROWS):
        over = text.find("\n", at)
        over = len(text) if over < 0 else over
        if not text[at:over].strip():
            break
        row = [match.span() for match in _ALIGNED.finditer(text, at, over)]
        if not _RULE.match(text[at:over]):
            cell = next((span for span in row if abs(span[0] - at - left) <= 1), None)
            if cell is None or len(row) < 2:
                break
            found += _weighed(text, cell, kind, Certainty.LIKELY)
        at = over + 1
    return tuple(found)


def _weighed(text: str, cell: Cell, kind: Kind, certainty: Certainty) -> list[Finding]:
    left, right = cell
    while left < right and text[left] in " `*\"'":
        left += 1
    while right > left and text[right - 1] in " `*\"'\r":
        right -= 1
    value = text[left:right]
    if any(sign in value for sign in "()[]{};"):
        return []
    accepted = is_secret(value, kind, certainty)
    if not accepted and kind is Kind.PASSWORD:
        accepted = plain_word(value) and not is_placeholder(value)
    return [Finding(left, right, "password" if kind is Kind.PASSWORD else "token", False)] if accepted else []
