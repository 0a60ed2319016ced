"""The steps of one claimed session: claim, read, store, fail, give back. Each is one short transaction at most."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, insert, select, update
from sqlmodel import Session

from slowwave.errors import LeaseLost, ModelRejected, ModelUnavailable, RolloutError, SlowwaveError
from slowwave.memories.consolidation.settling import hold_candidate_in
from slowwave.memories.context import RunContext
from slowwave.memories.day import signals_of
from slowwave.memories.discovery.eligibility import OFFLINE
from slowwave.memories.discovery.scanning import log_of
from slowwave.memories.extraction.stage_one import Earlier, SessionResult, SessionText, notes_of
from slowwave.memories.state.tombstones import Tombstones
from slowwave.memories.text import text_hash
from slowwave.rollouts.model import Item, Reader, SessionFacts
from slowwave.rollouts.passes import items_within
from slowwave.storage.engine import database_now, reading, writing
from slowwave.storage.failpoints import reach
from slowwave.storage.proposals import FateRow, drop_fates, record_fates
from slowwave.storage.queue.generations import PROJECTS, bump_generation
from slowwave.storage.queue.jobs import claim_extracts, fail, finish_in, release
from slowwave.storage.queue.leases import Claim
from slowwave.storage.queue.rows import JOBS
from slowwave.storage.registry import OUTPUTS, THREADS, set_reasons
from slowwave.storage.types import Fate, JobKind, JobState, Reason
from slowwave.text import counted

HOPELESS = frozenset({"refusal", "prompt_too_long"})
"""Reasons for which the same text would be rejected again; new content or `slowwave retry` gives it another chance."""

_WHERE_IT_LIES = (
    select(THREADS.c.agent, THREADS.c.path, THREADS.c.log_key, PROJECTS.c.name)
    .outerjoin(PROJECTS, PROJECTS.c.id == THREADS.c.project_id)
    .where(THREADS.c.id == bindparam("thread"))
)
_READ_BEFORE = (
    select(
        OUTPUTS.c.source_hash,
        OUTPUTS.c.memories,
        OUTPUTS.c.quarantined,
        OUTPUTS.c.outcome,
        OUTPUTS.c.slug,
        OUTPUTS.c.rollout_summary,
        JOBS.c.done_hash,
        JOBS.c.done_extractor,
        JOBS.c.done_extractor_version,
    )
    .join(JOBS, JOBS.c.key == OUTPUTS.c.thread_id)
    .where(OUTPUTS.c.thread_id == bindparam("thread"), JOBS.c.kind == JobKind.EXTRACT)
)
_BEFORE = (
    select(
        THREADS.c.project_id,
        THREADS.c.forgotten,
        OUTPUTS.c.source_hash,
        OUTPUTS.c.memories,
        OUTPUTS.c.rollout_summary,
        OUTPUTS.c.open_work,
        OUTPUTS.c.pending,
    )
    .outerjoin(OUTPUTS, OUTPUTS.c.thread_id == THREADS.c.id)
    .where(THREADS.c.id == bindparam("thread"))
)


def claim_session(space: RunContext, thread_id: str) -> Claim | None:
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


def give_back(space: RunContext, claim: Claim, reason: str | None = None, retry_after: float | None = None) -> None:
    with writing(space.engine) as session:
        release(session, claim, reason=reason, retry_after=retry_after)


def read_session(space: RunContext, claim: Claim, own_readers: dict[str, Reader]) -> SessionText:
    with reading(space.engine) as session:
        row = session.connection().execute(_WHERE_IT_LIES, {"thread": claim.key}).one()
    reader = own_readers.get(row.agent)
    if reader is None:
        raise RolloutError(f"no reader for {row.agent}", hint="Install the package that has it.", reason="no_reader")
    log = log_of(row.path, row.log_key, row.agent)
    facts = reader.scan(log)
    items = list(reader.items(log, facts))
    signals = signals_of(space.app.home, facts.thread_id, items)
    return SessionText(facts, items, row.name or "", signals, _earlier(space, claim, facts, items))


def _earlier(space: RunContext, claim: Claim, facts: SessionFacts, items: Sequence[Item]) -> Earlier | None:
    """What an earlier run made of the beginning of a session that grew since; None where it is read whole: by rules,
    another extractor's version, on request, or when what was read is not what the log begins with now."""
    if space.family == OFFLINE:
        return None
    with reading(space.engine) as session:
        row = session.connection().execute(_READ_BEFORE, {"thread": claim.key}).mappings().first()
    if row is None or row["done_extractor"] != space.family or row["done_extractor_version"] != space.extractor.version:
        return None
    if row["source_hash"] != row["done_hash"] or row["source_hash"] == facts.content_hash:
        return None
    count = items_within(items, row["source_hash"])
    return None if count is None or count >= len(items) else Earlier(count, notes_of(dict(row)))


