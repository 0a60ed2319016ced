"""Copies of what a log has: found in the log's own words, or refused."""

from __future__ import annotations

import csv
import random
import unicodedata

import pytest

from slowwave.text.quotes import Source, Sources
from tests.conftest import SHARED
from tests.text.quote_cases import FOUND, REFUSED

CASES = SHARED.parent / "cases" / "quotes.tsv"


def plain(text: str) -> str:
    mark = "{NFD}"
    return unicodedata.normalize("NFD", text.removeprefix(mark)) if text.startswith(mark) else text


@pytest.mark.parametrize(("said", "copied"), FOUND)
def test_a_copy_is_found_in_the_words_of_the_log(said: str, copied: str) -> None:
    said, copied = plain(said), plain(copied)
    words = Source(said).find(copied)
    assert words is not None
    assert words in " ".join(said.split())
    # What was found is itself found, and finds the same.
    assert Source(said).find(words) == words


@pytest.mark.parametrize(("said", "copied"), REFUSED)
def test_what_the_log_does_not_say_is_not_found(said: str, copied: str) -> None:
    assert Source(plain(said)).find(plain(copied)) is None


@pytest.mark.parametrize(
    ("said", "copied", "stored"),
    [
        ("Then (see `make help`) run **all** of it.", "see make help", "see `make help`"),
        ("Run `just` for **all tasks** — build.", "run just for all tasks", "Run `just` for **all tasks**"),
        ("Run `just` for **all tasks** — build.", "just for", "`just` for"),
        ("He wrote (twice) no.", "wrote twice", "wrote (twice)"),
        ("Use four\n  blanks, never tabs!", "use four blanks", "Use four blanks"),
        ("Use four\n  blanks, never tabs!", "never tabs", "never tabs!"),
    ],
)
def test_marks_belong_to_the_words_whose_partner_is_inside(said: str, copied: str, stored: str) -> None:
    assert Source(said).find(copied) == stored


def test_a_wrong_number_is_corrected_where_one_text_has_the_words() -> None:
    texts = Sources({1: "ok", 2: "Always run make check first.", 5: "later", 7: "later again and later"})
    assert texts.find(5, "always run `make check`") == (2, "Always run make check")
    assert texts.find(1, "later") is None
    assert texts.find(99, "Always run make lint first") is None
    assert Sources({1: "run the same line", 2: "run the same line"}).find(3, "run the same line") is None


def test_a_copy_that_was_cut_at_a_limit_ends_with_the_whole_word() -> None:
    text = "every " * 30 + "service keeps its own changelog"
    assert Source(text).find(text[:185]) == text[:187]
    assert Source("Pin the base image").find("Pin the base ima") is None


def test_long_items_are_searched_once_for_all_copies() -> None:
    rng = random.Random(5)
    vocabulary = [f"wort{n}ä" for n in range(5000)]
    words = [rng.choice(vocabulary) for _ in range(200_000)]
    source = Source(" ".join(words))
    for _ in range(200):
        at = rng.randrange(len(words) - 12)
        assert source.find("*" + " ".join(words[at : at + 12]).upper() + "*") is not None
    assert source.find("wort1ä wort2ö") is None


def test_the_shared_cases() -> None:
    if not CASES.is_file():
        pytest.skip("the shared cases are not here")
    with CASES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    wrong = []
    for row in rows:
        said, copied = (plain(unescaped(row[name])) for name in ("said", "copied"))
        found = Source(said).find(copied) is not None
        # Whether words are ground enough for a rule is not this module's business.
        wanted = row["right"].startswith("found") or "ground of a rule" in row["right"]
        if found != wanted:
            wrong.append(row["id"])
    assert rows and wrong == []


def unescaped(cell: str) -> str:
    return cell.replace("\\n", "\n").replace("\\t", "\t").replace("\\u200b", "\u200b").replace("\\u200f", "\u200f")
