"""pi's session logs, versions 1 to 3.

``$PI_CODING_AGENT_SESSION_DIR``, ``$PI_CODING_AGENT_DIR/sessions`` or ``~/.pi/agent/sessions``, one folder for each
working folder. The format is that of the agent's public source of March 2026.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from slowwave.rollouts.agents.pi_tree import TreeReader
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.values import squeezed
from slowwave.rollouts.walk import files_below


class PiReader(TreeReader):
    """Reader of pi logs."""

    agent = "pi"

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Session files of every working folder."""
        if sessions := env.get("PI_CODING_AGENT_SESSION_DIR", "").strip():
            root = Path(sessions)
        elif agent := env.get("PI_CODING_AGENT_DIR", "").strip():
            root = Path(agent) / "sessions"
        else:
            root = home / ".pi" / "agent" / "sessions"
        yield from files_below(root, self.agent, (".jsonl",), depth=1)

    def recognises(self, head: bytes) -> bool:
        """A `session` header in the first row."""
        start = squeezed(head).split(b"\n", 1)[0]
        return b'"type":"session"' in start and b'"format"' not in start
