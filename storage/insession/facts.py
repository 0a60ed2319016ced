"""Key facts in the in-session store. Every query takes a `Scope`; there is no way to ask without one."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from slowwave.storage.insession.store import Scope, SessionStore

USER_WIDE = "*"


class FactRow(NamedTuple):
    """A stored fact. `injected`, `confirmed` and `contradicted` are counted apart: being shown proves nothing."""

    id: int
    user_id: str
    project_id: str
    agent: str
    slot: str
    text: str
    terms: str
    hash: str
    quote: str
    session: str
    turn: int
    status: str
    superseded_by: int | None
    source: str
    injected: int
    confirmed: int
    contradicted: int
    created_at: float
    confirmed_at: float
    injected_at: float | None
    seq: int


FACT_COLUMNS = FactRow._fields


class Evidence(NamedTuple):
    """One session in which the user said a fact, with the words."""

    session: str
    turn: int
    quote: str
    at: float


class NewFact(NamedTuple):
    """A fact about to be stored. `slot` names what it is the value of; empty means that nothing replaces it."""

    text: str
    terms: str
    hash: str
    quote: str
    slot: str = ""
    source: str = "rule"


class FactStore:
    """The facts of a `SessionStore`."""

    def __init__(self, store: SessionStore) -> None:
        self.store = store

    def _select(self, where: str, parameters: Sequence[str | int | float | None], tail: str = "") -> list[FactRow]:
        columns = ", ".join(f"facts.{name}" for name in FACT_COLUMNS)
        return [FactRow(*row) for row in self.store.rows(f"SELECT {columns} FROM facts {where} {tail}", parameters)]

    def active(self, scope: Scope) -> list[FactRow]:
        """All facts of a scope that stand, the most recently confirmed first."""
        return self._select(f"WHERE {_IN_SCOPE}", _scope(scope), "ORDER BY confirmed_at DESC, id DESC")

    def known(self, scope: Scope) -> list[FactRow]:
        """All facts of a scope, those too that were superseded or faded."""
        where = "WHERE user_id = ? AND agent = ? AND (project_id = ? OR project_id = '*')"
        return self._select(where, _scope(scope), "ORDER BY id")

    def matching(self, scope: Scope, words: Sequence[str], pieces: Sequence[str], limit: int = 40) -> list[FactRow]:
        """Facts that contain one of the words (word index) or of the pieces (trigram index, 3 characters at least)."""
        found: dict[int, FactRow] = {}
        for table, asked in (("fact_words", words), ("fact_trigrams", [p for p in pieces if len(p) >= 3])):
            if not asked:
                continue
            query = " OR ".join('"' + term.replace('"', '""') + '"' for term in asked)
            where = f"JOIN {table} ON {table}.rowid = facts.id WHERE {table} MATCH ? AND {_IN_SCOPE}"
            for row in self._select(where, (query, *_scope(scope)), f"ORDER BY {table}.rank LIMIT {int(limit)}"):
                found.setdefault(row.id, row)
        return list(found.values())

    def in_slot(self, scope: Scope, slot: str) -> list[FactRow]:
        """Standing facts that are a value of the same thing."""
        return self._select(f"WHERE {_IN_SCOPE} AND facts.slot = ? AND facts.slot <> ''", (*_scope(scope), slot))

    def add(
        self, scope: Scope, fact: NewFact, *, session: str, turn: int, supersedes: Sequence[int] = (), now: float
    ) -> str:
        """Store a fact and return what happened: `stored`, `superseded`, `confirmed` or `forgotten`.

        The same words again confirm the standing fact (once a session). What was forgotten stays forgotten.
        """
        with self.store.transaction() as db:
            if db.execute(
                "SELECT 1 FROM fact_tombstones WHERE user_id = ? AND hash = ?", (scope.user, fact.hash)
            ).fetchone():
                return "forgotten"
            same = db.execute(
                f"SELECT id FROM facts WHERE {_IN_SCOPE} AND hash = ?", (*_scope(scope), fact.hash)
            ).fetchone()
            if same:
                self._confirm(db, int(same[0]), session, turn, fact.quote, now)
                return "confirmed"
            made = db.execute(
                "INSERT INTO facts (user_id, project_id, agent, origin_project, slot, text, terms, hash, quote,"
                " session, turn, source, created_at, confirmed_at, seq)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    scope.user, scope.project, scope.agent, scope.project, fact.slot, fact.text, fact.terms, fact.hash,
                    fact.quote, session, turn, fact.source, now, now, self.store.next_seq(),
                ),
            )  # fmt: skip
            db.execute(
                "INSERT INTO fact_evidence VALUES (?, ?, ?, ?, ?)", (made.lastrowid, session, turn, fact.quote, now)
            )
            for old in supersedes:
                db.execute(
                    "UPDATE facts SET status = 'superseded', superseded_by = ?, seq = ?"
                    " WHERE id = ? AND user_id = ? AND agent = ?",
                    (made.lastrowid, self.store.next_seq(), old, scope.user, scope.agent),
                )
        return "superseded" if supersedes else "stored"

    def confirm(self, scope: Scope, fact_id: int, *, session: str, turn: int, quote: str, now: float) -> None:
        """Count that the user said it again; a session counts once."""
        with self.store.transaction() as db:
            if db.execute(f"SELECT 1 FROM facts WHERE {_IN_SCOPE} AND id = ?", (*_scope(scope), fact_id)).fetchone():
                self._confirm(db, fact_id, session, turn, quote, now)

    def _confirm(self, db: sqlite3.Connection, fact_id: int, session: str, turn: int, quote: str, now: float) -> None:
        new = db.execute(
            "INSERT OR IGNORE INTO fact_evidence VALUES (?, ?, ?, ?, ?)", (fact_id, session, turn, quote, now)
        )
        if new.rowcount > 0:
            db.execute(
                "UPDATE facts SET confirmed = confirmed + 1, confirmed_at = max(confirmed_at, ?), seq = ? WHERE id = ?",
                (now, self.store.next_seq(), fact_id),
            )

    def evidence(self, fact_id: int) -> list[Evidence]:
        """What the user said, session by session."""
        sql = "SELECT session, turn, quote, at FROM fact_evidence WHERE fact = ? ORDER BY at"
        return [Evidence(*row) for row in self.store.rows(sql, (fact_id,))]

    def contradict(self, scope: Scope, fact_id: int) -> None:
        """Count that the user denied it."""
        with self.store.transaction() as db:
            db.execute(
                f"UPDATE facts SET contradicted = contradicted + 1, seq = ? WHERE {_IN_SCOPE} AND id = ?",
                (self.store.next_seq(), *_scope(scope), fact_id),
            )

    def injected(self, session: str, epoch: int) -> set[int]:
        """Ids of the facts that this epoch of the session holds already."""
        sql = "SELECT fact FROM fact_injections WHERE session = ? AND epoch = ?"
        return {int(row[0]) for row in self.store.rows(sql, (session, epoch))}

    def mark_injected(self, ids: Sequence[int], *, session: str, epoch: int, turn: int, now: float) -> None:
        """Count that facts were shown."""
        with self.store.transaction() as db:
            for fact_id in ids:
                db.execute("INSERT OR IGNORE INTO fact_injections VALUES (?, ?, ?, ?)", (session, epoch, fact_id, turn))
                db.execute("UPDATE facts SET injected = injected + 1, injected_at = ? WHERE id = ?", (now, fact_id))

    def mark_present(self, hash: str, scope: Scope, *, session: str, epoch: int, turn: int) -> None:
        """Note that a fact stands in the context because the user just said it. That is no injection."""
        with self.store.transaction() as db:
            db.execute(
                "INSERT OR IGNORE INTO fact_injections SELECT ?, ?, facts.id, ? FROM facts"
                f" WHERE {_IN_SCOPE} AND facts.hash = ?",
                (session, epoch, turn, *_scope(scope), hash),
            )

    def widen(self, scope: Scope, fact_id: int) -> bool:
        """Make a project's fact hold for all projects of its user (and agent)."""
        with self.store.transaction() as db:
            changed = db.execute(
                f"UPDATE facts SET project_id = '*', seq = ? WHERE {_IN_SCOPE} AND id = ?",
                (self.store.next_seq(), *_scope(scope), fact_id),
            )
            return changed.rowcount > 0

    def forget(self, scope: Scope, fact_id: int, *, now: float) -> bool:
        """Delete a fact and keep a hash so that it does not come back."""
        with self.store.transaction() as db:
            row = db.execute(
                "SELECT hash FROM facts WHERE id = ? AND user_id = ? AND agent = ?"
                " AND (project_id = ? OR project_id = '*')",
                (fact_id, *_scope(scope)),
            ).fetchone()
            if row is None:
                return False
            db.execute("INSERT OR IGNORE INTO fact_tombstones VALUES (?, ?, ?)", (scope.user, row[0], now))
            db.execute("DELETE FROM facts WHERE hash = ? AND user_id = ?", (row[0], scope.user))
            return True

    def fade(self, *, unconfirmed_before: float, shown_at_least: int) -> int:
        """Retire facts that were shown often, never confirmed, and are old. Returns how many."""
        with self.store.transaction() as db:
            changed = db.execute(
                "UPDATE facts SET status = 'faded' WHERE status = 'active' AND confirmed = 0 AND confirmed_at < ?"
                " AND injected >= ?",
                (unconfirmed_before, shown_at_least),
            )
            return changed.rowcount

    def of_project(self, project_id: str, *, after: int = 0) -> list[FactRow]:
        """For the night alone: every standing fact that arose in a project, whoever's agent saw it."""
        where = "WHERE facts.origin_project = ? AND facts.status = 'active' AND facts.seq > ?"
        return self._select(where, (project_id, after), "ORDER BY facts.id")


_IN_SCOPE = (
    "facts.user_id = ? AND facts.agent = ? AND (facts.project_id = ? OR facts.project_id = '*')"
    " AND facts.status = 'active'"
)


def _scope(scope: Scope) -> tuple[str, str, str]:
    return scope.user, scope.agent, scope.project
