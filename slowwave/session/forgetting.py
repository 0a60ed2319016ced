"""Forgetting what the day noted: sessions, and facts by their words. For `slowwave forget`."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

from slowwave.paths import session_database_file
from slowwave.session.flushing.shards import Shards
from slowwave.storage.insession.forgetting import forget_facts, forget_session
from slowwave.storage.insession.store import SessionStore
from slowwave.text import Relation, relate


def forget_sessions(home: Path, thread_ids: Iterable[str]) -> int:
    """Delete everything that the layers noted of sessions (`agent:session-id`), lines in memory files included.

    Returns how many lines went from files. Raises `StoreError`.
    """
    path = session_database_file(home)
    if not path.exists():
        return 0
    with SessionStore(path) as store:
        lines = {line for thread in thread_ids for _, line in forget_session(store, thread)}
    profiles = home / "profiles"
    if not lines or not profiles.is_dir():
        return 0
    return sum(Shards(root).remove(lines) for root in sorted(profiles.iterdir()) if root.is_dir())


def forget_words(home: Path, project_id: str, text: str) -> int:
    """Delete the project's key facts that say the same as a forgotten text; they do not come back. Returns how many."""
    path = session_database_file(home)
    if not path.exists():
        return 0
    with SessionStore(path) as store:
        rows = store.rows("SELECT id, text, quote FROM facts WHERE origin_project = ?", (project_id,))
        same = [int(row[0]) for row in rows if _says(row[1], text) or _says(row[2], text)]
        if same:
            forget_facts(store, same, now=time.time())
    return len(same)


def _says(fact: str, forgotten: str) -> bool:
    """Whether a fact says what was forgotten, of all cases or of some."""
    return relate(fact, forgotten) in (Relation.SAME, Relation.NARROWER)
