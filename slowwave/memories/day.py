"""The day feeds the night: what the in-session layers saved, as inputs of both stages."""

from __future__ import annotations

from pathlib import Path

from slowwave.paths import session_database_file
from slowwave.rollouts.model import LogFile, SessionFacts


def signals_of(home: Path, facts: SessionFacts, log: LogFile) -> frozenset[int]:
    """Indexes of items where the session's own layers saw a correction or a drift."""
    if not session_database_file(home).exists():
        return frozenset()
    return frozenset()
