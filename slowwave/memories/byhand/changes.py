"""Changes that a person makes by command: stored at once, published at once unless a run is at the project."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sqlmodel import Session, col, select

from slowwave.app import App
from slowwave.errors import ConfigError
from slowwave.memories.consolidation.promotion import USER_ID, ask_for_promotion_in
from slowwave.memories.context import GuardedScrubber, render_named, render_options, retry_policy, scanner
from slowwave.memories.publishing.publish import Outcome, Publication, publish_project, repair, root_of
from slowwave.memories.state.store import load_state_in, lock_project, save_state_in
from slowwave.memories.state.values import MemoryState
from slowwave.storage.engine import database_now, reading, writing
from slowwave.storage.queue.generations import bump_generation, check_held, claim_project, finish_project_in
from slowwave.storage.queue.jobs import release
from slowwave.storage.queue.leases import Claim
from slowwave.storage.queue.owner import current_owner
from slowwave.storage.registry import ensure_project
from slowwave.storage.tables import Project, StageOneOutput
from slowwave.storage.types import JobKind

LEASE_SECONDS = 600.0
USER_KEY = "user"

Change = Callable[[Session, MemoryState, float], MemoryState]
Act = Callable[[Publication], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class HandResult:
    """What a change by hand led to. `pending` means that a run is at the project and will publish it."""

    version: int | None
    root: Path
    pending: bool = False
    changes: tuple[str, ...] = ()
    damage: tuple[str, ...] = ()


def user_project_in(session: Session) -> Project:
    """The project that holds the user-level entries, made at its first use."""
    ensure_project(session, key=USER_KEY, id=USER_ID, slug="user", name="user", user_level=True)
    return session.get_one(Project, USER_ID)


def change_project(
    app: App, project_id: str, change: Change, *, cause: str, note: str = "", scrubber: GuardedScrubber | None = None
) -> HandResult:
    """Apply a change to a project's state and publish it.

    `change` runs in the transaction that stores it, after a person's edits of the files were taken over.

    Raises:
        SlowwaveError: from the change itself, or PublishError; what was stored stays stored.
    """
    if scrubber is None:
        with scanner(app) as own:
            return change_project(app, project_id, change, cause=cause, note=note, scrubber=own)
    claim = _claim(app, project_id)
    if claim is None:
        _apply(app, project_id, change, None)
        with reading(app.engine) as session:
            project = session.get_one(Project, project_id)
        return HandResult(None, root_of(app.home, project), pending=True)

    def act(_desk: Publication) -> tuple[str, ...]:
        _apply(app, project_id, change, claim)
        return ()

    return _publish(app, claim, _desk(app, claim, scrubber, cause, note), act)


def change_files(app: App, project_id: str, act: Act, *, cause: str) -> HandResult:
    """Do something at a project's publication, after the person's edits were taken over, and publish.

    Raises:
        ConfigError: a run is at the project.
        SlowwaveError: from the act itself, or PublishError.
    """
    with scanner(app) as scrubber:
        claim = _claim(app, project_id)
        if claim is None:
            raise ConfigError("a run is at this project", hint="Try again when it has ended.")
        return _publish(app, claim, _desk(app, claim, scrubber, cause, ""), act)


def _publish(app: App, claim: Claim, publication: Publication, act: Act) -> HandResult:
    try:
        live = repair(publication)
        done = act(publication)
        outcome: Outcome = publish_project(publication, live)
    except BaseException:
        with writing(app.engine) as session:
            release(session, claim)
        raise
    return HandResult(outcome.version, outcome.root, changes=(*outcome.changes, *done), damage=outcome.damage)


def _claim(app: App, project_id: str) -> Claim | None:
    with writing(app.engine) as session:
        bump_generation(session, project_id)
        return claim_project(
            session,
            project_id,
            current_owner(),
            lease=LEASE_SECONDS,
            policy=retry_policy(app.settings.memories),
        )


def _apply(app: App, project_id: str, change: Change, claim: Claim | None) -> None:
    with writing(app.engine) as session:
        lock_project(session, project_id)
        if claim is not None:
            check_held(session, claim)
        now = database_now(session)
        before = load_state_in(session, project_id)
        after = change(session, before, now)
        save_state_in(session, project_id, before, after, None, now)
        if project_id != USER_ID and before.entries != after.entries and session.get(Project, USER_ID) is not None:
            ask_for_promotion_in(session)
        if claim is None:
            bump_generation(session, project_id)


def desk_for(app: App, project: Project, scrubber: GuardedScrubber) -> Publication:
    """A publication without a claim: good for taking files over and fetching them, not for publishing."""
    claim = Claim(JobKind.CONSOLIDATE, project.id, "", project.fence, 0.0)
    return _desk(app, claim, scrubber, "follow", "")


def _desk(app: App, claim: Claim, scrubber: GuardedScrubber, cause: str, note: str) -> Publication:
    memories = app.settings.memories
    with reading(app.engine) as session:
        project = session.get_one(Project, claim.key)

    def settle(session: Session, version: int | None) -> None:
        """Nothing was consolidated here: while sessions wait for stage two, the project stays dirty."""
        session.flush()
        waiting = select(StageOneOutput.thread_id).where(
            StageOneOutput.project_id == project.id, col(StageOneOutput.pending).is_(True)
        )
        if session.exec(waiting.limit(1)).first() is not None:
            release(session, claim)
        else:
            finish_project_in(session, claim, version=version)

    return Publication(
        engine=app.engine,
        root=root_of(app.home, project),
        project_id=project.id,
        name=project.name,
        fence=claim.fence,
        generation=claim.generation,
        render=partial(render_named, memories.prompt_dir),
        scrubber=scrubber,
        options=render_options(memories),
        keep_versions=memories.keep_versions,
        run_id=None,
        held=lambda session: check_held(session, claim),
        settle=settle,
        cause=cause,
        note=note,
    )
