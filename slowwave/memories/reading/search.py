"""Search over entries, session summaries and skills: words and trigrams, so that text without blanks is found too.

On SQLite the texts of the asked projects are indexed in memory with FTS5 for the one query (a thousand entries take
some ten milliseconds), so there is no second copy on disk that could be stale or outlive a `forget`. PostgreSQL narrows
the texts down itself, with `pg_trgm` where that extension can be had and with ILIKE otherwise; the ranking is the same.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Engine, Select, and_, case, func, literal, or_, select, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from slowwave.errors import ConfigError
from slowwave.storage.engine import reading
from slowwave.storage.tables import Table
from slowwave.storage.types import EntryStatus

MAX_QUERY = 500
MAX_TERMS = 40
SNIPPET = 240
CANDIDATES = 400
# Reciprocal rank fusion: the usual constant, large enough that one list's first place does not decide alone.
RANK_OFFSET = 60

_WORD = re.compile(r"[^\W_]+(?:[._/@:+-][^\W_]+)*", re.UNICODE)
_ASCII = re.compile(r"[\x00-\x7f]+\Z")


class HitKind(StrEnum):
    """What was found."""

    ENTRY = "entry"
    SUMMARY = "summary"
    SKILL = "skill"


@dataclass(frozen=True, slots=True)
class Document:
    """One searchable text. `ref` is `m12` (`u3` for the user level), a thread id, or a skill's name."""

    kind: HitKind
    ref: str
    project_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Hit:
    """One finding. `text` is the entry, or the part of a longer text around the match; `score` only orders."""

    kind: HitKind
    ref: str
    project_id: str
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class Terms:
    """A query taken apart: `words` as a person wrote them, `grams` the pieces that a trigram index or LIKE can find."""

    words: tuple[str, ...]
    grams: tuple[str, ...]


def search(
    engine: Engine, query: str, *, project_id: str | None, limit: int = 10, more: Sequence[Engine] = ()
) -> list[Hit]:
    """Return what matches, best first; nothing when nothing matches.

    `project_id` None searches every project. The user level is part of every project's scope. `more` are further
    stores: the one with the user level, or all others.

    Raises:
        ConfigError: the query has no letter or digit, or over 500 characters.
        StoreError: the database refuses.
    """
    terms = terms_of(query)
    if not terms.words or len(query) > MAX_QUERY:
        raise ConfigError(f"a query has 1 to {MAX_QUERY} characters, a letter or digit among them", reason="bad_query")
    documents: list[Document] = []
    for store in (engine, *more):
        trigrams = store.dialect.name == "postgresql" and has_trigrams(store)
        with reading(store) as session:
            documents += _documents(session, _scope(session, project_id), query, terms, trigrams)
    ranking = rank(documents, terms)[: max(limit, 0)]
    return [
        Hit(found.kind, found.ref, found.project_id, snippet(found.text, terms), round(score, 6))
        for found, score in ((documents[position], score) for position, score in ranking)
    ]


def terms_of(query: str) -> Terms:
    """Take a query apart. Runs without blanks in other scripts than Latin are also cut into overlapping pieces."""
    words = tuple(dict.fromkeys(match[0].casefold() for match in _WORD.finditer(query)))[:MAX_TERMS]
    grams: list[str] = []
    for word in words:
        if _ASCII.match(word) or len(word) <= 3:
            grams.append(word)
        else:
            grams.extend(word[start : start + 3] for start in range(len(word) - 2))
    return Terms(words, tuple(dict.fromkeys(grams))[: MAX_TERMS * 2])


def _scope(session: Session, project_id: str | None) -> list[str] | None:
    """Ids of the projects that are searched; None for all."""
    if project_id is None:
        return None
    projects = Table.metadata.tables["projects"].c
    user_level = select(projects.id).where(projects.user_level, projects.id != project_id)
    return [project_id, *session.connection().execute(user_level).scalars()]


@dataclass(frozen=True, slots=True)
class _Source:
    """A table that is searched: its reference, project and text columns, and which rows count."""

    kind: HitKind
    ref: ColumnElement[Any]
    owner: ColumnElement[Any]
    words: ColumnElement[Any]
    counts: ColumnElement[bool]


def _sources() -> tuple[_Source, ...]:
    tables = Table.metadata.tables
    entry, output = tables["entries"].c, tables["stage_one_outputs"].c
    skill, thread = tables["skills"].c, tables["threads"].c
    kept = select(thread.id).where(thread.id == output.thread_id, thread.forgotten.is_(False)).exists()
    return (
        _Source(
            HitKind.ENTRY,
            entry.number,
            entry.project_id,
            entry.text + " " + entry.situation,
            entry.status == EntryStatus.ACTIVE,
        ),
        _Source(
            HitKind.SUMMARY,
            output.thread_id,
            output.project_id,
            output.rollout_summary,
            and_(kept, output.rollout_summary != ""),
        ),
        _Source(
            HitKind.SKILL,
            skill.name,
            skill.project_id,
            skill.name + " " + skill.description + "\n" + skill.body,
            skill.status == EntryStatus.ACTIVE,
        ),
    )


