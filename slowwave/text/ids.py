r"""The ids of entries in published files: markup, never text.

An id stands as the last token of an entry's first line, after a blank: ``- text [m12]``, in MEMORY.md with the support
behind it: ``- text [m12] (3 sessions, last 2026-05-01)``. Where the same characters occur in a text they are written
``\[m12]`` and mean nothing. The user level's ids are ``[u12]`` where they stand beside a project's.

Standard library only: hooks use this.
"""

from __future__ import annotations

import re

_TOKEN = r"\[([mu])([1-9][0-9]{0,8})\]"
_TAIL = re.compile(rf"(?:\A|(?<=\s)){_TOKEN}(?: \([^()\n]*\))?[ \t]*\Z")
_LIKE_TOKEN = re.compile(r"(\\*)\[(?=[mu][0-9]+\])")
_MENTION = re.compile(rf"(?<!\\){_TOKEN}")
_BULLET = re.compile(r"[-*+]\s+\S")


def escape_ids(text: str) -> str:
    """A text as it may stand in a published file."""
    return _LIKE_TOKEN.sub(lambda match: match[1] * 2 + "\\[", text) if "[" in text else text


def unescape_ids(text: str) -> str:
    """The inverse of `escape_ids`; a token that nobody escaped stays as it is."""
    if "\\[" not in text:
        return text
    return _LIKE_TOKEN.sub(_unescaped, text)


def _unescaped(match: re.Match[str]) -> str:
    count = len(match[1])
    return "\\" * (count // 2 if count % 2 else count) + "["


def id_of_line(line: str) -> str:
    """The id of an entry's first line, such as `m12`; empty when the line is no bullet or bears none."""
    if not _BULLET.match(line) or (match := _TAIL.search(line)) is None:
        return ""
    return match[1] + match[2]


def split_tail(line: str) -> tuple[str, str]:
    """A line without its tail, and the id in it (empty: there is none)."""
    match = _TAIL.search(line)
    return (line, "") if match is None else (line[: match.start()].rstrip(), match[1] + match[2])


def with_id(block: str, short_id: str) -> str:
    """A block whose first line bears this id as its tail, in place of another if there was one. The support goes."""
    first, newline, rest = block.partition("\n")
    return f"{split_tail(first)[0]} [{short_id}]{newline}{rest}"


def with_renamed_id(block: str, old: str, new: str) -> str:
    """A block with `new` for `old` in its tail; a block that bears another id, or none, stays as it is."""
    first, newline, rest = block.partition("\n")
    match = _TAIL.search(first)
    if match is None or match[1] + match[2] != old:
        return block
    return f"{first[: match.start()]}[{new}]{first[match.end(2) + 1 :]}{newline}{rest}"


def harmless_ids(block: str) -> str:
    """A person's own line whose ending would be read as an id."""
    first, newline, rest = block.partition("\n")
    return f"{escape_ids(unescape_ids(first))}{newline}{rest}" if split_tail(first)[1] else block


def mentioned(line: str) -> list[str]:
    """Ids that stand unescaped anywhere in a line: only a person writes such, or moves words behind an id."""
    return [match[1] + match[2] for match in _MENTION.finditer(line)]


def ids_shown(text: str) -> list[str]:
    """The ids of the entries that a text shows, in order."""
    return [short_id for line in text.split("\n") if (short_id := id_of_line(line))]
