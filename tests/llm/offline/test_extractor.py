"""The offline extractor as a whole: its face, summaries, determinism, and input of any kind."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from slowwave.llm.base import ConsolidateRequest, Extractor
from slowwave.llm.offline.extractor import OfflineExtractor, extract_reply
from slowwave.llm.offline.text import MAX_QUOTE, fold
from slowwave.llm.prompting.schemas import StageOneReply
from slowwave.rollouts.model import Item, ItemKind, Role
from tests.support.offline import Log, request


def session() -> Log:
    log = Log().user("Add a search box to the station list. Always keep the keyboard focus in the box.")
    log.run("pytest -q", "E   ModuleNotFoundError: No module named 'httpx'", 1).run("uv run pytest -q", "9 passed")
    for _ in range(2):
        log.edit().run("uv run ruff check .", "All checks passed!").run("uv run pytest -q", "9 passed")
    return log.user("thanks, works great")


def assert_sound(reply: StageOneReply, items: list[Item]) -> None:
    """Every quote stands in its item, and what the user is said to have said stands in user text."""
    by_index = {item.index: item for item in items}
    for memory in reply.memories:
        assert memory.text.strip()
        assert memory.evidence
        for quote in memory.evidence:
            assert 0 < len(quote.quote) <= MAX_QUOTE
            assert quote.quote in fold(by_index[quote.item].text)
        if memory.kind in ("preference", "constraint") or memory.standing == "user_said":
            assert by_index[memory.evidence[0].item].kind is ItemKind.USER_TEXT


def test_it_is_an_extractor_without_limits() -> None:
    extractor: Extractor = OfflineExtractor()
    assert (extractor.name, extractor.version) == ("offline", 2)
    assert extractor.input_tokens is None
    assert extractor.consolidate_tokens is None

    async def run() -> StageOneReply:
        empty = await extractor.consolidate(ConsolidateRequest("app", "p", (), (), ()))
        assert (empty.reply.operations, empty.reply.skills, empty.usage.calls) == ([], [], 0)
        reply = await extractor.extract(request(session().items))
        await extractor.aclose()
        return reply.reply

    assert asyncio.run(run()) == session().reply()


def test_a_session_gives_its_memories_in_order() -> None:
    log = session()
    reply = log.reply()
    assert [(memory.kind, memory.text) for memory in reply.memories] == [
        ("preference", "Always keep the keyboard focus in the box."),
        ("pitfall", "`pytest -q` fails with ModuleNotFoundError (a missing module); `uv run pytest -q` works."),
        ("workflow", "Lint with `uv run ruff check .`."),
        ("workflow", "Run the tests with `uv run pytest -q`."),
    ]
    assert_sound(reply, log.items)


def test_the_summary_says_what_was_asked_done_and_left() -> None:
    reply = session().reply()
    assert reply.outcome == "success"
    assert reply.rollout_slug == "add-search-box-station-list"
    title, done = reply.rollout_summary.split("\n")
    assert title == "Add a search box to the station list."
    assert done == "Edits: 2. Worked: `uv run pytest -q`, `uv run ruff check .`. Failed: `pytest -q`. Ended: success."


@pytest.mark.parametrize(
    ("log", "outcome"),
    [
        (Log().user("What is this?").agent("A parser."), "uncertain"),
        (Log().user("Fix it.").edit(), "uncertain"),
        (Log().user("Fix it.").edit().run("just test", "9 passed"), "success"),
        (Log().user("Fix it.").run("just test", "9 passed").edit(), "uncertain"),
        (Log().user("Fix it.").edit().run("just test", "1 failed", 1), "fail"),
        (Log().user("Fix it.").run("just lint", "ok").edit().run("just test", "1 failed", 1), "partial"),
        (Log().user("Fix it.").edit().user("still broken, revert that"), "partial"),
        (Log().user("Fix it.").edit().user("perfect, thank you"), "success"),
    ],
)
def test_the_outcome_is_judged_conservatively(log: Log, outcome: str) -> None:
    assert log.reply().outcome == outcome


@pytest.mark.parametrize(
    ("log", "slug"),
    [
        (Log().user("Please fix the login redirect loop in Safari"), "fix-login-redirect-loop-safari"),
        (Log().user("修复登录页面的错误。"), "app-session"),
        (Log().user("用 Redis 做 cache 层"), "redis-cache"),
        (Log().user("yes").user("Réparer le café"), "reparer-le-cafe"),
        (Log().context("# Plan: Use one lint task\n\nSteps"), "use-one-lint-task"),
        (Log(), "app-session"),
    ],
)
def test_the_slug_is_ascii_words(log: Log, slug: str) -> None:
    assert log.reply().rollout_slug == slug


def test_nothing_to_keep_is_an_empty_answer() -> None:
    reply = Log().user("What does this function do?").agent("It parses dates.").reply()
    assert (reply.memories, reply.rollout_summary) == ([], "")


def test_a_summary_stands_in_the_language_of_the_request() -> None:
    summary = (
        Log()
        .user("潮位グラフの凡例を直してください。今後は英語でコミットしてください。")
        .edit()
        .reply()
        .rollout_summary
    )
    assert summary == "潮位グラフの凡例を直してください。\n編集 1 回。 結果：uncertain。"


def test_what_was_taken_back_in_the_session_is_gone() -> None:
    log = Log().user("Use npm, not yarn, in this repository.").agent("ok").user("No, use pnpm instead of npm.")
    assert log.texts() == ["Use pnpm instead of npm."]


def test_a_redacted_statement_is_not_kept() -> None:
    assert Log().user("Always send the token [REDACTED:github] with every request.").texts() == []


def test_a_plain_prohibition_waits_for_a_second_session() -> None:
    log = Log().user("Don't rename public functions.")
    assert [memory.text for memory in log.reply().memories] == ["Don't rename public functions."]
    assert log.texts() == []


def test_a_procedure_is_kept_when_the_user_asks() -> None:
    log = Log().run("just build", "done").run("./deploy.sh staging", "ok").run("git push", "ok")
    (memory,) = [m for m in log.user("Great, save this as a release procedure.").reply().memories if "keep" in m.text]
    assert memory.text == "Procedure to keep: `just build`, then `./deploy.sh staging`, then `git push`."
    assert (memory.standing, memory.evidence[0].quote) == ("user_said", "save this as a release procedure")


def test_the_same_items_give_the_same_bytes() -> None:
    first, second = (json.dumps(session().reply().model_dump(mode="json")) for _ in range(2))
    assert first == second


def test_it_is_flat_on_long_texts() -> None:
    """Patterns that backtrack would not come back from these."""
    for text in (
        "always " * 20_000,
        "a" * 100_000,
        "use x " * 20_000,
        "- " * 30_000,
        "没" * 50_000,
        "ต้อง" * 20_000,
        "(" * 50_000,
    ):
        assert_sound(Log().user(text).run(text, text, 1).run(text, text).reply(), Log().user(text).items)


PIECES = (
    "always;never;use pnpm instead of npm;以后;必ず;ต้อง;항상;immer;toujours;siempre;because;not;`x`;```;\n;- ;# ;"
    'cd a && ;| tail;npm run check;git push;"which way?"="this way";error: not found;<<EOF;$(;[REDACTED:x];'
    "\u2028;\x00;😀;.;。;?"
)
FRAGMENTS = st.sampled_from(PIECES.split(";"))
TEXTS = st.one_of(st.text(max_size=80), st.lists(FRAGMENTS, max_size=12).map(" ".join))
ITEMS = st.lists(
    st.builds(
        Item,
        index=st.just(0),
        role=st.sampled_from(Role),
        kind=st.sampled_from(ItemKind),
        text=TEXTS,
        tool=st.sampled_from([None, "Bash", "shell", "exec", "Edit", "AskUserQuestion"]),
        call_id=st.sampled_from([None, "a", "b"]),
        exit_status=st.sampled_from([None, 0, 1]),
        failed=st.sampled_from([None, True, False]),
        cwd=st.sampled_from([None, "/", "/srv/app"]),
    ),
    max_size=12,
)


def check_any(items: list[Item]) -> None:
    numbered = [replace(item, index=index) for index, item in enumerate(items)]
    reply = extract_reply(request(numbered))
    assert_sound(reply, numbered)
    assert extract_reply(request(numbered)) == reply


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ITEMS)
def test_any_items_give_a_sound_answer(items: list[Item]) -> None:
    check_any(items)


@pytest.mark.full
@settings(max_examples=5_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ITEMS)
def test_any_items_give_a_sound_answer_at_full_size(items: list[Item]) -> None:
    check_any(items)
