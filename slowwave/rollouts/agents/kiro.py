"""Kiro CLI's sessions: JSON lines, or a SQLite database (as Amazon Q's command line kept it before).

``~/.kiro/sessions/cli/<id>.jsonl`` with `<id>.json` beside it; ``~/.local/share/kiro-cli/data.sqlite3``. Form as public
readers of it describe it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from slowwave.rollouts.blocks import MessagePass
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.stores.databases import DatabaseReader, decoded_object, session_in
from slowwave.rollouts.stores.documents import beside
from slowwave.rollouts.values import dict_in, list_in, optional_text, parse_time, squeezed, text_in
from slowwave.rollouts.walk import files_below

_ROLES = {"Prompt": "user", "AssistantMessage": "assistant", "ToolResults": "tool"}


class KiroReader(DatabaseReader):
    """Reader of Kiro CLI's sessions."""

    agent = "kiro"
    older_lines = True
    table = "conversations_v2"
    words = (b"conversations_v2", b"conversation_id")
    listing = (
        "SELECT conversation_id, max(length(value)), max(updated_at) FROM conversations_v2 GROUP BY conversation_id"
    )

    def databases(self, env: Mapping[str, str], home: Path) -> Iterable[Path]:
        """The database of each system, under both of its names."""
        base = env.get("XDG_DATA_HOME", "").strip()
        data = [Path(base) if base else home / ".local" / "share", home / "Library" / "Application Support"]
        return [place / name / "data.sqlite3" for place in data for name in ("kiro-cli", "amazon-q")]

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Files, then sessions of a database that no file holds."""
        named = env.get("SLOWWAVE_KIRO_ROOT", "").strip()
        held: set[str] = set()
        root = (Path(named) if named else home / ".kiro") / "sessions" / "cli"
        for log in files_below(root, self.agent, (".jsonl",), depth=1):
            held.add(log.path.stem)
            yield log
        yield from (log for log in super().discover(env, home) if session_in(log) not in held)

    def recognises(self, head: bytes) -> bool:
        """The database, or rows of a kind and data."""
        start = squeezed(head)[:8192]
        return super().recognises(head) or (
            b'"kind":"Prompt"' in start and b'"data":{' in start and b'"content":' in start
        )

    def begin(self, log: LogFile) -> MessagePass:
        """Start a pass; a file's own record names the folder."""
        state = MessagePass(log, session_in(log))
        facts = state.facts
        if "#" not in log.key:
            item = beside(log.path.with_suffix(".json"))
            facts.session_id = optional_text(item, "session_id") or facts.session_id
            facts.cwd = state.cwd = optional_text(item, "cwd")
            facts.title = optional_text(item, "title")
            facts.started = parse_time(item.get("created_at")) if isinstance(item, dict) else None
        return state

    def rows(self, connection: Connection, session_id: str, state: LogPass) -> Iterator[Record]:
        """The newest form of the session: one entry a turn."""
        query = "SELECT key, value FROM conversations_v2 WHERE conversation_id = ? ORDER BY updated_at DESC LIMIT 1"
        row = connection.execute(query, (session_id,)).fetchone()
        state.cwd = state.facts.cwd = str(row["key"]) if row and str(row["key"]).startswith("/") else None
        yield from (turn for turn in list_in(decoded_object(row["value"] if row else None), "history"))

    def take(self, state: LogPass, record: Record) -> None:
        """Feed one row or turn to the pass."""
        assert isinstance(state, MessagePass)
        if "user" in record:
            self._turn(state, record)
            return
        kind, data = text_in(record, "kind"), dict_in(record, "data")
        if kind not in _ROLES:
            state.drop(kind[:30]) if kind else state.unknown(kind)
            return
        uid = optional_text(data, "message_id")
        if state.is_repeat(uid and f"{kind}:{uid}"):
            return
        state.message(
            _ROLES[kind], data.get("content"), time=parse_time(dict_in(data, "meta").get("timestamp")), uid=uid
        )

    def _turn(self, state: MessagePass, turn: Record) -> None:
        user, content = dict_in(turn, "user"), dict_in(dict_in(turn, "user"), "content")
        time = parse_time(user.get("timestamp"))
        folder = dict_in(dict_in(user, "env_context"), "env_state")
        state.cwd = optional_text(folder, "current_working_directory") or state.cwd
        state.facts.cwd = state.facts.cwd or state.cwd
        for body in content.values():
            results = [
                {"type": "tool_result"} | one for one in list_in(body, "tool_use_results") if isinstance(one, dict)
            ]
            if results:
                state.message("tool", results, time=time)
            if prompt := text_in(body, "prompt"):
                state.message("user", prompt, time=time)
        at = parse_time(dict_in(turn, "request_metadata").get("stream_end_timestamp_ms")) or time
        for answer in dict_in(turn, "assistant").values():
            uses: list[dict[str, Any]] = [{"type": "tool_use"} | use for use in list_in(answer, "tool_uses")]
            uid = optional_text(answer, "message_id")
            state.message("assistant", text_in(answer, "content"), time=at, uid=uid, calls=uses)
