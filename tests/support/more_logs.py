"""Builders for the logs of further agents, made to the public types and descriptions of each format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import md5
from pathlib import Path
from typing import Any

import zstandard

from tests.support.agent_logs import milliseconds, write_document
from tests.support.editor_logs import Row, database, numbered, query, stamp_of
from tests.support.logs import DEFAULT_TURNS, START, Assistant, Step, User, stamp, write_lines

CWD = "/home/dev/project"


def messages_api(turns: Sequence[Step]) -> list[tuple[str, list[Row], int]]:
    """Role, content blocks in the shape of the Messages API, and time of each message."""
    found: list[tuple[str, list[Row], int]] = []
    for number, step, at in numbered(turns):
        if isinstance(step, User | Assistant):
            role = "user" if isinstance(step, User) else "assistant"
            found.append((role, [{"type": "text", "text": step.text}], at))
        else:
            found.append(
                ("assistant", [{"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": step.input}], at)
            )
            done = {"type": "tool_result", "tool_use_id": f"t{number}", "content": step.output}
            found.append(("user", [done | {"is_error": step.exit != 0}], at))
    return found


def chat_completions(turns: Sequence[Step]) -> list[tuple[Row, int]]:
    """Messages in the shape of chat completions, and the time of each."""
    found: list[tuple[Row, int]] = []
    for number, step, at in numbered(turns):
        if isinstance(step, User | Assistant):
            found.append(({"role": "user" if isinstance(step, User) else "assistant", "content": step.text}, at))
        else:
            function = {"name": "bash", "arguments": json.dumps(step.input)}
            call = {"id": f"t{number}", "type": "function", "function": function}
            found.append(({"role": "assistant", "content": None, "tool_calls": [call]}, at))
            text = f"Exit code: {step.exit}\n{step.output}" if step.exit else step.output
            found.append(({"role": "tool", "tool_call_id": f"t{number}", "content": text}, at))
    return found


def amp_thread(path: Path, turns: Sequence[Step] = DEFAULT_TURNS) -> Path:
    """Write a thread of Amp."""
    messages: list[Row] = []
    for role, blocks, at in messages_api(turns):
        content = [_amp_block(block) for block in blocks]
        timed: Row = (
            {"meta": {"sentAt": at}} if role == "user" else {"usage": {"model": "m", "timestamp": stamp_of(at)}}
        )
        messages.append({"role": role, "messageId": len(messages), "content": content} | timed)
    tree = {"uri": f"file://{CWD}", "repository": {"ref": "refs/heads/main", "type": "git"}}
    document = {"v": 7, "id": path.stem, "created": milliseconds(START), "title": "T", "messages": messages}
    write_document(path, document | {"env": {"initial": {"trees": [tree]}}})
    return path


def _amp_block(block: Row) -> Row:
    if block["type"] != "tool_result":
        return block
    run: Row = {"status": "done", "result": {"output": block["content"], "exitCode": 2 if block["is_error"] else 0}}
    return {"type": "tool_result", "toolUseID": block["tool_use_id"], "run": run}


def droid_session(path: Path, turns: Sequence[Step] = DEFAULT_TURNS) -> Path:
    """Write a session of Factory Droid."""
    rows: list[Row] = [{"type": "session_start", "id": "d-1", "title": "T", "owner": "dev", "version": 2, "cwd": CWD}]
    for role, content, at in messages_api(turns):
        message = {"role": role, "content": content}
        rows.append({"type": "message", "id": f"m{len(rows)}", "timestamp": stamp_of(at), "message": message})
    return write_lines(path, rows)


def kimi_session(path: Path, turns: Sequence[Step] = DEFAULT_TURNS) -> Path:
    """Write a session of Kimi CLI."""
    rows: list[Row] = [{"type": "metadata", "protocol_version": "1.1"}]

    def event(kind: str, payload: Row, at: int) -> None:
        rows.append({"timestamp": at / 1000, "message": {"type": kind, "payload": payload}})

    for number, step, at in numbered(turns):
        if isinstance(step, User):
            event("TurnBegin", {"user_input": [{"type": "text", "text": step.text}]}, at)
        elif isinstance(step, Assistant):
            event("ContentPart", {"type": "text", "text": step.text}, at)
            event("StatusUpdate", {"context_usage": 0.1}, at)
        else:
            function = {"name": "Shell", "arguments": json.dumps(step.input)}
            event("ToolCall", {"type": "function", "id": f"t{number}", "function": function}, at)
            value = {"is_error": step.exit != 0, "output": step.output, "message": "", "display": []}
            event("ToolResult", {"tool_call_id": f"t{number}", "return_value": value}, at)
    return write_lines(path, rows)


def kimi_home(home: Path, turns: Sequence[Step] = DEFAULT_TURNS) -> Path:
    """Write a session where Kimi CLI keeps it, and its list of folders."""
    write_document(home / ".kimi" / "kimi.json", {"work_dirs": [{"path": "/x"}, {"path": CWD}]})
    folder = md5(CWD.encode(), usedforsecurity=False).hexdigest()
    return kimi_session(home / ".kimi" / "sessions" / folder / "k-1" / "wire.jsonl", turns)


def kimi_code_session(path: Path, turns: Sequence[Step] = DEFAULT_TURNS) -> Path:
    """Write a session of Kimi Code."""
    rows: list[Row] = [{"type": "config.update", "cwd": CWD, "modelAlias": "k"}]

    def event(at: int, **event: Any) -> None:
        rows.append({"type": "context.append_loop_event", "time": at, "event": event})

    for number, step, at in numbered(turns):
        if isinstance(step, User):
            parts = [{"type": "text", "text": step.text}]
            rows.append({"type": "turn.prompt", "time": at, "input": parts, "origin": {"kind": "user"}})
        elif isinstance(step, Assistant):
            event(at, type="content.part", part={"type": "think", "think": "hm"})
            event(at, type="content.part", part={"type": "text", "text": step.text})
        else:
            event(at, type="tool.call", toolCallId=f"t{number}", name="Shell", args=step.input)
            event(
                at,
                type="tool.result",
                toolCallId=f"t{number}",
                result={"output": step.output, "isError": step.exit != 0},
            )
    return write_lines(path, rows)


ZED_TABLE = """
    CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL, data_type TEXT NOT NULL,
        data BLOB NOT NULL, parent_id TEXT, folder_paths TEXT, created_at TEXT);
