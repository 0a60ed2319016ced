"""Stage one by Message Batches: sessions are handed over, wait without a lease, and are stored when answers come.

A session leaves the queue for a batch in the transaction that commits the batch's intent, and comes back only when its
answer is stored, when it failed, or when the batch turns out not to exist. See `slowwave.llm.endpoint.batches`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from slowwave.errors import InternalError, LeaseLost, ModelDenied, ModelError, ModelRejected, ModelUnavailable
from slowwave.llm.base import ExtractReply, Usage
from slowwave.llm.endpoint.batches import BatchAnswer, BatchItem, portions
from slowwave.llm.endpoint.reported import Answered
from slowwave.llm.endpoint.structured import accept as parse_reply
from slowwave.llm.model_extractor import ModelExtractor
from slowwave.llm.prompting.schemas import StageOneReply
from slowwave.llm.spending.call_log import Purpose
from slowwave.llm.spending.consent import is_loopback
from slowwave.memories.context import RunContext
from slowwave.memories.extraction import batch_steps as batch_jobs
from slowwave.memories.extraction import steps as session_work
from slowwave.memories.extraction.claimed import Tally, extract_claimed
from slowwave.memories.extraction.stage_one import SessionResult, accept, call_budget, prepare
from slowwave.rollouts.model import Reader, SessionFacts
from slowwave.rollouts.readers import readers
from slowwave.storage.engine import reading
from slowwave.storage.failpoints import reach
from slowwave.storage.queue.heartbeat import Heartbeat
from slowwave.storage.queue.leases import Claim
from slowwave.storage.tables import ModelBatch
from slowwave.storage.types import Reason

FIRST_POLL_SECONDS = 1.0
LONGEST_POLL_SECONDS = 60.0
LONGEST_WAIT_SECONDS = 25 * 3600.0
ROUNDS = 3


async def extract_sessions(space: RunContext, thread_ids: Sequence[str], limit: asyncio.Semaphore) -> Tally:
    """Stage one for a plan's sessions: in batches where the settings ask for it, one by one otherwise.

    With batches it hands sessions over and stores what comes back, also from batches of earlier runs, and waits as long
    as the run's time limit allows; what has not come by then is stored by a later run. A session that needs several
    calls, whose later parts build on the earlier ones, is extracted at once and at full price, and so is everything
    where the endpoint takes no batches. Without batches it only looks once for answers to earlier ones.
    """
    extractor = space.extractor
    if not isinstance(extractor, ModelExtractor):
        return await extract_claimed(space, thread_ids, limit)
    with reading(space.engine) as session:
        has_batches = space.memories.batch or batch_jobs.awaits_answers(session)
    if not has_batches:
        return await extract_claimed(space, thread_ids, limit)
    work = _Batches(space, extractor, readers(space.app.env), limit, Tally())
    await work.collect_open()
    in_batches = space.memories.batch and await extractor.batches.offered()
    wanted = [*work.take_lost(), *thread_ids]
    for _ in range(ROUNDS):
        direct = await work.hand_over(wanted) if in_batches else wanted
        if direct and work.tally.stopped is None:
            work.add(await extract_claimed(space, direct, limit))
        if in_batches:
            await work.wait()
        if (refused := work.take_refused()) and work.tally.stopped is None:
            work.add(await extract_claimed(space, refused, limit))
        wanted = work.take_lost()
        if not wanted or work.tally.stopped is not None:
            break
    await asyncio.to_thread(work.count_awaited)
    return work.tally


@dataclass(frozen=True, slots=True)
class _Prepared:
    claim: Claim
    item: BatchItem


@dataclass(slots=True)
class _Batches:
    space: RunContext
    extractor: ModelExtractor
    readers: dict[str, Reader]
    limit: asyncio.Semaphore
    tally: Tally
    lost: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    sent: set[str] = field(default_factory=set)
    held: dict[str, Claim] = field(default_factory=dict)

    def take_refused(self) -> list[str]:
        """The sessions whose request was refused in a batch, since the last time."""
        refused, self.refused = self.refused, []
        return refused

    def take_lost(self) -> list[str]:
        """The sessions whose batch turned out not to exist, since the last time: they wait in the queue again."""
        lost, self.lost = self.lost, []
        return lost

    def add(self, more: Tally) -> None:
        """Take in what became of other sessions."""
        self.tally.reasons.update(more.reasons)
        self.tally.redactions.update(more.redactions)
        self.tally.usage += more.usage
        self.tally.stopped = self.tally.stopped or more.stopped

    async def hand_over(self, thread_ids: Sequence[str]) -> list[str]:
        """Send what fits one call as batches; return the sessions to extract directly."""
        direct: list[str] = []
        lease = self.space.memories.stage1_lease_seconds
        beats = Heartbeat(self.space.engine.url, lease=lease, interval=lease * self.space.memories.heartbeat_share)
        with beats:
            try:
                found = await asyncio.gather(*(self._prepare(thread_id, beats, direct) for thread_id in thread_ids))
                prepared = await self._within_budget([one for one in found if one is not None])
                claims = {one.item.thread_id: one.claim for one in prepared}
                for portion in portions([one.item for one in prepared]):
                    direct += await self._send(
                        portion, {item.thread_id: claims[item.thread_id] for item in portion}, beats
                    )
            except BaseException:
                # Whatever stops this, a cancellation above all, costs the sessions no attempt.
                await asyncio.shield(asyncio.to_thread(self._give_back_held))
                raise
        return direct

    async def wait(self) -> None:
        """Store answers as they come, until none is awaited or the run's time is over."""
        left = await asyncio.to_thread(self.extractor.budget.seconds_left)
        end = time.monotonic() + (LONGEST_WAIT_SECONDS if left is None else left)
        pause = FIRST_POLL_SECONDS
        denied = isinstance(self.tally.stopped, ModelDenied)
        while not denied and await self.collect_open() and time.monotonic() + pause < end:
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_POLL_SECONDS)
            denied = isinstance(self.tally.stopped, ModelDenied)

    async def collect_open(self) -> int:
        """Look at every open batch of this host and store what has come; return how many are still awaited."""
        awaited = 0
        for row in await asyncio.to_thread(batch_jobs.open_rows, self.space, self.extractor.default.role.endpoint):
            claim = await asyncio.to_thread(batch_jobs.claim_batch, self.space, row.id)
            if claim is None:
                awaited += 1
                continue
            with Heartbeat(self.space.engine.url, [claim], lease=batch_jobs.BATCH_LEASE_SECONDS):
                try:
                    awaited += await self._settle(row)
                except ModelDenied as denied:
                    self.tally.stopped = denied
                    return awaited + 1
                except ModelError:
                    # The batch is safe where it is; the next look finds out what became of it.
                    awaited += 1
                finally:
                    await asyncio.shield(asyncio.to_thread(batch_jobs.leave_batch, self.space, claim))
        return awaited

    async def _prepare(self, thread_id: str, beats: Heartbeat, direct: list[str]) -> _Prepared | None:
        async with self.limit:
            claim = await asyncio.to_thread(session_work.claim_session, self.space, thread_id)
            if claim is None:
                self.tally.reasons["not_claimed"] += 1
                return None
            if claim.batch_id is not None and await asyncio.to_thread(
                batch_jobs.give_to_batch, self.space, claim, claim.batch_id
            ):
                return None
            beats.add(claim)
            self.held[thread_id] = claim
            try:
                source_hash, body = await asyncio.to_thread(self._asked, claim)
                beats.check(claim)
            except LeaseLost:
                self._let_go(claim, beats)
                self.tally.reasons[LeaseLost.reason] += 1
                return None
            except Exception as problem:  # noqa: BLE001 - whatever one session brings up, the others go on
                failure = InternalError.of(problem)
                self._let_go(claim, beats)
                self.tally.reasons[failure.reason] += 1
                await asyncio.to_thread(session_work.record_failure, self.space, claim, failure)
                return None
            if body is None:
                self._let_go(claim, beats)
                await asyncio.to_thread(session_work.give_back, self.space, claim)
                direct.append(thread_id)
                return None
            return _Prepared(claim, BatchItem(thread_id, source_hash, body))

    def _asked(self, claim: Claim) -> tuple[str, dict[str, Any] | None]:
        """The hash of what is read of a session and the one call it needs, None where it needs several."""
        session = session_work.read_session(self.space, claim, self.readers)
        prepared = prepare(session, self.space.scrubber)
        parts = prepared.parts(call_budget(self.extractor.input_tokens))
        body = self.extractor.batch_body(prepared.request(parts[0])) if len(parts) == 1 else None
        return session.facts.content_hash, body

    def _let_go(self, claim: Claim, beats: Heartbeat) -> None:
        beats.remove(claim)
        self.held.pop(claim.key, None)

    def _give_back_held(self) -> None:
        while self.held:
            session_work.give_back(self.space, self.held.popitem()[1])

    async def _within_budget(self, prepared: list[_Prepared]) -> list[_Prepared]:
        client = self.extractor.default
        worst = [client.worst_case(one.item.body, batch=True) for one in prepared]
        is_local = is_loopback(client.role.base_url)
        count, reached = await asyncio.to_thread(self.extractor.budget.admit, worst, is_local=is_local)
        if reached is not None:
            self.tally.stopped = reached
            for one in prepared[count:]:
                self.tally.reasons[Reason.BUDGET] += 1
                await asyncio.to_thread(session_work.put_back, self.space, one.claim, Reason.BUDGET, str(reached))
        return prepared[:count]

    async def _send(self, items: list[BatchItem], claims: dict[str, Claim], beats: Heartbeat) -> list[str]:
        """Commit the intent, create the batch; return the sessions to extract directly after all."""
        row, kept = await asyncio.to_thread(batch_jobs.commit_intent, self.space, self.extractor.default, items, claims)
        for claim in claims.values():
            self._let_go(claim, beats)
        if row is None:
            return []
        try:
            await self.extractor.batches.send(row, kept)
        except ModelUnavailable:
            # It may have been created: `collect_open` looks for it, and only then is anything sent again.
            self.sent |= {item.thread_id for item in kept}
        except ModelRejected as error:
            await asyncio.to_thread(batch_jobs.close_batch, self.space, row.id, "refused", error.reason)
            return [item.thread_id for item in kept]
        except ModelDenied as denied:
            self.tally.stopped = denied
            self.tally.reasons[denied.reason] += len(kept)
            await asyncio.to_thread(batch_jobs.close_batch, self.space, row.id, "refused", denied.reason)
        else:
            self.sent |= {item.thread_id for item in kept}
        return []

    async def _settle(self, row: ModelBatch) -> int:
        standing = await self.extractor.batches.settle(row)
        if standing == "waiting":
            return 1
        if standing == "lost":
            self.lost += await asyncio.to_thread(batch_jobs.close_batch, self.space, row.id, "lost", "batch_lost")
            return 0
        answers = await self.extractor.batches.answers(row)
        reach("batch.read")
        await asyncio.to_thread(batch_jobs.rejoin, self.space, row.id)
        await asyncio.gather(*(self._store(row, answer) for answer in answers))
        await asyncio.to_thread(batch_jobs.close_batch, self.space, row.id, "collected", "batch_incomplete")
        return 0

    async def _store(self, row: ModelBatch, answer: BatchAnswer) -> None:
        async with self.limit:
            claim = await asyncio.to_thread(batch_jobs.claim_answer, self.space, row.id, answer.submitted.thread_id)
            if claim is None:
                return
            lease = self.space.memories.stage1_lease_seconds
            with Heartbeat(self.space.engine.url, [claim], lease=lease) as beat:
                try:
                    await self._store_claimed(row, answer, claim, beat)
                except LeaseLost:
                    self.tally.reasons[LeaseLost.reason] += 1
                except asyncio.CancelledError:
                    await asyncio.shield(asyncio.to_thread(batch_jobs.give_to_batch, self.space, claim, row.id))
                    raise
                except Exception as problem:  # noqa: BLE001 - whatever one session brings up, the others go on
                    failure = InternalError.of(problem)
                    self.tally.reasons[failure.reason] += 1
                    await asyncio.to_thread(session_work.record_failure, self.space, claim, failure)

    async def _store_claimed(self, row: ModelBatch, answer: BatchAnswer, claim: Claim, beat: Heartbeat) -> None:
        usage = await asyncio.to_thread(self._book, row, answer)
        reach("batch.booked")
        if answer.error is not None and answer.again:
            self.tally.reasons[answer.error.reason] += 1
            await asyncio.to_thread(session_work.put_back, self.space, claim, Reason.QUEUED, str(answer.error))
            return
        if isinstance(answer.error, ModelDenied):
            # What every request meets is no session's fault.
            self.tally.stopped = answer.error
            self.tally.reasons[answer.error.reason] += 1
            await asyncio.to_thread(session_work.put_back, self.space, claim, Reason.QUEUED, str(answer.error))
            return
        if answer.message is None:
            # A direct call can find out what the endpoint refuses, or fit the session smaller.
            await asyncio.to_thread(session_work.put_back, self.space, claim, Reason.QUEUED, str(answer.error))
            self.refused.append(claim.key)
            return
        reply = ExtractReply(self._parsed(answer.message), usage)
        facts, result = await asyncio.to_thread(self._accepted, claim, reply)
        # The answer is about what was read when it was sent; a log that grew since is queued again.
        asked = answer.submitted.source_hash
        facts, claim = replace(facts, content_hash=asked), replace(claim, source_hash=asked)
        beat.check(claim)
        beat.remove(claim)
        reason = await asyncio.to_thread(session_work.store_result, self.space, claim, facts, result)
        reach("extract.stored")
        self.tally.reasons[reason] += 1
        self.tally.redactions.update(result.redactions)
        self.tally.usage += result.usage

    def _accepted(self, claim: Claim, reply: ExtractReply) -> tuple[SessionFacts, SessionResult]:
        session = session_work.read_session(self.space, claim, self.readers)
        scrubber = self.space.scrubber
        prompt_dir = self.space.memories.prompt_dir
        return session.facts, accept(prepare(session, scrubber), reply, scrubber, prompt_dir=prompt_dir)

    def _parsed(self, answered: Answered) -> StageOneReply:
        health = self.extractor.default.health
        try:
            reply = parse_reply(answered, StageOneReply)
        except ModelError as error:
            health.settle(error)
            raise
        health.settle(None)
        return reply

    def count_awaited(self) -> None:
        """Count the sessions that were handed over here and whose answers nobody has stored yet."""
        if still := batch_jobs.still_waiting(self.space, self.sent):
            self.tally.reasons[Reason.SUBMITTED] += still

    def _book(self, row: ModelBatch, answer: BatchAnswer) -> Usage:
        call_log, role = self.extractor.call_log, self.extractor.default.role
        batch_id, thread_id = str(row.batch_id), answer.submitted.thread_id
        if call_log.has_booked(batch_id, thread_id):
            return Usage()
        purpose = Purpose("extract", thread_id=thread_id)
        if answer.message is not None:
            return call_log.answered(role, purpose, answer.message, answer.bounds, None, batch_id)
        if answer.error is not None:
            was_paid = answer.error.reason == "invalid_answer"
            return call_log.failed(role, purpose, answer.error, None, batch_id, answer.bounds if was_paid else None)
        return Usage()
