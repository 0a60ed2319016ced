"""Limits on calls, tokens, time and money, per run and per day: checked before a call on its estimate.

What was spent is read from the `model_calls` table, so a limit holds over processes, hosts and crashes. What is under
way in this process is added to it. A call is admitted only if its worst case fits, so a limit is never exceeded; when
it would fit but for calls that are under way, it waits for them. Far from every limit the table is read every two
seconds only, and what this process spends in between is added to what was read.
"""

from __future__ import annotations

import asyncio
import json
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from sqlalchemy import Engine
from sqlmodel import Session

from slowwave.errors import BudgetReached, ConfigError
from slowwave.settings import BudgetSettings, Limits
from slowwave.storage import call_log as ledger
from slowwave.storage.engine import reading
from slowwave.storage.queries.runs import began_at, seconds_since
from slowwave.storage.tables import ModelBatch

POLL_SECONDS = 0.05
FRESH_SECONDS = 2.0
# Nearer to a limit than this share of it, what other processes spend in two seconds could matter.
NEAR_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Amount:
    """What a call may cost at most, or what calls have cost. `dollars` is None where the price is unknown."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    dollars: float | None = 0.0

    def __add__(self, other: Amount) -> Amount:
        dollars = None if self.dollars is None or other.dollars is None else self.dollars + other.dollars
        return Amount(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.seconds + other.seconds,
            dollars,
        )


NOTHING = Amount()
_NAMES = {"calls": "calls", "input_tokens": "input tokens", "output_tokens": "output tokens", "seconds": "seconds",
          "dollars": "dollars"}  # fmt: skip


def exceeded(limits: Limits, amount: Amount) -> str | None:
    """Name the first limit that an amount exceeds, with the figures; None if it fits."""
    for name, label in _NAMES.items():
        limit: float | None = getattr(limits, name)
        value: float | None = getattr(amount, name)
        if limit is None or value is None:
            continue
        if value > limit * (1 + 1e-9):
            return f"{label}: {_shown(value)} of {_shown(limit)}"
    return None


def _shown(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else f"{value:,.2f}"


def _scaled(limits: Limits) -> Limits:
    given = {name: getattr(limits, name) for name in _NAMES}
    return Limits.model_construct(
        **{name: None if value is None else value * NEAR_SHARE for name, value in given.items()}
    )


class Budget:
    """The limits of one run and of the day. Safe to share between threads and event loops."""

    def __init__(
        self, settings: BudgetSettings, engine: Engine, run_id: str | None, zone: tzinfo | None = None
    ) -> None:
        self._limits = (("run", settings.per_run), ("day", settings.per_day))
        self._engine = engine
        self._run_id = run_id
        self._zone = zone
        self._began = time.time()
        self._lock = threading.Lock()
        self._under_way: dict[int, Amount] = {}
        self._next = 0
        self._read: list[tuple[str, Limits, Amount]] = []
        self._read_at = -math.inf
        self._since_read = NOTHING

    async def reserve(self, worst: Amount, *, is_local: bool = False) -> Callable[[], None]:
        """Admit a call whose worst case is `worst`; return the function to call once it is over and recorded.

        A money limit is void for an endpoint on this machine (`is_local`) whose model has no price.

        Raises:
            BudgetReached: the call cannot fit any more, whatever the calls under way turn out to need.
            ConfigError: money is limited and the price of the model is unknown.
        """
        self._require_price(worst, is_local)
        while True:
            ticket = self._try_without_reading(worst) or await asyncio.to_thread(self._try, worst)
            if ticket is not None:
                return lambda: self._release(ticket)
            await asyncio.sleep(POLL_SECONDS)

    def admit(self, worst: Sequence[Amount], *, is_local: bool = False) -> tuple[int, BudgetReached | None]:
        """Tell how many of these calls, in order, fit beside what is spent, under way, or sent in open batches.

        The second value is the limit that the next one would exceed, None if all fit. Raises `ConfigError`.
        """
        with reading(self._engine) as session:
            sent = sum((_amount_of_batch(row) for row in ledger.open_batches(session)), NOTHING)
        with self._lock:
            total = sum(self._under_way.values(), sent)
        used = self._used()
        for count, amount in enumerate(worst):
            self._require_price(amount, is_local)
            total += amount
            for name, limits, spent in used:
                if reached := exceeded(limits, spent + total):
                    return count, _reached(name, reached)
        return len(worst), None

    def seconds_left(self) -> float | None:
        """Wall time that the run has left, None where it is not limited."""
        limit = self._limits[0][1].seconds
        if limit is None:
            return None
        with reading(self._engine) as session:
            return (_run_start(session, self._run_id) or self._began) + limit - time.time()

    def _require_price(self, worst: Amount, is_local: bool) -> None:
        if worst.dollars is None and not is_local and any(limits.dollars is not None for _, limits in self._limits):
            raise ConfigError(
                "the price of this model is unknown, so the money limit cannot be kept",
                hint="Set budget.perRun.dollars and budget.perDay.dollars to null, and limit calls or tokens instead.",
            )

    def _try_without_reading(self, worst: Amount) -> int | None:
        """Admit a call by what was read a moment ago, if that leaves room in plenty."""
        with self._lock:
            age = time.monotonic() - self._read_at
            if age > FRESH_SECONDS:
                return None
            # What is over since the last reading counts with its worst case: its true cost is in the table only.
            more = sum(self._under_way.values(), self._since_read + worst + Amount(seconds=age))
            for _, limits, used in self._read:
                if exceeded(_scaled(limits), used + more):
                    return None
            return self._admit(worst)

    def _admit(self, worst: Amount) -> int:
        self._next += 1
        self._under_way[self._next] = worst
        return self._next

    def _try(self, worst: Amount) -> int | None:
        with self._lock:
            waits = False
            pending = sum(self._under_way.values(), NOTHING)
            self._read, self._read_at, self._since_read = self._used(), time.monotonic(), NOTHING
            for name, limits, used in self._read:
                if reached := exceeded(limits, used + worst):
                    raise _reached(name, reached)
                waits = waits or exceeded(limits, used + pending + worst) is not None
            if waits and self._under_way:
                return None
            return self._admit(worst)

    def _release(self, ticket: int) -> None:
        with self._lock:
            if (worst := self._under_way.pop(ticket, None)) is not None:
                self._since_read += worst

    def _used(self) -> list[tuple[str, Limits, Amount]]:
        now = time.time()
        midnight = (
            datetime.fromtimestamp(now, self._zone).replace(hour=0, minute=0, second=0, microsecond=0).timestamp()
        )
        with reading(self._engine) as session:
            run = _amount(ledger.spent(session, run_id=self._run_id, since=None if self._run_id else self._began))
            day = _amount(ledger.spent(session, since=midnight))
            run_seconds = now - (_run_start(session, self._run_id) or self._began)
            day_seconds = seconds_since(session, midnight, now)
        amounts = (run + Amount(seconds=run_seconds), day + Amount(seconds=day_seconds))
        return [(name, limits, used) for (name, limits), used in zip(self._limits, amounts, strict=True)]


def _amount(spent: ledger.Spent) -> Amount:
    return Amount(spent.calls, spent.input_tokens, spent.output_tokens, 0.0, spent.dollars)


def _amount_of_batch(row: ModelBatch) -> Amount:
    planned = json.loads(row.detail)
    calls = len(row.custom_ids)
    return Amount(calls, planned["input_tokens"], planned["output_tokens"], 0.0, planned["dollars"])


def _run_start(session: Session, run_id: str | None) -> float | None:
    return None if run_id is None else began_at(session, run_id)


def _reached(period: str, what: str) -> BudgetReached:
    return BudgetReached(
        f"the limit per {period} is reached ({what})",
        hint="What is complete is kept; the rest waits. The limits stand in the settings under budget.",
        reason=f"budget_{period}",
    )
