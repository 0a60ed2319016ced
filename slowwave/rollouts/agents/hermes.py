"""Hermes Agent's sessions: the SQLite database ``~/.hermes/state.db`` (``$HERMES_HOME``).

Messages in the shape of chat completions. The program writes into the user's role itself: skills that were invoked,
schedules, nudges after an empty answer. A session's source tells a schedule or a service from a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from sqlite3 import Connection

from slowwave.errors import RolloutVanished
from slowwave.rollouts.blocks import MessagePass, decoded_list, result_text
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.stores.databases import DatabaseReader, session_in
from slowwave.rollouts.values import decode_json, optional_text, parse_time, text_in
from slowwave.storage.types import SessionKind
from slowwave.text.authors import Authorship, authorship

_STRUCTURED = "\0json:"
_UNATTENDED = frozenset({"cron", "batch", "api", "api_server", "webhook", "subagent"})
_HERE = frozenset({"", "cli", "tui", "acp", "local"})
_HARNESS = (
    "[SYSTEM:", "[System:", "[IMPORTANT:", "[CONTEXT ", "[Note: model was", "[Failed to load skill", "[Runtime note",
    "You just executed tool calls but", "You returned an empty response", "You've reached the maximum number of tool",
    "Continue from the compressed conversation", "Your previous turn ",
)  # fmt: skip
_INSTRUCTION = re.compile(r"The user has provided the following instruction alongside the [^\n:]{1,60}: ", re.DOTALL)
_NOTE = re.compile(r"\n\n\[Runtime note:.*\Z", re.DOTALL)
_REPLY = re.compile(r"\[Replying to: \".*\"\]\s*\n", re.DOTALL)


class HermesPass(MessagePass):
    """One pass over a session. `channel` is the messenger that it came through, if any."""

    def __init__(self, log: LogFile) -> None:
        super().__init__(log, session_in(log), self.typed_here)
        self.channel: str | None = None

    def typed_here(self, content: object) -> Authorship:
        """The person's words: behind a skill that they invoked, behind a message that they answer, or the whole."""
        text = result_text(content).strip()
        context = ""
        if text.startswith(_HARNESS):
            found = _INSTRUCTION.search(text)
            if not found or not text.startswith("[SYSTEM: The user has invoked"):
                return Authorship("", dropped=("harness",))
            text = _NOTE.sub("", text[found.end() :])
        elif found := _REPLY.match(text):
            context, text = found.group().strip(), text[found.end() :]
        parts = authorship(text)
        return Authorship(
            parts.typed, "\n".join(filter(None, (context, parts.context))), parts.dropped, channel=self.channel
        )


class HermesReader(DatabaseReader):
    """Reader of Hermes Agent's sessions."""

    agent = "hermes"
    words = (b"CREATE TABLE", b"sessions", b"tool_calls", b"finish_reason", b"started_at")
    listing = """
        SELECT session_id, sum(length(coalesce(content, ''))) + count(*), max(timestamp) * 1000
        FROM messages GROUP BY session_id
    """

    def databases(self, env: Mapping[str, str], home: Path) -> Iterable[Path]:
        """The one database."""
        named = env.get("HERMES_HOME", "").strip()
        return [(Path(named) if named else home / ".hermes") / "state.db"]

    def begin(self, log: LogFile) -> MessagePass:
        """Start a pass."""
        return HermesPass(log)

    def rows(self, connection: Connection, session_id: str, state: LogPass) -> Iterator[Record]:
        """The session, then its messages; those that were rewound stay out."""
        row = connection.execute("SELECT * FROM sessions WHERE id = ?", (session_id,)).fetchone()
        if row is None:
            raise RolloutVanished(f"session {session_id} is gone from {state.log.path}")
        session = {key: row[key] for key in row.keys()}  # noqa: SIM118 - a row is no mapping
        above = connection.execute(
            "SELECT end_reason FROM sessions WHERE id = ?", (session.get("parent_session_id"),)
        ).fetchone()
        # A conversation that was compressed goes on in a new session, which names the old one as an agent's own does.
        yield {"session": session | {"continues": above is not None and above[0] == "compression"}}
        query = "SELECT * FROM messages WHERE session_id = ? ORDER BY timestamp, id"
        yield from (
            {key: message[key] for key in message.keys()}  # noqa: SIM118
            for message in connection.execute(query, (session_id,))
        )

    def take(self, state: LogPass, record: Record) -> None:
        """Feed the session or one message to the pass."""
        assert isinstance(state, HermesPass)
        facts = state.facts
        if session := record.get("session"):
            facts.title, facts.model = optional_text(session, "title"), optional_text(session, "model")
            facts.cwd = state.cwd = optional_text(session, "cwd")
            facts.branch = optional_text(session, "git_branch")
            facts.started = parse_time(session.get("started_at"))
            facts.parent_session_id = optional_text(session, "parent_session_id")
            source = text_in(session, "source")
            state.channel = None if source in _HERE else source
            if source in _UNATTENDED:
                facts.kind = SessionKind.SUBAGENT if source == "subagent" else SessionKind.HEADLESS
            elif facts.parent_session_id and not session.get("continues"):
                facts.kind = SessionKind.SUBAGENT
            return
        if record.get("active") == 0:
            state.drop("rewound")
            return
        content = record.get("content")
        if isinstance(content, str) and content.startswith(_STRUCTURED):
            content = decode_json(content.removeprefix(_STRUCTURED))
        calls, call_id = decoded_list(record.get("tool_calls")), text_in(record, "tool_call_id")
        time, role = parse_time(record.get("timestamp")), text_in(record, "role")
        if role == "tool" and isinstance(content, str) and isinstance(found := decode_json(content), dict):
            content = [{"type": "tool_result", "tool_call_id": call_id, "content": found}]
        state.message(role, content, time=time, calls=calls, call_id=call_id)
