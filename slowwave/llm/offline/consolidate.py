"""Stage two without a model: confirm what is said again, supersede what changed, add what is new."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from slowwave.llm.base import CandidateView, ConsolidateRequest
from slowwave.llm.offline.settled import is_asked_for, is_settled
from slowwave.llm.offline.skills import Procedure, skills_from
from slowwave.llm.prompting.schemas import Operation, StageTwoReply
from slowwave.storage.types import MemoryKind
from slowwave.text import Relation, code_spans, keys, relate

_RAREST = 6
_SAME_STEPS = 0.75


@dataclass(slots=True)
class _Statement:
    """A standing entry, or a new statement in the making, with the candidates that support it."""

    text: str
    kind: str
    situation: str
    date: str
    standing: str
    entry: str | None = None
    locked: bool = False
    confirmations: int = 0
    supporters: list[CandidateView] = field(default_factory=list)
    replaces: list[str] = field(default_factory=list)
    gone: bool = False


def _natural(identifier: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", identifier))


class _Index:
    """Finds the statements that may say the same as a text or contradict it, without comparing all of them."""

    def __init__(self) -> None:
        self._by_key: dict[str, list[int]] = {}

    def add(self, position: int, text: str) -> None:
        for key in keys(text):
            self._by_key.setdefault(key, []).append(position)

    def near(self, text: str) -> list[int]:
        """Positions that share one of the text's rarest keys, or a family of values."""
        shared = sorted((len(self._by_key[key]), key) for key in keys(text) if key in self._by_key)
        wanted = {key for _, key in shared[:_RAREST]} | {key for _, key in shared if key.endswith("=")}
        return sorted({position for key in wanted for position in self._by_key[key]})


def _same_procedure(first: str, second: str) -> bool:
    one, two = set(code_spans(first)), set(code_spans(second))
    if min(len(one), len(two)) < 2 or first.split("`")[0] != second.split("`")[0]:
        return False
    return len(one & two) / len(one | two) >= _SAME_STEPS


def _says_the_same(statement: _Statement, candidate: CandidateView) -> bool:
    if statement.situation and candidate.situation and not _same_situation(statement, candidate):
        return False
    relation = relate(candidate.text, statement.text)
    return relation is Relation.SAME or _same_procedure(statement.text, candidate.text)


def _same_situation(statement: _Statement, candidate: CandidateView) -> bool:
    one, other = statement.situation, candidate.situation
    return one == other or (bool(one and other) and relate(one, other) is Relation.SAME)


def _goes_against(statement: _Statement, candidate: CandidateView) -> bool:
    """What holds in one situation does not contradict what holds in another or in general."""
    if not _same_situation(statement, candidate):
        return False
    return relate(candidate.text, statement.text) is Relation.CONTRADICTS


class _Merge:
    """The state of one consolidation: every statement, old and new, in a fixed order."""

    def __init__(self, request: ConsolidateRequest) -> None:
        self.statements: list[_Statement] = []
        self._index = _Index()
        for entry in sorted(request.entries, key=lambda entry: (_natural(entry.id), entry.id)):
            self._append(
                _Statement(
                    text=entry.text,
                    kind=entry.kind,
                    situation=entry.situation,
                    date=entry.last_confirmed,
                    standing=entry.standing,
                    entry=entry.id,
                    locked=entry.locked,
                    confirmations=entry.confirmations,
                )
            )
        for candidate in sorted((*request.waiting, *request.candidates), key=lambda c: (c.date, _natural(c.id), c.id)):
            self._take(candidate)

    def _append(self, statement: _Statement) -> None:
        self._index.add(len(self.statements), statement.text)
        self.statements.append(statement)

    def _take(self, candidate: CandidateView) -> None:
        near = [self.statements[at] for at in self._index.near(candidate.text)]
        near = [statement for statement in near if not statement.gone]
        alike = [statement for statement in near if _says_the_same(statement, candidate)]
        if alike:
            best = max(alike, key=lambda statement: (statement.text == candidate.text, statement.entry is not None))
            best.supporters.append(candidate)
            best.date = max(best.date, candidate.date)
            return
        against = [statement for statement in near if _goes_against(statement, candidate)]
        if not is_settled([candidate]):
            # What waits takes nothing back.
            against = []
        if any(statement.date[:10] > candidate.date[:10] for statement in against):
            return
        fresh = _Statement(
            text=candidate.text,
            kind=candidate.kind,
            situation=candidate.situation,
            date=candidate.date,
            standing=candidate.standing,
            supporters=[candidate],
        )
        for statement in against:
            if statement.locked:
                continue
            statement.gone = True
            fresh.replaces += [statement.entry] if statement.entry else statement.replaces
        self._append(fresh)

    def operations(self) -> Iterable[Operation]:
        for statement in self.statements:
            supporters = [candidate.id for candidate in statement.supporters]
            if statement.gone or not supporters:
                continue
            if statement.entry is None and not is_settled(statement.supporters):
                continue
            if statement.entry is not None:
                yield _operation("confirm", [statement.entry], supporters, reason="seen again")
            elif statement.replaces:
                first, *others = statement.replaces
                yield _operation(
                    "supersede", [first], supporters, statement, reason="a newer statement gives another value"
                )
                for other in others:
                    yield _operation("retire", [other], [], reason="a newer statement gives another value")
            else:
                yield _operation("add", [], supporters, statement)

    def procedures(self) -> Iterable[Procedure]:
        for statement in self.statements:
            steps = code_spans(statement.text)
            if statement.gone or statement.kind != MemoryKind.WORKFLOW or len(steps) < 2:
                continue
            yield Procedure(
                steps=steps,
                sessions=statement.confirmations + len({candidate.thread_id for candidate in statement.supporters}),
                asked=any(map(is_asked_for, (statement.standing, *(one.standing for one in statement.supporters)))),
                entry=statement.entry,
                memories=tuple(candidate.id for candidate in statement.supporters),
            )

    def pitfalls(self) -> list[str]:
        return [
            statement.text
            for statement in self.statements
            if statement.kind == MemoryKind.PITFALL and not statement.gone
        ]


def _operation(
    op: str, entries: list[str], memories: list[str], statement: _Statement | None = None, *, reason: str = ""
) -> Operation:
    return Operation(
        op=op,
        entries=entries,
        memories=memories,
        kind=MemoryKind(statement.kind) if statement else None,
        text=statement.text if statement else "",
        situation=statement.situation if statement else "",
        reason=reason,
    )


def consolidated(request: ConsolidateRequest) -> StageTwoReply:
    """Return the operations that bring the standing entries up to date, and the skills that have earned a folder.

    A candidate that an entry already states confirms it; one that gives the entry's subject another value supersedes it
    if it is newer and the entry is not locked; any other is added once, with the evidence of all candidates alike.
    """
    merge = _Merge(request)
    known = frozenset(name for name, _ in request.skills)
    return StageTwoReply(
        operations=list(merge.operations()),
        skills=skills_from(list(merge.procedures()), merge.pitfalls(), known),
    )
