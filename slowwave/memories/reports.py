"""The plain values that a run consists of: options, plan, reports. They hold counts, ids and reason codes only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from slowwave.llm.base import Usage


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What a run is asked to do. `project` is an id, a slug, a name or a folder; `since` a date such as 2026-11-01."""

    kind: str = "nightly"
    project: str | None = None
    sessions: tuple[str, ...] = ()
    backfill: bool = False
    since: str | None = None
    reextract: bool = False
    force: bool = False
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run will do. Plain values: it goes through JSON. `batches` hold thread ids, `projects` ids that are dirty
    already (stage one will make more so); `promotion` tells that the user level waits."""

    run_id: str
    kind: str
    extractor: str
    batches: tuple[tuple[str, ...], ...]
    projects: tuple[str, ...]
    reasons: Mapping[str, int] = field(default_factory=dict)
    upgrades: int = 0
    scanned: Mapping[str, int] = field(default_factory=dict)
    only_project: str | None = None
    promotion: bool = False
    notes: tuple[str, ...] = ()

    @property
    def sessions(self) -> int:
        """How many sessions it extracts."""
        return sum(len(batch) for batch in self.batches)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to do."""
        return not self.batches and not self.projects and not self.promotion

    def to_json(self) -> str:
        """The plan as JSON."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Plan:
        """The inverse of `to_json`."""
        data = json.loads(text)
        data["batches"] = tuple(tuple(batch) for batch in data["batches"])
        data["projects"] = tuple(data["projects"])
        data["notes"] = tuple(data.get("notes", ()))
        return Plan(**data)


@dataclass(frozen=True, slots=True)
class BatchReport:
    """What became of a batch: numbers of sessions by reason, secrets removed by type, why it ended early."""

    reasons: dict[str, int]
    redactions: dict[str, int]
    usage: Usage
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class ProjectReport:
    """What became of one project."""

    project_id: str
    outcome: str
    reason: str = ""
    version: int | None = None
    root: str = ""
    operations: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    held: dict[str, int] = field(default_factory=dict)
    damage: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a run did. Counts, ids and reason codes only: it may be shown anywhere."""

    run_id: str
    kind: str
    status: str
    extractor: str
    sessions: dict[str, int] = field(default_factory=dict)
    projects: list[dict[str, Any]] = field(default_factory=list)
    redactions: dict[str, int] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    message: str = ""
