"""Answers in a given shape, from endpoints that enforce it and from those that do not.

Order of work: ask with `output_config.format` (unless the endpoint is known not to offer it), look at the stop reason,
find the JSON in the text, validate. An answer that cannot be used gets one more turn that says what was wrong with it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from anthropic import transform_schema
from pydantic import BaseModel

from slowwave.errors import ModelError, ModelRejected, PromptTooLong
from slowwave.llm.base import Prompt, Usage
from slowwave.llm.endpoint.capabilities import Feature
from slowwave.llm.endpoint.client import ModelClient, estimate_body
from slowwave.llm.endpoint.parsing import parse
from slowwave.llm.endpoint.reported import Answered
from slowwave.llm.endpoint.trials import first_answer
from slowwave.llm.prompting.templates import render
from slowwave.llm.spending.call_log import Purpose
from slowwave.text import estimate_tokens

T = TypeVar("T", bound=BaseModel)
MORE_ROOM = 2
LONGEST_REPEATED = 40_000
NO_THINKING = {"type": "disabled"}
_CUT = ("max_tokens", "length")


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A valid answer and what all its calls cost. `cut` tells that it is what could be used of one that was cut off."""

    value: T
    usage: Usage
    cut: bool = False


def message_body(
    client: ModelClient,
    prompt: Prompt,
    schema: type[BaseModel],
    *,
    batch: bool = False,
    without: Collection[Feature] = (),
) -> dict[str, Any]:
    """Build the Messages body: the system text marked for caching where it is long enough to be cached.

    What the endpoint refuses is left out, and so is what `without` names.
    """
    role, can = client.role, client.capabilities

    def sends(feature: Feature) -> bool:
        return feature not in without and can.offers(feature) is not False

    # Told once: by the format where it is sent, in words otherwise. An endpoint that ignores the format shows it by its
    # first answer, gets the shape with the second question and is remembered.
    enforced = sends("structured_output")
    system = prompt.system if enforced else f"{prompt.system}\n\n{shape_instructions(schema)}"
    block: dict[str, Any] = {"type": "text", "text": system}
    facts = role.facts
    if facts is not None and sends("caching") and estimate_tokens(system) >= facts.cache_from:
        block["cache_control"] = {"type": "ephemeral", "ttl": "1h" if batch else "5m"}
    output: dict[str, Any] = {}
    if facts is not None and role.effort != "none" and sends("effort"):
        output["effort"] = role.effort
    if enforced:
        output["format"] = {"type": "json_schema", "schema": schema_of(schema)}
    body: dict[str, Any] = {
        "model": role.model,
        "max_tokens": min(role.max_output_tokens, can.most_output or role.max_output_tokens),
        "system": [block] if sends("system_list") else system,
        "messages": [{"role": "user", "content": prompt.user}],
    }
    return body | ({"output_config": output} if output else {})


