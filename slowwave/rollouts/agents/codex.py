"""OpenAI Codex's rollouts: bare, enveloped, paginated and compressed.

``$CODEX_HOME/sessions/YYYY/MM/DD/rollout-*.jsonl[.zst]`` and ``archived_sessions/`` (default ``~/.codex``). The
format is that of the agent's public source and of about 570 public files.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from slowwave.rollouts.agents.codex_files import codex_logs, open_maybe_compressed, session_id_in_name
from slowwave.rollouts.agents.codex_items import CodexItems
from slowwave.rollouts.base import BaseReader
from slowwave.rollouts.identity.remotes import without_credentials
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import ASSISTANT_TEXT, USER_TEXT, ItemKind, LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.shapes import codex_row
from slowwave.rollouts.values import dict_in, optional_text, parse_time, squeezed, text_in, uuid7_time
from slowwave.storage.types import SessionKind

_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_EVENT_REASONS = {
    name: f"event:{name}"
    for name in (
        "agent_reasoning",
        "agent_reasoning_raw_content",
        "agent_reasoning_section_break",
        "background_event",
        "collab_agent_interaction_end",
        "collab_agent_spawn_end",
        "collab_close_end",
        "collab_resume_end",
        "collab_waiting_end",
        "context_compacted",
        "deprecation_notice",
        "dynamic_tool_call_request",
        "dynamic_tool_call_response",
        "entered_review_mode",
        "error",
        "exec_approval_request",
        "exec_command_begin",
        "exec_command_end",
        "exited_review_mode",
        "guardian_assessment",
        "image_generation_end",
        "mcp_tool_call_begin",
        "mcp_tool_call_end",
        "patch_apply_begin",
        "patch_apply_end",
        "plan_update",
        "stream_error",
        "sub_agent_activity",
        "task_complete",
        "task_started",
        "thread_goal_updated",
        "thread_settings_applied",
        "token_count",
        "turn_aborted",
        "turn_complete",
        "turn_diff",
        "turn_started",
        "undo_completed",
        "undo_started",
        "view_image_tool_call",
        "warning",
        "web_search_begin",
        "web_search_end",
    )
}
_BOOKKEEPING = frozenset(
    [
        "world_state",
        "inter_agent_communication",
        "inter_agent_communication_metadata",
        "token_usage_record",
        "retained_context",
        "security_risk_score",
        "realtime_item",
        "state",
    ]
)
_BARE_ITEMS = frozenset(
    [
        "message",
        "reasoning",
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "custom_tool_call_output",
        "local_shell_call",
        "web_search_call",
    ]
)
_TURN_STARTS = frozenset({"turn_context", "task_started", "turn_started", "user_message"})
_REPLAY_SLACK = timedelta(seconds=2)


class CodexPass(LogPass):
    """One pass over a rollout."""

    def __init__(self, log: LogFile) -> None:
        super().__init__(log, session_id_in_name(log.path.name) or log.path.name)
        self.has_header = False
        self.bare = False
        self.own_turn_seen = False
        self.replaying = False
        self.replay_has_turn_ids = False
        self.header_time: datetime | None = None
        self.calls: dict[str, tuple[str, Any]] = {}
        self.said: defaultdict[tuple[ItemKind, str], Counter[int]] = defaultdict(Counter)
        self.kept: dict[ItemKind, Counter[int]] = {
            USER_TEXT: Counter(),
            ASSISTANT_TEXT: Counter(),
        }


class CodexReader(BaseReader):
    """Reader of Codex rollouts."""

    agent = "codex"
    decode = staticmethod(codex_row)

    def __init__(self, own_home: Path | None = None) -> None:
        super().__init__(own_home)
        self._items = CodexItems()

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Rollouts of all days and the archive; a plain file wins over its compressed twin."""
        configured = env.get("CODEX_HOME", "").strip()
        yield from codex_logs(Path(configured) if configured else home / ".codex", self.agent)

    def recognises(self, head: bytes) -> bool:
        """A header row of one of the eras, or a compressed file (only Codex compresses its logs)."""
        head = squeezed(head)
        if head.startswith(_ZSTD_MAGIC):
            return True
        line = head.split(b"\n", 1)[0]
        if b'"session_meta"' in line or (b'"payload"' in line and b'"type":"' in line):
            return True
        bare = line.startswith(b'{"id":"') and b'"timestamp"' in line
        return bare and (b'"instructions"' in line or b'"git"' in line or b'"record_type"' in head)

    def begin(self, log: LogFile) -> CodexPass:
        """Start a pass."""
        return CodexPass(log)

    def records(self, log: LogFile, state: LogPass) -> Iterator[Record]:
        """Rows of a plain or compressed rollout."""
        compressed = log.path.name.endswith(".zst")
        with open_maybe_compressed(log.path) as stream:
            yield from self.lines(stream, state, limit=None if compressed else log.size or None)

    def take(self, state: LogPass, record: Record) -> None:
        """Feed one row to the pass."""
        assert isinstance(state, CodexPass)
        kind = record.get("type")
        payload = record.get("payload")
        if not isinstance(payload, dict):
            self._bare(state, record, kind)
        elif kind == "response_item" and not state.replaying:
            self._items.response_item(state, payload, record.get("timestamp"))
        elif kind == "event_msg" and not state.replaying and payload.get("type") in _EVENT_REASONS:
            state.drop(_EVENT_REASONS[payload["type"]])
        elif kind == "session_meta":
            self._meta(state, payload)
        elif kind == "turn_context":
            self._turn_context(state, record, payload)
        elif kind in ("response_item", "event_msg", "compacted"):
            self._content(state, record, kind, payload)
        elif kind in _BOOKKEEPING:
            state.drop(str(kind))
        else:
            state.unknown(kind)

    def _content(self, state: CodexPass, record: Record, kind: str, payload: dict[str, Any]) -> None:
        inner = text_in(payload, "type")
        if state.replaying and not self._ends_replay(state, record, payload, inner):
            state.drop("replayed")
            return
        written = record.get("timestamp")
        if kind == "response_item":
            self._items.response_item(state, payload, written)
        elif kind == "compacted":
            self._items.compacted(state, payload, parse_time(written))
        elif inner == "thread_rolled_back":
            turns = payload.get("num_turns")
            state.undo_last(turns if isinstance(turns, int) else 0)
            state.drop("event:thread_rolled_back")
        elif inner in ("user_message", "agent_message", "item_completed"):
            self._items.event(state, payload, parse_time(written))
        elif inner == "thread_name_updated":
            state.facts.title = optional_text(payload, "thread_name") or state.facts.title
            state.drop("event:thread_name_updated")
        elif inner in _EVENT_REASONS:
            state.drop(_EVENT_REASONS[inner])
        else:
            state.unknown(f"event_msg/{inner}")

    def _meta(self, state: CodexPass, payload: dict[str, Any]) -> None:
        facts = state.facts
        own_id = text_in(payload, "id")
        if state.has_header and own_id and own_id != facts.session_id:
            if not state.own_turn_seen:
                state.replaying = True
            state.drop("foreign_session_meta")
            return
        git = dict_in(payload, "git")
        facts.branch = optional_text(git, "branch") or facts.branch
        facts.remote = _remote(git) or facts.remote
        facts.commit = facts.commit or optional_text(git, "commit_hash")
        if cwd := optional_text(payload, "cwd"):
            state.cwd = cwd
            facts.cwd = facts.cwd or cwd
        state.drop("session_meta")
        if state.has_header:
            return
        state.has_header = True
        facts.session_id = own_id or facts.session_id
        facts.started = state.header_time = parse_time(payload.get("timestamp"))
        facts.kind = _kind(payload)
        facts.parent_session_id = _parent(payload, facts.session_id)
        state.replaying = bool(optional_text(payload, "forked_from_id"))

    def _turn_context(self, state: CodexPass, record: Record, payload: dict[str, Any]) -> None:
        if state.replaying and not self._ends_replay(state, record, payload, "turn_context"):
            state.drop("replayed")
            return
        state.own_turn_seen = True
        if cwd := optional_text(payload, "cwd"):
            state.cwd = cwd
            state.facts.cwd = state.facts.cwd or cwd
        state.facts.model = optional_text(payload, "model") or state.facts.model
        state.drop("turn_context")

    def _ends_replay(self, state: CodexPass, record: Record, payload: dict[str, Any], inner: str) -> bool:
        """A spawned or forked thread starts with its parent's rows, stamped with the moment of the fork. Its own work
        begins with the first turn whose id is not older than the thread's own id; without such ids, with the first row
        that is clearly later than the header."""
        if inner not in _TURN_STARTS:
            return False
        own = uuid7_time(state.facts.session_id)
        turn = uuid7_time(payload.get("turn_id"))
        if turn is not None and own is not None:
            ends = turn >= own
            state.replay_has_turn_ids = True
        elif state.replay_has_turn_ids:
            ends = False
        else:
            time = parse_time(record.get("timestamp"))
            started = state.header_time
            ends = time is not None and started is not None and time - started > _REPLAY_SLACK
        if ends:
            state.replaying = False
            state.own_turn_seen = True
        return ends

    def _bare(self, state: CodexPass, record: Record, kind: object) -> None:
        if not state.has_header and kind is None and isinstance(record.get("id"), str):
            state.has_header = state.bare = True
            facts = state.facts
            facts.session_id = record["id"]
            facts.started = parse_time(record.get("timestamp"))
            git = dict_in(record, "git")
            facts.branch = optional_text(git, "branch")
            facts.remote = _remote(git)
            facts.commit = optional_text(git, "commit_hash")
            state.drop("session_meta")
        elif kind in _BARE_ITEMS and (state.bare or not state.has_header):
            self._items.response_item(state, record, record.get("timestamp"))
        elif "record_type" in record:
            state.drop("state")
        elif kind in _BARE_ITEMS:
            state.drop("fragment")
        else:
            state.unknown(kind)


