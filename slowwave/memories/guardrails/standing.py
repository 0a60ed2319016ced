"""How strongly a memory is known, and what a weaker or older one may not do to it."""

from __future__ import annotations

from collections.abc import Iterable

from slowwave.storage.types import Standing

STRENGTH = {Standing.INFERRED: 0, Standing.VERIFIED: 1, Standing.AGREED: 2, Standing.USER_SAID: 3}
ORDER = tuple(sorted(STRENGTH, key=lambda standing: -STRENGTH[standing]))


def strongest(standings: Iterable[Standing]) -> Standing:
    """The strongest of several, which must not be none."""
    return max(standings, key=STRENGTH.__getitem__)


def weakest(standings: Iterable[Standing]) -> Standing:
    """The weakest of several, which must not be none."""
    return min(standings, key=STRENGTH.__getitem__)


def outranked(new: Standing, new_at: float | None, old: Standing, old_at: float | None) -> str:
    """Why words of standing `new`, said at `new_at` (seconds since the epoch), may not end or change what is known with
    standing `old` since `old_at`; empty when they may. The same rule for every operation."""
    if (new_at or 0.0) < (old_at or 0.0):
        return "older_than_what_stands"
    if STRENGTH[new] < STRENGTH[old]:
        return "weaker_than_what_stands"
    return ""
