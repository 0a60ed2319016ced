"""Pins: a small ledger of the task, made of what the user typed. Pure policy, no I/O.

A pin is a clause of the user's own message with the words it came from. Nothing else can become one: see
`slowwave.text.typed.said_text` for what counts as typed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from slowwave.session import phrases
from slowwave.session.key_facts.words import overlap, terms
from slowwave.session.text import QUOTE_LIMIT, contains_quote, escape_tags, sentences
from slowwave.text import Relation, fold_space, relate, shorten
from slowwave.text.languages import Day, days_of
from slowwave.text.languages.phrases import folded
from slowwave.text.typed import said_text

PIN_CHARACTERS = 1000
PIN_TEXT_LIMIT = 240
ANSWER_LIMIT = 160
NEW_PINS_PER_TURN = 12


class PinKind(StrEnum):
    """What a pin says about the task, the most durable first."""

    CONSTRAINT = "constraint"
    GOAL = "goal"
    ACCEPTANCE = "acceptance"
    DECISION = "decision"
    CLARIFICATION = "clarification"


class Pin(NamedTuple):
    """One entry of the ledger. `quote` is verbatim from the user's message, `question` what a clarification answers.

    `task` numbers the tasks of a session: a switch starts the next one. `id` is None before it is stored.
    """

    kind: PinKind
    text: str
    quote: str
    turn: int = 0
    task: int = 0
    question: str = ""
    id: int | None = None


class PinChange(NamedTuple):
    """What a user message does to the ledger, with the reason codes for each step."""

    add: tuple[Pin, ...] = ()
    supersede: tuple[tuple[int, Pin], ...] = ()
    close: tuple[int, ...] = ()
    reasons: tuple[str, ...] = ("nothing_to_pin",)


_JOINT = re.compile(
    r"[,，、;；]\s*(?:(?:and|but|then|also)\s+)?|\s+(?:and|but|und|aber|et|mais|y|pero|e|mas|и|но)\s+|\s+(?=[\u0e00-\u0e7f])",
    re.IGNORECASE,
)


def is_substantive(message: str) -> bool:
    """Tell a message that states something to do from a greeting, an acknowledgement or a single word."""
    text = fold_space(message)
    if not text or _small_talk(text):
        return False
    return len(terms(text)) >= 2 or len(text) >= 24


def propose(prompt: str, ledger: Sequence[Pin], *, turn: int, question: str = "", task: int = 0) -> PinChange:
    """Decide what a user message changes in the ledger.

    `prompt` is the whole (redacted) message, `ledger` the active pins, `question` what the assistant asked last.
    """
    typed = said_text(prompt)
    reasons: list[str] = []
    if not typed.strip():
        return PinChange(reasons=("nothing_typed",))
    switched = _opens_new_task(typed) and any(pin.kind is PinKind.GOAL for pin in ledger)
    close = _closed_by_switch(ledger) if switched else ()
    standing = [pin for pin in ledger if pin.id not in close]
    task = max([task, *(pin.task for pin in ledger)], default=0) + switched
    if switched:
        reasons.append("task_switch")

    add: list[Pin] = []
    answers = bool(question) and not switched and _answers(typed)
    if answers:
        said = sentences(typed)
        until = next((place for place, sentence in enumerate(said) if sentence.endswith(("?", "？"))), len(said))
        answer = shorten(fold_space(" ".join(said[:until])), ANSWER_LIMIT)
        add.append(Pin(PinKind.CLARIFICATION, answer, said[0][:QUOTE_LIMIT], turn, task, question))
        reasons.append("clarification")
    has_goal = any(pin.kind is PinKind.GOAL for pin in standing)
    for clause, sentence in _clauses(typed):
        if answers and fold_space(clause) in add[0].text:
            continue
        if phrases.OVERRIDE.found_in(sentence):
            reasons.append("refused_override")
            continue
        kind = _kind(clause, sentence, days_of(sentence))
        if kind is None and not has_goal and not answers and is_substantive(clause):
            kind = PinKind.GOAL
        if kind is PinKind.GOAL:
            has_goal = True
        if kind is not None:
            add.append(Pin(kind, shorten(fold_space(clause), PIN_TEXT_LIMIT), clause[:QUOTE_LIMIT], turn, task))
    if not has_goal and not answers and is_substantive(typed):
        add += _goal_from_whole(typed, turn, task, add)
    lifted = _lifted(typed, standing)
    if lifted:
        reasons.append("constraint_lifted")
    return _sorted_out(prompt, add, standing, close + lifted, reasons)


def _sorted_out(
    prompt: str, add: Sequence[Pin], standing: Sequence[Pin], close: tuple[int, ...], reasons: list[str]
) -> PinChange:
    new: list[Pin] = []
    replaced: list[tuple[int, Pin]] = []
    for pin in add:
        if phrases.OVERRIDE.found_in(pin.quote) or phrases.OVERRIDE.found_in(pin.text):
            reasons.append("refused_override")
        elif not contains_quote(prompt, pin.quote):
            reasons.append("refused_quote_not_found")
        elif any(fold_space(old.text).casefold() == pin.text.casefold() for old in (*standing, *new)):
            reasons.append("already_pinned")
        elif (old_id := _replaces(pin, standing)) is not None:
            replaced.append((old_id, pin))
            reasons.append("superseded")
        else:
            new.append(pin)
            reasons.append(f"pinned_{pin.kind.value}")
    if len(new) > NEW_PINS_PER_TURN:
        reasons.append("over_turn_limit")
    return PinChange(
        tuple(new[:NEW_PINS_PER_TURN]),
        tuple(replaced),
        tuple(dict.fromkeys(close)),
        tuple(dict.fromkeys(reasons)) or ("nothing_to_pin",),
    )


def admit_pin(pin: Pin, prompt: str, standing: Sequence[Pin]) -> str:
    """Reason code for a pin that a model proposes: `ok`, or why it is refused."""
    if not contains_quote(prompt, pin.quote):
        return "refused_quote_not_found"
    if not contains_quote(said_text(prompt), pin.quote):
        return "refused_not_typed"
    if phrases.OVERRIDE.found_in(pin.quote) or phrases.OVERRIDE.found_in(pin.text):
        return "refused_override"
    if overlap(pin.text, pin.quote) < 0.34:
        return "refused_not_supported"
    if any(relate(pin.text, old.text) is Relation.SAME for old in standing if old.kind is pin.kind):
        return "already_pinned"
    return "ok"


def _closed_by_switch(ledger: Sequence[Pin]) -> tuple[int, ...]:
    # Constraints outlive a switch: what must not be touched rarely becomes free with the next task.
    return tuple(pin.id for pin in ledger if pin.id is not None and pin.kind is not PinKind.CONSTRAINT)


def _clauses(typed: str) -> list[tuple[str, str]]:
    return [(clause, sentence) for sentence in sentences(typed) for clause in _cut(sentence)]


def _cut(sentence: str) -> list[str]:
    """Cut a sentence where a rule starts after a comma, a semicolon or a conjunction. Pieces stay verbatim."""
    pieces: list[str] = []
    start = 0
    starters = tuple(word for day in days_of(sentence) for word in day.starters)
    for mark in re.finditer(_JOINT, sentence):
        rest = sentence[mark.end() :].lstrip().lower()
        if mark.group().strip() in (";", "；") or rest.startswith(starters):
            pieces.append(sentence[start : mark.start()])
            start = mark.end()
    pieces.append(sentence[start:])
    return [clause for piece in pieces if (clause := piece.strip(" ,，、"))]


def _small_talk(text: str) -> bool:
    words = folded(text).strip()
    while words.endswith(phrases.SMALL_TALK_TAIL) and words not in phrases.SMALL_TALK:
        words = words.rpartition(" ")[0]
    return words in phrases.SMALL_TALK


def _opens_new_task(typed: str) -> bool:
    words = typed.lstrip()
    while True:
        first, _, rest = words.partition(" ")
        if first.strip(",.!").lower() not in phrases.POLITE_OPENING or not rest:
            return phrases.NEW_TASK.found_in(words)
        words = rest.lstrip()


def _kind(clause: str, sentence: str, days: Sequence[Day]) -> PinKind | None:
    if sentence.rstrip().endswith(("?", "？", "؟")) or len(clause) < 4:
        return None
    if any(day.acceptance.found_in(clause) for day in days):
        return PinKind.ACCEPTANCE
    if any(day.decision.found_in(clause) for day in days):
        return PinKind.DECISION
    if any(_binds(clause, day) for day in days) and (terms(clause) or len(clause) >= 8):
        return PinKind.CONSTRAINT
    return None


def _binds(clause: str, day: Day) -> bool:
    """Tell whether a clause is a rule for the task. Weak words make one of a directive, not of a description."""
    if day.lift.found_in(clause):
        return False
    directive = not clause.lower().startswith(phrases.DESCRIPTIVE_OPENINGS)
    weak = directive and not day.constraint.hides(clause) and day.weak.found_in(clause)
    return weak or day.constraint.found_in(clause)


def _goal_from_whole(typed: str, turn: int, task: int, add: Sequence[Pin]) -> list[Pin]:
    """A goal even when every clause is a rule or a question: the first sentence that says what to do."""
    for sentence in sentences(typed):
        if is_substantive(sentence) and not any(pin.quote == sentence[:QUOTE_LIMIT] for pin in add):
            return [
                Pin(PinKind.GOAL, shorten(fold_space(sentence), PIN_TEXT_LIMIT), sentence[:QUOTE_LIMIT], turn, task)
            ]
    return []


def _answers(typed: str) -> bool:
    first = sentences(typed)[:1]
    return bool(first) and not first[0].endswith(("?", "？")) and len(typed) <= 600


def _lifted(typed: str, standing: Sequence[Pin]) -> tuple[int, ...]:
    lifts = [clause for clause, _ in _clauses(typed) if any(day.lift.found_in(clause) for day in days_of(clause))]
    return tuple(
        pin.id
        for pin in standing
        if pin.id is not None
        and pin.kind is PinKind.CONSTRAINT
        and any(overlap(pin.text, clause) >= 0.5 for clause in lifts)
    )


def _replaces(pin: Pin, standing: Sequence[Pin]) -> int | None:
    if pin.kind not in (PinKind.CONSTRAINT, PinKind.DECISION):
        return None
    for old in reversed(standing):
        if old.id is not None and old.kind is pin.kind and relate(pin.text, old.text) is not Relation.DIFFERENT:
            return old.id
    return None


def render(pins: Sequence[Pin], *, limit: int = PIN_CHARACTERS, fits: int | None = None) -> str:
    """Write the ledger within `limit` characters (and `fits` of them, where a tighter budget holds).

    What does not fit goes in this order: clarifications, decisions, acceptance, the goal's tail, and constraints last,
    older tasks first. Lines are whole; wrapper tags in them are escaped.
    """
    room = min(limit, fits) if fits is not None else limit
    order = {kind: place for place, kind in enumerate(PinKind)}
    newest_task = max((pin.task for pin in pins), default=0)
    by_worth = sorted(pins, key=lambda pin: (order[pin.kind], pin.task != newest_task, -pin.turn, -(pin.id or 0)))
    chosen: list[Pin] = []
    used = 0
    for pin in by_worth:
        cost = len(_line(pin)) + bool(chosen)
        if used + cost <= room:
            chosen.append(pin)
            used += cost
    shown = [PinKind.GOAL, PinKind.CONSTRAINT, PinKind.ACCEPTANCE, PinKind.DECISION, PinKind.CLARIFICATION]
    chosen.sort(key=lambda pin: (shown.index(pin.kind), pin.turn, pin.id or 0))
    return "\n".join(_line(pin) for pin in chosen)


_LABEL = {
    PinKind.GOAL: "Task: ",
    PinKind.CONSTRAINT: "Constraint: ",
    PinKind.ACCEPTANCE: "Done when: ",
    PinKind.DECISION: "Decided: ",
    PinKind.CLARIFICATION: "[+] ",
}


def _line(pin: Pin) -> str:
    text = f"{shorten(pin.question, 100)} -> {pin.text}" if pin.question else pin.text
    return _LABEL[pin.kind] + escape_tags(fold_space(text))
