"""`slowwave sessions`, `slowwave show` and `slowwave ingest` as a person runs them."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from slowwave.cli.main import main
from tests.support.agent_logs import generic_session, pi_session
from tests.support.logs import Assistant, Tool, User, claude_session, codex_session

YESTERDAY = datetime.now(UTC) - timedelta(days=1)
TOKEN = "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
SESSION = "11111111-1111-4111-8111-111111111111"


Run = Callable[..., str]


@pytest.fixture
def slowwave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process, with `tmp_path` as the home; return what it printed."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SLOWWAVE_HOME", str(tmp_path / "slowwave"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)

    def run(*arguments: str, stdin: bytes = b"", code: int = 0) -> str:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        done = main(arguments)
        printed = capsys.readouterr()
        assert done == code, printed.err
        return printed.err if code else printed.out

    return run


def listed(slowwave: Run, *arguments: str) -> dict[str, dict[str, Any]]:
    rows = json.loads(slowwave("sessions", "--json", *arguments))
    return {row["session"] or row["path"]: row for row in rows}


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """A home with sessions of several agents and nothing of Slowwave's."""
    claude_session(tmp_path / ".claude", start=YESTERDAY)
    codex_session(tmp_path / ".codex", start=datetime.now(UTC) - timedelta(days=90))
    live = datetime.now(UTC) - timedelta(minutes=3)
    pi_session(tmp_path / ".pi" / "agent" / "sessions" / "--p--" / "x.jsonl", start=live)
    claude_session(
        tmp_path / ".claude",
        session_id="22222222-2222-4222-8222-222222222222",
        start=YESTERDAY,
        entrypoint="sdk-cli",
    )
    return tmp_path


def test_sessions_are_listed_from_the_logs_alone_with_their_fate(slowwave: Run, user: Path) -> None:
    rows = listed(slowwave)
    assert {name: row["reason"] for name, row in rows.items()} == {
        f"claude:{SESSION}": "eligible",
        "claude:22222222-2222-4222-8222-222222222222": "not_interactive",
        "codex:0197f000-0000-7000-8000-000000000001": "too_old",
        "pi:0197f000-1111-7000-8000-000000000001": "active",
    }
    row = rows[f"claude:{SESSION}"]
    assert (row["project"], row["turns"], row["kind"]) == ("project", 1, "interactive")
    assert 86_000 < row["idle"] < 87_000 and row["size"] > 1000
    assert not (user / "slowwave").exists()


def test_the_list_for_people_and_its_filters(slowwave: Run, user: Path) -> None:
    text = slowwave("sessions")
    assert "4 sessions, 1 eligible" in text and "not_interactive (headless)" in text
    assert list(listed(slowwave, "--eligible")) == [f"claude:{SESSION}"]
    assert len(listed(slowwave, "--agent", "claude")) == 2
    assert listed(slowwave, "--project", "no-such") == {}


