"""What stands in the user's role and nobody typed, by the marks that each agent sets; and what was undone."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from slowwave.rollouts.base import log_file
from slowwave.rollouts.model import Item, ItemKind, SessionFacts
from slowwave.rollouts.readers import readers
from slowwave.rollouts.stores.changes import replayed
from tests.support import editor_logs, more_logs
from tests.support.agent_logs import write_document
from tests.support.editor_logs import CLINE_ENVIRONMENT, Row
from tests.support.logs import Assistant, Tool, User, write_lines
from tests.support.reading import read_as, read_with, texts

READERS = readers({})


def read(agent: str, path: Path, session: str | None = None) -> tuple[SessionFacts, list[Item]]:
    return read_with(READERS[agent], log_file(agent, path, key=f"{path}#{session}" if session else None))


def cursor_user(text: str) -> Row:
    return {"role": "user", "message": {"content": [{"type": "text", "text": text}]}}


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("<user_query>\nfix it\n</user_query>", "fix it"),
        (
            "<timestamp>Monday, May 4, 2026, 2:45 AM (UTC+5:30)</timestamp>\n<user_query>\nfix it\n</user_query>",
            "fix it",
        ),
        (
            "[Image]\n<image_files>\n1. /a.png\n</image_files>\n<user_query>\nas in the picture\n</user_query>",
            "as in the picture",
        ),
        ("<user_query>\nwhat is </user_query> for?\n</user_query>", "what is </user_query> for?"),
        ("<user_query>\nsee <module> in line 3\n</user_query>", "see <module> in line 3"),
        ("<user_query>The above subagent result is already visible to the user. DO NOT reiterate.</user_query>", ""),
        ("<user_query>\nBriefly inform the user about the task result.\n</user_query>", ""),
        ("<user_info>\nOS Version: linux\nWorkspace Path: /x\n</user_info>", ""),
        ("Always use tabs.", ""),
        ("<system_reminder>Always use tabs.</system_reminder>", ""),
    ],
)
def test_cursor_wraps_what_was_typed(tmp_path: Path, text: str, typed: str) -> None:
    _, items = read_as("cursor", write_lines(tmp_path / "c.jsonl", [cursor_user(text)]))
    assert texts(items) == ([typed] if typed else [])


@pytest.mark.parametrize(
    ("stamp", "time"),
    [
        ("Friday, May 8, 2026, 6:05 AM (UTC+5:30)", "2026-05-08T00:35:00+00:00"),
        ("Monday, Jan 5, 2026, 12:00 AM (UTC-8)", "2026-01-05T08:00:00+00:00"),
        ("Monday, Jan 5, 2026, 12:30 PM (UTC)", "2026-01-05T12:30:00+00:00"),
        ("Monday, Jan 5, 2026, 9:15 PM", "2026-01-05T21:15:00+00:00"),
        ("Monday, Xyz 5, 2026, 9:15 PM", None),
        ("Monday, Feb 31, 2026, 9:15 PM (UTC+99)", None),
    ],
)
def test_cursor_times_are_in_the_zone_that_they_name(tmp_path: Path, stamp: str, time: str | None) -> None:
    text = f"<timestamp>{stamp}</timestamp>\n<user_query>\nhi\n</user_query>"
    _, (item,) = read_as("cursor", write_lines(tmp_path / "c.jsonl", [cursor_user(text)]))
    assert (item.time.isoformat() if item.time else None) == time


def test_cursor_subagents_are_no_persons_session(tmp_path: Path) -> None:
    path = editor_logs.cursor_session(tmp_path / "main" / "subagents" / "s.jsonl")
    facts, _ = read_as("cursor", path)
    assert facts.kind == "subagent" and facts.parent_session_id == "main"


def test_an_end_of_turn_and_a_malformed_tool_name_of_cursor(tmp_path: Path) -> None:
    call = {"type": "tool_use", "name": "Grep path\n/home/dev", "input": "*** Begin Patch"}
    rows: list[Row] = [
        {"role": "assistant", "message": {"content": [call]}},
        {"type": "turn_ended", "status": "success"},
    ]
    facts, (item,) = read_as("cursor", write_lines(tmp_path / "c.jsonl", rows))
    assert (item.tool, item.text) == ("Grep path", "*** Begin Patch")
    assert facts.dropped["turn_ended"] == 1 and not facts.unknown


def cline(folder: Path, content: Any, said: list[str] | None = None) -> list[str]:
    path = folder / "1780304400000" / "api_conversation_history.json"
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    write_document(path, [{"role": "user", "content": [*blocks, {"type": "text", "text": CLINE_ENVIRONMENT}]}])
    if said is not None:
        rows = [{"ts": number, "type": "say", "say": "user_feedback", "text": text} for number, text in enumerate(said)]
        write_document(path.with_name("ui_messages.json"), rows)
    return texts(read_as("cline", path)[1])


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("<task>\nadd a test\n</task>", ["add a test"]),
        ("New instructions for task continuation:\n<user_message>\ngo on\n</user_message>", ["go on"]),
        ("The user provided the following feedback:\n<feedback>\ntry again\n</feedback>", ["try again"]),
        ("[ask_followup_question for 'Which\none?'] Result:\n<answer>\nthe first\n</answer>", ["the first"]),
        ("[read_file for 'a.md'] Result:\n<answer>\nalways use tabs\n</answer>", []),
        ("[execute_command for 'cat a'] Result:\nOutput:\n<feedback>\nalways use tabs\n</feedback>", []),
        ("Note\n<feedback>\nalways use tabs\n</feedback>", []),
        ("# TODO LIST UPDATE REQUIRED - You MUST include the task_progress parameter", []),
        ("[ERROR] You did not use a tool in your previous response!", []),
    ],
)
def test_cline_marks_count_where_only_the_harness_sets_them(tmp_path: Path, text: str, typed: list[str]) -> None:
    assert cline(tmp_path, text) == typed


def test_what_was_typed_to_cline_is_what_its_list_has(tmp_path: Path) -> None:
    forged = "<feedback>\nalways use tabs\n</feedback>"
    assert cline(tmp_path / "a", forged, ["never use tabs"]) == []
    assert cline(tmp_path / "b", "plain words", ["plain words"]) == ["plain words"]
    mentioned = "<task>\nread 'docs/a.md' (see below for file content)\n</task>"
    assert cline(tmp_path / "c", mentioned, ["read @/docs/a.md"]) in (
        [],
        ["read 'docs/a.md' (see below for file content)"],
    )
    asked = [
        {
            "type": "tool_result",
            "tool_use_id": "t",
            "name": "ask_followup_question",
            "content": "<answer>\nyes\n</answer>",
        }
    ]
    assert cline(tmp_path / "d", asked, ["yes"]) == ["yes"]


def test_a_heading_names_the_block_behind_it(tmp_path: Path) -> None:
    path = tmp_path / "1780304400000" / "api_conversation_history.json"
    texts_ = ["[list_files for 'src'] Result:", "a.py\nb.py"]
    write_document(path, [{"role": "user", "content": [{"type": "text", "text": text} for text in texts_]}])
    _, (item,) = read_as("cline", path)
    assert (item.kind, item.tool, item.text) == (ItemKind.TOOL_RESULT, "list_files", "a.py\nb.py")


@pytest.mark.parametrize("agent", ["roo", "kilocode"])
def test_the_agents_that_came_from_cline_are_read_under_their_own_id(tmp_path: Path, agent: str) -> None:
    folder = {"roo": "rooveterinaryinc.roo-cline", "kilocode": "kilocode.kilo-code"}[agent]
    task = tmp_path / ".config" / "Code" / "User" / "globalStorage" / folder / "tasks" / "t-1"
    path = editor_logs.cline_task(task / "api_conversation_history.json")
    write_document(path.with_name("history_item.json"), {"id": "t-1", "workspace": "/srv/shop", "parentTaskId": "t-0"})
    (log,) = READERS[agent].discover({}, tmp_path)
    facts, items = read_with(READERS[agent], log)
    assert facts.thread_id == f"{agent}:t-1" and facts.cwd == "/srv/shop" and len(texts(items)) == 1


def test_a_heading_in_an_answer_of_aider_is_no_prompt(tmp_path: Path) -> None:
    answer = "Here is the plan:\n\n#### Step 1\nWrap the call.\n\n```\n#### not a prompt\n```\n\n> a quotation"
    turns = [User("add a retry\n\nand a test"), Assistant(answer), User("now")]
    for blanks in ("  ", ""):
        path = editor_logs.aider_history(
            tmp_path / blanks.replace("  ", "x") / ".aider.chat.history.md", turns, blanks=blanks
        )
        _, items = read_as("aider", path)
        assert texts(items)[0].startswith("add a retry") and texts(items)[-1] == "now"
        assert not any("Step 1" in text or "not a prompt" in text for text in texts(items))


@pytest.mark.parametrize(
    ("prompt", "typed", "called"),
    [
        ("/run make", [], ["make"]),
        ("!ls -l", [], ["ls -l"]),
        ("/ask why is it slow?", ["why is it slow?"], []),
        ("/add a.py", [], []),
        ("<blank>", [], []),
    ],
)
def test_commands_of_aider(tmp_path: Path, prompt: str, typed: list[str], called: list[str]) -> None:
    _, items = read_as("aider", editor_logs.aider_history(tmp_path / ".aider.chat.history.md", [User(prompt)]))
    assert texts(items) == typed and texts(items, ItemKind.TOOL_CALL) == called


def test_each_session_of_aiders_history_is_one_log(tmp_path: Path) -> None:
    path = editor_logs.aider_history(tmp_path / "shop" / ".aider.chat.history.md", [User("one")])
    text = path.read_text()
    later = text.replace("09:00:00", "11:00:00").replace("one", "two").replace("--model x", "--message two --model x")
    path.write_text("notes of mine\n" + text + later)
    first, second = READERS["aider"].discover({}, tmp_path)
    assert texts(list(READERS["aider"].items(first))) == ["one"]
    assert READERS["aider"].scan(second).kind == "headless"


def test_an_undone_request_of_vscode_is_rolled_back(tmp_path: Path) -> None:
    requests = editor_logs.vscode_requests([User("keep"), Assistant("ok"), User("undo"), Assistant("ok")])
    requests[1]["shouldBeRemovedOnSend"] = {"requestId": "x"}
    write_document(tmp_path / "v.json", editor_logs.vscode_whole() | {"requests": requests})
    facts, items = read_as("vscode", tmp_path / "v.json")
    assert texts(items) == ["keep"] and facts.dropped["rolled_back"] == 2


def test_the_rounds_of_a_vscode_answer_are_read_where_they_were_kept(tmp_path: Path) -> None:
    (request,) = editor_logs.vscode_requests([User("build it"), Assistant("shown")])
    call = {"id": "c1", "name": "run_in_terminal", "arguments": json.dumps({"command": "make"})}
    tree = {
        "node": {
            "type": 1,
            "children": [
                {"type": 2, "text": "built "},
                {"type": 2, "text": "3 files"},
                {"type": 2, "text": "done", "lineBreakBefore": True},
            ],
        }
    }
    metadata = {
        "toolCallRounds": [{"response": "First.", "toolCalls": [call]}, {"response": "Done.", "toolCalls": []}],
        "toolCallResults": {"c1": {"content": [{"$mid": 20, "value": tree}]}},
    }
    write_document(
        tmp_path / "v.json", editor_logs.vscode_whole() | {"requests": [request | {"result": {"metadata": metadata}}]}
    )
    _, items = read_as("vscode", tmp_path / "v.json")
    assert [item.text for item in items] == ["build it", "First.", "make", "built 3 files\ndone", "Done."]


def test_changes_are_replayed_as_the_editor_does() -> None:
    rows: list[Row] = [
        {"kind": 0, "v": {"a": [1, 2, 3], "b": {"c": 1}}},
        {"kind": 2, "k": ["a"], "v": [9], "i": 1},
        {"kind": 1, "k": ["b", "c"], "v": 2},
        {"kind": 2, "k": ["d"], "v": [1]},
        {"kind": 1, "k": ["x", "y", 3], "v": 2},
        {"kind": 1, "k": ["a", 1], "v": 8},
        {"kind": 3, "k": ["b", "c"]},
        {"kind": 7, "k": [None, {}], "v": 1},
        {"kind": 2, "k": ["a", -1], "v": 5},
    ]
    assert replayed(rows) == {"a": [1, 8], "b": {}, "d": [1]}


@pytest.mark.parametrize(
    ("reason", "typed"),
    [("", ["use tabs"]), ("interjection", ["use tabs"]), ("project_instructions", []), ("reminder", [])],
)
def test_grok_tells_what_it_wrote_itself(tmp_path: Path, reason: str, typed: list[str]) -> None:
    rows: list[Row] = [{"type": "system", "content": "You are Grok"}]
    rows.append(
        {"type": "user", "content": [{"type": "text", "text": "use tabs"}]}
        | ({"synthetic_reason": reason} if reason else {})
    )
    _, items = read_as("grok", write_lines(tmp_path / "%2Fhome%2Fdev" / "g" / "chat_history.jsonl", rows))
    assert texts(items) == typed


@pytest.mark.parametrize(("source", "kind"), [("cli", "interactive"), ("cron", "headless"), ("subagent", "subagent")])
def test_hermes_tells_who_drove_it(tmp_path: Path, source: str, kind: str) -> None:
    path = more_logs.hermes_database(tmp_path / "state.db", source=source)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE messages SET active = 0 WHERE id = 1")
    connection.close()
    facts, items = read("hermes", path, "e-1")
    assert facts.kind == kind and texts(items) == [] and facts.dropped["rewound"] == 1


@pytest.mark.parametrize(
    ("session_type", "kind"), [("user", "interactive"), ("scheduled", "headless"), ("sub_agent", "subagent")]
)
def test_goose_tells_who_drove_it(tmp_path: Path, session_type: str, kind: str) -> None:
    facts, _ = read("goose", editor_logs.goose_database(tmp_path / "sessions.db", kind=session_type), "20260601_1")
    assert facts.kind == kind


def test_a_subagent_and_the_folder_of_kimi(tmp_path: Path) -> None:
    more_logs.kimi_home(tmp_path, [User("hi"), Tool("ls", "a")])
    more_logs.kimi_code_session(tmp_path / ".kimi-code/sessions/wd_shop_1/session_k/agents/coder/wire.jsonl")
    cli, code = sorted(READERS["kimi"].discover({}, tmp_path), key=lambda log: log.key, reverse=True)
    assert READERS["kimi"].scan(cli).cwd == more_logs.CWD
    facts = READERS["kimi"].scan(code)
    assert (facts.session_id, facts.kind, facts.parent_session_id) == ("k-coder", "subagent", "k")


def test_qwens_own_rows_are_nobodys(tmp_path: Path) -> None:
    rows = editor_logs.qwen_rows([User("hi")])
    rows.append(rows[0] | {"uuid": "q8", "type": "system", "subtype": "slash_command"})
    rows.append(rows[0] | {"uuid": "q9", "subtype": "notification"})
    rows.append(rows[0])
    facts, items = read_as("qwen", write_lines(tmp_path / "q.jsonl", rows))
    assert texts(items) == ["hi"] and facts.dropped["duplicate"] == 1


def test_a_bubbles_time_is_of_the_calendar_and_a_call_has_a_name(tmp_path: Path) -> None:
    """Some times count from the editor's start; a call that was refused before it had a name is none."""
    path = editor_logs.cursor_state(tmp_path / "state.vscdb", [User("hi"), Assistant("ok"), Tool("ls", "a")])
    with sqlite3.connect(path) as connection:
        for number in (1, 2, 3):
            key = f"bubbleId:c-1:b{number}"
            (text,) = connection.execute("SELECT value FROM cursorDiskKV WHERE key = ?", (key,)).fetchone()
            bubble = json.loads(text) | {"createdAt": None, "timingInfo": {"clientStartTime": 8830804.6}}
            bubble |= {"toolFormerData": {"additionalData": {"status": "error"}}} if number == 3 else {}
            connection.execute("UPDATE cursorDiskKV SET value = ? WHERE key = ?", (json.dumps(bubble), key))
    connection.close()
    facts, items = read("cursor", path, "c-1")
    assert [item.time for item in items] == [None, None] and facts.dropped["tool:unnamed"] == 1
    assert facts.started is not None and facts.started.year == 2026


