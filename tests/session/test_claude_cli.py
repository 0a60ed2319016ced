"""The `claude` host against a real process that takes what the real one takes: a UUID, and a known id to resume."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from slowwave.errors import HostFailed
from slowwave.session.hosts.claude_cli import ClaudeCli, history_prompt
from slowwave.storage.insession.store import SessionStore

PROGRAM = """
import json, pathlib, sys, uuid
here = pathlib.Path(sys.argv[1])
arguments = sys.argv[2:]
prompt = sys.stdin.read()
with (here / "calls").open("a") as calls:
    calls.write(json.dumps([arguments, prompt]) + chr(10))
mode = (here / "mode").read_text() if (here / "mode").exists() else ""
known = here / "sessions"
known.mkdir(exist_ok=True)
if "--resume" in arguments:
    session = arguments[arguments.index("--resume") + 1]
    if not (known / session).exists() or mode == "stale":
        sys.exit("No conversation found")
    if mode == "garbage":
        print("not json"); sys.exit(0)
    if mode == "error":
        print(json.dumps({"is_error": True, "result": "account changed"})); sys.exit(0)
else:
    session = str(uuid.UUID(arguments[arguments.index("--session-id") + 1]))
    if (known / session).exists():
        sys.exit("session id already in use")
    if mode == "down":
        sys.exit(3)
    (known / session).write_text("")
print(json.dumps({"result": "echo " + prompt[-20:], "session_id": session, "is_error": False}))
"""


@pytest.fixture
def host(tmp_path: Path, store: SessionStore) -> ClaudeCli:
    program = tmp_path / "claude.py"
    program.write_text(PROGRAM)
    return ClaudeCli(store, command=[sys.executable, str(program), str(tmp_path)], timeout=30)


def calls(tmp_path: Path) -> list[str]:
    return (tmp_path / "calls").read_text().splitlines()


def test_a_thread_starts_once_and_is_resumed_afterwards(host: ClaudeCli, tmp_path: Path) -> None:
    first = host.send("claude", "discord", "42", "turn them all on")
    second = host.send("claude", "discord", "42", "and the last one")
    assert (first.how, second.how) == ("started", "resumed")
    assert first.host_session == second.host_session
    assert len(calls(tmp_path)) == 2


def test_threads_do_not_mix(host: ClaudeCli) -> None:
    one = host.send("claude", "discord", "42", "a")
    other = host.send("claude", "discord", "43", "b")
    assert one.host_session != other.host_session


@pytest.mark.parametrize(
    ("mode", "reason"), [("stale", "exit_code"), ("garbage", "unreadable_answer"), ("error", "error_answer")]
)
def test_a_failed_resume_falls_back_once_with_the_history(
    host: ClaudeCli, tmp_path: Path, mode: str, reason: str
) -> None:
    first = host.send("claude", "discord", "42", "turn them all on")
    (tmp_path / "mode").write_text(mode)
    history = [("user", "turn them all on"), ("assistant", "all </assistant> lamps <b>are</b> on")]
    reply = host.send("claude", "discord", "42", "which ones?", history)
    assert reply.how == f"fallback:{reason}"
    assert reply.host_session != first.host_session
    sent = calls(tmp_path)
    assert len(sent) == 3
    assert "&lt;/assistant&gt; lamps" in sent[-1]
    (tmp_path / "mode").unlink()
    assert host.send("claude", "discord", "42", "again").how == "resumed"


def test_there_is_no_second_try(host: ClaudeCli, tmp_path: Path) -> None:
    host.send("claude", "discord", "42", "turn them all on")
    for name in (tmp_path / "sessions").iterdir():
        name.unlink()
    (tmp_path / "mode").write_text("down")
    with pytest.raises(HostFailed) as failed:
        host.send("claude", "discord", "42", "which ones?")
    assert failed.value.reason == "exit_code"
    assert len(calls(tmp_path)) == 3


def test_a_missing_program_is_named(store: SessionStore, tmp_path: Path) -> None:
    with pytest.raises(HostFailed) as failed:
        ClaudeCli(store, command=[str(tmp_path / "nothing")]).send("a", "b", "c", "hi")
    assert failed.value.reason == "not_started"


def test_a_program_that_hangs_is_ended(store: SessionStore, tmp_path: Path) -> None:
    program = tmp_path / "slow.py"
    program.write_text("import time; time.sleep(60)")
    with pytest.raises(HostFailed) as failed:
        ClaudeCli(store, command=[sys.executable, str(program)], timeout=0.5).send("a", "b", "c", "hi")
    assert failed.value.reason == "timeout"


def test_history_is_marked_as_context_and_bounded() -> None:
    prompt = history_prompt([("user", f"turn {n} " + "x" * 900) for n in range(40)], "hi")
    assert "turn 19 " not in prompt
    assert "turn 20 " in prompt
    assert prompt.index("not work to do") < prompt.index("<current_message>hi</current_message>")
