"""Codex response items and events as normalised items."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

from slowwave.rollouts.messages import message_authorship
from slowwave.rollouts.model import ASSISTANT_TEXT, SUMMARY, TOOL_CALL, TOOL_RESULT, USER_TEXT, ItemKind
from slowwave.rollouts.values import (
    IMAGE,
    block_text,
    blocks_text,
    call_text,
    command_text,
    decode_json,
    dict_in,
    dump,
    exit_status_in,
    list_in,
    optional_text,
    parse_time,
    strings_in,
    strip_blobs,
    text_in,
)
from slowwave.text.authors import Authorship, authorship

if TYPE_CHECKING:
    from slowwave.rollouts.agents.codex import CodexPass

_CWD = re.compile(r"<cwd>([^<\n]{1,4096})</cwd>|^Current working directory: ([^\n]{1,4096})$", re.MULTILINE)
_DROPPED_ITEMS = {
    "reasoning": "reasoning",
    "agent_message": "inter_agent",
    "compaction": "summary",
    "context_compaction": "summary",
    "compaction_summary": "summary",
    "configuration_update": "configuration_update",
    "ghost_snapshot": "ghost_snapshot",
    "tool_search_call": "tool_search",
    "tool_search_output": "tool_search",
    "image_generation_call": "image",
    "other": "other",
}
_NOTE = "user_note: "
_KNOWN_WARNING = re.compile(
    r"Warning: (?:The maximum number of|apply_patch was|Your (?:session|account|plan)|Heads up)\b"
)


class CodexItems:
    """Turns payloads into items of a pass. The same text arrives as a response item and as an event (or two): within
    one turn it is kept as often as the source that repeats it most says."""

    def response_item(self, state: CodexPass, item: dict[str, Any], written: object) -> None:
        """One `response_item` payload, or one bare row, with its time as the log has it."""
        kind = item.get("type")
        if kind in ("function_call_output", "custom_tool_call_output"):
            self._output(state, item, parse_time(written))
        elif kind in ("function_call", "custom_tool_call"):
            arguments = item.get("arguments") if kind == "function_call" else item.get("input")
            self._call(state, item, text_in(item, "name"), call_text(arguments), arguments, parse_time(written))
        elif kind == "message":
            self._message(state, item, parse_time(written))
        elif kind in _DROPPED_ITEMS:
            state.drop(_DROPPED_ITEMS[kind])
        elif kind == "local_shell_call":
            action = dict_in(item, "action")
            text = command_text(action.get("command")) or dump(action)
            self._call(state, item, "shell", text, None, parse_time(written))
        elif kind == "web_search_call":
            action = dict_in(item, "action")
            text = text_in(action, "query") or text_in(action, "url") or text_in(action, "pattern")
            self._call(state, item, "web_search", text, None, parse_time(written))
        else:
            state.unknown(f"response_item/{text_in(item, 'type')}")

    def _message(self, state: CodexPass, item: dict[str, Any], time: datetime | None) -> None:
        role = text_in(item, "role")
        if role == "assistant":
            self._say(state, "item", ASSISTANT_TEXT, Authorship(blocks_text(item.get("content"))), item, time)
        elif role == "user":
            content = item.get("content")
            text = blocks_text(content)
            if state.cwd is None and (match := _CWD.search(text)):
                state.cwd = state.facts.cwd = (match.group(1) or match.group(2)).strip()
            if _is_warning(text):
                state.drop("harness_warning")
                return
            self._say(state, "item", USER_TEXT, message_authorship(content), item, time)
        else:
            state.drop(f"role:{role[:20]}")

    def event(self, state: CodexPass, payload: dict[str, Any], time: datetime | None) -> None:
        """A `user_message`, `agent_message` or `item_completed` event."""
        kind = text_in(payload, "type")
        if kind == "user_message":
            parts = authorship(text_in(payload, "message"))
            if _KNOWN_WARNING.match(text_in(payload, "message")):
                state.drop("harness_warning")
                return
            if text_in(payload, "kind") not in ("", "plain"):
                state.drop(f"event:user_message:{text_in(payload, 'kind')[:20]}")
                return
            self._say(state, "event", USER_TEXT, parts, payload, time)
        elif kind == "agent_message":
            self._say(state, "event", ASSISTANT_TEXT, Authorship(text_in(payload, "message")), payload, time)
        else:
            item = dict_in(payload, "item")
            inner = text_in(item, "type")
            if inner == "UserMessage":
                self._say(state, "done", USER_TEXT, message_authorship(item.get("content")), item, time)
            elif inner == "AgentMessage":
                text = "\n".join(text for block in list_in(item, "content") if (text := block_text(block)))
                self._say(state, "done", ASSISTANT_TEXT, Authorship(text), item, time)
            else:
                state.drop(f"event:item_completed:{inner[:30]}")

    def _say(
        self,
        state: CodexPass,
        source: str,
        kind: ItemKind,
        parts: Authorship,
        row: dict[str, Any],
        time: datetime | None,
    ) -> None:
        words = parts.typed.removesuffix(IMAGE).strip()
        if not words and not parts.context:
            for reason in parts.dropped or ("empty",):
                state.drop(reason)
            return
        other = ASSISTANT_TEXT if kind is USER_TEXT else USER_TEXT
        mark = hash(words or parts.context)
        count = state.said[kind, source]
        count[mark] += 1
        if count[mark] <= state.kept[kind][mark]:
            state.drop("event_mirror")
            return
        if state.kept[other]:
            self._forget(state, other)
        state.kept[kind][mark] += 1
        uid = optional_text(row, "id")
        if kind is ASSISTANT_TEXT:
            state.add(kind, words, time=time, uid=uid)
            return
        state.open_turn()
        state.add_authored(parts, time=time, uid=uid)
        state.close_turn()

    def _forget(self, state: CodexPass, kind: ItemKind) -> None:
        """The mirrors of a text follow it closely: when the other side speaks, counting starts anew."""
        state.kept[kind].clear()
        for key, count in state.said.items():
            if key[0] is kind:
                count.clear()

    def _call(
        self, state: CodexPass, item: dict[str, Any], name: str, text: str, arguments: object, time: datetime | None
    ) -> None:
        if state.kept[USER_TEXT]:
            self._forget(state, USER_TEXT)
        uid = optional_text(item, "id")
        call_id = optional_text(item, "call_id") or uid
        if call_id:
            state.calls[call_id] = (name, arguments if name == "request_user_input" else None)
        state.add(TOOL_CALL, text, time=time, tool=name or None, call_id=call_id, uid=uid)

    def _output(self, state: CodexPass, item: dict[str, Any], time: datetime | None) -> None:
        call_id = text_in(item, "call_id")
        tool, arguments = state.calls.pop(call_id, ("", None))
        text, status, succeeded = _read_output(item.get("output"))
        failed = status != 0 if status is not None else (None if succeeded is None else not succeeded)
        state.add(
            TOOL_RESULT,
            strip_blobs(text),
            time=time,
            tool=tool or None,
            call_id=call_id or None,
            exit_status=status,
            failed=failed,
            uid=optional_text(item, "id"),
        )
        if tool == "request_user_input":
            for answer in typed_answers(text, arguments):
                state.add(USER_TEXT, answer, time=time)

    def compacted(self, state: CodexPass, payload: dict[str, Any], time: datetime | None) -> None:
        """A compaction. Its summary counts only where the rows that it summarises are not in the file."""
        message = text_in(payload, "message")
        if message.strip() and not state.next_index:
            state.add(SUMMARY, message, time=time)
        else:
            state.drop("summary")


def _is_warning(text: str) -> bool:
    """A warning that the program writes to the model in the user's role."""
    return text.startswith("Warning: ") and "\n" not in text.strip()


