"""Forgetting in the in-session store: what a session or a sentence left behind goes, bytes included."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from slowwave.storage.insession.store import SessionStore

_BY_SESSION = ("turns", "pins", "decisions", "events", "flushes", "shard_lines", "model_work", "fact_injections")


def forget_session(store: SessionStore, key: str) -> list[tuple[str, str]]:
    """Delete everything of a session (`agent:session-id`); return the (path, line) pairs that its flushes had written.

    A fact that other sessions said too stays, with their words.
    """
    with store.transaction() as db:
        found = db.execute("SELECT path, line FROM shard_lines WHERE session = ?", (key,))
        lines = [(str(row[0]), str(row[1])) for row in found]
        said = [row[0] for row in db.execute("SELECT fact FROM fact_evidence WHERE session = ?", (key,))]
        db.execute("DELETE FROM fact_evidence WHERE session = ?", (key,))
        for fact in said:
            _keep_or_drop(db, int(fact))
        for table in _BY_SESSION:
            db.execute(f"DELETE FROM {table} WHERE session = ?", (key,))
        db.execute("DELETE FROM sessions WHERE key = ?", (key,))
    _wipe(store)
    return lines


def _keep_or_drop(db: sqlite3.Connection, fact: int) -> None:
    left = db.execute("SELECT session, turn, quote FROM fact_evidence WHERE fact = ? ORDER BY at", (fact,)).fetchone()
    if left is None:
        db.execute("DELETE FROM facts WHERE id = ?", (fact,))
    else:
        db.execute("UPDATE facts SET session = ?, turn = ?, quote = ? WHERE id = ?", (*left, fact))


def forget_facts(store: SessionStore, ids: Iterable[int], *, now: float) -> None:
    """Delete facts and keep a hash of each, so that they do not come back."""
    with store.transaction() as db:
        for fact in ids:
            db.execute(
                "INSERT OR IGNORE INTO fact_tombstones SELECT user_id, hash, ? FROM facts WHERE id = ?", (now, fact)
            )
            db.execute("DELETE FROM fact_evidence WHERE fact = ?", (fact,))
            db.execute("DELETE FROM facts WHERE id = ?", (fact,))
    _wipe(store)


def purge_before(store: SessionStore, before: float) -> int:
    """Delete turns and decisions of sessions that were last active before a time; return how many sessions. What they
    stated (pins, facts, events, flushed lines) stays for the night."""
    with store.transaction() as db:
        old = [row[0] for row in db.execute("SELECT key FROM sessions WHERE last_at < ?", (before,))]
        for key in old:
            for table in ("turns", "decisions", "fact_injections"):
                db.execute(f"DELETE FROM {table} WHERE session = ?", (key,))
    return len(old)


def _wipe(store: SessionStore) -> None:
    """Overwrite what was deleted: in the indexes, in free pages and in the write-ahead log."""
    with store.transaction() as db:
        for index in ("fact_words", "fact_trigrams"):
            db.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")
    store.overwrite_deleted()
