"""Each agent's hook contract as data: a documented payload for every event, and what an answer may hold.

`slowwave doctor` replays these payloads through the installed command; the tests hold the answers against JSON schemas
that were written from the same documentation. Sources: the agents' hook references of August to November 2026.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from slowwave.agents import hosts

SESSION = "slowwave-doctor"
_COMMON_KEYS = frozenset({"continue", "stopReason", "suppressOutput", "systemMessage", "hookSpecificOutput"})
_CONTEXT_KEYS = frozenset({"hookEventName", "additionalContext"})


def payload(agent: str, event: str, cwd: Path, *, source: str = "startup", session: str = SESSION) -> dict[str, Any]:
    """Return what the agent sends on stdin at one of our events, in a folder."""
    host = hosts.HOSTS[agent]
    common: dict[str, Any] = {
        "session_id": session,
        "transcript_path": str(cwd / ".slowwave-no-transcript.jsonl"),
        "cwd": str(cwd),
        "hook_event_name": host.events[event],
    }
    if agent == "cursor":
        common |= {"conversation_id": session, "workspace_roots": [common.pop("cwd")], "cursor_version": "3.0.0"}
        del common["session_id"]
    if agent == "copilot":
        common = {"sessionId": session, "timestamp": 1796000000000, "cwd": str(cwd)}
    return common | _particulars(agent, event, source)


def _particulars(agent: str, event: str, source: str) -> dict[str, Any]:
    extra: dict[str, dict[str, Any]] = {
        hosts.SESSION_START: {"source": source},
        hosts.USER_PROMPT: {"prompt": "hello"},
        hosts.STOP: {"stop_hook_active": False, "last_assistant_message": "Done."},
        hosts.PRE_COMPACT: {"trigger": "auto"},
        hosts.SESSION_END: {"reason": "other"},
    }
    fields = extra[event]
    if agent == "claude":
        return fields | ({"custom_instructions": ""} if event == hosts.PRE_COMPACT else {"permission_mode": "default"})
    if agent == "codex":
        turn = {} if event == hosts.SESSION_START else {"turn_id": "turn-1"}
        return fields | {"model": "gpt-5", "permission_mode": "default"} | turn
    if agent == "gemini":
        stop = {"prompt": "hello", "prompt_response": "Done.", "stop_hook_active": False}
        return (stop if event == hosts.STOP else fields) | {"timestamp": "2026-11-29T03:00:00.000Z"}
    return fields


def problems(agent: str, event: str, output: str) -> list[str]:
    """Return what is wrong with an answer in the agent's own terms; an empty list when it is right."""
    host = hosts.HOSTS[agent]
    if not output.strip():
        return [] if not host.silence else ["it printed nothing, where the agent wants a JSON object"]
    try:
        answer = json.loads(output)
    except ValueError:
        return ["it is not JSON"]
    if not isinstance(answer, dict):
        return ["it is not a JSON object"]
    if host.wire == "extension":
        unknown = set(answer) - {"context", "notice"}
        return [f"unknown key {key}" for key in sorted(unknown)]
    if host.wire == "flat":
        allowed = {host.context_key} if event in host.injecting else set()
        return [f"unknown key {key}" for key in sorted(set(answer) - allowed)]
    found = [f"unknown key {key}" for key in sorted(set(answer) - _COMMON_KEYS)]
    specific = answer.get("hookSpecificOutput")
    if specific is not None:
        found += _context_problems(host, event, specific)
    return found


def _context_problems(host: hosts.Host, event: str, specific: object) -> list[str]:
    if not isinstance(specific, dict) or set(specific) != _CONTEXT_KEYS:
        return ["hookSpecificOutput does not hold exactly hookEventName and additionalContext"]
    found = []
    if event not in host.injecting:
        found.append("this event takes no context")
    if specific["hookEventName"] != host.events[event]:
        found.append(f"hookEventName is not {host.events[event]}")
    if not isinstance(specific["additionalContext"], str):
        found.append("additionalContext is no string")
    elif not hosts.fits(specific["additionalContext"], host):
        found.append(f"additionalContext is longer than {host.limit}")
    return found


def context_of(output: str) -> str:
    """The text for the model in an answer, empty when it carries none."""
    if not output.strip():
        return ""
    answer = json.loads(output)
    specific = answer.get("hookSpecificOutput") or {}
    flat = (answer[key] for key in ("context", "additional_context", "additionalContext") if key in answer)
    return str(specific.get("additionalContext", next(flat, "")))
