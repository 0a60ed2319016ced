"""Pins: what is pinned, what replaces what, and what is cut first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.session.task.pins import PIN_CHARACTERS, Pin, PinKind, propose, render
from slowwave.session.text import contains_quote
from tests.session.conftest import Host

TASK = "Help me migrate this React app from CRA to Vite, keep the existing tests, and don't touch the auth flow."


def kinds(prompt: str, **more: object) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for pin in propose(prompt, [], turn=1, **more).add:  # type: ignore[arg-type]
        found.setdefault(pin.kind.value, []).append(pin.text)
    return found


def test_the_first_task_gives_a_goal_and_its_constraints() -> None:
    assert kinds(TASK) == {
        "goal": ["Help me migrate this React app from CRA to Vite"],
        "constraint": ["keep the existing tests", "don't touch the auth flow."],
    }


@pytest.mark.parametrize(
    ("prompt", "constraints"),
    [
        ("帮我把这个项目从 webpack 迁移到 vite，保留现有测试，不要改动登录流程。", 2),
        ("このアプリをViteに移行してください。認証フローは変更しないでください。", 1),
        ("ช่วยย้ายแอปนี้ไป Vite อย่าแตะระบบ auth", 1),
        ("이 앱을 Vite로 옮겨 주세요. 인증 코드는 수정하지 말고 테스트는 유지하세요.", 1),
        ("Bitte stelle die App auf Vite um. Du darfst die Tests niemals ändern.", 1),
    ],
)
def test_tasks_in_other_languages(prompt: str, constraints: int) -> None:
    found = kinds(prompt)
    assert len(found["goal"]) == 1
    assert len(found["constraint"]) == constraints


@pytest.mark.parametrize(
    "prompt", ["hi", "Hello there!", "thanks", "好的", "こんにちは", "สวัสดีครับ", "ok", "continue please", "?"]
)
def test_small_talk_pins_nothing(prompt: str) -> None:
    assert propose(prompt, [], turn=1).add == ()


def test_the_first_substantive_message_is_pinned_not_the_first_message(host: Host) -> None:
    host.says("hi")
    host.says("Add a retry policy to the HTTP client")
    assert host.pinned() == ["Add a retry policy to the HTTP client"]


@pytest.mark.parametrize(
    "prompt",
    [
        "I don't know why the proxy config fails here",
        "don't worry about the formatting of the page",
        "why don't we look at the parser output first?",
        "Make the logs-only rewind test deterministic",
        "The suite is only run at night on the old machines",
    ],
)
def test_descriptions_and_hedges_are_no_constraints(prompt: str) -> None:
    assert "constraint" not in kinds(prompt)


def test_a_clarification_keeps_question_and_answer(host: Host) -> None:
    host.says(TASK)
    host.answers("Working on it. Should I keep the service worker?")
    host.says("yes, exactly as it is")
    [pin] = [pin for pin in host.pins() if pin.kind == "clarification"]
    assert (pin.question, pin.text) == ("Should I keep the service worker?", "yes, exactly as it is")
    assert "[+] Should I keep the service worker? -> yes, exactly as it is" in render(
        [Pin(PinKind.CLARIFICATION, pin.text, pin.quote, question=pin.question)]
    )


@pytest.mark.parametrize(
    "reply",
    [
        "See https://example.org/search?q=vite for the manual.",
        "I ran `grep -c ?` and it works now.",
        "Is that right? I checked, it is. All done.",
    ],
)
def test_only_a_final_question_asks(host: Host, reply: str) -> None:
    host.says(TASK)
    host.answers(reply)
    host.says("fine by me, that looks good")
    assert not [pin for pin in host.pins() if pin.kind == "clarification"]


def test_a_question_is_answered_by_the_next_message_or_not_at_all(host: Host) -> None:
    host.says(TASK)
    host.answers("Should I keep the service worker?")
    host.says("yes, keep the worker")
    host.says("the page title is wrong as well")
    assert sum(pin.kind == "clarification" for pin in host.pins()) == 1


def test_a_task_switch_closes_the_goal_and_keeps_the_constraints(host: Host) -> None:
    host.says(TASK)
    host.says("New task: write a changelog for version 2 of the library")
    active = {pin.kind: pin.text for pin in host.pins()}
    assert active["goal"] == "New task: write a changelog for version 2 of the library"
    assert "don't touch the auth flow." in host.pinned()
    [closed] = [pin for pin in host.pins(None) if pin.status == "closed"]
    assert (closed.text, closed.reason) == ("Help me migrate this React app from CRA to Vite", "task_switch")


def test_a_constraint_can_be_lifted_and_replaced(host: Host) -> None:
    host.says(TASK)
    host.says("You can now change the auth flow as well")
    assert "don't touch the auth flow." not in host.pinned()
    assert "keep the existing tests" in host.pinned()


def test_the_same_constraint_in_other_words_replaces_the_old_one(host: Host) -> None:
    host.says("Build the importer for the billing tables. Never write to the billing tables directly.")
    host.says("Please never write to the billing tables directly, not even in tests")
    assert len([pin for pin in host.pins() if pin.kind == "constraint"]) == 1


def test_every_pin_quotes_the_message() -> None:
    for pin in propose(TASK, [], turn=1).add:
        assert contains_quote(TASK, pin.quote)


def test_the_cap_counts_characters_not_bytes_and_holds_in_chinese() -> None:
    pins = [Pin(PinKind.CONSTRAINT, f"不要改动第{n}个模块的登录流程和数据库结构" * 2, "x", n) for n in range(60)]
    text = render(pins)
    assert 900 < len(text) <= PIN_CHARACTERS


@given(
    st.lists(
        st.builds(
            Pin,
            kind=st.sampled_from(PinKind),
            text=st.text(min_size=1, max_size=240),
            quote=st.just("q"),
            turn=st.integers(0, 50),
            question=st.just(""),
        ),
        max_size=40,
    ),
    st.integers(100, 2000),
)
def test_rendering_never_exceeds_its_limit(pins: list[Pin], limit: int) -> None:
    assert len(render(pins, limit=limit)) <= limit


def test_constraints_are_the_last_to_go() -> None:
    pins = [
        Pin(PinKind.GOAL, "g" * 80, "g", 1),
        *(Pin(PinKind.CLARIFICATION, f"answer {n} " + "a" * 60, "a", n) for n in range(2, 12)),
        *(Pin(PinKind.DECISION, f"decision {n} " + "d" * 60, "d", n) for n in range(2, 12)),
        Pin(PinKind.CONSTRAINT, "never drop the audit table", "c", 1),
    ]
    for limit in (1000, 400, 130, 60):
        assert "never drop the audit table" in render(pins, limit=limit)
    assert "answer" not in render(pins, limit=130)


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        (
            "Do not change the public API of the billing package.",
            "Do not change the public API of the mail package.",
            2,
        ),
        ("Keep each response under 40 ms.", "Keep each response under 90 ms.", 1),
    ],
)
def test_a_constraint_on_another_subject_stands_beside_the_first(first: str, second: str, kept: int) -> None:
    old = [pin._replace(id=number) for number, pin in enumerate(propose(first, [], turn=1).add, 1)]
    change = propose(second, old, turn=2)
    replaced = {number for number, _ in change.supersede}
    constraints = [pin for pin in (*old, *change.add) if pin.kind is PinKind.CONSTRAINT and pin.id not in replaced]
    assert len(constraints) + len(change.supersede) == kept
