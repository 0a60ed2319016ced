"""Calls of one role's endpoint: bounded in time and money, repeated where that helps, every one written down."""

from __future__ import annotations

import asyncio
import math
import random
import threading
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from weakref import WeakKeyDictionary

from anthropic import AsyncAnthropic
from anthropic.types import Message

from slowwave.errors import ModelError, ModelUnavailable
from slowwave.llm.base import Usage
from slowwave.llm.endpoint.capabilities import Capabilities
from slowwave.llm.endpoint.error_mapping import translate
from slowwave.llm.endpoint.health import health_of
from slowwave.llm.endpoint.transport import connect
from slowwave.llm.roles import Role
from slowwave.llm.spending.budget import Amount, Budget
from slowwave.llm.spending.call_log import Books, Purpose
from slowwave.llm.spending.consent import is_loopback
from slowwave.llm.spending.prices import TokenCounts, cost_of
from slowwave.text import estimate_tokens

REPETITIONS = 2
MOST_CALLS = 64
FIRST_DELAY_SECONDS = 0.5
LONGEST_DELAY_SECONDS = 30.0


class ModelClient:
    """Messages calls for one role. Safe to share between threads: every event loop gets a connection of its own.

    `injected` is a client object of the SDK (any cloud's); it is used as it is and never closed here. At most
    `concurrency` calls are under way in one event loop.
    """

    def __init__(
        self,
        role: Role,
        budget: Budget,
        books: Books,
        capabilities: Capabilities,
        injected: AsyncAnthropic | None = None,
        concurrency: int = MOST_CALLS,
    ) -> None:
        self.role = role
        self.capabilities = capabilities
        self._budget = budget
        self._books = books
        self._injected = injected
        self._health = health_of(books.run_id, role)
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
                self._clients[loop] = connect(self.role)
            return self._clients[loop]

    async def prepare(self) -> None:
        """Make the connection's objects in a thread: that takes long enough to hold up everything in an event loop."""
        loop = asyncio.get_running_loop()
        if self._injected is None and loop not in self._clients:
            made = await asyncio.to_thread(connect, self.role)
            with self._lock:
                self._clients.setdefault(loop, made)

    async def create(self, body: Mapping[str, Any], purpose: Purpose) -> tuple[Message, Usage]:
        """Send one Messages body (with `model` and `max_tokens`) and return the answer, whatever its stop reason.

        Temporary failures are repeated within the role's time limit; a wait that the provider asks for is honoured as
        long as it fits into that limit.

        Raises:
            ModelError: by `errors_map`, with its reason.
            BudgetReached: the call does not fit into the budget; nothing was sent.
        """
        limit: float | None = None
        for attempt in range(REPETITIONS + 1):
            async with self._paid(body):
                async with self._slot(), self._health.turn(self.role.timeout_seconds):
                    # The time limit runs from the first sending: waiting for a turn is not the endpoint's fault.
                    limit = limit or time.monotonic() + self.role.timeout_seconds
                    answer, seconds = await self._send(body, purpose, limit)
                # The place among the calls is free again by now: writing down takes as long as the disk does.
                if not isinstance(answer, ModelError):
                    return answer, await asyncio.to_thread(self._books.answered, self.role, purpose, answer, seconds)
                await asyncio.to_thread(self._books.failed, self.role, purpose, answer, seconds)
            wait = self._delay(answer, attempt) if isinstance(answer, ModelUnavailable) else math.inf
            if attempt == REPETITIONS or time.monotonic() + wait >= limit:
                raise answer
            await asyncio.sleep(wait)
        raise AssertionError("unreachable")

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
        await asyncio.to_thread(self.capabilities.learn, "count_tokens", True)
        tokens: object = counted.input_tokens
        return tokens if isinstance(tokens, int) else None

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

    async def _send(
        self, body: Mapping[str, Any], purpose: Purpose, deadline: float
    ) -> tuple[Message | ModelError, float]:
        """Send once; return the answer, or why there is none, and the seconds that it took."""
        began = time.monotonic()
        left = max(deadline - began, 0.01)
        answer: Message | ModelError
        try:
            async with asyncio.timeout(left):
                message: object = await self.sdk.messages.create(**body, timeout=left)
            if not isinstance(message, Message) or not isinstance(message.content, list):
                raise ModelUnavailable("the endpoint answered with no message", reason="invalid_response")
            answer = message
        except asyncio.CancelledError:
            stopped = ModelUnavailable("the run was stopped during the call", reason="cancelled")
            self._books.failed(self.role, purpose, stopped, time.monotonic() - began)
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, it is written down and raised by the caller
            answer = translate(error)
            answer.__cause__ = error
        self._health.note(answer if isinstance(answer, ModelError) else None)
        return answer, time.monotonic() - began

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
    texts = [str(body.get("output_config", {}).get("format", ""))]
    for content in [body.get("system"), *(message["content"] for message in body["messages"])]:
        blocks = content if isinstance(content, list) else [{"text": content or ""}]
        texts.extend(str(block.get("text", "")) for block in blocks)
    return sum(estimate_tokens(text) for text in texts)
