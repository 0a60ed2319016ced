"""Input that broke other readers, by the public reports on it. One test or more for each kind of report."""

from __future__ import annotations

import json
import os
import subprocess
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from slowwave.rollouts.identity.projects import identify, project_of
from slowwave.rollouts.model import ItemKind
from slowwave.rollouts.readers import readers
from tests.support.agent_logs import (
    add_opencode_session,
    gemini_header,
    gemini_messages,
    opencode_connection,
    opencode_tree,
)
from tests.support.logs import Assistant, Step, Tool, User, claude_rows, claude_session, codex_rows, write_lines
from tests.support.reading import read_as, read_with, texts

TURNS: list[Step] = [User("one"), Assistant("a"), User("two"), Assistant("b")]


def claude(tmp_path: Path, rows: list[Any]) -> Any:
    return read_as("claude", write_lines(tmp_path / "c.jsonl", rows))


def codex(tmp_path: Path, rows: list[Any]) -> Any:
    return read_as("codex", write_lines(tmp_path / "rollout-x.jsonl", rows))


def test_01_partial_rows_of_one_answer_add_up_to_one_answer(tmp_path: Path) -> None:
    """ccusage#901, #938, #888: several rows carry one message id."""
    rows = claude_rows([User("go"), Assistant("first block"), Assistant("second block")])
    for row in rows[1:]:
        row["message"] |= {"id": "msg_1", "stop_reason": None, "usage": {"output_tokens": 1}}
    _, items = claude(tmp_path, rows)
    assert texts(items, ItemKind.ASSISTANT_TEXT) == ["first block", "second block"]


def test_02_answers_without_a_request_id_are_not_taken_for_one(tmp_path: Path) -> None:
    """ccusage PR 985, tokscale PR 563: gateways write no request id."""
    _, items = claude(tmp_path, claude_rows(TURNS))
    assert all("requestId" not in row for row in claude_rows(TURNS))
    assert texts(items, ItemKind.ASSISTANT_TEXT) == ["a", "b"]


def test_03_rows_that_a_resumed_file_copies_keep_their_ids(tmp_path: Path) -> None:
    """claude-code-history-viewer#283, ClaudeBar#207: the same event in two files has the same uid."""
    rows = claude_rows(TURNS)
    copied = [row | {"sessionId": "22222222-2222-4222-8222-222222222222"} for row in rows]
    (_, first), (_, second) = claude(tmp_path, rows), claude(tmp_path, copied)
    assert [item.uid for item in first] == [item.uid for item in second]
    assert len({item.uid for item in first}) == 4


@pytest.mark.parametrize(
    "cwd", ["/home/dev/Auto-Claude.app", "/home/dev/my project", "/home/dev/a.b/c_d", "/home/dev/-x--y"]
)
def test_04_to_06_the_folders_name_is_never_decoded(tmp_path: Path, cwd: str) -> None:
    """claude-code#9221, #18829, deja-vu#28, claudecodeui#471, lcm#534, clay PR 182: the escaped name is ambiguous."""
    path = claude_session(tmp_path, TURNS, cwd=cwd)
    facts, _ = read_as("claude", path)
    assert facts.cwd == cwd
    assert project_of(facts).root == os.path.normpath(cwd)


def test_07_a_linked_working_folder_is_one_project(tmp_path: Path) -> None:
    """notebook-intelligence PR 171, claude-code#74043: /tmp and /private/tmp."""
    (tmp_path / "private" / "app").mkdir(parents=True)
    (tmp_path / "alias").symlink_to(tmp_path / "private")
    assert identify(str(tmp_path / "alias" / "app")) == identify(str(tmp_path / "private" / "app"))


@pytest.mark.parametrize("linked", ["projects", "bucket", "root"])
def test_08_linked_log_folders_are_followed(tmp_path: Path, linked: str) -> None:
    """claude-code#46342, #59393, #51488, #71473."""
    real = tmp_path / "real"
    bucket = claude_session(real, TURNS).parent
    root = tmp_path / "claude"
    if linked == "root":
        root.symlink_to(real)
    elif linked == "projects":
        root.mkdir()
        (root / "projects").symlink_to(real / "projects")
    else:
        (root / "projects").mkdir(parents=True)
        (root / "projects" / "b").symlink_to(bucket)
    assert len(list(readers({})["claude"].discover({"CLAUDE_CONFIG_DIR": str(root)}, tmp_path))) == 1


def test_09_a_project_that_moved_in_mid_session(tmp_path: Path) -> None:
    """claude-code#81603, #86575: two folders in one file; most turns decide."""
    turns: list[Step] = [User("a", cwd="/gone/old"), User("b", cwd="/gone/new"), User("c", cwd="/gone/new")]
    facts, _ = claude(tmp_path, claude_rows(turns))
    assert project_of(facts).root == "/gone/new"


