"""Cursor's databases: the editor's `state.vscdb` (composers and their bubbles), the command line's `store.db`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

from slowwave.errors import RolloutError, RolloutVanished
from slowwave.rollouts.agents.cursor_workspaces import COMPOSERS, document, workspace_session, workspace_sessions
from slowwave.rollouts.base import log_file
from slowwave.rollouts.blocks import RESULT, Part
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import ASSISTANT_TEXT, LogFile
from slowwave.rollouts.stores.databases import columns, decoded_object, read_only
from slowwave.rollouts.stores.documents import beside
from slowwave.rollouts.stores.workspaces import editor_folders, folder_of, workspace_folder
from slowwave.rollouts.values import decode_json, dict_in, list_in, optional_text, parse_time, text_in
from slowwave.text.authors import Authorship, authorship

if TYPE_CHECKING:
    from slowwave.rollouts.agents.cursor import CursorPass

_NAMES = ("Cursor", "Cursor - Insiders", "Cursor Nightly")
_COMPOSERS = """
    SELECT substr(c.key, 14) AS id, c.value,
           (SELECT count(*) FROM cursorDiskKV b
            WHERE b.key >= 'bubbleId:' || substr(c.key, 14) || ':' AND b.key < 'bubbleId:' || substr(c.key, 14) || ';')
    FROM cursorDiskKV c WHERE c.key >= 'composerData:' AND c.key < 'composerData;'
"""
_PERSON, _AGENT = 1, 2
_FIRST_YEAR = 1_600_000_000_000
_FAILED = frozenset({"error", "cancelled", "rejected"})


def is_cursors(head: bytes) -> bool:
    """Tell Cursor's databases from others by their tables."""
    return b"cursorDiskKV" in head or (b"CREATE TABLE blobs" in head and b"CREATE TABLE meta" in head)


def editor_sessions(env: Mapping[str, str], home: Path, agent: str) -> Iterator[LogFile]:
    """The editor's sessions that have messages, with the time of each one's last change."""
    for folder in editor_folders(env, home, _NAMES):
        yield from workspace_sessions(folder / "workspaceStorage", agent)
        path = folder / "globalStorage" / "state.vscdb"
        if not path.is_file():
            continue
        try:
            with read_only(path) as connection:
                inode = path.stat().st_ino
                for row in connection.execute(_COMPOSERS) if columns(connection, "cursorDiskKV") else ():
                    data = decoded_object(row["value"])
                    count = max(row[2], len(list_in(data, "conversation")))
                    newest = data.get("lastUpdatedAt") or data.get("createdAt")
                    newest = newest if isinstance(newest, int | float) else 0
                    if count:
                        size = count * 1000 + len(row["value"] or "")
                        yield LogFile(agent, path, f"{path}#{row['id']}", size, int(newest) * 1_000_000, inode)
        except RolloutError:
            yield log_file(agent, path)


def database_records(log: LogFile, state: CursorPass) -> Iterator[Record]:
    """Bubbles of one of the editor's sessions, or messages of the command line's only one."""
    with read_only(log.path) as connection:
        if columns(connection, "blobs"):
            yield from _messages(connection, state)
        else:
            yield from _composer(connection, state)


def _composer(connection: Connection, state: CursorPass) -> Iterator[Record]:
    session = state.facts.session_id
    data = workspace_session(connection, session)
    if data is None and columns(connection, "cursorDiskKV"):
        key = f"composerData:{session}"
        row = connection.execute("SELECT value FROM cursorDiskKV WHERE key = ?", (key,)).fetchone()
        data = decoded_object(row[0]) if row else None
    if data is None:
        raise RolloutVanished(f"session {session} is gone from {state.log.path}")
    facts = state.facts
    facts.title = optional_text(data, "name")
    facts.started = parse_time(data.get("createdAt"))
    facts.last_activity = parse_time(data.get("lastUpdatedAt"))
    facts.model = optional_text(dict_in(data, "modelConfig"), "modelName")
    facts.cwd = state.cwd = _folder(state, data) if state.hashing else state.cwd
    if dict_in(data, "subagentInfo"):
        facts.parent_session_id = optional_text(dict_in(data, "subagentInfo"), "parentComposerId")
        facts.kind = type(facts.kind)("subagent")
    if older := list_in(data, "conversation"):
        yield from (bubble for bubble in older if isinstance(bubble, dict))
        return
    prefix = f"bubbleId:{session}:"
    query = "SELECT key, value FROM cursorDiskKV WHERE key >= ? AND key < ?"
    found = connection.execute(query, (prefix, prefix[:-1] + ";"))
    bubbles = {key[len(prefix) :]: decoded_object(value) for key, value in found}
    order = [text_in(header, "bubbleId") for header in list_in(data, "fullConversationHeadersOnly")]
    for uid in order or sorted(bubbles, key=lambda uid: str(bubbles[uid].get("createdAt"))):
        if bubble := bubbles.get(uid):
            yield bubble | {"bubbleId": uid}
        else:
            facts.dropped["missing"] += 1


