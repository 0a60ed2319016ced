"""A text as sentences. Each is a piece of the text as it stands, white space folded."""

from __future__ import annotations

import re

_END = (
    r"(?<=[。！？])[\"'”’」』）)]*\s*|(?<=[.!?؟])[\"'”’)\]]*(?=\s|$)\s*"
    r"|(?<=[.!?])\s*(?=[\u2600-\u27bf\U0001f300-\U0001faff])"
)
_ABBREVIATION = r"(?i)(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|z\.b|d\.h|bzw|usw|ggf|p\.ex|p\.ej|no|nr|fig|т\.е|напр)|^\W*\d{1,2})\.$"
_BULLET = r"^\s*(?:[-*+•·]\s|\d{1,2}[.)、]\s|[（(]\d{1,2}[)）]\s?)\s*"
_NO_PROSE = r"\s{0,3}(?:#{1,6}\s|\||>|```|~~~)"
_WRAPPED = 56


def lines_of(text: str) -> list[str]:
    """The lines of a text, bullets stripped; a line that an editor wrapped is joined with its rest."""
    joined: list[str] = []
    open_line = bullet = False
    for line in text.split("\n"):
        if re.match(_NO_PROSE, line):
            open_line = False
            continue
        bare = " ".join(re.sub(_BULLET, "", line).split())
        starts_item = re.match(_BULLET, line) is not None
        hangs = bullet and line[:1].isspace()
        if (open_line or hangs) and joined and bare and not starts_item and bare[0].islower():
            joined[-1] += " " + bare
        elif bare:
            joined.append(bare)
            bullet = starts_item
        open_line = len(bare) >= _WRAPPED and bare[-1] not in ".!?:;。！？"
    return joined


def sentences(text: str) -> list[str]:
    """The sentences of a text. A line end ends one too, unless the line was wrapped."""
    return [piece for line in lines_of(text) for piece in sentences_of_line(line)]


def sentences_of_line(line: str) -> list[str]:
    """The sentences of one line."""
    found: list[str] = []
    start = 0
    for match in re.finditer(_END, line):
        piece = line[start : match.end()].strip()
        if not piece or re.search(_ABBREVIATION, piece) or not any(map(str.isalnum, piece)):
            continue
        found.append(piece)
        start = match.end()
    if (tail := line[start:].strip()) and any(map(str.isalnum, tail)):
        found.append(tail)
    elif tail and found:
        found[-1] = line[line.rindex(found[-1]) :].strip()
    return found
