"""OpenClaw's session logs (formerly Clawdbot and Moltbot): pi's tree format, version 3.

``~/.openclaw/agents/<agent>/sessions/<id>.jsonl``. Copies made before a compaction (``.checkpoint.``), traces
(``.trajectory.``) and backups are no sessions; ``.reset.`` files are closed sessions; what the user deleted stays
unread. Sessions that a schedule, a heartbeat or a hook started are automation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from slowwave.errors import RolloutError
from slowwave.rollouts.agents.openclaw_messages import AUTOMATIC, channel_message
from slowwave.rollouts.agents.pi_tree import TreePass, TreeReader
from slowwave.rollouts.base import open_log
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.values import IMAGE, blocks_text, decode_json, squeezed, text_in
from slowwave.rollouts.walk import files_below
from slowwave.storage.types import SessionKind
from slowwave.text.authors import Authorship, authorship

_ROOTS = (".openclaw", ".clawdbot", ".moltbot")
_SESSION_NAME = re.compile(r"^[^/]+?\.jsonl(?:\.reset\.[^/]+)?$")
_NOT_SESSIONS = (".checkpoint.", ".trajectory.", ".deleted.", ".full.bak")


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

    def user_authorship(self, message: dict[str, Any]) -> Authorship:
        """Words of a person, without what the gateway and the channel put around them. A message that the log marks as
        another session's or the gateway's own, or that only the harness writes, holds none."""
        provenance = text_in(message.get("provenance"), "kind")
        if provenance not in ("", "external_user"):
            return Authorship("", dropped=("provenance",))
        found = channel_message(blocks_text(message.get("content")).removesuffix(IMAGE))
        parts = authorship(found.words)
        return Authorship(
            parts.typed,
            "\n".join(filter(None, (found.context, parts.context))),
            (*found.dropped, *parts.dropped),
            found.channel,
            found.sender,
        )

    def end(self, state: LogPass) -> None:
        """Tell automation by the session's key, or by the absence of anybody's words."""
        super().end(state)
        assert isinstance(state, TreePass)
        key = session_key(state.log.path.parent / "sessions.json", state.facts.session_id)
        automatic = any(state.facts.dropped[reason] for reason in AUTOMATIC)
        if ":subagent:" in key:
            state.facts.kind = SessionKind.SUBAGENT
        elif ":cron:" in key or ":hook:" in key or key.startswith(("cron:", "hook:")) or (automatic and not state.turn):
            state.facts.kind = SessionKind.HEADLESS


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
