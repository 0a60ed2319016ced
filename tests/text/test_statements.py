"""The same statement: pairs in twelve languages, each with what it is."""

from __future__ import annotations

import csv
import itertools
import unicodedata
from pathlib import Path

import pytest

from slowwave.text import Relation, keys, relate

DATA = Path(__file__).parent / "data"
CASES = Path(__file__).resolve().parents[2].parent / "shared" / "cases" / "same-statement.tsv"
TURNED = {Relation.NARROWER: Relation.WIDER, Relation.WIDER: Relation.NARROWER}


def _pairs(name: str) -> list[tuple[Relation, str, str]]:
    found = []
    for line in (DATA / name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            relation, _, first, second = line.split(" | ")
            found.append((Relation(relation.strip()), first, second.strip()))
    return found


WRITTEN_FIRST = _pairs("pairs.txt")
WRITTEN_AFTER = _pairs("pairs_after.txt")
WRITTEN_LAST = _pairs("pairs_last.txt")
EVERY = WRITTEN_FIRST + WRITTEN_AFTER + WRITTEN_LAST


@pytest.mark.parametrize(("relation", "first", "second"), EVERY, ids=lambda value: str(value)[:40])
def test_each_pair_in_both_directions(relation: Relation, first: str, second: str) -> None:
    assert relate(first, second) is relation
    assert relate(second, first) is TURNED.get(relation, relation)


def test_there_are_enough_pairs_of_each_kind_to_mean_something() -> None:
    assert len(WRITTEN_FIRST) >= 150 and min(len(WRITTEN_AFTER), len(WRITTEN_LAST)) >= 60
    for relation in (Relation.SAME, Relation.CONTRADICTS, Relation.DIFFERENT):
        assert sum(pair[0] is relation for pair in EVERY) >= 60


def test_decomposed_width_and_case_change_nothing() -> None:
    for relation, first, second in EVERY:
        assert relate(unicodedata.normalize("NFD", first), second) is relation, first
    assert relate("Ｕｓｅ　ｐｎｐｍ．", "Use pnpm.") is Relation.SAME


def test_statements_that_have_to_do_with_each_other_share_a_key() -> None:
    for relation, first, second in EVERY:
        if relation is not Relation.DIFFERENT:
            assert keys(first) & keys(second), (first, second)


def test_a_statement_is_the_same_as_itself_and_has_nothing_to_do_with_an_empty_one() -> None:
    for _, first, _ in EVERY:
        assert relate(first, first) is Relation.SAME
        assert relate(first, "") is Relation.DIFFERENT is relate("", first)
    assert relate("...", "!!!") is not Relation.CONTRADICTS


def test_of_statements_on_many_subjects_none_contradict_each_other() -> None:
    """The first statements of the rows whose two are different, each against each of its language."""
    by_language: dict[str, set[str]] = {}
    for name in ("pairs.txt", "pairs_after.txt", "pairs_last.txt"):
        for line in (DATA / name).read_text("utf-8").splitlines():
            if line.startswith("different"):
                _, language, first, _ = line.split(" | ")
                by_language.setdefault(language, set()).add(first)
    against = [
        (one, other)
        for firsts in by_language.values()
        for one, other in itertools.combinations(sorted(firsts), 2)
        if relate(one, other) is Relation.CONTRADICTS
    ]
    assert against == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Run the tests with `just test`.", "Run the tests with `just tests`."),
        ("Verify with `npm run lint`.", "Verify with `npm run build`."),
        ("Name room 12 after a poet.", "Name room 13 after a poet."),
        ("Use pnpm in the legacy front end only.", "Use npm to publish the command line tool."),
    ],
)
def test_what_differs_in_code_or_in_a_number_that_names_something_is_different(first: str, second: str) -> None:
    assert relate(first, second) is Relation.DIFFERENT


@pytest.mark.parametrize(
    "hostile", ["x" * 100_000, "use " * 20_000, "(" * 5_000, "不" * 20_000, "\ue000=\ue001" * 50, "`" * 999]
)
def test_odd_texts_are_compared_in_good_time(hostile: str) -> None:
    assert relate(hostile, "Use pnpm.") is Relation.DIFFERENT
    assert relate(hostile, hostile) is Relation.SAME


@pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not here; the project's own pairs still run")
def test_the_shared_cases() -> None:
    meant = {"same": Relation.SAME, "different": Relation.DIFFERENT, "contradicting": Relation.CONTRADICTS}
    with CASES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    wrong = [r["id"] for r in rows if relate(r["first"], r["second"]) is not meant[r["right"].partition(":")[0]]]
    assert rows and wrong == []
