"""A value that a night knows is found however it is spelt again, and ordinary words never are."""

from __future__ import annotations

import pytest

from slowwave.redaction.api import Redactor
from tests.redaction.shapes import Shapes, survives
from tests.redaction.spellings import RANDOM, SPELLINGS, chunks


@pytest.mark.parametrize("shape", RANDOM)
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_random_value_in_any_spelling(shape: str, spelling: str) -> None:
    shapes = Shapes(shape + spelling)
    for _ in range(10):
        value = shapes.fill(shape)
        if "masked" in spelling and ("*" in value or "#" in value):
            continue  # where the mask begins cannot be told
        redactor = Redactor()
        assert redactor.redact(f"DB_PASSWORD='{value}'").findings
        spelt = SPELLINGS[spelling](value)
        out = redactor.propagate(f"I saw {spelt} in the output, later.").text
        assert spelt not in out
        assert not survives(value, out)


@pytest.mark.parametrize("spelling", ["upper case", "lower case", "letter by letter", "dotted", "backwards"])
@pytest.mark.parametrize("shape", ["{word}{4d}", "{Word}{Word}{2d}", "{word}-{word}-{word}-{word}"])
def test_a_password_that_a_person_chose(shape: str, spelling: str) -> None:
    shapes = Shapes(shape + spelling)
    for _ in range(10):
        value = shapes.fill(shape)
        redactor = Redactor()
        assert redactor.redact(f"DB_PASSWORD='{value}'").findings
        assert SPELLINGS[spelling](value) not in redactor.propagate(f"it was {SPELLINGS[spelling](value)} then").text


def test_ordinary_words_are_not_learnt() -> None:
    redactor = Redactor()
    text = "DB_PASSWORD=summer2026\nADMIN_PASSWORD=marketing\nROOT_PASSWORD=Configuration"
    assert len(redactor.redact(text).findings) == 3
    plain = "In summer 2026 the marketing team changes the Configuration; Summer-2026 was planned."
    assert redactor.propagate(plain).text == plain


def test_unsure_places_teach_nothing() -> None:
    redactor = Redactor()
    assert redactor.redact("the password for staging: tiger4821").findings
    assert redactor.propagate("build tiger4821 passed").text == "build tiger4821 passed"


def test_a_folder_s_name() -> None:
    redactor = Redactor()
    value = Shapes("folder").fill("{r24}")
    redactor.redact(f"API_TOKEN={value}")
    out = redactor.propagate(f"skills/deploy-{chunks(value.lower(), 6, '-')}/SKILL.md").text
    assert not survives(value.lower(), out.replace("-", ""))
