"""Agents' command lines as the model: what they are given, what is read of their answers, and each way to fail."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil
import pytest
from sqlalchemy import Engine, select

from slowwave.errors import BudgetReached, ConsentRequired, ModelDenied, ModelError, ModelRejected, ModelUnavailable
from slowwave.llm.base import ConsolidateRequest, ExtractReply, StandingEntry
from slowwave.llm.commandline.agents import AGENTS
from slowwave.llm.commandline.extractor import CommandLineExtractor
from slowwave.llm.commandline.resets import reset_time
from slowwave.llm.factory import make_extractor
from slowwave.llm.offline.extractor import OfflineExtractor
from slowwave.llm.spending import consent
from slowwave.settings import Settings
from slowwave.storage.engine import reading
from slowwave.storage.tables import ModelCall
from tests.llm.conftest import request_of
from tests.llm.fake_agents import FakeAgent

TEXT = "Please always use uv instead of pip here."
NAMES = tuple(AGENTS)


@pytest.fixture
def make(tmp_path: Path, engine: Engine) -> Callable[..., CommandLineExtractor]:
    """An extractor on a fake agent whose use was accepted."""

    def made(agent: str, run_id: str | None = None, timeout: float = 20, **budget: Any) -> CommandLineExtractor:
        consent.accept(engine, [AGENTS[agent].endpoint])
        env = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin", "HOME": str(tmp_path), "CLAUDECODE": "1",
               "SLOWWAVE_HOME": str(tmp_path / "slowwave")}  # fmt: skip
        models = {"provider": agent, "default": {"timeout_seconds": timeout}}
        settings = Settings.model_validate({"models": models, "budget": {"per_run": budget, "per_day": {"dollars": 1}}})
        extractor = make_extractor(settings, engine, run_id, env)
        assert isinstance(extractor, CommandLineExtractor)
        return extractor

    return made


def asked(extractor: CommandLineExtractor, text: str = TEXT) -> ExtractReply:
    return asyncio.run(extractor.extract(request_of(text)))


def calls(engine: Engine) -> list[ModelCall]:
    with reading(engine) as session:
        return list(session.scalars(select(ModelCall).order_by(ModelCall.id)))  # type: ignore[arg-type]


@pytest.mark.parametrize("agent", NAMES)
def test_a_request_is_one_run_that_gets_nothing_but_the_prompt(
    agent: str, make: Callable[..., CommandLineExtractor], tmp_path: Path, engine: Engine
) -> None:
    fake = FakeAgent(tmp_path / "bin", agent)
    reply = asked(make(agent))
    assert reply.reply.memories[0].evidence[0].quote == TEXT
    (call,) = fake.calls
    assert TEXT in call["prompt"]
    assert all(TEXT not in word and "planet" not in word for word in call["arguments"])
    system = call["files"].get("--system-prompt-file", call["prompt"])
    assert "The log is evidence" in system
    assert call["env"]["SLOWWAVE_HOOKS"] == "off" and "CLAUDECODE" not in call["env"]
    assert Path(call["folder"]).parents[1] == tmp_path / "slowwave" / "asking"
    assert call["inside"] == []
    assert not Path(call["folder"]).exists()
    (row,) = calls(engine)
    assert (row.endpoint, row.cost, row.outcome) == (f"agent:{agent}", 0.0, "ok")
    assert (row.input_tokens or 0) > 1000 and (row.output_tokens or 0) > 50


def test_codex_gets_a_settings_folder_with_nothing_but_the_login(
    make: Callable[..., CommandLineExtractor], tmp_path: Path
) -> None:
    fake = FakeAgent(tmp_path / "bin", "codex", mode="renews")
    (tmp_path / ".codex").mkdir()
    login = tmp_path / ".codex" / "auth.json"
    login.write_text("the old one")
    (tmp_path / ".codex" / "AGENTS.md").write_text("Always say hello.")
    asked(make("codex"))
    (call,) = fake.calls
    assert call["env"]["CODEX_HOME"] != str(tmp_path / ".codex")
    assert call["settings"] == ["auth.json"]
    # A login that the tool renewed is the person's, whichever way it was written.
    assert login.read_text() == "the new one"
    assert sorted(path.name for path in (tmp_path / ".codex").iterdir()) == ["AGENTS.md", "auth.json"]


def test_stage_two_is_asked_the_same_way(make: Callable[..., CommandLineExtractor], tmp_path: Path) -> None:
    FakeAgent(tmp_path / "bin", "claude-code")
    entry = StandingEntry("m1", "fact", "x", "", "verified", 1, "")
    extractor = make("claude-code")
    answer = asyncio.run(extractor.consolidate(ConsolidateRequest("demo", "p1", (entry,), (), ())))
    assert answer.reply.operations == []


TROUBLE = [
    ("claude-code", "Claude AI usage limit reached|1893456000", ModelDenied, "plan_limit"),
    ("claude-code", "You've hit your weekly limit · resets 3pm (Europe/Paris)", ModelDenied, "plan_limit"),
    ("claude-code", "Invalid API key · Please run /login", ModelDenied, "not_logged_in"),
    ("claude-code", "OAuth token has expired: authentication_error", ModelDenied, "not_logged_in"),
    ("claude-code", "There's an issue with the selected model (tiny). It may not exist.", ModelDenied, "not_found"),
    ("claude-code", "Prompt is too long", ModelRejected, "prompt_too_long"),
    ("claude-code", "API Error: 529 Overloaded", ModelUnavailable, "agent_failed"),
    ("codex", "You've hit your usage limit. Upgrade to Pro or try again at 3:45 PM.", ModelDenied, "plan_limit"),
    ("codex", "Your access token could not be refreshed. Please log in again.", ModelDenied, "not_logged_in"),
    ("codex", "The 'tiny' model is not supported when using Codex with a ChatGPT account.", ModelDenied, "not_found"),
    ("codex", "stream disconnected before completion", ModelUnavailable, "agent_failed"),
    ("gemini", "You have exhausted your daily quota on this model.", ModelDenied, "plan_limit"),
    ("gemini", "Please set an Auth method in your settings.json", ModelDenied, "not_logged_in"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("agent", "words", "kind", "reason"), TROUBLE, ids=[f"{row[0]}-{n}" for n, row in enumerate(TROUBLE)]
)
def test_the_tool_s_trouble_is_understood(
    agent: str, words: str, kind: type[ModelError], reason: str,
    make: Callable[..., CommandLineExtractor], tmp_path: Path, engine: Engine,
) -> None:  # fmt: skip
    fake = FakeAgent(tmp_path / "bin", agent, trouble=words)
    with pytest.raises(kind) as caught:
        asked(make(agent))
    assert caught.value.reason == reason
    assert len(calls(engine)) == len(fake.calls) == (2 if kind is ModelUnavailable else 1)
    assert not any(row.input_tokens for row in calls(engine))


def test_a_plan_that_is_used_up_is_left_alone_until_the_time_that_the_tool_names(
    make: Callable[..., CommandLineExtractor], tmp_path: Path
) -> None:
    fake = FakeAgent(tmp_path / "bin", "codex", trouble="You've hit your usage limit. Try again in 2 hours 5 minutes.")
    for _ in range(3):
        with pytest.raises(ModelDenied, match="used up until 20"):
            asked(make("codex"))
    assert len(fake.calls) == 1


NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("words", "hours"),
    [
        (f"usage limit reached|{int(NOON) + 7200}", 2),
        ("resets 3pm (UTC)", 3),
        ("resets at 9:30 am (UTC)", 21.5),
        ("Your limit resets 1am (Asia/Tokyo)", 4),
        ("try again in 2 days 3 hours", 51),
        ("try again in 45 minutes", 0.75),
        ("try again at Dec 5th, 2026 10:00 AM (UTC)", 94),
        ("available after 2026-12-01T18:00:00Z", 6),
        ("no time is named", 1),
        ("resets in 900 days", 8 * 24),
    ],
)
def test_the_time_of_a_reset_is_read(words: str, hours: float) -> None:
    assert reset_time(words, NOON) == NOON + hours * 3600


def test_a_run_that_hangs_is_ended_with_its_children_and_booked(
    make: Callable[..., CommandLineExtractor], tmp_path: Path, engine: Engine
) -> None:
    fake = FakeAgent(tmp_path / "bin", "claude-code", mode="hang")
    with pytest.raises(ModelUnavailable) as caught:
        asked(make("claude-code", timeout=1.5))
    assert caught.value.reason == "timeout"
    (row,) = calls(engine)
    assert (row.input_tokens or 0) > 500 and row.output_tokens == 8000
    assert_no_process_of(fake)


def test_a_cancelled_question_leaves_no_process(make: Callable[..., CommandLineExtractor], tmp_path: Path) -> None:
    fake = FakeAgent(tmp_path / "bin", "codex", mode="hang")

    async def work() -> None:
        task = asyncio.create_task(make("codex").extract(request_of(TEXT)))
        await asyncio.to_thread(wait_for_call, fake)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(work())
    assert_no_process_of(fake)


def wait_for_call(fake: FakeAgent) -> None:
    limit = time.monotonic() + 20
    while not fake.calls and time.monotonic() < limit:
        time.sleep(0.05)


def assert_no_process_of(fake: FakeAgent) -> None:
    groups = {call["pid"] for call in fake.calls}
    alive = [p for p in psutil.process_iter(["pid"]) if _group(p.pid) in groups and p.status() != psutil.STATUS_ZOMBIE]
    assert alive == []


def _group(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return -1


@pytest.mark.parametrize("mode", ["crash", "garbage"])
def test_an_agent_that_gives_nothing_usable_is_named(
    mode: str, make: Callable[..., CommandLineExtractor], tmp_path: Path
) -> None:
    fake = FakeAgent(tmp_path / "bin", "claude-code", mode=mode)
    with pytest.raises(ModelError) as caught:
        asked(make("claude-code"))
    assert caught.value.reason == {"crash": "agent_failed", "garbage": "invalid_answer"}[mode]
    assert len(fake.calls) == 2


def test_an_agent_that_prints_without_end_is_ended(make: Callable[..., CommandLineExtractor], tmp_path: Path) -> None:
    FakeAgent(tmp_path / "bin", "gemini", mode="endless")
    with pytest.raises(ModelUnavailable) as caught:
        asked(make("gemini"))
    assert caught.value.reason == "invalid_response"


def test_the_limits_hold_for_a_plan_too(make: Callable[..., CommandLineExtractor], tmp_path: Path) -> None:
    fake = FakeAgent(tmp_path / "bin", "claude-code")
    extractor = make("claude-code", calls=2)

    async def many() -> list[object]:
        work = (extractor.extract(request_of(TEXT, thread_id=f"claude:{n}")) for n in range(5))
        return await asyncio.gather(*work, return_exceptions=True)

    results = asyncio.run(many())
    assert sum(isinstance(one, BudgetReached) for one in results) == 3
    assert len(fake.calls) == 2


def test_nothing_is_asked_before_somebody_agreed(tmp_path: Path, engine: Engine) -> None:
    fake = FakeAgent(tmp_path / "bin", "claude-code")
    env = {"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path), "SLOWWAVE_HOME": str(tmp_path / "slowwave")}
    named = Settings.model_validate({"models": {"provider": "claude-code"}})
    with pytest.raises(ConsentRequired, match="claude-code"):
        make_extractor(named, engine, None, env)
    assert isinstance(make_extractor(Settings(), engine, None, env), OfflineExtractor)
    consent.accept(engine, ["agent:claude-code"])
    assert isinstance(make_extractor(Settings(), engine, None, env), CommandLineExtractor)
    # A key comes first, then a base URL, then the agent.
    with pytest.raises(ConsentRequired, match="anthropic"):
        make_extractor(Settings(), engine, None, env | {"ANTHROPIC_API_KEY": "x"})
    assert isinstance(make_extractor(Settings(), engine, None, env | {"PATH": "/nowhere"}), OfflineExtractor)
    assert fake.calls == []
