"""Every place with thirty-three values of its own, and harmless texts that look alike."""

from __future__ import annotations

import pytest

from slowwave.redaction.scan import engine
from tests.redaction import templates
from tests.redaction.shapes import Shapes, survives

VALUES = 33


def gone(template: str) -> int:
    """How many of `VALUES` fillings of a template leave nothing of their secrets."""
    shapes, good = Shapes(template), 0
    for _ in range(VALUES):
        text, secrets = shapes.marked(template)
        out = engine.redact(text).text
        good += not any(survives(secret, out) for secret in secrets)
    return good


@pytest.mark.parametrize("kind", templates.SURE)
def test_sure_places_hide_any_password(kind: str) -> None:
    found = [gone(template) for template in templates.SURE[kind]]
    assert sum(found) >= 0.98 * VALUES * len(found)
    assert min(found) >= 0.95 * VALUES - 1


@pytest.mark.parametrize("kind", templates.UNSURE)
def test_prose_and_tables_hide_most_passwords(kind: str) -> None:
    found = [gone(template) for template in templates.UNSURE[kind]]
    assert sum(found) >= 0.92 * VALUES * len(found)


@pytest.mark.parametrize("kind", templates.TOKENS)
def test_tokens_are_whole_wherever_they_stand(kind: str) -> None:
    found = [gone(template) for template in templates.TOKENS[kind]]
    assert sum(found) >= 0.98 * VALUES * len(found)
    assert min(found) >= 0.9 * VALUES


def test_the_other_half_of_a_key_pair() -> None:
    found = [gone(template) for template in templates.PAIRS]
    assert sum(found) >= 0.98 * VALUES * len(found)


@pytest.mark.parametrize("template", templates.KEPT)
def test_harmless_texts_stay(template: str) -> None:
    shapes = Shapes(template)
    for _ in range(12):
        text = shapes.fill(template)
        assert engine.redact(text).text == text
