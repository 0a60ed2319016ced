"""The connection to an endpoint: no redirects, no endless answers, keys only where they belong."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable

import anthropic
import httpx2
from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient

from slowwave.errors import ConfigError
from slowwave.llm.roles import Role
from slowwave.llm.spending.consent import is_loopback

# The provider's own limit for requests; no usable answer comes near it.
LARGEST_ANSWER_BYTES = 32_000_000
LARGEST_BATCH_RESULT_BYTES = 2_000_000_000
NO_KEY = "none"
_FROM_ENVIRONMENT = ("SSL_CERT_FILE", "SSL_CERT_DIR", "ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY")


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


def connect(role: Role, uses_bearer: Callable[[], bool] = lambda: True) -> AsyncAnthropic:
    """Return an SDK client for a role's endpoint.

    Repeating is left to `slowwave.llm.endpoint.client`. A redirect is an error: session text goes where the user
    agreed to and
    nowhere else. For an endpoint on this machine proxies from the environment are ignored. Without a key a placeholder
    is sent, since the SDK would otherwise take one from the environment that was not meant for this endpoint. Where
    `uses_bearer` says no, the key is sent as `x-api-key`.

    Raises:
        ConfigError: a proxy or a certificate file that the environment names cannot be used.
    """

    async def authorise(request: httpx2.Request) -> None:
        if not uses_bearer():
            request.headers.pop("authorization", None)
            request.headers["x-api-key"] = role.key or NO_KEY

    try:
        return AsyncAnthropic(
            api_key=role.key or NO_KEY,
            base_url=role.base_url,
            max_retries=0,
            timeout=anthropic.Timeout(role.timeout_seconds, connect=10.0),
            http_client=DefaultAsyncHttpxClient(
                follow_redirects=False,
                trust_env=not is_loopback(role.base_url),
                event_hooks={"request": [authorise], "response": [_bound]},
            ),
        )
    except (ImportError, OSError, ValueError) as error:
        names = [name for name in _FROM_ENVIRONMENT if os.environ.get(name) or os.environ.get(name.lower())]
        raise ConfigError(
            f"no connection to {role.endpoint} can be made: {error}",
            hint=f"The environment has {', '.join(names) or 'no proxy'}: correct it, unset it, or for a SOCKS proxy"
            " install the package socksio.",
            reason="bad_environment",
        ) from error
