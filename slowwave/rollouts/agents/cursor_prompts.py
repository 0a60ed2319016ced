"""What a person typed in Cursor: its prompts stand in a wrapper, and so do some that the harness writes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from slowwave.rollouts.lines import Record
from slowwave.rollouts.values import blocks_text
from slowwave.text.authors import Authorship, authorship

_OPEN, _CLOSE = "<user_query>", "</user_query>"
_PREAMBLE = re.compile(r"<timestamp>[^<]*</timestamp>|\[Image\]|<image_files>.*?</image_files>", re.DOTALL)
_ATTACHED = re.compile(r"<(uploaded_documents|attached_files|open_and_recently_viewed_files)>.*</\1>", re.DOTALL)
_INJECTED = ("The above subagent result", "The beginning of the above subagent result", "Briefly inform the user about")
_STAMP = re.compile(
    r"<timestamp>\s*(?:\w+, )?(\w{3})\w* (\d{1,2}), (\d{4}),? (?:at )?(\d{1,2}):(\d\d)\s*([AP]M)?"
    r"(?:\s*\(?UTC(?:([+-])(\d{1,2})(?::?(\d\d))?)?\)?)?"
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_TURN = re.compile(r"^(user|assistant):[ \t]*$", re.MULTILINE)
_TOOL = re.compile(r"^\[(Thinking|Tool call|Tool result)\][ \t]*(.*)$", re.MULTILINE)


def typed_in_query(content: object) -> Authorship:
    """The person's words in a user message.

    They begin on a new line behind the first opening mark and end before the last closing one; what is pasted may hold
    marks of its own. A query that begins on the mark's own line is the harness's, as is a message without one.
    """
    text = blocks_text(content)
    before, mark, rest = text.partition(_OPEN)
    if not mark:
        if "<user_info>" in text or "<system_reminder>" in text:
            return Authorship("", dropped=("environment",))
        return Authorship("", _PREAMBLE.sub("", text).strip())
    body = rest.rpartition(_CLOSE)[0] if _CLOSE in rest else rest
    if not body.startswith(("\n", "\r\n")) or body.strip().startswith(_INJECTED):
        return Authorship("", dropped=("notification",))
    context = "\n".join(found.group() for found in _ATTACHED.finditer(before))
    parts = authorship(body.strip())
    dropped = (*parts.dropped, "image") if "<image_files>" in before else parts.dropped
    return Authorship(parts.typed, "\n".join(filter(None, (context, parts.context))), dropped)


def prompt_time(content: object) -> datetime | None:
    """When a prompt was sent, to the minute; the time zone is the one that it names, UTC where it names none."""
    found = _STAMP.search(blocks_text(content)[:20000])
    if not found or found[1] not in _MONTHS:
        return None
    month, day, year, hour, minute, half, sign, hours, minutes = found.groups()
    away = timedelta(hours=int(hours or 0), minutes=int(minutes or 0)) * (-1 if sign == "-" else 1)
    at = int(hour) % 12 + (12 if half == "PM" else 0) if half else int(hour)
    try:
        zone = timezone(away)
        return datetime(int(year), _MONTHS.index(month) + 1, int(day), at, int(minute), tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def text_records(text: str) -> Iterator[Record]:
    """The messages of an older transcript, which is plain text with a line for each turn and tool."""
    text = text.replace("\r\n", "\n")
    marks = list(_TURN.finditer(text))
    for mark, end in zip(marks, [*(after.start() for after in marks[1:]), len(text)], strict=False):
        body = text[mark.end() : end].strip("\n")
        if mark[1] == "user":
            yield {"role": "user", "content": [{"type": "text", "text": body}]}
        else:
            yield {"role": "assistant", "content": list(_answer(body))}


def _answer(body: str) -> Iterator[dict[str, Any]]:
    """The parts of an answer. Where a tool's part ends is not marked: it reaches to a blank line before a next part, so
    what follows a result may belong to it, and counts as its text."""
    position = 0
    for found in [*_TOOL.finditer(body), None]:
        end = found.start() if found else len(body)
        if end > position and (words := body[position:end].strip()):
            yield {"type": "text", "text": words}
        if found is None:
            return
        after = _TOOL.search(body, found.end())
        position = after.start() if after else len(body)
        value = body[found.end() : position].strip("\n")
        if found[1] == "Tool call":
            yield {"type": "tool_use", "name": found[2].strip(), "input": value}
        elif found[1] == "Tool result":
            yield {"type": "tool_result", "name": found[2].strip(), "content": value}
        else:
            thought, _, words = value.partition("\n")
            yield {"type": "thinking", "thinking": found[2] + thought}
            yield {"type": "text", "text": words}
