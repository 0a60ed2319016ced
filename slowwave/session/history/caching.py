"""Where prompt-cache breakpoints stand in a request on the Messages API. Pure.

On content blocks, four at most: the base system prompt, its tail (frozen for an epoch), the third newest assistant
turn, and, while tools run, the newest message. Everything before a breakpoint must be the same bytes next time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

MOST_BREAKPOINTS = 4
ASSISTANT_TURNS_BACK = 3

Ttl = Literal["5m", "1h"]
Block = dict[str, Any]


def mark(block: Mapping[str, Any], ttl: Ttl = "5m") -> Block:
    """The block with a cache breakpoint."""
    return {**block, "cache_control": {"type": "ephemeral", "ttl": ttl}}


def system_blocks(base: str, tail: str, *, ttl: Ttl = "5m") -> list[Block]:
    """The system prompt as blocks: the base, which survives epochs, and the tail, which changes with them."""
    return [mark({"type": "text", "text": text}, ttl) for text in (base, tail) if text.strip()]


def with_breakpoints(
    messages: Sequence[Mapping[str, Any]], *, ttl: Ttl = "5m", newest: bool = False, room: int = 2
) -> list[dict[str, Any]]:
    """Copies of the messages with a breakpoint on the third newest assistant turn, and on the newest message if asked.

    `room` is how many breakpoints are left. A block that takes none (thinking, empty text) is stepped over.
    """
    copies = [dict(message) for message in messages]
    places: list[int] = []
    if newest and copies:
        places.append(len(copies) - 1)
    turns = [place for place in range(len(copies) - 1, -1, -1) if copies[place]["role"] == "assistant"]
    if len(turns) >= ASSISTANT_TURNS_BACK:
        places.append(turns[ASSISTANT_TURNS_BACK - 1])
    for place in dict.fromkeys(places[:room]):
        copies[place]["content"] = _marked_last(copies[place]["content"], ttl)
    return copies


def _marked_last(content: Any, ttl: Ttl) -> list[Block]:
    blocks: list[Block] = (
        [{"type": "text", "text": content}] if isinstance(content, str) else [dict(b) for b in content]
    )
    for place in range(len(blocks) - 1, -1, -1):
        block = blocks[place]
        if block.get("type") in ("thinking", "redacted_thinking") or (
            block.get("type") == "text" and not block["text"]
        ):
            continue
        blocks[place] = mark(block, ttl)
        break
    return blocks


@dataclass(frozen=True, slots=True)
class CacheUse:
    """Prompt tokens by what the provider did with them, added up over calls."""

    read: int = 0
    written: int = 0
    fresh: int = 0
    calls: int = 0

    def __add__(self, other: CacheUse) -> CacheUse:
        return CacheUse(
            self.read + other.read, self.written + other.written, self.fresh + other.fresh, self.calls + other.calls
        )

    @property
    def read_share(self) -> float:
        """Share of all prompt tokens that were read from the cache, 0 to 1."""
        total = self.read + self.written + self.fresh
        return self.read / total if total else 0.0
