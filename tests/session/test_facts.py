"""Key facts: what is kept, what is found again, what replaces what, and what stays forgotten."""

from __future__ import annotations

import pytest

from slowwave.paths import session_database_file
from slowwave.session.key_facts import facts
from slowwave.session.key_facts.facts import FACT_TOKENS, Fact
from slowwave.storage.insession.facts import FactStore
from slowwave.storage.insession.store import Scope, SessionStore
from slowwave.text import estimate_tokens
from tests.session.conftest import Host


def stated(prompt: str) -> list[str]:
    return [fact.text for fact in facts.extract(prompt)]


@pytest.mark.parametrize(
    "prompt",
    [
        "We deploy to Cloudflare Workers.",
        "I prefer vitest, not jest.",
        "The codebase uses pnpm, never npm i.",
        "Our staging database is called orchid.",
        "From now on write commit messages in German.",
        "部署目标是 Cloudflare Workers。",
        "我们用 pnpm，不用 npm。",
        "テストはvitestを使っています。",
        "โปรเจกต์ใช้ pnpm เท่านั้น",
        "우리 팀은 pnpm을 사용합니다.",
    ],
)
def test_plain_statements_are_facts(prompt: str) -> None:
    assert len(stated(prompt)) == 1


@pytest.mark.parametrize(
    "prompt",
    [
        "do we use pnpm?",
        "I use it today",
        "if we use redis it may be faster",
        "I think we should use redis",
        "fix the failing test",
        "The UX here is weird.",
        "我们用 pnpm 吗？",
        "how are you",
    ],
)
def test_questions_hedges_and_passing_remarks_are_none(prompt: str) -> None:
    assert stated(prompt) == []


def test_four_facts_a_turn_at_most() -> None:
    prompt = " ".join(f"Our service{n} runs on port {9000 + n}." for n in range(9))
    assert len(stated(prompt)) == 4


def test_a_fact_comes_back_in_another_session_when_it_matters(host: Host, home) -> None:  # type: ignore[no-untyped-def]
    host.says("We deploy to Cloudflare Workers. I prefer vitest, not jest.")
    later = Host(home, session_id="s2")
    assert "Cloudflare Workers" in later.says("how do I deploy a preview of this branch?")
    assert later.says("write a haiku about the sea") == ""
    assert later.why(2)["facts"] == "no_match"


def test_a_fact_is_shown_once_an_epoch(host: Host, home) -> None:  # type: ignore[no-untyped-def]
    host.says("We deploy to Cloudflare Workers.")
    later = Host(home, session_id="s2")
    question = "how do I deploy the preview?"
    assert "Cloudflare" in later.says(question)
    assert later.says(question) == ""
    later.compacts()
    assert "Cloudflare" in later.says(question)


def test_what_the_user_just_said_is_not_told_back(host: Host) -> None:
    host.says("We deploy to Cloudflare Workers.")
    assert host.says("how do I deploy the preview?") == ""
    assert host.why(2)["facts"] == "already_in_context"


@pytest.mark.parametrize(
    ("old", "new", "question", "gone"),
    [
        (
            "The codebase uses yarn for packages.",
            "We moved from yarn to pnpm.",
            "which package manager is it?",
            "uses yarn",
        ),
        (
            "Our staging host is called orchid.",
            "Our staging host is called lily.",
            "log in to the staging host",
            "orchid",
        ),
        ("我们用 jest 做测试。", "我们改用 vitest 做测试。", "怎么运行测试", "jest"),
    ],
)
def test_a_changed_value_replaces_the_old_one(host: Host, home, old: str, new: str, question: str, gone: str) -> None:  # type: ignore[no-untyped-def]
    host.says(old)
    host.says(new)
    shown = Host(home, session_id="s2").says(question)
    assert shown
    assert gone not in shown


def test_the_same_fact_in_slightly_other_words_is_stored_once_in_every_script(host: Host, home) -> None:  # type: ignore[no-untyped-def]
    for number, (one, other) in enumerate(
        [
            ("We deploy to Cloudflare Workers.", "we deploy to Cloudflare Workers"),
            ("我们的部署目标是 Cloudflare Workers。", "我们部署目标是Cloudflare Workers！"),
            ("このアプリはvitestを使っています。", "このアプリは vitest を使っています"),
            ("โปรเจกต์ใช้ pnpm เท่านั้น", "โปรเจกต์ใช้ pnpm เท่านั้น!"),
        ]
    ):
        scope = Scope("local", f"q{number}", "claude")
        Host(home, session_id=f"a{number}", project_id=scope.project).says(one)
        Host(home, session_id=f"b{number}", project_id=scope.project).says(other)
        with SessionStore(session_database_file(home)) as store:
            [row] = FactStore(store).active(scope)
            assert row.confirmed == 1
            assert len(FactStore(store).evidence(row.id)) == 2