"""


def zed_database(path: Path, turns: Sequence[Step] = DEFAULT_TURNS, *, older: bool = False) -> Path:
    """Write a thread of Zed, in either form."""
    messages: list[Row] = []
    for number, step, _ in numbered(turns):
        if older:
            role = "user" if isinstance(step, User) else "assistant"
            text = step.text if isinstance(step, User | Assistant) else ""
            message: Row = {"id": number, "role": role, "segments": [{"type": "text", "text": text}]}
            if not isinstance(step, User | Assistant):
                use = {"id": f"t{number}", "name": "terminal", "input": step.input}
                result = {"tool_use_id": f"t{number}", "is_error": step.exit != 0, "content": step.output}
                message |= {"tool_uses": [use], "tool_results": [result]}
            messages.append(message)
        elif isinstance(step, User):
            mention = {"Mention": {"uri": "file:///a.py", "content": "x = 1"}}
            messages.append({"User": {"id": f"u{number}", "content": [{"Text": step.text}, mention]}})
        elif isinstance(step, Assistant):
            content = [{"Thinking": {"text": "hm", "signature": None}}, {"Text": step.text}]
            messages.append({"Agent": {"content": content, "tool_results": {}}})
        else:
            use = {"id": f"t{number}", "name": "terminal", "raw_input": "", "input": step.input}
            result = {"tool_use_id": f"t{number}", "tool_name": "terminal", "is_error": step.exit != 0}
            result |= {"content": {"Text": step.output}, "output": None}
            messages.append({"Agent": {"content": [{"ToolUse": use}], "tool_results": {f"t{number}": result}}})
    thread = {"version": "0.2.0" if older else "0.3.0", "title": "T", "messages": messages, "model": {"model": "m"}}
    connection = database(path, ZED_TABLE)
    data = zstandard.compress(json.dumps(thread).encode()) if not older else json.dumps(thread).encode()
    row = ("z-1", "T", stamp(START), "json" if older else "zstd", data, None, CWD, stamp(START))
    connection.execute("INSERT INTO threads VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    connection.close()
    return path


def zed_older(path: Path, turns: Sequence[Step] = DEFAULT_TURNS) -> Path:
    """Write a thread of Zed in the older form."""
    return zed_database(path, turns, older=True)


def copilot_document(path: Path, turns: Sequence[Step] = DEFAULT_TURNS) -> Path:
    """Write a session of the older Copilot CLI."""
    messages = [message | {"timestamp": stamp_of(at)} for message, at in chat_completions(turns)]
    document = {"sessionId": "h-1", "startTime": stamp(START), "cwd": CWD, "chatMessages": messages, "timeline": []}
    write_document(path, document)
    return path


def grok_session(path: Path, turns: Sequence[Step] = DEFAULT_TURNS) -> Path:
    """Write a session of Grok Build, its summary beside it."""
    rows: list[Row] = [{"type": "system", "content": "You are Grok"}]
    policy = [{"type": "text", "text": "project policy"}]
    rows.append({"type": "user", "content": policy, "synthetic_reason": "project_instructions"})
    for number, step, _ in numbered(turns):
        if isinstance(step, User):
            rows.append(
                {"type": "user", "content": [{"type": "text", "text": query(step.text)}], "prompt_index": number}
            )
        elif isinstance(step, Assistant):
            rows.append({"type": "assistant", "content": step.text, "model_id": "grok-4.5"})
        else:
            call = {"id": f"t{number}", "name": "Shell", "arguments": json.dumps(step.input)}
            rows.append({"type": "assistant", "content": "", "tool_calls": [call], "model_id": "grok-4.5"})
            text = f"Exit code: {step.exit}\n{step.output}" if step.exit else step.output
            rows.append({"type": "tool_result", "tool_call_id": f"t{number}", "content": text})
    write_document(path.with_name("summary.json"), {"info": {"id": "g-1", "cwd": CWD}, "created_at": stamp(START)})
    return write_lines(path, rows)


def kiro_session(path: Path, turns: Sequence[Step] = DEFAULT_TURNS) -> Path:
    """Write a session of Kiro CLI, its record beside it."""
    rows: list[Row] = []

    def row(kind: str, at: int, *content: Row) -> None:
        data = {"message_id": f"m{len(rows)}", "content": list(content), "meta": {"timestamp": at // 1000}}
        rows.append({"version": "v1", "kind": kind, "data": data})

    for number, step, at in numbered(turns):
        if isinstance(step, User | Assistant):
            kind = "Prompt" if isinstance(step, User) else "AssistantMessage"
            row(kind, at, {"kind": "text", "data": step.text})
        else:
            use = {"toolUseId": f"t{number}", "name": "shell", "input": step.input}
            row("AssistantMessage", at, {"kind": "toolUse", "data": use})
            status = "error" if step.exit else "success"
            done = {"toolUseId": f"t{number}", "content": [{"kind": "text", "data": step.output}], "status": status}
            row("ToolResults", at, {"kind": "toolResult", "data": done})
    write_document(path.with_suffix(".json"), {"session_id": path.stem, "cwd": CWD, "title": "T"})
    return write_lines(path, rows)


KIRO_TABLE = """
    CREATE TABLE conversations_v2 (key TEXT NOT NULL, conversation_id TEXT NOT NULL, value TEXT NOT NULL,
        created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (key, conversation_id));
