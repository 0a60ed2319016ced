"""oh-my-pi's session logs.

``~/.omp/agent/sessions/<folder>/<time>_<id>.jsonl``. The first physical row may be a title slot of fixed width that the
agent rewrites in place. A folder beside the file, of the same name, holds tool output and sub-agents' sessions: these
are no sessions of the user. The format is that of the agent's documentation of September 2026.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from slowwave.rollouts.agents.pi_tree import TreePass, TreeReader
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.values import squeezed
from slowwave.rollouts.walk import files_below
from slowwave.storage.types import SessionKind

_MARKS = (
    b'"titleSource"',
    b'"additionalDirectories"',
    b'"previousSessionFiles"',
    b'"type":"session_init"',
    b'"type":"reset_boundary"',
    b'"type":"service_tier_change"',
    b'"type":"ttsr_injection"',
    b'"type":"title_change"',
    b'"customType":"tool_execution_start"',
    b'"customType":"session_exit"',
)


class OmpReader(TreeReader):
    """Reader of oh-my-pi logs."""

    agent = "omp"

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Session files, without the sub-agents' files beside them."""
        yield from files_below(home / ".omp" / "agent" / "sessions", self.agent, (".jsonl",), depth=1)

    def recognises(self, head: bytes) -> bool:
        """A title slot before the header, or a header or entries that only this agent of the family writes."""
        head = squeezed(head)
        if head.startswith(b'{"type":"title"'):
            return True
        return head.startswith(b'{"type":"session"') and any(mark in head for mark in _MARKS)

    def other(self, state: TreePass, record: Record) -> None:
        """`session_init` opens a sub-agent's session."""
        if record.get("type") == "session_init":
            state.facts.kind = SessionKind.SUBAGENT
            state.drop("session_init")
        else:
            state.unknown(record.get("type"))
