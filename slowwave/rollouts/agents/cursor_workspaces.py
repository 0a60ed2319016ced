"""Cursor's older chats and composers, which each workspace's own `state.vscdb` holds as two documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from slowwave.errors import RolloutError
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.stores.databases import columns, decoded_object, read_only
from slowwave.rollouts.values import list_in, text_in

COMPOSERS = "composer.composerData"
_CHATS = "workbench.panel.aichat.view.aichat.chatdata"
_SPEAKERS = {"user": 1, "ai": 2}


def workspace_sessions(storages: Path, agent: str) -> Iterator[LogFile]:
    """Sessions that a workspace keeps in full. What cannot be read is passed over: most workspaces hold none."""
    for path in sorted(storages.glob("*/state.vscdb")):
        try:
            with read_only(path) as connection:
                inode = path.stat().st_ino
                for session, bubbles, newest in _sessions(connection):
                    size = sum(len(text_in(bubble, "text")) + 100 for bubble in bubbles)
                    at = int(newest) * 1_000_000 if isinstance(newest, int | float) else 0
                    yield LogFile(agent, path, f"{path}#{session}", size, at, inode)
        except (RolloutError, OSError):
            continue


def workspace_session(connection: Connection, session_id: str) -> Record | None:
    """One of them, its messages under `conversation`; None where there is no such session."""
    for session, bubbles, newest in _sessions(connection):
        if session == session_id:
            return {"conversation": bubbles, "lastUpdatedAt": newest}
    return None


def _sessions(connection: Connection) -> Iterator[tuple[str, list[Any], Any]]:
    for composer in list_in(document(connection, COMPOSERS), "allComposers"):
        session, bubbles = text_in(composer, "composerId"), list_in(composer, "conversation")
        if session and bubbles:
            yield session, bubbles, composer.get("lastUpdatedAt") or composer.get("createdAt")
    for tab in list_in(document(connection, _CHATS), "tabs"):
        session, bubbles = text_in(tab, "tabId"), [_bubble(bubble) for bubble in list_in(tab, "bubbles")]
        if session and bubbles:
            yield session, bubbles, tab.get("lastSendTime")


def _bubble(bubble: object) -> Record:
    """A chat's bubble with a composer's names."""
    speaker = _SPEAKERS.get(text_in(bubble, "type"), 0)
    return {"bubbleId": text_in(bubble, "id"), "type": speaker, "text": text_in(bubble, "text")}


def document(connection: Connection, key: str) -> Record:
    """A document of the item table, or an empty one."""
    if not columns(connection, "ItemTable"):
        return {}
    row = connection.execute("SELECT value FROM ItemTable WHERE key = ?", (key,)).fetchone()
    return decoded_object(row[0]) if row else {}
