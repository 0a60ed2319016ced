"""What people say that should last, in every language: recall and false alarms on sentences written before the rules."""

from __future__ import annotations

import csv
import unicodedata
from collections import defaultdict
from pathlib import Path

import pytest

from slowwave.session.key_facts import facts
from slowwave.session.task import corrections, pins
from slowwave.text.languages import explicit, languages_of, statements
from slowwave.text.languages.grammar import Change, Cue, compiled
from slowwave.text.languages.reading import CODES, _Reader, table
from slowwave.text.sentences import sentences
from tests.support.sentences import FOLDER, Sentence, found, read

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "offline-directives.tsv"
BY_LANGUAGE: defaultdict[str, list[Sentence]] = defaultdict(list)
for _sentence in read():
    BY_LANGUAGE[_sentence.language].append(_sentence)


@pytest.mark.parametrize("language", sorted(BY_LANGUAGE))
def test_the_sentences_of_a_language(language: str) -> None:
    kept = [sentence for sentence in BY_LANGUAGE[language] if sentence.keep]
    dropped = [sentence for sentence in BY_LANGUAGE[language] if not sentence.keep]
    missed = [sentence.text for sentence in kept if not found(sentence)]
    alarms = [sentence.text for sentence in dropped if found(sentence)]
    assert len(missed) <= 0.1 * len(kept), missed
    assert len(alarms) <= 0.03 * len(dropped), alarms


@pytest.mark.parametrize("sentence", [s for s in read(FOLDER) if s.keep and s.layer == "rule"], ids=lambda s: s.text)
def test_letters_in_pieces_are_the_same_letters(sentence: Sentence) -> None:
    pieces = unicodedata.normalize("NFD", sentence.text)
    assert [said.text for said in explicit(pieces)] == [said.text for said in explicit(sentence.text)]
    assert all(said.quote in pieces for said in explicit(pieces))


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("We're switching from Travis to Buildkite.", "We use Buildkite instead of Travis."),
        ("Wir wechseln von Travis zu Buildkite.", "Wir verwenden Buildkite statt Travis."),
        ("我们从 Travis 迁移到 Buildkite 了。", "我们使用 Buildkite 而不是 Travis。"),
        ("Note to you for later: always release with `make release`.", "Always release with `make release`."),
        ("Very important!! Never commit to the trunk.", "Never commit to the trunk."),
        ("Never use var ❌ always const", "Never use var ❌ always const."),
        ("On the branch release-2 always use cherry-pick only.", "On the branch release-2 always use cherry-pick only."),
        ("Please use guard clauses everywhere — I can't stand nesting.", "Use guard clauses everywhere — I can't stand nesting."),
        ("I said I do the deployments. Never do that yourself again.", "Never do that yourself again (I said I do the deployments)."),
        ("That fixed it. So the agent needs the region in lower case.", "The agent needs the region in lower case."),
    ],
)  # fmt: skip
def test_what_is_stored_says_what_holds(said: str, text: str) -> None:
    assert [statement.text for statement in explicit(said)] == [text]


@pytest.mark.parametrize("code", CODES)
def test_every_pattern_of_a_table_compiles(code: str) -> None:
    language = table(code)
    for value in language:
        for part in value if isinstance(value, tuple) else ():
            if isinstance(part, Cue | Change):
                compiled(part.pattern)
    for name in ("lead", "lasting_lead", "polite", "question", "hypothesis", "passing", "condition", "report", "spec"):
        compiled(getattr(language, name))
    for name in ("dangling", "joint", "request", "fixed", "explains", "points_back"):
        compiled(getattr(language, name))


def test_a_rule_without_a_lasting_word_is_said_but_does_not_last() -> None:
    (said,) = statements("Don't rename public functions.")
    assert (said.kind, said.lasting) == ("constraint", False)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("以后都用中文", "zh"),
        ("以後都用中文", "zh-Hant"),
        ("常にテストする", "ja"),
        ("Luôn dùng pnpm", "vi"),
        ("Всегда так", "ru"),
    ],
)
def test_the_language_is_seen_by_script_and_letters(text: str, code: str) -> None:
    assert languages_of(text) == (code,)


