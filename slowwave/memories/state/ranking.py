"""Which entries earn their tokens. Only evidence counts, never today's date, so that a version's bytes depend on its
content alone; and having been injected counts for nothing."""

from __future__ import annotations

import math

from slowwave.memories.state.values import EntryState, MemoryState
from slowwave.storage.types import MemoryKind, Standing

_KIND = {
    MemoryKind.CONSTRAINT: 1.0,
    MemoryKind.PREFERENCE: 0.95,
    MemoryKind.PITFALL: 0.8,
    MemoryKind.DECISION: 0.7,
    MemoryKind.WORKFLOW: 0.7,
    MemoryKind.FACT: 0.5,
    MemoryKind.LIST: 0.5,
}
_STANDING = {Standing.USER_SAID: 1.0, Standing.AGREED: 0.95, Standing.VERIFIED: 0.9, Standing.INFERRED: 0.6}
HALF_LIFE_DAYS = 60.0
DAY = 86_400.0


def newest_evidence(state: MemoryState) -> float | None:
    """Time of the newest evidence of what stands; ages are counted from it."""
    return max((entry.last_confirmed for entry in state.active if entry.last_confirmed is not None), default=None)


def score(entry: EntryState, newest: float | None) -> float:
    """Usefulness of an entry: kind and standing, confirmation (with falling returns), recency, and reports of use."""
    base = _KIND[entry.kind] * _STANDING[entry.standing]
    confirmed = 1 + 0.25 * math.log2(max(1, entry.confirmations))
    age = max(0.0, (newest or 0.0) - (entry.last_confirmed or 0.0)) / DAY if newest is not None else 0.0
    recency = 0.3 * math.exp2(-age / HALF_LIFE_DAYS)
    reports = 0.3 * entry.helped / (entry.helped + entry.wrong + 1) - 0.4 * min(2, entry.wrong)
    read = 0.1 * (1 - 1 / (1 + entry.used))
    person = 10.0 if entry.pinned else 1.0 if entry.hand_edited else 0.0
    return base * confirmed + recency + reports + read + person


def ranked(state: MemoryState) -> tuple[EntryState, ...]:
    """Active entries, most useful first; ties by number."""
    newest = newest_evidence(state)
    return tuple(sorted(state.active, key=lambda entry: (-round(score(entry, newest), 6), entry.number)))
