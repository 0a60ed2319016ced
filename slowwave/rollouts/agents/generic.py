"""The documented form for agents that have no reader: docs/readers.md and generic.schema.json describe it.

One JSON object a line: a `session` header, then messages in the shape of the Messages API, shorthand `tool` rows,
summaries and rollbacks. Files lie in ``$SLOWWAVE_HOME/ingest`` (where ``slowwave ingest`` puts them) or in the folders
that ``$SLOWWAVE_GENERIC_LOGS`` lists.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from slowwave.paths import slowwave_home
from slowwave.rollouts.base import BaseReader
from slowwave.rollouts.identity.remotes import without_credentials
from slowwave.rollouts.lines import Record
from slowwave.rollouts.messages import message_authorship
from slowwave.rollouts.model import ItemKind, LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.values import (
    block_text,
    blocks_text,
    call_text,
    optional_text,
    parse_time,
    squeezed,
    strip_blobs,
    text_in,
)
from slowwave.rollouts.walk import files_below
from slowwave.storage.types import SessionKind
from slowwave.text.authors import authorship

FORMAT = "slowwave"
VERSION = 1
FOLDERS_VARIABLE = "SLOWWAVE_GENERIC_LOGS"
SCHEMA = Path(__file__).with_name("generic.schema.json")


class GenericPass(LogPass):
    """One pass over a log in the generic form."""

    def __init__(self, log: LogFile) -> None:
        super().__init__(log, log.path.stem)
        self.has_header = False
        self.tools: dict[str, str] = {}


class GenericReader(BaseReader):
    """Reader of the generic form."""

    agent = "generic"

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Files that were ingested, and those in the configured folders."""
        folders = [Path(part) for part in env.get(FOLDERS_VARIABLE, "").split(os.pathsep) if part.strip()]
        for folder in (ingest_folder(slowwave_home(env)), *folders):
            yield from files_below(folder, self.agent, (".jsonl",), depth=4)

    def recognises(self, head: bytes) -> bool:
        """A header with this form's name."""
        head = squeezed(head)
        line = head.split(b"\n", 1)[0]
        return b'"type":"session"' in line and b'"format":"slowwave"' in line

    def begin(self, log: LogFile) -> GenericPass:
        """Start a pass."""
        return GenericPass(log)

    def take(self, state: LogPass, record: Record) -> None:
        """Feed one row to the pass."""
        assert isinstance(state, GenericPass)
        kind = text_in(record, "type")
        if kind == "session":
            self._header(state, record)
            return
        uid = optional_text(record, "id")
        if state.is_repeat(uid):
            return
        time = parse_time(record.get("time"))
        state.cwd = optional_text(record, "cwd") or state.cwd
        if kind == "message":
            self._message(state, record, time, uid)
        elif kind == "tool":
            self._tool(state, record, time, uid)
        elif kind == "summary" and not state.next_index:
            state.add(ItemKind.SUMMARY, text_in(record, "text"), time=time, uid=uid)
        elif kind == "summary":
            state.drop("summary")
        elif kind == "rollback":
            turns = record.get("turns")
            state.undo_last(turns if type(turns) is int else 0)
            state.drop("rollback")
        else:
            state.unknown(kind)

    def _header(self, state: GenericPass, record: Record) -> None:
        state.drop("session")
        if state.has_header:
            return
        state.has_header = True
        facts = state.facts
        facts.session_id = optional_text(record, "id") or facts.session_id
        facts.cwd = state.cwd = optional_text(record, "cwd")
        facts.branch = optional_text(record, "branch")
        remote = optional_text(record, "remote")
        facts.remote = without_credentials(remote) if remote else None
        facts.commit = optional_text(record, "commit")
        facts.title = optional_text(record, "title")
        facts.model = optional_text(record, "model")
        facts.parent_session_id = optional_text(record, "parent")
        facts.started = parse_time(record.get("started"))
        kind = text_in(record, "kind")
        if kind in {member.value for member in SessionKind}:
            facts.kind = SessionKind(kind)

    def _message(self, state: GenericPass, record: Record, time: datetime | None, uid: str | None) -> None:
        role = text_in(record, "role")
        if role not in ("user", "assistant"):
            state.drop(f"role:{role[:20]}")
            return
        content = record.get("content")
        blocks: list[Any] = content if isinstance(content, list) else [{"type": "text", "text": content}]
        if role == "user" and not any(text_in(block, "type") == "tool_result" for block in blocks):
            state.add_authored(message_authorship(blocks, injected=record.get("injected") is True), time=time, uid=uid)
            return
        for block in blocks:
            kind = text_in(block, "type")
            if kind == "text" and role == "assistant":
                state.add(ItemKind.ASSISTANT_TEXT, block_text(block), time=time, uid=uid)
            elif kind == "text":
                state.add_authored(authorship(block_text(block)), time=time, uid=uid)
            elif kind == "tool_use":
                name, call_id = text_in(block, "name"), text_in(block, "id")
                state.tools[call_id] = name
                text = call_text(block.get("input"))
                state.add(ItemKind.TOOL_CALL, text, time=time, tool=name, call_id=call_id, uid=uid)
            elif kind == "tool_result":
                self._result(state, block, time, uid)
            else:
                state.drop(f"block:{kind[:20]}")

    def _result(self, state: GenericPass, block: dict[str, Any], time: datetime | None, uid: str | None) -> None:
        call_id = text_in(block, "tool_use_id")
        state.add(
            ItemKind.TOOL_RESULT,
            strip_blobs(blocks_text(block.get("content"))),
            time=time,
            tool=state.tools.pop(call_id, None),
            call_id=call_id or None,
            exit_status=_status(block),
            failed=_failed(block),
            uid=uid,
        )

    def _tool(self, state: GenericPass, record: Record, time: datetime | None, uid: str | None) -> None:
        name = optional_text(record, "name")
        text = text_in(record, "command") or call_text(record.get("input", {}))
        state.add(ItemKind.TOOL_CALL, text, time=time, tool=name, uid=uid)
        if "output" in record:
            output = strip_blobs(blocks_text(record["output"]))
            state.add(
                ItemKind.TOOL_RESULT,
                output,
                time=time,
                tool=name,
                exit_status=_status(record),
                failed=_failed(record),
                uid=uid,
            )


def ingest_folder(home: Path) -> Path:
    """Where `slowwave ingest` puts logs in the generic form."""
    return home / "ingest"


def _status(row: dict[str, Any]) -> int | None:
    status = row.get("exit_status")
    return status if type(status) is int else None


def _failed(row: dict[str, Any]) -> bool | None:
    for key in ("failed", "is_error"):
        value = row.get(key)
        if isinstance(value, bool):
            return value
    status = _status(row)
    return None if status is None else status != 0