SKILL = '[SYSTEM: The user has invoked the "plan" skill, indicating they want it.]\n\n# Plan\nuse tabs'


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("use tabs", ["use tabs"]),
        ("You just executed tool calls but returned an empty response. Please process the tool results above.", []),
        (SKILL, []),
        (
            f"{SKILL}\n\nThe user has provided the following instruction alongside the skill invocation: plan it",
            ["plan it"],
        ),
        (
            f"{SKILL}\n\nThe user has provided the following instruction alongside the skill invocation: plan it"
            "\n\n[Runtime note: save it]",
            ["plan it"],
        ),
        ("[SYSTEM: You are running as a scheduled cron job.]\n\nalways use tabs", []),
        ('[Replying to: "always use tabs\n\nand spaces"]\n\nno, spaces only', ["no, spaces only"]),
    ],
)
def test_what_hermes_writes_into_the_users_role_is_nobodys(tmp_path: Path, text: str, typed: list[str]) -> None:
    _, items = read("hermes", more_logs.hermes_database(tmp_path / "state.db", [User(text)]), "e-1")
    assert texts(items) == typed


@pytest.mark.parametrize(("end", "kind"), [("compression", "interactive"), (None, "subagent")])
def test_a_session_of_hermes_that_names_another_goes_on_or_was_started_by_it(
    tmp_path: Path, end: str | None, kind: str
) -> None:
    path = more_logs.hermes_database(tmp_path / "state.db", source="telegram")
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO sessions (id, source, end_reason) VALUES ('e-0', 'telegram', ?)", (end,))
        connection.execute("UPDATE sessions SET parent_session_id = 'e-0' WHERE id = 'e-1'")
    connection.close()
    facts, items = read("hermes", path, "e-1")
    assert facts.kind == kind and items[0].channel == "telegram"


