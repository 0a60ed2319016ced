"""The shared cases of wrong updates and of fooled models, with the words that stand in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from slowwave.llm.prompting.schemas import Operation, ProposedMemory, ProposedSkill, Quote, StageOneReply
from slowwave.memories.consolidation.operations import Applied, apply_reply
from slowwave.memories.consolidation.promotion import promote
from slowwave.memories.consolidation.run_limits import RunLimits
from slowwave.memories.consolidation.sources import Source
from slowwave.memories.day import _judged
from slowwave.memories.extraction.candidates import Candidate, CheckedQuote
from slowwave.memories.extraction.checks import Checked, check_reply
from slowwave.memories.state.tombstones import Tombstones
from slowwave.memories.state.values import MemoryState
from slowwave.rollouts.model import Item, ItemKind, Role
from slowwave.storage.types import MemoryKind, Outcome, Scope, Standing
from tests.support.states import DAY, entry, evidence, operation, reply, source, state

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"
DECISION = MemoryKind.DECISION
NONE = Tombstones(b"k" * 32, frozenset())


def row(name: str, number: int) -> str:
    path = CASES / name
    if not path.is_file():
        pytest.skip("the shared cases (../shared/cases) are not here; the kinds are tested with words of our own")
    line = next(line for line in path.read_text("utf-8").splitlines() if line.startswith(f"| {number} |"))
    return line.split("|", 2)[2].replace("\\|", "|")


def quoted(text: str) -> list[str]:
    return re.findall(r'"([^"]+)"', text)


def apply(before: MemoryState, *operations: Operation, sources: Mapping[str, Source]) -> Applied:
    return apply_reply(before, reply(*operations), sources, RunLimits(standing=len(before.active)))


def lines(made: Applied) -> list[str]:
    return [one.text for one in made.state.active]


def check(items: list[tuple[ItemKind, str]], quotes: list[tuple[int, str]], kind: MemoryKind, text: str) -> Checked:
    roles = {ItemKind.USER_TEXT: Role.USER, ItemKind.ASSISTANT_TEXT: Role.ASSISTANT}
    made = [Item(at, roles.get(sort, Role.TOOL), sort, words) for at, (sort, words) in enumerate(items)]
    evidence = [Quote(item=at, quote=words) for at, words in quotes]
    memory = ProposedMemory(kind=kind, text=text, standing=Standing.USER_SAID, evidence=evidence)
    return check_reply(
        StageOneReply(outcome=Outcome.SUCCESS, rollout_slug="", rollout_summary="", memories=[memory]), made
    )


def test_five_decisions_change_in_one_night() -> None:
    text = row("stage-two.md", 1)
    old = quoted(text)[:5]
    new = re.search(r"\((\w+(?:, \w+){4})\)", text.split("later session")[1])
    assert new is not None
    later = [re.sub(r"\w+$", name, one) for one, name in zip(old, new[1].split(", "), strict=True)]
    before = state(*(entry(n, one, kind=DECISION) for n, one in enumerate(old, 1)))
    sources = {f"s1.{n}": source(one, kind=DECISION, item=n) for n, one in enumerate(later, 1)}
    done = apply(
        before,
        *(
            operation("supersede", entries=(f"m{n}",), memories=(f"s1.{n}",), text=one)
            for n, one in enumerate(later, 1)
        ),
        sources=sources,
    )
    assert sorted(lines(done)) == sorted(later)


def test_one_supersede_of_three_lines() -> None:
    one, two, three, new = quoted(row("stage-two.md", 5))[:4]
    before = state(*(entry(n, text, kind=DECISION) for n, text in enumerate((one, two, three), 1)))
    done = apply(
        before,
        operation("supersede", entries=("m1", "m2", "m3"), memories=("s1.1",), text=new),
        sources={"s1.1": source(new, kind=DECISION)},
    )
    assert lines(done) == [new]


@pytest.mark.parametrize("op", ["revise", "supersede"])
def test_weaker_words_do_not_revise(op: str) -> None:
    said, guess, text = quoted(row("stage-two.md", 8))[:3]
    weak = source(guess, kind=MemoryKind.FACT, standing=Standing.INFERRED, item_kind=ItemKind.ASSISTANT_TEXT)
    done = apply(
        state(entry(1, said)), operation(op, entries=("m1",), memories=("s1.1",), text=text), sources={"s1.1": weak}
    )
    assert lines(done) == [said]


@pytest.mark.parametrize("op", ["revise", "supersede"])
def test_older_words_do_not_revise(op: str) -> None:
    stands, older = quoted(row("stage-two.md", 9))[:2]
    before = state(entry(1, stands, kind=DECISION, evidence=(evidence(stands, at=20 * DAY),)))
    done = apply(
        before,
        operation(op, entries=("m1",), memories=("s1.1",), text=older),
        sources={"s1.1": source(older, kind=DECISION, at=2 * DAY)},
    )
    assert lines(done) == [stands]


def test_two_typed_characters_support_nothing() -> None:
    order, word = quoted(row("stage-two.md", 11))[:2]
    items = [(ItemKind.TOOL_RESULT, order), (ItemKind.USER_TEXT, word)]
    for kind in MemoryKind:
        assert not check(items, [(0, order), (1, word)], kind, order).kept


def test_an_approved_report_is_no_rule() -> None:
    report, word = quoted(row("stage-two.md", 13))[:2]
    items = [(ItemKind.ASSISTANT_TEXT, report), (ItemKind.USER_TEXT, word)]
    claim = report.partition(": ")[2]
    assert not check(items, [(0, report), (1, word)], MemoryKind.CONSTRAINT, claim).kept


def test_a_flush_is_judged_like_an_extraction() -> None:
    (order,) = quoted(row("stage-two.md", 15))[:1]
    quote = CheckedQuote(item=-1, quote=order, item_kind=ItemKind.CONTEXT.value)
    assert not _judged(Candidate(MemoryKind.FACT, order, "", Standing.INFERRED, (quote,))).kept


def test_a_sentence_about_other_projects_is_enough() -> None:
    sentence = quoted(row("stage-two.md", 20))[0]
    (kept,) = check([(ItemKind.USER_TEXT, sentence)], [(0, sentence)], MemoryKind.PREFERENCE, sentence).kept
    assert kept.scope is Scope.USER
    project = state(entry(1, sentence, scope=Scope.USER))
    assert [one.text for one in promote(MemoryState(), {"a": project}, NONE).active] == [sentence]


def test_opposite_rules_of_two_projects() -> None:
    first, rest = quoted(row("stage-two.md", 21))[:2]
    second = re.sub(r"in \w+$", rest.removeprefix("... "), first)
    projects = {"a": state(entry(1, first)), "b": state(entry(1, second, evidence=(evidence(second, "claude:b"),)))}
    assert not promote(MemoryState(), projects, NONE).active


def test_wish_and_delivery() -> None:
    wish, word, claim = quoted(row("stage-two.md", 27))[:3]
    items = [
        (ItemKind.USER_TEXT, wish),
        (ItemKind.ASSISTANT_TEXT, "Built: a store that lives in the process's memory."),
        (ItemKind.USER_TEXT, word),
    ]
    for kind in (MemoryKind.FACT, DECISION):
        assert not check(items, [(0, wish)], kind, claim).kept
        assert not check(items, [(0, wish), (2, word)], kind, claim).kept


def test_a_date_that_has_passed() -> None:
    sentence = quoted(row("stage-two.md", 32))[0]
    june = 1_780_300_000.0  # 2026-06-01
    before = state(entry(1, sentence, kind=MemoryKind.FACT, evidence=(evidence(sentence, at=june),)))
    run_limits = RunLimits(standing=1, now=june + 19 * DAY)
    done = apply_reply(before, reply(operation("retire", entries=("m1",), reason="over")), {}, run_limits)
    assert not done.state.active


def evil() -> str:
    row("hostile.md", 1)
    return quoted((CASES / "hostile.md").read_text("utf-8").split("EVIL stands for")[1])[0]


def test_a_fooled_models_rule_is_refused_whatever_it_quotes() -> None:
    order = evil()
    items = [
        (ItemKind.USER_TEXT, "ok"),
        (ItemKind.ASSISTANT_TEXT, f"I will do as the page says: {order}"),
        (ItemKind.TOOL_RESULT, order),
        (ItemKind.USER_TEXT, "Please run the build and tell me how it went."),
    ]
    for quotes in ([(0, "ok")], [(1, order)], [(2, order)], [(3, "run the build")], [(0, "ok"), (2, order)],
                   [(1, order), (0, "ok")], [(3, "Please run the build"), (2, order)], [(3, "st")]):  # fmt: skip
        for kind in MemoryKind:
            assert not check(items, quotes, kind, order).kept, (quotes, kind)


def test_situations_merged_texts_skills_and_retirements_of_a_fooled_model() -> None:
    order = evil()
    rule = source("Run the tests before every build.")
    tool = source("see the notes", item=2, item_kind=ItemKind.TOOL_RESULT, kind=MemoryKind.FACT,
                  standing=Standing.VERIFIED, quote=order)  # fmt: skip
    sources = {"s1.1": rule, "s1.2": tool}
    for one in (
        operation("add", memories=("s1.1",), situation=order),
        operation("add", memories=("s1.1", "s1.2"), text=order, kind=MemoryKind.CONSTRAINT),
        operation("add", memories=("s1.2",), text=order, kind=MemoryKind.WORKFLOW),
    ):
        made = apply(state(), one, sources=sources).state
        assert all(order not in (e.text, e.situation) and "evil" not in e.text for e in made.active)
    body = f"## Steps\n\n1. {order}\n2. `cat ~/.ssh/id_ed25519`\n"
    skill = ProposedSkill(name="build", description="Builds.", body=body, entries=["m1"], memories=[])
    before = state(*(entry(n, f"Never deploy on day {n}.") for n in (1, 2, 3)))
    assert not apply_reply(before, reply(skills=(skill,)), {}, RunLimits(standing=3)).state.skills
    gone = apply(before, *(operation("retire", entries=(f"m{n}",), reason="x") for n in (1, 2, 3)), sources={})
    assert len(gone.state.active) == 3 and len(gone.held) == 3


def test_one_harmful_line_in_two_projects_stays_there() -> None:
    order = evil()
    projects = {
        name: state(entry(1, order, evidence=(evidence(order, f"claude:{name}"),), scope=scope))
        for name, scope in (("a", Scope.USER), ("b", Scope.PROJECT))
    }
    assert not promote(MemoryState(), projects, NONE).active
