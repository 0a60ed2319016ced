"""From the database's state to the live files: take over a person's edits, render, scan, switch, commit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from sqlalchemy import Engine, update
from sqlmodel import Session, col, select

from slowwave.errors import LiveFilesChanged, PublishError
from slowwave.memories.consolidation.state import MemoryState, dump_state
from slowwave.memories.consolidation.state_store import load_state_in, lock_project, save_state_in
from slowwave.memories.consolidation.tombstones import Tombstones
from slowwave.memories.publishing.edits import absorb_edits
from slowwave.memories.publishing.render import Render, RenderOptions, SessionSummary, render_files
from slowwave.memories.workspace import GuardedScrubber
from slowwave.paths import memory_root
from slowwave.storage.engine import database_now, reading, writing
from slowwave.storage.failpoints import reach
from slowwave.storage.published.artifacts import Published, prune, publish, recover
from slowwave.storage.published.live import VERSIONS, Manifest, live_files, manifest_of, read_files, read_manifest
from slowwave.storage.published.switch import replace_durably
from slowwave.storage.published.versions import (
    prune_versions_in,
    record_version_in,
    store_id,
    version_files,
    version_manifest,
)
from slowwave.storage.queue.generations import bump_generation
from slowwave.storage.tables import Artifact, Project, StageOneOutput, Thread, Version
from slowwave.storage.types import Origin, TombstoneKind

MAX_ROUNDS = 6
Guarding = Callable[[Session], None]


@dataclass(frozen=True, slots=True)
class Desk:
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
    `late` tells that some came too late for this version.
    """

    version: int | None
    root: Path
    changes: tuple[str, ...] = ()
    secrets: int = 0
    late: bool = False


@dataclass(frozen=True, slots=True)
class Live:
    """The live files as they were taken over: their manifest, and the person's own files among them.

    `cleaned` holds edited files in which a secret was replaced, as they may stay in the version that was edited.
    """

    manifest: Manifest | None
    carried: Mapping[str, bytes]
    changes: tuple[str, ...] = ()
    secrets: int = 0
    cleaned: Mapping[str, bytes] = field(default_factory=dict)


def root_of(home: Path, project: Project) -> Path:
    """The memory root of a project."""
    return memory_root(home, project.slug, project.id)


def repair(desk: Desk) -> Live:
    """Make the folder agree with the database, then take over what a person changed in it."""
    with reading(desk.engine) as session:
        project = session.get_one(Project, desk.project_id)
        truth = version_manifest(session, desk.project_id, project.version) if project.version else None
    with writing(desk.engine) as session:
        store = store_id(session)
    recovery = recover(desk.root, truth, lambda: _bytes(desk, truth), store=store)
    reach("consolidate.recovered")
    early = Live(truth, {})
    if recovery.kept is not None and truth is not None:
        manifest = read_manifest(recovery.kept)
        base = _bytes(desk, truth)
        if manifest is not None:
            base = {**base, **{p: b for p, b in read_files(recovery.kept).items() if p not in recovery.edits.paths}}
        early = _absorb(desk, base, {**base, **recovery.edits.changed, **recovery.edits.added}, {})
    live = take_over(desk)
    reach("consolidate.edits_taken")
    return replace(live, changes=(*early.changes, *live.changes), secrets=early.secrets + live.secrets)


def _bytes(desk: Desk, truth: Manifest | None) -> dict[str, bytes]:
    if truth is None:
        return {}
    with reading(desk.engine) as session:
        return version_files(session, desk.project_id, truth.number)


def take_over(desk: Desk) -> Live:
    """Compare the live files with the published version and store a person's edits. Doing it twice changes nothing."""
    with reading(desk.engine) as session:
        project = session.get_one(Project, desk.project_id)
        number = project.version
        published = version_manifest(session, desk.project_id, number) if number else None
        carried = _carried(session, desk.project_id, number) if number else {}
    live = live_files(desk.root) if desk.root.is_dir() else {}
    if not live:
        return Live(None, carried)
    manifest = manifest_of(live, number=number, fence=desk.fence, generation=desk.generation)
    kept = {path: live[path] for path in carried if path in live}
    known = published.files if published is not None else {}
    if all(known.get(path) == digest for path, digest in manifest.files.items()):
        return Live(manifest, kept)
    before = _bytes(desk, published)
    return replace(_absorb(desk, before, live, kept), manifest=manifest)


def _carried(session: Session, project_id: str, number: int) -> dict[str, bytes]:
    rows = session.exec(
        select(Artifact.path, Artifact.content)
        .join(Version, col(Version.id) == col(Artifact.version_id))
        .where(Version.project_id == project_id, Version.number == number, Artifact.origin == Origin.USER)
    )
    return {path: bytes(content) for path, content in rows}


def _absorb(
    desk: Desk, published: Mapping[str, bytes], live: Mapping[str, bytes], carried: Mapping[str, bytes]
) -> Live:
    changed = {path for path in live if published.get(path) != live[path]}
    clean, secrets = _without_secrets(desk, live, changed)
    with writing(desk.engine) as session:
        lock_project(session, desk.project_id)
        desk.held(session)
        state = load_state_in(session, desk.project_id)
        now = database_now(session)
        absorbed = absorb_edits(state, published, clean, carried=carried, now=now)
        if absorbed.state != state:
            save_state_in(session, desk.project_id, state, absorbed.state, desk.run_id, now)
        if absorbed.tombstones:
            tombstones = Tombstones.load_in(session, desk.project_id)
            buried = [(TombstoneKind.TEXT, tombstones.text(text)) for text in absorbed.tombstones]
            tombstones.bury_in(session, desk.project_id, buried, "removed from a file by the user")
    cleaned = {path: clean[path] for path in changed if clean[path] != live[path]}
    return Live(None, absorbed.carried, absorbed.changes, secrets, cleaned)


