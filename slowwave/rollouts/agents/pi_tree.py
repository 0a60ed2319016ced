"""What pi, oh-my-pi and OpenClaw share: entries that form a tree, of which one branch was not abandoned."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from slowwave.rollouts.base import BaseReader
from slowwave.rollouts.lines import Record
from slowwave.rollouts.messages import message_authorship
from slowwave.rollouts.model import ASSISTANT_TEXT, CONTEXT, SUMMARY, TOOL_CALL, TOOL_RESULT, LogFile, Role
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.shapes import tree_entry
from slowwave.rollouts.values import (
    blocks_text,
    call_text,
    exit_status_in,
    optional_text,
    parse_time,
    strip_blobs,
    text_in,
)
from slowwave.text.authors import Authorship

_BOOKKEEPING = frozenset(
    {
        "thinking_level_change",
        "label",
        "custom",
        "custom_message",
        "service_tier_change",
        "reset_boundary",
        "ttsr_injection",
        "credential_pin",
        "mode_change",
    }
)
_SHELL_TOOLS = frozenset({"bash", "shell", "exec"})


class TreePass(LogPass):
    """One pass over a tree log. Of every entry it keeps its parent, its time and the range of its items."""

    def __init__(self, log: LogFile) -> None:
        super().__init__(log, log.path.name.split(".jsonl")[0])
        self.has_header = False
        self.parents: dict[int, int | None] = {}
        self.ranges: list[tuple[int, int, int]] = []
        self.has_child: set[int] = set()
        self.leaves: dict[int, tuple[float, int]] = {}
        self.tools: dict[str, str] = {}


class TreeReader(BaseReader):
    """Base of the readers of tree logs. Version 1 of the format is a list without ids: nothing in it is abandoned."""

    decode = staticmethod(tree_entry)

    def begin(self, log: LogFile) -> TreePass:
        """Start a pass."""
        return TreePass(log)

    def take(self, state: LogPass, record: Record) -> None:
        """Feed one entry to the pass."""
        assert isinstance(state, TreePass)
        kind = record.get("type")
        entry = record.get("id")
        if type(entry) is not str:
            entry = None
        written = record.get("timestamp")
        uid = f"{entry}@{written}" if entry and kind != "session" else None
        if uid and state.is_repeat(uid):
            return
        first = state.next_index
        time = parse_time(written)
        if kind == "message":
            self.message(state, record, time, uid)
        elif kind == "session":
            self._header(state, record, time)
        elif kind in ("compaction", "branch_summary"):
            self._summary(state, record, time, uid)
        elif kind in ("title", "title_change", "session_info"):
            state.facts.title = optional_text(record, "title") or optional_text(record, "name") or state.facts.title
            state.drop(kind)
        elif kind == "model_change":
            state.facts.model = optional_text(record, "modelId") or optional_text(record, "model") or state.facts.model
            state.drop(kind)
        elif kind in _BOOKKEEPING:
            self.bookkeeping(state, record)
        else:
            self.other(state, record)
        if state.hashing and entry and kind != "session" and "parentId" in record:
            self._link(state, entry, optional_text(record, "parentId"), time, first)

    def other(self, state: TreePass, record: Record) -> None:
        """Count an entry of a type that only some agent of the family writes."""
        state.unknown(record.get("type"))

    def bookkeeping(self, state: TreePass, record: Record) -> None:
        """Count an entry that is not conversation."""
        state.drop(str(record.get("type")))

    def _header(self, state: TreePass, record: Record, time: datetime | None) -> None:
        state.drop("session")
        if state.has_header:
            return
        state.has_header = True
        facts = state.facts
        facts.session_id = optional_text(record, "id") or facts.session_id
        facts.started = time
        facts.cwd = state.cwd = optional_text(record, "cwd")
        facts.model = optional_text(record, "modelId") or facts.model
        facts.title = optional_text(record, "title") or facts.title
        facts.parent_session_id = optional_text(record, "parentSession")

    def _summary(self, state: TreePass, record: Record, time: datetime | None, uid: str | None) -> None:
        """What a compaction summarises still stands in the file, unless the file begins with it."""
        summary = text_in(record, "summary")
        if record.get("type") == "compaction" and summary.strip() and not state.next_index:
            state.add(SUMMARY, summary, time=time, uid=uid)
        else:
            state.drop("summary")

    def _link(self, state: TreePass, entry: str, parent: str | None, time: datetime | None, first: int) -> None:
        mark, above = hash(entry), hash(parent) if parent else None
        state.parents[mark] = above
        state.leaves[mark] = (time.timestamp() if time else 0.0, len(state.parents))
        if above is not None:
            state.has_child.add(above)
        if state.next_index > first:
            state.ranges.append((mark, first, state.next_index))

    def message(self, state: TreePass, record: Record, time: datetime | None, uid: str | None) -> None:
        """Add the items of a message by its role."""
        message = record.get("message")
        role = text_in(message, "role")
        if not isinstance(message, dict):
            state.unknown("message")
        elif role == "user":
            state.add_authored(self.user_authorship(message), time=time, uid=uid)
        elif role == "assistant":
            self._assistant(state, message, time, uid)
        elif role == "toolResult":
            self._tool_result(state, message, time, uid)
        elif role in ("bashExecution", "pythonExecution"):
            self._user_command(state, message, role, time, uid)
        elif role == "fileMention":
            state.add(CONTEXT, blocks_text(message.get("content")), time=time, uid=uid)
        elif role in ("branchSummary", "compactionSummary"):
            state.drop("summary")
        elif role in ("custom", "hookMessage", "developer", "system"):
            state.drop(f"role:{role}")
        else:
            state.unknown(f"message/{role}")

    def user_authorship(self, message: dict[str, Any]) -> Authorship:
        """Authorship of a user message; each block is judged alone."""
        return message_authorship(message.get("content"))

    def _assistant(self, state: TreePass, message: dict[str, Any], time: datetime | None, uid: str | None) -> None:
        state.facts.model = optional_text(message, "model") or state.facts.model
        content = message.get("content")
        if message.get("stopReason") in ("error", "aborted") and not content:
            state.drop(f"assistant:{message['stopReason']}")
        blocks: list[Any] = content if isinstance(content, list) else [{"type": "text", "text": content}]
        for block in blocks:
            kind = text_in(block, "type")
            if kind == "text":
                state.add(ASSISTANT_TEXT, text_in(block, "text"), time=time, uid=uid)
            elif kind == "toolCall":
                name, call_id = text_in(block, "name"), text_in(block, "id")
                state.tools[call_id] = name
                text = call_text(block.get("arguments"))
                state.add(TOOL_CALL, text, time=time, tool=name, call_id=call_id, uid=uid)
            else:
                state.drop("reasoning" if kind == "thinking" else f"block:{kind}")

    def _tool_result(self, state: TreePass, message: dict[str, Any], time: datetime | None, uid: str | None) -> None:
        call_id = text_in(message, "toolCallId")
        name = text_in(message, "toolName") or state.tools.get(call_id, "")
        state.tools.pop(call_id, None)
        text = strip_blobs(blocks_text(message.get("content")))
        failed = message.get("isError") is True
        status = exit_status_in(text) if failed else (0 if name in _SHELL_TOOLS else None)
        state.add(
            TOOL_RESULT,
            text,
            time=time,
            tool=name or None,
            call_id=call_id or None,
            exit_status=status,
            failed=failed,
            uid=uid,
        )

    def _user_command(
        self, state: TreePass, message: dict[str, Any], role: str, time: datetime | None, uid: str | None
    ) -> None:
        if message.get("excludeFromContext") is True:
            state.drop("excluded_from_context")
            return
        tool = "bash" if role == "bashExecution" else "python"
        command = text_in(message, "command") or text_in(message, "code")
        status = message.get("exitCode")
        status = status if type(status) is int else None
        failed = None if status is None else status != 0
        state.add(TOOL_CALL, command, role=Role.USER, time=time, tool=tool, uid=uid)
        output = strip_blobs(text_in(message, "output"))
        state.add(TOOL_RESULT, output, time=time, tool=tool, exit_status=status, failed=failed, uid=uid)

    def end(self, state: LogPass) -> None:
        """Roll back the branches that were abandoned."""
        assert isinstance(state, TreePass)
        for first, last in abandoned(state):
            state.undo(range(first, last))


def abandoned(state: TreePass) -> list[tuple[int, int]]:
    """Ranges of items on abandoned branches.

    The newest entry without children is where the user is; its ancestors are the branch that stands. An entry counts
    as abandoned only where its own ancestors provably lead to that branch (or to another root): rows can be missing
    from a damaged log, and nothing is given up for a link that cannot be followed.
    """
    leaves = [mark for mark in state.leaves if mark not in state.has_child]
    if not leaves:
        return []
    standing: set[int] = set()
    at: int | None = max(leaves, key=state.leaves.__getitem__)
    while at is not None and at in state.parents and at not in standing:
        standing.add(at)
        at = state.parents[at]
    reaches_root = at is None
    fate: dict[int, bool] = {}

    def is_off(mark: int) -> bool:
        path: list[int] = []
        here: int | None = mark
        while here is not None and here not in standing and here in state.parents and here not in fate:
            path.append(here)
            if len(path) > len(state.parents):
                break
            here = state.parents[here]
        off = reaches_root if here is None else fate.get(here, here in standing)
        fate.update(dict.fromkeys(path, off))
        return off

    return [(first, last) for mark, first, last in state.ranges if mark not in standing and is_off(mark)]
