"""Compression of a long conversation into a summary that stands in the system prompt. Pure.

The history is cut at a turn: what is older is summarised; what is newer, and whatever arrives while the summary is
made, stays word for word. A failed summary changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from slowwave.session.text import escape_tags, strip_own_blocks
from slowwave.text import estimate_tokens

COMPRESS_AT = 50_000
KEPT_TURNS = 3
SUMMARY_CHARACTERS = 6000
RESULT_CHARACTERS = 600


def cut_for(messages: Sequence[Mapping[str, Any]], *, kept_turns: int = KEPT_TURNS) -> int:
    """How many messages from the start may be summarised: whole turns, all but the last `kept_turns`; 0 for none.

    A turn starts with a message that the user typed, so a tool call is never parted from its result.
    """
    starts = [place for place, message in enumerate(messages) if _starts_turn(message)]
    for kept in range(kept_turns, 0, -1):
        if len(starts) > kept:
            return starts[-kept]
    return 0


def _starts_turn(message: Mapping[str, Any]) -> bool:
    content = message["content"]
    return message["role"] == "user" and (
        isinstance(content, str) or not any(block.get("type") == "tool_result" for block in content)
    )


def transcript(messages: Sequence[Mapping[str, Any]], *, result_characters: int = RESULT_CHARACTERS) -> str:
    """The messages as JSON lines for a model to read: role, text, and tool calls and results in short form.

    Blocks that Slowwave injected are left out, so that a summary never quotes them.
    """
    rows: list[dict[str, str]] = []
    for message in messages:
        content = message["content"]
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            row = _row(str(message["role"]), block, result_characters)
            if row is not None:
                rows.append(row)
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)


def _row(role: str, block: Mapping[str, Any], limit: int) -> dict[str, str] | None:
    kind = block.get("type")
    if kind == "text":
        text = strip_own_blocks(str(block["text"])).strip()
        return {"role": role, "text": text} if text else None
    if kind == "tool_use":
        return {"role": role, "tool": str(block.get("name")), "text": _short(json.dumps(block.get("input")), limit)}
    if kind == "tool_result":
        body = block.get("content") or ""
        text = body if isinstance(body, str) else "\n".join(str(part.get("text", "")) for part in body)
        return {"role": "tool", "text": _short(text, limit)}
    return None


def _short(text: str, limit: int) -> str:
    half = limit // 2
    return text if len(text) <= limit else f"{text[:half]} ... [{len(text) - 2 * half} characters] ... {text[-half:]}"


def newest(text: str, room: int) -> str:
    """The last lines of a text that fit into `room` tokens by estimate, one at least."""
    kept: list[str] = []
    used = 0
    for line in reversed(text.splitlines()):
        used += estimate_tokens(line) + 1
        if used > room and kept:
            break
        kept.append(line)
    return "\n".join(reversed(kept))


def bounded(summary: str, limit: int = SUMMARY_CHARACTERS) -> str:
    """A summary as it is kept: whole lines within `limit` characters, our tags escaped."""
    lines: list[str] = []
    used = 0
    for line in escape_tags(strip_own_blocks(summary)).strip().splitlines():
        if used + len(line) + 1 > limit:
            break
        lines.append(line.rstrip())
        used += len(line) + 1
    return "\n".join(lines) or summary.strip()[:limit]


def summary_block(summary: str) -> str:
    """The summary as it stands in the system prompt; empty for none."""
    return f"Earlier in this conversation (summary, may be incomplete):\n{summary}" if summary else ""
