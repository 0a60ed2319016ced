"""A project with remembered entries in a real home, changed by the product's own functions in this process."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from slowwave.app import App, open_app
from slowwave.memories import pipeline
from slowwave.memories.byhand.changes import HandResult, change_project
from slowwave.memories.byhand.entries import remember
from slowwave.memories.context import open_run
from slowwave.memories.publishing.publication import root_of
from slowwave.memories.reports import RunOptions
from slowwave.memories.state.store import load_state_in
from slowwave.memories.state.values import MemoryState, SkillState
from slowwave.storage.engine import reading, writing
from slowwave.storage.registry import ensure_project
from slowwave.storage.tables import Project
from slowwave.storage.types import MemoryKind

KEY = "path:/src/shop"
PROJECT = hashlib.sha256(KEY.encode()).hexdigest()[:16]
LINES: Mapping[str, MemoryKind] = {
    "Use pnpm, never npm.": MemoryKind.PREFERENCE,
    "Answer in short sentences.": MemoryKind.PREFERENCE,
    "Never commit to main.": MemoryKind.CONSTRAINT,
    "Amounts are whole cents.": MemoryKind.CONSTRAINT,
    "The database is PostgreSQL 16.": MemoryKind.DECISION,
    "Run the tests with `make check`.": MemoryKind.WORKFLOW,
}


@dataclass
class Remembered:
    """`env` names the home and, for a team, the database."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.env = {"HOME": str(self.folder), "SLOWWAVE_HOME": str(self.folder / "slowwave"), **self.env}
        self.app: App = open_app(self.env)
        self.begin()

    @staticmethod
    def reopen(other: Remembered) -> Remembered:
        """The same home opened again, its project not registered."""
        one = copy(other)
        one.app = open_app(one.env)
        return one

    def begin(self) -> None:
        """Register the project, as a scan or a command would."""
        with writing(self.app.engine) as session:
            ensure_project(session, key=KEY, id=PROJECT, slug="shop", name="shop", root="/src/shop")

    def close(self) -> None:
        self.app.engine.dispose()

    def add(self, lines: Mapping[str, MemoryKind] = LINES) -> HandResult:
        def change(_session: object, state: MemoryState, now: float) -> MemoryState:
            for text, kind in lines.items():
                state, _ = remember(state, text, kind, now)
            return state

        return change_project(self.app, PROJECT, change, cause="remember")

    def change(self, how: Any, cause: str = "test") -> HandResult:
        return change_project(self.app, PROJECT, how, cause=cause)

    def add_skill(self, skill: SkillState) -> None:
        self.change(lambda _s, state, _n: state.put_skill(skill))

    @property
    def project(self) -> Project:
        with reading(self.app.engine) as session:
            return session.get_one(Project, PROJECT)

    @property
    def root(self) -> Path:
        return root_of(self.app.home, self.project)

    @property
    def memory(self) -> Path:
        return self.root / "current" / "MEMORY.md"

    @property
    def state(self) -> MemoryState:
        with reading(self.app.engine) as session:
            return load_state_in(session, PROJECT)

    @property
    def texts(self) -> list[str]:
        return [entry.text for entry in self.state.active]

    def night(self) -> dict[str, Any]:
        """A run; `outcome` and `damage` of the project, empty when there was nothing to do."""
        plan = pipeline.plan_run(self.app, RunOptions())
        if plan.empty:
            return {}

        async def work() -> None:
            async with open_run(self.app, plan.run_id) as context:
                for project in pipeline.dirty_projects(context):
                    await pipeline.consolidate_project(context, project)

        asyncio.run(work())
        report = pipeline.finish_run(self.app, plan.run_id)
        return next((row for row in report.projects if row["project_id"] == PROJECT), {})
