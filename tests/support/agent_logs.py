"""Builders for the other agents' logs; `tests.support.logs` has the steps, Claude Code and Codex."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.support.logs import DEFAULT_TURNS, START, STEP, Assistant, Step, User, stamp, write_lines

PI_ID = "0197f000-1111-7000-8000-000000000001"
GEMINI_ID = "abcdef01-2222-4000-8000-000000000001"
COPILOT_ID = "abcdef01-3333-4000-8000-000000000001"


def milliseconds(time: datetime) -> int:
    """Epoch milliseconds."""
    return int(time.timestamp() * 1000)


def pi_rows(
    turns: Sequence[Step] = DEFAULT_TURNS,
    *,
    cwd: str = "/home/dev/project",
    session_id: str = PI_ID,
    start: datetime = START,
    version: int = 3,
    header: dict[str, Any] | None = None,
) -> list[dict[str, Any]]:
    """Entries of a pi session; version 1 has neither ids nor parents."""
    time = start
    first: dict[str, Any] = {"type": "session", "id": session_id, "timestamp": stamp(start), "cwd": cwd}
    rows = [first | ({"version": version} if version > 1 else {}) | (header or {})]

    def entry(message: dict[str, Any]) -> None:
        row: dict[str, Any] = {"type": "message", "timestamp": stamp(time)}
        if version > 1:
            row |= {"id": f"{len(rows):08x}", "parentId": rows[-1]["id"] if len(rows) > 1 else None}
        rows.append(row | {"message": message | {"timestamp": milliseconds(time)}})

    for step in turns:
        time += STEP
        if isinstance(step, User):
            entry({"role": "user", "content": [{"type": "text", "text": step.text}]})
        elif isinstance(step, Assistant):
            content: list[dict[str, Any]] = [{"type": "text", "text": step.text}]
            entry({"role": "assistant", "content": content, "model": "claude-sonnet-4-5", "stopReason": "stop"})
        else:
            call = f"call_{len(rows)}"
            name = step.name.lower()
            content = [{"type": "toolCall", "id": call, "name": name, "arguments": step.input}]
            entry({"role": "assistant", "content": content, "model": "claude-sonnet-4-5", "stopReason": "toolUse"})
            text = f"{step.output}\n\nCommand exited with code {step.exit}" if step.exit else step.output
            result = {"role": "toolResult", "toolCallId": call, "toolName": name, "isError": step.exit != 0}
            entry(result | {"content": [{"type": "text", "text": text}]})
    return rows


def pi_session(path: Path, turns: Sequence[Step] = DEFAULT_TURNS, **options: Any) -> Path:
    """Write a pi session file."""
    return write_lines(path, pi_rows(turns, **options))


def omp_session(path: Path, turns: Sequence[Step] = DEFAULT_TURNS, *, title: str = "A title", **options: Any) -> Path:
    """Write an oh-my-pi session file, its title slot first."""
    rows = pi_rows(turns, header={"title": title, "titleSource": "auto"}, **options)
    write_lines(path, rows)
    slot = json.dumps({"type": "title", "title": title}, separators=(",", ":")).encode()
    path.write_bytes(slot.ljust(255) + b"\n" + path.read_bytes())
    return path


def openclaw_session(path: Path, turns: Sequence[Step] = DEFAULT_TURNS, **options: Any) -> Path:
    """Write an OpenClaw session file: user texts carry a time stamp."""
    stamped = [User(f"[Mon 2026-06-01 09:00 UTC] {step.text}") if isinstance(step, User) else step for step in turns]
    options.setdefault("cwd", "/home/dev/.openclaw/workspace")
    return write_lines(path, pi_rows(stamped, **options))


def gemini_messages(turns: Sequence[Step] = DEFAULT_TURNS, *, start: datetime = START) -> list[dict[str, Any]]:
    """Messages of a Gemini CLI session; calls and their results stand inside the answer."""
    time = start
    rows: list[dict[str, Any]] = []
    for step in turns:
        time += STEP
        base = {"id": f"{len(rows):08x}-0000-4000-8000-000000000000", "timestamp": stamp(time)}
        if isinstance(step, User):
            rows.append(base | {"type": "user", "content": step.text})
        elif isinstance(step, Assistant):
            rows.append(base | {"type": "gemini", "content": step.text, "model": "gemini-2.5-pro", "thoughts": []})
        else:
            name = "run_shell_command" if step.name == "Bash" else step.name
            output = f"Command: {step.command}\nOutput: {step.output}\nExit Code: {step.exit}\n"
            response = {"functionResponse": {"id": "f", "name": name, "response": {"output": output}}}
            call = {"id": f"c{len(rows)}", "name": name, "args": step.input, "result": [response]}
            call |= {"status": "success", "timestamp": stamp(time)}
            rows.append(base | {"type": "gemini", "content": "", "model": "gemini-2.5-pro", "toolCalls": [call]})
    return rows


def gemini_header(*, session_id: str = GEMINI_ID, start: datetime = START, **more: Any) -> dict[str, Any]:
    """Header of a Gemini CLI session."""
    return {"sessionId": session_id, "projectHash": "0" * 64, "startTime": stamp(start), **more}


def gemini_session(path: Path, turns: Sequence[Step] = DEFAULT_TURNS, **header: Any) -> Path:
    """Write a Gemini CLI session: a document for a `.json` path, else lines."""
    messages = gemini_messages(turns)
    if path.suffix == ".jsonl":
        return write_lines(path, [gemini_header(**header), *messages])
    path.parent.mkdir(parents=True, exist_ok=True)
    document = gemini_header(**header) | {"lastUpdated": messages[-1]["timestamp"], "messages": messages}
    path.write_text(json.dumps(document, indent=2), encoding="utf-8")
    return path


def opencode_messages(turns: Sequence[Step] = DEFAULT_TURNS, *, start: datetime = START) -> list[dict[str, Any]]:
    """Messages of an opencode session, each `{"info": ..., "parts": [...]}`."""
    time = start
    messages: list[dict[str, Any]] = []
    for number, step in enumerate(turns):
        time += STEP
        at = milliseconds(time)
        role = "user" if isinstance(step, User) else "assistant"
        info: dict[str, Any] = {"id": f"msg_{number:04d}", "sessionID": "ses_1", "role": role, "time": {"created": at}}
        if role == "assistant":
            info |= {"modelID": "gpt-5", "providerID": "openai"}
        part: dict[str, Any] = {"id": f"prt_{number:04d}", "messageID": info["id"], "sessionID": "ses_1"}
        if isinstance(step, User | Assistant):
            part |= {"type": "text", "text": step.text}
        else:
            state = {"status": "completed", "input": step.input, "output": step.output}
            state |= {"metadata": {"exit": step.exit}, "time": {"start": at, "end": at + 500}}
            part |= {"type": "tool", "tool": step.name.lower(), "callID": f"call_{number}", "state": state}
        messages.append({"info": info, "parts": [part]})
    return messages


def opencode_info(*, session_id: str = "ses_1", cwd: str = "/home/dev/project", **more: Any) -> dict[str, Any]:
    """The session document of opencode."""
    time = {"created": milliseconds(START), "updated": milliseconds(START)}
    return {
        "id": session_id,
        "projectID": "global",
        "directory": cwd,
        "title": "T",
        "version": "1.1",
        "time": time,
    } | more


def opencode_tree(root: Path, turns: Sequence[Step] = DEFAULT_TURNS, **info: Any) -> Path:
    """Write a session into the older tree below `root` (the `opencode` folder); return the session's file."""
    session = opencode_info(**info)
    file = root / "storage" / "session" / "global" / f"{session['id']}.json"
    write_document(file, session)
    for message in opencode_messages(turns):
        document = message["info"] | {"sessionID": session["id"]}
        write_document(root / "storage" / "message" / session["id"] / f"{document['id']}.json", document)
        for part in message["parts"]:
            write_document(root / "storage" / "part" / document["id"] / f"{part['id']}.json", part)
    return file


