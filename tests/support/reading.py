"""Reading logs in tests: with the reader that the content calls for, and short views of what came out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from slowwave.rollouts.base import log_file
from slowwave.rollouts.model import Item, ItemKind, LogFile, Reader, SessionFacts
from slowwave.rollouts.readers import reader_for, readers
from tests.support import agent_logs, editor_logs, logs, more_logs

Builder = Callable[..., Path]

BUILDERS: dict[str, tuple[str, Builder]] = {
    "claude": ("11111111-1111-4111-8111-111111111111.jsonl", logs.claude_session),
    "codex": ("rollout-2026-06-01T09-00-00-0197f000-0000-7000-8000-000000000001.jsonl", logs.codex_session),
    "pi": ("2026-06-01T09-00-00-000Z_x.jsonl", agent_logs.pi_session),
    "omp": ("2026-06-01T09-00-00-000Z_y.jsonl", agent_logs.omp_session),
    "openclaw": ("0197f000-1111-7000-8000-000000000001.jsonl", agent_logs.openclaw_session),
    "gemini": ("session-2026-06-01T09-00-abcdef01.jsonl", agent_logs.gemini_session),
    "copilot": ("events.jsonl", agent_logs.copilot_session),
    "generic": ("run-1.jsonl", agent_logs.generic_session),
}
"""Name and builder of a one-file log of every agent that has such files; opencode has a database or a tree."""


def read(path: Path) -> tuple[SessionFacts, list[Item]]:
    """Facts and items of a log, by the reader that recognises it."""
    return read_with(reader_for(path, {}), log_file_of(path))


def read_with(reader: Reader, log: LogFile) -> tuple[SessionFacts, list[Item]]:
    """Facts and items of a log."""
    facts = reader.scan(log)
    return facts, list(reader.items(log, facts))


def read_as(agent: str, path: Path) -> tuple[SessionFacts, list[Item]]:
    """Facts and items of a log by a named reader, whatever the content."""
    return read_with(readers({})[agent], log_file(agent, path))


def log_file_of(path: Path) -> LogFile:
    """The log file of a path under the agent that recognises it."""
    return log_file(reader_for(path, {}).agent, path)


def texts(items: list[Item], kind: ItemKind = ItemKind.USER_TEXT) -> list[str]:
    """Texts of the items of one kind."""
    return [item.text for item in items if item.kind is kind]


def shape(items: list[Item]) -> list[tuple[str, str]]:
    """Kinds and texts."""
    return [(item.kind.value, item.text) for item in items]


LINES: dict[str, tuple[str, Builder]] = {
    "cursor": ("c-1.jsonl", editor_logs.cursor_session),
    "qwen": ("q-1.jsonl", editor_logs.qwen_session),
    "goose": ("20260601_1.jsonl", editor_logs.goose_session),
    "droid": ("d-1.jsonl", more_logs.droid_session),
    "kimi": ("wire.jsonl", more_logs.kimi_session),
    "grok": ("chat_history.jsonl", more_logs.grok_session),
    "kiro": ("k-1.jsonl", more_logs.kiro_session),
}
BUILDERS |= LINES

WHOLE: dict[str, tuple[str, str, Builder]] = {
    "cursor/text": ("cursor", "c-1.txt", editor_logs.cursor_text),
    "cursor/state": ("cursor", "globalStorage/state.vscdb#c-1", editor_logs.cursor_state),
    "cursor/store": ("cursor", "c-1/store.db", editor_logs.cursor_store),
    "vscode/document": ("vscode", "v-1.json", editor_logs.vscode_document),
    "vscode/log": ("vscode", "v-1.jsonl", editor_logs.vscode_log),
    "cline": ("cline", "1780304400000/api_conversation_history.json", editor_logs.cline_task),
    "goose/database": ("goose", "sessions.db#20260601_1", editor_logs.goose_database),
    "crush": ("crush", "project/.crush/crush.db#s-1", editor_logs.crush_database),
    "aider": ("aider", "project/.aider.chat.history.md#2026-06-01T09-00-00", editor_logs.aider_history),
    "amp": ("amp", "T-1.json", more_logs.amp_thread),
    "kimi/code": ("kimi", "sessions/p/s/agents/main/wire.jsonl", more_logs.kimi_code_session),
    "zed": ("zed", "threads.db#z-1", more_logs.zed_database),
    "zed/older": ("zed", "threads.db#z-1", more_logs.zed_older),
    "copilot-history": ("copilot-history", "session_h-1_1.json", more_logs.copilot_document),
    "kiro/database": ("kiro", "data.sqlite3#r-1", more_logs.kiro_database),
    "hermes": ("hermes", "state.db#e-1", more_logs.hermes_database),
}
"""Agent, path (and session) and builder of every other form: a document, a database, Markdown."""


def whole_log(name: str, folder: Path, *turns: object) -> LogFile:
    """Write a session in one of the other forms and describe it."""
    agent, place, build = WHOLE[name]
    path, _, session = place.partition("#")
    found = build(folder / path, *turns)
    return log_file(agent, found, key=f"{found}#{session}" if session else None)