def test_10_worktrees_do_not_fragment_a_project(tmp_path: Path) -> None:
    """claude-code#52113, #30906, #78746: worktrees, and leftovers of foreign ones."""
    root = tmp_path / "repo"
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    leftover = root / ".claude" / "worktrees" / "old"
    leftover.mkdir(parents=True)
    (leftover / ".git").write_text("gitdir: /nowhere/.git/worktrees/old\n")
    assert identify(str(root / ".claude" / "worktrees" / "gone" / "src")).id == identify(str(root)).id
    assert identify(str(leftover)).root == str(root), "a link that leads nowhere names nobody"


def test_11_time_of_the_file_and_of_bookkeeping_do_not_count(tmp_path: Path) -> None:
    """claude-code#90954, episko PR 97, luke PR 71, work-buddy PR 200: files touched in bulk."""
    rows = [*claude_rows(TURNS), {"type": "last-prompt", "lastPrompt": "x"}, {"type": "mode", "mode": "x"}]
    path = write_lines(tmp_path / "c.jsonl", rows)
    os.utime(path, (2_000_000_000, 2_000_000_000))
    facts, _ = read_as("claude", path)
    assert facts.last_activity is not None
    assert facts.last_activity.isoformat() == "2026-06-01T09:00:40+00:00"


def test_12_times_are_aware_and_in_utc(tmp_path: Path) -> None:
    """claude-code#42559: local days need a zone."""
    rows = claude_rows(TURNS)
    rows[0]["timestamp"] = "2026-06-01T01:30:00+05:30"
    rows[1]["timestamp"] = "2026-05-31T20:01:00"
    _, items = claude(tmp_path, rows)
    assert [item.time.isoformat() for item in items[:2]] == ["2026-05-31T20:00:00+00:00", "2026-05-31T20:01:00+00:00"]
    assert all(item.time.tzinfo is UTC for item in items)


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_13_and_14_half_surrogate_pairs(tmp_path: Path, agent: str) -> None:
    """claude-code-log#16, #139, cognee-integrations#275, claude-code#61301, #68325, #69927, nanoclaw#889."""
    rows = claude_rows(TURNS) if agent == "claude" else codex_rows(TURNS)
    path = tmp_path / ("c.jsonl" if agent == "claude" else "rollout-x.jsonl")
    text = "\n".join(json.dumps(row).replace('"two"', '"tw\\udcb2o \\ud55c\\ud83d"') for row in rows)
    path.write_text(text + "\n")
    facts, items = read_as(agent, path)
    assert texts(items)[-1] == "tw\ufffdo 한\ufffd"
    assert facts.damaged == 0 and facts.content_hash


def test_15_lines_of_many_megabytes(tmp_path: Path) -> None:
    """getspecstory#108, entireio/cli#328, agenc#12, claude-agent-sdk-go PR 139, agentsview PR 20."""
    _, items = claude(tmp_path, claude_rows([User("one"), Tool("x", "y" * 15_000_000), User("two")]))
    assert texts(items) == ["one", "two"]


def test_16_screenshots_do_not_travel_further(tmp_path: Path) -> None:
    """codex#28531, SuperAgent PR 749: sessions full of base64."""
    image = {"type": "input_image", "image_url": "data:image/png;base64," + "QUJD" * 100_000}
    rows = codex_rows([User("one")])
    rows.append(
        {
            "timestamp": "2026-06-01T09:05:00Z",
            "type": "response_item",
            "payload": {"type": "function_call_output", "call_id": "c", "output": [image]},
        }
    )
    rows.append(
        {
            "timestamp": "2026-06-01T09:05:00Z",
            "type": "response_item",
            "payload": {
                "type": "function_call_output",
                "call_id": "d",
                "output": "see data:image/png;base64," + "QUJD" * 100_000,
            },
        }
    )
    _, items = codex(tmp_path, rows)
    assert [item.text for item in items[1:]] == ["[image]", "see [image]"]


def test_17_a_half_record_and_then_the_whole_one(tmp_path: Path) -> None:
    """codex#24425: on the same line, or on the next."""
    lines = [json.dumps(row) for row in codex_rows(TURNS)]
    path = tmp_path / "rollout-x.jsonl"
    for end in ("", "\n"):
        path.write_text("\n".join([*lines[:4], lines[4][:60] + end + lines[4], *lines[5:]]) + "\n")
        facts, items = read_as("codex", path)
        assert texts(items) == ["one", "two"]
        assert facts.damaged == 1


def test_18_a_byte_order_mark(tmp_path: Path) -> None:
    """codex#28138 and its like: one such file failed the whole listing."""
    path = write_lines(tmp_path / "rollout-x.jsonl", codex_rows(TURNS))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    facts, items = read_as("codex", path)
    assert facts.session_id.startswith("0197f000") and texts(items) == ["one", "two"]


def test_19_old_headers_and_missing_ordinals(tmp_path: Path) -> None:
    """codex#38341, #45150: a bare header, and ordinals after mixed versions."""
    rows = [row | ({"ordinal": number} if number % 3 else {}) for number, row in enumerate(codex_rows(TURNS))]
    assert texts(codex(tmp_path, rows)[1]) == ["one", "two"]
    bare = [
        {"id": "old", "timestamp": "2025-07-01T00:00:00Z"},
        *[row["payload"] for row in codex_rows(TURNS)[3:] if row["type"] == "response_item"],
    ]
    facts, items = codex(tmp_path, bare)
    assert (facts.session_id, texts(items)) == ("old", ["one", "two"])


