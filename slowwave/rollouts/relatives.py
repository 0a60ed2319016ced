"""Agents that write another agent's format under a root of their own.

Each is an agent by itself: it is listed, limited and excluded by its own id. Where its root differs from the usual one,
``$SLOWWAVE_<ID>_ROOT`` names it. The places are those that public log viewers and the vendors' pages give.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from slowwave.rollouts.model import Item, LogFile, Reader, SessionFacts
from slowwave.rollouts.walk import note_place


@dataclass(frozen=True, slots=True)
class Relative:
    """An agent id, the id of the reader whose format it writes, its root below the home folder, and the variable by
    which that reader is told a root."""

    agent: str
    format: str
    root: str
    variable: str

    @property
    def setting(self) -> str:
        """The variable that names another root."""
        return f"SLOWWAVE_{self.agent.upper().replace('-', '_')}_ROOT"


RELATIVES = (
    Relative("openclaude", "claude", ".openclaude", "CLAUDE_CONFIG_DIR"),
    Relative("iflow", "claude", ".iflow", "CLAUDE_CONFIG_DIR"),
    Relative("trae", "codex", ".trae/cli", "CODEX_HOME"),
    Relative("qclaw", "openclaw", ".qclaw", "OPENCLAW_STATE_DIR"),
    Relative("kimi-openclaw", "openclaw", ".kimi_openclaw", "OPENCLAW_STATE_DIR"),
    Relative("prime", "pi", ".prime/agent/sessions", "PI_CODING_AGENT_SESSION_DIR"),
    Relative("kilo", "opencode", ".local/share/kilo", "OPENCODE_ROOT"),
    Relative("mimocode", "opencode", ".local/share/mimocode", "OPENCODE_ROOT"),
)


class RelativeReader:
    """Another agent's reader at another root."""

    def __init__(self, relative: Relative, reader: Reader) -> None:
        self.agent = relative.agent
        self.version: int = getattr(reader, "version", 1)
        self._relative = relative
        self._reader = reader

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Logs below this agent's root."""
        named = env.get(self._relative.setting, "").strip()
        root = Path(named) if named else home / self._relative.root
        if not note_place(root).is_dir():
            return
        for log in self._reader.discover({self._relative.variable: str(root)}, home):
            yield replace(log, agent=self.agent)

    def recognises(self, head: bytes) -> bool:
        """By its content alone a file is the format's first owner's."""
        return False

    def scan(self, log: LogFile) -> SessionFacts:
        """Facts of one log."""
        return self._reader.scan(log)

    def items(self, log: LogFile, facts: SessionFacts | None = None) -> Iterator[Item]:
        """Items of one log."""
        return self._reader.items(log, facts)
