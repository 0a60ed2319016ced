"""The steps of one consolidation: ask about a batch of memories, apply the answer, say what became of each of them.

Each step's answer is applied in one transaction that checks the lease and marks its sessions as consolidated. That
transaction is the checkpoint: after a crash the next owner goes on with the memories that are left, and no answer is
paid for twice.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sqlmodel import Session, col, select

from slowwave.errors import SlowwaveError
from slowwave.llm.base import Usage
from slowwave.llm.prompting.schemas import StageTwoReply
from slowwave.memories.consolidation.operations import Applied, apply_reply
from slowwave.memories.consolidation.run_limits import RunLimits
from slowwave.memories.consolidation.selection import (
    SessionInput,
    StepInput,
    batches,
    build_step,
    halves,
    related_waiting,
    session_input,
)
from slowwave.memories.consolidation.settling import refuse_in, retry_held_in, settle_in
from slowwave.memories.consolidation.sources import Source
from slowwave.memories.context import RunContext
from slowwave.memories.day import DayInputs, day_inputs, has_new_notes, store_mark_in
from slowwave.memories.discovery.eligibility import OFFLINE
from slowwave.memories.extraction.candidates import Candidate
from slowwave.memories.publishing.publish import Live, Publication
from slowwave.memories.redacting import scrub_stage_two
from slowwave.memories.state.store import load_state_in, lock_project
from slowwave.memories.state.tombstones import Tombstones
from slowwave.memories.state.values import Decision, MemoryState
from slowwave.session.flushing.shards import today as date_of
from slowwave.storage.engine import database_now, reading, writing
from slowwave.storage.failpoints import reach
from slowwave.storage.proposals import left_out_in, settled_in
from slowwave.storage.queue.generations import check_held
from slowwave.storage.queue.heartbeat import Heartbeat
from slowwave.storage.queue.leases import Claim
from slowwave.storage.tables import StageOneOutput, Thread
from slowwave.text import estimate_tokens

CANDIDATE_SHARE = 0.5
ANSWER_SHARE = 0.75
ENTRY_TOKENS = 8000
ENTRY_TOKENS_PER_CANDIDATE = 600
OFFERS = 2
OFFLINE_OFFERS = 1_000


@dataclass(slots=True)
class Consolidated:
    """What became of one project. `outcome` is published, unchanged, skipped, stopped or failed; `held` counts what
    this run held back by reason."""

    project_id: str
    outcome: str = "skipped"
    reason: str = ""
    version: int | None = None
    root: str = ""
    operations: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)
    changes: tuple[str, ...] = ()
    damage: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    stopped: SlowwaveError | None = None
    late: bool = False


async def fold(
    space: RunContext, claim: Claim, publication: Publication, live: Live, beat: Heartbeat, report: Consolidated
) -> None:
    """One step for each batch of sessions, then one for what the day noted and no entry says yet."""
    state, sessions = await asyncio.to_thread(_inputs, space, claim.key)
    limits = [limit for limit in (space.extractor.consolidate_tokens,) if limit is not None]
    budget = min([space.memories.consolidation_token_limit, *limits])
    room = space.extractor.answer_tokens
    answer = None if room is None else int(room * ANSWER_SHARE)
    groups = list(batches(sessions, int(budget * CANDIDATE_SHARE), estimate_tokens, answer))
    folding = _Folding(space, claim, publication, live, beat, report, budget, len(state.active), len(groups))
    await folding.retry()
    for number, group in enumerate(groups, 1):
        await folding.step(group, number)
    day = await asyncio.to_thread(_day, space, claim.key)
    if day.sessions:
        await folding.step(day.sessions, len(groups) + 1, day.corrections)
    if day.mark:
        await asyncio.to_thread(_mark_day, space, claim, day)


@dataclass(slots=True)
class _Folding:
    space: RunContext
    claim: Claim
    publication: Publication
    live: Live
    beat: Heartbeat
    report: Consolidated
    budget: int
    standing: int
    steps: int
    lost: int = 0

    async def retry(self) -> None:
        """What the quota of an earlier run held back has the first go at this one's."""
        for applied in await asyncio.to_thread(self._retry):
            self.lost += applied.lost
            count(self.report, applied.decisions)

    async def step(self, group: Sequence[SessionInput], number: int, facts: Sequence[str] = ()) -> None:
        """Build the request on what stands now, ask, apply. What a cut answer did not come to is asked about again."""
        self.beat.check(self.claim)
        step = await asyncio.to_thread(self._request, group, number, facts)
        reply, cut = await self._ask(step)
        open_ids = frozenset(_unanswered(step, reply)) if cut and reply is not None else frozenset[str]()
        applied = await asyncio.to_thread(self._apply, step, reply, group, open_ids)
        self.lost += applied.lost
        reach("consolidate.step")
        for rest in _rest(step, group, open_ids):
            await self.step(rest, number, facts)

    def _request(self, group: Sequence[SessionInput], number: int, facts: Sequence[str]) -> StepInput:
        with reading(self.space.engine) as session:
            state = load_state_in(session, self.claim.key)
            now = database_now(session)
            waiting = self._waiting(session, state, group)
        return build_step(
            self.publication.name,
            self.publication.project_id,
            state,
            group,
            entry_budget=self._entry_budget(group),
            estimate=estimate_tokens,
            edits=self.live.changes,
            facts=facts,
            step=number,
            steps=max(number, self.steps),
            waiting=waiting,
            today=date_of(now, self.space.memories.time_zone),
        )

    def _waiting(self, session: Session, state: MemoryState, group: Sequence[SessionInput]) -> list[Source]:
        """Memories of earlier nights that were left out, those that have to do with the new ones. A model is offered
        each once more; the offline extractor waits for a second session to say the same, however long that takes."""
        texts = [candidate.text for one in group for candidate in one.candidates]
        if not texts:
            return []
        offline = self.space.family == OFFLINE
        here = {one.thread_id for one in group}
        waiting = [
            source
            for source in waiting_in(session, self.claim.key, OFFLINE_OFFERS if offline else OFFERS)
            if source.thread_id not in here
        ]
        return related_waiting(waiting, texts)

    async def _ask(self, step: StepInput) -> tuple[StageTwoReply | None, bool]:
        """Ask about a step. Sessions without new candidates need no call."""
        if not step.request.candidates:
            return None, False
        answer = await self.space.extractor.consolidate(step.request)
        reach("consolidate.answered")
        self.report.usage += answer.usage
        return await asyncio.to_thread(scrub_stage_two, answer.reply, self.space.scrubber), answer.cut

    def _apply(
        self,
        step: StepInput,
        reply: StageTwoReply | None,
        group: Sequence[SessionInput],
        open_ids: frozenset[str],
    ) -> Applied:
        with writing(self.space.engine) as session:
            lock_project(session, self.claim.key)
            check_held(session, self.claim)
            now = database_now(session)
            before = load_state_in(session, self.claim.key)
            applied = Applied(before)
            if reply is not None:
                applied = apply_reply(before, reply, step.sources, self._rails(session, now))
            settle_in(
                session,
                self.claim.key,
                before,
                applied,
                step.sources,
                run_id=self.space.run_id,
                now=now,
                open_ids=open_ids,
                known=group,
            )
            if not open_ids:
                for thread_id in step.thread_ids:
                    output = session.get(StageOneOutput, thread_id)
                    if output is not None:
                        output.pending = False
                        session.add(output)
            reach("consolidate.applying")
        count(self.report, applied.decisions)
        return applied

    def _retry(self) -> tuple[Applied, ...]:
        with writing(self.space.engine) as session:
            lock_project(session, self.claim.key)
            check_held(session, self.claim)
            now = database_now(session)
            run_limits = self._rails(session, now)
            return retry_held_in(session, self.claim.key, run_limits, run_id=self.space.run_id, now=now)

    def _rails(self, session: Session, now: float) -> RunLimits:
        return RunLimits(
            standing=self.standing,
            lost=self.lost,
            max_loss_share=self.space.memories.max_entry_loss_share,
            max_skills=self.space.memories.max_skills,
            taken_skill_names=_own_skills(self.live),
            tombstoned=Tombstones.load_in(session, self.claim.key).covers_text,
            now=now,
            edits=self.live.changes,
        )

    def _entry_budget(self, group: Sequence[SessionInput]) -> int:
        """Tokens for standing entries: enough for what is related to the new candidates, however many stand. So adding
        a session to a thousand costs about what adding it to fifty does."""
        candidates = sum(len(session.candidates) for session in group)
        related = ENTRY_TOKENS + ENTRY_TOKENS_PER_CANDIDATE * candidates
        return min(int(self.budget * (1 - CANDIDATE_SHARE)), related)


