"""OpenClaw's session logs (formerly Clawdbot and Moltbot): pi's tree format, version 3.

``~/.openclaw/agents/<agent>/sessions/<id>.jsonl``. Copies made before a compaction (``.checkpoint.``), traces
(``.trajectory.``) and backups are no sessions; ``.reset.`` files are closed sessions; what the user deleted stays
unread. Sessions that a schedule, a heartbeat or a hook started are automation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from slowwave.errors import RolloutError
from slowwave.rollouts.agents.pi_tree import TreePass, TreeReader
from slowwave.rollouts.base import open_log
from slowwave.rollouts.messages import message_authorship
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.typed import Authorship
from slowwave.rollouts.values import decode_json, squeezed, text_in
from slowwave.rollouts.walk import files_below
from slowwave.storage.types import SessionKind

_ROOTS = (".openclaw", ".clawdbot", ".moltbot")
_SESSION_NAME = re.compile(r"^[^/]+?\.jsonl(?:\.reset\.[^/]+)?$")
_NOT_SESSIONS = (".checkpoint.", ".trajectory.", ".deleted.", ".full.bak")
_STAMP = re.compile(r"^\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)? [^\]\n]{1,40}\]\s*")
_METADATA = re.compile(
    r"^(?:Conversation info|Sender|Thread starter|Replied message|Forwarded message context"
    r"|Chat history since last reply)"
    r"[^\n]{0,200}\(untrusted[^\n]{0,200}\):?\s*```(?:json)?\n.*?\n```\s*",
    re.DOTALL,
)
_MESSAGE_ID = re.compile(r"\s*\[message_id: [^\]\n]*\]\s*$")
_AUTOMATION = (
    ("Read HEARTBEAT.md if it exists", "heartbeat"),
    ("HEARTBEAT", "heartbeat"),
    ("NO_REPLY", "heartbeat"),
    ("[cron:", "cron"),
    ("System: [", "system_event"),
    ("[Inter-session message]", "inter_session"),
    ("Agent-to-agent", "inter_session"),
    ("Pre-compaction memory flush", "memory_flush"),
    ("A new session was started via /new or /reset", "boot"),
    ("A subagent task", "inter_session"),
    ("[Subagent Context]", "inter_session"),
    ("OpenClaw runtime context", "runtime_context"),
)


class OpenClawReader(TreeReader):
    """Reader of OpenClaw logs."""

    agent = "openclaw"

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Live and reset sessions of every agent."""
        configured = env.get("OPENCLAW_STATE_DIR", "").strip()
        for root in [Path(configured)] if configured else [home / name for name in _ROOTS]:
            for log in files_below(root / "agents", self.agent, ("",), depth=2):
                name = log.path.name
                if log.path.parent.name != "sessions" or any(mark in name for mark in _NOT_SESSIONS):
                    continue
                if _SESSION_NAME.match(name):
                    yield log

    def recognises(self, head: bytes) -> bool:
        """A session header together with a name that only this agent writes."""
        head = squeezed(head)
        if not head.startswith(b'{"type":"session"'):
            return False
        header = head.split(b"\n", 1)[0]
        return b'"openclaw' in head or any(f"/{root}/".encode() in header for root in _ROOTS)

    def user_authorship(self, content: object) -> Authorship:
        """A user message carries a time stamp and channel metadata, or is an automatic prompt altogether."""
        parts = message_authorship(content)
        text, metadata = channel_text(parts.typed)
        for prefix, reason in _AUTOMATION:
            if text.startswith(prefix):
                return Authorship("", "", (*parts.dropped, reason))
        return Authorship(text, "\n".join(filter(None, (parts.context, metadata))), parts.dropped)

    def end(self, state: LogPass) -> None:
        """Tell automation by the session's key, or by the absence of anybody's words."""
        super().end(state)
        assert isinstance(state, TreePass)
        key = session_key(state.log.path.parent / "sessions.json", state.facts.session_id)
        automatic = any(state.facts.dropped[reason] for reason in ("heartbeat", "cron", "boot", "system_event"))
        if ":subagent:" in key:
            state.facts.kind = SessionKind.SUBAGENT
        elif ":cron:" in key or ":hook:" in key or key.startswith(("cron:", "hook:")) or (automatic and not state.turn):
            state.facts.kind = SessionKind.HEADLESS


def channel_text(text: str) -> tuple[str, str]:
    """A channel message without its stamp and metadata, and the metadata."""
    metadata: list[str] = []
    while True:
        match = _STAMP.match(text) or _METADATA.match(text)
        if match is None:
            break
        if not _STAMP.match(text):
            metadata.append(match.group().strip())
        text = text[match.end() :]
    return _MESSAGE_ID.sub("", text).strip(), "\n".join(metadata)


def session_key(index: Path, session_id: str) -> str:
    """The key under which the agent's index knows a session, or ""."""
    try:
        with open_log(index) as stream:
            entries = decode_json(stream.read(16 << 20).decode("utf-8", "replace"))
    except RolloutError:
        return ""
    if isinstance(entries, dict):
        for key, entry in entries.items():
            if text_in(entry, "sessionId") == session_id:
                return str(key)
    return ""