def take_bubble(state: CursorPass, bubble: Record) -> None:
    """Add a bubble: the person's text, or the agent's with its tool call."""
    uid = optional_text(bubble, "bubbleId")
    if state.is_repeat(uid):
        return
    time = time_of(bubble)
    text = text_in(bubble, "text")
    if bubble.get("type") == _PERSON:
        state.add_authored(Authorship("") if not text.strip() else authorship(text), time=time, uid=uid)
    elif bubble.get("type") == _AGENT:
        if dict_in(bubble, "thinking"):
            state.drop("reasoning")
        state.add(ASSISTANT_TEXT, text, time=time, uid=uid)
        call = dict_in(bubble, "toolFormerData")
        if text_in(call, "name"):
            _tool(state, call, time, uid)
        elif call:
            state.drop("tool:unnamed")
    else:
        state.unknown(f"bubble/{bubble.get('type')}")


def _tool(state: CursorPass, call: dict[str, Any], time: datetime | None, uid: str | None) -> None:
    call_id = text_in(call, "toolCallId").split("\n", 1)[0]
    state.call(text_in(call, "name"), call.get("rawArgs") or call.get("params"), call_id, time=time, uid=uid)
    status, result = text_in(call, "status"), call.get("result") or call.get("error")
    if result is None and status not in _FAILED:
        state.drop(f"tool:{status[:20] or 'pending'}")
        return
    value = decode_json(result) if isinstance(result, str) and result[:1] == "{" else result
    exit_status = value.get("exitCode", value.get("exitCodeV2")) if isinstance(value, dict) else None
    exit_status = exit_status if type(exit_status) is int else None
    failed = status in _FAILED or bool(exit_status)
    state.result(Part(RESULT, "", "", call_id, value or result, failed, exit_status), time, uid)


def _folder(state: CursorPass, data: dict[str, Any]) -> str | None:
    """The folder that the session names, or that of the workspace whose own list has it."""
    uri = dict_in(dict_in(data, "workspaceIdentifier"), "uri")
    if found := optional_text(uri, "fsPath") or folder_of(text_in(uri, "external")):
        return found
    if state.log.path.parent.parent.name == "workspaceStorage":
        return workspace_folder(state.log.path.parent)
    storages = state.log.path.parent.parent / "workspaceStorage"
    for storage in sorted(storages.iterdir()) if storages.is_dir() else ():
        try:
            with read_only(storage / "state.vscdb") as connection:
                listed = list_in(document(connection, COMPOSERS), "allComposers")
        except RolloutError:
            continue
        if any(text_in(composer, "composerId") == state.facts.session_id for composer in listed):
            return workspace_folder(storage)
    return None


def _messages(connection: Connection, state: CursorPass) -> Iterator[Record]:
    """JSON blobs in the order they were written; the others are the turn graph, which holds no words of its own."""
    row = connection.execute("SELECT value FROM meta WHERE key = '0'").fetchone()
    meta = _meta(row[0] if row else None)
    beside_it = beside(state.log.path.parent / "meta.json")
    facts = state.facts
    facts.title = optional_text(beside_it, "title") or optional_text(meta, "name")
    facts.started = parse_time(beside_it.get("createdAtMs") if isinstance(beside_it, dict) else meta.get("createdAt"))
    facts.model = optional_text(meta, "lastUsedModel")
    facts.cwd = state.cwd = optional_text(meta, "workspacePath")
    for blob in connection.execute("SELECT data FROM blobs ORDER BY rowid"):
        if (message := decoded_object(blob[0])) and text_in(message, "role"):
            yield message
        else:
            facts.dropped["graph"] += 1


def _meta(value: object) -> dict[str, Any]:
    if isinstance(value, str) and not value.startswith("{"):
        try:
            value = bytes.fromhex(value)
        except ValueError:
            return {}
    return decoded_object(value)


def time_of(record: Record) -> datetime | None:
    """When a bubble or a message was written."""
    written = record.get("createdAt") or dict_in(record, "timingInfo").get("clientRpcSendTime")
    # Other times of a bubble count from the editor's start.
    return None if isinstance(written, int | float) and written < _FIRST_YEAR else parse_time(written)
