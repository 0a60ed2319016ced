"""Answers in a given shape, from endpoints that enforce it and from those that do not.

Order of work: ask with `output_config.format` (unless the endpoint is known not to offer it), look at the stop reason,
find the JSON in the text, validate. An answer that cannot be used gets one more turn that says what was wrong with it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

import json_repair
from anthropic import transform_schema
from anthropic.types import Message
from pydantic import BaseModel, ValidationError

from slowwave.errors import ModelError, ModelRejected, PromptTooLong
from slowwave.llm.base import Usage
from slowwave.llm.endpoint.client import ModelClient, estimate_body
from slowwave.llm.endpoint.error_mapping import refuses_format
from slowwave.llm.spending.call_log import Purpose
from slowwave.text import estimate_tokens

T = TypeVar("T", bound=BaseModel)
MORE_ROOM = 2
LONGEST_COMPLAINT = 600


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked: a system text that stays the same from call to call, and a user text."""

    system: str
    user: str


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A valid answer and what all its calls cost."""

    value: T
    usage: Usage


def message_body(
    client: ModelClient, prompt: Prompt, schema: type[BaseModel], *, batch: bool = False
) -> dict[str, Any]:
    """Build the Messages body: the system text marked for caching where it is long enough to be cached."""
    role, can = client.role, client.capabilities
    enforced = can.offers("structured_output")
    system = prompt.system if enforced else f"{prompt.system}\n\n{shape_instructions(schema)}"
    block: dict[str, Any] = {"type": "text", "text": system}
    facts = role.facts
    if facts is not None and can.offers("caching") is not False and estimate_tokens(system) >= facts.cache_from:
        block["cache_control"] = {"type": "ephemeral", "ttl": "1h" if batch else "5m"}
    output: dict[str, Any] = {"effort": role.effort} if facts is not None else {}
    if enforced is not False:
        output["format"] = {"type": "json_schema", "schema": schema_of(schema)}
    body: dict[str, Any] = {
        "model": role.model,
        "max_tokens": role.max_output_tokens,
        "system": [block],
        "messages": [{"role": "user", "content": prompt.user}],
    }
    return body | ({"output_config": output} if output else {})


@cache
def schema_of(schema: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a model in the form that the API accepts, without what only developers read."""
    accepted = dict(transform_schema(schema))
    for part in (accepted, *accepted.get("$defs", {}).values()):
        for key in ("title", "description"):
            part.pop(key, None)
        for field in part.get("properties", {}).values():
            field.pop("title", None)
    return accepted


@cache
def shape_instructions(schema: type[BaseModel]) -> str:
    """What tells the shape to a model whose server does not enforce it."""
    shape = json.dumps(schema_of(schema), ensure_ascii=False, separators=(",", ":"))
    return f"Answer with one JSON object that fits this JSON schema, and with nothing else:\n{shape}"


async def ask(client: ModelClient, prompt: Prompt, schema: type[T], purpose: Purpose) -> Answer[T]:
    """Ask for an answer of the given shape.

    Raises:
        ModelRejected: reasons `refusal`, `answer_cut`, `empty_answer`, `invalid_answer`, `unexpected_stop` and those of
            `errors_map`.
        PromptTooLong: the prompt exceeds the role's limit (counted exactly where the endpoint counts) or the window.
        ModelUnavailable, ModelDenied, BudgetReached: see `ModelClient.create`.
    """
    body = message_body(client, prompt, schema)
    await _check_size(client, body)
    message, usage, body = await _first(client, prompt, schema, body, purpose)
    if message.stop_reason == "max_tokens" and (longer := _with_more_room(client, body)) is not None:
        message, more = await client.create(longer, purpose)
        usage += more
    text = _checked_text(message)
    try:
        return Answer(parse(text, schema), usage)
    except ModelRejected as error:
        await _learn_unenforced(client, body)
        repaired, more = await client.create(_repair_body(body, text, schema, str(error)), purpose)
        return Answer(accept(repaired, schema), usage + more)


def accept(message: Message, schema: type[T]) -> T:
    """Return the value of an answer as it stands. Raises `ModelRejected` and `PromptTooLong`, see `ask`."""
    return parse(_checked_text(message), schema)


