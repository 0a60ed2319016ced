"""Which readers there are, and which one reads a given file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from slowwave.errors import ConfigError, RolloutUnreadable
from slowwave.paths import slowwave_home
from slowwave.rollouts.base import read_head
from slowwave.rollouts.model import Reader
from slowwave.rollouts.relatives import RELATIVES, RelativeReader

ENTRY_POINT_GROUP = "slowwave.readers"

# The order is that of recognition: the narrower form of a family before the wider one.
_OWN: dict[str, tuple[str, str]] = {
    "claude": ("slowwave.rollouts.agents.claude", "ClaudeReader"),
    "codex": ("slowwave.rollouts.agents.codex", "CodexReader"),
    "generic": ("slowwave.rollouts.agents.generic", "GenericReader"),
    "omp": ("slowwave.rollouts.agents.omp", "OmpReader"),
    "openclaw": ("slowwave.rollouts.agents.openclaw", "OpenClawReader"),
    "pi": ("slowwave.rollouts.agents.pi", "PiReader"),
    "copilot": ("slowwave.rollouts.agents.copilot", "CopilotReader"),
    "copilot-history": ("slowwave.rollouts.agents.copilot_history", "CopilotHistoryReader"),
    "gemini": ("slowwave.rollouts.agents.gemini", "GeminiReader"),
    "opencode": ("slowwave.rollouts.agents.opencode", "OpencodeReader"),
    "cursor": ("slowwave.rollouts.agents.cursor", "CursorReader"),
    "vscode": ("slowwave.rollouts.agents.vscode", "VSCodeReader"),
    "cline": ("slowwave.rollouts.agents.cline", "ClineReader"),
    "roo": ("slowwave.rollouts.agents.cline", "RooReader"),
    "kilocode": ("slowwave.rollouts.agents.cline", "KiloCodeReader"),
    "qwen": ("slowwave.rollouts.agents.qwen", "QwenReader"),
    "goose": ("slowwave.rollouts.agents.goose", "GooseReader"),
    "crush": ("slowwave.rollouts.agents.crush", "CrushReader"),
    "aider": ("slowwave.rollouts.agents.aider", "AiderReader"),
    "amp": ("slowwave.rollouts.agents.amp", "AmpReader"),
    "kimi": ("slowwave.rollouts.agents.kimi", "KimiReader"),
    "droid": ("slowwave.rollouts.agents.droid", "DroidReader"),
    "zed": ("slowwave.rollouts.agents.zed", "ZedReader"),
    "grok": ("slowwave.rollouts.agents.grok", "GrokReader"),
    "kiro": ("slowwave.rollouts.agents.kiro", "KiroReader"),
    "hermes": ("slowwave.rollouts.agents.hermes", "HermesReader"),
}


def readers(env: Mapping[str, str] | None = None) -> dict[str, Reader]:
    """Return all readers by agent id: our own in their fixed order, then those of other packages.

    Another package's reader replaces ours when it claims the same agent. Raises `ConfigError` for one that does not
    load: a session log that nobody reads must not go unnoticed.
    """
    home = slowwave_home(os.environ if env is None else env)
    found: dict[str, Reader] = {}
    for agent, (module, name) in _OWN.items():
        make: Callable[[Path], Reader] = getattr(import_module(module), name)
        found[agent] = make(home)
    for relative in RELATIVES:
        module, name = _OWN[relative.format]
        found[relative.agent] = RelativeReader(relative, getattr(import_module(module), name)(home))
    for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name):
        reader = _load(point)
        found[reader.agent] = reader
    return found


def _load(point: EntryPoint) -> Reader:
    package = point.dist.name if point.dist else "unknown"
    try:
        reader = point.load()()
    except Exception as error:
        raise ConfigError(
            f"the reader {point.name!r} of package {package!r} does not load: {type(error).__name__}: {error}",
            hint=f"Uninstall {package} or fix its entry point in the group {ENTRY_POINT_GROUP}.",
        ) from error
    if not isinstance(reader, Reader):
        raise ConfigError(
            f"the reader {point.name!r} of package {package!r} lacks part of the reader interface",
            hint="It needs `agent`, `discover`, `recognises`, `scan` and `items`.",
        )
    return reader


def reader_for(path: Path, env: Mapping[str, str] | None = None) -> Reader:
    """Return the reader that recognises a file by its content; names and folders are not trusted.

    Raises `RolloutVanished` or `RolloutUnreadable`; the latter also for an empty file and for an unknown format.
    """
    head = read_head(path)
    if not head:
        raise RolloutUnreadable(f"{path} is empty")
    for reader in readers(env).values():
        if reader.recognises(head):
            return reader
    raise RolloutUnreadable(f"{path} is in no format that a reader knows")
