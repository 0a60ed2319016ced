"""The recap: the pinned task in one block before the user's message. Strings only, no model, no I/O."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from slowwave.session.task.lines import Shown, choose, render
from slowwave.session.task.pins import PIN_CHARACTERS, Pin
from slowwave.session.text import escape_tags
from slowwave.text import estimate_tokens, fold_space

RECAP_TOKENS = 140
RECAP_EVERY_TOKENS = 8_000
_OPEN, _CLOSE = "<task_recap>", "</task_recap>"
_LEAD = "The user's own words, recorded earlier in this session:"


class Recap(NamedTuple):
    """A recap to emit (`text` is empty for none), why, its tokens, and the hash of the ledger it shows."""

    text: str
    reason: str
    tokens: int = 0
    hash: str = ""


def ledger_hash(pins: Sequence[Pin]) -> str:
    """Changes when the ledger does."""
    return hashlib.sha256("\0".join(f"{pin.kind.value}\0{pin.text}" for pin in pins).encode()).hexdigest()[:16]


def whole(pins: Sequence[Pin], *, session: str, limit: int = PIN_CHARACTERS) -> str:
    """The block for a context that lost the task: all of the ledger within `limit` characters.

    What there was no room for is counted in one more line, which names the command that prints all of `session`.
    """
    shown = choose(pins, limit=limit)
    if not shown.lines:
        return ""
    return "\n".join([_OPEN, _LEAD, *shown.lines, *_rest(shown, session), _CLOSE])


def _rest(shown: Shown, session: str) -> list[str]:
    missing = ["the task's end"] if shown.goal_cut else []
    missing += [f"{shown.left_out} more"] if shown.left_out else []
    where = escape_tags(fold_space(session))
    return [f"(Not shown: {' and '.join(missing)}. `slowwave pins {where}` prints everything.)"] if missing else []


def block(pins: Sequence[Pin], *, tokens: int = RECAP_TOKENS) -> str:
    """The block itself within a token budget; empty when there is nothing to say. Whole lines only."""
    room = 1000
    while room >= 40:
        body = render(pins, limit=room)
        text = f"{_OPEN}\n{_LEAD}\n{body}\n{_CLOSE}"
        if not body or estimate_tokens(text) <= tokens:
            return text if body else ""
        room = min(room - 20, len(body) - 1)
    return ""


def decide(
    pins: Sequence[Pin],
    *,
    turn: int,
    epoch: int,
    seen_tokens: int,
    last_hash: str,
    last_epoch: int,
    last_at: int,
    last_turn: int,
    every_tokens: int = RECAP_EVERY_TOKENS,
    budget: int = RECAP_TOKENS,
    lost: str | None = None,
) -> Recap:
    """Decide whether a host that keeps injected text gets the recap in this turn.

    It does at the first turn of a later epoch and after `every_tokens` tokens of conversation since the last one; when
    the ledger changed in an earlier turn, with what changed. Pins made by this very message stand in it already.
    `lost` is the block for a context that lost everything; without one a new epoch gets what any other turn gets.
    """
    before = [pin for pin in pins if pin.turn < turn]
    if not before:
        return Recap("", "no_pins" if not pins else "task_is_in_this_message")
    now = ledger_hash(pins)
    shown = list(pins)
    if epoch > max(last_epoch, 0):
        reason = "new_epoch"
    elif seen_tokens - last_at >= every_tokens:
        reason = "interval"
    elif now != last_hash and (news := [pin for pin in before if pin.turn > max(last_turn, 1)]):
        # The rest stands in the context already: only what came since the last recap is worth its tokens.
        reason, shown = "changed", news
    else:
        return Recap("", "in_context_already")
    text = lost if lost is not None and reason == "new_epoch" else block(shown, tokens=budget)
    return Recap(text, reason if text else "over_budget", estimate_tokens(text), now)
