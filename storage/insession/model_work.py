"""Turns that wait for a model to look at them: a small queue in the in-session store."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from slowwave.storage.insession.store import SessionStore

LEASE_SECONDS = 180.0
ATTEMPTS = 3


class Work(NamedTuple):
    """One claimed turn, its text redacted."""

    id: int
    session: str
    turn: int
    prompt: str
    reply: str
    token: str


class WorkQueue:
    """Claimed with a lease, so that a dead worker's turn is taken up by the next one."""

    def __init__(self, store: SessionStore) -> None:
        self.store = store

    def add(self, session: str, turn: int, *, prompt: str, reply: str, now: float) -> None:
        """Queue a turn; the same turn again is ignored."""
        with self.store.transaction() as db:
            db.execute(
                "INSERT OR IGNORE INTO model_work (session, turn, prompt, reply, at) VALUES (?, ?, ?, ?, ?)",
                (session, turn, prompt, reply, now),
            )

    def claim(self, *, now: float) -> Work | None:
        """The oldest turn that waits, or whose worker died."""
        token = secrets.token_hex(8)
        with self.store.transaction() as db:
            row = db.execute(
                "SELECT id, session, turn, prompt, reply FROM model_work WHERE attempts < ?"
                " AND (state = 'waiting' OR (state = 'claimed' AND lease_until < ?)) ORDER BY id LIMIT 1",
                (ATTEMPTS, now),
            ).fetchone()
            if row is None:
                return None
            db.execute(
                "UPDATE model_work SET state = 'claimed', token = ?, lease_until = ?, attempts = attempts + 1"
                " WHERE id = ?",
                (token, now + LEASE_SECONDS, row[0]),
            )
        return Work(row[0], row[1], row[2], row[3], row[4], token)

    def finish(self, work: Work) -> None:
        """The turn was looked at. Its text is no longer needed."""
        self._end(work, "done", "")

    def fail(self, work: Work, reason: str, *, again: bool) -> None:
        """It was not; `again` puts it back until its attempts are used up."""
        self._end(work, "waiting" if again else "failed", reason)

    def _end(self, work: Work, state: str, reason: str) -> None:
        with self.store.transaction() as db:
            db.execute(
                "UPDATE model_work SET state = CASE WHEN ? = 'waiting' AND attempts >= ? THEN 'failed' ELSE ? END,"
                " reason = ?, token = NULL, lease_until = NULL,"
                " prompt = CASE WHEN ? = 'done' THEN '' ELSE prompt END,"
                " reply = CASE WHEN ? = 'done' THEN '' ELSE reply END"
                " WHERE id = ? AND token = ?",
                (state, ATTEMPTS, state, reason, state, state, work.id, work.token),
            )

    def counts(self) -> dict[str, int]:
        """How many turns are in which state."""
        found = self.store.rows("SELECT state, count(*) FROM model_work GROUP BY state")
        return {str(row[0]): int(row[1]) for row in found}
