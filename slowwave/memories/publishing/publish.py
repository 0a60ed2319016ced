"""From the database's state to the live files: take over a person's edits, render, scan, switch, commit."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import update
from sqlmodel import Session, col, select

from slowwave.errors import LiveFilesChanged, PublishError, SecretFound
from slowwave.memories.byhand.archive import texts_of, without_secrets
from slowwave.memories.publishing.publication import Live, Outcome, Publication, root_of
from slowwave.memories.publishing.recovery import renew_state_file, state_file_in
from slowwave.memories.publishing.render import SessionSummary, render_files
from slowwave.memories.publishing.takeover import late_edits, repair, take_over
from slowwave.memories.state.ranking import DAY
from slowwave.memories.state.store import load_state_in, lock_project, save_state_in
from slowwave.memories.state.values import MemoryState, dump_state
from slowwave.private import replace_private
from slowwave.storage.engine import database_now, reading, writing
from slowwave.storage.failpoints import reach
from slowwave.storage.proposals import open_work_in
from slowwave.storage.published.artifacts import Published, prune, publish
from slowwave.storage.published.live import VERSIONS, manifest_of
from slowwave.storage.published.versions import (
    prune_versions_in,
    record_version_in,
    store_id,
    version_manifest,
)
from slowwave.storage.tables import Artifact, Project, StageOneOutput, Thread, Version
from slowwave.storage.types import Origin

__all__ = ["Live", "Outcome", "Publication", "publish_project", "repair", "root_of", "session_summaries_in"]

MAX_ROUNDS = 6


def publish_project(publication: Publication, live: Live) -> Outcome:
    """Render the stored state and make it live, taking over edits made meanwhile as often as it takes.

    Raises:
        LeaseLost, StaleFence: somebody else owns the project now; nothing was written.
        SecretFound: a rendered file still holds a secret; the old version stands.
        PublishError: the disk refuses; the old version stands.
    """
    changes, secrets, damage = list(live.changes), live.secrets, list(live.damage)
    scrubbed = False
    for _ in range(MAX_ROUNDS):
        state, files, version = _rendered(publication, live)
        if version is None:
            with writing(publication.engine) as session:
                publication.held(session)
                publication.settle(session, None)
                kept = state_file_in(session, publication.project_id)
            renew_state_file(publication.root, kept)
            return Outcome(None, publication.root, tuple(changes), secrets, damage=tuple(damage))
        try:
            published = _publish(publication, live, state, files, version)
        except SecretFound:
            # Stored before it was scanned, by an older version or another program: cleaned once, then it is refused.
            if scrubbed:
                raise
            scrubbed = True
            secrets += _scrub_state(publication)
            continue
        except LiveFilesChanged:
            live = take_over(publication)
            changes += live.changes
            secrets += live.secrets
            damage += live.damage
            continue
        late = late_edits(publication, live, published)
        _clean_edited_version(publication, version - 1, {**live.cleaned, **late.cleaned})
        _prune(publication)
        return Outcome(
            version,
            publication.root,
            (*changes, *late.changes),
            secrets + late.secrets,
            bool(late.changes),
            (*damage, *late.damage),
        )
    raise PublishError(
        "the files were edited again and again while they were being published",
        hint="The next run tries again; nothing was lost.",
        reason="live_files_changed",
    )


def _scrub_state(publication: Publication) -> int:
    """Replace every secret in the stored state; return how many texts changed."""
    with writing(publication.engine) as session:
        lock_project(session, publication.project_id)
        publication.held(session)
        before = load_state_in(session, publication.project_id)
        after = without_secrets(before, publication.scrubber)
        save_state_in(session, publication.project_id, before, after, publication.run_id, database_now(session))
    return sum(one != other for one, other in zip(texts_of(before), texts_of(after), strict=False))


def _rendered(publication: Publication, live: Live) -> tuple[MemoryState, dict[str, bytes], int | None]:
    """The state, its files, and the number of the version to publish (None: what is live is already that)."""
    with reading(publication.engine) as session:
        project = session.get_one(Project, publication.project_id)
        state = load_state_in(session, publication.project_id)
        summaries = session_summaries_in(session, publication.project_id, publication.options.max_session_summaries)
        open_work = open_work_in(
            session, publication.project_id, database_now(session) - publication.options.open_work_days * DAY
        )
        number = project.version
        current = version_manifest(session, publication.project_id, number) if number else None
    try:
        files = render_files(
            publication.name, state, summaries, live.carried, publication.render, publication.options, open_work
        )
    except (ValueError, OverflowError, TypeError) as error:
        raise PublishError(
            f"the memory of {publication.name} cannot be rendered: {error}",
            hint="`slowwave rollback` takes an older version.",
        ) from error
    manifest = manifest_of(files, number=number + 1, fence=publication.fence, generation=publication.generation)
    same_as_live = live.manifest is not None and live.manifest.digest == manifest.digest
    if current is not None and current.digest == manifest.digest and same_as_live:
        return state, files, None
    if current is None and not state.entries and not summaries and not live.carried and not open_work:
        return state, files, None
    return state, files, number + 1


def session_summaries_in(session: Session, project_id: str, limit: int) -> list[SessionSummary]:
    """The newest kept sessions of a project, as `rollout_summaries/` shows them."""
    rows = session.exec(
        select(StageOneOutput, Thread)
        .join(Thread, col(Thread.id) == col(StageOneOutput.thread_id))
        .where(
            StageOneOutput.project_id == project_id,
            StageOneOutput.rollout_summary != "",
            col(Thread.forgotten).is_(False),
        )
        .order_by(col(StageOneOutput.session_last_activity).desc(), col(StageOneOutput.thread_id))
        .limit(limit)
    )
    return [
        SessionSummary(
            thread_id=thread.id,
            session_id=thread.session_id,
            agent=thread.agent,
            slug=output.slug,
            outcome=output.outcome,
            summary=output.rollout_summary,
            branch=thread.branch or "",
            date=output.session_last_activity,
        )
        for output, thread in rows
        if output.memories or output.open_work
    ]


def _publish(
    publication: Publication, live: Live, state: MemoryState, files: dict[str, bytes], number: int
) -> Published:
    with writing(publication.engine) as session:
        store = store_id(session)
        kept = state_file_in(session, publication.project_id, state)

    def check() -> None:
        with writing(publication.engine) as session:
            publication.held(session)

    def commit(published: Published) -> None:
        with writing(publication.engine) as session:
            lock_project(session, publication.project_id)
            publication.held(session)
            row_id = record_version_in(
                session,
                publication.project_id,
                published.manifest,
                files,
                run_id=publication.run_id,
                cause=publication.cause,
                note=publication.note,
            )
            version = session.get_one(Version, row_id)
            version.state = dump_state(state)
            session.add(version)
            if live.carried:
                mine = col(Artifact.path).in_(sorted(live.carried))
                session.exec(
                    update(Artifact).where(col(Artifact.version_id) == row_id, mine).values(origin=Origin.USER)
                )
            project = session.get_one(Project, publication.project_id)
            project.version, project.fence = number, publication.fence
            session.add(project)
            session.flush()
            publication.settle(session, number)
            reach("consolidate.committing")

    return publish(
        publication.root,
        files,
        number=number,
        fence=publication.fence,
        generation=publication.generation,
        scan=publication.scrubber.assert_clean,
        check=check,
        expected=live.manifest,
        commit=commit,
        store=store,
        waiting=publication.waiting,
        state=kept,
    )


def _clean_edited_version(publication: Publication, number: int, cleaned: Mapping[str, bytes]) -> None:
    """A secret that a person typed into the live files must not stay in the version that was live then."""
    for folder in (publication.root / VERSIONS).glob(f"{number}-*"):
        for path, content in cleaned.items():
            if (folder / path).is_file():
                replace_private(folder / path, content)


def _prune(publication: Publication) -> None:
    with writing(publication.engine) as session:
        kept = prune_versions_in(session, publication.project_id, publication.keep_versions)
    prune(publication.root, set(kept))
