"""The values that the queue hands out and is tuned with. Pure: no database here."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from slowwave.storage.types import JobKind

MAX_LEASE_SECONDS = 3600.0
"""No lease is longer. One that ends later than this from now was written by a clock that ran ahead, and is cut."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to do one job until `lease_until`, held by whoever knows `token`.

    `fence` is larger than that of every earlier claim of the same job. For extract jobs `source_hash`, `extractor` and
    `extractor_version` are what was wanted at claim; for consolidate jobs `generation` is the project's input
    generation at claim. `attempts` and `crashes` are those before this claim.
    """

    kind: JobKind
    key: str
    token: str
    fence: int
    lease_until: float
    project_id: str | None = None
    source_hash: str | None = None
    extractor: str | None = None
    extractor_version: int = 0
    generation: int = 0
    batch_id: str | None = None
    attempts: int = 0
    crashes: int = 0


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """When a job is tried again and when it is given up. Seconds; `rng` makes the jitter repeatable in tests."""

    max_attempts: int = 4
    max_crashes: int = 8
    base_seconds: float = 120.0
    max_seconds: float = 86_400.0
    rng: random.Random = field(default_factory=random.Random, compare=False)

    def delay(self, failures: int) -> float:
        """Return the wait after the given number of failures: doubling, capped, between half and the whole of it."""
        whole = min(self.max_seconds, self.base_seconds * 2.0 ** min(max(failures, 1) - 1, 60))
        return whole * self.rng.uniform(0.5, 1.0)


def check_lease(seconds: float) -> float:
    """Return the lease length if it is one that the queue accepts. Raises `ValueError`."""
    if not 0 < seconds <= MAX_LEASE_SECONDS:
        raise ValueError(f"a lease lasts between 0 and {MAX_LEASE_SECONDS:.0f} seconds, not {seconds}")
    return seconds