def test_a_log_that_cannot_be_read_is_listed_with_its_reason(slowwave: Run, user: Path) -> None:
    folder = user / ".local" / "share" / "opencode"
    folder.mkdir(parents=True)
    (folder / "opencode.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 4096)
    rows = listed(slowwave, "--agent", "opencode")
    assert [row["reason"] for row in rows.values()] == ["unreadable"]


@pytest.mark.parametrize("name", [SESSION, f"claude:{SESSION}", SESSION[:8], "FILE"])
def test_show_prints_the_transcript_that_stage_one_sees(slowwave: Run, user: Path, name: str) -> None:
    path = next((user / ".claude").rglob(f"{SESSION}.jsonl"))
    text = slowwave("show", str(path) if name == "FILE" else name)
    assert "session: claude:" + SESSION in text
    assert "--- 0 user\nAlways run the tests with make check" in text
    assert "--- 3 result / Bash / exit 2" in text
    assert "--- 6 agent / final" in text


def test_show_marks_drops_gaps_and_redactions_and_never_prints_a_secret(
    slowwave: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLOWWAVE_MODELS__DEFAULT__INPUT_TOKENS", "6000")
    turns = [User(f"my token is {TOKEN}"), Assistant("noted")]
    turns += [User("<system-reminder>never shown</system-reminder>"), User("go on")]
    turns += [Tool(f"cat {number}", "word " * 3000) for number in range(200)]
    claude_session(tmp_path / ".claude", turns)
    text = slowwave("show", SESSION)
    assert TOKEN not in text and "[REDACTED:" in text
    assert "dropped: system_reminder 1" in text and "never shown" not in text
    assert "items left out ...]" in text
    data = json.loads(slowwave("show", SESSION, "--json"))
    assert TOKEN not in json.dumps(data)
    assert data["facts"]["items"]["tool_result"] == 200
    assert data["redacted"] and data["parts"][0]["gaps"]
    whole = json.loads(slowwave("show", SESSION, "--json", "--whole"))
    assert len(whole["parts"][0]["items"]) == 403


def test_show_of_nothing_says_what_to_do(slowwave: Run, user: Path) -> None:
    message = slowwave("show", "no-such-session", code=6)
    assert "no session no-such-session" in message and "slowwave sessions" in message


def test_a_generic_log_is_taken_in_from_standard_input_and_listed(slowwave: Run, tmp_path: Path) -> None:
    path = generic_session(tmp_path / "x.jsonl", [User(f"use port 81, token {TOKEN}"), Assistant("ok")])
    text = slowwave("ingest", "-", stdin=path.read_bytes())
    assert "generic:run-1: 2 items" in text
    (kept,) = (tmp_path / "slowwave" / "ingest").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert TOKEN not in kept.read_text()
    assert "generic:run-1" in listed(slowwave)
    assert "use port 81" in slowwave("show", "generic:run-1")


def test_a_known_agents_log_is_converted_and_what_nobody_typed_stays_so(slowwave: Run, tmp_path: Path) -> None:
    turns = [User("<ide_selection>always use tabs</ide_selection>\nfix it"), Tool("make", "no", exit=2), Assistant("x")]
    path = claude_session(tmp_path / "copy.jsonl", turns)
    data = json.loads(slowwave("ingest", str(path), "--json"))
    assert data["facts"]["session"] == f"generic:claude-{SESSION}"
    assert data["facts"]["items"] == {
        "context": 1,
        "user_text": 1,
        "tool_call": 1,
        "tool_result": 1,
        "assistant_text": 1,
    }
    slowwave("ingest", str(path))
    assert len(list((tmp_path / "slowwave" / "ingest").iterdir())) == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"hello\n", "no format"),
        (b"", "empty"),
        (b'{"type":"session","format":"slowwave","id":"x"}\n', "no conversation"),
    ],
)
def test_what_cannot_be_taken_in_is_refused_and_leaves_nothing(
    slowwave: Run, tmp_path: Path, content: bytes, words: str
) -> None:
    assert words in slowwave("ingest", "-", stdin=content, code=1)
    assert not (tmp_path / "slowwave" / "ingest").exists()


def test_what_a_scan_registered_is_not_read_again(slowwave: Run, user: Path) -> None:
    """The log's bytes are spoilt while size, time and inode stay: the list still knows the session."""
    from slowwave.app import open_app
    from slowwave.memories.discovery.scanning import scan_logs
    from slowwave.rollouts.readers import readers

    app = open_app()
    scan_logs(app.engine, readers(app.env), app.settings, app.env)
    path = next((user / ".claude").rglob(f"{SESSION}.jsonl"))
    before = path.stat()
    with path.open("r+b") as stream:
        stream.write(b"x" * before.st_size)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    row = listed(slowwave)[f"claude:{SESSION}"]
    assert (row["turns"], row["reason"], row["project"]) == (1, "eligible", "project")
    os.utime(path)
    assert f"claude:{SESSION}" in {row["session"] for row in listed(slowwave, "--agent", "claude").values()}
    assert listed(slowwave, "--agent", "claude")[f"claude:{SESSION}"]["turns"] == 0
