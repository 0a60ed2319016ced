"""Stage two under a project's lease: fold the new extractions into what stands, step by step, then publish.

Each step's answer is applied in one transaction that checks the lease and marks its sessions as consolidated. That
transaction is the checkpoint: after a crash the next owner goes on with the sessions that are left, and no answer is
paid for twice.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sqlmodel import Session, col, select

from slowwave.errors import BudgetReached, InternalError, LeaseLost, ModelDenied, ModelUnavailable, SlowwaveError
from slowwave.llm.base import Usage
from slowwave.llm.prompting.schemas import StageTwoReply
from slowwave.memories.consolidation.operations import Applied, Rails, apply_reply, retire_unsupported
from slowwave.memories.consolidation.selection import SessionInput, StepInput, batches, build_step, session_input
from slowwave.memories.consolidation.state import Decision, MemoryState
from slowwave.memories.consolidation.state_store import has_unsupported_in, load_state_in, lock_project, save_state_in
from slowwave.memories.consolidation.tombstones import Tombstones
from slowwave.memories.context import RunContext, render_options
from slowwave.memories.day import DayInputs, day_inputs, has_new_notes, store_mark_in
from slowwave.memories.publishing.publish import Desk, Live, publish_project, repair, root_of
from slowwave.memories.redacting import scrub_stage_two
from slowwave.storage.engine import database_now, reading, writing
from slowwave.storage.failpoints import reach
from slowwave.storage.queue.generations import check_held, claim_project, finish_project_in
from slowwave.storage.queue.heartbeat import Heartbeat
from slowwave.storage.queue.jobs import fail, release
from slowwave.storage.queue.leases import Claim
from slowwave.storage.tables import Project, StageOneOutput, Thread
from slowwave.text import estimate_tokens

CANDIDATE_SHARE = 0.5
ENTRY_TOKENS = 8000
ENTRY_TOKENS_PER_CANDIDATE = 600


@dataclass(slots=True)
class Consolidated:
    """What became of one project. `outcome` is published, unchanged, skipped, stopped or failed."""

    project_id: str
    outcome: str = "skipped"
    reason: str = ""
    version: int | None = None
    root: str = ""
    operations: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    changes: tuple[str, ...] = ()
    damage: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    promote: set[str] = field(default_factory=set)
    stopped: SlowwaveError | None = None
    late: bool = False


async def consolidate(space: RunContext, project_id: str) -> Consolidated:
    """Claim a dirty project, fold, publish. A failure is the queue's business and stands in the report."""
    report = Consolidated(project_id)
    lease = space.memories.stage2_lease_seconds
    claim = await asyncio.to_thread(_claim, space, project_id)
    if claim is None:
        report.reason = "not_dirty_or_running"
        return report
    reach("consolidate.claimed")
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    lost: list[Claim] = []

    def on_lost(gone: Claim) -> None:
        lost.append(gone)
        if task is not None:
            loop.call_soon_threadsafe(task.cancel)

    with Heartbeat(
        space.engine.url, [claim], lease=lease, interval=lease * space.memories.heartbeat_share, on_lost=on_lost
    ) as beat:
        try:
            await _work(space, claim, beat, report)
        except asyncio.CancelledError:
            if not lost:
                beat.remove(claim)
                await asyncio.shield(asyncio.to_thread(_release, space, claim))
                raise
            report.outcome, report.reason = "skipped", LeaseLost.reason
        except LeaseLost as error:
            report.outcome, report.reason = "skipped", error.reason
        except (BudgetReached, ModelDenied) as stop:
            beat.remove(claim)
            await asyncio.to_thread(_release, space, claim)
            report.outcome, report.reason, report.stopped = "stopped", stop.reason, stop
        except Exception as problem:  # noqa: BLE001 - whatever one project brings up, the others go on
            failure = InternalError.of(problem)
            beat.remove(claim)
            report.outcome, report.reason = "failed", failure.reason
            report.stopped = failure
            await asyncio.to_thread(_fail, space, claim, failure)
    return report


def _claim(space: RunContext, project_id: str) -> Claim | None:
    with writing(space.engine) as session:
        return claim_project(
            session,
            project_id,
            space.owner,
            lease=space.memories.stage2_lease_seconds,
            policy=space.policy,
            run_id=space.run_id,
        )


def _release(space: RunContext, claim: Claim) -> None:
    with writing(space.engine) as session:
        release(session, claim)


