"""A prompt cache as the API keeps one, for the loopback server: by prefix, up to each breakpoint.

Order tools, system, messages; reads match the longest cached prefix that ends at one of the last 20 blocks before a
breakpoint; prefixes below the minimum are not cached. Tokens are counted in characters / 4.
"""

from __future__ import annotations

import hashlib
import json
import threading
from typing import Any

LOOKBACK = 20
MINIMUM_TOKENS = 1024


class PromptCache:
    """Give `usage_for` the body of each request, in order."""

    def __init__(self, minimum_tokens: int = MINIMUM_TOKENS) -> None:
        self.minimum_tokens = minimum_tokens
        self._known: set[str] = set()
        self._lock = threading.Lock()

    def usage_for(self, body: dict[str, Any]) -> dict[str, int]:
        """The usage fields that a request's prompt leads to."""
        blocks = list(_blocks(body))
        digest = hashlib.sha256()
        prefixes: list[tuple[str, int, bool]] = []
        tokens = 0
        for text, marked in blocks:
            digest.update(text.encode() + b"\0")
            tokens += max(1, len(text) // 4)
            prefixes.append((digest.hexdigest(), tokens, marked))
        marks = [place for place, (_, _, marked) in enumerate(prefixes) if marked]
        if len(marks) > 4:
            raise AssertionError(f"{len(marks)} breakpoints")
        with self._lock:
            read = 0
            for mark in marks:
                for place in range(mark, max(mark - LOOKBACK, -1), -1):
                    if prefixes[place][0] in self._known:
                        read = max(read, prefixes[place][1])
                        break
            written = max((prefixes[m][1] for m in marks if prefixes[m][1] >= self.minimum_tokens), default=0)
            self._known.update(prefixes[m][0] for m in marks if prefixes[m][1] >= self.minimum_tokens)
        return {
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": max(written - read, 0),
            "input_tokens": tokens - max(written, read),
        }


def _blocks(body: dict[str, Any]) -> list[tuple[str, bool]]:
    system = body.get("system") or []
    found = [_one(tool) for tool in body.get("tools") or []]
    found += [_one(block) for block in ([{"type": "text", "text": system}] if isinstance(system, str) else system)]
    for message in body["messages"]:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        found += [(message["role"] + text, marked) for text, marked in map(_one, blocks)]
    return found


def _one(block: dict[str, Any]) -> tuple[str, bool]:
    bare = {key: value for key, value in block.items() if key != "cache_control"}
    return json.dumps(bare, sort_keys=True, ensure_ascii=False), "cache_control" in block
