"""Builders for the logs of editors' agents and of those that keep messages in a list, a database or Markdown.

Made to the public types and descriptions of each format; the texts are our own.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tests.support.agent_logs import milliseconds, write_document
from tests.support.logs import DEFAULT_TURNS, START, STEP, Assistant, Step, User, stamp, write_lines

Row = dict[str, Any]


def numbered(turns: Sequence[Step]) -> Iterable[tuple[int, Step, int]]:
    """Each step with its number and time in milliseconds."""
    return ((number, step, milliseconds(START + number * STEP)) for number, step in enumerate(turns, 1))


def query(text: str) -> str:
    """A prompt as Cursor wraps it."""
    return f"<timestamp>Monday, Jun 1, 2026, 9:00 AM (UTC+0)</timestamp>\n<user_query>\n{text}\n</user_query>"


def cursor_rows(turns: Sequence[Step] = DEFAULT_TURNS) -> list[Row]:
    """Rows of a Cursor transcript, which holds no results."""
    rows: list[Row] = []
    for _, step, _ in numbered(turns):
        role = "user" if isinstance(step, User) else "assistant"
        if isinstance(step, User):
            block: Row = {"type": "text", "text": query(step.text)}
        elif isinstance(step, Assistant):
            block = {"type": "text", "text": step.text}
        else:
            block = {"type": "tool_use", "name": "Shell", "input": step.input}
        rows.append({"role": role, "message": {"content": [block]}})
    return rows


def cursor_session(path: Path, turns: Sequence[Step] = DEFAULT_TURNS) -> Path:
    """Write a Cursor transcript."""
    return write_lines(path, cursor_rows(turns))


def cursor_text(path: Path, turns: Sequence[Step] = DEFAULT_TURNS) -> Path:
    """Write a Cursor transcript of the older kind."""
    lines: list[str] = []
    for _, step, _ in numbered(turns):
        if isinstance(step, User):
            lines += ["user:", f"<user_query>\n{step.text}\n</user_query>", ""]
        elif isinstance(step, Assistant):
            lines += ["assistant:", step.text, ""]
        else:
            lines += ["assistant:", "[Tool call] Shell", f"  command: {step.command}", ""]
            lines += ["[Tool result] Shell", step.output, ""]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def database(path: Path, schema: str) -> sqlite3.Connection:
    """A live database in WAL mode; the caller writes and closes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(schema)
    return connection


CURSOR_TABLES = """
    CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
    CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
"""


def cursor_state(path: Path, turns: Sequence[Step] = DEFAULT_TURNS, *, session: str = "c-1", **composer: Any) -> Path:
    """Write a session into the editor's database."""
    connection = database(path, CURSOR_TABLES)
    put = "INSERT INTO cursorDiskKV VALUES (?, ?)"
    headers = []
    for number, step, at in numbered(turns):
        bubble: Row = {"type": 1 if isinstance(step, User) else 2, "bubbleId": f"b{number}", "createdAt": stamp_of(at)}
        if isinstance(step, User | Assistant):
            bubble["text"] = step.text
        else:
            bubble |= {"text": "", "toolFormerData": {
                "toolCallId": f"call{number}", "name": "run_terminal_cmd", "rawArgs": json.dumps(step.input),
                "status": "completed", "result": json.dumps({"output": step.output, "exitCodeV2": step.exit}),
            }}  # fmt: skip
        headers.append({"bubbleId": bubble["bubbleId"], "type": bubble["type"]})
        connection.execute(put, (f"bubbleId:{session}:b{number}", json.dumps(bubble)))
    data = {"composerId": session, "name": "T", "createdAt": milliseconds(START), "lastUpdatedAt": milliseconds(START)}
    data |= {"fullConversationHeadersOnly": headers} | composer
    connection.execute(put, (f"composerData:{session}", json.dumps(data)))
    connection.close()
    return path


