"""What the assistant did against the pins, and what the user said about it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from slowwave.paths import session_database_file
from slowwave.session.hosts.transcript import look
from slowwave.session.task import corrections
from slowwave.session.task.drift import Action, compare
from slowwave.session.task.pins import propose
from slowwave.storage.insession.store import SessionStore
from tests.session.conftest import Host

RULES = "Migrate the app to Vite. Use pnpm, never npm. Don't touch the auth flow. 不要改 login 页面"


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Action("edit", "src/auth/session.ts"), "forbidden_file"),
        (Action("edit", "src/login/page.tsx"), "forbidden_file"),
        (Action("run", "cd web && npm install left-pad"), "forbidden_command"),
        (Action("run", "sudo /usr/bin/npm ci"), "forbidden_command"),
    ],
)
def test_a_conflict_is_a_large_drift(action: Action, reason: str) -> None:
    [drift] = compare(propose(RULES, [], turn=1).add, [action])
    assert (drift.reason, drift.large) == (reason, True)


@pytest.mark.parametrize(
    "action",
    [
        Action("edit", "src/app.ts"),
        Action("run", "pnpm install"),
        Action("run", "echo npm is not used"),
        Action("run", "cat src/auth/session.ts"),
        Action("run", "grep -rn 'npm install' docs"),
    ],
)
def test_reading_and_ordinary_work_is_none(action: Action) -> None:
    assert compare(propose(RULES, [], turn=1).add, [action]) == []


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        ("no, not that file", "rejected"),
        ("That's wrong, the port is 8081", "rejected"),
        ("you deleted the wrong table", "rejected"),
        ("please revert the last change", "reverted"),
        ("it still fails with the same error", "repeated"),
        ("from now on run the linter before you commit", "rule"),
        ("不对，不是这个文件", "rejected"),
        ("还是报错", "repeated"),
        ("違います、別のファイルです", "rejected"),
        ("元に戻してください", "reverted"),
        ("ไม่ใช่ไฟล์นี้", "rejected"),
        ("아니요, 그 파일이 아니에요", "rejected"),
    ],
)
def test_corrections_are_seen(prompt: str, kind: str) -> None:
    found = corrections.find(prompt)
    assert found is not None
    assert found.kind == kind
    assert found.quote in prompt


@pytest.mark.parametrize(
    "prompt", ["no problem, go on", "add a retry policy", "now the next page", "no worries", "好的，继续"]
)
def test_ordinary_messages_are_none(prompt: str) -> None:
    assert corrections.find(prompt) is None


def test_pasted_text_corrects_nothing() -> None:
    assert corrections.find("what does this mean?\n```\nno, that is wrong. revert it\n```") is None


def row(kind: str, content: list[dict[str, object]], **more: object) -> str:
    return json.dumps({"type": kind, "message": {"role": kind, "content": content, **more}}) + "\n"


def test_a_running_transcript_is_read_from_where_it_was_left(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    edit = {"type": "tool_use", "name": "Edit", "input": {"file_path": "src/auth/a.ts"}}
    log.write_text(
        row("assistant", [edit], usage={"input_tokens": 10, "cache_read_input_tokens": 90}) + '{"type": "assi'
    )
    first = look(log, 0)
    assert first.actions == (Action("edit", "src/auth/a.ts"),)
    assert first.window_tokens == 100
    with log.open("a") as stream:
        stream.write('stant"}\n' + row("assistant", [{"type": "text", "text": "Done?"}]) + "broken\n")
    second = look(log, first.cursor)
    assert (second.actions, second.reply) == ((), "Done?")
    assert look(log, second.cursor).cursor == second.cursor


def test_a_transcript_that_shrank_is_read_anew(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(row("assistant", [{"type": "text", "text": "new"}]))
    assert look(log, 10_000).reply == "new"


def test_a_large_growth_is_read_from_its_end(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(row("assistant", [{"type": "text", "text": f"r{n}"}]) for n in range(1000)))
    found = look(log, 0, limit=2000)
    assert found.reply == "r999"
    assert found.skipped == log.stat().st_size - 2000


def test_drift_and_corrections_become_events_with_their_words(host: Host, home: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    host.says(RULES)
    patch = "*** Begin Patch\n*** Update File: src/auth/token.ts\n*** End Patch"
    call = {"payload": {"type": "custom_tool_call", "name": "apply_patch", "input": patch}}
    log.write_text(json.dumps(call) + "\n")
    host.answers("Changed the token file.", transcript_path=str(log))
    host.says("no, I told you not to touch that")
    with SessionStore(session_database_file(home)) as store:
        drift, correction = store.events(session=host.key)
    assert (drift.type, drift.quote, drift.detail["pin"]) == (
        "drift",
        "src/auth/token.ts",
        "Don't touch the auth flow.",
    )
    assert (correction.type, correction.turn, correction.quote) == ("correction", 2, "no, I told you not to touch that")


def test_an_unreadable_transcript_costs_nothing(host: Host, tmp_path: Path) -> None:
    host.says(RULES)
    host.answers("Should I go on?", transcript_path=str(tmp_path / "missing.jsonl"))
    assert host.why(1)["reply"] == "asks_a_question"
