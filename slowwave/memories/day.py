"""The day feeds the night: what the in-session layers saved, as inputs of both stages.

Facts and flushed lines come with the words a user typed, checked when they were written. They become candidates like a
session's own; `item` of such evidence is the negative number of the turn. A watermark for each project and host says
how far the notes were taken in, and grows in the transaction that stores what became of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from sqlmodel import Session

from slowwave.memories.consolidation.selection import SessionInput
from slowwave.memories.extraction.candidates import Candidate, CheckedQuote
from slowwave.memories.guardrails import Claim, Judgement, Piece, judge
from slowwave.memories.guardrails.speech import is_approval, without_questions
from slowwave.memories.state.values import MemoryState
from slowwave.memories.text import quote_hash
from slowwave.rollouts.model import Item, ItemKind
from slowwave.session.night import DayNotes, Words, day_notes
from slowwave.storage.engine import database_now
from slowwave.storage.queue.owner import this_host
from slowwave.storage.tables import Setting, Thread
from slowwave.storage.types import MemoryKind, Standing
from slowwave.text import Relation, fold_space, relate

MAX_CORRECTIONS = 20


@dataclass(frozen=True, slots=True)
class DayInputs:
    """What the day has for one project: candidates by session, corrections in words, and the mark they lead to.

    `refused` are notes whose words do not carry them, by session, with how they were judged.
    """

    sessions: tuple[SessionInput, ...] = ()
    corrections: tuple[str, ...] = ()
    mark: int = 0
    refused: tuple[tuple[str, Candidate, Judgement], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.sessions or self.corrections)


def signals_of(home: Path, thread_id: str, items: Iterable[Item]) -> frozenset[int]:
    """Indexes of items where a user corrected the agent or the agent drifted: places to look first."""
    with day_notes(home) as notes:
        return notes.signals_for(thread_id, items)


def day_inputs(home: Path, session: Session, project_id: str, state: MemoryState) -> DayInputs:
    """What was noted since the last time and no entry says yet."""
    with day_notes(home) as notes:
        mark = notes.watermark(project_id)
        after = _mark(session, project_id)
        if mark <= after:
            return DayInputs(mark=mark)
        grouped: dict[str, list[Candidate]] = {}
        refused: list[tuple[str, Candidate, Judgement]] = []
        for thread_id, candidate in _candidates(notes, project_id, after):
            judged = _judged(candidate)
            if not judged.kept:
                refused.append((thread_id, candidate, judged))
            elif not _known(state, thread_id, candidate):
                candidate = replace(candidate, standing=judged.standing or Standing.INFERRED, kind=judged.kind)
                grouped.setdefault(thread_id, []).append(candidate)
        events = notes.corrections_for(project_id, after=after)[-MAX_CORRECTIONS:]
        corrections = tuple(f"{event.type} in {event.session}: {event.quote}" for event in events if event.quote)
    sessions = tuple(_session(session, thread_id, grouped[thread_id]) for thread_id in sorted(grouped))
    return DayInputs(sessions, corrections, mark, tuple(refused))


def has_new_notes(home: Path, session: Session, project_id: str) -> bool:
    """Whether the day noted something about a project that no night has looked at."""
    with day_notes(home) as notes:
        return notes.watermark(project_id) > _mark(session, project_id)


def store_mark_in(session: Session, project_id: str, mark: int) -> None:
    """Remember how far the notes were taken in. Same transaction as their result."""
    if mark > _mark(session, project_id):
        session.merge(Setting(name=_name(project_id), value={"mark": mark}, updated_at=database_now(session)))


def _name(project_id: str) -> str:
    return f"day:{this_host()}:{project_id}"


def _mark(session: Session, project_id: str) -> int:
    setting = session.get(Setting, _name(project_id))
    return int(setting.value["mark"]) if setting is not None else 0


def _candidates(notes: DayNotes, project_id: str, after: int) -> Iterator[tuple[str, Candidate]]:
    for fact in notes.facts_for(project_id, after=after):
        for words in fact.words:
            yield words.thread_id, _candidate(fact.text, Standing.USER_SAID, words)
    for line in notes.shards_for(project_id, after=after):
        yield line.words.thread_id, _candidate(line.text, Standing(line.standing), line.words)


def _candidate(text: str, standing: Standing, words: Words) -> Candidate:
    kind = ItemKind.USER_TEXT if standing is Standing.USER_SAID else ItemKind.CONTEXT
    quote = CheckedQuote(item=-max(1, words.turn), quote=fold_space(words.quote), item_kind=kind.value, at=words.at)
    return Candidate(MemoryKind.FACT, fold_space(text), "", standing, (quote,))


def _judged(candidate: Candidate) -> Judgement:
    """The same judgement as for what stage one extracts. What was not typed may be anybody's text, and a question or a
    bare approval says nothing by itself."""
    pieces = [_piece(quote, candidate.standing) for quote in candidate.evidence]
    return judge(Claim(candidate.kind, candidate.text, candidate.situation), pieces)


def _piece(quote: CheckedQuote, standing: Standing) -> Piece:
    if not quote.from_user:
        return Piece(quote.quote, Standing.INFERRED, untrusted=True)
    said = "" if is_approval(quote.quote) else without_questions(quote.quote)
    return Piece(said, standing, acts=True)


def _known(state: MemoryState, thread_id: str, candidate: Candidate) -> bool:
    """The session's own extraction, or an earlier night, may have made the same words an entry already."""
    words = candidate.evidence[0].quote
    for entry in state.entries:
        for piece in entry.evidence:
            if piece.thread_id != thread_id:
                continue
            if piece.quote_hash == quote_hash(words) or words in piece.quote or piece.quote in words:
                return True
        if entry.active and thread_id in entry.sessions and relate(candidate.text, entry.text) is Relation.SAME:
            return True
    return False


def _session(session: Session, thread_id: str, candidates: list[Candidate]) -> SessionInput:
    thread = session.get(Thread, thread_id)
    agent, _, session_id = thread_id.partition(":")
    return SessionInput(
        thread_id=thread_id,
        session_id=thread.session_id if thread is not None else session_id,
        agent=thread.agent if thread is not None else agent,
        outcome="",
        summary="",
        date=max((quote.at for c in candidates for quote in c.evidence if quote.at is not None), default=None),
        candidates=tuple(candidates),
    )
