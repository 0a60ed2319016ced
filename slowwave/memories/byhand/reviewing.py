"""What waits for a person: operations that a quota or a guard held back, to be applied or declined."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session

from slowwave.app import App
from slowwave.errors import ConfigError
from slowwave.memories.byhand.changes import HandResult, change_project
from slowwave.memories.consolidation.run_limits import RunLimits
from slowwave.memories.consolidation.settling import apply_held, describe, fates, store_changes_in
from slowwave.memories.consolidation.sources import Source
from slowwave.memories.state.store import load_state_in
from slowwave.memories.state.values import MemoryState
from slowwave.storage.engine import database_now, reading, writing
from slowwave.storage.proposals import FateRow, decide_held, held, record_fates
from slowwave.storage.tables import HeldOperation, Project
from slowwave.storage.types import Fate, HeldState


@dataclass(frozen=True, slots=True)
class Waiting:
    """One held operation: the store and project that it belongs to, what it would do in words, and why it waits."""

    app: App
    id: int
    project_id: str
    project: str
    operation: str
    reason: str
    lines: tuple[str, ...]
    at: float
    offered: int


def waiting(app: App, project_id: str | None = None) -> list[Waiting]:
    """Everything that waits in all stores, or in one project, oldest first."""
    found: list[Waiting] = []
    for store in app.stores():
        with reading(store.engine) as session:
            states: dict[str, MemoryState] = {}
            for row in held(session, project_id):
                state = states.setdefault(row.project_id, load_state_in(session, row.project_id))
                found.append(_waiting(store, session, row, state))
    return found


def _waiting(app: App, session: Session, row: HeldOperation, state: MemoryState) -> Waiting:
    project = session.get(Project, row.project_id)
    return Waiting(
        app=app,
        id=row.id or 0,
        project_id=row.project_id,
        project=project.name if project is not None else row.project_id,
        operation=str(row.operation["op"]),
        reason=row.reason,
        lines=tuple(describe(row, state)),
        at=row.at,
        offered=row.offered,
    )


def apply_waiting(one: Waiting) -> tuple[HandResult, bool]:
    """Do what was held back, as the person's decision, and publish. False when it no longer fits what stands.

    Raises:
        ConfigError: it does not wait any more.
    """
    done: list[bool] = []

    def change(session: Session, state: MemoryState, now: float) -> MemoryState:
        row = session.get(HeldOperation, one.id)
        if row is None or row.state != HeldState.WAITING:
            raise ConfigError(f"{one.id} does not wait any more", hint="`slowwave review` lists what does.")
        applied = apply_held(state, row, RunLimits(standing=len(state.active), approved=True, now=now))
        fits = any(decision.accepted for decision in applied.decisions)
        decide_held(session, one.id, HeldState.APPLIED if fits else HeldState.OBSOLETE, now=now)
        sources = {name: Source.from_json(source) for name, source in row.sources.items()}
        record_fates(session, one.project_id, fates(applied.state, applied.decisions, sources), run_id=None, now=now)
        store_changes_in(session, one.project_id, applied.changes, None, now)
        done.append(fits)
        return applied.state if fits else state

    result = change_project(one.app, one.project_id, change, cause="review", note=f"applied {one.id}")
    return result, done[-1]


def decline_waiting(one: Waiting) -> None:
    """Leave things as they are; the same proposal is not held again.

    Raises:
        ConfigError: it does not wait any more.
    """
    with writing(one.app.engine) as session:
        now = database_now(session)
        row = decide_held(session, one.id, HeldState.DECLINED, now=now)
        if row is None:
            raise ConfigError(f"{one.id} does not wait any more", hint="`slowwave review` lists what does.")
        rows: list[FateRow] = []
        for source in (Source.from_json(data) for data in row.sources.values()):
            candidate = source.candidate
            rows.append(
                FateRow(
                    source.thread_id,
                    candidate.hash,
                    candidate.kind,
                    candidate.text,
                    Fate.DECLINED,
                    reason="declined_by_person",
                )
            )
        record_fates(session, one.project_id, rows, run_id=None, now=now)
