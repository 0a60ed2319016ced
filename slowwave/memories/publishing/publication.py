"""What it takes to publish one project, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session

from slowwave.memories.context import GuardedScrubber
from slowwave.memories.publishing.render import Render, RenderOptions
from slowwave.paths import memory_root
from slowwave.storage.published.live import Manifest
from slowwave.storage.tables import Project

Guarding = Callable[[Session], None]


@dataclass(frozen=True, slots=True)
class Publication:
    """What it takes to publish one project.

    `held` raises `LeaseLost` inside a transaction when the claim is gone; `settle` ends the job in the transaction that
    records the version (or finds that nothing changed).
    """

    engine: Engine
    root: Path
    project_id: str
    name: str
    fence: int
    generation: int
    render: Render
    scrubber: GuardedScrubber
    options: RenderOptions
    keep_versions: int
    run_id: str | None
    held: Guarding
    settle: Callable[[Session, int | None], None]
    cause: str = "consolidate"
    note: str = ""
    waiting: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a publish did. `version` is None when the files were already right.

    `changes` are a person's edits that were taken over, in words; `secrets` counts those that were replaced in them;
    `late` tells that some came too late for this version; `damage` says what was restored.
    """

    version: int | None
    root: Path
    changes: tuple[str, ...] = ()
    secrets: int = 0
    late: bool = False
    damage: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Live:
    """The live files as they were taken over: their manifest, and the person's own files among them.

    `cleaned` holds edited files in which a secret was replaced, as they may stay in the version that was edited.
    `damage` says in words which files were damaged and restored.
    """

    manifest: Manifest | None
    carried: Mapping[str, bytes]
    changes: tuple[str, ...] = ()
    secrets: int = 0
    cleaned: Mapping[str, bytes] = field(default_factory=dict)
    damage: tuple[str, ...] = ()


def root_of(home: Path, project: Project) -> Path:
    """The memory root of a project."""
    return memory_root(home, project.slug, project.id)