def _read_output(output: object) -> tuple[str, int | None, bool | None]:
    """Text, exit status and success of a tool's output, which is a string, blocks, or an object that wraps one."""
    if isinstance(output, str):
        wrapped = decode_json(output) if output.startswith('{"output"') else None
        if isinstance(wrapped, dict) and isinstance(wrapped.get("output"), str):
            status = dict_in(wrapped, "metadata").get("exit_code")
            return wrapped["output"], status if type(status) is int else None, None
        return output, exit_status_in(output[:400]), None
    if isinstance(output, dict):
        success = output.get("success")
        inner = output.get("content", output.get("output", output))
        text, status, _ = _read_output(inner) if inner is not output else (blocks_text(output), None, None)
        return text, status, success if isinstance(success, bool) else None
    text = blocks_text(output)
    return text, exit_status_in(text[:400]), None


def typed_answers(output: str, arguments: object) -> list[str]:
    """Answers to `request_user_input` that the person typed: notes, and what was not among the options."""
    asked = decode_json(arguments) if isinstance(arguments, str) else arguments
    options = {
        text_in(option, "label") for question in list_in(asked, "questions") for option in list_in(question, "options")
    }
    typed: list[str] = []
    for answer in dict_in(decode_json(output), "answers").values():
        for text in strings_in(answer.get("answers") if isinstance(answer, dict) else answer):
            if text.startswith(_NOTE):
                typed.append(text.removeprefix(_NOTE).strip())
            elif text not in options:
                typed.append(text.strip())
    return [text for text in typed if text]
