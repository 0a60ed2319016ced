"""Keeps claims alive from a thread of its own, so that a blocked event loop does not lose them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self

from sqlalchemy.engine import URL

from slowwave.errors import LeaseLost, StoreError
from storage.engine import connect, writing
from storage.jobs import heartbeat
from storage.leases import Claim, check_lease


class Heartbeat:
    """Extends the lease of each added claim every `interval` seconds, over a connection of its own.

    When a beat is refused, or none got through for a whole lease, the claim is lost: `on_lost` is called once from the
    heartbeat's thread, and `check` raises from then on. The holder must stop the work; its finish would be refused
    anyway. Use it as a context manager: leaving it ends the thread, and does not release the claims.
    """

    def __init__(
        self,
        url: str | URL,
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
        self._claims = {(claim.kind, claim.key): claim for claim in claims}
        self._lost: dict[tuple[str, str], Claim] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="slowwave-heartbeat", daemon=True)
        self.last_error: str | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def add(self, claim: Claim) -> None:
        """Keep this claim alive too."""
        with self._lock:
            self._claims[claim.kind, claim.key] = claim

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
        engine = connect(self._url)
        try:
            while not self._stop.wait(self._interval):
                with self._lock:
                    claims = list(self._claims.values())
                for claim in claims:
                    try:
                        with writing(engine) as session:
                            alive = heartbeat(session, claim, self._lease)
                    except StoreError as error:
                        # A database that is away for a moment is no loss; if it stays away the lease runs out, and the
                        # first beat that gets through is refused.
                        self.last_error = str(error)
                        continue
                    if not alive:
                        self._lose(claim)
        finally:
            engine.dispose()

    def _lose(self, claim: Claim) -> None:
        place = (claim.kind, claim.key)
        with self._lock:
            if self._claims.get(place) != claim:
                return
            del self._claims[place]
            self._lost[place] = claim
        if self._on_lost is not None:
            self._on_lost(claim)
