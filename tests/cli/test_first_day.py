"""The first run of somebody new: old logs, a wrong key, nobody to ask, other names for an agent."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from slowwave.cli.start.install import agent_named
from tests.support.installation import Installation
from tests.support.loopback import LoopbackServer


@pytest.mark.parametrize(
    ("name", "agent"),
    [
        ("claude", "claude"),
        ("claude-code", "claude"),
        ("ClaudeCode", "claude"),
        ("Claude Code", "claude"),
        ("openai-codex", "codex"),
        ("codex-cli", "codex"),
        ("gemini-cli", "gemini"),
        ("google-gemini-cli", "gemini"),
        ("open-code", "opencode"),
        ("oh-my-pi", "omp"),
        ("pi-agent", "pi"),
        ("open_claw", "openclaw"),
        ("cursor", "cursor"),
        ("windsurf", None),
        ("code", None),
        ("openai", None),
        ("all", None),
    ],
)
def test_an_agent_is_known_by_its_other_names(name: str, agent: str | None) -> None:
    assert agent_named(name) == agent


def test_logs_beyond_the_age_limit_are_offered_and_read_with_yes(tmp_path: Path) -> None:
    machine = Installation(tmp_path)
    machine.write_sessions(3, days_ago=60)
    said = machine.run("run").stdout
    assert "3 sessions older than 30 days: `slowwave run --backfill`" in said
    keyed = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "ANTHROPIC_API_KEY": "k"}
    assert "calls, at most about $" in machine.run("run", more=keyed).stdout


def test_an_address_where_nothing_listens_is_named_and_no_session_loses_an_attempt(tmp_path: Path) -> None:
    machine = Installation(tmp_path)
    machine.write_sessions(2)
    done = machine.run("run", more={"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "ANTHROPIC_API_KEY": "k"}, code=1)
    assert "http://127.0.0.1:9" in done.stderr and "cannot be reached" in done.stderr
    assert not (machine.home / "prefect").exists(), "the scheduler was started"
    assert machine.query("select sum(attempts), count(*) from jobs") == [(0, 2)]
    assert machine.query("select status from runs") == [("failed",)]


def test_a_wrong_key_is_said_before_the_scheduler_starts(tmp_path: Path) -> None:
    machine = Installation(tmp_path)
    machine.write_sessions(2)
    with LoopbackServer() as server:
        server.keys = {"right"}
        variables = {"ANTHROPIC_BASE_URL": server.base_url, "ANTHROPIC_API_KEY": "wrong"}
        done = machine.run("run", more=variables, code=4)
        assert server.base_url in done.stderr
        assert all(len(record.body) < 500 for record in server.messages), "text of a session was sent"
    assert not (machine.home / "prefect").exists()
    assert machine.query("select sum(attempts), count(*) from jobs") == [(0, 2)]


def test_nobody_to_ask_and_no_logs_say_the_next_step(tmp_path: Path) -> None:
    machine = Installation(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "slowwave", "init"],
        env=machine.env(), cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert str(machine.logs / "projects") in done.stdout
    assert "`slowwave init --yes`" in done.stdout


def test_the_price_is_seen_before_anybody_agreed_and_a_yes_to_everything_sends_nothing(tmp_path: Path) -> None:
    machine = Installation(tmp_path)
    machine.write_sessions(2)
    keyed = {"ANTHROPIC_API_KEY": "k"}
    assert "calls of" in machine.run("run", "--dry-run", more=keyed).stdout
    done = machine.run("init", "--yes", "--no-schedule", more=keyed)
    assert "nobody agreed to send anything" in done.stdout
    assert machine.query("select distinct extractor from runs") == [("offline",)]
    assert machine.query("select count(*) from model_calls") == [(0,)]
