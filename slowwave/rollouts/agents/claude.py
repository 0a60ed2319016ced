"""Claude Code's session logs.

``$CLAUDE_CONFIG_DIR/projects/<bucket>/<session>.jsonl`` (default ``~/.claude``, and ``~/.config/claude`` as an older
second root). The bucket's name is a lossy form of the first working folder and is never decoded. Closed source:
everything here is observation of files written by versions 2.0 to 2.1.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from slowwave.rollouts.agents.claude_answers import denial_text, typed_answers
from slowwave.rollouts.base import BaseReader
from slowwave.rollouts.lines import Record
from slowwave.rollouts.messages import message_authorship
from slowwave.rollouts.model import ASSISTANT_TEXT, SUMMARY, TOOL_CALL, TOOL_RESULT, USER_TEXT, LogFile, Role
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.shapes import claude_row
from slowwave.rollouts.values import (
    blocks_text,
    call_text,
    dict_in,
    exit_status_in,
    optional_text,
    parse_time,
    squeezed,
    strip_blobs,
    text_in,
)
from slowwave.rollouts.walk import files_below
from slowwave.storage.types import SessionKind
from slowwave.text.authors import Authorship, authorship, shell_escape, shell_escape_output

_ROWS = frozenset({"user", "assistant", "system", "attachment"})
_BOOKKEEPING = frozenset(
    {
        "progress",
        "file-history-snapshot",
        "file-history-delta",
        "last-prompt",
        "mode",
        "permission-mode",
        "worktree-state",
        "agent-name",
        "agent-color",
        "agent-setting",
        "pr-link",
        "tag",
        "started",
        "result",
    }
)
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_TITLES = frozenset({"summary", "custom-title", "ai-title"})
_ROW_TYPES = (b'"type":"user"', b'"type":"assistant"', b'"type":"file-history-snapshot"', b'"type":"summary"')
_SOMEWHERE = (0, None)
_NOT_SESSIONS = frozenset({"journal.jsonl", "history.jsonl"})


class ClaudePass(LogPass):
    """One pass over a Claude Code log."""

    def __init__(self, log: LogFile) -> None:
        stem = log.path.stem
        super().__init__(log, stem)
        self.is_agent_file = stem.startswith("agent-")
        self.row_session: str | None = None
        self.entrypoints: set[str] = set()
        self.main_rows = 0
        self.side_rows = 0
        self.background = False
        self.calls: dict[str, tuple[str, Any]] = {}
        self.place_of: dict[int, tuple[int, object]] = {}
        self.compacted_at = 0
        self.queue: deque[tuple[str, datetime | None]] = deque()
        self.sent_from_queue: list[str] = []


class ClaudeReader(BaseReader):
    """Reader of Claude Code logs."""

    agent = "claude"
    decode = staticmethod(claude_row)

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Session files of every bucket, and sub-agents' files beside or below them."""
        configured = env.get("CLAUDE_CONFIG_DIR", "").strip()
        roots = [Path(configured)] if configured else [home / ".claude", home / ".config" / "claude"]
        for root in roots:
            for log in files_below(root / "projects", self.agent, (".jsonl",), depth=5):
                if log.path.name not in _NOT_SESSIONS and "tool-results" not in log.path.parts:
                    yield log

    def recognises(self, head: bytes) -> bool:
        """Rows carry `sessionId` (or are snapshots or titles) and a `type` of this agent."""
        head = squeezed(head)
        if b'"parts":[' in head and b'"content":' not in head:
            return False
        if b'"sessionId"' in head and (b'"parentUuid"' in head or b'"type":"queue-operation"' in head):
            return True
        start = head[:4096]
        return start.startswith((b'{"type":"summary"', b'{"type":"file-history-snapshot"')) or (
            b'"leafUuid"' in start and any(kind in start for kind in _ROW_TYPES)
        )

    def begin(self, log: LogFile) -> ClaudePass:
        """Start a pass."""
        return ClaudePass(log)

    def take(self, state: LogPass, record: Record) -> None:
        """Feed one row to the pass."""
        assert isinstance(state, ClaudePass)
        kind = record.get("type")
        uid = record.get("uuid")
        mark = hash(uid) if isinstance(uid, str) else 0
        if kind in _ROWS:
            if mark and mark in state.place_of:
                state.drop("duplicate")
                return
            self._row(state, record, kind, uid if mark else None)
        elif kind in _BOOKKEEPING:
            state.drop(kind)
        elif kind in _TITLES:
            self._title(state, record, kind)
        elif kind == "queue-operation":
            self._queue_operation(state, record)
        else:
            state.unknown(kind)
        if mark:
            state.place_of[mark] = (state.turn, record.get("timestamp")) if state.hashing else _SOMEWHERE

    def _title(self, state: ClaudePass, record: Record, kind: str) -> None:
        for key in ("summary", "customTitle", "aiTitle", "title"):
            state.facts.title = optional_text(record, key) or state.facts.title
        state.drop(kind)

    def _row(self, state: ClaudePass, record: Record, kind: str, uid: str | None) -> None:
        if record.get("isSidechain") is True and not state.is_agent_file:
            state.side_rows += 1
            state.drop("sidechain")
            return
        self._envelope(state, record)
        if "parts" in dict_in(record, "message"):
            # Another agent's row in this agent's envelope: counted, so that it is not taken for an empty session.
            state.unknown(f"{kind}/parts")
        elif kind == "assistant":
            state.sent_from_queue.clear()
            self._assistant(state, record, uid)
        elif kind == "user":
            self._user(state, record, uid)
        elif kind == "attachment":
            self._attachment(state, record, uid)
        else:
            subtype = text_in(record, "subtype")
            if subtype == "compact_boundary":
                state.compacted_at = state.turn
            state.drop(f"system:{subtype}")

    def _envelope(self, state: ClaudePass, record: Record) -> None:
        """What the rows repeat; most say what the row before said."""
        cwd = record.get("cwd")
        if cwd != state.cwd and isinstance(cwd, str) and cwd:
            state.cwd = cwd
            state.facts.cwd = state.facts.cwd or cwd
        if not state.hashing:
            return
        state.main_rows += 1
        branch = record.get("gitBranch")
        if branch != state.facts.branch and isinstance(branch, str) and branch and branch != "HEAD":
            state.facts.branch = branch
        session = record.get("sessionId")
        if session != state.row_session and isinstance(session, str):
            state.row_session = session
        entrypoint = record.get("entrypoint")
        if isinstance(entrypoint, str):
            state.entrypoints.add(entrypoint)
        if record.get("sessionKind") == "bg":
            state.background = True

    def _assistant(self, state: ClaudePass, record: Record, uid: str | None) -> None:
        message = dict_in(record, "message")
        model = message.get("model")
        if model == "<synthetic>" or record.get("isApiErrorMessage") is True:
            state.drop("synthetic")
            return
        if isinstance(model, str) and model:
            state.facts.model = model
        content = message.get("content")
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        time = None
        for block in content if isinstance(content, list) else ():
            kind = text_in(block, "type")
            if kind == "thinking":
                state.drop("reasoning")
                continue
            time = time or parse_time(record.get("timestamp"))
            if kind == "text":
                state.add(ASSISTANT_TEXT, text_in(block, "text"), time=time, uid=uid)
            elif kind in ("tool_use", "server_tool_use"):
                name, call_id = text_in(block, "name"), text_in(block, "id")
                arguments = block.get("input")
                state.calls[call_id] = (name, arguments if name == "AskUserQuestion" else None)
                state.add(TOOL_CALL, call_text(arguments), time=time, tool=name, call_id=call_id, uid=uid)
            else:
                state.drop("reasoning" if "thinking" in kind else f"block:{kind}")

    def _user(self, state: ClaudePass, record: Record, uid: str | None) -> None:
        message = dict_in(record, "message")
        content = message.get("content")
        time = parse_time(record.get("timestamp"))
        if isinstance(content, list) and _has_results(content):
            self._results(state, record, content, time, uid)
            return
        text = blocks_text(content)
        if record.get("isCompactSummary") is True:
            if state.next_index:
                state.drop("summary")
            else:
                state.add(SUMMARY, text, time=time, uid=uid)
        elif record.get("isMeta") is True or record.get("isVisibleInTranscriptOnly") is True:
            state.drop("meta")
        elif (origin := text_in(record.get("origin"), "kind")) and origin != "human":
            state.drop(f"origin:{origin[:30]}")
        elif (command := shell_escape(text)) is not None:
            state.add(TOOL_CALL, command, role=Role.USER, time=time, tool="Bash", uid=uid)
        elif (output := shell_escape_output(text)) is not None:
            state.add(TOOL_RESULT, output, time=time, tool="Bash", uid=uid)
        else:
            parts = message_authorship(content, injected="planContent" in record)
            if parts.typed:
                self._abandon(state, record, time)
                if parts.typed.strip() in state.sent_from_queue:
                    state.sent_from_queue.remove(parts.typed.strip())
                    state.drop("queue_duplicate")
                    return
            state.add_authored(parts, time=time, uid=uid)

    def _abandon(self, state: ClaudePass, record: Record, time: datetime | None) -> None:
        """A prompt that hangs on an earlier turn means that the user rewound to there.

        Compaction breaks the links, so nothing before the last boundary is ever given up; and rows that merely stand in
        another order than they were written are told by their times.
        """
        if not state.hashing:
            return
        turn, written = state.place_of.get(hash(text_in(record, "parentUuid")), (state.turn, None))
        if not state.compacted_at <= turn < state.turn:
            return
        parent_time = parse_time(written)
        if time is not None and parent_time is not None:
            undone = state.times_of_turns_after(turn)
            if all(prompted is not None and parent_time <= prompted <= time for prompted in undone):
                state.undo_after(turn)

    def _results(
        self, state: ClaudePass, record: Record, content: list[Any], time: datetime | None, uid: str | None
    ) -> None:
        details = record.get("toolUseResult")
        for block in content:
            if text_in(block, "type") != "tool_result":
                state.add_authored(message_authorship(block), time=time, uid=uid)
                continue
            call_id = text_in(block, "tool_use_id")
            tool, arguments = state.calls.pop(call_id, ("", None))
            text = strip_blobs(blocks_text(block.get("content")))
            failed = block.get("is_error") is True
            state.add(
                TOOL_RESULT,
                text,
                time=time,
                tool=tool or None,
                call_id=call_id,
                exit_status=_exit_status(tool, text, failed, details),
                failed=failed,
                uid=uid,
            )
            if tool == "AskUserQuestion" and not failed:
                answers = typed_answers(details, arguments)
            else:
                denial = denial_text(tool, text, failed, text_in(record, "toolDenialKind"), text_in(record, "version"))
                answers = [denial] if denial else []
            for answer in answers:
                state.add(USER_TEXT, answer, time=time, uid=uid)

    def _attachment(self, state: ClaudePass, record: Record, uid: str | None) -> None:
        attachment = dict_in(record, "attachment")
        kind = text_in(attachment, "type")
        if kind != "queued_command":
            state.drop(f"attachment:{kind}")
            return
        origin = text_in(attachment.get("origin"), "kind")
        mode = text_in(attachment, "commandMode")
        if origin not in ("", "human") or mode not in ("", "prompt"):
            state.drop(f"attachment:{kind}")
            return
        parts = message_authorship(attachment.get("prompt"))
        typed = parts.typed.strip()
        if typed and typed in state.sent_from_queue:
            state.sent_from_queue.remove(typed)
            state.drop("queue_duplicate")
            return
        time = parse_time(attachment.get("timestamp")) or parse_time(record.get("timestamp"))
        state.add_authored(parts, time=time, uid=uid)

    def _queue_operation(self, state: ClaudePass, record: Record) -> None:
        """Prompts typed while the agent worked. `remove` hands one to the running turn: older versions write nothing
        else about it, newer ones an attachment right after it, which is then a repetition. `dequeue` is followed by a
        user row."""
        operation = text_in(record, "operation")
        content = text_in(record, "content")
        if operation == "enqueue":
            state.queue.append((content, parse_time(record.get("timestamp"))))
        elif operation == "remove":
            taken = self._take_from_queue(state, content)
            parts = authorship(taken[0]) if taken else None
            if taken and parts and parts.typed:
                state.sent_from_queue.append(parts.typed.strip())
                state.add_authored(Authorship(parts.typed), time=taken[1])
                return
        elif operation == "popAll":
            state.queue.clear()
        elif state.queue:
            state.queue.popleft()
        state.drop(f"queue:{operation[:20]}")

    def _take_from_queue(self, state: ClaudePass, content: str) -> tuple[str, datetime | None] | None:
        for entry in state.queue:
            if not content or entry[0] == content:
                state.queue.remove(entry)
                return entry
        return (content, None) if content else None

    def end(self, state: LogPass) -> None:
        """Settle whose session it is (the file's name says so unless somebody renamed it) and who drove it."""
        assert isinstance(state, ClaudePass)
        facts = state.facts
        if state.row_session and not state.is_agent_file and not _UUID.fullmatch(facts.session_id):
            facts.session_id = state.row_session
        if state.is_agent_file:
            facts.kind = SessionKind.SUBAGENT
            facts.parent_session_id = state.row_session
        elif state.side_rows and not state.main_rows:
            facts.kind = SessionKind.SUBAGENT
        elif state.background or (state.entrypoints and all(name.startswith("sdk") for name in state.entrypoints)):
            facts.kind = SessionKind.HEADLESS


def _has_results(content: list[Any]) -> bool:
    return "tool_result" in [block.get("type") for block in content if type(block) is dict]


def _exit_status(tool: str, text: str, failed: bool, details: object) -> int | None:
    """Bash results of this agent state a status only when it is not zero."""
    if failed:
        return exit_status_in(text[:200])
    if tool != "Bash" or not isinstance(details, dict):
        return None
    unclear = details.get("returnCodeInterpretation") or details.get("backgroundTaskId") or details.get("interrupted")
    return None if unclear else 0
