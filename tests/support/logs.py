"""Builders that write synthetic session logs in the shape of each agent.

A session is a list of steps: `User`, `Assistant` and `Tool` (a call with its result). Every builder returns the path it
wrote. Times start at `start` and advance ten seconds a step, so that a log's last activity is known.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

START = datetime(2026, 6, 1, 9, 0, tzinfo=UTC)
STEP = timedelta(seconds=10)


@dataclass(frozen=True)
class User:
    """A text that the person typed (unless its shape says otherwise)."""

    text: str
    cwd: str | None = None


@dataclass(frozen=True)
class Assistant:
    """An answer of the agent."""

    text: str


@dataclass(frozen=True)
class Tool:
    """A tool call and its result. `exit` other than 0 makes it fail."""

    command: str
    output: str = ""
    exit: int = 0
    name: str = "Bash"
    arguments: dict[str, Any] = field(default_factory=dict)

    @property
    def input(self) -> dict[str, Any]:
        return self.arguments or {"command": self.command}


Step = User | Assistant | Tool

DEFAULT_TURNS: tuple[Step, ...] = (
    User("Always run the tests with make check, never with pytest directly."),
    Assistant("Understood. I will use make check."),
    Tool("pytest", "usage error: run make check", exit=2),
    Tool("make check", "42 passed"),
    Assistant("All 42 tests pass with make check."),
)


def stamp(time: datetime) -> str:
    """ISO time as the agents write it."""
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def write_lines(path: Path, rows: Iterable[Any]) -> Path:
    """Write rows as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
    return path


def _uuid(*parts: object) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, ":".join(map(str, parts))))


def claude_rows(
    turns: Sequence[Step] = DEFAULT_TURNS,
    *,
    cwd: str = "/home/dev/project",
    session_id: str = "11111111-1111-4111-8111-111111111111",
    start: datetime = START,
    branch: str = "main",
    entrypoint: str | None = "cli",
    sidechain: bool = False,
) -> list[dict[str, Any]]:
    """Rows of a Claude Code session."""
    rows: list[dict[str, Any]] = []
    time = start

    def row(kind: str, message: dict[str, Any], **extra: Any) -> None:
        uid = _uuid(session_id, len(rows))
        envelope = {
            "parentUuid": rows[-1]["uuid"] if rows else None,
            "isSidechain": sidechain,
            "userType": "external",
            "cwd": cwd,
            "sessionId": session_id,
            "version": "2.1.101",
            "gitBranch": branch,
            "type": kind,
            "message": message,
            "uuid": uid,
            "timestamp": stamp(time),
            **extra,
        }
        if entrypoint:
            envelope["entrypoint"] = entrypoint
        rows.append(envelope)

    def says(block: dict[str, Any]) -> None:
        message = {"id": f"msg_{len(rows)}", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5"}
        row("assistant", {**message, "content": [block], "stop_reason": None, "usage": {"output_tokens": 5}})

    for step in turns:
        time += STEP
        if isinstance(step, User):
            cwd = step.cwd or cwd
            row("user", {"role": "user", "content": step.text})
        elif isinstance(step, Assistant):
            says({"type": "text", "text": step.text})
        else:
            call = f"toolu_{_uuid(session_id, len(rows))[:12]}"
            says({"type": "tool_use", "id": call, "name": step.name, "input": step.input})
            failed = step.exit != 0
            text = f"Exit code {step.exit}\n{step.output}" if failed else step.output
            result: dict[str, Any] = {"type": "tool_result", "tool_use_id": call, "content": text}
            if failed:
                result["is_error"] = True
            details: Any = {"stdout": step.output, "stderr": "", "interrupted": False, "isImage": False}
            row("user", {"role": "user", "content": [result]}, toolUseResult=f"Error: {text}" if failed else details)
    return rows


def claude_session(path: Path, turns: Sequence[Step] = DEFAULT_TURNS, **options: Any) -> Path:
    """Write a Claude Code session. `path` is a file, or a `$CLAUDE_CONFIG_DIR` whose bucket is then made."""
    rows = claude_rows(turns, **options)
    if path.suffix != ".jsonl":
        cwd = options.get("cwd", "/home/dev/project")
        bucket = "".join(character if character.isalnum() else "-" for character in cwd)
        session_id = options.get("session_id", "11111111-1111-4111-8111-111111111111")
        path = path / "projects" / bucket / f"{session_id}.jsonl"
    return write_lines(path, rows)


def codex_rows(
    turns: Sequence[Step] = DEFAULT_TURNS,
    *,
    cwd: str = "/home/dev/project",
    session_id: str = "0197f000-0000-7000-8000-000000000001",
    start: datetime = START,
    branch: str = "main",
    remote: str | None = None,
    source: Any = "cli",
    mirror: bool = True,
    meta: dict[str, Any] | None = None,
) -> list[dict[str, Any]]:
    """Rows of a Codex rollout. With `mirror`, every message also stands as an event, as in the legacy mode."""
    time = start
    git: dict[str, Any] = {"branch": branch, "commit_hash": "0" * 40}
    if remote:
        git["repository_url"] = remote
    rows: list[dict[str, Any]] = []

    def row(kind: str, payload: dict[str, Any]) -> None:
        rows.append({"timestamp": stamp(time), "type": kind, "payload": payload})

    def message(role: str, text: str) -> None:
        block = "output_text" if role == "assistant" else "input_text"
        row("response_item", {"type": "message", "role": role, "content": [{"type": block, "text": text}]})

    header = {"id": session_id, "timestamp": stamp(start), "cwd": cwd, "originator": "codex-tui", "source": source}
    row("session_meta", {**header, "cli_version": "0.140.0", "git": git, **(meta or {})})
    message("user", f"<environment_context>\n  <cwd>{cwd}</cwd>\n</environment_context>")
    row("turn_context", {"turn_id": session_id, "cwd": cwd, "model": "gpt-5.5"})
    for step in turns:
        time += STEP
        if isinstance(step, User):
            if step.cwd and step.cwd != cwd:
                cwd = step.cwd
                row("turn_context", {"turn_id": session_id, "cwd": cwd, "model": "gpt-5.5"})
            message("user", step.text)
            if mirror:
                row("event_msg", {"type": "user_message", "message": step.text, "images": []})
        elif isinstance(step, Assistant):
            if mirror:
                row("event_msg", {"type": "agent_message", "message": step.text})
            message("assistant", step.text)
        else:
            call = f"call_{_uuid(session_id, len(rows))[:12]}"
            name = "shell" if step.name == "Bash" else step.name
            arguments = json.dumps(step.arguments or {"command": ["bash", "-lc", step.command]})
            row("response_item", {"type": "function_call", "name": name, "arguments": arguments, "call_id": call})
            output = json.dumps({"output": step.output, "metadata": {"exit_code": step.exit, "duration_seconds": 0.1}})
            row("response_item", {"type": "function_call_output", "call_id": call, "output": output})
    return rows


def codex_session(path: Path, turns: Sequence[Step] = DEFAULT_TURNS, **options: Any) -> Path:
    """Write a Codex rollout. `path` is a file, or a `$CODEX_HOME` whose day folder is then made."""
    rows = codex_rows(turns, **options)
    if not path.name.endswith(".jsonl"):
        start: datetime = options.get("start", START)
        session_id = options.get("session_id", "0197f000-0000-7000-8000-000000000001")
        path = path / "sessions" / start.strftime("%Y/%m/%d") / f"rollout-{start:%Y-%m-%dT%H-%M-%S}-{session_id}.jsonl"
    return write_lines(path, rows)