"""


def kiro_database(path: Path, turns: Sequence[Step] = DEFAULT_TURNS) -> Path:
    """Write a session into Kiro's database: turns of a person's message and an answer."""
    history: list[Row] = []
    for number, step, at in numbered(turns):
        env = {"env_state": {"current_working_directory": CWD}}
        user: Row = {"content": {}, "timestamp": stamp_of(at), "env_context": env}
        if isinstance(step, User):
            history.append({"user": user | {"content": {"Prompt": {"prompt": step.text}}}, "assistant": {}})
        elif isinstance(step, Assistant):
            history.append(
                {"user": user, "assistant": {"Response": {"message_id": f"a{number}", "content": step.text}}}
            )
        else:
            use = {"id": f"t{number}", "name": "execute_bash", "args": step.input}
            answer = {"message_id": f"a{number}", "content": "", "tool_uses": [use]}
            history.append({"user": user, "assistant": {"ToolUse": answer}})
            text = {"Text": step.output}
            result = {"tool_use_id": f"t{number}", "content": [text], "status": "Error" if step.exit else "Success"}
            content = {"ToolUseResults": {"tool_use_results": [result]}}
            history.append({"user": user | {"content": content}, "assistant": {}})
    connection = database(path, KIRO_TABLE)
    at = milliseconds(START)
    row = (CWD, "r-1", json.dumps({"conversation_id": "r-1", "history": history}), at, at)
    connection.execute("INSERT INTO conversations_v2 VALUES (?, ?, ?, ?, ?)", row)
    connection.close()
    return path


HERMES_TABLES = """
    CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, model TEXT, parent_session_id TEXT, started_at REAL,
        end_reason TEXT, cwd TEXT, git_branch TEXT, title TEXT, archived INTEGER DEFAULT 0);
    CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL,
        content TEXT, tool_call_id TEXT, tool_calls TEXT, timestamp REAL NOT NULL, finish_reason TEXT, active INTEGER);
"""


def hermes_database(path: Path, turns: Sequence[Step] = DEFAULT_TURNS, *, source: str = "cli") -> Path:
    """Write a session of Hermes Agent."""
    connection = database(path, HERMES_TABLES)
    row = ("e-1", source, "m", None, START.timestamp(), CWD, "main", "T")
    columns = "id, source, model, parent_session_id, started_at, cwd, git_branch, title"
    connection.execute(f"INSERT INTO sessions ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    for message, at in chat_completions(turns):
        calls = json.dumps(message["tool_calls"]) if "tool_calls" in message else None
        found = (message["role"], message["content"], message.get("tool_call_id"), calls, at / 1000)
        columns = "session_id, role, content, tool_call_id, tool_calls, timestamp, active"
        connection.execute(f"INSERT INTO messages ({columns}) VALUES ('e-1', ?, ?, ?, ?, ?, 1)", found)
    connection.close()
    return path
