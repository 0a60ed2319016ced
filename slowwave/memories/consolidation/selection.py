"""What one step of stage two looks at: which new candidates, and which standing entries beside them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from slowwave.llm.base import CandidateView, ConsolidateRequest, SessionView, StandingEntry
from slowwave.memories.consolidation.lists import members_of
from slowwave.memories.consolidation.sources import Source
from slowwave.memories.extraction.candidates import Candidate
from slowwave.memories.guardrails import terms_of
from slowwave.memories.publishing.render import day
from slowwave.memories.state.ranking import ranked
from slowwave.memories.state.values import EntryState, MemoryState
from slowwave.memories.text import grams
from slowwave.storage.tables import StageOneOutput
from slowwave.storage.types import EntryStatus, Scope
from slowwave.text import shorten

ENTRY_OVERHEAD = 24
ANSWER_OVERHEAD = 70
MOST_WAITING = 20
SUMMARY_CHARACTERS = 600
RELATED_PER_CANDIDATE = 8
Estimate = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class SessionInput:
    """A session whose output stage two has not seen, with the candidates that no entry rests on yet.

    `known` are those that an entry rests on already. Of a session that is looked at in several steps only the last one
    is `complete`.
    """

    thread_id: str
    session_id: str
    agent: str
    outcome: str
    summary: str
    date: float | None
    candidates: tuple[Candidate, ...]
    known: tuple[Candidate, ...] = ()
    complete: bool = True

    @property
    def title(self) -> str:
        """First line of the summary."""
        return shorten(self.summary.strip().partition("\n")[0].lstrip("# "), 120)

    @property
    def order(self) -> tuple[float, str]:
        """Oldest first: later sessions correct earlier ones."""
        return (self.date or 0.0, self.thread_id)


@dataclass(frozen=True, slots=True)
class StepInput:
    """The request of one step and, by candidate id, where each candidate came from. `thread_ids` are the sessions that
    are done with after it."""

    request: ConsolidateRequest
    sources: Mapping[str, Source]
    thread_ids: tuple[str, ...]


def session_input(
    output: StageOneOutput, session_id: str, agent: str, state: MemoryState, settled: frozenset[str] = frozenset()
) -> SessionInput:
    """Leave out the candidates all of whose quotes already support some entry, and those whose fate is `settled`
    (hashes of their texts) in an earlier step."""
    known = {
        (piece.item, piece.quote_hash)
        for entry in state.entries
        for piece in entry.evidence
        if piece.thread_id == output.thread_id
    }
    candidates = [c for c in map(Candidate.from_json, output.memories) if c.hash not in settled]
    fresh = [c for c in candidates if any((quote.item, quote.hash) not in known for quote in c.evidence)]
    return SessionInput(
        thread_id=output.thread_id,
        session_id=session_id,
        agent=agent,
        outcome=output.outcome,
        summary=output.rollout_summary,
        date=output.session_last_activity,
        candidates=tuple(fresh),
        known=tuple(one for one in candidates if one not in fresh),
    )


def batches(
    sessions: Sequence[SessionInput], budget: int, estimate: Estimate, answer: int | None = None
) -> Iterator[list[SessionInput]]:
    """Group sessions in order of time so that each group's candidates and summaries fit the budget (one at least), and
    what can be answered about them fits an answer of `answer` tokens. A session that is too large by itself is cut."""
    group: list[SessionInput] = []
    used = told = 0
    for session in sorted(sessions, key=lambda session: session.order):
        for part in _parts(session, budget, estimate, answer):
            size, reply = _size(part, estimate), _answer(part, estimate)
            if group and (used + size > budget or (answer is not None and told + reply > answer)):
                yield group
                group, used, told = [], 0, 0
            group.append(part)
            used, told = used + size, told + reply
    if group:
        yield group


def _parts(session: SessionInput, budget: int, estimate: Estimate, answer: int | None) -> Iterator[SessionInput]:
    """A session, in as many parts as its candidates need."""
    if _size(session, estimate) <= budget and (answer is None or _answer(session, estimate) <= answer):
        yield session
        return
    if len(session.candidates) < 2:
        yield session
        return
    for half in halves(session):
        yield from _parts(half, budget, estimate, answer)


def halves(session: SessionInput) -> tuple[SessionInput, SessionInput]:
    """A session of two candidates at least, in two parts."""
    middle = (len(session.candidates) + 1) // 2
    return (
        replace(session, candidates=session.candidates[:middle], known=(), complete=False),
        replace(session, candidates=session.candidates[middle:]),
    )


def _answer(session: SessionInput, estimate: Estimate) -> int:
    """Tokens of what can be said about a session's candidates: an operation for each, in the words of the memory."""
    return sum(ANSWER_OVERHEAD + estimate(one.text) + estimate(one.situation) for one in session.candidates)


def _size(session: SessionInput, estimate: Estimate) -> int:
    texts = [shorten(session.summary, SUMMARY_CHARACTERS)]
    for candidate in session.candidates:
        texts += [candidate.text, candidate.situation, *(quote.quote for quote in candidate.evidence)]
    return sum(estimate(text) for text in texts) + ENTRY_OVERHEAD * (1 + len(session.candidates))


