"""Random histories of a project against a small reference model: nothing stale, nothing lost, nothing strengthened.

A history is a list of nights. In each night sessions say something of a few subjects: a first value, another value, the
same again, that a subject is gone; by the user, by agreement, by a tool's result or by the agent's guess; in time or
late. The scripted model proposes what a naive one would: it takes everything for new, whatever its age and strength, by
any of the operations. A crash repeats a night; an edit makes a line the person's.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from slowwave.llm.prompting.schemas import Operation, StageTwoReply
from slowwave.memories.consolidation.operations import apply_reply
from slowwave.memories.consolidation.run_limits import RunLimits
from slowwave.memories.consolidation.sources import Source
from slowwave.memories.guardrails import STRENGTH
from slowwave.memories.state.values import EntryState, MemoryState
from slowwave.rollouts.model import ItemKind
from slowwave.storage.types import MemoryKind, Standing
from tests.support.states import DAY, source

FULL = os.environ.get("SLOWWAVE_FULL") == "1"
HISTORIES = 10_000 if FULL else 400
SUBJECTS = ("database", "bundler", "logger", "queue", "mailer")
VALUES = {
    "database": ("Postgres", "SQLite", "MariaDB"),
    "bundler": ("webpack", "vite", "rollup"),
    "logger": ("Loki", "Graylog", "Splunk"),
    "queue": ("RabbitMQ", "NATS", "Kafka"),
    "mailer": ("Postfix", "SES", "Mailgun"),
}
SORTS = {
    Standing.USER_SAID: ItemKind.USER_TEXT,
    Standing.AGREED: ItemKind.USER_TEXT,
    Standing.VERIFIED: ItemKind.TOOL_RESULT,
    Standing.INFERRED: ItemKind.ASSISTANT_TEXT,
}


@dataclass(frozen=True)
class Said:
    """One statement: `value` None means that the subject is gone."""

    subject: str
    value: str | None
    standing: Standing
    at: float
    number: int

    @property
    def text(self) -> str:
        if self.value is None:
            return f"The {self.subject} is gone, nothing replaces it."
        return f"The {self.subject} is {self.value}."

    @property
    def source(self) -> Source:
        return source(self.text, kind=MemoryKind.FACT, standing=self.standing, thread=f"claude:{self.number}",
                      item=self.number, at=self.at, item_kind=SORTS[self.standing])  # fmt: skip


@dataclass
class Reference:
    """What ought to stand: for each subject its value, how it is known, since when, and whether a person owns it."""

    standing: dict[str, tuple[str, Standing, float]] = field(default_factory=dict)
    ended: dict[tuple[str, str], float] = field(default_factory=dict)
    gone: dict[str, float] = field(default_factory=dict)
    owned: set[str] = field(default_factory=set)

    def hear(self, said: Said) -> None:
        """Take a statement in."""
        now = self.standing.get(said.subject)
        if now is None:
            since = max(self.ended.get((said.subject, said.value or ""), -1.0), self.gone.get(said.subject, -1.0))
            if said.value is not None and said.at > since:
                self.standing[said.subject] = (said.value, said.standing, said.at)
            return
        value, standing, at = now
        if value == said.value:
            best = max((standing, said.standing), key=STRENGTH.__getitem__)
            self.standing[said.subject] = (value, best, max(at, said.at))
            return
        if said.subject in self.owned or said.at < at or STRENGTH[said.standing] < STRENGTH[standing]:
            return
        if said.value is not None and said.at <= self.ended.get((said.subject, said.value), -1.0):
            return
        self._end(said.subject, said.at)
        if said.value is None:
            self.gone[said.subject] = said.at
        else:
            self.standing[said.subject] = (said.value, said.standing, said.at)

    def _end(self, subject: str, at: float) -> None:
        value, _, since = self.standing.pop(subject)
        self.ended[(subject, value)] = max(at, since)


def subject_of(text: str) -> str:
    return text.split()[1]


def proposal(state: MemoryState, said: Said, reference: str, rng: random.Random) -> Operation | None:
    """What a naive model says of one memory."""
    known = next((entry for entry in state.active if subject_of(entry.text) == said.subject), None)
    if said.value is None:
        if known is None:
            return None
        return Operation(op="retire", entries=[known.id], memories=[reference], reason="it is gone")
    if known is None:
        return Operation(op="add", memories=[reference])
    if known.text == said.text:
        return Operation(op=rng.choice(("confirm", "add")), entries=[known.id], memories=[reference])
    op = rng.choice(("supersede", "supersede", "revise", "add"))
    return Operation(op=op, entries=[] if op == "add" else [known.id], memories=[reference], text=said.text)


def night(state: MemoryState, told: list[Said], rng: random.Random) -> MemoryState:
    """Consolidate a night's statements in steps of one or several; some steps are lost in a crash and done again."""
    rest = sorted(told, key=lambda said: said.at)
    while rest:
        step, rest = rest[:1], rest[1:]
        sources = {f"s1.{n}": said.source for n, said in enumerate(step, 1)}
        operations = [proposal(state, said, f"s1.{n}", rng) for n, said in enumerate(step, 1)]
        reply = StageTwoReply(operations=[one for one in operations if one is not None])
        applied = apply_reply(state, reply, sources, RunLimits(standing=1_000))
        if rng.random() < 0.2:
            # The answer was applied and the process died before anybody knew: the same step comes again.
            again = apply_reply(applied.state, reply, sources, RunLimits(standing=1_000))
            assert [entry.text for entry in again.state.active] == [entry.text for entry in applied.state.active]
        state = applied.state
    return state


