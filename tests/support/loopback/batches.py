"""Message Batches: created, polled, ended, expired, listed page by page, results in another order than the requests."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any


@dataclass
class Batch:
    """One batch. `polls_left` retrievals or listings still say `in_progress`."""

    id: str
    requests: list[dict[str, Any]]
    created: float
    polls_left: int
    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    cancelled: bool = False
    ended_at: float | None = None


class BatchStore:
    """All batches of a server, the newest last."""

    def __init__(self) -> None:
        self.batches: dict[str, Batch] = {}
        self.polls = 1
        self.outcomes: dict[str, dict[str, Any]] = {}
        self.results_host: str | None = None
        self._lock = threading.Lock()

    def create(self, requests: list[dict[str, Any]]) -> Batch:
        """Accept a batch."""
        with self._lock:
            batch = Batch(f"msgbatch_{len(self.batches) + 1:06d}", requests, time.time(), self.polls)
            self.batches[batch.id] = batch
            return batch

    def poll(self, batch: Batch, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        """Count one look at a batch; it ends when none is left."""
        with self._lock:
            if batch.ended_at is not None:
                return
            if batch.polls_left > 0 and not batch.cancelled:
                batch.polls_left -= 1
                return
            for request in batch.requests:
                custom_id = request["custom_id"]
                if batch.cancelled:
                    batch.results[custom_id] = {"type": "canceled"}
                elif custom_id in self.outcomes:
                    batch.results[custom_id] = self.outcomes.pop(custom_id)
                else:
                    batch.results[custom_id] = answer(request["params"])
            batch.ended_at = time.time()

    def page(self, before: str | None, after: str | None, limit: int) -> dict[str, Any]:
        """List batches, the newest first, after or before a cursor."""
        with self._lock:
            ids = sorted(self.batches, reverse=True)
        if after in ids:
            ids = ids[ids.index(after) + 1 :]
        if before in ids:
            ids = ids[: ids.index(before)]
        shown = ids[:limit]
        return {
            "data": [describe(self.batches[batch_id], None) for batch_id in shown],
            "has_more": len(ids) > len(shown),
            "first_id": shown[0] if shown else None,
            "last_id": shown[-1] if shown else None,
        }


def describe(batch: Batch, results_url: str | None) -> dict[str, Any]:
    """Return a batch as the API shows it. Counts other than `processing` stay 0 until it has ended."""
    counts = {"processing": 0, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0}
    if batch.ended_at is None:
        counts["processing"] = len(batch.requests)
    for result in batch.results.values():
        counts[result["type"]] += 1
    status = "in_progress" if batch.ended_at is None else "ended"
    return {
        "id": batch.id,
        "type": "message_batch",
        "processing_status": "canceling" if batch.cancelled and batch.ended_at is None else status,
        "request_counts": counts,
        "created_at": _stamp(batch.created),
        "expires_at": _stamp(batch.created + timedelta(hours=24).total_seconds()),
        "ended_at": None if batch.ended_at is None else _stamp(batch.ended_at),
        "cancel_initiated_at": _stamp(batch.created) if batch.cancelled else None,
        "archived_at": None,
        "results_url": results_url if batch.ended_at is not None else None,
    }


def result_lines(batch: Batch) -> bytes:
    """Return the results as JSON lines, in an order that is not that of the requests."""
    ids = sorted(batch.results, key=lambda custom_id: hashlib.sha256(custom_id.encode()).digest())
    lines = (json.dumps({"custom_id": name, "result": batch.results[name]}, ensure_ascii=False) for name in ids)
    return ("\n".join(lines) + "\n").encode()


def _stamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
