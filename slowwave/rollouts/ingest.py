"""Bring a log into the generic form and keep it where the generic reader finds it."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from slowwave.errors import RolloutUnreadable
from slowwave.private import make_private_folder
from slowwave.rollouts.agents.generic import FORMAT, VERSION, GenericReader, ingest_folder
from slowwave.rollouts.base import log_file
from slowwave.rollouts.model import Item, ItemKind, LogFile, Reader, Role, SessionFacts

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def ingest(source: Path, reader: Reader, home: Path, redact: Callable[[str], str]) -> tuple[LogFile, SessionFacts]:
    """Keep a session in the generic form and return its new log with its facts.

    What is kept are the normalised items, redacted: text that no person typed stays marked as such, and secrets stay
    where they were. The same session replaces its earlier copy, atomically.

    Raises:
        RolloutUnreadable: it holds nothing to keep, or its header is missing.
        RolloutVanished: it is gone.
        RedactionError: a text could not be scanned; nothing was written.
    """
    log = log_file(reader.agent, source)
    facts = reader.scan(log)
    if not sum(facts.items.values()):
        raise RolloutUnreadable(f"{source} holds no conversation", hint="`slowwave show FILE` says what was dropped.")
    if isinstance(reader, GenericReader):
        if not facts.dropped["session"]:
            raise RolloutUnreadable(f"{source} has no session header", hint="docs/readers.md describes the form.")
        session_id = facts.session_id
    else:
        session_id = f"{facts.agent}-{facts.session_id}"
    target = ingest_folder(home) / f"{_UNSAFE.sub('_', session_id)[:150]}.jsonl"
    _write(target, _converted(session_id, facts, reader.items(log, facts), redact))
    stored = log_file(GenericReader.agent, target)
    return stored, GenericReader(home).scan(stored)


def _converted(
    session_id: str, facts: SessionFacts, items: Iterator[Item], redact: Callable[[str], str]
) -> Iterator[bytes]:
    header = {
        "type": "session",
        "format": FORMAT,
        "version": VERSION,
        "id": session_id,
        "agent": facts.agent,
        "kind": str(facts.kind),
        "cwd": facts.cwd,
        "remote": facts.remote,
        "commit": facts.commit,
        "branch": facts.branch,
        "title": redact(facts.title) if facts.title else None,
        "model": facts.model,
        "started": facts.started.isoformat() if facts.started else None,
    }
    yield _line(header)
    for item in items:
        yield _line(_row(replace(item, text=redact(item.text))))


def _row(item: Item) -> dict[str, Any]:
    row: dict[str, Any] = {"id": f"{item.index}", "cwd": item.cwd}
    row["time"] = item.time.isoformat() if item.time else None
    if item.kind is ItemKind.SUMMARY:
        return {"type": "summary", "text": item.text, **row}
    if item.kind is ItemKind.TOOL_CALL:
        block: dict[str, Any] = {"type": "tool_use", "id": item.call_id or "", "name": item.tool or "tool"}
        block["input"] = {"command": item.text}
        return {"type": "message", "role": "assistant", "content": [block], **row}
    if item.kind is ItemKind.TOOL_RESULT:
        result: dict[str, Any] = {"type": "tool_result", "tool_use_id": item.call_id or "", "content": item.text}
        result |= {"exit_status": item.exit_status} if item.exit_status is not None else {}
        result |= {"is_error": item.failed} if item.failed is not None else {}
        return {"type": "message", "role": "user", "content": [result], **row}
    role = Role.ASSISTANT if item.kind is ItemKind.ASSISTANT_TEXT else Role.USER
    content = {"type": "message", "role": role.value, "content": item.text, **row}
    return content | {"injected": True} if item.kind is ItemKind.CONTEXT else content


def _line(row: dict[str, Any]) -> bytes:
    kept = {key: value for key, value in row.items() if value is not None}
    return json.dumps(kept, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _write(target: Path, lines: Iterator[bytes]) -> None:
    make_private_folder(target.parent)
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=".ingest-")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.writelines(lines)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