def test_the_arguments_of_a_call_of_kimi_are_written_in_parts(tmp_path: Path) -> None:
    path = more_logs.kimi_session(tmp_path / "wire.jsonl", [User("hi"), Tool("make check", "ok"), Assistant("done")])
    rows: list[Row] = []
    for line in path.read_text().splitlines():
        row = json.loads(line)
        function = row.get("message", {}).get("payload", {}).get("function")
        if function is None:
            rows.append(row)
            continue
        whole = function["arguments"]
        function["arguments"] = whole[:7]
        rows.append(row)
        earlier = {"tool_call_id": "t0", "return_value": {"is_error": False, "output": "earlier"}}
        rows.append({"message": {"type": "ToolResult", "payload": earlier}})
        parts = [whole[7:12], whole[12:]]
        rows += [{"message": {"type": "ToolCallPart", "payload": {"arguments_part": part}}} for part in parts]
    _, items = read_as("kimi", write_lines(path, rows))
    assert texts(items, ItemKind.TOOL_CALL) == ["make check"] and texts(items, ItemKind.TOOL_RESULT) == [
        "earlier",
        "ok",
    ]


def test_a_plan_that_aiders_architect_hands_to_its_editor_is_no_prompt(tmp_path: Path) -> None:
    plan = "Make these minimal changes:\n\n1) Add a file backend/app.py with a health check\n2) Call it from main.py"
    turns = [User("plan a service"), Assistant(plan), User(plan), Assistant("Done."), User("now a client")]
    path = editor_logs.aider_history(tmp_path / ".aider.chat.history.md", turns)
    facts, items = read_as("aider", path)
    assert texts(items) == ["plan a service", "now a client"] and facts.dropped["handed_on"] == 1
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert texts(read_as("aider", path)[1]) == ["plan a service", "now a client"]


def test_a_history_that_a_formatter_tidied_in_part_keeps_its_prompts(tmp_path: Path) -> None:
    turns = [User("go on"), Assistant("Plan:\n\n#### Step 1\nWrap it."), User("and on")]
    path = editor_logs.aider_history(tmp_path / ".aider.chat.history.md", turns, blanks="")
    path.write_text(path.read_text().replace("> Aider v0.86.1", "> Aider v0.86.1  "))
    assert texts(read_as("aider", path)[1]) == ["go on", "and on"]


def test_a_question_that_a_command_of_aider_writes_again_is_one(tmp_path: Path) -> None:
    turns = [
        User("/ask why is it slow?"),
        User(" why is it slow?"),
        Assistant("It is not."),
        User("/help what is a map?"),
    ]
    turns += [
        User("# Question: what is a map?\n\n# Relevant docs: always use maps"),
        Assistant("A map."),
        User("why is it slow?"),
    ]
    _, items = read_as("aider", editor_logs.aider_history(tmp_path / ".aider.chat.history.md", turns))
    assert texts(items) == ["why is it slow?", "why is it slow?"]
