"""The connection to an endpoint: no redirects, no endless answers, keys only where they belong."""

from __future__ import annotations

from collections.abc import AsyncIterator

import anthropic
import httpx2
from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient

from slowwave.llm.roles import Role
from slowwave.llm.spending.consent import is_loopback

# The provider's own limit for requests; no usable answer comes near it.
LARGEST_ANSWER_BYTES = 32_000_000
LARGEST_BATCH_RESULT_BYTES = 2_000_000_000
NO_KEY = "none"


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, limit: int) -> None:
        self._inner = inner
        self._limit = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = 0
        async for chunk in self._inner:
            seen += len(chunk)
            if seen > self._limit:
                raise httpx2.ReadError(f"the answer exceeds {self._limit:,} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()


async def _bound(response: httpx2.Response) -> None:
    """Limit what is read of a response: an endpoint that sends for ever must not fill the memory."""
    limit = LARGEST_BATCH_RESULT_BYTES if response.request.url.path.endswith("/results") else LARGEST_ANSWER_BYTES
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _BoundedStream(response.stream, limit)


def connect(role: Role) -> AsyncAnthropic:
    """Return an SDK client for a role's endpoint.

    Repeating is left to `slowwave.llm.endpoint.client`. A redirect is an error: session text goes where the user
    agreed to and
    nowhere else. For an endpoint on this machine proxies from the environment are ignored. Without a key a placeholder
    is sent, since the SDK would otherwise take one from the environment that was not meant for this endpoint.
    """
    return AsyncAnthropic(
        api_key=role.key or NO_KEY,
        base_url=role.base_url,
        max_retries=0,
        timeout=anthropic.Timeout(role.timeout_seconds, connect=10.0),
        http_client=DefaultAsyncHttpxClient(
            follow_redirects=False,
            trust_env=not is_loopback(role.base_url),
            event_hooks={"response": [_bound]},
        ),
    )
