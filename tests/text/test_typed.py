"""What a person said and what a person only showed."""

from __future__ import annotations

import pytest

from slowwave.text.typed import said_text
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
