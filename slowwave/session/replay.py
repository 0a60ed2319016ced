"""Replay of a real log through the in-session layers: when would each have fired, why, and at what token cost.

No model, no side effects: the replay has a store of its own that vanishes with it, unless one is given.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from slowwave.rollouts.model import Item, ItemKind
from slowwave.session.hosts.reply import note_reply
from slowwave.session.hosts.transcript import Look, actions_of
from slowwave.session.hosts.turn import plan_turn
from slowwave.session.limits import SessionLimits
from slowwave.session.redacting import scrub_prompt
from slowwave.session.task.drift import Action
from slowwave.storage.insession.facts import FactRow, FactStore
from slowwave.storage.insession.store import EventRow, PinRow, SessionStore
from slowwave.text import estimate_tokens

PROJECT = "replay"


@dataclass(frozen=True, slots=True)
class ReplayedTurn:
    """One user turn: what was injected before it (empty for nothing) and the reason code of each layer."""

    turn: int
    item: int
    prompt_tokens: int
    injected: str
    injected_tokens: int
    recap_tokens: int
    fact_tokens: int
    reasons: dict[str, str]


@dataclass(slots=True)
class Replay:
    """What a whole log gives. `log_tokens` estimates everything in it that the agent saw."""

    turns: list[ReplayedTurn] = field(default_factory=list)
    log_tokens: int = 0
    pins: list[PinRow] = field(default_factory=list)
    facts: list[FactRow] = field(default_factory=list)
    events: list[EventRow] = field(default_factory=list)

    @property
    def injected_tokens(self) -> int:
        """Tokens that the layers would have added in all."""
        return sum(turn.injected_tokens for turn in self.turns)

    @property
    def share(self) -> float:
        """Injected tokens as a share of all tokens, 0 to 1."""
        total = self.log_tokens + self.injected_tokens
        return self.injected_tokens / total if total else 0.0

    @property
    def copies(self) -> int:
        """How often a line that was injected before was injected again."""
        lines = Counter(
            line
            for turn in self.turns
            for line in turn.injected.splitlines()
            if line.startswith(("- ", "Task: ", "Constraint: ", "Done when: ", "Decided: ", "[+] "))
        )
        return sum(count - 1 for count in lines.values())


def replay(
    items: Iterable[Item],
    *,
    agent: str,
    session_id: str,
    limits: SessionLimits | None = None,
    store: SessionStore | None = None,
) -> Replay:
    """Run the layers over normalised items in order. A compaction summary among them starts a new epoch."""
    if store is not None:
        return _Player(store, agent, session_id, limits or SessionLimits()).play(items)
    with tempfile.TemporaryDirectory() as folder, SessionStore(Path(folder) / "session.db") as own:
        return _Player(own, agent, session_id, limits or SessionLimits()).play(items)


class _Player:
    def __init__(self, store: SessionStore, agent: str, session_id: str, limits: SessionLimits) -> None:
        self.store = store
        self.limits = limits
        self.scope = {"agent": agent, "session_id": session_id, "project_id": PROJECT, "user_id": "replay"}
        self.key = f"{agent}:{session_id}"
        self.found = Replay()
        self._reply = ""
        self._actions: list[Action] = []
        self._now = 0.0

    def play(self, items: Iterable[Item]) -> Replay:
        for item in items:
            self._now = item.time.timestamp() if item.time else self._now
            self.found.log_tokens += estimate_tokens(item.text)
            if item.kind is ItemKind.USER_TEXT:
                self._end_turn()
                self._turn(item)
            elif item.kind is ItemKind.ASSISTANT_TEXT:
                self._reply = item.text
            elif item.kind is ItemKind.TOOL_CALL:
                self._actions += actions_of(item.tool or "", item.text)
            elif item.kind is ItemKind.SUMMARY:
                self.store.touch_session(**self.scope, now=self._now)
                self.store.new_epoch(self.key, compaction=True)
        self._end_turn()
        self.found.pins = self.store.pins(self.key, status=None)
        self.found.events = self.store.events(session=self.key)
        state = self.store.session(self.key)
        self.found.facts = FactStore(self.store).active(state.scope) if state else []
        return self.found

    def _turn(self, item: Item) -> None:
        state = self.store.touch_session(**self.scope, now=self._now)
        plan = plan_turn(self.store, state, scrub_prompt(item.text), self.limits, tokens=estimate_tokens(item.text))
        number = plan.record(self.store, now=self._now) or state.turn
        reasons = {decision.layer: decision.reason for decision in self.store.decisions(self.key, number)}
        recap_tokens = plan.recap.tokens if plan.recap.text else 0
        self.found.turns.append(
            ReplayedTurn(
                turn=number,
                item=item.index,
                prompt_tokens=plan.prompt_tokens,
                injected=plan.text,
                injected_tokens=plan.tokens,
                recap_tokens=recap_tokens,
                fact_tokens=plan.retrieved.tokens,
                reasons=reasons,
            )
        )

    def _end_turn(self) -> None:
        state = self.store.session(self.key)
        if state is not None and (self._reply or self._actions):
            seen = Look(state.cursor, tuple(self._actions))
            note_reply(self.store, state, self._reply, seen, now=self._now)
        self._reply, self._actions = "", []
