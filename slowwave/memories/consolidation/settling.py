"""What a step leaves behind in the database: the new state, what changed, what waits, and the fate of each memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from sqlmodel import Session

from slowwave.llm.prompting.schemas import Operation, StageTwoReply
from slowwave.memories.consolidation.operations import Applied, apply_reply
from slowwave.memories.consolidation.run_limits import Held, RunLimits
from slowwave.memories.consolidation.selection import SessionInput
from slowwave.memories.consolidation.sources import Source
from slowwave.memories.extraction.candidates import Candidate
from slowwave.memories.guardrails import Judgement
from slowwave.memories.state.store import load_state_in, save_state_in
from slowwave.memories.state.values import Change, Decision, EntryState, MemoryState
from slowwave.storage.proposals import FateRow, HeldRow, decide_held, held, hold, record_change, record_fates
from slowwave.storage.tables import HeldOperation
from slowwave.storage.types import Fate, HeldState

QUOTA = "too_many_losses"


def settle_in(
    session: Session,
    project_id: str,
    before: MemoryState,
    applied: Applied,
    sources: Mapping[str, Source],
    *,
    run_id: str | None,
    now: float,
    open_ids: Collection[str] = (),
    known: Iterable[SessionInput] = (),
) -> None:
    """Store a step. `open_ids` are memories that the answer did not come to; `known` brings those that an entry rests
    on already."""
    save_state_in(session, project_id, before, applied.state, run_id, now)
    store_changes_in(session, project_id, applied.changes, run_id, now)
    hold_in(session, project_id, applied.held, run_id, now)
    decided = {name: source for name, source in sources.items() if name not in open_ids}
    rows = list(fates(applied.state, applied.decisions, decided))
    rows += [
        _fate(one.thread_id, candidate, Fate.DUPLICATE, entry=_entry_of(applied.state, one.thread_id, candidate))
        for one in known
        for candidate in one.known
    ]
    record_fates(session, project_id, rows, run_id=run_id, now=now, offered=1)


def store_changes_in(
    session: Session, project_id: str, changes: Sequence[Change], run_id: str | None, now: float
) -> None:
    """Store what operations did to entries."""
    for change in changes:
        record_change(
            session,
            project_id,
            change.number,
            change.operation,
            change.before,
            change.after,
            change.reason,
            run_id=run_id,
            now=now,
        )


def hold_in(session: Session, project_id: str, waiting: Sequence[Held], run_id: str | None, now: float) -> None:
    """Keep operations for a person."""
    for one in waiting:
        hold(session, project_id, held_row(one), run_id=run_id, now=now)


def held_row(one: Held) -> HeldRow:
    """A held operation as it is stored."""
    sources = {name: source.as_json() for name, source in one.sources.items()}
    return HeldRow(one.operation.model_dump(mode="json"), sources, one.reason)


def fates(state: MemoryState, decisions: Sequence[Decision], sources: Mapping[str, Source]) -> Iterable[FateRow]:
    """What became of each memory of a step: used where an entry rests on it, else what the limits said of it, else left
    out."""
    said: dict[str, Decision] = {}
    for decision in decisions:
        for name in decision.memories:
            if name not in said or decision.held or not said[name].held:
                said[name] = decision
    for name, source in sources.items():
        number = _entry_of(state, source.thread_id, source.candidate)
        verdict = said.get(name)
        if number is not None:
            entry = state.entry(f"m{number}")
            replaced = entry is not None and not entry.active
            yield _fate(source.thread_id, source.candidate, Fate.SUPERSEDED if replaced else Fate.USED, entry=number)
        elif verdict is None or verdict.accepted:
            yield _fate(source.thread_id, source.candidate, Fate.LEFT_OUT)
        else:
            state_ = Fate.HELD if verdict.held else Fate.DECLINED
            yield _fate(source.thread_id, source.candidate, state_, verdict.reason)


def _entry_of(state: MemoryState, thread_id: str, candidate: Candidate) -> int | None:
    """The number of the entry that rests on a candidate's quotes, one that stands where there is one."""
    keys = {(thread_id, quote.item, quote.hash) for quote in candidate.evidence}
    found = [entry for entry in state.entries if any(piece.key in keys for piece in entry.evidence)]
    best = max(found, key=lambda entry: (entry.active, entry.hash == candidate.hash, entry.number), default=None)
    return None if best is None else best.number


