"""Find out which part of a request an endpoint refuses, whatever it says, and remember it.

A refusal that names a part is believed. One that names none is tried without each part in turn, then without all of
them; refused calls cost nothing. Only parts are tried that nobody configured and that never worked: once an endpoint
has answered a whole request, a refusal is about that request.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from slowwave.errors import ModelError, ModelRejected
from slowwave.llm.base import Usage
from slowwave.llm.endpoint.capabilities import MOST_OUTPUT, OF_A_REQUEST, Feature
from slowwave.llm.endpoint.client import ModelClient
from slowwave.llm.endpoint.error_mapping import refused_features
from slowwave.llm.endpoint.reported import Answered
from slowwave.llm.spending.call_log import Purpose

LEAST_OUTPUT = 256
MOST_TRIES = 16
# What every endpoint takes: a refusal that names one of these is about its content.
_REQUIRED = re.compile(r"\b(?:messages?(?:\.\d+)?(?:\.\w+)*:|content\b|model:)", re.IGNORECASE)

Build = Callable[[Collection[Feature]], dict[str, Any]]
"""Builds the body without some features."""


async def first_answer(client: ModelClient, build: Build, purpose: Purpose) -> tuple[Answered, Usage, dict[str, Any]]:
    """Send a request, without what the endpoint refuses; return the answer, its usage and the body that it answers.

    Raises:
        ModelError: the refusal of the whole request when it is about none of its parts. See `ModelClient.create`.
    """
    dropped: frozenset[Feature] = frozenset()
    guesses: Iterator[frozenset[Feature]] | None = None
    refusal: ModelError | None = None
    for _ in range(MOST_TRIES):
        body = build(dropped)
        try:
            answered, usage = await client.create(body, purpose)
        except ModelRejected as error:
            refusal = refusal or error
            if error.reason == "output_limit" and await _less_room(client, body, str(error)):
                continue
            named = frozenset(refused_features(error)) & frozenset(_droppable(client, body))
            if named:
                dropped |= named
                continue
            guesses = guesses or _guesses(client, body, error)
            guess = next(guesses, None)
            if guess is None:
                raise refusal from refusal.__cause__
            dropped = guess
            continue
        await _remember(client, body, dropped)
        return answered, usage, body
    raise refusal or ModelRejected("the endpoint refuses every form of the request", reason="bad_request")


def features_of(body: Mapping[str, Any]) -> list[Feature]:
    """The features that a body makes use of, those first that are suspected first when it is refused."""
    output, system = body.get("output_config", {}), body.get("system")
    blocks = system if isinstance(system, list) else []
    used = {
        "effort": "effort" in output,
        "structured_output": "format" in output,
        "caching": any("cache_control" in block for block in blocks),
        "system_list": bool(blocks),
        "thinking": "thinking" in body,
    }
    return [feature for feature in OF_A_REQUEST if used[feature]]


def _droppable(client: ModelClient, body: dict[str, Any]) -> list[Feature]:
    return [feature for feature in features_of(body) if not client.capabilities.is_configured(feature)]


def _guesses(client: ModelClient, body: dict[str, Any], error: ModelRejected) -> Iterator[frozenset[Feature]]:
    can = client.capabilities
    if error.reason != "bad_request" or client.has_guessed or can.is_provider or _REQUIRED.search(str(error)):
        return
    # Once is enough for a run: what did not help one request will not help the next.
    client.has_guessed = True
    suspects = [feature for feature in _droppable(client, body) if can.may_drop(feature)]
    for feature in suspects:
        yield frozenset({feature})
    if len(suspects) > 1:
        yield frozenset(suspects)


async def _remember(client: ModelClient, body: dict[str, Any], dropped: Collection[Feature]) -> None:
    found: dict[str, int] = {feature: 0 for feature in OF_A_REQUEST if feature in dropped}
    # That a format was taken does not show that it was kept to: the answer will tell.
    taken = [feature for feature in features_of(body) if feature not in ("structured_output", "thinking")]
    found |= {feature: 1 for feature in taken if not client.capabilities.is_configured(feature)}
    await asyncio.to_thread(client.capabilities.learn_all, found)


async def _less_room(client: ModelClient, body: dict[str, Any], words: str) -> bool:
    """Take the output limit that a refusal names, or half; False when there is nothing left to take away."""
    sent = int(body["max_tokens"])
    named = [int(figure.replace(",", "")) for figure in re.findall(r"\d[\d,]*\d", words)]
    fitting = [figure for figure in named if LEAST_OUTPUT <= figure < sent and figure not in (400, 422)]
    room = max(fitting, default=sent // 2)
    if room < LEAST_OUTPUT:
        return False
    await asyncio.to_thread(client.capabilities.learn_all, {MOST_OUTPUT: room})
    return True
