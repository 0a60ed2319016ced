"""opencode's sessions: a SQLite database since 1.2.0, a tree of JSON files before, or an exported document.

``$XDG_DATA_HOME/opencode`` (default ``~/.local/share/opencode``; ``$OPENCODE_DB`` names a database elsewhere). Many
installations were migrated only in part, so both are read; a session that the database holds is taken from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from slowwave.errors import RolloutError, RolloutUnreadable
from slowwave.rollouts.agents.opencode_database import database_records, database_sessions
from slowwave.rollouts.agents.opencode_tree import tree_records, tree_sessions
from slowwave.rollouts.base import BaseReader, log_file, open_log
from slowwave.rollouts.lines import MAX_LINE, Record
from slowwave.rollouts.model import ItemKind, LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.stores.databases import SQLITE_MAGIC
from slowwave.rollouts.values import (
    call_text,
    decode_json,
    dict_in,
    exit_status_in,
    list_in,
    optional_text,
    parse_time,
    squeezed,
    strip_blobs,
    text_in,
)
from slowwave.storage.types import SessionKind
from slowwave.text.authors import authorship

_DROPPED_PARTS = frozenset(
    {
        "step-start",
        "step-finish",
        "patch",
        "snapshot",
        "agent",
        "subtask",
        "retry",
        "compaction",
        "file",
        "reasoning",
    }
)


class OpencodePass(LogPass):
    """One pass over an opencode session."""

    def __init__(self, log: LogFile) -> None:
        session_id = log.key.rsplit("#", 1)[-1] if "#" in log.key else log.path.stem
        super().__init__(log, session_id)
        self.reverted_from: str | None = None


class OpencodeReader(BaseReader):
    """Reader of opencode sessions."""

    agent = "opencode"

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Sessions of every database, then those of the older tree that no database holds."""
        base, other = env.get("XDG_DATA_HOME", "").strip(), env.get("OPENCODE_ROOT", "").strip()
        root = Path(other) if other else (Path(base) if base else home / ".local" / "share") / "opencode"
        databases = sorted(root.glob("*.db" if other else "opencode*.db")) if root.is_dir() else []
        if named := env.get("OPENCODE_DB", "").strip():
            databases = [Path(named) if Path(named).is_absolute() else root / named]
        held: set[str] = set()
        for database in databases:
            try:
                for log in database_sessions(database, self.agent):
                    held.add(log.key.rsplit("#", 1)[-1])
                    yield log
            except RolloutError:
                yield from _as_itself(database, self.agent)
        for log in tree_sessions(root, self.agent):
            if log.path.stem not in held and log.path.stem.removeprefix("ses_") not in held:
                yield log

    def recognises(self, head: bytes) -> bool:
        """A database with this agent's tables, a session document, or an exported session."""
        head = squeezed(head)
        if head.startswith(SQLITE_MAGIC):
            return all(name in head for name in (b"session_id", b"message_id", b"project_id"))
        start = head[:4096]
        return start.startswith(b"{") and (
            (b'"projectID"' in start and b'"directory"' in start) or (b'"info"' in start and b'"projectID"' in start)
        )

    def begin(self, log: LogFile) -> OpencodePass:
        """Start a pass."""
        return OpencodePass(log)

    def records(self, log: LogFile, state: LogPass) -> Iterator[Record]:
        """The session as `{"session": ...}`, then messages as `{"info": ..., "parts": [...]}`."""
        with open_log(log.path) as stream:
            head = stream.read(16)
        if head.startswith(SQLITE_MAGIC):
            if "#" not in log.key:
                raise RolloutUnreadable(f"{log.path} holds many sessions; name one of them")
            yield from database_records(log.path, log.key.rsplit("#", 1)[1])
            return
        document = self._document(log, state)
        if isinstance(document.get("messages"), list):
            yield {"session": dict_in(document, "info")}
            yield from (message for message in document["messages"] if isinstance(message, dict))
        else:
            yield {"session": document}
            yield from tree_records(log.path, document, state.facts)

    def _document(self, log: LogFile, state: LogPass) -> dict[str, Any]:
        with open_log(log.path) as stream:
            document = decode_json(stream.read(MAX_LINE).decode("utf-8", "replace").removeprefix("\ufeff"))
        if not isinstance(document, dict):
            state.facts.damaged += 1
            return {"id": state.facts.session_id}
        return document

    def take(self, state: LogPass, record: Record) -> None:
        """Feed the session or one message to the pass."""
        assert isinstance(state, OpencodePass)
        if "session" in record:
            self._session(state, dict_in(record, "session"))
            return
        info = dict_in(record, "info")
        uid = optional_text(info, "id")
        if state.is_repeat(uid):
            return
        first = state.next_index
        role = text_in(info, "role")
        if role == "assistant":
            self._assistant(state, info)
        if role not in ("user", "assistant"):
            state.unknown(f"message/{role}")
        elif info.get("summary") is True:
            state.drop("summary")
        else:
            for part in list_in(record, "parts"):
                self._part(state, part, info, role)
        if state.reverted_from is not None and uid is not None and uid >= state.reverted_from:
            state.undo(range(first, state.next_index))

    def _session(self, state: OpencodePass, session: dict[str, Any]) -> None:
        facts = state.facts
        facts.session_id = optional_text(session, "id") or facts.session_id
        facts.title = optional_text(session, "title")
        facts.cwd = state.cwd = optional_text(session, "directory")
        facts.started = parse_time(dict_in(session, "time").get("created"))
        facts.parent_session_id = optional_text(session, "parentID")
        if facts.parent_session_id:
            facts.kind = SessionKind.SUBAGENT
        state.reverted_from = optional_text(dict_in(session, "revert"), "messageID")

    def _assistant(self, state: OpencodePass, info: dict[str, Any]) -> None:
        model = optional_text(info, "modelID") or optional_text(dict_in(info, "model"), "modelID")
        state.facts.model = model or state.facts.model
        if cwd := optional_text(dict_in(info, "path"), "cwd"):
            state.cwd = cwd

    def _part(self, state: OpencodePass, part: Any, info: dict[str, Any], role: str) -> None:
        kind = text_in(part, "type")
        uid = optional_text(part, "id")
        part = part if isinstance(part, dict) else {}
        time = parse_time(dict_in(part, "time").get("start")) or parse_time(dict_in(info, "time").get("created"))
        if kind == "text":
            if part.get("synthetic") is True or part.get("ignored") is True:
                state.drop("synthetic")
            elif role == "user":
                state.add_authored(authorship(text_in(part, "text")), time=time, uid=uid)
            else:
                state.add(ItemKind.ASSISTANT_TEXT, text_in(part, "text"), time=time, uid=uid)
        elif kind == "tool":
            self._tool(state, part, info, uid)
        elif kind in _DROPPED_PARTS:
            state.drop(f"part:{kind}")
        else:
            state.unknown(f"part/{kind}")

    def _tool(self, state: OpencodePass, part: dict[str, Any], info: dict[str, Any], uid: str | None) -> None:
        run = dict_in(part, "state")
        name, call_id = text_in(part, "tool"), optional_text(part, "callID")
        created = parse_time(dict_in(info, "time").get("created"))
        time = parse_time(dict_in(run, "time").get("start")) or created
        state.add(ItemKind.TOOL_CALL, call_text(run.get("input")), time=time, tool=name, call_id=call_id, uid=uid)
        status = text_in(run, "status")
        if status not in ("completed", "error"):
            state.drop(f"tool:{status or 'pending'}")
            return
        text = strip_blobs(text_in(run, "error") if status == "error" else text_in(run, "output"))
        metadata = dict_in(run, "metadata")
        found = metadata.get("exit", metadata.get("exitCode"))
        exit_status = found if type(found) is int else (exit_status_in(text) if status == "error" else None)
        state.add(
            ItemKind.TOOL_RESULT,
            text,
            time=parse_time(dict_in(run, "time").get("end")) or time,
            tool=name,
            call_id=call_id,
            exit_status=exit_status,
            failed=status == "error" or bool(exit_status),
            uid=uid,
        )


def _as_itself(database: Path, agent: str) -> Iterator[LogFile]:
    """A database that cannot be opened is listed as one log, so that reading it reports why."""
    try:
        yield log_file(agent, database)
    except RolloutError:
        return
