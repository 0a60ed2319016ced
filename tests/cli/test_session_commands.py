"""`slowwave pins | facts | recap | flush | replay` and `why SESSION#TURN`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from slowwave.cli.group import slowwave
from slowwave.rollouts.identity.projects import identify
from tests.session.conftest import Host
from tests.support.logs import Assistant, User, claude_session


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("SLOWWAVE_HOME", str(tmp_path / "home"))
    host = Host(tmp_path / "home", session_id="abc-1", project_id=identify(str(folder)).id)
    host.says("Add a retry policy to the client, never touch the auth code. We deploy to Cloudflare Workers.")
    host.answers("Should I log retries?")
    host.says("no, that is wrong, log nothing")
    return tmp_path / "home"


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(slowwave, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def test_pins_of_the_last_session_here(home: Path) -> None:
    assert "never touch the auth code" in run("pins").output
    data = json.loads(run("pins", "--json").output)
    assert data["session"] == "claude:abc-1"
    assert {pin["kind"] for pin in data["pins"]} >= {"goal", "constraint", "clarification"}
    run("pins", "--drop", str(data["pins"][0]["id"]))
    assert "dropped" in run("pins", "--all").output
    assert "claude:abc-1" in run("pins", "--sessions").output


def test_facts_are_shown_widened_and_forgotten(home: Path) -> None:
    found = {fact["text"]: fact for fact in json.loads(run("facts", "--json").output)}
    assert found.keys() == {"We deploy to Cloudflare Workers.", "Never touch the auth code."}
    fact, rule = found["We deploy to Cloudflare Workers."], found["Never touch the auth code."]
    assert fact["said"][0]["session"] == "claude:abc-1"
    assert "everywhere" in run("facts", "--everywhere", str(fact["id"])).output
    run("facts", "--forget", str(rule["id"]))
    assert "No key facts" in run("facts", "--forget", str(fact["id"])).output


def test_recap_flush_and_why(home: Path) -> None:
    assert "<task_recap>" in run("recap").output
    first = run("flush").output
    assert "new lines saved" in first
    assert "nothing new" in run("flush").output
    assert json.loads(run("flush", "--list", "--json").output)["ledger"][0]["state"] == "done"
    told = run("why", "abc-1#2").output
    assert "no, that is wrong" in told
    assert "correction" in told


def test_unknown_names_are_told(home: Path) -> None:
    result = CliRunner().invoke(slowwave, ["pins", "nothing"])
    assert isinstance(result.exception, Exception) or result.exit_code != 0


def test_replay_of_a_log(home: Path, tmp_path: Path) -> None:
    steps = [
        User("Add a retry policy to the client, never touch the auth code"),
        Assistant("Done. Should I log retries?"),
        User("no"),
        Assistant("Fine."),
        User("that is wrong, revert it"),
        Assistant("Reverted."),
    ]
    log = claude_session(tmp_path / "log.jsonl", steps)
    shown = run("replay", str(log), "--turns").output
    assert "pinned_goal" in shown
    data = json.loads(run("replay", str(log), "--json").output)
    assert len(data["turns"]) == 3
    assert data["compactions"] == []
