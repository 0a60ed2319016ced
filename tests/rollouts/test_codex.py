"""Codex rollouts of every era."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from slowwave.errors import RolloutUnreadable
from slowwave.rollouts.model import Item, ItemKind, SessionFacts
from slowwave.rollouts.readers import readers
from slowwave.storage.types import SessionKind
from tests.support.logs import DEFAULT_TURNS, Assistant, Step, Tool, User, codex_rows, codex_session, write_lines
from tests.support.reading import read, read_as, shape, texts

OWN = "0197f000-0000-7000-8000-000000000001"
PARENT = "0197e000-0000-7000-8000-00000000000a"


def read_rows(tmp_path: Path, rows: list[dict[str, Any]]) -> tuple[SessionFacts, list[Item]]:
    return read_as("codex", write_lines(tmp_path / f"rollout-2026-06-01T09-00-00-{OWN}.jsonl", rows))


def event(kind: str, time: str = "2026-06-01T09:01:00Z", **payload: Any) -> dict[str, Any]:
    return {"timestamp": time, "type": "event_msg", "payload": {"type": kind, **payload}}


def item(payload: dict[str, Any], time: str = "2026-06-01T09:01:00Z") -> dict[str, Any]:
    return {"timestamp": time, "type": "response_item", "payload": payload}


def message(role: str, text: str) -> dict[str, Any]:
    block = "output_text" if role == "assistant" else "input_text"
    return item({"type": "message", "role": role, "content": [{"type": block, "text": text}]})


def test_a_plain_session(tmp_path: Path) -> None:
    remote = "https://user:word@github.com/Dev/Project.git"
    facts, items = read(codex_session(tmp_path / "codex", remote=remote))
    assert facts.thread_id == f"codex:{OWN}"
    assert (facts.kind, facts.cwd, facts.branch) == (SessionKind.INTERACTIVE, "/home/dev/project", "main")
    assert facts.remote == "https://github.com/Dev/Project.git"
    assert facts.model == "gpt-5.5"
    assert len(items) == 7 and not facts.unknown
    results = [(entry.exit_status, entry.failed) for entry in items if entry.kind is ItemKind.TOOL_RESULT]
    assert results == [(2, True), (0, False)]


@pytest.mark.parametrize("mirror", [True, False])
def test_messages_count_once_with_and_without_mirrored_events(tmp_path: Path, mirror: bool) -> None:
    turns: list[Step] = [User("yes"), Assistant("ok"), User("yes"), Assistant("ok"), User("yes")]
    _, items = read_rows(tmp_path, codex_rows(turns, mirror=mirror))
    assert texts(items) == ["yes", "yes", "yes"]
    assert texts(items, ItemKind.ASSISTANT_TEXT) == ["ok", "ok"]


def test_a_prompt_that_only_an_event_records_is_found(tmp_path: Path) -> None:
    rows = [*codex_rows([]), event("user_message", message="hello"), event("agent_message", message="hi")]
    _, items = read_rows(tmp_path, rows)
    assert shape(items) == [("user_text", "hello"), ("assistant_text", "hi")]


def test_the_paginated_form_with_ordinals_and_completed_items(tmp_path: Path) -> None:
    user = {"type": "UserMessage", "id": "u1", "content": [{"type": "text", "text": "hello"}]}
    agent = {"type": "AgentMessage", "id": "a1", "content": [{"type": "Text", "text": "hi"}]}
    rows = codex_rows([], meta={"history_mode": "paginated"})
    rows += [message("user", "hello"), event("item_completed", item=user)]
    rows += [message("assistant", "hi"), event("item_completed", item=agent)]
    rows += [event("item_completed", item=user | {"content": [{"type": "text", "text": "only here"}]})]
    rows = [row | {"ordinal": number} for number, row in enumerate(rows)]
    _, items = read_rows(tmp_path, rows)
    assert shape(items) == [("user_text", "hello"), ("assistant_text", "hi"), ("user_text", "only here")]


def test_the_bare_era_without_envelope_times_or_folder(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"id": OWN, "timestamp": "2025-08-01T10:00:00Z", "instructions": None, "git": {"branch": "dev"}},
        {"record_type": "state"},
        {
            "type": "message",
            "role": "user",
            "content": [
                {
                    "type": "input_text",
                    "text": "<environment_context>\n  <cwd>/home/dev/old</cwd>\n</environment_context>",
                }
            ],
        },
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "fix it"}]},
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "name": "shell", "arguments": '{"command":["bash","-lc","make"]}', "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": '{"output":"no","metadata":{"exit_code":2}}'},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]},
    ]
    facts, items = read(write_lines(tmp_path / "rollout-old.jsonl", rows))
    assert (facts.agent, facts.session_id, facts.cwd, facts.branch) == ("codex", OWN, "/home/dev/old", "dev")
    assert [entry.kind.value for entry in items] == ["user_text", "tool_call", "tool_result", "assistant_text"]
    assert items[2].exit_status == 2
    assert facts.last_activity is not None and facts.last_activity.isoformat() == "2025-08-01T10:00:00+00:00"
    assert facts.turns_by_cwd == {"/home/dev/old": 1}


def test_compressed_rollouts(tmp_path: Path) -> None:
    plain = codex_session(tmp_path / "codex")
    expected, items = read(plain)
    packed = plain.with_name(plain.name + ".zst")
    packed.write_bytes(zstandard.ZstdCompressor(level=3).compress(plain.read_bytes()))
    plain.unlink()
    facts, unpacked = read(packed)
    assert facts == expected
    assert unpacked == items
    assert [log.path for log in readers({})["codex"].discover({"CODEX_HOME": str(tmp_path / "codex")}, tmp_path)] == [
        packed
    ]


def test_the_plain_file_wins_over_its_compressed_twin(tmp_path: Path) -> None:
    plain = codex_session(tmp_path / "codex")
    plain.with_name(plain.name + ".zst").write_bytes(b"\x28\xb5\x2f\xfd stale")
    found = list(readers({})["codex"].discover({"CODEX_HOME": str(tmp_path / "codex")}, tmp_path))
    assert [log.path for log in found] == [plain]


def test_a_damaged_compressed_file_is_unreadable_as_a_whole_or_cut_but_never_raises_otherwise(tmp_path: Path) -> None:
    data = zstandard.ZstdCompressor().compress(b"".join(json.dumps(row).encode() + b"\n" for row in codex_rows()))
    broken = tmp_path / f"rollout-2026-06-01T09-00-00-{OWN}.jsonl.zst"
    broken.write_bytes(data[:20] + b"\xff" * 8 + data[28:])
    with pytest.raises(RolloutUnreadable):
        read_as("codex", broken)


def test_archived_rollouts_are_sessions_and_other_files_are_not(tmp_path: Path) -> None:
    root = tmp_path / "codex"
    archived = codex_session(root / "archived_sessions" / f"rollout-2026-06-01T09-00-00-{OWN}.jsonl")
    for name in ("history.jsonl", "session_index.jsonl", "sessions/2026/06/01/notes.jsonl"):
        write_lines(root / name, [{}])
    found = readers({})["codex"].discover({"CODEX_HOME": str(root)}, tmp_path)
    assert [log.path for log in found] == [archived]


def test_headers_that_are_appended_again_update_but_do_not_rename(tmp_path: Path) -> None:
    rows = codex_rows()
    again = json.loads(json.dumps(rows[0]))
    again["payload"]["git"]["branch"] = "feature"
    facts, items = read_rows(tmp_path, [*rows, again, *[again] * 30])
    assert (facts.session_id, facts.branch, len(items)) == (OWN, "feature", 7)


def test_repeated_headers_without_an_id_are_no_fork(tmp_path: Path) -> None:
    rows = codex_rows()
    del rows[0]["payload"]["id"]
    facts, items = read_rows(tmp_path, [rows[0], rows[0], *rows[1:]])
    assert (facts.session_id, len(items)) == (OWN, 7)


def test_a_spawned_thread_leaves_out_what_it_replays_of_its_parent(tmp_path: Path) -> None:
    fork = "2026-06-01T09:00:00.000Z"
    source = {"subagent": {"thread_spawn": {"parent_thread_id": PARENT, "depth": 1}}}
    rows = codex_rows([User("own task"), Assistant("own answer")], source=source)
    parent = codex_rows([User("parent's words"), Assistant("parent's answer")], session_id=PARENT)
    replay = [row | {"timestamp": fork} for row in parent]
    boundary = event("task_started", turn_id="0197f000-0001-7000-8000-00000000000b")
    facts, items = read_rows(tmp_path, [rows[0], *replay, boundary, *rows[3:]])
    assert shape(items) == [("user_text", "own task"), ("assistant_text", "own answer")]
    assert (facts.session_id, facts.kind, facts.parent_session_id) == (OWN, SessionKind.SUBAGENT, PARENT)
    assert facts.dropped["replayed"] > 3


def test_a_fork_without_the_parents_header_replays_too(tmp_path: Path) -> None:
    rows = codex_rows([User("own words"), Assistant("own answer")], meta={"forked_from_id": PARENT})
    parent = codex_rows([User("parent's words"), Assistant("x")], session_id=PARENT)[2:]
    old_turn = event("task_started", turn_id=PARENT)
    new_turn = event("task_started", turn_id="0197f000-0001-7000-8000-00000000000b")
    facts, items = read_rows(tmp_path, [rows[0], old_turn, *parent, new_turn, *rows[3:]])
    assert texts(items) == ["own words"]
    assert facts.parent_session_id == PARENT


def test_a_fork_without_turn_ids_begins_where_time_moves_on(tmp_path: Path) -> None:
    rows = codex_rows([User("own words"), Assistant("own answer")], meta={"forked_from_id": PARENT})
    replay = [message("user", "parent's words") | {"timestamp": rows[0]["timestamp"]}]
    for row in rows:
        row["payload"].pop("turn_id", None)
    _, items = read_rows(tmp_path, [rows[0], *replay, *rows[3:]])
    assert texts(items) == ["own words"]


@pytest.mark.parametrize(
    ("undone", "left"), [(1, ["one", "two"]), (2, ["one"]), (3, []), (99, []), (0, ["one", "two", "three"])]
)
def test_rolled_back_turns_are_left_out(tmp_path: Path, undone: int, left: list[str]) -> None:
    turns: list[Step] = [User("one"), Assistant("a"), User("two"), Tool("ls"), User("three"), Assistant("c")]
    facts, items = read_rows(tmp_path, [*codex_rows(turns), event("thread_rolled_back", num_turns=undone)])
    assert texts(items) == left
    assert facts.items["user_text"] == len(left)


def test_rollbacks_after_rollbacks_count_what_still_stands(tmp_path: Path) -> None:
    turns: list[Step] = [User("one"), User("two"), User("three")]
    back = event("thread_rolled_back", num_turns=1)
    more = [message("user", "four")]
    _, items = read_rows(tmp_path, [*codex_rows(turns), back, back, *more, back])
    assert texts(items) == ["one"]


def test_a_prompt_wrapped_in_ide_context_is_the_users(tmp_path: Path) -> None:
    text = "# Context from my IDE setup:\n\n## Active file: a.py\n\n## My request for Codex:\nrename it\n"
    rows = [*codex_rows([]), message("user", text), event("user_message", message=text)]
    _, items = read_rows(tmp_path, rows)
    assert texts(items) == ["rename it"]
    assert texts(items, ItemKind.CONTEXT) == ["# Context from my IDE setup:\n\n## Active file: a.py"]


def test_instructions_and_developer_messages_are_dropped(tmp_path: Path) -> None:
    rows = [
        *codex_rows([]),
        message("developer", "Always use tabs."),
        message("user", "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nUse tabs\n</INSTRUCTIONS>"),
        message("user", "<user_instructions>\nUse tabs\n</user_instructions>"),
        item({"type": "reasoning", "summary": [], "encrypted_content": "x" * 100}),
        item({"type": "agent_message", "content": [{"type": "input_text", "text": "from another agent"}]}),
        {"timestamp": "2026-06-01T09:01:00Z", "type": "world_state", "payload": {"full": True}},
        {
            "timestamp": "2026-06-01T09:01:00Z",
            "type": "compacted",
            "payload": {
                "message": "Sum",
                "replacement_history": [
                    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "copied"}]}
                ],
            },
        },
    ]
    facts, items = read_rows(tmp_path, [rows[0], *rows[3:], message("user", "x")])
    assert [entry.text for entry in items if entry.kind is not ItemKind.SUMMARY] == ["x"]
    assert not facts.unknown


@pytest.mark.parametrize(
    ("output", "text", "status", "failed"),
    [
        ('{"output":"x","metadata":{"exit_code":3}}', "x", 3, True),
        (
            "Exit code: 0\nWall time: 0 seconds\nOutput:\nok",
            "Exit code: 0\nWall time: 0 seconds\nOutput:\nok",
            0,
            False,
        ),
        (
            "Chunk ID: a\nProcess exited with code 1\nOutput:\nno",
            "Chunk ID: a\nProcess exited with code 1\nOutput:\nno",
            1,
            True,
        ),
        ("plain", "plain", None, None),
        ({"content": "no", "success": False}, "no", None, True),
        (
            [{"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": "data:x"}],
            "a\n[image]",
            None,
            None,
        ),
        ({"type": "input_text", "text": "a.txt"}, "a.txt", None, None),
        (None, "", None, None),
    ],
)
def test_outputs_in_all_their_forms(
    tmp_path: Path, output: Any, text: str, status: int | None, failed: bool | None
) -> None:
    call = item({"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"})
    result = item({"type": "function_call_output", "call_id": "c", "output": output})
    _, items = read_rows(tmp_path, [*codex_rows([]), call, result])
    assert (items[-1].text, items[-1].exit_status, items[-1].failed) == (text, status, failed)
    assert items[-1].tool == "shell"


def test_calls_in_all_their_forms(tmp_path: Path) -> None:
    calls = [
        item({"type": "function_call", "name": "exec_command", "arguments": '{"cmd":"git fetch"}', "call_id": "1"}),
        item({"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin Patch", "call_id": "2"}),
        item({"type": "local_shell_call", "action": {"command": ["ls", "-l"]}, "call_id": "3"}),
        item({"type": "web_search_call", "action": {"type": "search", "query": "q"}}),
        item({"type": "function_call", "name": "update_plan", "arguments": '{"plan":[]}', "call_id": "4"}),
    ]
    _, items = read_rows(tmp_path, [*codex_rows([]), *calls])
    assert [(entry.tool, entry.text) for entry in items] == [
        ("exec_command", "git fetch"),
        ("apply_patch", "*** Begin Patch"),
        ("shell", "ls -l"),
        ("web_search", "q"),
        ("update_plan", '{"plan":[]}'),
    ]


def test_answers_to_a_question_of_the_agent(tmp_path: Path) -> None:
    questions = {"questions": [{"id": "q1", "options": [{"label": "SQLite"}]}, {"id": "q2", "options": []}]}
    call = item(
        {"type": "function_call", "name": "request_user_input", "arguments": json.dumps(questions), "call_id": "c"}
    )
    answers = {"answers": {"q1": {"answers": ["SQLite", "user_note: keep it small"]}, "q2": {"answers": ["port 81"]}}}
    result = item({"type": "function_call_output", "call_id": "c", "output": json.dumps(answers)})
    _, items = read_rows(tmp_path, [*codex_rows([]), call, result])
    assert texts(items) == ["keep it small", "port 81"]


@pytest.mark.parametrize(
    ("meta", "kind"),
    [
        ({"source": "cli"}, SessionKind.INTERACTIVE),
        ({"source": "vscode", "memory_mode": "enabled"}, SessionKind.INTERACTIVE),
        ({"source": {"custom": "atlas"}}, SessionKind.INTERACTIVE),
        ({"source": "exec"}, SessionKind.HEADLESS),
        ({"source": "mcp"}, SessionKind.HEADLESS),
        ({"source": {"internal": "x"}}, SessionKind.HEADLESS),
        ({"source": {"subagent": "review"}}, SessionKind.SUBAGENT),
        ({"source": "cli", "memory_mode": "disabled"}, SessionKind.EPHEMERAL),
        ({"source": "cli", "memory_mode": "polluted"}, SessionKind.EPHEMERAL),
        ({"source": "unknown", "originator": "codex_exec"}, SessionKind.HEADLESS),
    ],
)
def test_who_drove_a_thread(tmp_path: Path, meta: dict[str, Any], kind: SessionKind) -> None:
    assert read_rows(tmp_path, codex_rows(DEFAULT_TURNS, meta=meta))[0].kind == kind


def test_unknown_rows_are_counted(tmp_path: Path) -> None:
    odd: list[Any] = [
        {"timestamp": "x", "type": "hologram", "payload": {}},
        event("brand_new"),
        item({"type": "telepathy"}),
        item({"type": "message", "role": "user", "content": None}),
        {"timestamp": "x", "type": "response_item", "payload": {"type": "message", "role": 7, "content": 7}},
    ]
    facts, items = read_rows(tmp_path, [*codex_rows(), *odd])
    assert len(items) == 7
    assert facts.unknown == {"hologram": 1, "event_msg/brand_new": 1, "response_item/telepathy": 1}
