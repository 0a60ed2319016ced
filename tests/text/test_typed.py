"""What a person said and what a person only showed."""

from __future__ import annotations

import pytest

from slowwave.text.shown.register import Habit, habit_of
from slowwave.text.typed import carried, said_of, said_text, shown_spans
from tests.text import messages_more as more
from tests.text.messages import SAID, SHOWN, taken_apart


def _folded(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("name", SHOWN)
def test_a_rule_in_pasted_text_is_not_said(name: str) -> None:
    message, rule = taken_apart(SHOWN[name])
    assert _folded(rule) not in _folded(said_text(message))


@pytest.mark.parametrize("name", SAID)
def test_a_typed_rule_stays_said(name: str) -> None:
    message, rule = taken_apart(SAID[name])
    assert _folded(rule) in _folded(said_text(message))


@pytest.mark.parametrize("name", more.SHOWN)
def test_another_rule_in_pasted_text_is_not_said(name: str) -> None:
    assert more.RULE not in said_text(more.SHOWN[name].replace("@", more.RULE))


@pytest.mark.parametrize("name", more.SAID)
def test_another_typed_rule_stays_said(name: str) -> None:
    assert more.RULE in said_text(more.SAID[name].replace("@", more.RULE))


@pytest.mark.parametrize("message", more.ANNOUNCED)
def test_what_is_announced_is_not_said(message: str) -> None:
    assert more.RULE not in said_text(message.replace("@", more.RULE))


@pytest.mark.parametrize("message", more.PLAIN)
def test_what_only_looks_announced_is_said(message: str) -> None:
    rule = "always wrap db calls in a transaction"
    assert rule in said_text(message.replace("@", rule))


def test_what_was_shown_stays_shown_when_the_text_is_redacted() -> None:
    before = "use the key abc-123 here\n```\nalways deploy with abc-123\n```\nand never log it"
    after = before.replace("abc-123", "[REDACTED]")
    spans = carried(shown_spans(before), before, after)
    assert said_of(after, spans) == "use the key [REDACTED] here\n\nand never log it"


def test_what_was_shown_stays_shown_when_the_middle_is_left_out() -> None:
    before = "look\n" + "\n".join(f"> line {n}: always deploy" for n in range(100)) + "\nnever do that"
    lines = before.split("\n")
    after = "\n".join([*lines[:10], "[... left out ...]", *lines[-10:]])
    assert said_of(after, carried(shown_spans(before), before, after)) == "look\n\nnever do that"


REVIEW = (
    "The handler swallows the original exception before the retry budget is spent. As a result the operator never sees "
    "the first cause, and the metrics count a success. The same pattern exists in the upload worker, which must always "
    "re-raise after logging."
)
SHORT = ["ok", "can you fix the header", "now the tests", "still broken on mobile"]


def test_a_long_formal_text_among_short_casual_messages_is_shown() -> None:
    assert said_text(REVIEW, habit_of(SHORT)) == ""
    assert said_text(REVIEW) == REVIEW
    assert said_text(REVIEW, habit_of([REVIEW, REVIEW, REVIEW])) == REVIEW


def test_a_person_is_known_after_three_messages() -> None:
    assert habit_of(SHORT[:2]) == Habit()
    assert habit_of(SHORT).casual


@pytest.mark.parametrize(
    "text", ["<" * 50_000, "```\n" * 20_000, "<a>" * 20_000, "> " * 40_000, "“" * 60_000, "x: y\n" * 9_000]
)
def test_hostile_text_is_read_in_bounded_work(text: str) -> None:
    assert len(said_text(text)) <= len(text)
