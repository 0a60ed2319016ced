"""What became of each memory that a session proposed."""

from __future__ import annotations

import re
from typing import Any

from sqlmodel import Session

from slowwave.app import App
from slowwave.cli.output import say
from slowwave.storage.engine import reading
from slowwave.storage.proposals import fates_of
from slowwave.storage.queries.projects import entry_of_fate
from slowwave.storage.queries.threads import threads_like
from slowwave.storage.tables import MemoryFate, Thread
from slowwave.storage.types import EntryStatus, Fate

_SESSION = re.compile(r"[\w.-]+:\S+|[0-9a-fA-F]{8}[0-9a-fA-F-]*|[\w-]{12,}")


def proposed_by(app: App, name: str) -> dict[str, Any] | None:
    """The fates of what a session proposed, by its id or the beginning of it; None when no session is meant."""
    if not _SESSION.fullmatch(name):
        return None
    for store in app.stores():
        with reading(store.engine) as session:
            if len(rows := threads_like(session, name)) == 1:
                return _explain(session, rows[0])
    return None


def _explain(session: Session, thread: Thread) -> dict[str, Any]:
    return {
        "session": thread.id,
        "title": thread.title,
        "fate": thread.reason or "seen",
        "detail": thread.reason_detail,
        "memories": [_fate(session, row) for row in fates_of(session, thread.id)],
    }


def _fate(session: Session, row: MemoryFate) -> dict[str, Any]:
    entry = entry_of_fate(session, row)
    state = row.state
    if entry is not None and state == Fate.USED and entry.status != EntryStatus.ACTIVE:
        state = Fate.SUPERSEDED if entry.status == EntryStatus.SUPERSEDED else state
    return {
        "text": row.text,
        "kind": row.kind,
        "state": str(state),
        "reason": row.reason or (entry.status_reason if entry is not None else ""),
        "entry": f"m{row.entry}" if row.entry is not None else None,
        "superseded_by": f"m{entry.superseded_by}" if entry is not None and entry.superseded_by else None,
        "offered": row.offered,
    }


def print_proposed(data: dict[str, Any]) -> None:
    """For a person."""
    title = f"  {data['title']}" if data["title"] else ""
    detail = f" ({data['detail']})" if data["detail"] else ""
    say(f"{data['session']}: {data['fate']}{detail}{title}")
    for row in data["memories"]:
        where = f" in {row['entry']}" if row["entry"] else ""
        where += f", now {row['superseded_by']}" if row["superseded_by"] else ""
        why = f": {row['reason'].replace('_', ' ')}" if row["reason"] else ""
        say(f"  {row['state'].replace('_', ' ')}{where}{why}")
        say(f"    {row['text']} ({row['kind']})")
    if not data["memories"]:
        say("  it proposed nothing to remember")