def _fail(space: RunContext, claim: Claim, error: SlowwaveError) -> None:
    text = str(error)
    try:
        text = space.scrubber.propagate(space.scrubber.redact(text).text)
    except SlowwaveError:
        text = f"{type(error).__name__} (its text could not be scanned)"
    with writing(space.engine) as session:
        try:
            fail(
                session,
                claim,
                reason=error.reason,
                error=text,
                policy=space.policy,
                retry_after=error.retry_after if isinstance(error, ModelUnavailable) else None,
            )
        except LeaseLost:
            return


async def _work(space: RunContext, claim: Claim, beat: Heartbeat, report: Consolidated) -> None:
    desk = await asyncio.to_thread(make_desk, space, claim)
    settle = desk.settle

    def ends(session: Session, version: int | None) -> None:
        # A beat between the commit and the end of this task would be refused and taken for a loss.
        beat.remove(claim)
        settle(session, version)

    desk = replace(desk, settle=ends)
    report.root = str(desk.root)
    live = await asyncio.to_thread(repair, desk)
    await _fold(space, claim, desk, live, beat, report)
    await asyncio.to_thread(_retire, space, claim, report)
    beat.check(claim)
    outcome = await asyncio.to_thread(publish_project, desk, live)
    beat.remove(claim)
    reach("consolidate.finished")
    report.outcome = "unchanged" if outcome.version is None else "published"
    report.version = outcome.version
    report.changes, report.damage = outcome.changes, outcome.damage
    report.late = outcome.late


def make_desk(space: RunContext, claim: Claim, cause: str = "consolidate", note: str = "") -> Desk:
    """The desk of a claimed project: its transactions check the claim, and its commit ends the job."""
    with reading(space.engine) as session:
        project = session.get_one(Project, claim.key)

    def settle(session: Session, version: int | None) -> None:
        finish_project_in(session, claim, version=version)

    return Desk(
        engine=space.engine,
        root=root_of(space.app.home, project),
        project_id=project.id,
        name=project.name,
        fence=claim.fence,
        generation=claim.generation,
        render=space.render,
        scrubber=space.scrubber,
        options=render_options(space.memories),
        keep_versions=space.memories.keep_versions,
        run_id=space.run_id,
        held=lambda session: check_held(session, claim),
        settle=settle,
        cause=cause,
        note=note,
    )


async def _fold(space: RunContext, claim: Claim, desk: Desk, live: Live, beat: Heartbeat, report: Consolidated) -> None:
    """One step for each batch of sessions, then one for what the day noted and no entry says yet."""
    state, sessions = await asyncio.to_thread(_inputs, space, claim.key)
    limits = [limit for limit in (space.extractor.consolidate_tokens,) if limit is not None]
    budget = min([space.memories.consolidation_token_limit, *limits])
    groups = list(batches(sessions, int(budget * CANDIDATE_SHARE), estimate_tokens))
    fold = _Folding(space, claim, desk, live, beat, report, budget, len(state.active), len(groups))
    for number, group in enumerate(groups, 1):
        await fold.step(group, number)
    day = await asyncio.to_thread(_day, space, claim.key)
    if day.sessions:
        await fold.step(day.sessions, len(groups) + 1, day.corrections)
    if day.mark:
        await asyncio.to_thread(_mark_day, space, claim, day.mark)


@dataclass(slots=True)
class _Folding:
    space: RunContext
    claim: Claim
    desk: Desk
    live: Live
    beat: Heartbeat
    report: Consolidated
    budget: int
    standing: int
    steps: int
    lost: int = 0

    async def step(self, group: Sequence[SessionInput], number: int, facts: Sequence[str] = ()) -> None:
        """Build the request on what stands now, ask, apply."""
        self.beat.check(self.claim)
        state = await asyncio.to_thread(_state, self.space, self.claim.key)
        step = build_step(
            self.desk.name,
            self.desk.project_id,
            state,
            group,
            entry_budget=self._entry_budget(group),
            estimate=estimate_tokens,
            edits=self.live.changes,
            facts=facts,
            step=number,
            steps=max(number, self.steps),
        )
        rails = Rails(
            standing=self.standing,
            lost=self.lost,
            max_loss_share=self.space.memories.max_entry_loss_share,
            max_skills=self.space.memories.max_skills,
            taken_skill_names=_own_skills(self.live),
        )
        applied = await _step(self.space, self.claim, step, group, rails, self.report)
        self.lost += applied.lost
        self.report.promote.update(applied.promote)
        reach("consolidate.step")

    def _entry_budget(self, group: Sequence[SessionInput]) -> int:
        """Tokens for standing entries: enough for what is related to the new candidates, however many stand. So adding
        a session to a thousand costs about what adding it to fifty does."""
        candidates = sum(len(session.candidates) for session in group)
        related = ENTRY_TOKENS + ENTRY_TOKENS_PER_CANDIDATE * candidates
        return min(int(self.budget * (1 - CANDIDATE_SHARE)), related)