def _unanswered(step: StepInput, reply: StageTwoReply) -> set[str]:
    """The new memories that a cut answer did not come to."""
    named = {name for operation in reply.operations for name in operation.memories}
    return {view.id for view in step.request.candidates} - named


def _rest(step: StepInput, group: Sequence[SessionInput], open_ids: frozenset[str]) -> list[list[SessionInput]]:
    """What is left to ask about: in one step where the answer came to something, in two where it came to nothing."""
    if not open_ids:
        return []
    left: list[SessionInput] = []
    for number, session in enumerate(group, 1):
        kept = tuple(c for place, c in enumerate(session.candidates, 1) if f"s{number}.{place}" in open_ids)
        left.append(replace(session, candidates=kept, known=()))
    if len(open_ids) < len(step.request.candidates) or len(open_ids) < 2:
        return [left]
    middle = len(left) // 2
    if sum(len(one.candidates) for one in left[:middle]) and sum(len(one.candidates) for one in left[middle:]):
        return [left[:middle], left[middle:]]
    (whole,) = (one for one in left if one.candidates)
    first, second = halves(whole)
    return [[first], [*(one for one in left if one is not whole), second]]


def waiting_in(session: Session, project_id: str, offers: int) -> list[Source]:
    """Memories that were left out and may be offered again, as their sessions have them now."""
    rows = left_out_in(session, project_id, offered_below=offers)
    outputs: dict[str, tuple[StageOneOutput, Thread]] = {}
    wanted = {row.thread_id for row in rows}
    found = session.exec(
        select(StageOneOutput, Thread)
        .join(Thread, col(Thread.id) == col(StageOneOutput.thread_id))
        .where(col(Thread.id).in_(sorted(wanted)), col(Thread.forgotten).is_(False))
    )
    for output, thread in found:
        outputs[thread.id] = (output, thread)
    sources = []
    for row in rows:
        if row.thread_id not in outputs:
            continue
        output, thread = outputs[row.thread_id]
        for candidate in map(Candidate.from_json, output.memories):
            if candidate.hash == row.hash:
                sources.append(Source(thread.id, thread.session_id, thread.agent, candidate))
                break
    return sources


