"""Stage one under the queue: claim, read, extract, store. One transaction holds an answer and the end of its job."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from slowwave.errors import BudgetReached, LeaseLost, ModelDenied, ModelUnavailable, RolloutError, SlowwaveError
from slowwave.llm.base import Usage
from slowwave.memories.discovery import log_of
from slowwave.memories.stage_one import SessionResult, extract_session
from slowwave.memories.tombstones import Tombstones
from slowwave.memories.workspace import Workspace
from slowwave.rollouts.model import Item, LogFile, Reader, SessionFacts
from slowwave.rollouts.registry import readers
from storage.engine import database_now, reading, writing
from storage.generations import bump_generation
from storage.heartbeat import Heartbeat
from storage.jobs import claim_extracts, fail, finish_in, release
from storage.killpoints import reach
from storage.leases import Claim
from storage.registry import set_reasons
from storage.tables import Project, StageOneOutput, Thread
from storage.types import JobState, Reason

T = TypeVar("T")


@dataclass(slots=True)
class Tally:
    """What became of a batch. `stopped` is why the batch ended early: a budget, a refused key."""

    reasons: Counter[str] = field(default_factory=Counter)
    redactions: Counter[str] = field(default_factory=Counter)
    usage: Usage = field(default_factory=Usage)
    stopped: SlowwaveError | None = None


async def extract_claimed(space: Workspace, thread_ids: Sequence[str], limit: asyncio.Semaphore) -> Tally:
    """Extract the sessions of a plan's batch that this process can claim, several at a time.

    A session's failure is the queue's business. A budget that is reached or a key that is refused ends the batch; the
    rest waits for the next run. Cancellation gives the claims back.
    """
    tally = Tally()
    lease = space.memories.stage1_lease_seconds
    own_readers = readers(space.app.env)
    lost: set[str] = set()
    tasks: dict[str, asyncio.Task[None]] = {}
    loop = asyncio.get_running_loop()

    def on_lost(claim: Claim) -> None:
        lost.add(claim.key)
        if (task := tasks.get(claim.key)) is not None:
            loop.call_soon_threadsafe(task.cancel)

    async def one(thread_id: str) -> None:
        async with limit:
            if tally.stopped is not None:
                return
            claim = await _claimed(space, thread_id)
            if claim is None:
                tally.reasons["not_claimed"] += 1
                return
            reach("extract.claimed")
            beat.add(claim)
            try:
                await _extract(space, claim, own_readers, beat, tally)
            except asyncio.CancelledError:
                if thread_id in lost:
                    tally.reasons[LeaseLost.reason] += 1
                    return
                beat.remove(claim)
                await _to_its_end(asyncio.to_thread(_release, space, claim))
                raise
            finally:
                beat.remove(claim)

    with Heartbeat(
        space.engine.url, lease=lease, interval=lease * space.memories.heartbeat_share, on_lost=on_lost
    ) as beat:
        tasks.update({thread_id: asyncio.create_task(one(thread_id)) for thread_id in thread_ids})
        try:
            await asyncio.gather(*tasks.values())
        except BaseException:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)
            raise
    return tally


async def _claimed(space: Workspace, thread_id: str) -> Claim | None:
    """Claim a session. A claim that was taken while the run was cancelled is given back: nobody would know of it."""
    claim, cancelled = await _to_its_end(asyncio.to_thread(_claim, space, thread_id))
    if cancelled:
        if claim is not None:
            await _to_its_end(asyncio.to_thread(_release, space, claim))
        raise asyncio.CancelledError
    return claim


async def _to_its_end(work: Coroutine[Any, Any, T]) -> tuple[T, bool]:
    """Wait for work in a thread, which no cancellation can stop; return its result and whether there was one."""
    future, cancelled = asyncio.ensure_future(work), False
    while not future.done():
        try:
            await asyncio.shield(future)
        except asyncio.CancelledError:
            cancelled = True
    return future.result(), cancelled


def _claim(space: Workspace, thread_id: str) -> Claim | None:
    with writing(space.engine) as session:
        claims = claim_extracts(
            session,
            space.owner,
            limit=1,
            max_running=space.memories.max_running_extractions,
            lease=space.memories.stage1_lease_seconds,
            policy=space.policy,
            keys=[thread_id],
            run_id=space.run_id,
        )
    return claims[0] if claims else None


def _release(space: Workspace, claim: Claim, reason: str | None = None, retry_after: float | None = None) -> None:
    with writing(space.engine) as session:
        release(session, claim, reason=reason, retry_after=retry_after)


async def _extract(
    space: Workspace, claim: Claim, own_readers: dict[str, Reader], beat: Heartbeat, tally: Tally
) -> None:
    try:
        facts, items, project, log = await asyncio.to_thread(_read, space, claim, own_readers)
        reach("extract.read")
        result = await extract_session(
            facts,
            items,
            project=project,
            extractor=space.extractor,
            scrubber=space.scrubber,
            signals=_signals(space, facts, log),
            prompt_dir=space.memories.prompt_dir,
            checkpoint=lambda: beat.check(claim),
        )
        reach("extract.answered")
        beat.remove(claim)
        reason = await asyncio.to_thread(_store, space, claim, facts, result)
        reach("extract.stored")
        tally.reasons[reason.value] += 1
        tally.redactions.update(result.redactions)
        tally.usage += result.usage
    except LeaseLost:
        tally.reasons[LeaseLost.reason] += 1
    except BudgetReached as stop:
        tally.stopped = stop
        tally.reasons[Reason.BUDGET.value] += 1
        await asyncio.to_thread(_put_back, space, claim, Reason.BUDGET, str(stop))
    except ModelDenied as stop:
        tally.stopped = stop
        tally.reasons[stop.reason] += 1
        await asyncio.to_thread(_put_back, space, claim, Reason.QUEUED, str(stop))
    except SlowwaveError as error:
        tally.reasons[error.reason] += 1
        await asyncio.to_thread(_fail, space, claim, error)


def _read(
    space: Workspace, claim: Claim, own_readers: dict[str, Reader]
) -> tuple[SessionFacts, list[Item], str, LogFile]:
    with reading(space.engine) as session:
        thread = session.get_one(Thread, claim.key)
        project = session.get(Project, thread.project_id) if thread.project_id is not None else None
    reader = own_readers.get(thread.agent)
    if reader is None:
        raise RolloutError(f"no reader for {thread.agent}", hint="Install the package that has it.", reason="no_reader")
    log = log_of(thread.path, thread.log_key, thread.agent)
    facts = reader.scan(log)
    return facts, list(reader.items(log, facts)), project.name if project is not None else "", log


def _signals(space: Workspace, facts: SessionFacts, log: LogFile) -> frozenset[int]:
    from slowwave.memories.day import signals_of

    return signals_of(space.app.home, facts, log)


def _store(space: Workspace, claim: Claim, facts: SessionFacts, result: SessionResult) -> Reason:
    """Write the output, wake stage two if anything changed for it, and end the job, all or nothing."""
    with writing(space.engine) as session:
        now = database_now(session)
        thread = session.get_one(Thread, claim.key)
        project_id = thread.project_id or ""
        tombstones = Tombstones.load_in(session, project_id)
        kept = [] if thread.forgotten else [c for c in result.kept if not tombstones.covers(claim.key, c)]
        old = session.get(StageOneOutput, claim.key)
        memories = [candidate.as_json() for candidate in kept]
        if (old.memories if old is not None else []) != memories or (
            old is not None and old.rollout_summary != result.summary
        ):
            bump_generation(session, project_id, now=now)
        output = old or StageOneOutput(
            thread_id=claim.key,
            project_id=project_id,
            source_hash="",
            extractor="",
            extractor_version=0,
            outcome="",
            slug="",
            rollout_summary="",
            raw_memory="",
        )
        output.sqlmodel_update(_columns(space, facts, result, project_id, now) | {"memories": memories})
        session.add(output)
        finish_in(
            session,
            claim,
            source_hash=facts.content_hash,
            extractor=space.family,
            extractor_version=space.extractor.version,
        )
        reason = Reason.EXTRACTED if memories else Reason.NOTHING_TO_KEEP
        detail = f"{len(memories)} memories" if memories else _why_nothing(result)
        set_reasons(session, {claim.key: (reason, detail)}, now=now)
        reach("extract.storing")
    return reason


def _why_nothing(result: SessionResult) -> str:
    if result.quarantined:
        return f"{len(result.quarantined)} quarantined"
    dropped = ", ".join(f"{count} {name}" for name, count in sorted(result.rejected.items()))
    return f"dropped: {dropped}" if dropped else ""


def _columns(
    space: Workspace, facts: SessionFacts, result: SessionResult, project_id: str, now: float
) -> dict[str, object]:
    return {
        "project_id": project_id,
        "source_hash": facts.content_hash,
        "extractor": space.extractor.name,
        "extractor_version": space.extractor.version,
        "outcome": result.outcome,
        "slug": result.slug,
        "rollout_summary": result.summary if result.kept else "",
        "raw_memory": result.raw_memory,
        "quarantined": [candidate.as_json() for candidate in result.quarantined],
        "rejected": result.rejected,
        "redactions": result.redactions,
        "session_started": facts.started.timestamp() if facts.started is not None else None,
        "session_last_activity": facts.last_activity.timestamp() if facts.last_activity is not None else None,
        "generated_at": now,
        "run_id": space.run_id,
    }


def _put_back(space: Workspace, claim: Claim, reason: Reason, detail: str) -> None:
    with writing(space.engine) as session:
        if release(session, claim, reason=reason):
            set_reasons(session, {claim.key: (reason, detail)})


def _fail(space: Workspace, claim: Claim, error: SlowwaveError) -> None:
    """Let the queue decide when it is tried again, and record why in words without secrets."""
    text = str(error)
    try:
        text = space.scrubber.propagate(space.scrubber.redact(text).text)
    except SlowwaveError:
        text = f"{type(error).__name__} (its text could not be scanned)"
    retry_after = error.retry_after if isinstance(error, ModelUnavailable) else None
    with writing(space.engine) as session:
        try:
            state = fail(session, claim, reason=error.reason, error=text, policy=space.policy, retry_after=retry_after)
        except LeaseLost:
            return
        fate = Reason.DEAD if state is JobState.DEAD else _reason_of(error)
        set_reasons(session, {claim.key: (fate, f"{error.reason}: {text}")})


def _reason_of(error: SlowwaveError) -> Reason:
    known = {reason.value for reason in Reason}
    return Reason(error.reason) if error.reason in known else Reason.FAILED