def store_result(space: RunContext, claim: Claim, facts: SessionFacts, result: SessionResult) -> Reason:
    """Write the output, wake stage two if anything changed for it, and end the job, all or nothing."""
    with writing(space.engine) as session:
        now = database_now(session)
        row = session.connection().execute(_BEFORE, {"thread": claim.key}).one()
        project_id = row.project_id or ""
        tombstones = Tombstones.load_in(session, project_id)
        kept = [] if row.forgotten else [c for c in result.kept if not tombstones.covers(claim.key, c)]
        open_work = [] if row.forgotten else [point.as_json() for point in result.open_work]
        memories = [candidate.as_json() for candidate in kept]
        columns = _columns(space, facts, result, project_id, now) | {"memories": memories, "open_work": open_work}
        before = (row.memories or [], row.rollout_summary or "", row.open_work or [])
        changed = before != (memories, columns["rollout_summary"], open_work)
        if changed:
            bump_generation(session, project_id, now=now)
        # The project's row is locked before the job's, and the job ends before rows are added: a stale worker is told
        # that its lease is lost, not that its row is there already.
        finish_in(
            session,
            claim,
            source_hash=facts.content_hash,
            extractor=space.family,
            extractor_version=space.extractor.version,
            now=now,
        )
        # What stage two has not looked at yet stays pending, whatever the new answer is.
        columns["pending"] = changed or bool(row.pending)
        if row.source_hash is None:
            session.connection().execute(insert(OUTPUTS).values(thread_id=claim.key, **columns))
        else:
            session.connection().execute(update(OUTPUTS).where(OUTPUTS.c.thread_id == claim.key).values(**columns))
        _store_fates(session, space, project_id, claim.key, result, bool(columns["pending"]), now)
        reason = Reason.EXTRACTED if memories else Reason.NOTHING_TO_KEEP
        detail = counted(len(memories), "memory", "memories") if memories else _why_nothing(result)
        set_reasons(session, {claim.key: (reason, detail)}, now=now)
        reach("extract.storing")
    return reason


def _store_fates(
    session: Session, space: RunContext, project_id: str, thread_id: str, result: SessionResult, anew: bool, now: float
) -> None:
    """What the checks refused or hold back. A session that stage two looks at again starts anew."""
    drop_fates(session, [thread_id], stage=None if anew else 1)
    rows = [
        FateRow(thread_id, text_hash(one.text), one.kind, one.text, Fate.DECLINED, 1, one.reason)
        for one in result.declined
        if one.reason != "duplicate"
    ]
    rows += [
        FateRow(thread_id, one.hash, one.kind, one.text, Fate.HELD, 1, "reads_as_instruction")
        for one in result.quarantined
    ]
    record_fates(session, project_id, rows, run_id=space.run_id, now=now)
    for candidate in result.quarantined:
        reason = "reads_as_instruction"
        hold_candidate_in(session, project_id, thread_id, candidate, reason, run_id=space.run_id, now=now)


def _why_nothing(result: SessionResult) -> str:
    if result.quarantined:
        return f"{len(result.quarantined)} quarantined"
    dropped = ", ".join(f"{count} {name}" for name, count in sorted(result.rejected.items()))
    return f"dropped: {dropped}" if dropped else ""


def _columns(
    space: RunContext, facts: SessionFacts, result: SessionResult, project_id: str, now: float
) -> dict[str, object]:
    return {
        "project_id": project_id,
        "source_hash": facts.content_hash,
        "extractor": space.extractor.name,
        "extractor_version": space.extractor.version,
        "outcome": result.outcome,
        "slug": result.slug,
        "rollout_summary": result.summary,
        "raw_memory": result.raw_memory,
        "quarantined": [candidate.as_json() for candidate in result.quarantined],
        "rejected": result.rejected,
        "redactions": result.redactions,
        "session_started": facts.started.timestamp() if facts.started is not None else None,
        "session_last_activity": facts.last_activity.timestamp() if facts.last_activity is not None else None,
        "generated_at": now,
        "run_id": space.run_id,
    }


def put_back(space: RunContext, claim: Claim, reason: Reason, detail: str) -> None:
    with writing(space.engine) as session:
        if release(session, claim, reason=reason):
            set_reasons(session, {claim.key: (reason, detail)})


def record_failure(space: RunContext, claim: Claim, error: SlowwaveError) -> None:
    """Let the queue decide when it is tried again, and record why in words without secrets."""
    text = str(error)
    try:
        text = space.scrubber.propagate(space.scrubber.redact(text).text)
    except SlowwaveError:
        text = f"{type(error).__name__} (its text could not be scanned)"
    retry_after = error.retry_after if isinstance(error, ModelUnavailable) else None
    permanent = isinstance(error, ModelRejected) and error.reason in HOPELESS
    with writing(space.engine) as session:
        try:
            state = fail(
                session,
                claim,
                reason=error.reason,
                error=text,
                policy=space.policy,
                retry_after=retry_after,
                permanent=permanent,
            )
        except LeaseLost:
            return
        fate = Reason.DEAD if state is JobState.DEAD else _reason_of(error)
        set_reasons(session, {claim.key: (fate, f"{error.reason}: {text}")})


def _reason_of(error: SlowwaveError) -> Reason:
    known = {reason.value for reason in Reason}
    return Reason(error.reason) if error.reason in known else Reason.FAILED
