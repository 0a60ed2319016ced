"""Stage two without a model: confirm, supersede, add; and skills for procedures that recur."""

from __future__ import annotations

import itertools
import random

import pytest

from slowwave.llm.base import CandidateView, ConsolidateRequest, StandingEntry
from slowwave.llm.offline.consolidate import consolidated
from slowwave.llm.prompting.schemas import StageTwoReply

DAY = "2026-03-10"
EXPLICIT = "Always run the linter before committing."


def entry(
    text: str, id: str = "m1", *, kind: str = "preference", date: str = "2026-03-01", **more: object
) -> StandingEntry:
    return StandingEntry(id, kind, text, "", "user_said", 1, date, **more)  # type: ignore[arg-type]


def candidate(
    text: str,
    id: str = "s1.1",
    *,
    kind: str = "preference",
    date: str = DAY,
    situation: str = "",
    standing: str = "user_said",
) -> CandidateView:
    return CandidateView(id, f"agent:{id.split('.')[0]}", kind, text, situation, standing, (EXPLICIT,), date)


def merge(
    entries: list[StandingEntry], candidates: list[CandidateView], skills: tuple[tuple[str, str], ...] = ()
) -> StageTwoReply:
    return consolidated(ConsolidateRequest("app", "p1", tuple(entries), tuple(candidates), (), skills=skills))


def operations(entries: list[StandingEntry], candidates: list[CandidateView]) -> list[tuple[str, list[str], list[str]]]:
    return [(op.op, op.entries, op.memories) for op in merge(entries, candidates).operations]


@pytest.mark.parametrize(
    ("standing", "said"),
    [
        ("Always run the linter before committing.", "Always run the linter before committing"),
        ("Always run the linter before committing.", "Please always run the linter before committing!"),
        ("Use pnpm instead of npm.", "Use pnpm instead of npm in this repository."),
        ("提交信息都用英文写。", "提交信息请都用英文写。"),
        ("必ずlintを実行してください。", "必ずlintを実行して。"),
        ("ต้องรันเทสก่อน commit ทุกครั้ง", "ต้องรันเทสก่อน commit ทุกครั้งนะ"),
    ],
)
def test_saying_it_again_confirms(standing: str, said: str) -> None:
    assert operations([entry(standing)], [candidate(said)]) == [("confirm", ["m1"], ["s1.1"])]


@pytest.mark.parametrize(
    ("standing", "said"),
    [
        ("Use npm, not yarn, in this repository.", "Use pnpm instead of npm in this repository."),
        ("Use npm.", "Use pnpm."),
        ("请使用 npm 而不是 yarn。", "请使用 pnpm 而不是 npm。"),
        ("npmを使ってください。", "npmではなくpnpmを使ってください。"),
        ("ใช้ npm ในโปรเจกต์นี้", "ใช้ pnpm แทน npm ในโปรเจกต์นี้"),
        ("Use tabs for indentation.", "Use spaces for indentation."),
        ("Keep lines under 100 characters.", "Keep lines under 120 characters."),
        ("Always squash commits before merging.", "Never squash commits before merging."),
        ("Use Jotai for shared state.", "Use Valtio instead of Jotai for shared state."),
    ],
)
def test_another_value_supersedes(standing: str, said: str) -> None:
    (operation,) = merge([entry(standing)], [candidate(said)]).operations
    assert (operation.op, operation.entries, operation.memories) == ("supersede", ["m1"], ["s1.1"])
    assert operation.text == said


@pytest.mark.parametrize(
    ("standing", "said"),
    [
        ("Use npm in this repository.", "Always run the linter before committing."),
        ("Use pytest for unit tests.", "Use Playwright for end-to-end tests."),
        ("Never push to main.", "Never commit generated files."),
        ("Use Postgres in production.", "Use SQLite in unit tests of the importer."),
        ("提交信息都用英文写。", "所有接口都必须有单元测试。"),
        (
            "`pytest` fails with “no module a”; `uv run pytest` works.",
            "`mypy` fails with “no module b”; `uv run mypy` works.",
        ),
        ("Run the tests with `just test`.", "Run the tests with `just test-all`."),
        ("Use npm, not yarn, in this repository.", "Lint with `pnpm run lint`."),
        ("Merge only after approval.", "Always rebase before merging."),
        ("Use Docker for the database.", "Write the docs in English."),
        ("Never mock the database.", "Mock the payment provider."),
    ],
)
def test_another_subject_is_added(standing: str, said: str) -> None:
    assert operations([entry(standing)], [candidate(said)]) == [("add", [], ["s1.1"])]


def test_an_older_statement_changes_nothing() -> None:
    assert operations([entry("Use pnpm.", date="2026-03-20")], [candidate("Use npm.")]) == []