def _documents(
    session: Session, scope: list[str] | None, query: str, terms: Terms, trigrams: bool
) -> Iterator[Document]:
    """Texts in scope; on PostgreSQL only those that match."""
    postgres = session.get_bind().dialect.name == "postgresql"
    projects = Table.metadata.tables["projects"].c
    connection = session.connection()
    levels = set(connection.execute(select(projects.id).where(projects.user_level)).scalars())
    for source in _sources():
        statement = select(source.ref, source.owner, source.words).where(source.counts).order_by(source.ref)
        if scope is not None:
            statement = statement.where(source.owner.in_(scope))
        if postgres:
            statement = _narrowed(statement, source, query, terms, trigrams)
        for ref, owner, words in connection.execute(statement):
            mark = "u" if owner in levels else "m"
            yield Document(source.kind, f"{mark}{ref}" if source.kind is HitKind.ENTRY else ref, owner, words.strip())


def _narrowed(statement: Select[Any], source: _Source, query: str, terms: Terms, trigrams: bool) -> Select[Any]:
    """Only rows that hold one of the pieces, the most similar ones first."""
    hits = [source.words.icontains(gram, autoescape=True) for gram in terms.grams]
    matches: ColumnElement[Any] = literal(0)
    for hit in hits:
        matches = matches + case((hit, 1), else_=0)
    order = func.word_similarity(query, source.words) if trigrams else matches
    return statement.where(or_(*hits)).order_by(None).order_by(order.desc(), source.ref).limit(CANDIDATES)


def has_trigrams(engine: Engine) -> bool:
    """Whether PostgreSQL's `pg_trgm` is there, after trying to create it: a role without that right does without it."""
    with reading(engine) as session:
        installed = text("SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'")
        if session.connection().execute(installed).first():
            return True
    try:
        with engine.begin() as connection:
            connection.execute(text("CREATE EXTENSION IF NOT EXISTS pg_trgm"))
    except DBAPIError:
        # Not allowed or not shipped: ILIKE finds the same texts, only their order is coarser before the ranking.
        return False
    return True


def rank(documents: Sequence[Document], terms: Terms) -> list[tuple[int, float]]:
    """Positions of the matching documents with scores, best first: words and trigrams fused by rank."""
    scores: dict[int, float] = defaultdict(float)
    for ranking in (_fts(documents, "unicode61 remove_diacritics 2", terms.words, prefix=True),
                    _fts(documents, "trigram", [gram for gram in terms.grams if len(gram) >= 3], prefix=False),
                    _short(documents, [gram for gram in terms.grams if len(gram) < 3])):  # fmt: skip
        for place, position in enumerate(ranking):
            scores[position] += 1 / (RANK_OFFSET + place)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


def _fts(documents: Sequence[Document], tokenizer: str, terms: Sequence[str], *, prefix: bool) -> list[int]:
    """Positions that an FTS5 index with this tokenizer finds, best first."""
    if not terms or not documents:
        return []
    quoted = ['"' + term.replace('"', '""') + '"' + ("*" if prefix and len(term) > 2 else "") for term in terms]
    with sqlite3.connect(":memory:") as index:
        index.execute(f"CREATE VIRTUAL TABLE docs USING fts5(words, tokenize='{tokenizer}')")
        rows = ((number, document.text) for number, document in enumerate(documents))
        index.executemany("INSERT INTO docs(rowid, words) VALUES (?, ?)", rows)
        found = index.execute(
            "SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY rank, rowid", (" OR ".join(quoted),)
        ).fetchall()
    index.close()
    return [int(row[0]) for row in found]


def _short(documents: Sequence[Document], grams: Sequence[str]) -> list[int]:
    """Positions of texts that hold a piece shorter than a trigram. Such a Latin piece must be a word of its own."""
    patterns = [
        re.compile(rf"(?<![^\W_]){re.escape(gram)}(?![^\W_])" if _ASCII.match(gram) else re.escape(gram), re.IGNORECASE)
        for gram in grams
    ]
    counts = {
        number: sum(1 for pattern in patterns if pattern.search(document.text))
        for number, document in enumerate(documents)
    }
    return sorted((number for number, count in counts.items() if count), key=lambda number: (-counts[number], number))


def snippet(words: str, terms: Terms) -> str:
    """A text on one line, at most 240 characters around the first match."""
    line = " ".join(words.split())
    if len(line) <= SNIPPET:
        return line
    folded = line.casefold()
    places = [folded.find(term) for term in (*terms.words, *terms.grams)]
    first = min((place for place in places if place >= 0), default=0)
    start = max(0, min(first - 60, len(line) - SNIPPET))
    end = start + SNIPPET
    return ("…" if start else "") + line[start:end].strip() + ("…" if end < len(line) else "")
