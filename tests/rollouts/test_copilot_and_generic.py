"""GitHub Copilot CLI, and the documented form for everybody else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from slowwave.rollouts.agents.generic import SCHEMA
from slowwave.rollouts.identity.projects import project_of
from slowwave.rollouts.model import Item, ItemKind, SessionFacts
from slowwave.rollouts.readers import readers
from slowwave.storage.types import SessionKind
from tests.support.agent_logs import COPILOT_ID, copilot_rows, copilot_session, generic_rows, generic_session
from tests.support.logs import DEFAULT_TURNS, Assistant, Step, User, write_lines
from tests.support.reading import read, read_as, shape, texts

TURNS: list[Step] = [User("one"), Assistant("a"), User("two"), Assistant("b")]


def test_a_plain_copilot_session(tmp_path: Path) -> None:
    facts, items = read(copilot_session(tmp_path / COPILOT_ID / "events.jsonl"))
    assert facts.thread_id == f"copilot:{COPILOT_ID}"
    assert (facts.cwd, facts.branch) == ("/home/dev/project", "main")
    assert project_of(facts).key == "git:github.com/dev/project"
    assert len(items) == 7 and not facts.unknown
    assert [(item.exit_status, item.failed) for item in items if item.kind is ItemKind.TOOL_RESULT] == [
        (2, True),
        (0, False),
    ]


def test_the_text_that_copilot_adds_to_a_prompt_is_not_read(tmp_path: Path) -> None:
    path = copilot_session(tmp_path / "events.jsonl", TURNS)
    assert "current_datetime" in path.read_text()
    assert texts(read(path)[1]) == ["one", "two"]


def test_a_call_that_only_its_start_records(tmp_path: Path) -> None:
    rows = copilot_rows([User("go")])
    start = {"toolCallId": "c", "toolName": "bash", "arguments": {"command": "ls"}}
    rows.append({"type": "tool.execution_start", "id": "s", "timestamp": "2026-06-01T10:00:00Z", "data": start})
    _, items = read_as("copilot", write_lines(tmp_path / "events.jsonl", rows))
    assert shape(items) == [("user_text", "go"), ("tool_call", "ls")]


def test_events_that_are_no_conversation(tmp_path: Path) -> None:
    rows = copilot_rows(TURNS)
    kinds = [
        "hook.start",
        "hook.end",
        "permission.requested",
        "system.message",
        "system.notification",
        "abort",
        "session.info",
        "session.model_change",
        "assistant.turn_start",
    ]
    rows += [{"type": kind, "id": f"k{n}", "data": {"content": "Always use tabs."}} for n, kind in enumerate(kinds)]
    rows.append({"type": "novelty", "id": "n", "data": {}})
    facts, items = read_as("copilot", write_lines(tmp_path / "events.jsonl", rows))
    assert texts(items) == ["one", "two"]
    assert facts.unknown == {"novelty": 1}


def test_both_layouts_of_copilot_are_found(tmp_path: Path) -> None:
    root = tmp_path / ".copilot" / "session-state"
    one = copilot_session(root / COPILOT_ID / "events.jsonl")
    two = copilot_session(root / "abcdef01-4444-4000-8000-000000000001.jsonl")
    write_lines(root / COPILOT_ID / "checkpoints.jsonl", [{}])
    assert {log.path for log in readers({})["copilot"].discover({}, tmp_path)} == {one, two}


def test_machine_made_prompts_of_copilot_are_headless(tmp_path: Path) -> None:
    rows = copilot_rows([User("[[ ## user_query ## ]]\n\n@[System]:\nRespond with PASS."), Assistant("PASS")])
    facts, items = read_as("copilot", write_lines(tmp_path / "events.jsonl", rows))
    assert facts.kind == SessionKind.HEADLESS
    assert texts(items) == []


def read_rows(tmp_path: Path, rows: list[dict[str, Any]]) -> tuple[SessionFacts, list[Item]]:
    return read_as("generic", write_lines(tmp_path / "x.jsonl", rows))


def test_a_plain_generic_session(tmp_path: Path) -> None:
    facts, items = read(generic_session(tmp_path / "x.jsonl", remote="https://me:pw@github.com/Dev/P", branch="b"))
    assert (facts.thread_id, facts.remote, facts.branch) == ("generic:run-1", "https://github.com/Dev/P", "b")
    assert len(items) == 7
    assert [item.exit_status for item in items if item.kind is ItemKind.TOOL_RESULT] == [2, 0]


def test_content_blocks_in_the_shape_of_the_messages_api(tmp_path: Path) -> None:
    use = {"type": "tool_use", "id": "t1", "name": "bash", "input": {"command": "make"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "no"}], "is_error": True}
    rows = generic_rows([User("go")])
    rows += [
        {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "trying"}, use]},
        {"type": "message", "role": "user", "content": [result]},
    ]
    _, items = read_rows(tmp_path, rows)
    assert shape(items)[1:] == [("assistant_text", "trying"), ("tool_call", "make"), ("tool_result", "no")]
    assert (items[-1].tool, items[-1].failed) == ("bash", True)


def test_text_marked_as_injected_is_context(tmp_path: Path) -> None:
    rows = generic_rows([User("go")])
    rows.append({"type": "message", "role": "user", "content": "Always use tabs.", "injected": True})
    rows.append({"type": "message", "role": "user", "content": "<system-reminder>tabs</system-reminder>"})
    _, items = read_rows(tmp_path, rows)
    assert shape(items) == [("user_text", "go"), ("context", "Always use tabs.")]


def test_rollback_and_summary_rows(tmp_path: Path) -> None:
    rows = generic_rows(TURNS)
    rows.insert(1, {"type": "summary", "text": "Earlier: x"})
    rows.append({"type": "rollback", "turns": 1})
    _, items = read_rows(tmp_path, rows)
    assert shape(items) == [("summary", "Earlier: x"), ("user_text", "one"), ("assistant_text", "a")]


@pytest.mark.parametrize("kind", [member.value for member in SessionKind])
def test_the_header_tells_who_drove_the_session(tmp_path: Path, kind: str) -> None:
    assert read_rows(tmp_path, generic_rows(TURNS, kind=kind))[0].kind == kind


def test_where_generic_logs_are_found(tmp_path: Path) -> None:
    home = tmp_path / "home"
    ingested = generic_session(home / "ingest" / "a.jsonl")
    configured = generic_session(tmp_path / "logs" / "deep" / "b.jsonl")
    env = {"SLOWWAVE_HOME": str(home), "SLOWWAVE_GENERIC_LOGS": str(tmp_path / "logs")}
    assert {log.path for log in readers(env)["generic"].discover(env, tmp_path)} == {ingested, configured}


def validator() -> Draft202012Validator:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_the_builders_rows_satisfy_the_schema() -> None:
    for row in [*generic_rows(DEFAULT_TURNS, kind="interactive"), {"type": "rollback", "turns": 1}]:
        validator().validate(row)


@pytest.mark.parametrize(
    "row",
    [
        {"type": "session", "format": "other", "version": 1, "id": "x"},
        {"type": "session", "format": "slowwave", "version": 1},
        {"type": "message", "role": "system", "content": "x"},
        {"type": "message", "role": "user"},
        {"type": "rollback", "turns": 0},
        {"type": "unheard-of"},
        {"type": "tool", "name": "x", "exit_status": "1"},
    ],
)
def test_wrong_rows_do_not_satisfy_the_schema(row: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        validator().validate(row)
