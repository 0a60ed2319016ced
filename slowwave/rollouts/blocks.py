"""A message in any of the dialects that agents write, as items.

Nearly every agent keeps messages of a role and content, and the content's blocks differ in their names only.
The dialects: the Messages API (`tool_use`, `tool_result`), chat completions (`tool_calls`, role `tool`), the AI SDK
(`tool-call`, `tool-result`), Gemini's parts (`functionCall`), tagged data (`{"type": ..., "data": ...}` or `kind`), and
enumerations written as one key (`{"ToolUse": {...}}`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from slowwave.rollouts.messages import message_authorship
from slowwave.rollouts.model import ASSISTANT_TEXT, TOOL_CALL, TOOL_RESULT, LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.values import IMAGE, call_text, decode_json, dict_in, dump, exit_status_in, list_in, strip_blobs
from slowwave.text.authors import Authorship

TEXT, CALL, RESULT, PICTURE, REASONING = "text", "call", "result", "image", "reasoning"
_KINDS = {
    **dict.fromkeys(("text", "Text", "input_text", "output_text", "markdown"), TEXT),
    **dict.fromkeys(
        ("tool_use", "toolUse", "ToolUse", "tool-call", "toolCall", "tool_call", "functionCall", "function",
         "toolRequest", "frontendToolRequest"), CALL),
    **dict.fromkeys(
        ("tool_result", "toolResult", "ToolResult", "tool-result", "tool_response", "toolResponse",
         "functionResponse"), RESULT),
    **dict.fromkeys(("image", "Image", "image_url", "input_image", "inlineData", "binary", "document"), PICTURE),
    **dict.fromkeys(
        ("thinking", "Thinking", "think", "reasoning", "redacted_thinking", "redacted-reasoning", "redactedThinking",
         "RedactedThinking"), REASONING),
}  # fmt: skip
_NAMES = ("name", "toolName", "tool_name")
_CALL_IDS = ("id", "toolCallId", "toolUseId", "tool_use_id", "tool_call_id", "callID")
_RESULT_IDS = ("tool_use_id", "toolUseID", "toolUseId", "toolCallId", "tool_call_id", "id")
_INPUTS = ("input", "args", "arguments", "parameters")
_VALUES = ("content", "result", "output", "run", "toolResult", "response", "value", "return_value", "Ok", "Err")
_WORDS = ("output", "text", "Text", "stdout", "content", "value", "message", "error", "data", "result", "return_value")
_STATUSES = ("exit_code", "exitCode", "exit_status")
_BAD = frozenset({"error", "failed", "denied", "cancelled", "canceled", "rejected", "rejected-by-user", "declined"})
_GOOD = frozenset({"done", "success", "completed", "ok"})
_ASSISTANTS = frozenset({"assistant", "model", "agent", "ai", "Agent"})
_PEOPLE = frozenset({"user", "human", "User"})


class Part(NamedTuple):
    """One block. `kind` is one of this module's, or the block's own where it is none of them. `value` is a call's
    arguments or a result's content; `failed` is None where the block does not tell."""

    kind: str
    text: str = ""
    name: str = ""
    call_id: str = ""
    value: Any = None
    failed: bool | None = None
    exit_status: int | None = None


def parts_of(content: object) -> Iterator[Part]:
    """The blocks of a message's content: a text, a block, or a list of both."""
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, str):
            yield Part(TEXT, block)
        elif isinstance(block, dict):
            yield _part(block)


def _part(block: dict[str, Any]) -> Part:
    tag = block.get("type") or block.get("kind")
    body: Any = block
    if not isinstance(tag, str):
        tag = next((key for key in block if key in _KINDS), "")
        body = block.get(tag) if tag else block
    elif isinstance(block.get("data"), dict | str) and _KINDS.get(tag) != PICTURE:
        body = block["data"]
    kind = REASONING if block.get("thought") is True else _KINDS.get(tag, tag)
    fields = body if isinstance(body, dict) else {}
    if kind == TEXT:
        return Part(TEXT, body if isinstance(body, str) else _string(fields, ("text", "content", "value")))
    if kind == CALL:
        function = dict_in(fields, "function") or dict_in(dict_in(fields, "toolCall"), "value") or fields
        return Part(CALL, "", _string(function, _NAMES), _string(fields, _CALL_IDS), _first(function, _INPUTS))
    if kind == RESULT:
        failed, status = outcome(fields)
        value = _first(fields, _VALUES)
        return Part(RESULT, "", _string(fields, _NAMES), _string(fields, _RESULT_IDS), value, failed, status)
    return Part(kind)