def _kind(meta: dict[str, Any]) -> SessionKind:
    """Who drove the thread. Only the memory mode "enabled", or none, allows mining."""
    source = meta.get("source")
    if isinstance(source, dict):
        if "subagent" in source:
            return SessionKind.SUBAGENT
        if "internal" in source:
            return SessionKind.HEADLESS
    if text_in(meta, "memory_mode") not in ("", "enabled"):
        return SessionKind.EPHEMERAL
    if source in ("exec", "mcp") or text_in(meta, "originator") in ("codex_exec", "codex_sdk_ts", "codex_sdk_py"):
        return SessionKind.HEADLESS
    if text_in(meta, "thread_source") == "subagent":
        return SessionKind.SUBAGENT
    return SessionKind.INTERACTIVE


def _remote(git: dict[str, Any]) -> str | None:
    url = text_in(git, "repository_url")
    return without_credentials(url) if url else None


def _parent(meta: dict[str, Any], own_id: str) -> str | None:
    spawn = dict_in(dict_in(dict_in(meta, "source"), "subagent"), "thread_spawn")
    for candidate in (
        text_in(meta, "parent_thread_id"),
        text_in(spawn, "parent_thread_id"),
        text_in(meta, "forked_from_id"),
        text_in(meta, "session_id"),
    ):
        if candidate and candidate != own_id:
            return candidate
    return None
