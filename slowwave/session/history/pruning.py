"""Pruning of tool results between a flush and a compaction: soft trim first, hard clear when that is not enough. Pure.

A result stays in its place, so a call and its result are never parted; only its text shrinks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from slowwave.text import estimate_tokens

SOFT_OVER = 4000
SOFT_HEAD = 1500
SOFT_TAIL = 1500
KEPT_TURNS = 3


class Pruned(NamedTuple):
    """The messages after pruning and how many results were shortened and emptied."""

    messages: list[dict[str, Any]]
    soft: int
    hard: int


def prune(messages: Sequence[Mapping[str, Any]], *, target_tokens: int, kept_turns: int = KEPT_TURNS) -> Pruned:
    """Shorten old tool results until the messages fit into `target_tokens`, by estimate.

    The results of the last `kept_turns` assistant messages are left alone. Old ones over 4,000 characters keep 1,500 at
    each end; if the messages still do not fit, old ones are emptied, the oldest first. The input is not changed.
    """
    copies = [dict(message) for message in messages]
    turns = [place for place, message in enumerate(copies) if message["role"] == "assistant"]
    border = turns[-kept_turns] if len(turns) >= kept_turns else 0
    size = tokens_of(copies)
    soft = hard = 0
    for place in range(border):
        if size <= target_tokens:
            return Pruned(copies, soft, hard)
        copies[place], count, saved = _each_result(copies[place], _trimmed)
        soft, size = soft + count, size - saved
    for place in range(border):
        if size <= target_tokens:
            break
        copies[place], count, saved = _each_result(copies[place], _cleared)
        hard, size = hard + count, size - saved
    return Pruned(copies, soft, hard)


def tokens_of(messages: Sequence[Mapping[str, Any]]) -> int:
    """Estimated tokens of messages, tool calls and results included."""
    return sum(estimate_tokens(_text_of(message["content"])) + 4 for message in messages)


def _text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts: list[str] = []
    for block in content:
        kind = block.get("type")
        if kind == "tool_result":
            parts.append(_text_of(block.get("content") or ""))
        elif kind == "tool_use":
            parts.append(f"{block.get('name')} {block.get('input')}")
        else:
            parts.append(str(block.get("text", block.get("thinking", ""))))
    return "\n".join(parts)


def _each_result(message: dict[str, Any], change: Any) -> tuple[dict[str, Any], int, int]:
    content = message["content"]
    if isinstance(content, str):
        return message, 0, 0
    blocks, count, saved = [], 0, 0
    for block in content:
        if block.get("type") == "tool_result":
            before = _text_of(block.get("content") or "")
            after = change(before)
            if after != before:
                count += 1
                saved += estimate_tokens(before) - estimate_tokens(after)
                block = {**block, "content": after}
        blocks.append(block)
    return {**message, "content": blocks}, count, saved


def _trimmed(text: str) -> str:
    if len(text) <= SOFT_OVER:
        return text
    cut = len(text) - SOFT_HEAD - SOFT_TAIL
    return f"{text[:SOFT_HEAD]}\n... [{cut} characters of this result removed] ...\n{text[-SOFT_TAIL:]}"


def _cleared(text: str) -> str:
    gone = "[result removed"
    return text if text.startswith(gone) or len(text) < 60 else f"{gone}: {len(text)} characters]"