def test_20_reasoning_with_content_and_a_missing_id(tmp_path: Path) -> None:
    """codex#36551, agentbridge#40: third-party providers."""
    rows = codex_rows(TURNS)
    del rows[0]["payload"]["id"]
    rows.insert(
        4,
        {
            "timestamp": "2026-06-01T09:00:05Z",
            "type": "response_item",
            "payload": {"type": "reasoning", "content": [{"type": "text", "text": "secret thoughts"}]},
        },
    )
    facts, items = codex(tmp_path, rows)
    assert facts.session_id == "rollout-x.jsonl"
    assert "secret thoughts" not in [item.text for item in items]


def test_21_forks_do_not_multiply_their_parent(tmp_path: Path) -> None:
    """agentsview PR 657, PokeTokenBar#128, tokscale#679, codeburn PR 1383, CodexBar#3524."""
    parent = "0197e000-0000-7000-8000-00000000000a"
    source = {"subagent": {"thread_spawn": {"parent_thread_id": parent}}}
    own = codex_rows([User("own task")], source=source, meta={"session_id": parent})
    replay = [row | {"timestamp": own[0]["timestamp"]} for row in codex_rows(TURNS, session_id=parent)] * 3
    facts, items = codex(tmp_path, [own[0], *replay, *own[1:]])
    assert texts(items) == ["own task"]
    assert (facts.session_id, facts.parent_session_id) == ("0197f000-0000-7000-8000-000000000001", parent)


@pytest.mark.parametrize("metadata", [{"preservedSegment": {"a": 1}}, {"preservedMessages": []}, {}])
def test_22_compaction_neither_loses_nor_repeats_history(tmp_path: Path, metadata: dict[str, Any]) -> None:
    """claude-code#92849, #92089, jetbrains-cc-gui PR 1696: boundaries cut the chain of parents."""
    rows = claude_rows([*TURNS, User("three"), Assistant("c")])
    boundary = {
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": "b1",
        "parentUuid": None,
        "logicalParentUuid": rows[3]["uuid"],
        "compactMetadata": metadata,
    }
    summary = claude_rows([User("This session is being continued")])[0] | {"uuid": "s1", "isCompactSummary": True}
    rows[4]["parentUuid"] = rows[0]["uuid"]
    _, items = claude(tmp_path, [*rows[:4], boundary, summary, *rows[:4], *rows[4:]])
    assert [item.text for item in items] == ["one", "a", "two", "b", "three", "c"]


@pytest.mark.parametrize(
    "text",
    [
        "<task-notification>\n<task-id>b</task-id>\n<summary>done</summary>\n</task-notification>",
        "<system-reminder>\nAs you answer, never mention this.\n</system-reminder>",
        "[SYSTEM NOTIFICATION] wake up and continue",
        "Caveat: The messages below were generated by the user while running local commands.",
    ],
)
def test_23_injected_text_is_not_the_humans(tmp_path: Path, text: str) -> None:
    """claude-honcho#110, crewrig#866, claude-agent-acp PR 1040, episodic-memory PR 168, MemOS#1298."""
    facts, items = claude(tmp_path, claude_rows([User(text), Assistant("ok"), User("real")]))
    assert texts(items) == ["real"]
    assert facts.turns_by_cwd == {"/home/dev/project": 1}


def test_24_half_migrated_storage(tmp_path: Path) -> None:
    """opencode#13654, #36178, #13818, CodexBar#2544, ai-engineering-fluency PR 1340, mnemo#2."""
    root = tmp_path / "opencode"
    connection = opencode_connection(root / "opencode.db")
    add_opencode_session(connection, [User("in the log only")], session_id="ses_live")
    opencode_tree(root, [User("never migrated")], session_id="ses_old")
    reader = readers({})["opencode"]
    logs = sorted(reader.discover({"XDG_DATA_HOME": str(tmp_path)}, tmp_path), key=lambda log: log.key)
    assert [texts(read_with(reader, log)[1]) for log in logs] == [["in the log only"], ["never migrated"]]
    connection.close()


def test_25_gemini_duplicates_batches_and_rewinds(tmp_path: Path) -> None:
    """gemini-cli#27275, ccstats PR 146, ai-terminal-manager PR 27, cc-switch PR 2240, spool PR 404."""
    messages = gemini_messages([User("one"), Assistant("a"), User("wrong"), Assistant("b")])
    header = gemini_header()
    del header["projectHash"]
    rows = [
        header,
        messages[0],
        messages[1] | {"content": "a, half"},
        messages[1],
        {"$set": {"messages": messages}},
        *messages,
        {"$rewindTo": messages[2]["id"]},
        {"$set": {"lastUpdated": "2026-06-01T09:10:00Z"}},
    ]
    path = write_lines(tmp_path / ("0" * 64) / "chats" / "session-1.jsonl", rows)
    facts, items = read_as("gemini", path)
    assert [item.text for item in items] == ["one", "a"]
    assert facts.last_activity is not None
