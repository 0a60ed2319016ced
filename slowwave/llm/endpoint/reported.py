"""An answer as everything that asks a model has it, and the tokens that it reports. Loads no SDK."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from slowwave.llm.spending.prices import TokenCounts

# Larger than any window; a figure above it says nothing.
_MOST_TOKENS = 100_000_000


@dataclass(frozen=True, slots=True)
class Answered:
    """What an endpoint answered. `counts` is what it reported of tokens: None when nothing, or nothing that makes sense
    (then `is_absurd`). `tool_json` is the input of a tool call, which some proxies make of a schema."""

    text: str = ""
    thinking: str = ""
    tool_json: str = ""
    stop_reason: str | None = None
    counts: TokenCounts | None = None
    is_absurd: bool = False
    request_id: str | None = None
    cost: float | None = None

    @property
    def all_text(self) -> str:
        """Everything that was generated."""
        return self.thinking + self.text + self.tool_json


def counts_of(usage: object) -> tuple[TokenCounts | None, bool]:
    """The tokens that an endpoint reports, and whether it reported figures that cannot be."""
    if not isinstance(usage, Mapping) or (usage.get("input_tokens"), usage.get("output_tokens")) == (None, None):
        return None, False
    figures = [
        _whole(usage.get(name))
        for name in ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    ]
    detail = usage.get("cache_creation")
    hour = _whole(detail.get("ephemeral_1h_input_tokens")) if isinstance(detail, Mapping) else 0
    if hour is None or any(figure is None for figure in figures):
        return None, True
    prompt, output, written, read = (figure or 0 for figure in figures)
    hour = min(hour, written)
    return TokenCounts(prompt, output, written - hour, hour, read), False


def _whole(value: object) -> int | None:
    """A number of tokens; 0 where there is none, None where it cannot be one."""
    if value is None:
        return 0
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 16:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return int(value) if 0 <= value <= _MOST_TOKENS else None
