"""The first day of five people, as they would live it: at a terminal, with yes and no."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.installation import Installation
from tests.support.logs import Assistant, User, codex_session
from tests.support.loopback import LoopbackServer
from tests.support.terminal import at_terminal, broken_lines

pytestmark = pytest.mark.full
WIDTHS = (80, 120)
PRINTED_AS_IT_IS = ("view",)
RULE = "From now on always run the linter before a commit."


class Person:
    """Somebody with a terminal of their own; every screen is looked at for broken lines and tracebacks."""

    def __init__(self, machine: Installation, columns: int, more: dict[str, str] | None = None) -> None:
        self.machine, self.columns, self.more = machine, columns, more or {}

    def types(self, *words: str, answers: str = "", code: int = 0) -> str:
        """Run a command, each letter of `answers` being one answer; return what was said, on one line."""
        env = self.machine.env(self.more)
        ended, said = at_terminal(words, env, self.machine.folder, columns=self.columns, answers=list(answers))
        assert ended == code, said
        assert "Traceback" not in said
        assert words[0] in PRINTED_AS_IT_IS or not broken_lines(said, self.columns)
        return " ".join(said.split())


@pytest.fixture(params=WIDTHS)
def columns(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def crontab_in(folder: Path) -> str:
    """A `crontab` that keeps its table in a file, first on the PATH that is returned."""
    folder.mkdir()
    script = folder / "crontab"
    table = folder / "table"
    script.write_text(
        f"#!/bin/sh\n[ \"$1\" = -l ] || exec cat > '{table}'\n[ -f '{table}' ] && exec cat '{table}'\n"
        "echo 'no crontab for you' >&2; exit 1\n"
    )
    script.chmod(0o755)
    return f"{folder}:{Path(sys.executable).parent}:/usr/bin:/bin"


def start_of_an_agent(person: Person, cwd: str) -> str:
    """What a new session of Claude Code is given."""
    call = {"session_id": "s", "cwd": cwd, "source": "startup", "hook_event_name": "SessionStart"}
    done = subprocess.run(
        [sys.executable, "-m", "slowwave", "hook", "session-start", "--agent", "claude"],
        env=person.machine.env(person.more), input=json.dumps(call), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def test_claude_code_user(tmp_path: Path, columns: int) -> None:
    machine = Installation(tmp_path)
    machine.write_sessions(4)
    person = Person(machine, columns)
    said = person.types("init", "--no-schedule", answers="yyy")
    assert "published" in said and "claude: 4 session logs" in said
    assert "blue lighthouse" in person.types("view", "-p", "project0")
    assert "blue lighthouse" in start_of_an_agent(person, "/home/dev/project0")
    entry = person.types("search", "lighthouse", "-p", "project0")
    assert "blue lighthouse" in person.types("why", entry[1 : entry.index("]")], "-p", "project0")


def test_codex_user_with_nightly_runs(tmp_path: Path, columns: int) -> None:
    machine = Installation(tmp_path, {"PATH": crontab_in(tmp_path / "bin")})
    codex_session(
        tmp_path / "codex", [User("From now on always run the linter before a commit."), Assistant("I will.")]
    )
    person = Person(machine, columns)
    said = person.types("init", answers="yyyyy")
    assert "codex: 1 session logs" in said and "crontab" in said
    assert "run --scheduled" in person.types("schedule", "show")
    assert "nothing runs it" in person.types("doctor", code=3), "the test's own crontab has no daemon"
    assert "scheduled runs: on" in person.types("status")


def test_nobodys_logs(tmp_path: Path, columns: int) -> None:
    person = Person(Installation(tmp_path), columns)
    said = person.types("init", "--no-schedule", answers="yy")
    assert "looked in" in said and "nothing to run yet" in said
    assert "slowwave remember TEXT" in person.types("view", code=6)
    person.types("remember", "The API is frozen until March.")
    assert "frozen until March" in person.types("view")


def test_key_in_the_environment(tmp_path: Path, columns: int) -> None:
    machine = Installation(tmp_path)
    machine.write_sessions(2)
    person = Person(machine, columns, {"ANTHROPIC_API_KEY": "k"})
    said = person.types("run", answers="n", code=5)
    assert "Send session excerpts there?" in said and "at most about $" in said
    assert "models.provider offline" in said
    said = person.types("init", "--no-schedule", "--no-install", answers="ynyy")
    assert "offline extractor" in said and "published" in said


def test_local_server(tmp_path: Path, columns: int) -> None:
    machine = Installation(tmp_path)
    machine.write_sessions(2)
    with LoopbackServer() as server:
        person = Person(machine, columns, {"ANTHROPIC_BASE_URL": server.base_url})
        said = person.types("run")
        assert "Send session excerpts there?" not in said and "completed" in said
        assert server.messages
        person.types("cost")
        assert server.base_url in person.types("doctor")
