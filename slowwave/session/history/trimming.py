"""Trimming of long turns in a history. Pure, by what a reader sees as one character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from slowwave.errors import ConfigError

TRIM_OVER = 800
TRIM_HEAD = 300
TRIM_TAIL = 200

Message = Mapping[str, Any]


def graphemes(text: str) -> list[str]:
    """Cut into grapheme clusters: an emoji family, a Thai syllable with its marks or `e` + accent counts once."""
    if text.isascii() and "\r\n" not in text:
        return list(text)
    import regex

    return regex.findall(r"\X", text)


def trim(text: str, *, over: int = TRIM_OVER, head: int = TRIM_HEAD, tail: int = TRIM_TAIL) -> str:
    """Shorten a text of more than `over` characters to its first `head`, a marker with the number cut, its last `tail`.

    A trimmed text is shorter than `over`, so trimming it again changes nothing. Raises `ConfigError` for limits that
    would make it longer.
    """
    if head < 0 or tail < 0 or head + tail + 40 > over:
        raise ConfigError(f"trimming to {head} + {tail} characters needs a limit of at least {head + tail + 40}")
    if len(text) <= over:
        return text
    pieces = graphemes(text)
    if len(pieces) <= over:
        return text
    cut = len(pieces) - head - tail
    last = "".join(pieces[-tail:]) if tail else ""
    return f"{''.join(pieces[:head])} ... [trimmed {cut} chars] ... {last}"


def trim_history(messages: Sequence[Message], *, over: int = TRIM_OVER) -> list[dict[str, Any]]:
    """Trim the text of all turns but the last user message; the input is left alone.

    Tool calls and tool results keep their blocks as they are, so a pair is never broken: shortening results is
    `slowwave.session.history.pruning`'s business.
    """
    last_user = max((i for i, message in enumerate(messages) if _is_typed(message)), default=-1)
    return [
        dict(message) if place >= last_user >= 0 else {**message, "content": _trim_content(message["content"], over)}
        for place, message in enumerate(messages)
    ]


def _is_typed(message: Message) -> bool:
    content = message["content"]
    return message["role"] == "user" and (
        isinstance(content, str) or not any(block.get("type") == "tool_result" for block in content)
    )


def _trim_content(content: Any, over: int) -> Any:
    if isinstance(content, str):
        return trim(content, over=over)
    return [
        {**block, "text": trim(block["text"], over=over)} if block.get("type") == "text" else block for block in content
    ]
