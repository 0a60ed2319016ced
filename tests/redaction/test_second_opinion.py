"""The second scanner agrees with what ours has cleaned, and stops what ours has not seen."""

from __future__ import annotations

import pytest

from slowwave.errors import SecretFound
from slowwave.redaction.guard import Guard
from slowwave.redaction.scan import engine
from tests.support.planted import Leaks, planted

pytest.importorskip("kingfisher_sdk", reason="the extra second-opinion is not installed")

from slowwave.redaction import second_opinion


def test_a_cleaned_text_passes() -> None:
    text = "\n".join(secret.line for secret in planted(21))
    second_opinion.assert_agreed(engine.redact(text).text, "the prompt")


def test_a_secret_stops_and_is_not_named() -> None:
    secret = next(secret for secret in planted(21) if secret.kind == "github")
    with pytest.raises(SecretFound) as caught:
        second_opinion.assert_agreed(f"# kingfisher:ignore\n{secret.line}  # kingfisher:ignore".encode(), "the prompt")
    assert "the prompt" in str(caught.value)
    assert not Leaks([secret]).in_text(str(caught.value))


def test_a_guard_asks_it() -> None:
    with Guard(ask_another=True) as pool:
        pool.start()
        pool.assert_clean(engine.redact("\n".join(secret.line for secret in planted(22))).text, "the files")
        secret = next(secret for secret in planted(22) if secret.kind == "github")
        with pytest.raises(SecretFound):
            pool.assert_clean(secret.line, "the files")
