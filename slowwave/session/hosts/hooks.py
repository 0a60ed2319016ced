"""What the agents' hooks call: plain values in, the text to inject (or None) out. Standard library only.

Nothing here raises for a broken store, a full disk or a failed scan: the turn goes on without us, and the reason stands
in the store's decisions or, when the store itself is the trouble, in the hook log.
"""

from __future__ import annotations

import functools
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NotRequired, ParamSpec, TypedDict, Unpack

from slowwave.errors import SlowwaveError
from slowwave.paths import hook_log_file, session_database_file
from slowwave.session.hosts.reply import note_reply
from slowwave.session.hosts.transcript import Look, look
from slowwave.session.hosts.turn import plan_turn
from slowwave.session.key_facts.facts import FADE_DAYS, FADE_SHOWN
from slowwave.session.limits import SessionLimits
from slowwave.session.redacting import scrub_prompt
from slowwave.session.task.pins import is_substantive
from slowwave.session.task.stored_pins import Ledger
from slowwave.storage.insession.facts import FactStore
from slowwave.storage.insession.store import SessionState, SessionStore
from slowwave.text import estimate_tokens

LOCAL_USER = "local"
KEPT_DAYS = 90
P = ParamSpec("P")


class Scope(TypedDict):
    """Whose session a hook is about, and the limits and the time (seconds, epoch) that tests set."""

    home: Path
    session_id: str
    agent: str
    project_id: str
    cwd: NotRequired[str]
    transcript_path: NotRequired[str]
    user_id: NotRequired[str]
    limits: NotRequired[SessionLimits | None]
    now: NotRequired[float | None]


def _never_fails(function: Callable[P, str | None]) -> Callable[P, str | None]:
    @functools.wraps(function)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> str | None:
        try:
            return function(*args, **kwargs)
        except (SlowwaveError, OSError, sqlite3.Error) as error:
            home = kwargs.get("home")
            if isinstance(home, Path):
                _log(home, function.__name__, error)
            return None

    return guarded


def _log(home: Path, name: str, error: Exception) -> None:
    reason = error.reason if isinstance(error, SlowwaveError) else type(error).__name__
    try:
        path = hook_log_file(home)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as log:
            log.write(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} session {name} {reason}: {error}\n")
    except OSError:
        # A full or read-only disk leaves nowhere to record it; the turn matters more.
        return


@contextmanager
def _opened(home: Path) -> Iterator[SessionStore]:
    store = SessionStore(session_database_file(home))
    try:
        yield store
    finally:
        store.leave()


@contextmanager
def _touched(scope: Scope) -> Iterator[tuple[SessionStore, SessionState, SessionLimits, float]]:
    """The store and the session as it stands in it, noted as active now."""
    limits, now = _limits_and_time(scope)
    with _opened(scope["home"]) as store:
        state = store.touch_session(
            agent=scope["agent"],
            session_id=scope["session_id"],
            project_id=scope["project_id"],
            user_id=scope.get("user_id", LOCAL_USER),
            cwd=scope.get("cwd", ""),
            transcript=scope.get("transcript_path", ""),
            now=now,
        )
        yield store, state, limits, now


def _limits_and_time(scope: Scope) -> tuple[SessionLimits, float]:
    now = scope.get("now")
    return scope.get("limits") or SessionLimits(), time.time() if now is None else now


@_never_fails
def on_session_start(*, source: str = "startup", **scope: Unpack[Scope]) -> str | None:
    """A session starts, goes on, was cleared or was compacted (`source`: startup, resume, clear, compact, fork).

    After a compaction or a resume the pinned task comes back; `clear` ends it; a new session gets nothing here.
    """
    home = scope["home"]
    with _touched(scope) as (store, state, limits, now):
        ledger = Ledger(store, state.key)
        if source == "clear":
            _flush(store, state, home, limits, "clear", now)
            with store.transaction():
                store.close_pins([pin.id for pin in ledger.pins() if pin.id], status="closed", reason="cleared")
                store.new_epoch(state.key, compaction=False)
                store.decide(state.key, state.turn, "start", "cleared", now=now)
            return None
        if source == "compact":
            late = state.compacting == 2
            with store.transaction():
                store.update_session(state.key, compacting=0)
                if not late:
                    store.new_epoch(state.key, compaction=True)
                store.add_event(
                    state.key, project_id=scope["project_id"], turn=state.turn, type="compaction_end", now=now
                )
                if late:
                    store.decide(state.key, state.turn, "recap", "restated_already", detail=source, now=now)
            if late:
                return None
            state = store.session(state.key) or state
        elif source not in ("resume", "fork"):
            store.decide(state.key, state.turn, "start", "new_session", detail=source, now=now)
            return None
        return _restate(store, state, ledger, source, limits, now)