def count(report: Consolidated, decisions: Sequence[Decision]) -> None:
    """Add decisions to a report."""
    for decision in decisions:
        if decision.accepted:
            report.operations[decision.operation] += 1
        elif decision.held:
            report.held[decision.reason] += 1
        else:
            report.refused[decision.reason] += 1


def _day(space: RunContext, project_id: str) -> DayInputs:
    with reading(space.engine) as session:
        if not has_new_notes(space.app.home, session, project_id):
            return DayInputs()
        return day_inputs(space.app.home, session, project_id, load_state_in(session, project_id))


def _mark_day(space: RunContext, claim: Claim, day: DayInputs) -> None:
    with writing(space.engine) as session:
        check_held(session, claim)
        store_mark_in(session, claim.key, day.mark)
        refuse_in(session, claim.key, day.refused, run_id=space.run_id, now=database_now(session))


def _inputs(space: RunContext, project_id: str) -> tuple[MemoryState, list[SessionInput]]:
    """What stands, and the sessions whose output stage two has not seen in its present form."""
    with reading(space.engine) as session:
        state = load_state_in(session, project_id)
        return state, pending_in(session, project_id, state)


def pending_in(session: Session, project_id: str, state: MemoryState) -> list[SessionInput]:
    """Outputs that are new or changed since stage two last looked, without what an interrupted step decided."""
    rows = session.exec(
        select(StageOneOutput, Thread)
        .join(Thread, col(Thread.id) == col(StageOneOutput.thread_id))
        .where(
            StageOneOutput.project_id == project_id,
            col(StageOneOutput.pending).is_(True),
            col(Thread.forgotten).is_(False),
        )
        .order_by(col(StageOneOutput.thread_id))
    ).all()
    settled = settled_in(session, project_id) if rows else {}
    return [
        session_input(output, thread.session_id, thread.agent, state, settled.get(thread.id, frozenset()))
        for output, thread in rows
    ]


def _own_skills(live: Live) -> frozenset[str]:
    return frozenset(path.split("/")[1] for path in live.carried if path.startswith("skills/") and path.count("/") >= 2)
