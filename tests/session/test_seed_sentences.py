"""The example sentences of the documents that the layers were made from, in their own languages."""

from __future__ import annotations

import re

import pytest

from slowwave.session.key_facts import facts
from slowwave.session.task import pins
from slowwave.session.task.pins import PinKind
from tests.conftest import ROOT

SEEDS = ROOT.parent / "shared" / "seeds"
TEXTS = [path.read_text("utf-8") for path in sorted(SEEDS.glob("*.txt"))] if SEEDS.is_dir() else []
FACTS = [line for text in TEXTS for line in re.findall(r"^\W*「([^」]{8,80})」\s*$", text, re.MULTILINE)]
FIRST_TURNS = [" ".join(turn.split()) for text in TEXTS for turn in re.findall(r'Turn 1: "([^"]+)"', text)]
needs_seeds = pytest.mark.skipif(not TEXTS, reason="../shared/seeds is not here")


@needs_seeds
def test_the_facts_are_found() -> None:
    assert len(FACTS) >= 6
    assert not [sentence for sentence in FACTS if not facts.extract(sentence)]


@needs_seeds
def test_the_first_turn_is_pinned_with_what_must_stay() -> None:
    assert FIRST_TURNS
    for turn in FIRST_TURNS:
        kinds = [pin.kind for pin in pins.propose(turn, (), turn=1, question="").add]
        assert kinds == [PinKind.GOAL, PinKind.CONSTRAINT, PinKind.CONSTRAINT], turn
