"""The ledger of memory flushes: one row for each (session, epoch, range of the conversation), claimed before the work.

States: `claimed` -> `done`, `empty` or `failed`; three failures in an epoch make it `exhausted`; `skipped` has its
reason. A claim whose lease ran out belongs to whoever asks next. No two counters are compared anywhere.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from slowwave.errors import LeaseLost
from slowwave.storage.insession.store import SessionStore

LEASE_SECONDS = 120.0
FAILURES = 3


class Claim(NamedTuple):
    """A granted claim. The range is half open: `cursor_from` <= x < `cursor_to`."""

    session: str
    epoch: int
    cursor_from: int
    cursor_to: int
    token: str


class FlushRow(NamedTuple):
    """A row of the ledger."""

    session: str
    epoch: int
    cursor_from: int
    cursor_to: int
    cause: str
    state: str
    reason: str
    attempts: int
    saved: int
    claimed_at: float
    ended_at: float | None


class FlushLedger:
    """Who flushes what, once."""

    def __init__(self, store: SessionStore) -> None:
        self.store = store

    def claim(
        self, session: str, *, epoch: int, cursor: int, cause: str, now: float, lease: float = LEASE_SECONDS
    ) -> Claim | str:
        """Claim everything up to `cursor` that was not flushed yet, or return the reason why not.

        Reasons: `already_flushed` (cause `threshold`, once an epoch), `nothing_new`, `running_elsewhere`, `exhausted`.
        """
        with self.store.transaction() as db:
            rows = db.execute(
                "SELECT cursor_from, cursor_to, state, lease_until, attempts FROM flushes"
                " WHERE session = ? AND epoch = ? ORDER BY cursor_from",
                (session, epoch),
            ).fetchall()
            ended = [row for row in rows if row[2] in ("done", "empty")]
            if cause == "threshold" and ended:
                return "already_flushed"
            if any(row[2] == "exhausted" for row in rows):
                return "exhausted"
            if any(row[2] == "claimed" and row[3] > now for row in rows):
                return "running_elsewhere"
            start = self._flushed_to(db, session)
            if start >= cursor:
                return "nothing_new"
            token = secrets.token_hex(8)
            taken_over = next((row for row in rows if row[0] == start), None)
            attempts = 1 + (taken_over[4] if taken_over else 0)
            if attempts > FAILURES:
                db.execute(
                    "UPDATE flushes SET state = 'exhausted' WHERE session = ? AND epoch = ? AND cursor_from = ?",
                    (session, epoch, start),
                )
                return "exhausted"
            db.execute(
                "INSERT OR REPLACE INTO flushes (session, epoch, cursor_from, cursor_to, cause, state, token,"
                " lease_until, attempts, claimed_at) VALUES (?, ?, ?, ?, ?, 'claimed', ?, ?, ?, ?)",
                (session, epoch, start, cursor, cause, token, now + lease, attempts, now),
            )
        return Claim(session, epoch, start, cursor, token)

    def flushed_to(self, session: str) -> int:
        """Up to where the session was saved."""
        with self.store.transaction() as db:
            return self._flushed_to(db, session)

    def _flushed_to(self, db: sqlite3.Connection, session: str) -> int:
        row = db.execute(
            "SELECT max(cursor_to) FROM flushes WHERE session = ? AND state IN ('done', 'empty')", (session,)
        ).fetchone()
        return int(row[0] or 0)

    def finish(self, claim: Claim, *, saved: int, now: float) -> bool:
        """The flush ended and left no lines for the night; False when the claim was lost meanwhile."""
        return self._end(claim, "done" if saved else "empty", "", saved, now)

    def fail(self, claim: Claim, reason: str, *, now: float) -> str:
        """The flush failed. Returns the state that follows: `failed`, or `exhausted` after the third time."""
        with self.store.transaction() as db:
            row = db.execute(
                "SELECT attempts FROM flushes WHERE session = ? AND epoch = ? AND cursor_from = ? AND token = ?",
                (claim.session, claim.epoch, claim.cursor_from, claim.token),
            ).fetchone()
            if row is None:
                return "lost"
            state = "exhausted" if int(row[0]) >= FAILURES else "failed"
            self._end(claim, state, reason, 0, now)
        return state

    def skip(self, session: str, *, epoch: int, cursor: int, cause: str, reason: str, now: float) -> None:
        """Note why no flush was tried. A range that was flushed or is being flushed keeps its row."""
        with self.store.transaction() as db:
            db.execute(
                "INSERT OR IGNORE INTO flushes (session, epoch, cursor_from, cursor_to, cause, state, reason,"
                " claimed_at, ended_at) VALUES (?, ?, ?, ?, ?, 'skipped', ?, ?, ?)",
                (session, epoch, self._flushed_to(db, session), cursor, cause, reason, now, now),
            )

    def _end(self, claim: Claim, state: str, reason: str, saved: int, now: float) -> bool:
        with self.store.transaction() as db:
            ended = db.execute(
                "UPDATE flushes SET state = ?, reason = ?, saved = ?, ended_at = ?, token = NULL, lease_until = NULL"
                " WHERE session = ? AND epoch = ? AND cursor_from = ? AND token = ?",
                (state, reason, saved, now, claim.session, claim.epoch, claim.cursor_from, claim.token),
            )
            return ended.rowcount > 0

    def rows(self, session: str, epoch: int | None = None) -> list[FlushRow]:
        """The ledger of a session, or of one of its epochs."""
        columns = ", ".join(FlushRow._fields)
        sql = (
            f"SELECT {columns} FROM flushes WHERE session = ? AND (? IS NULL OR epoch = ?) ORDER BY epoch, cursor_from"
        )
        return [FlushRow(*row) for row in self.store.rows(sql, (session, epoch, epoch))]

    def finish_with(
        self, claim: Claim, lines: Sequence[tuple[str, str, str]], *, project_id: str, turn: int, path: str, now: float
    ) -> int:
        """The flush ended well with these lines in the file: (line, quote, standing) each. Returns how many are new.

        A line that an interrupted flush of the same session had written already is kept for the night all the same.
        """
        with self.store.transaction() as db:
            saved = 0
            for line, quote, standing in lines:
                made = db.execute(
                    "INSERT INTO shard_lines (project_id, session, turn, path, line, quote, standing, seq, at)"
                    " SELECT ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE NOT EXISTS"
                    " (SELECT 1 FROM shard_lines WHERE session = ? AND line = ?)",
                    (
                        *(project_id, claim.session, turn, path, line, quote, standing, self.store.next_seq(), now),
                        *(claim.session, line),
                    ),
                )
                saved += made.rowcount
            if not self._end(claim, "done" if saved else "empty", "", saved, now):
                raise LeaseLost("another flush took this one over")
        return saved
