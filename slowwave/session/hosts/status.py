"""The status line of a session: what its memory is doing, for hosts that show one. Standard library only."""

from __future__ import annotations

from pathlib import Path

from slowwave.errors import StoreError
from slowwave.paths import session_database_file
from slowwave.storage.insession.store import SessionStore

FRESH_SECONDS = 600.0
FLUSHING_SECONDS = 120.0
SAVING = "saving important memories"


def status_line(home: Path, *, agent: str, session_id: str, now: float) -> str:
    """One short line, empty when there is nothing to say or nothing can be read.

    While a flush runs it says so; afterwards, for ten minutes, how many lines were saved.
    """
    path = session_database_file(home)
    if not path.exists():
        return ""
    try:
        with SessionStore(path) as store:
            found = store.events(
                session=f"{agent}:{session_id}", types=("memory_flush_start", "memory_flush_end", "memory_flush_failed")
            )
    except StoreError:
        # A status line is never worth an error message.
        return ""
    if not found:
        return ""
    last = found[-1]
    if last.type == "memory_flush_start":
        return SAVING if now - last.at < FLUSHING_SECONDS else ""
    saved = last.detail.get("saved")
    if last.type == "memory_flush_end" and isinstance(saved, int) and saved and now - last.at < FRESH_SECONDS:
        return saved_text(saved)
    return ""


def saved_text(count: int) -> str:
    """How many lines a flush saved."""
    return "1 memory saved" if count == 1 else f"{count} memories saved"