def _restate(
    store: SessionStore, state: SessionState, ledger: Ledger, source: str, limits: SessionLimits, now: float
) -> str | None:
    recap = ledger.restate(limits)
    with store.transaction():
        if not recap.text:
            store.decide(state.key, state.turn, "recap", "no_pins", detail=source, now=now)
            return None
        ledger.note_recap(state, recap, at=state.tokens, turn=state.turn)
        store.decide(state.key, state.turn, "recap", f"after_{source}", tokens=recap.tokens, now=now)
    return recap.text


def _flush(store: SessionStore, state: SessionState, home: Path, limits: SessionLimits, cause: str, now: float) -> None:
    # Imported here because a user prompt, the hot path, never flushes.
    from slowwave.session.flushing.digest import flush_digest

    flush_digest(store, state, home, limits, cause=cause, now=now)


def _purge(store: SessionStore, now: float) -> None:
    from slowwave.storage.insession.forgetting import purge_before

    purge_before(store, now - KEPT_DAYS * 86_400)


@_never_fails
def on_user_prompt(*, prompt: str, prompt_id: str = "", **scope: Unpack[Scope]) -> str | None:
    """A user message is about to be sent: note what it says, return the recap and the facts that it needs, if any."""
    limits, now = _limits_and_time(scope)
    clean = scrub_prompt(prompt)
    with _opened(scope["home"]) as store:
        known = store.session(f"{scope['agent']}:{scope['session_id']}")
        state = known or SessionState.new(
            agent=scope["agent"],
            session_id=scope["session_id"],
            project_id=scope["project_id"],
            user_id=scope.get("user_id", LOCAL_USER),
            now=now,
        )
        if state.compacting == 1:
            # The host announced a compaction and never said that it is over: the context is gone all the same.
            with store.transaction():
                store.new_epoch(state.key, compaction=True)
                store.update_session(state.key, compacting=2)
            state = store.session(state.key) or state
        plan = plan_turn(store, state, clean, limits, tokens=estimate_tokens(prompt), restates=True)
        plan.record(
            store, cwd=scope.get("cwd", ""), transcript=scope.get("transcript_path", ""), prompt_id=prompt_id, now=now
        )
        return plan.text or None


@_never_fails
def on_stop(*, last_assistant_message: str = "", **scope: Unpack[Scope]) -> str | None:
    """The assistant finished its turn: keep its open question, compare what it did with the pins."""
    home = scope["home"]
    with _touched(scope) as (store, state, limits, now):
        seen = _look(scope.get("transcript_path") or state.transcript, state.cursor)
        note_reply(store, state, last_assistant_message, seen, now=now)
        if limits.extract_with_model:
            _queue_for_model(store, state, home, now)
        store.tidy()
        return None


def _queue_for_model(store: SessionStore, state: SessionState, home: Path, now: float) -> None:
    # Imported here because most installations have no model; the worker is another process and outlives this one.
    from slowwave.session.hosts.detached import start_worker
    from slowwave.storage.insession.model_work import WorkQueue

    prompt = store.turn_prompt(state.key, state.turn)
    current = store.session(state.key)
    if prompt is None or current is None or not is_substantive(prompt):
        return
    WorkQueue(store).add(state.key, state.turn, prompt=prompt, reply=current.reply_tail, now=now)
    start_worker(home)


def _look(transcript: str, cursor: int) -> Look:
    if not transcript:
        return Look(cursor)
    try:
        return look(Path(transcript), cursor)
    except OSError:
        # A host may name a transcript before it writes it; without one there is nothing to compare.
        return Look(cursor)


@_never_fails
def on_pre_compact(*, trigger: str = "auto", **scope: Unpack[Scope]) -> str | None:
    """The host will compact (`trigger`: auto, manual, overflow): save what was noted, print and block nothing."""
    home = scope["home"]
    with _touched(scope) as (store, state, limits, now):
        with store.transaction():
            store.add_event(
                state.key,
                project_id=scope["project_id"],
                turn=state.turn,
                type="compaction_start",
                detail={"trigger": trigger},
                now=now,
            )
            store.update_session(state.key, compacting=1)
        _flush(store, state, home, limits, trigger, now)
    return None


@_never_fails
def on_session_end(*, reason: str = "other", **scope: Unpack[Scope]) -> str | None:
    """The session ends: what it noted is saved, and facts that nobody needs fade. Injects nothing."""
    home = scope["home"]
    with _touched(scope) as (store, state, limits, now):
        with store.transaction():
            store.update_session(state.key, ended=reason)
            store.decide(state.key, state.turn, "end", reason, now=now)
        _flush(store, state, home, limits, "end", now)
        _purge(store, now)
        FactStore(store).fade(unconfirmed_before=now - FADE_DAYS * 86_400, shown_at_least=FADE_SHOWN)
        store.tidy()
    return None
