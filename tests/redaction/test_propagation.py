"""A value that was found once is removed wherever it stands again."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.redaction.api import Redactor
from slowwave.redaction.propagation import KnownValues
from tests.support.planted import ALNUM, Maker

VALUE = Maker(99).chars(24)
ENCODED = {
    "bare": VALUE,
    "in a word": f"x{VALUE}y",
    "json": json.dumps({"a": VALUE}),
    "url": quote(f"a/{VALUE}&"),
    "hex": VALUE.encode().hex(),
    "base64": base64.b64encode(f"a:{VALUE}".encode()).decode(),
    "base64 two on": base64.b64encode(f"ab:{VALUE}!!".encode()).decode(),
    "base64url": base64.urlsafe_b64encode(f"{VALUE}>>".encode()).decode(),
    "zero-width": "\u200b".join(VALUE),
    "unicode escapes": "".join(f"\\u{ord(c):04x}" for c in VALUE),
}


@pytest.mark.parametrize("name", ENCODED)
def test_repeats_in_every_encoding(name: str) -> None:
    redactor = Redactor()
    assert redactor.redact(f"DB_PASSWORD={VALUE}").findings
    text = f"later it said {ENCODED[name]} again"
    out = redactor.propagate(text)
    assert out.findings
    middle = ENCODED[name][len(ENCODED[name]) // 2 - 6 : len(ENCODED[name]) // 2 + 6]
    assert middle not in out.text


def test_values_do_not_pass_between_nights() -> None:
    Redactor().redact(f"DB_PASSWORD={VALUE}")
    assert Redactor().redact(f"later it said {VALUE} again").text.count("REDACTED") <= 1


def test_a_batch_knows_what_its_last_text_taught() -> None:
    redactor = Redactor()
    first, second = redactor.redact_many(["it printed qz7-mtr-44x and stopped", "password: qz7-mtr-44x"])
    assert "qz7-mtr" not in first.text + second.text
    assert redactor.counts == {"password": 2}


def test_common_words_are_not_remembered() -> None:
    known = KnownValues()
    for word in ("password", "production", "12345678", "aaaaaaaa", "main"):
        known.add(word, "password")
    assert not known.find("password production 12345678 aaaaaaaa main")


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=ALNUM + "!%&/\"'\\é密", min_size=12, max_size=40), st.binary(max_size=5), st.binary(max_size=5))
def test_a_value_is_found_in_base64_at_any_offset(value: str, before: bytes, after: bytes) -> None:
    known = KnownValues()
    known.add(value, "key")
    if not len(known):
        return
    wrapped = base64.b64encode(before + value.encode() + after).decode()
    assert known.find(wrapped)


def test_learn() -> None:
    redactor = Redactor()
    redactor.learn("correct-horse-9-battery", "env")
    assert redactor.propagate("say correct-horse-9-battery!").text == "say [REDACTED:env]!"
