"""What the day hands to the night: facts, corrections, drift and flushed lines of a project, each with its words.

Everything is read-only and empty when no session store exists. A quote here was cut from the redacted message and is
checked again by whoever uses it as evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from slowwave.paths import session_database_file
from slowwave.rollouts.model import Item, ItemKind
from slowwave.session.task import corrections
from slowwave.session.text import contains_quote
from slowwave.storage.insession.facts import FactRow, FactStore
from slowwave.storage.insession.store import EventRow, SessionStore

SIGNAL_TYPES = ("correction", "drift")


class Words(NamedTuple):
    """Evidence from the day: the user's words in a turn (from 1) of a session. `thread_id` is `agent:session`."""

    thread_id: str
    turn: int
    quote: str
    at: float


class DayFact(NamedTuple):
    """A key fact with every session that said it. `user_wide` means that it holds for all projects of the user."""

    id: int
    text: str
    agent: str
    user_wide: bool
    injected: int
    confirmed: int
    contradicted: int
    words: tuple[Words, ...]


class DayLine(NamedTuple):
    """A line that a flush saved before a compaction. `standing` is a value of `slowwave.storage.types.Standing`."""

    text: str
    path: str
    standing: str
    words: Words


class DayNotes:
    """One project's or session's notes of the day. Get one from `day_notes`."""

    def __init__(self, store: SessionStore | None) -> None:
        self._store = store

    def watermark(self, project_id: str) -> int:
        """Grows with every new or changed note of the project; a project whose watermark grew is dirty. 0: no notes."""
        if self._store is None:
            return 0
        sql = (
            "SELECT max(coalesce((SELECT max(seq) FROM facts WHERE origin_project = :p), 0),"
            " coalesce((SELECT max(seq) FROM shard_lines WHERE project_id = :p), 0),"
            " coalesce((SELECT max(seq) FROM events WHERE project_id = :p AND type IN ('correction', 'drift')), 0))"
        )
        return int(self._store.rows(sql, {"p": project_id})[0][0])

    def facts_for(self, project_id: str, *, after: int = 0) -> list[DayFact]:
        """Standing facts that arose in the project and changed after a watermark."""
        if self._store is None:
            return []
        fact_store = FactStore(self._store)
        return [_day_fact(fact_store, row) for row in fact_store.of_project(project_id, after=after)]

    def shards_for(self, project_id: str, *, after: int = 0) -> list[DayLine]:
        """Lines flushed in the project's sessions after a watermark."""
        if self._store is None:
            return []
        sql = (
            "SELECT line, path, standing, session, turn, quote, at FROM shard_lines"
            " WHERE project_id = ? AND seq > ? ORDER BY id"
        )
        found = self._store.rows(sql, (project_id, after))
        return [DayLine(row[0], row[1], row[2], Words(row[3], row[4], row[5], row[6])) for row in found]

    def corrections_for(self, project_id: str, *, after: int = 0) -> list[EventRow]:
        """Corrections and drifts of the project's sessions after a watermark."""
        if self._store is None:
            return []
        return self._store.events(project_id=project_id, types=SIGNAL_TYPES, after=after)

    def events_for(self, thread_id: str) -> list[EventRow]:
        """Everything that the layers noted in one session."""
        return [] if self._store is None else self._store.events(session=thread_id)

    def signals_for(self, thread_id: str, items: Iterable[Item]) -> frozenset[int]:
        """Indexes of the items that deserve a look first: corrections found in them, and noted corrections and drifts.

        Works on a log alone too: what the hooks did not see (or were not installed to see) is found in the items.
        """
        noted = [event for event in self.events_for(thread_id) if event.type in SIGNAL_TYPES and event.quote]
        found: set[int] = set()
        for item in items:
            if (item.kind is ItemKind.USER_TEXT and item.turn > 1 and corrections.find(item.text)) or any(
                contains_quote(item.text, event.quote) for event in noted
            ):
                found.add(item.index)
        return frozenset(found)


def locate(items: Iterable[Item], words: Words) -> int | None:
    """Index of the user's item that holds the words; the turn decides between several. None when it is not there."""
    places = [item for item in items if item.kind is ItemKind.USER_TEXT and contains_quote(item.text, words.quote)]
    if not places:
        return None
    return min(places, key=lambda item: (abs(item.turn - words.turn), item.index)).index


@contextmanager
def day_notes(home: Path) -> Iterator[DayNotes]:
    """Open the day's notes of an installation. Raises `StoreError` when the store exists and cannot be read."""
    path = session_database_file(home)
    if not path.exists():
        yield DayNotes(None)
        return
    with SessionStore(path) as store:
        yield DayNotes(store)


def _day_fact(fact_store: FactStore, row: FactRow) -> DayFact:
    words = tuple(Words(said.session, said.turn, said.quote, said.at) for said in fact_store.evidence(row.id))
    wide = row.project_id == "*"
    return DayFact(row.id, row.text, row.agent, wide, row.injected, row.confirmed, row.contradicted, words)
