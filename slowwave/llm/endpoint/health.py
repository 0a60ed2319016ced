"""How an endpoint is doing during one run: proven, denied, down, or asking for quiet."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from slowwave.errors import ModelDenied, ModelError, ModelRejected, ModelUnavailable
from slowwave.llm.roles import Role

DEAD_AFTER_FAILURES = 12
USELESS_AT_FIRST = 3
USELESS_IN_A_ROW = 8
WRONG_AFTER_REJECTIONS = 3
POLL_SECONDS = 0.02
USELESS = frozenset({"answer_cut", "empty_answer", "invalid_answer"})
MALFORMED = frozenset({"bad_request", "output_limit"})
RUNS_REMEMBERED = 64


class Health:
    """Shared by all calls to one endpoint in one run, whatever thread or event loop they are on.

    Until one question was answered, questions are put one at a time, so a wrong key or address costs one request. Every
    further call fails at once after a denial, after `DEAD_AFTER_FAILURES` failures in a row, after
    `WRONG_AFTER_REJECTIONS` requests that were called malformed before anything was answered, and when questions get
    answers that cannot be used (cut, empty, no JSON): the first `USELESS_AT_FIRST`, or `USELESS_IN_A_ROW` later on.
    """

    def __init__(self, endpoint: str) -> None:
        self._endpoint = endpoint
        self._lock = threading.Lock()
        self._is_proven = False
        self._is_probing = False
        self._denied: ModelDenied | None = None
        self._failures = 0
        self._rejections = 0
        self._useless = 0
        self._quiet_until = 0.0

    @asynccontextmanager
    async def question(self) -> AsyncIterator[None]:
        """Wait until a question may be put: alone, as long as none was answered."""
        is_probe = await self._take_turn()
        try:
            yield
        finally:
            if is_probe:
                self._is_probing = False

    async def ready(self, patience: float) -> None:
        """Wait until a call may go out. A quiet time longer than `patience` seconds is not waited for.

        Raises:
            ModelDenied: every further call would fail alike.
            ModelUnavailable: the provider asked for a longer quiet.
        """
        if self._denied is not None:
            raise self._denied
        quiet = self._quiet_until - time.monotonic()
        if quiet > patience:
            raise ModelUnavailable("the provider asked to wait", reason="rate_limited", retry_after=quiet)
        await asyncio.sleep(max(quiet, 0.0))

    def note(self, failure: ModelError | None) -> None:
        """Take in how a call ended. A rejection of one request still shows that the endpoint is there."""
        with self._lock:
            if failure is None or isinstance(failure, ModelRejected):
                self._failures = 0
                return
            self._failures += 1
            if isinstance(failure, ModelUnavailable) and failure.retry_after is not None:
                self._quiet_until = max(self._quiet_until, time.monotonic() + failure.retry_after)
            if isinstance(failure, ModelDenied):
                self._denied = failure
            elif self._failures >= DEAD_AFTER_FAILURES:
                self._denied = ModelDenied(
                    f"{self._endpoint} failed {self._failures} times in a row; the last time: {failure}",
                    hint="Run again when the endpoint works; nothing was lost.",
                    reason="endpoint_down",
                )

    def settle(self, failure: ModelError | None) -> None:
        """Take in how a question ended, with all its calls."""
        with self._lock:
            if failure is None:
                self._is_proven, self._useless = True, 0
            elif failure.reason in USELESS:
                self._take_in_useless(failure)
            elif failure.reason in MALFORMED and not self._is_proven:
                self._rejections += 1
                if self._rejections >= WRONG_AFTER_REJECTIONS:
                    self._denied = ModelDenied(
                        f"{self._endpoint} rejects every request; the last time: {failure}",
                        hint="Check models.default: the model's name, maxOutputTokens and capabilities.",
                        reason="endpoint_rejects",
                    )
            elif isinstance(failure, ModelRejected):
                self._is_proven = True

    def _take_in_useless(self, failure: ModelError) -> None:
        self._useless += 1
        if self._useless >= (USELESS_IN_A_ROW if self._is_proven else USELESS_AT_FIRST):
            self._denied = ModelDenied(
                f"{self._useless} answers in a row could not be used; the last time: {failure}",
                hint="Raise models.default.maxOutputTokens, lower its effort, or choose another model.",
                reason="answers_useless",
            )

    async def _take_turn(self) -> bool:
        """Wait until a first call has proven the endpoint; return True to whoever makes that call."""
        while True:
            with self._lock:
                if self._is_proven or self._denied is not None:
                    return False
                if not self._is_probing:
                    self._is_probing = True
                    return True
            await asyncio.sleep(POLL_SECONDS)


_shared: OrderedDict[tuple[str, str, str], Health] = OrderedDict()
_shared_lock = threading.Lock()


def health_of(run_id: str | None, role: Role) -> Health:
    """The health that all of a run's extractors in this process share; one of its own where there is no run."""
    if run_id is None:
        return Health(role.endpoint)
    key = (run_id, role.endpoint, role.model)
    with _shared_lock:
        health = _shared.setdefault(key, Health(role.endpoint))
        _shared.move_to_end(key)
        while len(_shared) > RUNS_REMEMBERED:
            _shared.popitem(last=False)
        return health
