"""Events of the in-session layers as one typed stream, and the small state that a host shows of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal

from slowwave.session.hosts.status import SAVING, saved_text


@dataclass(frozen=True, slots=True)
class MemoryFlushStart:
    """A flush began. `cause` is threshold, overflow, manual, clear or end; times are seconds since the epoch."""

    cause: str
    timestamp: float
    type: Literal["memory_flush_start"] = "memory_flush_start"


@dataclass(frozen=True, slots=True)
class MemoryFlushEnd:
    """A flush ended well with `saved` new lines; 0 means that there was nothing to save."""

    saved: int
    timestamp: float
    type: Literal["memory_flush_end"] = "memory_flush_end"


@dataclass(frozen=True, slots=True)
class MemoryFlushFailed:
    """A flush failed; `state` is failed (it may be tried again) or exhausted (not in this epoch)."""

    reason: str
    state: str
    timestamp: float
    type: Literal["memory_flush_failed"] = "memory_flush_failed"


@dataclass(frozen=True, slots=True)
class CompactionStart:
    """A compaction began at `tokens` (None when unknown)."""

    tokens: int | None
    timestamp: float
    type: Literal["compaction_start"] = "compaction_start"


@dataclass(frozen=True, slots=True)
class CompactionEnd:
    """A compaction ended and a new epoch began."""

    tokens: int | None
    timestamp: float
    type: Literal["compaction_end"] = "compaction_end"


@dataclass(frozen=True, slots=True)
class ResultsPruned:
    """Old tool results were shortened (`soft`) or emptied (`hard`)."""

    soft: int
    hard: int
    timestamp: float
    type: Literal["results_pruned"] = "results_pruned"


SessionEvent = MemoryFlushStart | MemoryFlushEnd | MemoryFlushFailed | CompactionStart | CompactionEnd | ResultsPruned


def json_line(event: SessionEvent) -> str:
    """The event as one line of JSON, without the line end."""
    return json.dumps(asdict(event), ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class LastFlush:
    """When the last flush ended and how many lines it saved."""

    timestamp: float
    saved: int


@dataclass(frozen=True, slots=True)
class FlushState:
    """What a host shows: whether a flush is under way, and the last one that ended well."""

    memory_flushing: bool = False
    last_memory_flush: LastFlush | None = None

    def after(self, event: SessionEvent) -> FlushState:
        """The state after one more event."""
        if isinstance(event, MemoryFlushStart):
            return FlushState(True, self.last_memory_flush)
        if isinstance(event, MemoryFlushEnd):
            return FlushState(False, LastFlush(event.timestamp, event.saved))
        if isinstance(event, MemoryFlushFailed):
            return FlushState(False, self.last_memory_flush)
        return self

    def as_json(self) -> dict[str, object]:
        """`{"memoryFlushing": ..., "lastMemoryFlush": {"timestamp": ..., "saved": ...} | null}`."""
        last = self.last_memory_flush
        return {
            "memoryFlushing": self.memory_flushing,
            "lastMemoryFlush": None if last is None else {"timestamp": last.timestamp, "saved": last.saved},
        }

    def status_text(self) -> str:
        """One short line for a status bar; empty when there is nothing to say."""
        if self.memory_flushing:
            return SAVING
        if self.last_memory_flush and self.last_memory_flush.saved:
            return saved_text(self.last_memory_flush.saved)
        return ""


def state_after(events: Iterable[SessionEvent]) -> FlushState:
    """The state after a stream of events."""
    state = FlushState()
    for event in events:
        state = state.after(event)
    return state