def test_shown_and_confirmed_are_counted_apart(host: Host, home) -> None:  # type: ignore[no-untyped-def]
    host.says("We deploy to Cloudflare Workers.")
    for number in range(5):
        Host(home, session_id=f"x{number}").says("how do I deploy the preview?")
    with SessionStore(session_database_file(home)) as store:
        [row] = FactStore(store).active(Scope("local", "p1", "claude"))
    assert (row.injected, row.confirmed, row.contradicted) == (5, 0, 0)


def test_what_the_user_denies_is_counted_and_replaced(host: Host, home) -> None:  # type: ignore[no-untyped-def]
    host.says("We deploy to Cloudflare Workers.")
    later = Host(home, session_id="s2")
    assert "Cloudflare" in later.says("how do I deploy the preview?")
    later.says("No, we don't deploy to Cloudflare Workers any more")
    shown = Host(home, session_id="s3").says("how do I deploy the preview?")
    assert "- We don't deploy to Cloudflare Workers any more." in shown
    assert "- We deploy to Cloudflare Workers." not in shown
    with SessionStore(session_database_file(home)) as store:
        [old] = [row for row in FactStore(store).known(Scope("local", "p1", "claude")) if row.session == host.key]
    assert (old.confirmed, old.contradicted, old.status) == (0, 1, "superseded")


def test_what_is_often_shown_and_never_confirmed_fades(host: Host, home) -> None:  # type: ignore[no-untyped-def]
    host.says("We deploy to Cloudflare Workers.")
    host.says("I prefer vitest, not jest.")
    for number in range(facts.FADE_SHOWN):
        Host(home, session_id=f"x{number}").says("how do I deploy the preview?")
    with SessionStore(session_database_file(home)) as store:
        shelf = FactStore(store)
        far = 1e12
        assert shelf.fade(unconfirmed_before=far, shown_at_least=facts.FADE_SHOWN) == 1
        assert [row.text for row in shelf.active(Scope("local", "p1", "claude"))] == [
            "The user prefers vitest, not jest."
        ]


def test_a_forgotten_fact_does_not_come_back(host: Host, home) -> None:  # type: ignore[no-untyped-def]
    scope = Scope("local", "p1", "claude")
    host.says("We deploy to Cloudflare Workers.")
    with SessionStore(session_database_file(home)) as store:
        [row] = FactStore(store).active(scope)
        assert FactStore(store).forget(scope, row.id, now=1.0)
    Host(home, session_id="s2").says("We deploy to Cloudflare Workers.")
    with SessionStore(session_database_file(home)) as store:
        assert FactStore(store).known(scope) == []
        assert store.rows("SELECT count(*) FROM fact_words WHERE fact_words MATCH 'cloudflar'")[0][0] == 0
        assert store.rows("SELECT count(*) FROM fact_trigrams WHERE fact_trigrams MATCH 'Cloudflare'")[0][0] == 0


def test_three_facts_within_the_token_budget() -> None:
    known = [Fact(f"Deploy rule {n}: " + "deploy to region " * 9, "q", id=n) for n in range(9)]
    found = facts.choose("deploy rule region", known, shown=set())
    assert 1 <= len(found.facts) <= 3
    assert sum(estimate_tokens(fact.text) for fact in found.facts) <= FACT_TOKENS


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        (Fact("The team uses pnpm", "We use pnpm here"), "ok"),
        (Fact("The team uses yarn", "We use yarn here"), "refused_quote_not_found"),
        (Fact("Never run the tests", "never run the tests"), "refused_not_typed"),
        (Fact("Berlin hosts the fastest mainframe", "We use pnpm here"), "refused_not_supported"),
    ],
)
def test_what_a_model_proposes_is_checked_against_the_message(fact: Fact, reason: str) -> None:
    prompt = "We use pnpm here. Explain this:\n```\nnever run the tests\n```"
    assert facts.admit(fact, prompt) == reason


def test_recency_alone_is_no_reason_to_show_a_fact(host: Host, home) -> None:  # type: ignore[no-untyped-def]
    host.says("We deploy to Cloudflare Workers.")
    assert Host(home, session_id="s2").says("rename the variable in the parser please") == ""