def build_step(
    project: str,
    project_id: str,
    state: MemoryState,
    group: Sequence[SessionInput],
    *,
    entry_budget: int,
    estimate: Estimate,
    edits: Sequence[str] = (),
    facts: Sequence[str] = (),
    step: int = 1,
    steps: int = 1,
    waiting: Sequence[Source] = (),
    today: str = "",
) -> StepInput:
    """Build the request: the related standing entries within a token budget, every locked one first, and what waits
    from earlier nights."""
    views: list[CandidateView] = []
    sources: dict[str, Source] = {}
    for number, session in enumerate(group, 1):
        for place, candidate in enumerate(session.candidates, 1):
            reference = f"s{number}.{place}"
            sources[reference] = Source(session.thread_id, session.session_id, session.agent, candidate)
            views.append(_view(reference, session.thread_id, session.date, candidate))
    older: list[CandidateView] = []
    for number, source in enumerate(waiting, 1):
        sources[f"w{number}"] = source
        older.append(_view(f"w{number}", source.thread_id, None, source.candidate))
    entries = _related(state, [view.text for view in views], entry_budget, estimate)
    request = ConsolidateRequest(
        project=project,
        project_id=project_id,
        entries=tuple(_standing(entry) for entry in entries),
        candidates=tuple(views),
        sessions=tuple(
            SessionView(
                number,
                session.thread_id,
                session.title,
                session.outcome,
                day(session.date),
                shorten(session.summary, SUMMARY_CHARACTERS),
            )
            for number, session in enumerate(group, 1)
        ),
        edits=tuple(edits),
        facts=tuple(facts),
        skills=tuple((s.name, s.description) for s in state.skills if s.status is EntryStatus.ACTIVE),
        step=step,
        steps=steps,
        waiting=tuple(older),
        today=today,
    )
    return StepInput(request, sources, tuple(session.thread_id for session in group if session.complete))


def related_waiting(waiting: Sequence[Source], texts: Sequence[str]) -> list[Source]:
    """Those of earlier nights' memories that share a name or two words with something new."""
    fresh = [terms_of(text) for text in texts]
    names = frozenset[str]().union(*(terms.names for terms in fresh))
    found = []
    for source in waiting:
        mine = terms_of(f"{source.candidate.text} {source.candidate.situation}")
        if mine.names & names or any(len(mine.words & terms.words) >= 2 for terms in fresh):
            found.append(source)
    return found[:MOST_WAITING]


def _view(reference: str, thread_id: str, date: float | None, candidate: Candidate) -> CandidateView:
    return CandidateView(
        id=reference,
        thread_id=thread_id,
        kind=candidate.kind,
        text=candidate.text,
        situation=candidate.situation,
        standing=candidate.standing,
        quotes=tuple(quote.quote for quote in candidate.evidence),
        date=day(max((q.at for q in candidate.evidence if q.at is not None), default=date)),
        members=candidate.members,
        scope=candidate.scope if candidate.scope is Scope.USER else "",
    )


def _standing(entry: EntryState) -> StandingEntry:
    return StandingEntry(
        id=entry.id,
        kind=entry.kind,
        text=entry.text,
        situation=entry.situation,
        standing=entry.standing,
        confirmations=entry.confirmations,
        last_confirmed=day(entry.last_confirmed),
        locked=entry.locked,
        members=members_of(entry.evidence),
        scope=entry.scope if entry.scope is Scope.USER else "",
    )


def _related(state: MemoryState, texts: Sequence[str], budget: int, estimate: Estimate) -> list[EntryState]:
    """Entries that a step should see. All of them while they fit, else the locked, the similar and the useful ones."""
    order = ranked(state)
    sizes = {entry.number: estimate(entry.text + entry.situation) + ENTRY_OVERHEAD for entry in order}
    if sum(sizes.values()) <= budget:
        return sorted(order, key=lambda entry: entry.number)
    wanted = [entry for entry in order if entry.locked]
    wanted += _similar(order, texts)
    wanted += order
    chosen: dict[int, EntryState] = {}
    used = 0
    for entry in wanted:
        if entry.number not in chosen and used + sizes[entry.number] <= budget:
            chosen[entry.number] = entry
            used += sizes[entry.number]
    return [chosen[number] for number in sorted(chosen)]


def _similar(entries: Sequence[EntryState], texts: Sequence[str]) -> list[EntryState]:
    """For each new text the entries that share most 3-grams with it, by an inverted index."""
    postings: defaultdict[str, list[int]] = defaultdict(list)
    sizes = []
    for at, entry in enumerate(entries):
        pieces = grams(entry.text)
        sizes.append(len(pieces))
        for piece in pieces:
            postings[piece].append(at)
    found: dict[int, None] = {}
    for text in texts:
        mine = grams(text)
        shared: defaultdict[int, int] = defaultdict(int)
        for piece in mine:
            for at in postings.get(piece, ()):
                shared[at] += 1
        best = sorted(shared, key=lambda at: (-2 * shared[at] / (len(mine) + sizes[at]), at))
        found |= dict.fromkeys(best[:RELATED_PER_CANDIDATE])
    return [entries[at] for at in found]
