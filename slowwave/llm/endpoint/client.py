"""Calls of one role's endpoint: bounded in time and money, repeated where that helps, every one written down."""

from __future__ import annotations

import asyncio
import json
import math
import random
import re
import threading
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from anthropic import AsyncAnthropic

from slowwave.errors import ModelError, ModelUnavailable
from slowwave.llm.base import Usage
from slowwave.llm.endpoint.answers import read_response
from slowwave.llm.endpoint.capabilities import Capabilities
from slowwave.llm.endpoint.error_mapping import translate, was_worked_on
from slowwave.llm.endpoint.health import health_of
from slowwave.llm.endpoint.reported import Answered
from slowwave.llm.endpoint.transport import connect
from slowwave.llm.roles import Role
from slowwave.llm.spending.budget import Amount, Budget
from slowwave.llm.spending.call_log import CallLog, Purpose
from slowwave.llm.spending.consent import is_loopback
from slowwave.llm.spending.plausible import Bounds
from slowwave.llm.spending.prices import TokenCounts, cost_of
from slowwave.text import estimate_tokens

REPETITIONS = 2
MOST_CALLS = 64
FIRST_DELAY_SECONDS = 0.5
LONGEST_DELAY_SECONDS = 30.0
# The key was read where it stood, so another header would not help.
_INVALID_KEY = re.compile(r"(?:invalid|incorrect|wrong|expired|revoked) (?:x-)?api[ _-]?key", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Sent:
    """How one sending ended. `may_have_cost`: the endpoint may have worked on it, and bills for that."""

    answer: Answered | ModelError
    seconds: float
    may_have_cost: bool = False


class ModelClient:
    """Messages calls for one role. Safe to share between threads: every event loop gets a connection of its own.

    `injected` is a client object of the SDK (any cloud's); it is used as it is and never closed here. At most
    `concurrency` calls are under way in one event loop.
    """

    def __init__(
        self,
        role: Role,
        budget: Budget,
        call_log: CallLog,
        capabilities: Capabilities,
        injected: AsyncAnthropic | None = None,
        concurrency: int = MOST_CALLS,
    ) -> None:
        self.role = role
        self.capabilities = capabilities
        self._budget = budget
        self._call_log = call_log
        self._injected = injected
        self.health = health_of(call_log.run_id, role)
        self._as_x_api_key = False
        self.has_guessed = False
        self._concurrency = concurrency
        self._slots: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncAnthropic] = WeakKeyDictionary()
        self._lock = threading.Lock()

    @property
    def sdk(self) -> AsyncAnthropic:
        """The SDK client of the running event loop."""
        if self._injected is not None:
            return self._injected
        loop = asyncio.get_running_loop()
        with self._lock:
            if loop not in self._clients:
                self._clients[loop] = connect(self.role, self._uses_bearer)
            return self._clients[loop]

    async def prepare(self) -> None:
        """Make the connection's objects in a thread: that takes long enough to hold up everything in an event loop."""
        loop = asyncio.get_running_loop()
        if self._injected is None and loop not in self._clients:
            made = await asyncio.to_thread(connect, self.role, self._uses_bearer)
            with self._lock:
                self._clients.setdefault(loop, made)

    async def create(self, body: Mapping[str, Any], purpose: Purpose) -> tuple[Answered, Usage]:
        """Send one Messages body (with `model` and `max_tokens`) and return the answer, whatever its stop reason.

        Temporary failures are repeated within the role's time limit; a wait that the provider asks for is honoured as
        long as it fits into that limit. A key that is refused in one header is tried once in the other.

        Raises:
            ModelError: by `error_mapping`, with its reason.
            BudgetReached: the call does not fit into the budget; nothing was sent.
        """
        limit: float | None = None
        attempt = 0
        while True:
            async with self._paid(body):
                async with self._slot():
                    await self.health.ready(self.role.timeout_seconds)
                    # The time limit runs from the first sending: waiting for a turn is not the endpoint's fault.
                    limit = limit or time.monotonic() + self.role.timeout_seconds
                    sent = await self._send(body, purpose, limit)
                # The place among the calls is free again by now: writing down takes as long as the disk does.
                answer = sent.answer
                if not isinstance(answer, ModelError):
                    self.health.note(None)
                    return answer, await self._book(body, purpose, sent)
                await self._book(body, purpose, sent)
            if await self._other_header(answer):
                continue
            self.health.note(answer)
            wait = self._delay(answer, attempt) if isinstance(answer, ModelUnavailable) else math.inf
            if attempt == REPETITIONS or time.monotonic() + wait >= limit:
                raise answer
            await asyncio.sleep(wait)
            attempt += 1

    async def _book(self, body: Mapping[str, Any], purpose: Purpose, sent: _Sent) -> Usage:
        bounds = self.bounds(body)
        if not isinstance(sent.answer, ModelError):
            self._settle_header()
            return await asyncio.to_thread(
                self._call_log.answered, self.role, purpose, sent.answer, bounds, sent.seconds
            )
        spent = bounds if sent.may_have_cost else None
        return await asyncio.to_thread(
            self._call_log.failed, self.role, purpose, sent.answer, sent.seconds, None, spent
        )

    async def _other_header(self, failure: ModelError) -> bool:
        """Whether a refused key is worth another try: as `x-api-key`, where nobody knows how it is wanted."""
        if failure.reason != "wrong_key" or self.role.key is None or self._injected is not None:
            return False
        if self.capabilities.is_provider or self.capabilities.offers("bearer") is not None or self._as_x_api_key:
            return False
        if _INVALID_KEY.search(str(failure)):
            return False
        self._as_x_api_key = True
        return True

    def _settle_header(self) -> None:
        if self._as_x_api_key and self.capabilities.offers("bearer") is None:
            self.capabilities.learn("bearer", False)

    def _uses_bearer(self) -> bool:
        return not self._as_x_api_key and self.capabilities.offers("bearer") is not False

    async def count(self, body: Mapping[str, Any]) -> int | None:
        """Return the exact size of a prompt in tokens, None where the endpoint does not count."""
        if self.capabilities.offers("count_tokens") is False:
            return None
        wanted = {key: body[key] for key in ("model", "messages", "system", "output_config") if key in body}
        try:
            async with asyncio.timeout(min(30.0, self.role.timeout_seconds)):
                counted = await self.sdk.messages.count_tokens(**wanted)
        except Exception as error:  # noqa: BLE001 - the count is a help, the call itself will tell what is wrong
            reason = translate(error).reason
            if reason in ("not_found", "bad_request"):
                await asyncio.to_thread(self.capabilities.learn, "count_tokens", False)
            return None
        tokens: object = getattr(counted, "input_tokens", None)
        works = isinstance(tokens, int) and tokens > 0
        await asyncio.to_thread(self.capabilities.learn, "count_tokens", works)
        return tokens if works and isinstance(tokens, int) else None

    async def aclose(self) -> None:
        """Close the connection of the running event loop, unless it was injected."""
        with self._lock:
            client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    def _slot(self) -> asyncio.Semaphore:
        loop = asyncio.get_running_loop()
        with self._lock:
            return self._slots.setdefault(loop, asyncio.Semaphore(self._concurrency))

    @asynccontextmanager
    async def _paid(self, body: Mapping[str, Any]) -> AsyncIterator[None]:
        release = await self._budget.reserve(self.worst_case(body), is_local=is_loopback(self.role.base_url))
        try:
            yield
        finally:
            release()

    async def _send(self, body: Mapping[str, Any], purpose: Purpose, deadline: float) -> _Sent:
        """Send once; return the answer, or why there is none."""
        began = time.monotonic()
        left = max(deadline - began, 0.01)
        answer: Answered | ModelError
        may_have_cost = False
        try:
            async with asyncio.timeout(left):
                raw = await self.sdk.messages.with_raw_response.create(**body, timeout=left)
            answer = read_response(raw.http_response)
        except asyncio.CancelledError:
            stopped = ModelUnavailable("the run was stopped during the call", reason="cancelled")
            self._call_log.failed(self.role, purpose, stopped, time.monotonic() - began, bounds=self.bounds(body))
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, it is written down and raised by the caller
            answer = translate(error)
            answer.__cause__ = answer.__cause__ or error
            may_have_cost = was_worked_on(error)
        return _Sent(answer, time.monotonic() - began, may_have_cost)

    def bounds(self, body: Mapping[str, Any]) -> Bounds:
        """What a call can have cost, for the call_log."""
        return Bounds(estimate_body(body), int(body["max_tokens"]))

    def worst_case(self, body: Mapping[str, Any], *, batch: bool = False) -> Amount:
        """The most that a body can cost: its estimated prompt and its whole output limit."""
        prompt, output = estimate_body(body), int(body["max_tokens"])
        dollars = cost_of(self.role.model, TokenCounts(input=prompt, output=output), batch=batch)
        return Amount(1, prompt, output, 0.0, dollars)

    @staticmethod
    def _delay(error: ModelUnavailable, attempt: int) -> float:
        if error.retry_after is not None:
            return error.retry_after
        return float(min(FIRST_DELAY_SECONDS * 2**attempt, LONGEST_DELAY_SECONDS) * random.uniform(0.75, 1.25))


def estimate_body(body: Mapping[str, Any]) -> int:
    """The estimated prompt size of a Messages body in tokens, its output schema included."""
    schema = body.get("output_config", {}).get("format")
    texts = [json.dumps(schema)] if schema else []
    for content in [body.get("system"), *(message["content"] for message in body["messages"])]:
        blocks = content if isinstance(content, list) else [{"text": content or ""}]
        texts.extend(str(block.get("text", "")) for block in blocks)
    return sum(estimate_tokens(text) for text in texts)
