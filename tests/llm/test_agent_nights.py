"""`slowwave init` with an agent that the person is logged in to and no key: memory that a model made."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from slowwave.cli.group import slowwave as cli
from tests.llm.fake_agents import FakeAgent
from tests.support.night import Night
from tests.support.nursery import Nursery


def test_one_yes_gives_memory_that_the_agent_made(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = FakeAgent(tmp_path / "bin", "claude-code")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    (home / ".claude").mkdir(exist_ok=True)
    (home / ".claude" / ".credentials.json").write_text("{}")
    options = ["init", "--yes", "--no-install", "--no-schedule", "--no-run"]
    told = CliRunner().invoke(cli, options, catch_exceptions=False)
    # A yes to everything sends nothing anywhere: the agent is only named.
    assert "init --use claude-code" in told.output
    assert "offline" in CliRunner().invoke(cli, ["doctor"]).output
    told = CliRunner().invoke(cli, [*options, "--use", "claude-code"], catch_exceptions=False)
    assert "included in your plan" in told.output and "what you typed" in told.output
    assert "Claude Code (haiku), included in your plan" in CliRunner().invoke(cli, ["doctor"]).output
    assert fake.calls == []


def test_a_night_by_the_agent_is_booked_as_included(night: Night, nursery: Nursery, tmp_path: Path) -> None:
    fake = FakeAgent(tmp_path / "bin", "claude-code")
    thread = night.write_session(1)
    config = night.home / "slowwave" / "config.yml"
    settings = json.loads(config.read_text())
    config.write_text(json.dumps(settings | {"models": {"provider": "claude-code"}}))
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    refused = night.start(nursery, PATH=path).wait()
    assert refused.code == 5 and fake.calls == []
    accept = CliRunner().invoke(cli, ["config", "accept", "--yes"], env=night.environment | {"PATH": path})
    assert accept.exit_code == 0 and "claude-code" in accept.output
    report = night.run(nursery, PATH=path)
    assert night.fates()[thread] == "extracted"
    assert [row["outcome"] for row in report["projects"]] == ["published"]
    assert len(fake.calls) == 2
    assert {row["cost"] for row in night.rows("model_calls")} == {0.0}
    shown = CliRunner().invoke(cli, ["cost"], env=night.environment | {"PATH": path})
    assert "included in your plan" in shown.output
