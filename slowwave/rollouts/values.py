"""Small, total functions that take untrusted JSON values apart. None of them raises for any input."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import orjson

IMAGE = "[image]"

_BASE64_URL = re.compile(r"data:[\w.+/-]+;base64,[A-Za-z0-9+/=\\\s]{64,}")
_BASE64_FIELD = re.compile(r'(\\?"(?:data|base64|image_data|b64_json)\\?"\s*:\s*\\?")[A-Za-z0-9+/=]{512,}')
_BLOB = 512
_EXIT = re.compile(
    r"(?:Error: )?"
    r"(?:Exit code:? |Process exited with code |Command exited with code |<exited with exit code )(-?\d{1,10})\b"
)
_HEAD = 600
_TAIL = 200
_SHELL_FLAGS = ("-lc", "-c", "-Command", "-command")
_SHELLS = frozenset({"bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh", "powershell", "powershell.exe", "pwsh"})


def squeezed(head: bytes) -> bytes:
    """The first bytes of a log in one spelling: without byte order mark, leading white space, and the blanks that some
    writers put behind colons and commas."""
    return head.lstrip(b"\xef\xbb\xbf \r\n\t").replace(b'": ', b'":').replace(b', "', b',"')


def text_in(value: object, key: str) -> str:
    """The string under `key`, or "" where there is none."""
    if type(value) is dict:
        found = value.get(key)
        if type(found) is str:
            return found
    return ""


def optional_text(value: object, key: str) -> str | None:
    """The non-empty string under `key`, or None."""
    if type(value) is dict:
        found = value.get(key)
        if type(found) is str:
            return found or None
    return None


def dict_in(value: object, key: str) -> dict[str, Any]:
    """The object under `key`, or an empty one."""
    if type(value) is dict:
        found = value.get(key)
        if type(found) is dict:
            return found
    return {}


def list_in(value: object, key: str) -> list[Any]:
    """The array under `key`, or an empty one."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def parse_time(value: object) -> datetime | None:
    """An aware time in UTC from an ISO 8601 string or from seconds or milliseconds since the epoch."""
    try:
        if type(value) is str:
            time = datetime.fromisoformat(value)
            if time.tzinfo is UTC:
                return time
            return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def uuid7_time(value: object) -> datetime | None:
    """The time inside a version 7 UUID, or None for anything else."""
    if not isinstance(value, str) or len(value) != 36 or value[14] != "7":
        return None
    try:
        return datetime.fromtimestamp(int(value[:8] + value[9:13], 16) / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def strip_blobs(text: str) -> str:
    """Replace base64 data inside a text by a marker."""
    if ";base64" in text:
        text = _BASE64_URL.sub(IMAGE, text)
    if (
        len(text) > _BLOB
        and text[0] in "{["
        and _may_hold_blob(text)
        and ('data"' in text or 'data\\"' in text or 'base64"' in text)
    ):
        text = _BASE64_FIELD.sub(rf"\g<1>{IMAGE}", text)
    return text


def _may_hold_blob(text: str) -> bool:
    """Whether some `_BLOB` characters in a row are free of blanks. Looking from the right end of each window for its
    last blank takes a few steps where looking for the words around a blob reads everything."""
    start, length = 0, len(text) - _BLOB
    while start <= length:
        blank = text.rfind(" ", start, start + _BLOB)
        if blank < 0:
            return True
        start = blank + 1
    return False


def blocks_text(content: object) -> str:
    """The text of a message's content: a string, a block, or a list of blocks. Images become a marker."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        if len(content) == 1:
            return block_text(content[0])
        return "\n".join([part for block in content if (part := block_text(block))])
    return block_text(content)


def block_text(block: object) -> str:
    """The text of one content block, a marker for an image or a document, or ""."""
    if isinstance(block, str):
        return block
    if not isinstance(block, dict):
        return ""
    kind = block.get("type")
    if kind == "text":
        text = block.get("text")
        return text if isinstance(text, str) else ""
    if isinstance(kind, str) and "image" in kind:
        return IMAGE
    if kind == "document":
        return "[document]"
    if kind == "tool_reference":
        return f"[tool {text_in(block, 'tool_name')}]"
    text = block.get("text")
    return text if isinstance(text, str) else ""


def dump(value: object) -> str:
    """Compact JSON of a decoded value, keys in their order."""
    try:
        return orjson.dumps(value).decode()
    except (TypeError, ValueError):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def call_text(arguments: object) -> str:
    """How a tool call reads: the command where it runs one, else its arguments as JSON."""
    if type(arguments) is str:
        decoded = decode_json(arguments) if arguments[:1] == "{" else None
        if type(decoded) is not dict:
            return strip_blobs(arguments)
        arguments = decoded
    if type(arguments) is dict:
        command = arguments.get("command") or arguments.get("cmd")
        if command and (text := command if type(command) is str else command_text(command)):
            return text
    return strip_blobs(dump(arguments))


def command_text(command: object) -> str:
    """A shell command as a person would type it; a list that only wraps a shell is unwrapped."""
    if isinstance(command, str):
        return command
    if not isinstance(command, list) or not command:
        return ""
    if len(command) == 3 and command[1] in _SHELL_FLAGS and command[0] in _SHELLS and isinstance(command[2], str):
        return command[2]
    return shlex.join(command) if all(isinstance(part, str) for part in command) else ""


def decode_json(text: str) -> object:
    """The value that a string holds as JSON, or None."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def exit_status_in(text: str) -> int | None:
    """The exit status that a tool result states in its first or last lines, or None."""
    status = _first_exit_status(text[:_HEAD])
    if status is None and len(text) > _HEAD:
        status = _first_exit_status(text[-_TAIL:])
    return status


def _first_exit_status(text: str) -> int | None:
    """The first line that states a status. Every wording holds "xit", so that only lines with it are looked at."""
    found = text.find("xit")
    while found >= 0:
        if match := _EXIT.match(text, text.rfind("\n", 0, found) + 1):
            return int(match.group(1))
        found = text.find("xit", found + 3)
    return None


def strings_in(value: object) -> Iterator[str]:
    """Every string in a list, or the string itself."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (item for item in value if isinstance(item, str))