def outcome(result: object, *, depth: int = 3) -> tuple[bool | None, int | None]:
    """Whether a result says that it failed, and the exit status that it names; None for what it does not say."""
    if not isinstance(result, dict):
        return None, None
    failed: bool | None = None
    for key, bad in (("is_error", True), ("isError", True), ("success", False), ("ok", False)):
        if isinstance(result.get(key), bool):
            failed = result[key] is bad
    state = result.get("status")
    if isinstance(state, str) and state.lower() in _BAD | _GOOD:
        failed = state.lower() in _BAD
    status = next((result[key] for key in _STATUSES if type(result.get(key)) is int), None)
    for key in _VALUES if depth else ():
        if isinstance(result.get(key), dict):
            inner, inner_status = outcome(result[key], depth=depth - 1)
            failed = inner if failed is None or inner else failed
            status = inner_status if status is None else status
    return (True if status else failed), status


def result_text(value: object, *, depth: int = 6) -> str:
    """What a tool's result reads like, whatever it is wrapped in; JSON where it holds no text."""
    if isinstance(value, str):
        return value
    if value is None or depth == 0:
        return ""
    if isinstance(value, list):
        return "\n".join(filter(None, (result_text(part, depth=depth - 1) for part in value)))
    if isinstance(value, dict):
        if _KINDS.get(str(value.get("type"))) == PICTURE:
            return IMAGE
        for key in _WORDS:
            if (inner := value.get(key)) and (text := result_text(inner, depth=depth - 1)):
                return text
        return dump(value) if value else ""
    return dump(value)


def _string(fields: dict[str, Any], keys: tuple[str, ...]) -> str:
    return next((fields[key] for key in keys if isinstance(fields.get(key), str) and fields[key]), "")


def _first(fields: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((fields[key] for key in keys if fields.get(key) is not None), None)


class MessagePass(LogPass):
    """A pass over messages. `typed` tells the person's words in what stands in the user's role."""

    def __init__(
        self, log: LogFile, session_id: str, typed: Callable[[object], Authorship] = message_authorship
    ) -> None:
        super().__init__(log, session_id)
        self.typed = typed
        self.tools: dict[str, str] = {}

    def message(
        self,
        role: str,
        content: object,
        *,
        time: datetime | None = None,
        uid: str | None = None,
        calls: object = None,
        call_id: str = "",
    ) -> None:
        """Add a message's items. `calls` are those that stand beside the content, `call_id` the one that a message of
        the role `tool` answers."""
        if role in _ASSISTANTS:
            for part in parts_of(content):
                self._answered(part, time, uid)
            beside = calls if isinstance(calls, list) else []
            for part in parts_of([{"type": "tool_call"} | call for call in beside if isinstance(call, dict)]):
                self._answered(part, time, uid)
        elif role in _PEOPLE:
            self._heard(content, time, uid)
        elif role in ("tool", "function", "toolResult", "tool_result"):
            results = [part for part in parts_of(content) if part.kind == RESULT]
            for part in results or [Part(RESULT, call_id=call_id, value=content)]:
                self.result(part, time, uid)
        else:
            self.drop(f"role:{role[:20]}")

    def _answered(self, part: Part, time: datetime | None, uid: str | None) -> None:
        if part.kind == TEXT:
            self.add(ASSISTANT_TEXT, part.text, time=time, uid=uid)
        elif part.kind == CALL:
            self.call(part.name, part.value, part.call_id, time=time, uid=uid)
        elif part.kind == RESULT:
            self.result(part, time, uid)
        else:
            self.drop(part.kind if part.kind in (REASONING, PICTURE) else f"block:{part.kind[:20]}")

    def _heard(self, content: object, time: datetime | None, uid: str | None) -> None:
        words: list[Any] = []
        for part in parts_of(content):
            if part.kind == RESULT:
                self.result(part, time, uid)
            elif part.kind in (TEXT, PICTURE):
                words.append({"type": part.kind, "text": part.text})
            else:
                self.drop(f"block:{part.kind[:20]}")
        if words:
            self.add_authored(self.typed(words), time=time, uid=uid)

    def call(
        self, name: str, arguments: object, call_id: str = "", *, time: datetime | None = None, uid: str | None = None
    ) -> None:
        """Add a tool call. Some models write their arguments into the name: it ends with the line."""
        name = name.split("\n", 1)[0].strip()
        if call_id:
            self.tools[call_id] = name
        text = call_text({} if arguments is None else arguments)
        self.add(TOOL_CALL, text, time=time, tool=name or None, call_id=call_id or None, uid=uid)

    def result(self, part: Part, time: datetime | None = None, uid: str | None = None) -> None:
        """Add a tool's result under the name of its call."""
        text = strip_blobs(result_text(part.value))
        failed, status = part.failed, part.exit_status
        if status is None and failed is not False:
            status = exit_status_in(text)
            failed = True if status else failed
        name = self.tools.pop(part.call_id, "") or part.name
        self.add(
            TOOL_RESULT,
            text,
            time=time,
            tool=name or None,
            call_id=part.call_id or None,
            exit_status=status,
            failed=failed,
            uid=uid,
        )


def decoded_list(value: object) -> list[Any]:
    """A list, also one that is kept as JSON text."""
    if isinstance(value, str):
        value = decode_json(value)
    return value if isinstance(value, list) else list_in(value, "content")
