"""How a context grew and was compacted in a real log, and when a flush would have come. Streaming, read-only.

Claude Code and Codex tell the size of the context after each answer and mark their compactions; other logs have
neither, and give no cycles.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from slowwave.session.flushing.policy import SOFT_THRESHOLD, should_flush
from slowwave.session.hosts.transcript import context_tokens
from slowwave.storage.insession.flushes import Claim, FlushLedger
from slowwave.storage.insession.store import SessionStore


@dataclass(frozen=True, slots=True)
class Mark:
    """One step of a context: its size in tokens, or (`trigger` set) a compaction at that size; None when not told."""

    tokens: int | None
    trigger: str = ""


@dataclass(frozen=True, slots=True)
class Cycle:
    """One compaction: its trigger and size, how many flushes came before it, the first one's size and cause."""

    trigger: str
    tokens: int | None
    flushes: int
    flushed_at: int | None
    cause: str


def marks(path: Path) -> Iterator[Mark]:
    """The sizes and compactions of a log in order. A compressed or unreadable line gives nothing."""
    with path.open("rb") as stream:
        for line in stream:
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(row, dict) and not row.get("isSidechain"):
                mark = _mark(row)
                if mark is not None:
                    yield mark


def _mark(row: dict[str, Any]) -> Mark | None:
    if row.get("subtype") == "compact_boundary":
        about = row.get("compactMetadata")
        about = about if isinstance(about, dict) else {}
        before = about.get("preTokens")
        return Mark(before if isinstance(before, int) else None, str(about.get("trigger") or "auto"))
    if row.get("type") == "compacted":
        return Mark(None, "auto")
    tokens = context_tokens(row)
    return Mark(tokens) if tokens else None


def play(
    steps: Iterable[Mark],
    *,
    context_window: int = 200_000,
    reserve_tokens: int = 20_000,
    soft_threshold: int = SOFT_THRESHOLD,
    compaction_trigger: int | None = None,
) -> list[Cycle]:
    """Run the flush policy and the real ledger over the steps; return each compaction with what came before it.

    A context that jumps over the threshold, and a compaction that a person asks for, are saved when the host announces
    the compaction.
    """
    found: list[Cycle] = []
    with tempfile.TemporaryDirectory() as folder, SessionStore(Path(folder) / "session.db") as store:
        ledger = FlushLedger(store)
        epoch = 0
        last: int | None = None
        at: int | None = None
        for cursor, step in enumerate(steps, 1):
            if step.trigger:
                if last != epoch and _flush(ledger, epoch, cursor, step.trigger):
                    at = step.tokens
                rows = ledger.rows("replay", epoch)
                found.append(Cycle(step.trigger, step.tokens, len(rows), at, rows[0].cause if rows else ""))
                epoch, at = epoch + 1, None
            elif should_flush(
                current_tokens=step.tokens,
                context_window=context_window,
                reserve_tokens=reserve_tokens,
                soft_threshold=soft_threshold,
                last_flush_cycle=last,
                cycle=epoch,
                compaction_trigger=compaction_trigger,
            ) and _flush(ledger, epoch, cursor, "threshold"):
                last, at = epoch, step.tokens
    return found


def _flush(ledger: FlushLedger, epoch: int, cursor: int, cause: str) -> bool:
    claim = ledger.claim("replay", epoch=epoch, cursor=cursor, cause=cause, now=float(cursor))
    return isinstance(claim, Claim) and ledger.finish(claim, saved=1, now=float(cursor))
