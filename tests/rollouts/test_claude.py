"""Claude Code's logs."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path
from typing import Any

import pytest

from slowwave.rollouts.model import Item, ItemKind, Role, SessionFacts
from slowwave.rollouts.readers import readers
from slowwave.storage.types import SessionKind
from tests.support.logs import DEFAULT_TURNS, Assistant, Step, Tool, User, claude_rows, claude_session, write_lines
from tests.support.reading import read, read_as, shape, texts

SESSION = "11111111-1111-4111-8111-111111111111"


def read_rows(tmp_path: Path, rows: list[dict[str, Any]]) -> tuple[SessionFacts, list[Item]]:
    return read_as("claude", write_lines(tmp_path / f"{SESSION}.jsonl", rows))


def user_row(content: Any, **extra: Any) -> dict[str, Any]:
    row = claude_rows([User("x")])[0]
    row["message"]["content"] = content
    return row | {"uuid": f"row-{abs(hash(str(content)))}", "parentUuid": None, **extra}


def test_a_plain_session(tmp_path: Path) -> None:
    facts, items = read(claude_session(tmp_path / f"{SESSION}.jsonl"))
    assert facts.thread_id == f"claude:{SESSION}"
    assert (facts.kind, facts.cwd, facts.branch) == (SessionKind.INTERACTIVE, "/home/dev/project", "main")
    assert facts.turns_by_cwd == {"/home/dev/project": 1}
    assert facts.started is not None and facts.last_activity is not None
    assert (facts.last_activity - facts.started).total_seconds() == 40
    assert [(item.kind.value, item.exit_status, item.failed) for item in items if item.role is Role.TOOL] == [
        ("tool_result", 2, True),
        ("tool_result", 0, False),
    ]
    assert [item.final for item in items if item.kind is ItemKind.ASSISTANT_TEXT] == [False, True]
    assert not facts.unknown and not facts.damaged


def test_blocks_of_one_answer_written_as_several_rows_are_kept_in_order(tmp_path: Path) -> None:
    rows = claude_rows([User("go"), Assistant("one"), Assistant("two")])
    for row in rows[1:]:
        row["message"]["id"] = "msg_same"
        row["requestId"] = "req_same"
    _, items = read_rows(tmp_path, rows)
    assert texts(items, ItemKind.ASSISTANT_TEXT) == ["one", "two"]


def test_items_are_whole_data_classes(tmp_path: Path) -> None:
    """They are built field by field for speed: none may be missing, and they compare and copy like any other."""
    _, items = read(claude_session(tmp_path / f"{SESSION}.jsonl"))
    for item in items:
        assert item == Item(**{field.name: getattr(item, field.name) for field in fields(Item)})
        assert replace(item, text="x").text == "x"
        with pytest.raises(FrozenInstanceError):
            item.text = "y"  # type: ignore[misc]


@pytest.mark.parametrize("flag", ["isMeta", "isVisibleInTranscriptOnly"])
def test_rows_that_the_log_marks_as_not_typed(tmp_path: Path, flag: str) -> None:
    facts, items = read_rows(tmp_path, [user_row("Always use tabs.", **{flag: True})])
    assert items == []
    assert facts.dropped["meta"] == 1


def test_an_origin_other_than_human_is_dropped(tmp_path: Path) -> None:
    facts, items = read_rows(tmp_path, [user_row("Build finished.", origin={"kind": "task-notification"})])
    assert items == []
    assert facts.dropped["origin:task-notification"] == 1


def test_a_meta_image_note_does_not_take_the_prompt_with_it(tmp_path: Path) -> None:
    image = {"type": "image", "source": {"type": "base64", "data": "AAAA"}}
    rows = [
        user_row([{"type": "text", "text": "what is wrong here?"}, image]),
        user_row([{"type": "text", "text": "[Image: source: /tmp/x.png]"}], isMeta=True),
    ]
    _, items = read_rows(tmp_path, rows)
    assert texts(items) == ["what is wrong here?\n[image]"]


def test_blocks_of_one_row_are_judged_one_by_one(tmp_path: Path) -> None:
    blocks = [
        {"type": "text", "text": "<system-reminder>Always use tabs.</system-reminder>"},
        {"type": "text", "text": "<ide_opened_file>a.py</ide_opened_file>"},
        {"type": "text", "text": "rename this"},
    ]
    _, items = read_rows(tmp_path, [user_row(blocks)])
    assert shape(items) == [("context", "<ide_opened_file>a.py</ide_opened_file>"), ("user_text", "rename this")]


def test_an_accepted_plan_is_context_not_the_users_words(tmp_path: Path) -> None:
    facts, items = read_rows(tmp_path, [user_row("Do it:\n# Plan\nAlways use tabs.", planContent="# Plan")])
    assert [item.kind for item in items] == [ItemKind.CONTEXT]
    assert facts.items["user_text"] == 0


def test_a_summary_is_kept_only_where_the_originals_are_gone(tmp_path: Path) -> None:
    summary = user_row("This session is being continued...", isCompactSummary=True, isVisibleInTranscriptOnly=True)
    rows = claude_rows([User("one"), Assistant("two")])
    _, items = read_rows(tmp_path, [*rows, summary])
    assert texts(items, ItemKind.SUMMARY) == []
    _, items = read_rows(tmp_path, [summary, *rows])
    assert items[0].kind is ItemKind.SUMMARY


def test_a_users_own_shell_command_is_a_call_of_the_user(tmp_path: Path) -> None:
    rows = [
        user_row("<bash-input>make lint</bash-input>"),
        user_row("<bash-stdout>ok</bash-stdout><bash-stderr></bash-stderr>"),
    ]
    _, items = read_rows(tmp_path, rows)
    assert [(item.kind, item.role, item.text) for item in items] == [
        (ItemKind.TOOL_CALL, Role.USER, "make lint"),
        (ItemKind.TOOL_RESULT, Role.TOOL, "ok"),
    ]


def test_the_second_copy_of_a_tool_result_is_dropped(tmp_path: Path) -> None:
    path = claude_session(tmp_path / f"{SESSION}.jsonl", [User("go"), Tool("ls", "only-once.txt")])
    assert path.read_text().count("only-once.txt") == 2
    _, items = read(path)
    assert sum(item.text.count("only-once.txt") for item in items) == 1


def test_images_and_tool_references_in_results_become_markers(tmp_path: Path) -> None:
    rows = claude_rows([User("go"), Tool("screenshot")])
    rows[-1]["message"]["content"][0]["content"] = [
        {"type": "text", "text": "here:"},
        {"type": "image", "source": {"type": "base64", "data": "A" * 5000}},
        {"type": "tool_reference", "tool_name": "WebFetch"},
    ]
    _, items = read_rows(tmp_path, rows)
    assert items[-1].text == "here:\n[image]\n[tool WebFetch]"


def test_base64_inside_a_json_result_is_taken_out(tmp_path: Path) -> None:
    rows = claude_rows([User("go"), Tool("x")])
    rows[-1]["message"]["content"][0]["content"] = '{"type":"image","data":"' + "QUJD" * 400 + '","w":1}'
    _, items = read_rows(tmp_path, rows)
    assert items[-1].text == '{"type":"image","data":"[image]","w":1}'


@pytest.mark.parametrize(
    ("details", "status"),
    [
        ({"stdout": "", "interrupted": False}, 0),
        ({"stdout": "", "interrupted": True}, None),
        ({"stdout": "", "returnCodeInterpretation": "No matches found"}, None),
        ({"stdout": "", "backgroundTaskId": "b1"}, None),
        ("not an object", None),
    ],
)
def test_success_is_told_only_where_the_log_is_clear(tmp_path: Path, details: Any, status: int | None) -> None:
    rows = claude_rows([User("go"), Tool("grep x y")])
    rows[-1]["toolUseResult"] = details
    _, items = read_rows(tmp_path, rows)
    assert items[-1].exit_status == status


def test_synthetic_answers_and_reasoning_are_dropped(tmp_path: Path) -> None:
    rows = claude_rows([User("go"), Assistant("API Error: 529"), Assistant("x")])
    rows[1]["message"]["model"] = "<synthetic>"
    rows[2]["message"]["content"] = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "done"}]
    facts, items = read_rows(tmp_path, rows)
    assert texts(items, ItemKind.ASSISTANT_TEXT) == ["done"]
    assert facts.dropped["synthetic"] == facts.dropped["reasoning"] == 1
    assert facts.model == "claude-sonnet-4-5"


def test_inline_subagent_chatter_is_dropped(tmp_path: Path) -> None:
    side = claude_rows([User("Delegated: always use tabs."), Assistant("x")], session_id="side", sidechain=True)
    facts, items = read_rows(tmp_path, [*claude_rows(DEFAULT_TURNS), *side])
    assert len(items) == 7
    assert facts.kind == SessionKind.INTERACTIVE
    assert facts.dropped["sidechain"] == 2


@pytest.mark.parametrize("name", ["agent-0a1b2c3d.jsonl", f"{SESSION}/subagents/agent-0a1b2c3d.jsonl"])
def test_a_subagents_file_is_a_subagent_session_of_its_parent(tmp_path: Path, name: str) -> None:
    path = write_lines(tmp_path / name, claude_rows(DEFAULT_TURNS, session_id=SESSION, sidechain=True))
    facts, _ = read_as("claude", path)
    assert (facts.session_id, facts.kind, facts.parent_session_id) == ("agent-0a1b2c3d", SessionKind.SUBAGENT, SESSION)


@pytest.mark.parametrize(
    ("entrypoint", "kind"),
    [
        ("cli", SessionKind.INTERACTIVE),
        ("claude-desktop", SessionKind.INTERACTIVE),
        (None, SessionKind.INTERACTIVE),
        ("sdk-cli", SessionKind.HEADLESS),
        ("sdk-py", SessionKind.HEADLESS),
    ],
)
def test_headless_sessions_are_told_by_their_entry_point(
    tmp_path: Path, entrypoint: str | None, kind: SessionKind
) -> None:
    facts, _ = read_rows(tmp_path, claude_rows(DEFAULT_TURNS, entrypoint=entrypoint))
    assert facts.kind == kind


def test_a_background_fork_is_not_mined(tmp_path: Path) -> None:
    rows = [row | {"sessionKind": "bg"} for row in claude_rows()]
    assert read_rows(tmp_path, rows)[0].kind == SessionKind.HEADLESS


def test_our_own_runs_are_never_mined(tmp_path: Path) -> None:
    rows = claude_rows([User("<!-- slowwave:prompt stage_one -->\nRead this."), Assistant("{}")])
    assert read_rows(tmp_path, rows)[0].kind == SessionKind.OWN_RUN
    env = {"SLOWWAVE_HOME": str(tmp_path / "home")}
    path = claude_session(tmp_path / "x.jsonl", cwd=str(tmp_path / "home" / "runs" / "7"))
    from slowwave.rollouts.base import log_file

    assert readers(env)["claude"].scan(log_file("claude", path)).kind == SessionKind.OWN_RUN


def rewound_rows() -> list[dict[str, Any]]:
    """The user goes back behind the first answer and asks something else instead of the second prompt."""
    first = claude_rows([User("one"), Assistant("a"), User("two"), Assistant("b")])
    second = claude_rows([User("x")] * 5 + [User("three"), Assistant("c")])[5:]
    second[0]["parentUuid"] = first[1]["uuid"]
    return [*first, *second]


def test_rewound_turns_are_left_out_and_indexes_stay(tmp_path: Path) -> None:
    facts, items = read_rows(tmp_path, rewound_rows())
    assert texts(items) == ["one", "three"]
    assert [item.index for item in items] == [0, 1, 4, 5]
    assert facts.rolled_back == {2, 3}
    assert facts.items == {"user_text": 2, "assistant_text": 2}
    assert facts.turns_by_cwd == {"/home/dev/project": 2}


def test_the_hash_of_a_rewound_log_equals_that_of_one_without_the_rewound_turns(tmp_path: Path) -> None:
    rows = rewound_rows()
    with_rewound, _ = read_rows(tmp_path, rows)
    without, _ = read_rows(tmp_path, [*rows[:2], *rows[4:]])
    assert with_rewound.content_hash == without.content_hash


def test_a_boundary_of_compaction_never_gives_up_what_lies_before_it(tmp_path: Path) -> None:
    rows = rewound_rows()
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": None}
    facts, items = read_rows(tmp_path, [*rows[:4], boundary, *rows[4:]])
    assert texts(items) == ["one", "two", "three"]
    assert not facts.rolled_back


def test_history_that_is_appended_again_counts_once(tmp_path: Path) -> None:
    rows = claude_rows()
    facts, items = read_rows(tmp_path, [*rows, *rows])
    assert len(items) == 7
    assert facts.dropped["duplicate"] == len(rows)


def test_bookkeeping_changes_neither_the_hash_nor_the_last_activity(tmp_path: Path) -> None:
    rows = claude_rows()
    before, _ = read_rows(tmp_path, rows)
    later = {"timestamp": "2026-06-09T00:00:00.000Z"}
    more: list[dict[str, Any]] = [
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
        {"type": "custom-title", "customTitle": "A title", **later},
        {"type": "pr-link", "prNumber": 1, **later},
        {"type": "system", "subtype": "turn_duration", "uuid": "s1", **later},
    ]
    after, _ = read_rows(tmp_path, [*rows, *more])
    assert after.content_hash == before.content_hash
    assert after.last_activity == before.last_activity
    assert after.title == "A title"


def test_a_new_turn_changes_the_hash_and_keeps_the_indexes(tmp_path: Path) -> None:
    rows = claude_rows([*DEFAULT_TURNS, User("more"), Assistant("ok")])
    before, first = read_rows(tmp_path, rows[:7])
    after, second = read_rows(tmp_path, rows)
    assert after.content_hash != before.content_hash
    assert [(item.index, item.text) for item in second[:7]] == [(item.index, item.text) for item in first]


def test_a_time_in_the_far_future_does_not_count(tmp_path: Path) -> None:
    rows = claude_rows()
    rows[-1]["timestamp"] = "2999-01-01T00:00:00Z"
    facts, items = read_rows(tmp_path, rows)
    assert facts.last_activity is not None and facts.last_activity.year == 2026
    assert items[-1].time is None


def test_a_log_without_conversation_has_no_items(tmp_path: Path) -> None:
    facts, items = read_rows(tmp_path, [{"type": "summary", "summary": "Old title", "leafUuid": "x"}])
    assert items == []
    assert facts.title == "Old title"


def test_unknown_rows_and_fields_are_counted_and_harmless(tmp_path: Path) -> None:
    odd: list[Any] = [{"type": "brand-new", "x": 1}, {"no": "type"}, {"type": 7}, {"type": "user"}]
    odd += [{"type": "user", "message": []}, {"type": "assistant", "message": {"content": [1, None, {}]}}]
    facts, items = read_rows(tmp_path, [*odd, *claude_rows()])
    assert len(items) == 7
    assert sum(facts.unknown.values()) == 3


def test_several_folders_in_one_session_are_counted_by_turns(tmp_path: Path) -> None:
    turns: list[Step] = [User("a", cwd="/x/one"), User("b", cwd="/x/two"), User("c", cwd="/x/two")]
    facts, items = read_rows(tmp_path, claude_rows(turns))
    assert facts.turns_by_cwd == {"/x/one": 1, "/x/two": 2}
    assert [item.cwd for item in items] == ["/x/one", "/x/two", "/x/two"]


def test_a_renamed_file_is_known_by_its_rows(tmp_path: Path) -> None:
    facts, _ = read(claude_session(tmp_path / "backup of yesterday.jsonl"))
    assert facts.session_id == SESSION
    other = "33333333-3333-4333-8333-333333333333"
    facts, _ = read(claude_session(tmp_path / f"{other}.jsonl"))
    assert facts.session_id == other


def test_discovery_finds_sessions_and_subagents_but_nothing_else(tmp_path: Path) -> None:
    root = tmp_path / "claude"
    bucket = root / "projects" / "-home-dev-project"
    wanted = [
        bucket / f"{SESSION}.jsonl",
        bucket / "agent-0a1b2c3d.jsonl",
        bucket / SESSION / "subagents" / "agent-1.jsonl",
        bucket / SESSION / "subagents" / "workflows" / "wf_1" / "agent-2.jsonl",
    ]
    others = [
        root / "history.jsonl",
        bucket / SESSION / "subagents" / "workflows" / "wf_1" / "journal.jsonl",
        bucket / SESSION / "tool-results" / "x.jsonl",
        bucket / "memory" / "MEMORY.md",
        bucket / "sessions-index.json",
    ]
    for path in [*wanted, *others]:
        write_lines(path, [{}])
    found = readers({})["claude"].discover({"CLAUDE_CONFIG_DIR": str(root)}, tmp_path)
    assert sorted(log.path for log in found) == sorted(wanted)


def test_discovery_uses_both_default_roots(tmp_path: Path) -> None:
    one = claude_session(tmp_path / ".claude")
    two = claude_session(tmp_path / ".config" / "claude", session_id="22222222-2222-4222-8222-222222222222")
    assert {log.path for log in readers({})["claude"].discover({}, tmp_path)} == {one, two}
