"""The parts of Aider's Markdown: sessions, and within one the runs of lines of the same kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from slowwave.rollouts.lines import Record

START = re.compile(rb"^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)[ \t]*\r?$", re.MULTILINE)
PROMPT, NOTICE = "#### ", "> "


def sessions(data: bytes) -> Iterator[tuple[re.Match[bytes], int]]:
    """The heading of each session, and where it ends."""
    starts = list(START.finditer(data))
    return zip(starts, [*(found.start() for found in starts[1:]), len(data)], strict=False)


def runs(text: str) -> Iterator[Record]:
    """Aider ends each line of a prompt, and each notice, with two blanks; a heading in an answer has none.

    An editor may have taken such blanks away. Then a prompt is only what follows a notice or begins the session, since
    a heading of an answer looks the same.
    """
    text = text.replace("\r\n", "\n")
    stripped = re.search(r"^#### .*  $", text, re.MULTILINE) is None
    kind, last, notice_goes_on, run = "", "", False, _Run()
    for line in text.splitlines():
        found = kind if not line.strip() and kind != PROMPT else ""
        if notice_goes_on:
            found = NOTICE
        elif line.startswith(PROMPT) and (line.endswith("  ") or (stripped and (last != "" or not run.has_any))):
            found = PROMPT
        elif line.startswith(NOTICE) and (line.endswith("  ") or stripped or kind == NOTICE or not run.has_any):
            found = NOTICE
        notice_goes_on = found == NOTICE and not stripped and not line.endswith("  ") and bool(line.strip())
        if found != kind:
            yield from run.taken(kind)
        kind = found
        run.lines.append(line.removeprefix(kind).rstrip() if kind else line)
        if line.strip():
            last, run.has_any = kind, True
    yield from run.taken(kind)


@dataclass(slots=True)
class _Run:
    """Lines of one kind that were not handed on yet, and whether there were any with content at all."""

    lines: list[str] = field(default_factory=list)
    has_any: bool = False

    def taken(self, kind: str) -> Iterator[Record]:
        text = "\n".join(self.lines).strip("\n")
        self.lines = []
        if text.strip():
            yield {"kind": kind, "text": text}


def time_of(value: bytes) -> datetime | None:
    """The time of a heading; it is local to the machine that wrote it, which is mostly this one."""
    try:
        return datetime.strptime(value.decode(), "%Y-%m-%d %H:%M:%S").astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def name_of(value: bytes) -> str:
    """A session's name: its heading's time."""
    return value.decode().replace(" ", "T").replace(":", "-")