def write_document(path: Path, document: Any) -> None:
    """Write one JSON document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")


OPENCODE_SCHEMA = """
    CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, parent_id TEXT, directory TEXT NOT NULL,
        title TEXT NOT NULL, version TEXT NOT NULL, revert TEXT, time_created INTEGER, time_updated INTEGER,
        time_archived INTEGER);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL,
        time_updated INTEGER NOT NULL, data TEXT NOT NULL);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL,
        time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
    CREATE INDEX message_session ON message (session_id);
    CREATE INDEX part_message ON part (message_id);
    CREATE INDEX part_session ON part (session_id);
"""


def opencode_connection(path: Path) -> sqlite3.Connection:
    """A live opencode database in WAL mode; the caller writes and closes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(OPENCODE_SCHEMA)
    return connection


def add_opencode_session(
    connection: sqlite3.Connection,
    turns: Sequence[Step] = DEFAULT_TURNS,
    *,
    session_id: str = "ses_1",
    cwd: str = "/home/dev/project",
    parent_id: str | None = None,
    revert: dict[str, Any] | None = None,
) -> None:
    """Write a session into an open database."""
    connection.execute(
        "INSERT INTO session VALUES (?, 'global', ?, ?, 'T', '1.3', ?, ?, ?, NULL)",
        (session_id, parent_id, cwd, json.dumps(revert) if revert else None, milliseconds(START), milliseconds(START)),
    )
    for message in opencode_messages(turns):
        info = message["info"]
        at = info["time"]["created"]
        data = {key: value for key, value in info.items() if key not in ("id", "sessionID")}
        uid = f"{session_id}_{info['id']}"
        connection.execute("INSERT INTO message VALUES (?, ?, ?, ?, ?)", (uid, session_id, at, at, json.dumps(data)))
        for part in message["parts"]:
            data = {key: value for key, value in part.items() if key not in ("id", "sessionID", "messageID")}
            row = (f"{session_id}_{part['id']}", uid, session_id, at, at, json.dumps(data))
            connection.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", row)