def _fate(thread_id: str, candidate: Candidate, state: Fate, reason: str = "", *, entry: int | None = None) -> FateRow:
    return FateRow(thread_id, candidate.hash, candidate.kind, candidate.text, state, reason=reason, entry=entry)


def refuse_in(
    session: Session,
    project_id: str,
    refused: Iterable[tuple[str, Candidate, Judgement]],
    *,
    run_id: str | None,
    now: float,
) -> None:
    """Store what the limits refused before it was offered to anybody; what would steer agents waits for a person."""
    rows: list[FateRow] = []
    for thread_id, candidate, judged in refused:
        state = Fate.HELD if judged.quarantined else Fate.DECLINED
        rows.append(_fate(thread_id, candidate, state, judged.reason))
        if judged.quarantined:
            hold_candidate_in(session, project_id, thread_id, candidate, judged.reason, run_id=run_id, now=now)
    record_fates(session, project_id, rows, run_id=run_id, now=now)


def hold_candidate_in(
    session: Session,
    project_id: str,
    thread_id: str,
    candidate: Candidate,
    reason: str,
    *,
    run_id: str | None,
    now: float,
) -> None:
    """Keep a memory for a person to add."""
    agent, _, session_id = thread_id.partition(":")
    source = Source(thread_id, session_id, agent, candidate)
    held_one = Held(Operation(op="add", memories=["s1.1"], reason=reason), {"s1.1": source}, reason)
    hold_in(session, project_id, [held_one], run_id, now)


def retry_held_in(
    session: Session, project_id: str, run_limits: RunLimits, *, run_id: str | None, now: float
) -> tuple[Applied, ...]:
    """Try again what only the quota of an earlier run held back, under the quota of this one."""
    done: list[Applied] = []
    lost = run_limits.lost
    for row in held(session, project_id):
        if row.reason != QUOTA:
            continue
        before = load_state_in(session, project_id)
        applied = apply_held(before, row, replace(run_limits, lost=lost))
        lost += applied.lost
        if applied.held:
            continue
        save_state_in(session, project_id, before, applied.state, run_id, now)
        store_changes_in(session, project_id, applied.changes, run_id, now)
        accepted = any(decision.accepted for decision in applied.decisions)
        decide_held(session, row.id or 0, HeldState.APPLIED if accepted else HeldState.OBSOLETE, now=now)
        done.append(applied)
    return tuple(done)


def apply_held(state: MemoryState, row: HeldOperation, run_limits: RunLimits) -> Applied:
    """Apply a held operation to what stands now."""
    sources = {name: Source.from_json(source) for name, source in row.sources.items()}
    operation = Operation.model_validate(row.operation)
    return apply_reply(state, StageTwoReply(operations=[operation]), sources, run_limits)


def describe(row: HeldOperation, state: MemoryState) -> list[str]:
    """A held operation for a person: what would change, and the words that it rests on."""
    operation = Operation.model_validate(row.operation)
    lines = [f"{operation.op}{f': {operation.reason}' if operation.reason else ''}"]
    entries: list[EntryState | None] = [state.entry(short_id) for short_id in operation.entries]
    lines += [f"- {entry.text} ({entry.id})" for entry in entries if entry is not None]
    text = operation.text or next((str(s["candidate"]["text"]) for s in row.sources.values()), "")
    if operation.op not in ("retire", "confirm", "promote") and text:
        lines.append(f"+ {text}{f' (when: {operation.situation})' if operation.situation else ''}")
    for source in row.sources.values():
        lines += [f"  > {quote['quote']}" for quote in source["candidate"]["evidence"]]
    return lines