def _without_secrets(desk: Desk, live: Mapping[str, bytes], changed: set[str]) -> tuple[dict[str, bytes], int]:
    """A person's text is kept word for word, but for a secret in it."""
    clean, count = dict(live), 0
    for path in sorted(changed):
        try:
            text = live[path].decode("utf-8")
        except UnicodeDecodeError:
            continue
        redaction = desk.scrubber.redact(text)
        if redaction.findings:
            count += len(redaction.findings)
            clean[path] = redaction.text.encode()
    return clean, count


def publish_project(desk: Desk, live: Live) -> Outcome:
    """Render the stored state and make it live, taking over edits made meanwhile as often as it takes.

    Raises:
        LeaseLost, StaleFence: somebody else owns the project now; nothing was written.
        SecretFound: a rendered file still holds a secret; the old version stands.
        PublishError: the disk refuses; the old version stands.
    """
    changes, secrets = list(live.changes), live.secrets
    for _ in range(MAX_ROUNDS):
        state, files, version = _rendered(desk, live)
        if version is None:
            with writing(desk.engine) as session:
                desk.held(session)
                desk.settle(session, None)
            return Outcome(None, desk.root, tuple(changes), secrets)
        try:
            published = _publish(desk, live, state, files, version)
        except LiveFilesChanged:
            live = take_over(desk)
            changes += live.changes
            secrets += live.secrets
            continue
        late = _late(desk, live, published)
        _clean_edited_version(desk, version - 1, {**live.cleaned, **late.cleaned})
        _prune(desk)
        return Outcome(version, desk.root, (*changes, *late.changes), secrets + late.secrets, bool(late.changes))
    raise PublishError(
        "the files were edited again and again while they were being published",
        hint="The next run tries again; nothing was lost.",
        reason="live_files_changed",
    )


def _rendered(desk: Desk, live: Live) -> tuple[MemoryState, dict[str, bytes], int | None]:
    """The state, its files, and the number of the version to publish (None: what is live is already that)."""
    with reading(desk.engine) as session:
        project = session.get_one(Project, desk.project_id)
        state = load_state_in(session, desk.project_id)
        summaries = session_summaries_in(session, desk.project_id, desk.options.max_session_summaries)
        number = project.version
        current = version_manifest(session, desk.project_id, number) if number else None
    files = render_files(desk.name, state, summaries, live.carried, desk.render, desk.options)
    manifest = manifest_of(files, number=number + 1, fence=desk.fence, generation=desk.generation)
    same_as_live = live.manifest is not None and live.manifest.digest == manifest.digest
    if current is not None and current.digest == manifest.digest and same_as_live:
        return state, files, None
    if current is None and not state.entries and not summaries and not live.carried:
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
    ]


def _publish(desk: Desk, live: Live, state: MemoryState, files: dict[str, bytes], number: int) -> Published:
    with writing(desk.engine) as session:
        store = store_id(session)

    def check() -> None:
        with writing(desk.engine) as session:
            desk.held(session)

    def commit(published: Published) -> None:
        with writing(desk.engine) as session:
            lock_project(session, desk.project_id)
            desk.held(session)
            row_id = record_version_in(
                session,
                desk.project_id,
                published.manifest,
                files,
                run_id=desk.run_id,
                cause=desk.cause,
                note=desk.note,
            )
            version = session.get_one(Version, row_id)
            version.state = dump_state(state)
            session.add(version)
            if live.carried:
                mine = col(Artifact.path).in_(sorted(live.carried))
                session.exec(
                    update(Artifact).where(col(Artifact.version_id) == row_id, mine).values(origin=Origin.USER)
                )
            project = session.get_one(Project, desk.project_id)
            project.version, project.fence = number, desk.fence
            session.add(project)
            session.flush()
            desk.settle(session, number)
            reach("consolidate.committing")

    return publish(
        desk.root,
        files,
        number=number,
        fence=desk.fence,
        generation=desk.generation,
        scan=desk.scrubber.assert_clean,
        check=check,
        expected=live.manifest,
        commit=commit,
        store=store,
        waiting=desk.waiting,
    )


def _late(desk: Desk, live: Live, published: Published) -> Live:
    """A person's edit that fell between the last look and the switch is stored and makes the project dirty again."""
    if not published.late_edits:
        return Live(None, {})
    with reading(desk.engine) as session:
        before = version_files(session, desk.project_id, published.manifest.number - 1)
    after = {**before, **published.late_edits.changed, **published.late_edits.added}
    # The claim ended with the commit. Edits are a person's word: they are taken over whoever owns the project now.
    late = _absorb(replace(desk, held=lambda _session: None), before, after, live.carried)
    with writing(desk.engine) as session:
        bump_generation(session, desk.project_id)
    return late


def _clean_edited_version(desk: Desk, number: int, cleaned: Mapping[str, bytes]) -> None:
    """A secret that a person typed into the live files must not stay in the version that was live then."""
    for folder in (desk.root / VERSIONS).glob(f"{number}-*"):
        for path, content in cleaned.items():
            if (folder / path).is_file():
                replace_durably(folder / path, content)


def _prune(desk: Desk) -> None:
    with writing(desk.engine) as session:
        kept = prune_versions_in(session, desk.project_id, desk.keep_versions)
    prune(desk.root, set(kept))