def cursor_workspace(path: Path, turns: Sequence[Step] = DEFAULT_TURNS, *, chat: bool = False) -> Path:
    """Write a session into a workspace's own database, as older versions did: a composer's, or a chat's."""
    said = [step for step in turns if isinstance(step, User | Assistant)]
    at = milliseconds(START)
    if chat:
        bubbles: list[Row] = [
            {"id": f"b{number}", "type": "user" if isinstance(step, User) else "ai", "text": step.text}
            for number, step in enumerate(said)
        ]
        key, value = "workbench.panel.aichat.view.aichat.chatdata", {"tabs": [{"tabId": "c-1", "bubbles": bubbles}]}
        value["tabs"][0]["lastSendTime"] = at  # type: ignore[call-overload]
    else:
        bubbles = [
            {"bubbleId": f"b{number}", "type": 1 if isinstance(step, User) else 2, "text": step.text}
            for number, step in enumerate(said)
        ]
        key, value = "composer.composerData", {"allComposers": [{"composerId": "c-1", "conversation": bubbles}]}
        value["allComposers"][0]["createdAt"] = at  # type: ignore[call-overload]
    connection = database(path, CURSOR_TABLES)
    connection.execute("INSERT INTO ItemTable VALUES (?, ?)", (key, json.dumps(value)))
    connection.close()
    return path


