"""When memories are saved before a compaction. Pure policy; `slowwave.storage.insession.flushes` decides who does
it."""

from __future__ import annotations

import math
from typing import NamedTuple

SOFT_THRESHOLD = 4000


class FlushDecision(NamedTuple):
    """Truthy when it is time to flush. `threshold` is in tokens, None when it cannot be told."""

    flush: bool
    reason: str
    threshold: int | None = None

    def __bool__(self) -> bool:
        return self.flush


def should_flush(
    *,
    current_tokens: int | None,
    context_window: int | None,
    reserve_tokens: int | None,
    soft_threshold: int | None = SOFT_THRESHOLD,
    last_flush_cycle: int | None = None,
    cycle: int,
    compaction_trigger: int | None = None,
) -> FlushDecision:
    """Tell whether to flush now: `current_tokens` reached the compaction point less `soft_threshold`.

    `compaction_trigger` is where the real compactor starts, None meaning `context_window - reserve_tokens`.
    `cycle` counts compactions and `last_flush_cycle` is the cycle of the last flush, None meaning never. Total: any
    value gives an answer with its reason, nothing raises.

    Reasons: `threshold_reached`; `below_threshold`, `already_flushed`, `tokens_unknown`, `window_unknown`,
    `threshold_not_positive`.
    """
    tokens, window, reserve = _number(current_tokens), _number(context_window), _number(reserve_tokens)
    if window is None or window <= 0:
        return FlushDecision(False, "window_unknown")
    trigger = _number(compaction_trigger)
    point = window - max(reserve or 0, 0) if trigger is None else min(trigger, window)
    threshold = math.floor(point - max(_number(soft_threshold) or 0, 0))
    if threshold <= 0:
        return FlushDecision(False, "threshold_not_positive", threshold)
    if last_flush_cycle is not None and last_flush_cycle == cycle:
        return FlushDecision(False, "already_flushed", threshold)
    if tokens is None or tokens < 0:
        return FlushDecision(False, "tokens_unknown", threshold)
    if tokens < threshold:
        return FlushDecision(False, "below_threshold", threshold)
    return FlushDecision(True, "threshold_reached", threshold)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if abs(value) < 1e15 else None
