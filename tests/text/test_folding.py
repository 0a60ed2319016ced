"""Folding and shortening: one form for texts that are typed in different ways."""

from __future__ import annotations

import unicodedata

import pytest

from slowwave.text import canonical, fold, fold_space, shorten

TEXTS = (
    "Größe der Schlüssel",
    "Überprüfe é à ñ ç",
    "がぎぐげご ばびぶ",
    "한국어 커밋 메시지",
    "Tiếng Việt không dấu",
    "ไม่ต้องทำ",
)


@pytest.mark.parametrize("text", TEXTS)
def test_decomposed_letters_equal_composed_ones(text: str) -> None:
    apart = unicodedata.normalize("NFD", text)
    for form in (fold, fold_space, canonical):
        assert form(apart) == form(text)


def test_width_case_and_white_space_do_not_count() -> None:
    assert fold("Ｕｓｅ　ＰＮＰＭ\n now") == fold("use pnpm now")
    assert fold("STRASSE") == fold("straße") and fold("ﬁle") == fold("file")
    assert canonical("Use `pnpm`, never npm!") == canonical("use pnpm never NPM")
    assert fold("use pnpm") != fold("use npm")


def test_shorten_cuts_at_a_word_and_inside_no_grapheme() -> None:
    assert shorten("run the tests", 40) == "run the tests"
    assert shorten("run the tests before every commit", 20) == "run the tests…"
    family = "👩\u200d👩\u200d👧"
    for text in (family * 5, unicodedata.normalize("NFD", "éèêëé" * 4), "ที่นี่" * 6, "한국어" * 9):
        for limit in range(1, len(text)):
            cut = shorten(text, limit)
            assert len(cut) <= max(1, limit) and cut.endswith("…")
            rest = text[len(cut) - 1 :]
            assert not rest or (not unicodedata.category(rest[0]).startswith("M") and rest[0] != "\u200d")


def test_shorten_takes_a_limit_of_nothing() -> None:
    assert shorten("something", 0) == "…" == shorten("something", 1)
