"""Claude Code: prompts typed while the agent works, answers to its questions, words in a refusal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from slowwave.rollouts.agents.claude import ClaudeReader
from slowwave.rollouts.model import Item, ItemKind, SessionFacts
from tests.support.logs import Assistant, Tool, User, claude_rows, write_lines
from tests.support.reading import read_as, texts


def read_rows(tmp_path: Path, rows: list[dict[str, Any]]) -> tuple[SessionFacts, list[Item]]:
    return read_as("claude", write_lines(tmp_path / "session.jsonl", rows))


def test_a_queued_prompt_counts_once_where_an_attachment_repeats_it(tmp_path: Path) -> None:
    rows = claude_rows([User("build it"), Assistant("working"), Assistant("done")])
    text = "and create a PR"
    time = rows[1]["timestamp"]
    enqueue = {"type": "queue-operation", "operation": "enqueue", "timestamp": time, "content": text}
    remove = {"type": "queue-operation", "operation": "remove", "timestamp": time, "content": text}
    attachment = {key: rows[1][key] for key in ("isSidechain", "cwd", "sessionId", "timestamp")}
    queued = {"type": "queued_command", "prompt": text, "commandMode": "prompt", "origin": {"kind": "human"}}
    attachment |= {"type": "attachment", "uuid": "a1", "attachment": queued}
    _, items = read_rows(tmp_path, [*rows[:2], enqueue, remove, attachment, rows[2]])
    assert texts(items) == ["build it", text]
    _, items = read_rows(tmp_path, [*rows[:2], attachment, rows[2]])
    assert texts(items) == ["build it", text]


def test_a_queued_prompt_that_only_the_queue_records_is_found(tmp_path: Path) -> None:
    rows = claude_rows([User("build it"), Assistant("working"), Assistant("done")])
    time = rows[1]["timestamp"]
    enqueue = {"type": "queue-operation", "operation": "enqueue", "timestamp": time, "content": "use port 8081"}
    remove = {"type": "queue-operation", "operation": "remove", "timestamp": time}
    _, items = read_rows(tmp_path, [*rows[:2], enqueue, remove, rows[2]])
    assert texts(items) == ["build it", "use port 8081"]


def test_the_same_words_typed_again_later_count_again(tmp_path: Path) -> None:
    rows = claude_rows([User("build it"), Assistant("working"), Assistant("done"), User("yes"), Assistant("ok")])
    time = rows[1]["timestamp"]
    enqueue = {"type": "queue-operation", "operation": "enqueue", "timestamp": time, "content": "yes"}
    remove = {"type": "queue-operation", "operation": "remove", "timestamp": time}
    _, items = read_rows(tmp_path, [*rows[:2], enqueue, remove, *rows[2:]])
    assert texts(items) == ["build it", "yes", "yes"]


def test_a_queued_prompt_that_becomes_a_row_counts_once(tmp_path: Path) -> None:
    rows = claude_rows([User("build it"), Assistant("done"), User("now deploy"), Assistant("ok")])
    time = rows[1]["timestamp"]
    enqueue = {"type": "queue-operation", "operation": "enqueue", "timestamp": time, "content": "now deploy"}
    dequeue = {"type": "queue-operation", "operation": "dequeue", "timestamp": time}
    _, items = read_rows(tmp_path, [*rows[:2], enqueue, dequeue, *rows[2:]])
    assert texts(items) == ["build it", "now deploy"]


def test_a_queued_prompt_that_was_taken_back_is_not_a_prompt(tmp_path: Path) -> None:
    rows = claude_rows([User("build it"), Assistant("done")])
    enqueue = {"type": "queue-operation", "operation": "enqueue", "timestamp": rows[0]["timestamp"], "content": "no"}
    pop = {"type": "queue-operation", "operation": "popAll", "timestamp": rows[0]["timestamp"], "content": "no"}
    _, items = read_rows(tmp_path, [rows[0], enqueue, pop, rows[1]])
    assert texts(items) == ["build it"]


@pytest.mark.parametrize(
    "text", ["<task-notification>\n<task-id>b</task-id>\n</task-notification>", '{"task_id":"b","description":"d"}']
)
def test_queued_notifications_are_not_prompts(tmp_path: Path, text: str) -> None:
    rows = claude_rows([User("build it"), Assistant("done")])
    time = rows[0]["timestamp"]
    enqueue = {"type": "queue-operation", "operation": "enqueue", "timestamp": time, "content": text}
    remove = {"type": "queue-operation", "operation": "remove", "timestamp": time, "content": text}
    _, items = read_rows(tmp_path, [rows[0], enqueue, remove, rows[1]])
    assert texts(items) == ["build it"]


def question_rows(answers: dict[str, str], **more: Any) -> list[dict[str, Any]]:
    question = {"question": "Which store?", "options": [{"label": "SQLite"}, {"label": "Postgres, managed"}]}
    ask = Tool("", "User has answered your questions.", name="AskUserQuestion", arguments={"questions": [question]})
    rows = claude_rows([User("plan it"), ask])
    rows[-1]["toolUseResult"] = {"questions": [question], "answers": answers, **more}
    return rows


def test_an_answer_typed_into_a_question_is_the_users(tmp_path: Path) -> None:
    _, items = read_rows(tmp_path, question_rows({"Which store?": "neither, use flat files"}))
    assert texts(items) == ["plan it", "neither, use flat files"]


@pytest.mark.parametrize("choice", ["SQLite", "Postgres, managed", "SQLite, Postgres, managed"])
def test_a_choice_among_the_agents_options_was_not_typed(tmp_path: Path, choice: str) -> None:
    _, items = read_rows(tmp_path, question_rows({"Which store?": choice}))
    assert texts(items) == ["plan it"]
    assert items[-1].kind is ItemKind.TOOL_RESULT


def test_a_note_beside_a_choice_is_the_users(tmp_path: Path) -> None:
    notes = {"Which store?": {"notes": "but keep it in memory"}}
    _, items = read_rows(tmp_path, question_rows({"Which store?": "SQLite"}, annotations=notes))
    assert texts(items) == ["plan it", "but keep it in memory"]


DENIAL = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected. "
    "To tell you how to proceed, the user said:\nuse the staging database"
)


@pytest.mark.parametrize(
    ("tool", "kind", "expected"),
    [
        ("Edit", None, ["go", "use the staging database"]),
        ("Bash", "user-rejected", ["go", "use the staging database"]),
        ("Bash", None, ["go", "use the staging database"]),
        ("mcp__web__fetch", None, ["go"]),
    ],
)
def test_words_in_a_refusal_count_only_where_no_tool_can_imitate_them(
    tmp_path: Path, tool: str, kind: str | None, expected: list[str]
) -> None:
    rows = claude_rows([User("go"), Tool("x", name=tool, exit=1)])
    rows[-1]["message"]["content"][0]["content"] = DENIAL
    if kind:
        rows[-1]["toolDenialKind"] = kind
    _, items = read_rows(tmp_path, rows)
    assert texts(items) == expected


def test_output_of_a_command_before_version_2_can_imitate_a_refusal(tmp_path: Path) -> None:
    rows = claude_rows([User("go"), Tool("x", name="Bash", exit=1)])
    rows[-1]["message"]["content"][0]["content"] = DENIAL
    for row in rows:
        row["version"] = "1.0.44"
    _, items = read_rows(tmp_path, rows)
    assert texts(items) == ["go"]


def test_a_note_behind_a_refusal_is_not_the_users(tmp_path: Path) -> None:
    rows = claude_rows([User("go"), Tool("x", name="Edit", exit=1)])
    rows[-1]["message"]["content"][0]["content"] = (
        f"{DENIAL}\n\nNote: The user's next message may contain a correction."
    )
    _, items = read_rows(tmp_path, rows)
    assert texts(items) == ["go", "use the staging database"]


def test_rows_of_an_agent_that_borrows_the_envelope_are_not_read_as_an_empty_session(tmp_path: Path) -> None:
    rows = claude_rows([User("go"), User("on")])
    for row in rows:
        row["message"] = {"role": "user", "parts": [{"text": "go"}]}
    log = write_lines(tmp_path / "s.jsonl", rows)
    assert not ClaudeReader().recognises(log.read_bytes())
    facts, _ = read_as("claude", log)
    assert facts.unknown["user/parts"] == 2
