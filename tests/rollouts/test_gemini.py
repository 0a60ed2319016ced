"""Gemini CLI's logs in both forms."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from slowwave.rollouts.model import Item, ItemKind, SessionFacts
from slowwave.rollouts.readers import readers
from slowwave.storage.types import SessionKind
from tests.support.agent_logs import GEMINI_ID, gemini_header, gemini_messages, gemini_session
from tests.support.logs import DEFAULT_TURNS, Assistant, Step, User, write_lines
from tests.support.reading import read, read_as, shape

TURNS: list[Step] = [User("one"), Assistant("a"), User("two"), Assistant("b"), User("three"), Assistant("c")]
NAME = "session-2026-06-01T09-00-abcdef01.jsonl"


def read_rows(tmp_path: Path, rows: list[dict[str, Any]]) -> tuple[SessionFacts, list[Item]]:
    return read_as("gemini", write_lines(tmp_path / "tmp" / "slug" / "chats" / NAME, rows))


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_both_forms_read_alike(tmp_path: Path, suffix: str) -> None:
    facts, items = read(gemini_session(tmp_path / "chats" / f"session-x{suffix}", DEFAULT_TURNS))
    assert facts.thread_id == f"gemini:{GEMINI_ID}"
    assert [item.kind.value for item in items] == [
        "user_text",
        "assistant_text",
        "tool_call",
        "tool_result",
        "tool_call",
        "tool_result",
        "assistant_text",
    ]
    assert [(item.exit_status, item.failed) for item in items if item.kind is ItemKind.TOOL_RESULT] == [
        (2, True),
        (0, False),
    ]
    assert facts.model == "gemini-2.5-pro" and not facts.damaged


def test_of_rows_with_one_id_the_last_one_counts_at_the_first_ones_place(tmp_path: Path) -> None:
    rows = gemini_messages(TURNS)
    partial = rows[1] | {"content": "a (still wri"}
    _, items = read_rows(tmp_path, [gemini_header(), rows[0], partial, *rows[1:], rows[1] | {"content": "a!"}])
    assert [item.text for item in items] == ["one", "a!", "two", "b", "three", "c"]


def test_a_rewind_undoes_a_message_and_all_after_it(tmp_path: Path) -> None:
    rows = gemini_messages(TURNS)
    new = gemini_messages([User("other")])[0] | {"id": "new"}
    facts, items = read_rows(tmp_path, [gemini_header(), *rows, {"$rewindTo": rows[2]["id"]}, new])
    assert [item.text for item in items] == ["one", "a", "other"]
    assert [item.index for item in items] == [0, 1, 6]
    assert len(facts.rolled_back) == 4


def test_a_rewind_to_an_unknown_id_undoes_everything(tmp_path: Path) -> None:
    rows = gemini_messages(TURNS)
    facts, items = read_rows(tmp_path, [gemini_header(), *rows, {"$rewindTo": "nowhere"}])
    assert items == []
    assert len(facts.rolled_back) == 6


def test_a_list_set_anew_takes_the_place_of_what_was_there(tmp_path: Path) -> None:
    rows = gemini_messages(TURNS)
    again = {"$set": {"messages": [rows[0], rows[1] | {"content": "a, again"}], "summary": "Title"}}
    facts, items = read_rows(tmp_path, [gemini_header(), *rows, again, rows[4]])
    assert [item.text for item in items] == ["one", "a, again", "three"]
    assert facts.title == "Title"


def test_rows_both_in_lists_and_bare_count_once(tmp_path: Path) -> None:
    rows = gemini_messages(TURNS)
    batch = {"$set": {"messages": rows}}
    _, items = read_rows(tmp_path, [gemini_header(), *rows, batch, *rows, batch])
    assert len(items) == 6


def test_a_missing_project_hash_and_header(tmp_path: Path) -> None:
    header = gemini_header()
    del header["projectHash"]
    facts, items = read_rows(tmp_path, [header, *gemini_messages(TURNS)])
    assert len(items) == 6 and facts.session_id == GEMINI_ID
    facts, items = read_rows(tmp_path, gemini_messages(TURNS))
    assert len(items) == 6 and facts.session_id == "2026-06-01T09-00-abcdef01"


def test_the_folder_from_the_note_beside_the_chats(tmp_path: Path) -> None:
    (tmp_path / "tmp" / "slug").mkdir(parents=True)
    (tmp_path / "tmp" / "slug" / ".project_root").write_text("/home/dev/project\n")
    facts, items = read_rows(tmp_path, [gemini_header(), *gemini_messages(TURNS)])
    assert (facts.cwd, items[0].cwd) == ("/home/dev/project", "/home/dev/project")
    assert facts.turns_by_cwd == {"/home/dev/project": 3}


@pytest.mark.parametrize("where", ["projects", "directories", "result"])
def test_the_folder_from_the_projects_hash(tmp_path: Path, where: str) -> None:
    root = "/home/dev/project"
    header = gemini_header(projectHash=hashlib.sha256(root.encode()).hexdigest())
    messages = gemini_messages(TURNS)
    if where == "projects":
        (tmp_path / "projects.json").write_text(json.dumps({"projects": {"/x/y": "other", root: "slug"}}))
    elif where == "directories":
        header["directories"] = [f"{root}/sub"]
    else:
        response = {"functionResponse": {"response": {"output": f"wrote {root}/src/a.py."}}}
        messages[1]["toolCalls"] = [{"id": "c", "name": "write_file", "args": {}, "result": [response]}]
    facts, _ = read_rows(tmp_path, [header, *messages])
    assert facts.cwd == root
    assert facts.turns_by_cwd == {root: 3}


def test_without_any_trace_of_the_folder_each_project_stays_apart(tmp_path: Path) -> None:
    facts, _ = read_rows(tmp_path, [gemini_header(), *gemini_messages(TURNS)])
    assert facts.cwd == str(tmp_path / "tmp" / "slug")


def test_attached_files_and_injected_text_are_not_the_users_words(tmp_path: Path) -> None:
    rows = gemini_messages([User("x"), User("y"), User("z"), User("w")])
    rows[0]["content"] = "<session_context>\nToday is Monday\n</session_context>"
    rows[1]["content"] = [{"text": "explain @a.py"}, {"text": "\n--- Content from referenced files ---\nrm -rf /"}]
    rows[2]["content"] = "System: Please continue."
    rows[3] |= {"type": "info", "content": "/about"}
    _, items = read_rows(tmp_path, [gemini_header(), *rows])
    assert shape(items) == [
        ("context", "--- Content from referenced files ---\nrm -rf /"),
        ("user_text", "explain @a.py"),
    ]


def test_subagents_and_continued_documents(tmp_path: Path) -> None:
    chats = tmp_path / ".gemini" / "tmp" / "slug" / "chats"
    old = gemini_session(chats / "session-a.json", TURNS)
    new = gemini_session(chats / "session-a.jsonl", TURNS)
    other = gemini_session(chats / "session-b.json", TURNS)
    child = gemini_session(chats / GEMINI_ID / "child.jsonl", TURNS, kind="subagent", session_id="child")
    write_lines(tmp_path / ".gemini" / "tmp" / "slug" / "logs.json", [])
    found = {log.path for log in readers({})["gemini"].discover({}, tmp_path)}
    assert found == {new, other, child} and old not in found
    facts, _ = read(child)
    assert (facts.kind, facts.parent_session_id) == (SessionKind.SUBAGENT, GEMINI_ID)


def test_a_cut_document_keeps_its_whole_messages(tmp_path: Path) -> None:
    path = gemini_session(tmp_path / "chats" / "session-x.json", TURNS)
    data = path.read_bytes()
    path.write_bytes(data[: data.index(b'"three"')])
    facts, items = read_as("gemini", path)
    assert [item.text for item in items] == ["one", "a", "two", "b"]
    assert (facts.damaged, facts.session_id) == (1, GEMINI_ID)


def test_memory_holds_places_not_messages(tmp_path: Path) -> None:
    import tracemalloc

    rows = [gemini_header()]
    message = gemini_messages([User("x" * 100_000)])[0]
    rows += [message | {"id": f"m{number % 50}"} for number in range(400)]
    path = write_lines(tmp_path / "tmp" / "s" / "chats" / NAME, rows)
    assert path.stat().st_size > 40_000_000
    tracemalloc.start()
    facts, _ = read_as("gemini", path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert facts.items["user_text"] == 50
    assert peak < 20_000_000