def test_a_locked_entry_is_confirmed_but_never_superseded() -> None:
    locked = entry("Use npm.", locked=True)
    assert operations([locked], [candidate("Use npm.")]) == [("confirm", ["m1"], ["s1.1"])]
    assert operations([locked], [candidate("Use pnpm.")]) == [("add", [], ["s1.1"])]


def test_two_sessions_that_agree_are_one_entry() -> None:
    said = [candidate("Use pnpm instead of npm.", "s1.1"), candidate("Please use pnpm instead of npm.", "s2.1")]
    assert operations([], said) == [("add", [], ["s1.1", "s2.1"])]


def test_of_two_new_statements_the_later_stays() -> None:
    said = [candidate("Use npm.", "s1.1", date="2026-03-01"), candidate("Use pnpm.", "s2.1", date="2026-03-05")]
    assert operations([], said) == [("add", [], ["s2.1"])]


def test_what_holds_in_one_situation_does_not_contradict_another() -> None:
    said = [candidate("Use tabs.", "s1.1", situation="in Makefiles"), candidate("Use spaces.", "s2.1")]
    assert operations([], said) == [("add", [], ["s1.1"]), ("add", [], ["s2.1"])]


def test_a_second_entry_with_the_old_value_is_retired() -> None:
    standing = [entry("Use npm.", "m1"), entry("Use npm here, it is what CI has.", "m2")]
    assert operations(standing, [candidate("Use pnpm instead of npm.")]) == [
        ("supersede", ["m1"], ["s1.1"]),
        ("retire", ["m2"], []),
    ]


def test_the_order_of_the_input_does_not_matter() -> None:
    standing = [entry("Use npm.", "m1"), entry("Never push to main.", "m2", kind="constraint")]
    said = [
        candidate("Use pnpm.", "s1.1"),
        candidate("Never push to main!", "s1.2", kind="constraint"),
        candidate("Answer in short sentences.", "s2.1"),
    ]
    expected = merge(standing, said)
    for order in itertools.permutations(said):
        assert merge(list(reversed(standing)), list(order)) == expected


def test_a_second_night_with_the_same_input_only_confirms() -> None:
    said = [candidate("Use pnpm instead of npm.", "s1.1"), candidate("提交信息都用英文写。", "s1.2")]
    added = merge([], said).operations
    standing = [entry(op.text, f"m{number}", date=DAY) for number, op in enumerate(added, 1)]
    assert {op.op for op in merge(standing, said).operations} == {"confirm"}


STEPS = "Recurring procedure: `just lint`, then `just test`, then `git push`."


def procedure(*sessions: int, standing: str = "verified") -> list[CandidateView]:
    return [candidate(STEPS, f"s{n}.1", kind="workflow", standing=standing) for n in sessions]


def test_a_procedure_of_three_sessions_is_a_skill() -> None:
    pitfall = candidate(
        "`just test` fails with “x”; `CI=1 just test` works.", "s4.1", kind="pitfall", standing="verified"
    )
    (skill,) = merge([], [*procedure(1, 2, 3), pitfall]).skills
    assert skill.name == "lint-test-push"
    assert skill.memories == ["s1.1", "s2.1", "s3.1"]
    assert "1. `just lint`\n2. `just test`\n3. `git push`" in skill.body
    assert pitfall.text in skill.body


def test_fewer_sessions_are_no_skill_unless_the_user_asked() -> None:
    assert merge([], procedure(1, 2)).skills == []
    for asked in ("user_said", "agreed"):
        assert len(merge([], procedure(1, standing=asked)).skills) == 1


def test_sessions_of_the_entry_count_too() -> None:
    standing = StandingEntry("m7", "workflow", STEPS, "", "verified", 2, "2026-03-01")
    (skill,) = merge([standing], procedure(1)).skills
    assert skill.entries == ["m7"]


def test_a_known_skill_is_left_alone_without_news() -> None:
    standing = StandingEntry("m7", "workflow", STEPS, "", "verified", 5, "2026-03-01")
    assert merge([standing], [candidate("Use pnpm.")], (("lint-test-push", "known"),)).skills == []


def test_a_single_command_is_no_skill() -> None:
    said = [candidate("Run the tests with `just test`.", f"s{n}.1", kind="workflow") for n in range(1, 6)]
    assert merge([], said).skills == []


def test_every_repeat_among_many_statements_is_found() -> None:
    draw = random.Random(7)
    vocabulary = ["".join(draw.choice("bcdfghklmnprst") + draw.choice("aeiou") for _ in range(4)) for _ in range(900)]
    texts = [" ".join(draw.sample(vocabulary, 7)) + "." for _ in range(400)]
    said = [candidate(text, f"s{n}.1") for n, text in enumerate([*texts, *texts], 1)]
    reply = merge([], said)
    assert [op.op for op in reply.operations] == ["add"] * 400
    assert all(len(op.memories) == 2 for op in reply.operations)
