"""The user level: on evidence from two projects, by code."""

from __future__ import annotations

from slowwave.memories.consolidation.promotion import promote
from slowwave.memories.consolidation.state import MemoryState
from slowwave.memories.consolidation.tombstones import Tombstones
from slowwave.rollouts.model import ItemKind
from slowwave.storage.types import EntryStatus, MemoryKind, Standing
from tests.support.states import entry, evidence, state

NONE = Tombstones(b"k" * 32, frozenset())
TEXT = "Never commit without running the tests."


def rule(project: str, text: str = TEXT) -> MemoryState:
    return state(entry(1, text, kind=MemoryKind.CONSTRAINT, evidence=(evidence(text, f"claude:{project}"),)))


def test_one_project_is_not_enough() -> None:
    assert promote(MemoryState(), {"a": rule("a")}, frozenset(), NONE) == MemoryState()


def test_two_projects_promote_with_the_evidence_of_both() -> None:
    done = promote(MemoryState(), {"a": rule("a"), "b": rule("b")}, frozenset(), NONE)
    (made,) = done.active
    assert made.text == TEXT and made.promoted_from == "a,b"
    assert {piece.thread_id for piece in made.evidence} == {"claude:a", "claude:b"}
    assert promote(done, {"a": rule("a"), "b": rule("b")}, frozenset(), NONE) == done


def test_it_goes_when_one_project_no_longer_says_it_and_may_come_back() -> None:
    both = {"a": rule("a"), "b": rule("b")}
    done = promote(MemoryState(), both, frozenset(), NONE)
    less = promote(done, {"a": rule("a"), "b": state()}, frozenset(), NONE)
    assert less.entries[0].status is EntryStatus.RETIRED
    assert promote(less, both, frozenset(), NONE).active[0].number == 1


def test_facts_and_inferred_rules_stay_in_their_project() -> None:
    fact = state(entry(1, TEXT, kind=MemoryKind.FACT))
    weak = state(entry(1, TEXT, standing=Standing.INFERRED, evidence=(evidence(TEXT, item_kind=ItemKind.TOOL_RESULT),)))
    assert promote(MemoryState(), {"a": fact, "b": fact}, frozenset(), NONE) == MemoryState()
    assert promote(MemoryState(), {"a": weak, "b": weak}, frozenset(), NONE) == MemoryState()


def test_a_models_wish_needs_a_second_project_all_the_same() -> None:
    alike = {"a": rule("a"), "b": rule("b", "Never commit before running the tests.")}
    assert not promote(MemoryState(), alike, frozenset(), NONE).active
    asked = frozenset({("a", "m1")})
    assert promote(MemoryState(), alike, asked, NONE).active
    assert not promote(MemoryState(), {"a": alike["a"]}, asked, NONE).active