def parse(text: str, schema: type[T]) -> T:
    """Find the JSON object in a text (bare, fenced, or amid prose) and validate it.

    Raises:
        ModelRejected: reason `empty_answer` or `invalid_answer`; the message says what is wrong, fit for the model.
    """
    stripped = text.strip()
    if not stripped:
        raise ModelRejected("the answer is empty", reason="empty_answer")
    try:
        return schema.model_validate_json(stripped)
    except ValidationError as error:
        complaint = _complaint(error)
    for value in _objects(stripped):
        try:
            return schema.model_validate(value)
        except ValidationError as error:
            complaint = _complaint(error)
    raise ModelRejected(f"the answer does not have the wanted shape: {complaint}", reason="invalid_answer")


def _objects(text: str) -> Sequence[Mapping[str, Any]]:
    """JSON objects in a text: those that are well formed as they stand, or else what a lenient parser makes of it."""
    decoder = json.JSONDecoder()
    found: list[dict[str, Any]] = []
    at = text.find("{")
    while at >= 0 and len(found) < 8:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            found.append(value)
        at = text.find("{", end)
    if not found and "{" in text:
        value = json_repair.loads(text[text.find("{") :])
        found = [value] if isinstance(value, dict) else []
    return sorted(found, key=len, reverse=True)


async def _first(
    client: ModelClient, prompt: Prompt, schema: type[BaseModel], body: dict[str, Any], purpose: Purpose
) -> tuple[Message, Usage, dict[str, Any]]:
    """Send the first turn; a server that refuses the format is asked again without it, and remembered."""
    try:
        message, usage = await client.create(body, purpose)
        return message, usage, body
    except ModelError as error:
        asked = "format" in body.get("output_config", {})
        if not asked or error.__cause__ is None or not refuses_format(error.__cause__):
            raise
    await asyncio.to_thread(client.capabilities.learn, "structured_output", False)
    plain = message_body(client, prompt, schema)
    message, usage = await client.create(plain, purpose)
    return message, usage, plain


async def _check_size(client: ModelClient, body: dict[str, Any]) -> None:
    limit = client.role.input_tokens
    estimate = estimate_body(body)
    # Near the limit the estimate is not trusted where an exact count can be had.
    exact = await client.count(body) if estimate > 0.75 * limit else None
    size = estimate if exact is None else exact
    if size > limit and (exact is not None or estimate > limit * 1.05):
        raise PromptTooLong(f"the prompt has {size:,} tokens, the limit is {limit:,}", reason="prompt_too_long")


def _with_more_room(client: ModelClient, body: Mapping[str, Any]) -> dict[str, Any] | None:
    most = client.role.facts.most_output if client.role.facts else client.role.max_output_tokens * MORE_ROOM
    room = min(int(body["max_tokens"]) * MORE_ROOM, most)
    return dict(body) | {"max_tokens": room} if room > body["max_tokens"] else None


def _checked_text(message: Message) -> str:
    reason = message.stop_reason
    if reason == "refusal":
        raise ModelRejected("the model refused to answer", reason="refusal")
    if reason == "max_tokens":
        raise ModelRejected("the answer was cut off at the output limit", reason="answer_cut")
    if reason == "model_context_window_exceeded":
        raise PromptTooLong("prompt and answer exceed the model's window", reason="context_window")
    if reason in ("tool_use", "pause_turn"):
        raise ModelRejected(f"the model stopped for {reason}, which nobody offered", reason="unexpected_stop")
    return _text(message)


def _text(message: Message) -> str:
    return "".join(block.text for block in message.content if block.type == "text")


def _repair_body(body: dict[str, Any], text: str, schema: type[BaseModel], complaint: str) -> dict[str, Any]:
    request = f"That answer cannot be used: {complaint}\n{shape_instructions(schema)}"
    if not text.strip():
        question = body["messages"][0]["content"]
        return body | {"messages": [{"role": "user", "content": f"{question}\n\n{shape_instructions(schema)}"}]}
    turns = [{"role": "assistant", "content": text}, {"role": "user", "content": request}]
    return body | {"messages": [*body["messages"], *turns]}


async def _learn_unenforced(client: ModelClient, body: Mapping[str, Any]) -> None:
    if "format" in body.get("output_config", {}) and client.capabilities.offers("structured_output") is None:
        await asyncio.to_thread(client.capabilities.learn, "structured_output", False)


def _complaint(error: ValidationError) -> str:
    found = [f"{'.'.join(str(part) for part in issue['loc']) or 'answer'}: {issue['msg']}" for issue in error.errors()]
    return "; ".join(found[:5])[:LONGEST_COMPLAINT]
