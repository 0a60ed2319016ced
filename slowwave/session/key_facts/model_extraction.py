"""Pins and facts found by a model, in a process of its own, after the turn. What it proposes is checked like a rule's.

Without a model nothing here runs; when one fails, the turn stays as the rules left it and the reason is kept.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Literal

from pydantic import BaseModel, ConfigDict

from slowwave.errors import ModelError, ModelUnavailable, SlowwaveError
from slowwave.llm.prompting.templates import render
from slowwave.session.hosts.turn import keep, weigh
from slowwave.session.key_facts import facts
from slowwave.session.task.pins import Pin, PinChange, PinKind, admit_pin
from slowwave.session.task.stored_pins import Ledger, pins_of
from slowwave.storage.insession.facts import FactStore
from slowwave.storage.insession.model_work import Work, WorkQueue
from slowwave.storage.insession.store import SessionStore


class FoundFact(BaseModel):
    """A lasting statement with the user's words."""

    model_config = ConfigDict(extra="forbid")
    text: str
    quote: str


class FoundPin(BaseModel):
    """A rule for the task at hand with the user's words."""

    model_config = ConfigDict(extra="forbid")
    kind: Literal["constraint", "acceptance", "decision"]
    text: str
    quote: str


class Found(BaseModel):
    """What a model found in one turn; empty lists are the usual answer."""

    model_config = ConfigDict(extra="forbid")
    facts: list[FoundFact]
    pins: list[FoundPin]


Ask = Callable[[str, str], Awaitable[Found]]
"""Asks a model with a system and a user text. Raises `ModelError`, `BudgetReached` or `ConsentRequired`."""


def prompts_for(work: Work, prompt_dir: str | None = None) -> tuple[str, str]:
    """The system and the user text for one turn. The fence cannot occur in the turn."""
    turn = json.dumps({"user": work.prompt, "assistant": work.reply}, ensure_ascii=False)
    fence = f"turn-{secrets.token_hex(8)}"
    return render("session_extract_system.md", prompt_dir), render(
        "session_extract.md", prompt_dir, fence=fence, turn_json=turn
    )


async def process(store: SessionStore, ask: Ask, *, prompt_dir: str | None = None, limit: int = 50) -> int:
    """Work through the queue; return how many turns were looked at. Stops at the first failure that others share."""
    queue, done = WorkQueue(store), 0
    while done < limit and (work := queue.claim(now=time.time())) is not None:
        try:
            found = await ask(*prompts_for(work, prompt_dir))
            accept(store, work, found, now=time.time())
        except ModelUnavailable as error:
            queue.fail(work, error.reason, again=True)
            break
        except SlowwaveError as error:
            queue.fail(work, error.reason, again=False)
            if not isinstance(error, ModelError):
                break
        else:
            queue.finish(work)
            done += 1
    return done


def accept(store: SessionStore, work: Work, found: Found, *, now: float) -> list[str]:
    """Store what holds, and return a reason code for each proposal."""
    state = store.session(work.session)
    if state is None:
        return []
    fact_store, ledger = FactStore(store), Ledger(store, work.session)
    reasons: list[str] = []
    for proposed in found.facts[: facts.FACTS_PER_TURN]:
        fact = facts.make(proposed.text, proposed.quote)
        reason = "refused_too_short" if fact is None else facts.admit(fact, work.prompt)
        if fact is not None and reason == "ok":
            said = weigh(fact_store, state.scope, fact, source="model")
            reason = keep(fact_store, state.scope, said, session=work.session, turn=work.turn, now=now)
        reasons.append(f"fact_{reason}")
    standing = pins_of(store.pins(work.session))
    for rule in found.pins[: facts.FACTS_PER_TURN]:
        pin = Pin(PinKind(rule.kind), rule.text[:240], rule.quote[:300], work.turn)
        reason = admit_pin(pin, work.prompt, standing)
        if reason == "ok":
            ledger.apply(PinChange(add=(pin,)), now=now)
        reasons.append(f"pin_{reason}")
    store.decide(work.session, work.turn, "model", "+".join(dict.fromkeys(reasons)) or "nothing_found", now=now)
    return reasons
