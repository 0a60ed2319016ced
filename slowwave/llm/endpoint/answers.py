"""From the bytes of an endpoint to an answer. Nothing in them is trusted: not their form, their figures or their size.

Endpoints that speak part of the Messages API answer with a stream that nobody asked for, with an error under status
200, with a sign-in page, with numbers that are none. Here each becomes an answer or a plain error.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import httpx2
from anthropic.types import Message, TextBlock, ThinkingBlock, ToolUseBlock

from slowwave.errors import ModelError, ModelUnavailable
from slowwave.llm.endpoint.error_mapping import translate_told
from slowwave.llm.endpoint.reported import Answered, counts_of

_BLOCKS: dict[str, type[TextBlock | ToolUseBlock | ThinkingBlock]] = {
    "text": TextBlock,
    "tool_use": ToolUseBlock,
    "thinking": ThinkingBlock,
}


def read_response(response: httpx2.Response) -> Answered:
    """Read an answer with status 200.

    Raises:
        ModelError: the error that it holds, or `invalid_response` with the address.
    """
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    raw = response.content
    try:
        if kind == "text/event-stream" or raw.lstrip()[:6] in (b"event:", b"data: "):
            data: object = _from_events(raw.decode("utf-8", "replace"))
        else:
            data = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict) and (error := _error_in(data, response)) is not None:
        raise error
    answered = from_message(data, response.headers.get("request-id"))
    if answered is None:
        raise _no_message(response, kind)
    return answered


def whole_message(answer: object) -> Message:
    """What the SDK returned as a message, also where the endpoint answered a plain call with a stream.

    Raises:
        ModelUnavailable: it is no message; reason `invalid_response`.
    """
    data = _from_events(answer) if isinstance(answer, str) else None
    if data is not None and isinstance(data.get("content"), list):
        answer = Message.construct(**{**data, "content": [_typed(block) for block in data["content"]]})
    if not isinstance(answer, Message) or not isinstance(answer.content, list):
        raise ModelUnavailable(
            "the endpoint answered with something that is no message",
            hint="Check the base URL: it must lead to an endpoint that speaks the Messages API.",
            reason="invalid_response",
        )
    return answer


def _typed(block: dict[str, Any]) -> object:
    kind = _BLOCKS.get(str(block.get("type")))
    if kind is ToolUseBlock and isinstance(block.get("input"), str):
        block = block | {"input": json.loads(block["input"] or "{}")}
    return block if kind is None else kind.construct(**block)


def from_message(data: object, request_id: str | None = None) -> Answered | None:
    """Read a message object; None when it is none."""
    if not isinstance(data, dict) or not isinstance(data.get("content"), list):
        return None
    pieces: dict[str, list[str]] = {"text": [], "thinking": [], "tool_use": []}
    for block in data["content"]:
        if isinstance(block, dict) and (kind := block.get("type")) in pieces:
            pieces[kind].append(_piece(block, kind))
    reason = data.get("stop_reason")
    counts, is_absurd = counts_of(data.get("usage"))
    return Answered(
        text="".join(pieces["text"]),
        thinking="\n".join(pieces["thinking"]),
        tool_json="\n".join(pieces["tool_use"]),
        stop_reason=reason if isinstance(reason, str) else None,
        counts=counts,
        is_absurd=is_absurd,
        request_id=request_id,
    )


def _piece(block: Mapping[str, Any], kind: str) -> str:
    value = block.get("input" if kind == "tool_use" else kind)
    if kind == "tool_use" and isinstance(value, dict):
        try:
            return json.dumps(value)
        except RecursionError:
            return ""
    return value if isinstance(value, str) else ""


def _error_in(data: Mapping[str, Any], response: httpx2.Response) -> ModelError | None:
    inner = data.get("error")
    if data.get("type") != "error" and (not inner or isinstance(data.get("content"), list)):
        return None
    told = inner if isinstance(inner, dict) else {"message": str(inner or data.get("message"))}
    return translate_told(told, response.request)


def _no_message(response: httpx2.Response, kind: str) -> ModelUnavailable:
    start = response.content.lstrip()[:15].lower()
    is_page = kind == "text/html" or start.startswith((b"<!doctype", b"<html"))
    what = "a web page" if is_page else "something that is no message"
    return ModelUnavailable(
        f"{response.request.url} answered with {what}",
        hint="Check baseUrl: it must lead to an endpoint that speaks the Messages API.",
        reason="invalid_response",
    )


def _from_events(text: str) -> dict[str, Any] | None:
    """Put a message together from the events of a stream; None when there was none."""
    message: dict[str, Any] | None = None
    for event in _events(text):
        kind = event.get("type")
        if kind == "error":
            return event
        if kind == "message_start" and isinstance(event.get("message"), dict):
            message = {**event["message"], "content": []}
        elif message is not None:
            _take_in(message, kind, event)
    return message


def _take_in(message: dict[str, Any], kind: object, event: Mapping[str, Any]) -> None:
    blocks = message["content"]
    delta = event.get("delta")
    if kind == "content_block_start" and isinstance(event.get("content_block"), dict):
        blocks.append(dict(event["content_block"]))
    elif kind == "content_block_delta" and isinstance(delta, dict) and blocks:
        for given, field in (("text", "text"), ("thinking", "thinking"), ("partial_json", "partial")):
            if isinstance(delta.get(given), str):
                blocks[-1][field] = str(blocks[-1].get(field) or "") + delta[given]
    elif kind == "content_block_stop" and blocks and "partial" in blocks[-1]:
        blocks[-1]["input"] = blocks[-1].pop("partial")
    elif kind == "message_delta":
        message.update(delta if isinstance(delta, dict) else {})
        if isinstance(event.get("usage"), dict):
            message["usage"] = {**(message.get("usage") or {}), **event["usage"]}


def _events(text: str) -> Iterator[dict[str, Any]]:
    for line in text.split("\n"):
        if line.startswith("data:"):
            try:
                event = json.loads(line[5:])
            except (ValueError, RecursionError):
                continue
            if isinstance(event, dict):
                yield event
