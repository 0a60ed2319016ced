"""Terms in scripts with and without spaces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.session.key_facts.words import index_term, overlap, stem, terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("migrations", "migrate"),
        ("deployment", "deploys"),
        ("部署目标是什么", "部署到哪里"),
        ("データベース", "データベースの移行"),
        ("ฐานข้อมูลหลัก", "ย้ายฐานข้อมูล"),
        ("데이터베이스", "데이터베이스를"),
        ("MAX_RETRY_COUNT", "max retry"),
        ("src/retryPolicy.ts", "the retry policy"),
        ("café", "cafe"),
    ],
)
def test_related_texts_share_a_term(one: str, other: str) -> None:
    assert terms(one) & terms(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("what is it", "is it what"),
        ("今天天气怎么样", "部署目标是什么"),
        ("海についての俳句", "データベースの移行"),
        ("use the new one", "make it work"),
    ],
)
def test_unrelated_texts_share_none(one: str, other: str) -> None:
    assert not terms(one) & terms(other)


def test_stems_meet() -> None:
    assert {stem(word) for word in ("migrate", "migrated", "migrating", "migration", "migrations")} == {"migrat"}


@given(st.text(max_size=200))
def test_any_text_has_terms_or_none_and_overlaps_itself(text: str) -> None:
    assert all(terms(text))
    assert overlap(text, text) in (0.0, 1.0)


@given(
    st.text(alphabet="ab_-./:@+#1", min_size=1, max_size=12), st.text(alphabet="ab_-./:@+#1", min_size=1, max_size=12)
)
def test_index_terms_are_one_token_each_and_distinct(one: str, other: str) -> None:
    assert index_term(one).isalnum() or index_term(one).isidentifier() or index_term(one)[0].isdigit()
    assert (index_term(one) == index_term(other)) == (one == other)