def histories(count: int, seed: int) -> Iterator[tuple[int, random.Random]]:
    for number in range(count):
        yield number, random.Random(seed * 1_000_003 + number)


def nights_of(rng: random.Random) -> Iterator[list[Said]]:
    clock = 0.0
    number = 0
    for _ in range(rng.randint(2, 5)):
        told = []
        for _ in range(rng.randint(1, 6)):
            clock += DAY
            number += 1
            subject = rng.choice(SUBJECTS)
            late = rng.random() < 0.2
            at = clock - rng.uniform(1, 6) * DAY if late else clock
            value = None if rng.random() < 0.1 else rng.choice(VALUES[subject])
            standing = rng.choice((Standing.USER_SAID, Standing.USER_SAID, *SORTS))
            told.append(Said(subject, value, standing, max(at, 0.5 + number * 1e-3), number))
        yield told


@pytest.mark.parametrize("seed", range(4))
def test_random_histories_end_as_the_reference_says(seed: int) -> None:
    for number, rng in histories(HISTORIES // 4, seed):
        state, model = MemoryState(), Reference()
        for told in nights_of(rng):
            state = night(state, told, rng)
            for said in sorted(told, key=lambda said: said.at):
                model.hear(said)
            if rng.random() < 0.2 and state.active:
                owned = rng.choice(state.active)
                state = state.put(replace(owned, hand_edited=True))
                model.owned.add(subject_of(owned.text))
            found = {subject_of(e.text): (e.text.split()[-1].rstrip("."), e.standing) for e in state.active}
            wanted = {subject: (value, standing) for subject, (value, standing, _) in model.standing.items()}
            assert found == wanted, f"history {number} of seed {seed}"
            assert all(_carried(entry) for entry in state.active)


def _carried(entry: EntryState) -> bool:
    """No line is known more strongly than its strongest evidence."""
    kinds = {piece.item_kind for piece in entry.evidence}
    strong = STRENGTH[entry.standing]
    if strong >= STRENGTH[Standing.AGREED]:
        return ItemKind.USER_TEXT in kinds
    return strong < STRENGTH[Standing.VERIFIED] or ItemKind.TOOL_RESULT in kinds


@pytest.mark.parametrize("seed", range(6))
def test_five_generations_leave_the_last_in_every_order_of_arrival(seed: int) -> None:
    """Two hundred sessions decide forty things five times; they arrive in one night, in any order."""
    rng = random.Random(seed)
    told = [
        Said(f"part{thing}", f"kind{thing}x{generation}", Standing.USER_SAID, (generation * 40 + thing + 1) * DAY, n)
        for n, (thing, generation) in enumerate((t, g) for t in range(40) for g in range(5))
    ]
    rng.shuffle(told)
    state = MemoryState()
    half = rng.randint(0, len(told))
    # The first half may come a night earlier, in an order of its own.
    for part in (told[:half], told[half:]) if seed % 2 else (told,):
        state = night(state, part, rng)
    assert sorted(entry.text for entry in state.active) == sorted(
        f"The part{thing} is kind{thing}x4." for thing in range(40)
    )
