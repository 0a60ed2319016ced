"""The end of a turn: what the assistant said and did, noted in one short transaction."""

from __future__ import annotations

from slowwave.session.hosts.transcript import Look
from slowwave.session.redacting import scrub, tail
from slowwave.session.task.drift import compare
from slowwave.session.task.stored_pins import Ledger
from slowwave.session.text import last_question
from slowwave.storage.insession.store import SessionState, SessionStore
from slowwave.text import estimate_tokens

REPLY_TAIL = 1500


def note_reply(store: SessionStore, state: SessionState, reply: str, seen: Look, *, now: float) -> None:
    """Keep the assistant's open question, the end of its reply, the context's size, and conflicts with the pins.

    `reply` is the assistant's last text, `seen` what it did. Raises `RedactionError` before anything is stored.
    """
    clean = scrub(tail(reply or seen.reply, REPLY_TAIL * 2))
    found = compare(Ledger(store, state.key).pins(), seen.actions)
    drifts = [(drift, scrub(drift.action.target)) for drift in found if drift.large]
    question = last_question(clean)
    window = seen.window_tokens if seen.window_tokens is not None else state.window_tokens
    with store.transaction():
        store.update_session(
            state.key,
            question=question,
            reply_tail=clean[-REPLY_TAIL:],
            tokens=state.tokens + estimate_tokens(reply or seen.reply),
            cursor=seen.cursor,
            window_tokens=window,
        )
        for drift, target in drifts:
            detail: dict[str, object] = {
                "reason": drift.reason, "score": drift.score, "pin": drift.pin.quote, "verb": drift.action.verb,
            }  # fmt: skip
            store.add_event(
                state.key,
                project_id=state.project_id,
                turn=state.turn,
                type="drift",
                quote=target,
                detail=detail,
                now=now,
            )
        store.decide(state.key, state.turn, "drift", f"{len(drifts)}_of_{len(seen.actions)}_actions", now=now)
        store.decide(state.key, state.turn, "reply", "asks_a_question" if question else "no_question", now=now)
