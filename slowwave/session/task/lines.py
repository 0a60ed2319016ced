"""The ledger as lines for an agent: what is shown when there is room for some of it only. Pure, no I/O."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from slowwave.session.task.pins import PIN_CHARACTERS, Pin, PinKind
from slowwave.session.text import escape_tags
from slowwave.text import fold_space, shorten

GOALS_OWN = 500
"""Characters that the goal leaves to the rest of the ledger, where the limit is more than half as much again."""

_LABEL = {
    PinKind.GOAL: "Task: ",
    PinKind.CONSTRAINT: "Constraint: ",
    PinKind.ACCEPTANCE: "Done when: ",
    PinKind.DECISION: "Decided: ",
    PinKind.CLARIFICATION: "[+] ",
}


class Shown(NamedTuple):
    """The lines in their order, how many pins have none, and whether the goal's end is missing."""

    lines: tuple[str, ...] = ()
    left_out: int = 0
    goal_cut: bool = False

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines)


def render(pins: Sequence[Pin], *, limit: int = PIN_CHARACTERS) -> str:
    """Write the ledger within `limit` characters; see `choose`."""
    return choose(pins, limit=limit).text


def choose(pins: Sequence[Pin], *, limit: int = PIN_CHARACTERS) -> Shown:
    """Choose what fits in `limit` characters: the goal, constraints, acceptance, decisions, clarifications.

    What does not fit goes in the opposite order, and while a kind has to leave something out nothing of a lesser kind
    is shown. Of the constraints those of the task at hand stay longest, the oldest of them last; of the other kinds the
    newest. The newest goal always stays, cut where it would take the room of everything else. Wrapper tags are escaped.
    """
    if not pins:
        return Shown()
    goals = [pin for pin in pins if pin.kind is PinKind.GOAL]
    goal = max(goals, key=_age, default=None)
    rest = [pin for pin in pins if pin is not goal]
    head = _line(goal) if goal is not None else ""
    room = limit - (len(head) + 1 if head else 0)
    if len("\n".join(map(_line, rest))) > room and head:
        room = limit - min(len(head), max(limit // 3, limit - GOALS_OWN)) - 1
    chosen = _fitting(rest, room)
    body = [_line(pin) for pin in sorted(chosen, key=_place)]
    if not head:
        return Shown(tuple(body), len(rest) - len(chosen))
    cut = shorten(head, limit - sum(len(line) + 1 for line in body))
    return Shown((cut, *body), len(rest) - len(chosen), cut != head)


def _fitting(rest: Sequence[Pin], room: int) -> list[Pin]:
    chosen: list[Pin] = []
    used = 0
    for group in _by_worth(rest):
        whole = True
        for pin in group:
            cost = len(_line(pin)) + bool(chosen)
            if used + cost <= room:
                chosen.append(pin)
                used += cost
            else:
                whole = False
        if not whole:
            break
    return chosen


def _by_worth(rest: Sequence[Pin]) -> Iterator[list[Pin]]:
    newest = max((pin.task for pin in rest), default=0)
    bound = [pin for pin in rest if pin.kind is PinKind.CONSTRAINT]
    yield sorted((pin for pin in bound if pin.task == newest), key=_age)
    yield sorted((pin for pin in bound if pin.task != newest), key=lambda pin: (-pin.task, *_age(pin)))
    for kind in (PinKind.GOAL, PinKind.ACCEPTANCE, PinKind.DECISION, PinKind.CLARIFICATION):
        yield sorted((pin for pin in rest if pin.kind is kind), key=_age, reverse=True)


def _age(pin: Pin) -> tuple[int, int, int]:
    return pin.task, pin.turn, pin.id or 0


def _place(pin: Pin) -> tuple[int, int, int, int]:
    return list(_LABEL).index(pin.kind), *_age(pin)


def _line(pin: Pin) -> str:
    text = f"{shorten(pin.question, 100)} -> {pin.text}" if pin.question else pin.text
    return _LABEL[pin.kind] + escape_tags(fold_space(text))
