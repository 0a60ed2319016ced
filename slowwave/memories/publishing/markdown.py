"""Reading a published markdown file back: entries, lines a person added, and free text, block by block."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from slowwave.storage.types import MemoryKind
from slowwave.text.ids import id_of_line, split_tail, unescape_ids

SECTION_TITLES: dict[MemoryKind, str] = {
    MemoryKind.PREFERENCE: "Preferences",
    MemoryKind.CONSTRAINT: "Constraints",
    MemoryKind.DECISION: "Decisions",
    MemoryKind.WORKFLOW: "Workflows",
    MemoryKind.PITFALL: "Pitfalls",
    MemoryKind.FACT: "Facts",
    MemoryKind.LIST: "Lists",
}
MARKER_PREFIX = "<!-- slowwave "
TOP = "#top"

_KIND_OF_TITLE = {title.casefold(): kind for kind, title in SECTION_TITLES.items()}
_HEADING = re.compile(r"#{1,6}\s+(.*)")
_BULLET = re.compile(r"[-*+]\s+\S")
_FENCE = re.compile(r"\s*(```|~~~)")


@dataclass(frozen=True, slots=True)
class Block:
    """A run of lines that belongs together. `id` is the short id of an entry; `kind` its section's, None outside.

    `shape` is `entry` (bullet with an id), `bullet` (without), `heading` or `text`. `anchor` names what it follows:
    an entry id, `## Title` of a section, or `#top`.
    """

    shape: str
    text: str
    id: str = ""
    kind: MemoryKind | None = None
    anchor: str = TOP


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a published file in order, without its marker line."""
    anchor, kind, in_generated_section = TOP, None, False
    for chunk in _chunks(text.replace("\r\n", "\n").split("\n")):
        first = chunk[0]
        joined = "\n".join(chunk)
        heading = _HEADING.match(first)
        if first.startswith(MARKER_PREFIX):
            continue
        if heading is not None:
            kind = _KIND_OF_TITLE.get(heading.group(1).strip().casefold()) if first.startswith("## ") else None
            in_generated_section = kind is not None
            if in_generated_section:
                anchor = first.strip()
            yield Block("heading", joined, kind=kind, anchor=anchor)
            continue
        short_id = id_of_line(first)
        if short_id.startswith("m"):
            anchor = short_id
            yield Block("entry", joined, short_id, kind, anchor)
        elif _BULLET.match(first) and in_generated_section:
            yield Block("bullet", joined, kind=kind, anchor=anchor)
        else:
            yield Block("text", joined, kind=kind, anchor=anchor)


def _chunks(lines: list[str]) -> Iterator[list[str]]:
    """Group lines: a bullet with its indented lines, a fenced block whole, a heading alone, a paragraph whole."""
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
            continue
        end = at + 1
        if _FENCE.match(line):
            end = _end_of_fence(lines, at)
        elif _BULLET.match(line):
            end = _end_of_bullet(lines, at)
        elif not _HEADING.match(line) and not line.startswith("<!--"):
            while end < len(lines) and lines[end].strip() and not _starts_block(lines[end]):
                end += 1
        yield [kept.rstrip() for kept in lines[at:end]]
        at = end


def _starts_block(line: str) -> bool:
    return any(pattern.match(line) for pattern in (_HEADING, _BULLET, _FENCE)) or line.startswith("<!--")


def _end_of_fence(lines: list[str], at: int) -> int:
    """The line after the fence. One that nobody closes is a line like any other: it must not swallow the entries."""
    opening = _FENCE.match(lines[at])
    mark = opening.group(1) if opening is not None else "```"
    for end in range(at + 1, len(lines)):
        if lines[end].strip().startswith(mark):
            return end + 1
    return at + 1


def _end_of_bullet(lines: list[str], at: int) -> int:
    end = at + 1
    while end < len(lines):
        line = lines[end]
        if line.startswith((" ", "\t")) and line.strip():
            if _FENCE.match(line):
                end = _end_of_fence(lines, end)
                continue
            end += 1
        elif not line.strip() and end + 1 < len(lines) and lines[end + 1].startswith(("  ", "\t")):
            end += 1
        else:
            break
    return end


def plain_text(block: str) -> str:
    """The words of an entry's block: no bullet, no id, no support in brackets, lines joined."""
    first, *rest = block.split("\n")
    text = split_tail(re.sub(r"^[-*+]\s+", "", first))[0]
    words = [text, *(line.strip() for line in rest if line.strip() and not line.strip().startswith("When: "))]
    return unescape_ids(" ".join(word for word in words if word).strip())


def situation_of(block: str) -> str:
    """The `When:` line of an entry's block, empty when there is none."""
    for line in block.split("\n")[1:]:
        if line.strip().startswith("When: "):
            return unescape_ids(line.strip().removeprefix("When: ").strip())
    return ""


def marker_of(text: str) -> str:
    """The marker line of a published file, which names its version; empty when it has none."""
    return next((line.strip() for line in text.split("\n") if line.startswith(MARKER_PREFIX)), "")