def _cases() -> list[dict[str, str]]:
    if not CASES.is_file():
        return []
    with CASES.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _kept(layer: str, message: str) -> list[str]:
    if layer == "night rule":
        return [said.text for said in explicit(message)]
    if layer == "key fact":
        return [fact.text for fact in facts.extract(message)]
    if layer == "pin":
        return [pin.text for pin in pins.propose(message, [], turn=1).add]
    correction = corrections.find(message)
    return [correction.quote] if correction else []


@pytest.mark.parametrize(
    "case", _cases() or [pytest.param({}, marks=pytest.mark.skip(reason="the shared cases are not here"))]
)
def test_the_shared_cases(case: dict[str, str]) -> None:
    kept = _kept(case["layer"], case["input"].replace("\\n", "\n"))
    if case["right"] == "nothing":
        goal_only = case["layer"] == "pin"
        assert len(kept) <= goal_only
    else:
        assert all(word.lower() in " ".join(kept).lower() for word in case["must_hold"].split(";"))
        assert kept


def test_no_statement_is_hidden_by_the_words_that_save_compiling() -> None:
    """The gate before the patterns must be wider than they are."""
    hidden = []
    for folder in (FOLDER, FOLDER / "second", FOLDER / "third", FOLDER / "fresh"):
        for sentence in read(folder):
            code = languages_of(sentence.text)[0]
            open_table = table(code)._replace(hints="")
            for piece in sentences(sentence.text):
                reader = _Reader(open_table, piece, piece, "")
                if reader.read() is not None and not table(code).may_say(piece, ""):
                    hidden.append(piece)
    assert not hidden


@pytest.mark.parametrize(
    "text",
    [
        "Not as a tooltip, but as a line under the field.",
        "Should start at 6 in the morning not 7.",
        "and remember to use caching",
        "also remember to handle nulls",
        "could you drop the flag since it's no longer needed",
        "please delete the script because it is no longer used",
        "The new file should be in the same folder.",
        "it must NEVER happen again",
        "the button must ALWAYS be visible on the page",
        "The icon should be in the header.",
        "this should be in the results folder",
        "The test should be in test_api.py next to the others",
    ],
)
def test_what_leans_on_its_surroundings_is_left_out(text: str) -> None:
    assert not explicit(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("This should stay untouched, only the `--fast` flag may skip the checks.",
         "Only the `--fast` flag may skip the checks."),
        ("for plugin targets, the manifests should be in the \".plugins/meta\" directory",
         "For plugin targets, the manifests should be in the \".plugins/meta\" directory."),
        ("That means the raw dumps should not be in the output folder.", "The raw dumps should not be in the output folder."),
        ("Broken uploads must NEVER end the batch.", "Broken uploads must NEVER end the batch."),
        ("Custom hooks have to go in src/hooks.", "Custom hooks have to go in src/hooks."),
        ("can you remove jquery as it's no longer supported", "Jquery is no longer supported."),
        ("please drop node16 since it is no longer maintained", "Node16 is no longer supported."),
        ("Remember to always sign the commits.", "Always sign the commits."),
        ("From now on docs/generated/ is written by the build only.", "docs/generated/ is written by the build only."),
    ],
)  # fmt: skip
def test_the_part_that_stands_alone_is_what_is_said(text: str, said: str) -> None:
    assert [one.text for one in explicit(text)] == [said]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("うちのCIはBuildkiteです。", True),
        ("本番のキャッシュはValkeyです。", True),
        ("好みのエディタはEmacsではなくHelix", True),
        ("Our preferred linter is ruff.", True),
        ("Preferred container engine is podman, not docker", True),
        ("チームの問題はDockerです。", False),
        ("デフォルトの値は何ですか？", False),
        ("The default case is broken", False),
        ("the preferred fix is not merged yet", False),
    ],
)
def test_what_something_of_the_person_is(text: str, counts: bool) -> None:
    assert bool(facts.extract(text)) == counts