def stamp_of(at: int) -> str:
    """ISO time of milliseconds."""
    return stamp(START + (at - milliseconds(START)) // 10_000 * STEP)


def cursor_store(path: Path, turns: Sequence[Step] = DEFAULT_TURNS, *, cwd: str = "/home/dev/project") -> Path:
    """Write a session of Cursor's command line."""
    connection = database(path, "CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);"
                                "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);")  # fmt: skip
    meta = {"agentId": path.parent.name, "name": "T", "createdAt": milliseconds(START), "workspacePath": cwd}
    connection.execute("INSERT INTO meta VALUES ('0', ?)", (json.dumps(meta).encode().hex(),))
    rows: list[Any] = [{"role": "system", "content": "be good"}]
    info = "<user_info>\nOS Version: linux\n</user_info>"
    rows += [{"role": "user", "content": [{"type": "text", "text": info}]}, b"\x0a\x20graph\xff"]
    for number, step, at in numbered(turns):
        if isinstance(step, User):
            content: Any = [{"type": "text", "text": f"<user_query>\n{step.text}\n</user_query>"}]
            rows.append({"role": "user", "content": content, "createdAt": at})
        elif isinstance(step, Assistant):
            content = [{"type": "reasoning", "text": "hm"}, {"type": "text", "text": step.text}]
            rows.append({"role": "assistant", "content": content, "createdAt": at})
        else:
            call = {"type": "tool-call", "toolCallId": f"t{number}", "toolName": "Shell", "args": step.input}
            rows.append({"role": "assistant", "content": [call], "createdAt": at})
            done = {"type": "tool-result", "toolCallId": f"t{number}", "toolName": "Shell", "result": step.output}
            rows.append({"role": "tool", "content": [done | {"isError": step.exit != 0}], "createdAt": at})
    for number, row in enumerate(rows):
        data = row if isinstance(row, bytes) else json.dumps(row).encode()
        connection.execute("INSERT INTO blobs VALUES (?, ?)", (f"{number:064x}", data))
    connection.close()
    return path


def vscode_requests(turns: Sequence[Step] = DEFAULT_TURNS) -> list[Row]:
    """Requests of VS Code's chat: what was typed, and what was shown of the answer."""
    requests: list[Row] = []
    for number, step, at in numbered(turns):
        if isinstance(step, User) or not requests:
            text = step.text if isinstance(step, User) else ""
            message = {"text": text, "parts": [{"kind": "text", "text": text}]}
            requests.append({"requestId": f"request_{number}", "message": message, "response": [], "timestamp": at})
            requests[-1] |= {"modelId": "copilot/gpt-5", "variableData": {"variables": []}}
        if isinstance(step, Assistant):
            requests[-1]["response"].append({"value": step.text + "\n"})
        elif not isinstance(step, User):
            requests[-1]["response"].append({
                "kind": "toolInvocationSerialized", "toolId": "run_in_terminal", "toolCallId": f"call{number}",
                "invocationMessage": {"value": "Running"}, "isComplete": True,
                "toolSpecificData": {"kind": "terminal", "commandLine": {"original": step.command}},
                "resultDetails": {"input": "{}", "output": [{"value": step.output}], "isError": step.exit != 0},
            })  # fmt: skip
    return requests


def vscode_document(path: Path, turns: Sequence[Step] = DEFAULT_TURNS) -> Path:
    """Write a chat session of VS Code as a document."""
    write_document(path, vscode_whole() | {"requests": vscode_requests(turns)})
    return path


def vscode_whole() -> Row:
    """A session's own fields."""
    return {
        "version": 3, "responderUsername": "GitHub Copilot", "initialLocation": "panel", "sessionId": "v-1",
        "creationDate": milliseconds(START), "customTitle": "T", "requests": [],
    }  # fmt: skip


def vscode_log(path: Path, turns: Sequence[Step] = DEFAULT_TURNS) -> Path:
    """Write the same as a log of changes: each request first without its answer, then the answer part by part."""
    rows: list[Row] = [{"kind": 0, "v": vscode_whole() | {"customTitle": None}}]
    for number, request in enumerate(vscode_requests(turns)):
        rows.append({"kind": 2, "k": ["requests"], "v": [request | {"response": []}]})
        rows += [{"kind": 2, "k": ["requests", number, "response"], "v": [part]} for part in request["response"]]
        rows.append({"kind": 1, "k": ["customTitle"], "v": f"T{number}"})
    return write_lines(path, rows)


CLINE_ENVIRONMENT = (
    "<environment_details>\n# Current Working Directory (/home/dev/project) Files\na.py\n</environment_details>"
)


def cline_task(path: Path, turns: Sequence[Step] = DEFAULT_TURNS, *, shown: bool = True) -> Path:
    """Write a task's messages, and beside them what was shown."""
    messages: list[Row] = []
    ui: list[Row] = []
    for number, step, at in numbered(turns):
        if isinstance(step, User):
            tag, say = ("feedback", "user_feedback") if messages else ("task", "task")
            texts = [f"<{tag}>\n{step.text}\n</{tag}>", CLINE_ENVIRONMENT]
            messages.append({"role": "user", "content": [{"type": "text", "text": text} for text in texts], "ts": at})
            ui.append({"ts": at, "type": "say", "say": say, "text": step.text})
        elif isinstance(step, Assistant):
            messages.append({"role": "assistant", "content": [{"type": "text", "text": step.text}], "ts": at})
            ui.append({"ts": at, "type": "say", "say": "text", "text": step.text})
        else:
            call = {"type": "tool_use", "id": f"t{number}", "name": "execute_command", "input": step.input}
            messages.append({"role": "assistant", "content": [call], "ts": at})
            done = {"type": "tool_result", "tool_use_id": f"t{number}", "content": step.output}
            messages.append({"role": "user", "content": [done, {"type": "text", "text": CLINE_ENVIRONMENT}], "ts": at})
    write_document(path, messages)
    if shown:
        write_document(path.with_name("ui_messages.json"), ui)
    return path


def qwen_rows(turns: Sequence[Step] = DEFAULT_TURNS, *, cwd: str = "/home/dev/project") -> list[Row]:
    """Rows of a Qwen Code chat."""
    rows: list[Row] = []

    def row(kind: str, role: str, part: Row, at: int) -> None:
        base = {"uuid": f"q{len(rows)}", "parentUuid": f"q{len(rows) - 1}" if rows else None, "sessionId": "q-1"}
        base |= {"timestamp": stamp_of(at), "type": kind, "cwd": cwd, "version": "0.6.0", "gitBranch": "main"}
        rows.append(base | {"message": {"role": role, "parts": [part]}})

    for number, step, at in numbered(turns):
        if isinstance(step, User):
            row("user", "user", {"text": step.text}, at)
        elif isinstance(step, Assistant):
            row("assistant", "model", {"text": step.text}, at)
            rows[-1]["message"]["parts"].insert(0, {"text": "thinking", "thought": True})
        else:
            call = {"id": f"c{number}", "name": "run_shell_command", "args": step.input}
            row("assistant", "model", {"functionCall": call}, at)
            response = {"output": step.output}
            done = {"id": f"c{number}", "name": "run_shell_command", "response": response}
            row("tool_result", "user", {"functionResponse": done}, at)
    return rows


def qwen_session(path: Path, turns: Sequence[Step] = DEFAULT_TURNS) -> Path:
    """Write a Qwen Code chat."""
    return write_lines(path, qwen_rows(turns))


GOOSE_TABLES = """
    CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, description TEXT, session_type TEXT, working_dir TEXT,
        created_at TIMESTAMP, updated_at TIMESTAMP, provider_name TEXT, model_config_json TEXT);
    CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT NOT NULL, role TEXT,
        content_json TEXT, created_timestamp INTEGER, timestamp TIMESTAMP, tokens INTEGER, metadata_json TEXT);
"""


def goose_messages(turns: Sequence[Step] = DEFAULT_TURNS) -> list[Row]:
    """Messages of a Goose session."""
    rows: list[Row] = []

    def message(role: str, at: int, *blocks: Row) -> None:
        rows.append({"id": f"m{len(rows)}", "role": role, "created": at // 1000, "content": list(blocks)})

    for number, step, at in numbered(turns):
        if isinstance(step, User):
            message("user", at, {"type": "text", "text": step.text})
        elif isinstance(step, Assistant):
            message("assistant", at, {"type": "text", "text": step.text})
        else:
            call = {"status": "success", "value": {"name": "developer__shell", "arguments": step.input}}
            message("assistant", at, {"type": "toolRequest", "id": f"g{number}", "toolCall": call})
            value = {"content": [{"type": "text", "text": step.output}], "isError": step.exit != 0}
            done = {"status": "success", "value": value}
            message("user", at, {"type": "toolResponse", "id": f"g{number}", "toolResult": done})
    return rows


def goose_database(path: Path, turns: Sequence[Step] = DEFAULT_TURNS, *, kind: str = "user") -> Path:
    """Write a session into Goose's database."""
    connection = database(path, GOOSE_TABLES)
    config = json.dumps({"model_name": "m"})
    row = ("20260601_1", "T", "", kind, "/home/dev/project", "", "", "p", config)
    connection.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    for message in goose_messages(turns):
        found = (message["id"], row[0], message["role"], json.dumps(message["content"]), message["created"])
        columns = "message_id, session_id, role, content_json, created_timestamp, metadata_json"
        connection.execute(f"INSERT INTO messages ({columns}) VALUES (?, ?, ?, ?, ?, '{{}}')", found)
    connection.close()
    return path


def goose_session(path: Path, turns: Sequence[Step] = DEFAULT_TURNS) -> Path:
    """Write a Goose session of the older kind."""
    header = {"working_dir": "/home/dev/project", "description": "T", "message_count": len(turns)}
    return write_lines(path, [header, *goose_messages(turns)])


CRUSH_TABLES = """
    CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL, message_count INTEGER,
        prompt_tokens INTEGER, completion_tokens INTEGER, cost REAL, updated_at INTEGER, created_at INTEGER);
    CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL,
        parts TEXT NOT NULL default '[]', model TEXT, created_at INTEGER, updated_at INTEGER, finished_at INTEGER);
"""


def crush_database(path: Path, turns: Sequence[Step] = DEFAULT_TURNS) -> Path:
    """Write a session into a repository's Crush database."""
    connection = database(path, CRUSH_TABLES)
    at = milliseconds(START) // 1000
    connection.execute("INSERT INTO sessions VALUES ('s-1', NULL, 'T', 0, 0, 0, 0, ?, ?)", (at, at))

    def message(role: str, at: int, *parts: Row) -> None:
        number = connection.execute("SELECT count(*) FROM messages").fetchone()[0]
        row = (f"m{number}", "s-1", role, json.dumps(parts), "gpt", at // 1000, at // 1000)
        connection.execute("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, NULL)", row)

    for number, step, at in numbered(turns):
        if isinstance(step, User | Assistant):
            role = "user" if isinstance(step, User) else "assistant"
            message(role, at, {"type": "text", "data": {"text": step.text}}, {"type": "finish", "data": {}})
        else:
            call = {"id": f"t{number}", "name": "bash", "input": json.dumps(step.input), "finished": True}
            message(
                "assistant", at, {"type": "reasoning", "data": {"thinking": "x"}}, {"type": "tool_call", "data": call}
            )
            done = {"tool_call_id": f"t{number}", "name": "bash", "content": step.output, "is_error": step.exit != 0}
            message("tool", at, {"type": "tool_result", "data": done})
    connection.close()
    return path


def aider_history(path: Path, turns: Sequence[Step] = DEFAULT_TURNS, *, blanks: str = "  ") -> Path:
    """Write a session of Aider; `blanks` end the lines of prompts and notices."""
    lines = ["", "# aider chat started at 2026-06-01 09:00:00", "", f"> /usr/bin/aider --model x{blanks}"]
    lines += [f"> Aider v0.86.1{blanks}", f"> Main model: gpt-4o with diff edit format{blanks}"]
    for _, step, _ in numbered(turns):
        if isinstance(step, User):
            lines += ["", *(f"#### {line}{blanks}" for line in step.text.splitlines())]
        elif isinstance(step, Assistant):
            lines += ["", step.text, "", f"> Tokens: 1k sent, 2k received.{blanks}"]
        else:
            lines += ["", f"#### /run {step.command}{blanks}", "", f"> {step.output}{blanks}"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
