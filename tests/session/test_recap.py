"""The recap: when it comes, what it costs, what it says."""

from __future__ import annotations

from slowwave.session.limits import SessionLimits
from slowwave.session.task.pins import Pin, PinKind
from slowwave.session.task.recap import RECAP_TOKENS, block
from slowwave.text import estimate_tokens
from tests.session.conftest import Host

TASK = "Migrate the React app to Vite, keep the existing tests, and don't touch the auth flow."


def test_it_is_not_repeated_while_it_stands_in_the_context(host: Host) -> None:
    host.says(TASK)
    for number in range(12):
        host.answers("done")
        host.says(f"what about the proxy setting number {number}?")
    assert host.injected == []
    assert host.why(5)["recap"] == "in_context_already"


def test_it_comes_after_a_compaction_and_once(host: Host) -> None:
    host.says(TASK)
    text = host.compacts()
    assert "Constraint: don't touch the auth flow." in text
    assert host.says("go on with the build script") == ""


def test_a_host_that_tells_nothing_after_a_compaction_gets_it_with_the_next_prompt(home) -> None:  # type: ignore[no-untyped-def]
    host = Host(home, agent="gemini")
    host.says(TASK)
    host._call("on_pre_compact", trigger="auto")
    assert "Task: Migrate the React app to Vite" in host.says("go on with the build script")
    assert host.why(2)["recap"] == "new_epoch"


def test_it_comes_with_the_turn_after_a_change(host: Host) -> None:
    host.says(TASK)
    assert host.says("You must never edit the lock file by hand") == ""
    text = host.says("what is next on the list of pages?")
    assert "Constraint: You must never edit the lock file by hand" in text
    assert host.says("and the page after that one?") == ""


def test_it_comes_again_after_many_tokens(home) -> None:  # type: ignore[no-untyped-def]
    host = Host(home, limits=SessionLimits(recap_every_tokens=500))
    host.says(TASK)
    host.says("one more question about the router")
    host.answers("word " * 2000)
    assert "<task_recap>" in host.says("and the styles of the router?")
    assert host.why(3)["recap"] == "interval"


def test_clear_ends_the_task(host: Host) -> None:
    host.says(TASK)
    assert host.start("clear") == ""
    assert host.pinned() == []
    assert host.start("resume") == ""


def test_it_fits_its_budget_in_every_script_and_keeps_the_constraints() -> None:
    pins = [
        Pin(PinKind.GOAL, "迁移应用到新的构建工具" * 8, "x", 1),
        Pin(PinKind.CONSTRAINT, "不要改动登录流程", "x", 1),
    ]
    text = block(pins)
    assert estimate_tokens(text) <= RECAP_TOKENS
    assert "不要改动登录流程" in text


def test_no_pins_no_block() -> None:
    assert block([]) == ""
