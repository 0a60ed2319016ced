"""What the API refuses, so that a request that would fail for real fails here too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

CUSTOM_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}\Z")
REFUSED_PARAMETERS = ("temperature", "top_p", "top_k")
REFUSED_KEYWORDS = ("minimum", "maximum", "minLength", "maxLength", "pattern", "multipleOf", "maxItems")
KNOWN_KEYS = {
    "model", "max_tokens", "messages", "system", "output_config", "thinking", "cache_control", "tools", "tool_choice",
    "metadata", "stop_sequences", "service_tier", "stream", "inference_geo", "speed", "diagnostics",
}  # fmt: skip


@dataclass(frozen=True)
class Refusal:
    """An API error in place of an answer."""

    status: int
    message: str
    error_code: str | None = None


def check_message(body: Any, version: str, *, counting: bool = False) -> Refusal | None:
    """Check a Messages body (or that of count_tokens) as the API does; None when it is acceptable."""
    if not isinstance(body, dict):
        return Refusal(400, "Input should be a valid dictionary")
    if not isinstance(body.get("model"), str):
        return Refusal(400, "model: Field required")
    if not counting and not (isinstance(body.get("max_tokens"), int) and body["max_tokens"] >= 1):
        return Refusal(400, "max_tokens: Field required")
    for name in body:
        if name in REFUSED_PARAMETERS and version < "2026-10-21":
            continue
        if name not in KNOWN_KEYS:
            return Refusal(400, f"{name}: Extra inputs are not permitted")
    return _check_messages(body) or _check_format(body) or _check_cache_marks(body)


def check_batch(body: Any, version: str) -> Refusal | None:
    """Check the body of a batch's creation."""
    requests = body.get("requests") if isinstance(body, dict) else None
    if not isinstance(requests, list) or not requests:
        return Refusal(400, "requests: Field required")
    seen: set[str] = set()
    for request in requests:
        custom_id = request.get("custom_id")
        if not isinstance(custom_id, str) or not CUSTOM_ID.match(custom_id):
            return Refusal(400, "custom_id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'")
        if custom_id in seen:
            return Refusal(400, f"custom_id: {custom_id} is not unique in the batch")
        seen.add(custom_id)
        if request.get("params", {}).get("stream"):
            return Refusal(400, "stream: not supported in batches")
        if refusal := check_message(request.get("params"), version):
            return refusal
    return None


def _check_messages(body: Mapping[str, Any]) -> Refusal | None:
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return Refusal(400, "messages: at least one message is required")
    for position, message in enumerate(messages):
        if message.get("role") not in ("user", "assistant"):
            return Refusal(400, f"messages.{position}.role: Input should be 'user' or 'assistant'")
        content = message.get("content")
        if content in ("", []):
            return Refusal(400, f"messages.{position}: content must be non-empty")
        for block in content if isinstance(content, list) else []:
            if block.get("type") == "text" and not block.get("text", "").strip():
                return Refusal(400, f"messages.{position}: text content blocks must be non-empty")
    if messages[0]["role"] != "user":
        return Refusal(400, "messages: first message must use the 'user' role")
    if messages[-1]["role"] == "assistant":
        return Refusal(400, "This model does not support assistant message prefill.")
    return None


def _check_format(body: Mapping[str, Any]) -> Refusal | None:
    output = body.get("output_config") or {}
    if output.get("effort") not in (None, "low", "medium", "high", "xhigh", "max"):
        return Refusal(400, "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'")
    wanted = output.get("format")
    if wanted is None:
        return None
    if wanted.get("type") != "json_schema" or not isinstance(wanted.get("schema"), dict):
        return Refusal(400, "output_config.format: Input should have type 'json_schema' and a schema")
    for schema in _schemas(wanted["schema"]):
        if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
            return Refusal(400, "output_config.format.schema: 'additionalProperties' must be explicitly set to false")
        for keyword in REFUSED_KEYWORDS:
            if keyword in schema:
                return Refusal(400, f"output_config.format.schema: property '{keyword}' is not supported")
    return None


def _schemas(node: Any) -> Iterator[dict[str, Any]]:
    """Yield every schema in a schema; the names of properties are not keywords."""
    if isinstance(node, list):
        for child in node:
            yield from _schemas(child)
        return
    if not isinstance(node, dict):
        return
    yield node
    for key, child in node.items():
        if key in ("properties", "$defs"):
            for schema in child.values():
                yield from _schemas(schema)
        elif key in ("items", "anyOf", "allOf"):
            yield from _schemas(child)


def _check_cache_marks(body: Mapping[str, Any]) -> Refusal | None:
    blocks: list[Any] = [body, *(body.get("tools") or [])]
    for content in [body.get("system"), *(message.get("content") for message in body["messages"])]:
        blocks.extend(content if isinstance(content, list) else [])
    marks = sum(1 for block in blocks if isinstance(block, dict) and block.get("cache_control"))
    return (
        Refusal(400, f"A maximum of 4 blocks with cache_control may be provided. Found {marks}.") if marks > 4 else None
    )
