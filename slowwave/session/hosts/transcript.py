"""What happened since the last look into a running session's transcript. Standard library only, bounded, never raising
for damage: a transcript is written while it is read, so an unfinished last line is left for the next look.

This is no reader (those are in `slowwave.rollouts`): it knows just enough of a row to see actions, the assistant's last
words and the size of the context.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from slowwave.session.task.drift import Action

READ_LIMIT = 2_000_000
_EDITS = frozenset(
    (
        "edit",
        "write",
        "multiedit",
        "notebookedit",
        "str_replace_editor",
        "apply_patch",
        "write_file",
        "replace",
        "edit_file",
    )
)
_RUNS = frozenset(("bash", "shell", "exec_command", "local_shell", "run_shell_command", "exec", "bashoutput"))


class Look(NamedTuple):
    """What the new rows hold. `cursor` is where the next look starts, `window_tokens` the context's size if told,
    `failed` how many tool results failed, `reply` the assistant's last text."""

    cursor: int
    actions: tuple[Action, ...] = ()
    reply: str = ""
    window_tokens: int | None = None
    failed: int = 0
    skipped: int = 0


def look(path: Path, cursor: int, *, limit: int = READ_LIMIT) -> Look:
    """Read what was appended after byte `cursor`, its last `limit` bytes at most. A file that shrank is read anew.

    Raises `OSError` when the file cannot be read.
    """
    size = path.stat().st_size
    start = cursor if 0 <= cursor <= size else 0
    skipped = max(0, size - start - limit)
    with path.open("rb") as stream:
        stream.seek(start + skipped)
        data = stream.read(limit)
    end = data.rfind(b"\n") + 1
    lines = data[:end].split(b"\n")
    if skipped:
        lines = lines[1:]
    actions: list[Action] = []
    reply, tokens, failed = "", None, 0
    for row in _rows(lines):
        for kind, value in _pieces(row):
            if kind == "action":
                actions.append(value)
            elif kind == "reply":
                reply = value
            elif kind == "failed":
                failed += 1
            else:
                tokens = value
    return Look(start + skipped + end, tuple(actions), reply, tokens, failed, skipped)


def _rows(lines: list[bytes]) -> Iterator[dict[str, Any]]:
    for line in lines:
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            # Damage is the readers' business at night; the day only needs what it can read.
            continue
        if isinstance(row, dict) and not row.get("isSidechain"):
            yield row


def _pieces(row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """(kind, value) pairs of a row of Claude Code or Codex."""
    payload = row.get("payload") if isinstance(row.get("payload"), dict) else None
    if payload is not None:
        yield from _codex(payload)
        return
    message = row.get("message")
    if not isinstance(message, dict):
        return
    content = message.get("content")
    for block in content if isinstance(content, list) else []:
        if not isinstance(block, dict):
            continue
        if block.get("type") == "tool_use":
            for action in actions_of(str(block.get("name", "")), block.get("input")):
                yield "action", action
        elif block.get("type") == "text" and row.get("type") == "assistant":
            yield "reply", str(block.get("text", ""))
        elif block.get("type") == "tool_result" and block.get("is_error"):
            yield "failed", 1
    if total := context_tokens(row):
        yield "tokens", total


def context_tokens(row: dict[str, Any]) -> int | None:
    """The size of the context after an answer, where a row of Claude Code or Codex tells it."""
    payload, message = row.get("payload"), row.get("message")
    if isinstance(payload, dict):
        info = payload.get("info") if payload.get("type") == "token_count" else None
        last = info.get("last_token_usage") if isinstance(info, dict) else None
        total = last.get("total_tokens") if isinstance(last, dict) else None
        return total if isinstance(total, int) else None
    usage = message.get("usage") if isinstance(message, dict) else None
    if row.get("type") != "assistant" or not isinstance(usage, dict):
        return None
    names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")
    return sum(usage.get(name) or 0 for name in names if isinstance(usage.get(name), int)) or None


def _codex(payload: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    kind = payload.get("type")
    if kind in ("function_call", "custom_tool_call"):
        for action in actions_of(str(payload.get("name", "")), payload.get("arguments", payload.get("input"))):
            yield "action", action
    elif kind == "local_shell_call":
        for action in actions_of("local_shell", payload.get("action")):
            yield "action", action
    elif kind == "message" and payload.get("role") == "assistant":
        texts = [b.get("text", "") for b in payload.get("content") or [] if isinstance(b, dict)]
        if any(texts):
            yield "reply", "\n".join(texts)
    elif kind == "token_count" and (total := context_tokens({"payload": payload})):
        yield "tokens", total


def actions_of(tool: str, arguments: object) -> list[Action]:
    """The actions in a tool call. `arguments` are a mapping, its JSON, or the bare command or patch."""
    if isinstance(arguments, str):
        try:
            parsed = json.loads(arguments)
        except (ValueError, RecursionError):
            parsed = None
        arguments = parsed if isinstance(parsed, dict) else {"command": arguments, "input": arguments}
    if not isinstance(arguments, dict):
        return []
    name = tool.rsplit("__", 1)[-1].lower()
    if name in _RUNS:
        command = arguments.get("command", arguments.get("cmd"))
        line = " ".join(map(str, command)) if isinstance(command, list) else str(command or "")
        if "*** Begin Patch" in line:
            return _patched(line)
        return [Action("run", line)] if line else []
    if name == "apply_patch":
        return _patched(str(arguments.get("input", arguments.get("patch", ""))))
    target = arguments.get("file_path", arguments.get("path", arguments.get("notebook_path")))
    return [Action("edit", str(target))] if name in _EDITS and target else []


def _patched(patch: str) -> list[Action]:
    heads = ("*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ")
    return [
        Action("edit", line[len(head) :].strip())
        for line in patch.splitlines()
        for head in heads
        if line.startswith(head)
    ]
