"""Zed's threads: a SQLite database whose rows hold JSON, mostly compressed.

``~/.local/share/zed/threads/threads.db`` (``$XDG_DATA_HOME``; on macOS ``~/Library/Application Support/Zed``). Both
forms of a thread that the public source has (`thread.rs`, `legacy_thread.rs`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from sqlite3 import Connection

import zstandard

from slowwave.errors import RolloutVanished
from slowwave.rollouts.blocks import CALL, MessagePass, parts_of
from slowwave.rollouts.lines import MAX_LINE, Record
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.stores.databases import DatabaseReader, session_in
from slowwave.rollouts.stores.documents import decoded
from slowwave.rollouts.values import dict_in, list_in, optional_text, parse_time, text_in
from slowwave.storage.types import SessionKind

_MESSAGE = re.compile(r'\{\s*"(?:User|Agent|id)"\s*:')


class ZedReader(DatabaseReader):
    """Reader of Zed's threads."""

    agent = "zed"
    table = "threads"
    words = (b"CREATE TABLE", b"threads", b"data_type", b"summary")
    listing = """
        SELECT id, length(data), CAST(strftime('%s', updated_at) AS INTEGER) * 1000 FROM threads
    """

    def databases(self, env: Mapping[str, str], home: Path) -> Iterable[Path]:
        """The database of each system."""
        base = env.get("XDG_DATA_HOME", "").strip()
        places = [Path(base) / "zed" if base else home / ".local" / "share" / "zed"]
        places += [home / "Library" / "Application Support" / "Zed", home / "AppData" / "Local" / "Zed"]
        return [place / "threads" / "threads.db" for place in places]

    def begin(self, log: LogFile) -> MessagePass:
        """Start a pass."""
        return MessagePass(log, session_in(log))

    def rows(self, connection: Connection, session_id: str, state: LogPass) -> Iterator[Record]:
        """The thread's own fields, then its messages."""
        row = connection.execute("SELECT * FROM threads WHERE id = ?", (session_id,)).fetchone()
        if row is None:
            raise RolloutVanished(f"thread {session_id} is gone from {state.log.path}")
        found = {key: row[key] for key in row.keys()}  # noqa: SIM118 - a row is no mapping
        data = found.pop("data")
        data = data.encode() if isinstance(data, str) else data or b""
        if found.get("data_type") == "zstd":
            try:
                data = zstandard.ZstdDecompressor().decompressobj().decompress(data)[: MAX_LINE + 1]
            except zstandard.ZstdError:
                state.facts.damaged += 1
                return
        thread = decoded(data, state.facts, "messages", _MESSAGE)
        yield {"thread": {key: value for key, value in thread.items() if key != "messages"} | found}
        yield from (message for message in list_in(thread, "messages") if isinstance(message, dict))

    def take(self, state: LogPass, record: Record) -> None:
        """Feed the thread's fields or one message to the pass."""
        assert isinstance(state, MessagePass)
        if thread := dict_in(record, "thread"):
            self._thread(state, thread)
        elif user := dict_in(record, "User"):
            state.message("user", user.get("content"), uid=optional_text(user, "id"))
        elif agent := dict_in(record, "Agent"):
            self._answer(state, agent)
        elif role := text_in(record, "role"):
            self._older(state, role, record)
        else:
            state.drop(next(iter(record), "")[:30] or "empty")

    def _thread(self, state: MessagePass, thread: Record) -> None:
        facts = state.facts
        facts.title = optional_text(thread, "title") or optional_text(thread, "summary")
        facts.model = optional_text(thread.get("model"), "model")
        facts.started = parse_time(thread.get("created_at"))
        facts.last_activity = parse_time(thread.get("updated_at"))
        facts.parent_session_id = optional_text(thread, "parent_id")
        facts.kind = SessionKind.SUBAGENT if facts.parent_session_id else facts.kind
        snapshots = list_in(dict_in(thread, "initial_project_snapshot"), "worktree_snapshots")
        folders = [
            *text_in(thread, "folder_paths").split("\n"),
            *(text_in(tree, "worktree_path") for tree in snapshots),
        ]
        facts.cwd = state.cwd = next((folder for folder in folders if folder), None)

    def _answer(self, state: MessagePass, agent: Record) -> None:
        """Results stand beside the content, by the id of their call."""
        results = dict_in(agent, "tool_results")
        for part in parts_of(agent.get("content")):
            if part.kind == CALL:
                state.call(part.name, part.value, part.call_id)
                if isinstance(result := results.get(part.call_id), dict):
                    block = result | {"type": "tool_result", "tool_use_id": part.call_id}
                    state.message("tool", [block])
        said = [block for block in list_in(agent, "content") if not (isinstance(block, dict) and "ToolUse" in block)]
        state.message("assistant", said)

    def _older(self, state: MessagePass, role: str, record: Record) -> None:
        if role == "assistant":
            state.message(role, record.get("segments"))
            for call in list_in(record, "tool_uses"):
                state.message(role, [{"type": "tool_use"} | call if isinstance(call, dict) else ""])
        else:
            state.message(role, record.get("segments"))
        for result in list_in(record, "tool_results"):
            state.message("tool", [{"type": "tool_result"} | result if isinstance(result, dict) else ""])
