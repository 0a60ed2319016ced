"""What each agent's hooks can carry. Standard library only: `slowwave hook` imports this.

The limits are those that the agents' documentation and measurements of their releases give; each stays a little under
the documented one because the agents count differently.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

SESSION_START = "session-start"
USER_PROMPT = "user-prompt"
STOP = "stop"
PRE_COMPACT = "pre-compact"
SESSION_END = "session-end"
EVENTS = (SESSION_START, USER_PROMPT, STOP, PRE_COMPACT, SESSION_END)
# No event of a session: the agent asks again and again what to show to the person.
STATUS_LINE = "status-line"


class Host(NamedTuple):
    """How to answer one agent.

    `events` maps our event names to the agent's. `injecting` are the events whose answer may carry context. `limit` is
    the longest value the agent takes whole, in `unit` ("utf16" code units or "bytes" of UTF-8), None where no limit is
    documented. `silence` is what to print when there is nothing to say. `wire` is the shape of the answer: "hook" is
    the hookSpecificOutput object that Claude Code introduced, "extension" is what our own extension files read, "flat"
    an object with one member, `context_key`. `status_line` is whether the agent shows a line of text from a command.
    """

    agent: str
    events: Mapping[str, str]
    injecting: frozenset[str]
    limit: int | None
    unit: str
    silence: str
    wire: str
    status_line: bool = False
    context_key: str = ""

    def answers(self, event: str) -> bool:
        """Tell whether we answer such a call of this agent."""
        return event in self.events or (self.status_line and event == STATUS_LINE)


_CLAUDE_EVENTS = {
    SESSION_START: "SessionStart",
    USER_PROMPT: "UserPromptSubmit",
    STOP: "Stop",
    PRE_COMPACT: "PreCompact",
    SESSION_END: "SessionEnd",
}
_CODEX_EVENTS = {ours: theirs for ours, theirs in _CLAUDE_EVENTS.items() if ours != SESSION_END}
_GEMINI_EVENTS = {
    SESSION_START: "SessionStart",
    USER_PROMPT: "BeforeAgent",
    STOP: "AfterAgent",
    PRE_COMPACT: "PreCompress",
    SESSION_END: "SessionEnd",
}
_CURSOR_EVENTS = {
    SESSION_START: "sessionStart",
    USER_PROMPT: "beforeSubmitPrompt",
    STOP: "stop",
    PRE_COMPACT: "preCompact",
    SESSION_END: "sessionEnd",
}
_COPILOT_EVENTS = {
    SESSION_START: "sessionStart",
    USER_PROMPT: "userPromptSubmitted",
    SESSION_END: "sessionEnd",
}
_EXTENSION_EVENTS = {event: event for event in EVENTS}
_INJECTING = frozenset({SESSION_START, USER_PROMPT})
_AT_START = frozenset({SESSION_START})

# Claude Code replaces a value over 10,000 characters by a preview of about 2 KB; Codex cuts one over 10,000 to its head
# and tail. Neither says so to the person.
HOSTS: dict[str, Host] = {
    "claude": Host("claude", _CLAUDE_EVENTS, _INJECTING, 9500, "utf16", "", "hook", status_line=True),
    "codex": Host("codex", _CODEX_EVENTS, _INJECTING, 9500, "bytes", "{}", "hook"),
    "gemini": Host("gemini", _GEMINI_EVENTS, _INJECTING, None, "utf16", "{}", "hook"),
    "droid": Host("droid", _CLAUDE_EVENTS, _INJECTING, None, "utf16", "", "hook"),
    "cursor": Host("cursor", _CURSOR_EVENTS, _AT_START, None, "utf16", "{}", "flat", context_key="additional_context"),
    "copilot": Host(
        "copilot", _COPILOT_EVENTS, _AT_START, None, "utf16", "{}", "flat", context_key="additionalContext"
    ),
    "omp": Host("omp", _EXTENSION_EVENTS, _INJECTING, None, "utf16", "{}", "extension"),
    "pi": Host("pi", _EXTENSION_EVENTS, _INJECTING, None, "utf16", "{}", "extension"),
    "opencode": Host("opencode", _EXTENSION_EVENTS, _INJECTING, None, "utf16", "{}", "extension"),
    "openclaw": Host("openclaw", _EXTENSION_EVENTS, _INJECTING, None, "utf16", "{}", "extension"),
}


def size_of(text: str, unit: str) -> int:
    """Length of a text as an agent counts it: UTF-16 code units or UTF-8 bytes."""
    if unit == "bytes":
        return len(text.encode("utf-8", "replace"))
    return len(text) + sum(character > "\uffff" for character in text)


def fits(text: str, host: Host) -> bool:
    """Tell whether the agent takes a value of this length whole."""
    return host.limit is None or size_of(text, host.unit) <= host.limit


_SAME = {
    "session_id": ("sessionId", "conversation_id"),
    "cwd": ("workingDirectory",),
    "trigger": ("compaction_trigger",),
}


def in_our_words(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """An agent's payload with our names for what some agents call otherwise: the session, and its folder."""
    found = dict(payload)
    for ours, others in _SAME.items():
        if ours not in found and (theirs := next((payload[name] for name in others if name in payload), None)):
            found[ours] = theirs
    roots = payload.get("workspace_roots")
    if "cwd" not in found and isinstance(roots, list) and roots:
        found["cwd"] = roots[0]
    return found
