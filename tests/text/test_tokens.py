"""The token estimate against counts that were taken with four published vocabularies (`benchmarks/tokens.py`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from slowwave.memories.reading.read_path import render_block
from slowwave.text import estimate_tokens

COUNTS = Path(__file__).parent / "data" / "token_counts.tsv"


def _samples() -> list[tuple[str, int, str]]:
    found = []
    for line in COUNTS.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            name, *counts, text = line.split("\t")
            found.append((name, max(map(int, counts)), text.replace("\\n", "\n").replace("\\\\", "\\")))
    return found


@pytest.mark.parametrize(("name", "largest", "text"), _samples(), ids=lambda value: str(value)[:24])
def test_the_estimate_is_an_upper_bound_that_wastes_little(name: str, largest: int, text: str) -> None:
    estimate = estimate_tokens(text)
    assert estimate >= largest
    assert estimate <= (1.25 if name == "english prose" else 1.5) * largest + 2


def test_every_script_is_measured() -> None:
    assert {name for name, _, _ in _samples()} >= {
        *("de", "en", "es", "fr", "ja", "ko", "pt", "ru", "th", "vi", "zh", "zht"),
        *("code", "emoji", "english prose", "log", "paths"),
    }


@pytest.mark.parametrize("language", ["th", "zht", "ja", "ko", "emoji"])
def test_the_injected_block_keeps_its_limit_in_every_script(language: str) -> None:
    texts = [text.replace("\n", " ") for name, _, text in _samples() if name == language]
    rate = max(largest / estimate_tokens(text) for name, largest, text in _samples() if name == language)
    lines = "".join(f"- {texts[number % len(texts)]} [m{number}]\n" for number in range(1, 200))
    block = render_block(
        f"# Memory\n\n## Facts\n\n{lines}", render=lambda summary: summary, version="1-abc", token_limit=5_000
    )
    assert 3_000 < estimate_tokens(block) <= 5_000
    # By the true counts of such text too.
    assert estimate_tokens(block) * rate <= 5_000


def test_nothing_costs_nothing_and_odd_texts_are_no_error() -> None:
    assert estimate_tokens("") == 0
    for text in ("\ud800", "\x00" * 50, "a" * 100_000, "🏽" * 30, " " * 5_000, "-" * 9_000):
        assert estimate_tokens(text) > 0
