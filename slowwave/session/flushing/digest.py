"""The flush of hosts with hooks: no model, what the layers noted since the last one goes to the profile's memory files.

A hook cannot take a turn in the host's conversation, and the transcript outlives the compaction; so this saves what the
user said (pins and rules, each with its words), and stage one reads the rest at night.
"""

from __future__ import annotations

from pathlib import Path

from slowwave.errors import LeaseLost, RedactionError, StoreError
from slowwave.session.flushing.shards import Shards, clean_line, profile_of, profile_root
from slowwave.session.limits import SessionLimits
from slowwave.storage.insession.flushes import Claim, FlushLedger
from slowwave.storage.insession.store import PinRow, SessionState, SessionStore

USER_SAID = "user_said"
_LABEL = {
    "constraint": "Rule",
    "goal": "Task",
    "acceptance": "Done when",
    "decision": "Decided",
    "clarification": "Answer",
}


def flush_digest(
    store: SessionStore, state: SessionState, home: Path, limits: SessionLimits, *, cause: str, now: float
) -> int:
    """Save what is new in this session and return how many lines; the ledger makes it once.

    A failure is noted in the ledger and as an event, and never raised: the host's compaction goes on.
    """
    ledger = FlushLedger(store)
    cursor = state.turn + 1
    if not limits.enable_memory_flush:
        ledger.skip(state.key, epoch=state.epoch, cursor=cursor, cause=cause, reason="disabled", now=now)
        return 0
    claim = ledger.claim(state.key, epoch=state.epoch, cursor=cursor, cause=cause, now=now)
    if isinstance(claim, str):
        store.decide(state.key, state.turn, "flush", claim, detail=cause, now=now)
        return 0
    _event(store, state, "memory_flush_start", {"cause": cause}, now)
    try:
        saved = _save(store, ledger, state, claim, home, limits, now)
    except (StoreError, RedactionError, LeaseLost, OSError) as error:
        reason = getattr(error, "reason", type(error).__name__)
        after = ledger.fail(claim, reason, now=now)
        _event(store, state, "memory_flush_failed", {"reason": reason, "state": after}, now)
        store.decide(state.key, state.turn, "flush", f"failed_{reason}", detail=cause, now=now)
        return 0
    _event(store, state, "memory_flush_end", {"saved": saved}, now)
    store.decide(state.key, state.turn, "flush", "saved" if saved else "nothing_to_save", detail=cause, now=now)
    return saved


def _save(
    store: SessionStore,
    ledger: FlushLedger,
    state: SessionState,
    claim: Claim,
    home: Path,
    limits: SessionLimits,
    now: float,
) -> int:
    pins = [pin for pin in store.pins(state.key, status=None) if claim.cursor_from <= pin.turn < claim.cursor_to]
    said = {line: pin for pin in pins if pin.status in ("active", "closed") and (line := clean_line(_line(pin)))}
    profile = Shards(profile_root(home, profile_of(state.agent, state.project_id)), zone=limits.time_zone)
    written = profile.write(list(said), now=now)
    lines = [(line.removeprefix("- "), said[line].quote, USER_SAID) for line in written.present]
    return ledger.finish_with(claim, lines, project_id=state.project_id, turn=state.turn, path=written.path, now=now)


def _line(pin: PinRow) -> str:
    text = f"{pin.question} -> {pin.text}" if pin.question else pin.text
    return f"{_LABEL[pin.kind]}: {text}"


def _event(store: SessionStore, state: SessionState, kind: str, detail: dict[str, object], now: float) -> None:
    store.add_event(state.key, project_id=state.project_id, turn=state.turn, type=kind, detail=detail, now=now)
