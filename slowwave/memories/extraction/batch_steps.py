"""The queue's side of a message batch: each step is one short transaction."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence

from sqlmodel import Session

from slowwave.errors import LeaseLost
from slowwave.llm.endpoint.batches import BatchItem, is_of_host, plan_in
from slowwave.llm.endpoint.client import ModelClient
from slowwave.memories.context import RunContext
from slowwave.storage import call_log as ledger
from slowwave.storage.engine import database_now, reading, writing
from slowwave.storage.queue.backlog import (
    abandon_batch,
    collect,
    rejoin_batch,
    retry,
    submit,
    waiting_for_batch,
    withdraw,
)
from slowwave.storage.queue.jobs import claim_one, insert_missing, release
from slowwave.storage.queue.leases import Claim
from slowwave.storage.queue.owner import this_host
from slowwave.storage.registry import set_reasons
from slowwave.storage.tables import ModelBatch
from slowwave.storage.types import JobKind, Reason

BATCH_LEASE_SECONDS = 120.0


def awaits_answers(session: Session) -> bool:
    """Tell whether this host has batches whose answers were not stored yet."""
    return any(is_of_host(row, this_host()) for row in ledger.open_batches(session))


def open_rows(space: RunContext, endpoint: str) -> list[ModelBatch]:
    """This host's batches at an endpoint that have not ended, the oldest first."""
    with reading(space.engine) as session:
        rows = ledger.open_batches(session, endpoint=endpoint)
    return [row for row in rows if is_of_host(row, this_host())]


def claim_batch(space: RunContext, row_id: str) -> Claim | None:
    """Claim the right to look at a batch; None while somebody else does."""
    with writing(space.engine) as session:
        # A process that dies while it looks says nothing about the batch, so crashes never end this job.
        retry(session, JobKind.BATCH, [row_id])
        return claim_one(
            session,
            JobKind.BATCH,
            row_id,
            space.owner,
            lease=BATCH_LEASE_SECONDS,
            policy=space.policy,
            run_id=space.run_id,
        )


def leave_batch(space: RunContext, claim: Claim) -> None:
    """Let others look at a batch."""
    with writing(space.engine) as session:
        release(session, claim)


def claim_answer(space: RunContext, row_id: str, thread_id: str) -> Claim | None:
    """Claim a session whose answer came; None when it was stored or withdrawn meanwhile."""
    with writing(space.engine) as session:
        claims = collect(
            session,
            row_id,
            space.owner,
            lease=space.memories.stage1_lease_seconds,
            keys=[thread_id],
            run_id=space.run_id,
        )
    return claims[0] if claims else None


def rejoin(space: RunContext, row_id: str) -> None:
    """Let sessions whose process died while it stored their answer wait for it again."""
    with writing(space.engine) as session:
        rejoin_batch(session, row_id)


def give_to_batch(space: RunContext, claim: Claim, row_id: str) -> bool:
    """Let a claimed session wait for its batch again; False when that batch is no longer open."""
    with writing(space.engine) as session:
        row = session.get(ModelBatch, row_id)
        if row is None or row.ended_at is not None:
            return False
        try:
            submit(session, claim, row_id, source_hash=claim.source_hash or "")
        except LeaseLost:
            return False
    return True


def commit_intent(
    space: RunContext, client: ModelClient, items: Sequence[BatchItem], claims: Mapping[str, Claim]
) -> tuple[ModelBatch | None, list[BatchItem]]:
    """Turn claimed sessions into submitted ones of a batch that is about to be created.

    Returns the batch's row and the items that are in it; sessions whose claim was lost are not, and without any there
    is no row.
    """
    row_id, host = uuid.uuid4().hex, this_host()
    with writing(space.engine) as session:
        kept = []
        for item in items:
            try:
                submit(session, claims[item.thread_id], row_id, source_hash=item.source_hash)
            except LeaseLost:
                # Another run has the session by now, and counts it.
                continue
            kept.append(item)
        if not kept:
            return None, []
        row = plan_in(session, row_id, kept, client, host)
        insert_missing(session, JobKind.BATCH, row_id, database_now(session), host=host)
        set_reasons(session, {item.thread_id: (Reason.SUBMITTED, "waits for a message batch") for item in kept})
    return row, kept


def close_batch(space: RunContext, row_id: str, state: str, reason: str) -> list[str]:
    """End a batch: whatever still waits for it goes back to the queue. Return those sessions."""
    with writing(space.engine) as session:
        left = waiting_for_batch(session, row_id)
        abandon_batch(session, row_id, reason=reason)
        set_reasons(session, dict.fromkeys(left, (Reason.QUEUED, f"its message batch was {state}")))
        ledger.update_batch(session, row_id, state=state, ended_at=database_now(session))
        withdraw(session, JobKind.BATCH, [row_id], reason=state)
    return left


def still_waiting(space: RunContext, thread_ids: set[str]) -> int:
    """How many of these sessions wait for an open batch."""
    with reading(space.engine) as session:
        waiting = {thread for row in ledger.open_batches(session) for thread in waiting_for_batch(session, row.id)}
    return len(thread_ids & waiting)
