"""Stage one under the queue: claim, read, extract, store. One transaction holds an answer and the end of its job."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from slowwave.errors import BudgetReached, ConnectionLost, InternalError, LeaseLost, ModelDenied, SlowwaveError
from slowwave.llm.base import Usage
from slowwave.memories.context import RunContext
from slowwave.memories.discovery.eligibility import OFFLINE
from slowwave.memories.extraction.stage_one import extract_session
from slowwave.memories.extraction.steps import (
    claim_session,
    give_back,
    put_back,
    read_session,
    record_failure,
    store_result,
)
from slowwave.rollouts.model import Reader
from slowwave.rollouts.readers import readers
from slowwave.settings import MemoriesSettings
from slowwave.storage.failpoints import reach
from slowwave.storage.queue.heartbeat import Heartbeat
from slowwave.storage.queue.leases import Claim
from slowwave.storage.types import Reason

T = TypeVar("T")


@dataclass(slots=True)
class Tally:
    """What became of a batch. `stopped` is why the batch ended early: a budget, a refused key."""

    reasons: Counter[str] = field(default_factory=Counter)
    redactions: Counter[str] = field(default_factory=Counter)
    usage: Usage = field(default_factory=Usage)
    stopped: SlowwaveError | None = None


def live_sessions(memories: MemoriesSettings, extractor: str) -> int:
    """How many sessions may be in hand at once.

    `stage1_concurrency` bounds the calls under way. While a model answers, half as many sessions again are read,
    redacted or stored, so that no place among the calls stands empty. The offline extractor has no calls to wait for.
    """
    calls = memories.stage1_concurrency
    return calls if extractor == OFFLINE else calls + -(-calls // 2)


async def extract_claimed(space: RunContext, thread_ids: Sequence[str], limit: asyncio.Semaphore) -> Tally:
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
                await _to_its_end(asyncio.to_thread(give_back, space, claim))
                raise
            finally:
                beat.remove(claim)

    if thread_ids:
        await space.extractor.prepare()
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


async def _claimed(space: RunContext, thread_id: str) -> Claim | None:
    """Claim a session. A claim that was taken while the run was cancelled is given back: nobody would know of it."""
    claim, cancelled = await _to_its_end(asyncio.to_thread(claim_session, space, thread_id))
    if cancelled:
        if claim is not None:
            await _to_its_end(asyncio.to_thread(give_back, space, claim))
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


async def _extract(
    space: RunContext, claim: Claim, own_readers: dict[str, Reader], beat: Heartbeat, tally: Tally
) -> None:
    try:
        session = await asyncio.to_thread(read_session, space, claim, own_readers)
        reach("extract.read")
        result = await extract_session(
            session,
            extractor=space.extractor,
            scrubber=space.scrubber,
            prompt_dir=space.memories.prompt_dir,
            checkpoint=lambda: beat.check(claim),
        )
        reach("extract.answered")
        beat.remove(claim)
        reason = await asyncio.to_thread(store_result, space, claim, session.facts, result)
        reach("extract.stored")
        tally.reasons[reason.value] += 1
        tally.redactions.update(result.redactions)
        tally.usage += result.usage
    except LeaseLost:
        tally.reasons[LeaseLost.reason] += 1
    except BudgetReached as stop:
        tally.stopped = stop
        tally.reasons[Reason.BUDGET.value] += 1
        await asyncio.to_thread(put_back, space, claim, Reason.BUDGET, str(stop))
    except ModelDenied as stop:
        tally.stopped = stop
        tally.reasons[stop.reason] += 1
        await asyncio.to_thread(put_back, space, claim, Reason.QUEUED, str(stop))
    except ConnectionLost:
        # The batch is taken up again on a new connection; this is no failure of the session.
        raise
    except Exception as problem:  # noqa: BLE001 - whatever one session brings up, the others go on
        failure = InternalError.of(problem)
        tally.reasons[failure.reason] += 1
        await asyncio.to_thread(record_failure, space, claim, failure)
