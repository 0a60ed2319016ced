"""What each host of hooks can and cannot do for the in-session layers, as its documentation and public issues say."""

from __future__ import annotations

from typing import NamedTuple


class HostLimits(NamedTuple):
    """Limits of one host.

    `prompt_event` carries text into the turn (None: there is none), `inject_characters` is how much of one value
    arrives whole, `keeps_injected` says that injected text stays in the history (it must not be repeated every turn),
    `tells_after_compaction` that a start event with source `compact` follows a compaction, `end_seconds` what the end
    event may take.
    """

    prompt_event: str | None
    compact_event: str | None
    end_event: str | None
    inject_characters: int
    keeps_injected: bool
    tells_after_compaction: bool
    end_seconds: float
    note: str = ""


HOSTS = {
    "claude": HostLimits(
        "UserPromptSubmit", "PreCompact", "SessionEnd", 9_500, True, True, 1.5,
        "PreCompact cannot inject; the task comes back through SessionStart with source compact.",
    ),
    "codex": HostLimits(
        "UserPromptSubmit", "PreCompact", None, 9_500, True, True, 1.5,
        "Output of PreCompact is ignored; the start event with source compact may come one turn late.",
    ),
    "gemini": HostLimits(
        "BeforeAgent", "PreCompress", "SessionEnd", 9_500, True, False, 1.5,
        "No start event follows a compression: the next prompt restates the task. SessionEnd is best effort.",
    ),
}  # fmt: skip
UNKNOWN_HOST = HostLimits(None, None, None, 9_500, True, False, 1.5)


def host(agent: str) -> HostLimits:
    """The limits of an agent; cautious ones for an unknown agent."""
    return HOSTS.get(agent, UNKNOWN_HOST)
