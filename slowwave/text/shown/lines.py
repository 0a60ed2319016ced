"""Lines and paragraphs of a text, each with its place."""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """A line that is not blank. `raw` is the line as it stands, `text` the same stripped; `start` is where `text`
    begins and `end` where the line ends, in characters of the whole text. `gap` tells that a blank line precedes."""

    start: int
    end: int
    text: str
    raw: str
    gap: bool


def lines_of(text: str) -> list[Line]:
    """The lines of a text that are not blank."""
    lines: list[Line] = []
    at = 0
    gap = False
    for raw in text.split("\n"):
        stripped = raw.strip()
        if stripped:
            start = at + raw.find(stripped[0])
            lines.append(Line(start, at + len(raw.rstrip()), stripped, raw.rstrip(), gap))
        gap = not stripped
        at += len(raw) + 1
    return lines


def paragraphs_of(lines: list[Line]) -> list[list[Line]]:
    """Lines grouped by the blank lines between them."""
    paragraphs: list[list[Line]] = []
    for line in lines:
        if line.gap or not paragraphs:
            paragraphs.append([])
        paragraphs[-1].append(line)
    return paragraphs