def _day(space: RunContext, project_id: str) -> DayInputs:
    with reading(space.engine) as session:
        if not has_new_notes(space.app.home, session, project_id):
            return DayInputs()
        return day_inputs(space.app.home, session, project_id, load_state_in(session, project_id))


def _mark_day(space: RunContext, claim: Claim, mark: int) -> None:
    with writing(space.engine) as session:
        check_held(session, claim)
        store_mark_in(session, claim.key, mark)


async def _step(
    space: RunContext,
    claim: Claim,
    step: StepInput,
    group: Sequence[SessionInput],
    rails: Rails,
    report: Consolidated,
) -> Applied:
    """One call and its transaction. Sessions without new candidates need no call."""
    if not step.request.candidates:
        return await asyncio.to_thread(_apply, space, claim, None, step, group, rails, report)
    answer = await space.extractor.consolidate(step.request)
    reach("consolidate.answered")
    report.usage += answer.usage
    reply = await asyncio.to_thread(scrub_stage_two, answer.reply, space.scrubber)
    return await asyncio.to_thread(_apply, space, claim, reply, step, group, rails, report)


def _apply(
    space: RunContext,
    claim: Claim,
    reply: StageTwoReply | None,
    step: StepInput,
    group: Sequence[SessionInput],
    rails: Rails,
    report: Consolidated,
) -> Applied:
    with writing(space.engine) as session:
        lock_project(session, claim.key)
        check_held(session, claim)
        before = load_state_in(session, claim.key)
        applied = Applied(before)
        if reply is not None:
            tombstones = Tombstones.load_in(session, claim.key)
            guarded = replace(rails, tombstoned=tombstones.covers_text)
            applied = apply_reply(before, reply, step.sources, guarded)
            save_state_in(session, claim.key, before, applied.state, space.run_id, database_now(session))
        for thread_id in step.thread_ids:
            output = session.get(StageOneOutput, thread_id)
            if output is not None:
                output.pending = False
                session.add(output)
        reach("consolidate.applying")
    _count(report, applied.decisions)
    return applied


def _retire(space: RunContext, claim: Claim, report: Consolidated) -> None:
    if space.memories.max_unconfirmed_days is None:
        with reading(space.engine) as session:
            if not has_unsupported_in(session, claim.key):
                return
    with writing(space.engine) as session:
        lock_project(session, claim.key)
        check_held(session, claim)
        now = database_now(session)
        before = load_state_in(session, claim.key)
        step = retire_unsupported(before, now=now, max_unconfirmed_days=space.memories.max_unconfirmed_days)
        if step.state != before:
            save_state_in(session, claim.key, before, step.state, space.run_id, now)
    _count(report, step.decisions)


def _count(report: Consolidated, decisions: Sequence[Decision]) -> None:
    for decision in decisions:
        if decision.accepted:
            report.operations[decision.operation] += 1
        else:
            report.refused[decision.reason] += 1


def _state(space: RunContext, project_id: str) -> MemoryState:
    with reading(space.engine) as session:
        return load_state_in(session, project_id)


def _inputs(space: RunContext, project_id: str) -> tuple[MemoryState, list[SessionInput]]:
    """What stands, and the sessions whose output stage two has not seen in its present form."""
    with reading(space.engine) as session:
        state = load_state_in(session, project_id)
        return state, pending_in(session, project_id, state)


def pending_in(session: Session, project_id: str, state: MemoryState) -> list[SessionInput]:
    """Outputs that are new or changed since stage two last looked."""
    rows = session.exec(
        select(StageOneOutput, Thread)
        .join(Thread, col(Thread.id) == col(StageOneOutput.thread_id))
        .where(
            StageOneOutput.project_id == project_id,
            col(StageOneOutput.pending).is_(True),
            col(Thread.forgotten).is_(False),
        )
        .order_by(col(StageOneOutput.thread_id))
    )
    return [session_input(output, thread.session_id, thread.agent, state) for output, thread in rows]


def _own_skills(live: Live) -> frozenset[str]:
    return frozenset(path.split("/")[1] for path in live.carried if path.startswith("skills/") and path.count("/") >= 2)