@cache
def schema_of(schema: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a model in the form that the API accepts, and no longer than that: it is paid for with every
    call, and what the fields mean stands in the prompt."""
    accepted = dict(transform_schema(schema))
    for part in (accepted, *accepted.get("$defs", {}).values()):
        for words in (part, *part.get("properties", {}).values()):
            for key in ("title", "description"):
                words.pop(key, None)
    return accepted


@cache
def shape_instructions(schema: type[BaseModel]) -> str:
    """What tells the shape to a model whose server does not enforce it: an example, far shorter than the schema."""
    whole = schema_of(schema)
    shape = json.dumps(_example(whole, whole.get("$defs", {})), ensure_ascii=False, separators=(",", ":"))
    return render("answer_shape.md", shape=shape)


def _example(part: Mapping[str, Any], named: Mapping[str, Any]) -> Any:
    if "$ref" in part:
        part = named[str(part["$ref"]).rpartition("/")[2]]
    if "anyOf" in part:
        part = next(choice for choice in part["anyOf"] if choice.get("type") != "null")
        return _example(part, named)
    if "enum" in part:
        return "|".join(map(str, part["enum"]))
    if part.get("type") == "array":
        return [_example(part["items"], named)]
    if part.get("type") == "object":
        return {name: _example(field, named) for name, field in part.get("properties", {}).items()}
    return {"integer": 0, "number": 0, "boolean": False}.get(str(part.get("type")), "")


async def ask(
    client: ModelClient,
    prompt: Prompt,
    schema: type[T],
    purpose: Purpose,
    rescue: Callable[[str], T] | None = None,
) -> Answer[T]:
    """Ask for an answer of the given shape. With `rescue`, an answer that was cut off at the output limit is not asked
    for again: what `rescue` makes of its text is returned, marked as cut.

    Raises:
        ModelRejected: reasons `refusal`, `answer_cut`, `empty_answer`, `invalid_answer`, `unexpected_stop` and those of
            `errors_map`.
        PromptTooLong: the prompt exceeds the role's limit (counted exactly where the endpoint counts) or the window.
        ModelUnavailable, ModelDenied, BudgetReached: see `ModelClient.create`.
    """
    async with client.health.question():
        try:
            answer = await _asked(client, prompt, schema, purpose, rescue)
        except ModelError as error:
            client.health.settle(error)
            raise
        client.health.settle(None)
    return answer


async def _asked(
    client: ModelClient, prompt: Prompt, schema: type[T], purpose: Purpose, rescue: Callable[[str], T] | None
) -> Answer[T]:
    await _check_size(client, message_body(client, prompt, schema))
    answered, usage, body = await first_answer(
        client, lambda out: message_body(client, prompt, schema, without=out), purpose
    )
    if rescue is not None and _is_cut(answered, schema):
        return Answer(rescue(answered.text or answered.tool_json), usage, cut=True)
    if _is_cut(answered, schema) and (longer := _with_more_room(client, body, answered)) is not None:
        answered, more = await client.create(longer, purpose)
        usage += more
    try:
        value = accept(answered, schema)
    except ModelRejected as error:
        if error.reason not in ("empty_answer", "invalid_answer"):
            raise
        await _learn_unenforced(client, body)
        repair = _repair_body(client, body, answered, schema, str(error))
        answered, more, _ = await first_answer(client, lambda out: _without_thinking(repair, out), purpose)
        return Answer(accept(answered, schema), usage + more)
    await _learn_enforced(client, body)
    return Answer(value, usage)


def accept(answered: Answered, schema: type[T]) -> T:
    """Return the value of an answer as it stands: from its text, a tool call that a proxy made of the schema, or what
    it thought aloud. Raises `ModelRejected` and `PromptTooLong`, see `ask`."""
    _check_stop(answered)
    failure: ModelRejected | None = None
    for text in (answered.text, answered.tool_json, answered.thinking):
        if not text.strip():
            continue
        try:
            return parse(text, schema)
        except ModelRejected as error:
            failure = failure or error
    if answered.stop_reason in _CUT:
        raise ModelRejected("the answer was cut off at the output limit", reason="answer_cut")
    if failure is None or not (answered.text or answered.tool_json).strip():
        raise ModelRejected("the answer is empty", reason="empty_answer")
    raise failure


async def _check_size(client: ModelClient, body: dict[str, Any]) -> None:
    limit = client.role.input_tokens
    estimate = estimate_body(body)
    # Near the limit the estimate is not trusted where an exact count can be had.
    exact = await client.count(body) if estimate > 0.75 * limit else None
    size = estimate if exact is None else exact
    if size > limit and (exact is not None or estimate > limit * 1.05):
        raise PromptTooLong(f"the prompt has {size:,} tokens, the limit is {limit:,}", reason="prompt_too_long")


def _is_cut(answered: Answered, schema: type[BaseModel]) -> bool:
    """Whether an answer ended at the output limit and is not whole all the same."""
    if answered.stop_reason not in _CUT:
        return False
    try:
        accept(answered, schema)
    except ModelRejected:
        return True
    return False


def _with_more_room(client: ModelClient, body: Mapping[str, Any], answered: Answered) -> dict[str, Any] | None:
    """The same question with twice the room; without thinking, where that has used the room up."""
    most = client.role.facts.most_output if client.role.facts else client.role.max_output_tokens * MORE_ROOM
    room = min(int(body["max_tokens"]) * MORE_ROOM, most, client.capabilities.most_output or most)
    longer = dict(body) | {"max_tokens": max(room, int(body["max_tokens"]))}
    if not answered.text and answered.thinking and client.capabilities.offers("thinking") is not False:
        return longer | {"thinking": NO_THINKING}
    return longer if room > body["max_tokens"] else None


def _check_stop(answered: Answered) -> None:
    """A stop reason that nobody knows decides nothing: the text does."""
    reason = answered.stop_reason
    if reason == "refusal":
        raise ModelRejected("the model refused to answer", reason="refusal")
    if reason == "model_context_window_exceeded":
        raise PromptTooLong("prompt and answer exceed the model's window", reason="context_window")
    if reason == "pause_turn" or (reason == "tool_use" and not answered.tool_json):
        raise ModelRejected(f"the model stopped for {reason}, which nobody offered", reason="unexpected_stop")


def _repair_body(
    client: ModelClient, body: dict[str, Any], answered: Answered, schema: type[BaseModel], complaint: str
) -> dict[str, Any]:
    request = render("answer_repair.md", complaint=complaint, shape=shape_instructions(schema))
    if not answered.text.strip():
        question = body["messages"][0]["content"]
        again = body | {"messages": [{"role": "user", "content": f"{question}\n\n{shape_instructions(schema)}"}]}
        if answered.thinking and client.capabilities.offers("thinking") is not False:
            again |= {"thinking": NO_THINKING}
        return again
    turns = [{"role": "assistant", "content": answered.text[:LONGEST_REPEATED]}, {"role": "user", "content": request}]
    return body | {"messages": [*body["messages"], *turns]}


def _without_thinking(body: dict[str, Any], without: Collection[Feature]) -> dict[str, Any]:
    return {key: value for key, value in body.items() if not (key == "thinking" and "thinking" in without)}


async def _learn_enforced(client: ModelClient, body: Mapping[str, Any]) -> None:
    """An answer of the right shape to a question that did not show it in words: the endpoint keeps to the format."""
    can = client.capabilities
    if "format" in body.get("output_config", {}) and can.offers("structured_output") is None:
        await asyncio.to_thread(can.learn, "structured_output", True)


async def _learn_unenforced(client: ModelClient, body: Mapping[str, Any]) -> None:
    can = client.capabilities
    if "format" in body.get("output_config", {}) and can.may_drop("structured_output") and not can.is_provider:
        await asyncio.to_thread(can.learn, "structured_output", False)