def copilot_rows(
    turns: Sequence[Step] = DEFAULT_TURNS,
    *,
    cwd: str = "/home/dev/project",
    session_id: str = COPILOT_ID,
    start: datetime = START,
    repository: str | None = "Dev/Project",
) -> list[dict[str, Any]]:
    """Events of a GitHub Copilot CLI session."""
    time = start
    rows: list[dict[str, Any]] = []

    def event(kind: str, data: dict[str, Any]) -> None:
        previous = rows[-1]["id"] if rows else None
        base = {"type": kind, "id": f"ev{len(rows)}", "parentId": previous, "timestamp": stamp(time)}
        rows.append(base | {"data": data})

    context = {"cwd": cwd, "gitRoot": cwd, "branch": "main", "repositoryHost": "github.com"}
    context |= {"repository": repository} if repository else {}
    event("session.start", {"sessionId": session_id, "version": 1, "startTime": stamp(start), "context": context})
    for step in turns:
        time += STEP
        if isinstance(step, User):
            injected = f"<current_datetime>x</current_datetime>\n{step.text}\n<system_reminder>r</system_reminder>"
            event("user.message", {"content": step.text, "transformedContent": injected, "attachments": []})
        elif isinstance(step, Assistant):
            event("assistant.message", {"content": step.text, "toolRequests": [], "model": "gpt-5"})
        else:
            call = {"toolCallId": f"c{len(rows)}", "name": step.name.lower(), "arguments": step.input}
            event("assistant.message", {"content": "", "toolRequests": [call], "model": "gpt-5"})
            started = {"toolCallId": call["toolCallId"], "toolName": call["name"], "arguments": step.input}
            event("tool.execution_start", started)
            text = f"{step.output}\n<exited with exit code {step.exit}>"
            done = {"toolCallId": call["toolCallId"], "success": step.exit == 0, "result": {"content": text}}
            event("tool.execution_complete", done)
    event("session.shutdown", {"shutdownType": "routine"})
    return rows


def copilot_session(path: Path, turns: Sequence[Step] = DEFAULT_TURNS, **options: Any) -> Path:
    """Write a Copilot session file."""
    return write_lines(path, copilot_rows(turns, **options))


def generic_rows(
    turns: Sequence[Step] = DEFAULT_TURNS, *, session_id: str = "run-1", cwd: str = "/home/dev/project", **header: Any
) -> list[dict[str, Any]]:
    """Rows in the documented generic form."""
    time = START
    first = {"type": "session", "format": "slowwave", "version": 1, "id": session_id, "cwd": cwd}
    rows: list[dict[str, Any]] = [first | header]
    for step in turns:
        time += STEP
        base = {"id": f"r{len(rows)}", "time": stamp(time)}
        if isinstance(step, User):
            rows.append(base | {"type": "message", "role": "user", "content": step.text})
        elif isinstance(step, Assistant):
            rows.append(base | {"type": "message", "role": "assistant", "content": step.text})
        else:
            row = {"type": "tool", "name": step.name, "command": step.command, "output": step.output}
            rows.append(base | row | {"exit_status": step.exit})
    return rows


def generic_session(path: Path, turns: Sequence[Step] = DEFAULT_TURNS, **options: Any) -> Path:
    """Write a log in the generic form."""
    return write_lines(path, generic_rows(turns, **options))
