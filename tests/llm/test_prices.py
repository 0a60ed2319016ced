"""Prices and token estimates."""

from __future__ import annotations

import pytest

from slowwave.llm.spending.prices import TokenCounts, cost_of, facts_of, price_date
from slowwave.text import estimate_tokens


@pytest.mark.parametrize(
    ("model", "tokens", "batch", "dollars"),
    [
        ("claude-haiku-5-5", TokenCounts(60_000, 2000), False, 0.007),
        ("claude-haiku-5-5", TokenCounts(60_000, 2000), True, 0.0035),
        ("claude-haiku-5-5", TokenCounts(100_000, 0), False, 0.01),
        ("claude-haiku-5-5", TokenCounts(100_001, 0), False, 0.0500005),
        ("claude-haiku-5-5", TokenCounts(150_000, 2000), False, 0.08),
        ("claude-haiku-5-5", TokenCounts(1000, 0, cache_read=100_000), False, (1000 * 0.5 + 100_000 * 0.05) / 1e6),
        ("claude-haiku-5-5", TokenCounts(cache_write_1h=10_000), False, 0.002),
        ("claude-sonnet-5-5", TokenCounts(60_000, 8000), True, 0.10),
        ("claude-sonnet-5-5-20260901", TokenCounts(60_000, 8000), False, 0.20),
        ("us.anthropic.claude-sonnet-5-5-20260901-v1:0", TokenCounts(60_000, 8000), False, 0.20),
    ],
)
def test_what_calls_cost(model: str, tokens: TokenCounts, batch: bool, dollars: float) -> None:
    assert cost_of(model, tokens, batch=batch) == pytest.approx(dollars)


def test_an_unknown_model_has_no_price_and_not_the_price_zero() -> None:
    assert cost_of("qwen3:8b", TokenCounts(1000, 1000)) is None
    assert facts_of("claude-haiku-5-55") is None


def test_the_prices_have_a_date() -> None:
    assert len(price_date().split("-")) == 3


def test_an_estimate_is_a_ceiling_for_prose_and_not_far_above_it() -> None:
    text = "The quick brown fox jumps over the lazy dog near the old stone bridge. " * 20
    words = len(text.split())
    assert words < estimate_tokens(text) < 2.2 * words


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("请不要在生产环境里直接修改数据库先写迁移脚本" * 30, 1.0, 1.6),
        ("データベースを直接変更しないでください" * 30, 1.0, 1.6),
        ("อย่าแก้ไขฐานข้อมูลโดยตรง" * 30, 1.6, 2.8),
        ("0123456789abcdef" * 60, 0.35, 1.0),
        ("", 0, 0),
    ],
)
def test_tokens_per_character_by_script(text: str, least: float, most: float) -> None:
    assert least * len(text) <= estimate_tokens(text) <= most * len(text)


def test_an_estimate_of_a_lone_surrogate_is_no_error() -> None:
    assert estimate_tokens("a\ud800b") > 0
