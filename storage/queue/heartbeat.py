"""Keeps claims alive from a thread of its own, so that a blocked event loop does not lose them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import Engine
from sqlalchemy.engine import URL

from slowwave.errors import LeaseLost, StoreError
from slowwave.storage.engine import connect, writing
from slowwave.storage.queue.jobs import heartbeat
from slowwave.storage.queue.leases import Claim, check_lease


class Heartbeat:
    """Extends the lease of each added claim every `interval` seconds, over a connection of its own.

    When a beat is refused, or none got through for a whole lease, the claim is lost: `on_lost` is called once from the
    heartbeat's thread, and `check` raises from then on. The holder must stop the work; its finish would be refused
    anyway. Use it as a context manager: leaving it ends the thread, and does not release the claims.
    """

    def __init__(
        self,
        url: str | Path | URL,
        claims: Iterable[Claim] = (),
        *,
        lease: float,
        interval: float | None = None,
        on_lost: Callable[[Claim], None] | None = None,
    ) -> None:
        self._url = url.render_as_string(hide_password=False) if isinstance(url, URL) else url
        self._lease = check_lease(lease)
        self._interval = lease / 4 if interval is None else interval
        self._on_lost = on_lost
        self._claims: dict[tuple[str, str], Claim] = {}
        self._beaten: dict[str, float] = {}
        self._lost: dict[tuple[str, str], Claim] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="slowwave-heartbeat", daemon=True)
        self._engine: Engine | None = None
        self.last_error: str | None = None
        for claim in claims:
            self.add(claim)

    def __enter__(self) -> Self:
        self._engine = connect(self._url)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        if self._engine is not None:
            self._engine.dispose()

    def add(self, claim: Claim) -> None:
        """Keep this claim alive too."""
        with self._lock:
            self._claims[claim.kind, claim.key] = claim
            self._beaten[claim.token] = time.monotonic()

    def remove(self, claim: Claim) -> None:
        """Stop beating for a claim: call it right before its finish, so that a late beat is not taken for a loss."""
        with self._lock:
            self._claims.pop((claim.kind, claim.key), None)

    def is_lost(self, claim: Claim) -> bool:
        """Tell whether this very claim was refused."""
        with self._lock:
            return self._lost.get((claim.kind, claim.key)) == claim

    def check(self, claim: Claim) -> None:
        """Raise `LeaseLost` once the claim was refused."""
        if self.is_lost(claim):
            raise LeaseLost(f"the claim on {claim.kind} {claim.key} was taken over")

    def _run(self) -> None:
        while not self._stop.wait(self._interval):
            with self._lock:
                claims = list(self._claims.values())
            for claim in claims:
                if not self._beat(claim):
                    self._lose(claim)

    def _beat(self, claim: Claim) -> bool:
        """Extend one lease. False: it was refused, or the database has been away for longer than it lasts."""
        if self._engine is None:
            return False
        began = time.monotonic()
        try:
            with writing(self._engine) as session:
                alive = heartbeat(session, claim, self._lease)
        except StoreError as error:
            self.last_error = str(error)
            return time.monotonic() - self._beaten.get(claim.token, began) < self._lease
        self._beaten[claim.token] = began
        return alive

    def _lose(self, claim: Claim) -> None:
        place = (claim.kind, claim.key)
        with self._lock:
            if self._claims.get(place) != claim:
                return
            del self._claims[place]
            self._lost[place] = claim
        if self._on_lost is None:
            return
        try:
            self._on_lost(claim)
        except Exception as error:  # noqa: BLE001 - whatever the callback does, the other claims must be kept alive
            self.last_error = f"{type(error).__name__}: {error}"
