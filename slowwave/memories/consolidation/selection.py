"""What one step of stage two looks at: which new candidates, and which standing entries beside them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from slowwave.llm.base import CandidateView, ConsolidateRequest, SessionView, StandingEntry
from slowwave.memories.consolidation.operations import Source
from slowwave.memories.consolidation.ranking import ranked
from slowwave.memories.consolidation.state import EntryState, MemoryState
from slowwave.memories.extraction.candidates import Candidate
from slowwave.memories.publishing.render import day
from slowwave.memories.text import grams
from slowwave.storage.tables import StageOneOutput
from slowwave.storage.types import EntryStatus
from slowwave.text import shorten

ENTRY_OVERHEAD = 24
SUMMARY_CHARACTERS = 600
RELATED_PER_CANDIDATE = 8
Estimate = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class SessionInput:
    """A session whose output stage two has not seen, with the candidates that no entry rests on yet."""

    thread_id: str
    session_id: str
    agent: str
    outcome: str
    summary: str
    date: float | None
    candidates: tuple[Candidate, ...]

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
    """The request of one step and, by candidate id, where each candidate came from."""

    request: ConsolidateRequest
    sources: Mapping[str, Source]
    thread_ids: tuple[str, ...]


def session_input(output: StageOneOutput, session_id: str, agent: str, state: MemoryState) -> SessionInput:
    """Leave out the candidates all of whose quotes already support some entry."""
    known = {
        (piece.item, piece.quote_hash)
        for entry in state.entries
        for piece in entry.evidence
        if piece.thread_id == output.thread_id
    }
    candidates = [Candidate.from_json(data) for data in output.memories]
    fresh = [c for c in candidates if any((quote.item, quote.hash) not in known for quote in c.evidence)]
    return SessionInput(
        thread_id=output.thread_id,
        session_id=session_id,
        agent=agent,
        outcome=output.outcome,
        summary=output.rollout_summary,
        date=output.session_last_activity,
        candidates=tuple(fresh),
    )


def batches(sessions: Sequence[SessionInput], budget: int, estimate: Estimate) -> Iterator[list[SessionInput]]:
    """Group sessions in order of time so that each group's candidates and summaries fit the budget (one at least)."""
    group: list[SessionInput] = []
    used = 0
    for session in sorted(sessions, key=lambda session: session.order):
        size = _size(session, estimate)
        if group and used + size > budget:
            yield group
            group, used = [], 0
        group.append(session)
        used += size
    if group:
        yield group


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
) -> StepInput:
    """Build the request: the related standing entries within a token budget, every locked one first."""
    views: list[CandidateView] = []
    sources: dict[str, Source] = {}
    for number, session in enumerate(group, 1):
        for place, candidate in enumerate(session.candidates, 1):
            reference = f"s{number}.{place}"
            sources[reference] = Source(session.thread_id, session.session_id, session.agent, candidate)
            views.append(_view(reference, session, candidate))
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
    )
    return StepInput(request, sources, tuple(session.thread_id for session in group))


def _view(reference: str, session: SessionInput, candidate: Candidate) -> CandidateView:
    return CandidateView(
        id=reference,
        thread_id=session.thread_id,
        kind=candidate.kind,
        text=candidate.text,
        situation=candidate.situation,
        standing=candidate.standing,
        quotes=tuple(quote.quote for quote in candidate.evidence),
        date=day(max((q.at for q in candidate.evidence if q.at is not None), default=session.date)),
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
