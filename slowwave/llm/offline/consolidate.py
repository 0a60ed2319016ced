"""Stage two without a model: confirm what is said again, supersede what changed, add what is new."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from slowwave.llm.base import CandidateView, ConsolidateRequest
from slowwave.llm.offline.choices import choice_of, contradicts, restates
from slowwave.llm.offline.settled import is_settled
from slowwave.llm.offline.similarity import SAME_SUBJECT, code_spans, grams, likeness
from slowwave.llm.offline.skills import Procedure, skills_from
from slowwave.llm.prompting.schemas import Operation, StageTwoReply
from slowwave.storage.types import MemoryKind, Standing

_RAREST = 24
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

    @staticmethod
    def _names(text: str) -> set[str]:
        found = choice_of(text)
        return {f"name {name}" for name in found.chosen | found.rejected} | {
            f"group {number}" for number in found.groups
        }

    def add(self, position: int, text: str) -> None:
        for key in grams(text) | self._names(text):
            self._by_key.setdefault(key, []).append(position)

    def near(self, text: str) -> list[int]:
        """Positions that share a third of the text's rarest n-grams, or a name that the text chooses or rejects."""
        rarest = sorted((len(self._by_key[key]), key) for key in grams(text) if key in self._by_key)[:_RAREST]
        shared = Counter(position for _, key in rarest for position in self._by_key[key])
        found = {position for position, times in shared.items() if times * 3 >= len(rarest)}
        for key in self._names(text):
            found.update(self._by_key.get(key, ()))
        return sorted(found)


def _same_procedure(first: str, second: str) -> bool:
    one, two = set(code_spans(first)), set(code_spans(second))
    if min(len(one), len(two)) < 2 or first.split("`")[0] != second.split("`")[0]:
        return False
    return len(one & two) / len(one | two) >= _SAME_STEPS


def _says_the_same(statement: _Statement, candidate: CandidateView) -> bool:
    if statement.situation and candidate.situation and not _same_situation(statement, candidate):
        return False
    return restates(candidate.text, statement.text) or _same_procedure(statement.text, candidate.text)


def _same_situation(statement: _Statement, candidate: CandidateView) -> bool:
    return (
        statement.situation == candidate.situation or likeness(statement.situation, candidate.situation) >= SAME_SUBJECT
    )


def _goes_against(statement: _Statement, candidate: CandidateView) -> bool:
    """What holds in one situation does not contradict what holds in another or in general."""
    return _same_situation(statement, candidate) and contradicts(candidate.text, statement.text)


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
            best = max(
                alike, key=lambda statement: (likeness(statement.text, candidate.text), statement.entry is not None)
            )
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
                asked=any(s.standing == Standing.USER_SAID for s in statement.supporters)
                or statement.standing == Standing.USER_SAID,
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
