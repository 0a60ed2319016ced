"""Take over what a person changed in the published files, and restore what was damaged in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from sqlmodel import Session, col, select

from slowwave.memories.publishing.damage import Damage, Kept, damage_of, keep_aside, restore_file
from slowwave.memories.publishing.edits import MEMORY, SUMMARY, absorb_edits, decoded
from slowwave.memories.publishing.markdown import blocks, marker_of, plain_text
from slowwave.memories.publishing.publication import Live, Publication
from slowwave.memories.publishing.recovery import knows_more, read_kept, state_file_in, take_back_in
from slowwave.memories.state.store import load_state_in, lock_project, save_state_in
from slowwave.memories.state.tombstones import REMOVED, Tombstones
from slowwave.memories.state.values import MemoryState
from slowwave.storage.engine import database_now, reading, writing
from slowwave.storage.failpoints import reach
from slowwave.storage.published.artifacts import Published, forget_published, publish_lock, recover
from slowwave.storage.published.live import (
    Manifest,
    live_files,
    live_folder,
    manifest_of,
    read_files,
    read_manifest,
)
from slowwave.storage.published.versions import history, store_id, version_files, version_manifest
from slowwave.storage.queue.generations import bump_generation
from slowwave.storage.tables import Artifact, Project, Version
from slowwave.storage.types import Origin, TombstoneKind

GENERATED = (MEMORY, SUMMARY)


def repair(publication: Publication) -> Live:
    """Make the folder agree with the database, then take over what a person changed in it."""
    with reading(publication.engine) as session:
        project = session.get_one(Project, publication.project_id)
        truth = version_manifest(session, publication.project_id, project.version) if project.version else None
    taken_back = _take_back(publication, truth.number if truth is not None else 0)
    with reading(publication.engine) as session:
        project = session.get_one(Project, publication.project_id)
        truth = version_manifest(session, publication.project_id, project.version) if project.version else None
        store = store_id(session)
    recovery = recover(
        publication.root,
        truth,
        lambda: _bytes(publication, truth),
        store=store,
        state=lambda: _state_bytes(publication, truth),
    )
    reach("consolidate.recovered")
    early = Live(truth, {})
    if recovery.kept is not None and truth is not None:
        manifest = read_manifest(recovery.kept)
        base = _bytes(publication, truth)
        if manifest is not None:
            base = {**base, **{p: b for p, b in read_files(recovery.kept).items() if p not in recovery.edits.paths}}
        edited = {**recovery.edits.changed, **recovery.edits.added}
        early, _ = _absorb(publication, base, {**base, **_still_known(publication, edited)}, {})
    live = take_over(publication)
    reach("consolidate.edits_taken")
    return replace(
        live,
        changes=(*early.changes, *live.changes),
        secrets=early.secrets + live.secrets,
        damage=(*taken_back, *early.damage, *live.damage),
    )


def _take_back(publication: Publication, number: int) -> tuple[str, ...]:
    """Where the files know more than the database, it learns from them before anything of them is touched."""
    with writing(publication.engine) as session:
        store = store_id(session)
    if not knows_more(publication.root, number, store) or (kept := read_kept(publication.root)) is None:
        return ()
    with writing(publication.engine) as session:
        lock_project(session, publication.project_id)
        publication.held(session)
        count = take_back_in(session, session.get_one(Project, publication.project_id), kept)
    # The fences of what this database has forgotten would keep its own owners out.
    forget_published(publication.root)
    return (f"the database had lost this memory; {count} entries were taken back from the published files",)


def _state_bytes(publication: Publication, truth: Manifest | None) -> bytes:
    if truth is None:
        return b""
    with reading(publication.engine) as session:
        return state_file_in(session, publication.project_id)


def _bytes(publication: Publication, truth: Manifest | None) -> dict[str, bytes]:
    if truth is None:
        return {}
    with reading(publication.engine) as session:
        return version_files(session, publication.project_id, truth.number)


def take_over(publication: Publication) -> Live:
    """Compare the live files with the published version and store a person's edits. Doing it twice changes nothing."""
    with reading(publication.engine) as session:
        number = session.get_one(Project, publication.project_id).version
        published = version_manifest(session, publication.project_id, number) if number else None
        carried = carried_in(session, publication.project_id, number) if number else {}
    known = published.files if published is not None else {}
    live = _in_place(publication, live_files(publication.root) if publication.root.is_dir() else {}, known)
    missing = tuple(_gone(path) for path in GENERATED if path in known and path not in live)
    if not live:
        return Live(None, carried, damage=missing)
    manifest = manifest_of(live, number=number, fence=publication.fence, generation=publication.generation)
    kept = {path: live[path] for path in carried if path in live}
    if all(known.get(path) == digest for path, digest in manifest.files.items()):
        return Live(manifest, kept, damage=missing)
    before = _bytes(publication, published)
    taken, damaged = _absorb(publication, before, live, kept)
    if damaged:
        _restore(publication, {damage.path: before[damage.path] for damage in damaged})
        live = {**live, **{damage.path: before[damage.path] for damage in damaged}}
        manifest = manifest_of(live, number=number, fence=publication.fence, generation=publication.generation)
    return replace(taken, manifest=manifest, damage=(*missing, *taken.damage))


def _in_place(publication: Publication, live: Mapping[str, bytes], known: Mapping[str, str]) -> dict[str, bytes]:
    """Move files that stand in the way of published ones aside, so that nothing of them keeps a version from coming."""
    fitting = in_place(live, known)
    folder = live_folder(publication.root)
    for path in sorted(live.keys() - fitting.keys()):
        keep_aside(publication.root, Damage(path, "in-the-way", live[path]), _now(publication))
        if folder is not None:
            (folder / path).unlink(missing_ok=True)
    return fitting


def in_place(live: Mapping[str, bytes], known: Mapping[str, str]) -> dict[str, bytes]:
    """The live files without those that stand in the way of a published one: below a folder that has its name, or of
    the same name in other letters."""
    folded = {path.casefold() for path in known}

    def fits(path: str) -> bool:
        parents = {str(parent).casefold() for parent in PurePosixPath(path).parents}
        return path in known or not (parents & folded or path.casefold() in folded)

    return {path: data for path, data in live.items() if fits(path)}


def _gone(path: str) -> str:
    return f"{path} was gone or could not be read; it was published again"


def _restore(publication: Publication, files: Mapping[str, bytes]) -> None:
    with publish_lock(publication.root, publication.waiting):
        folder = live_folder(publication.root)
        if folder is not None:
            for path, content in files.items():
                restore_file(folder, path, content)


def carried_in(session: Session, project_id: str, number: int) -> dict[str, bytes]:
    """The files of a version that a person put into the published folder."""
    rows = session.exec(
        select(Artifact.path, Artifact.content)
        .join(Version, col(Version.id) == col(Artifact.version_id))
        .where(Version.project_id == project_id, Version.number == number, Artifact.origin == Origin.USER)
    )
    return {path: bytes(content) for path, content in rows}


def _absorb(
    publication: Publication, published: Mapping[str, bytes], live: Mapping[str, bytes], carried: Mapping[str, bytes]
) -> tuple[Live, list[Damage]]:
    changed = {path for path in live if published.get(path) != live[path]}
    with reading(publication.engine) as session:
        state = load_state_in(session, publication.project_id)
        bases, damaged = _judge(session, publication.project_id, state, published, live, changed - carried.keys())
    live = {**live, **{damage.path: published[damage.path] for damage in damaged}}
    clean, secrets = _without_secrets(publication, live, changed)
    changes, carried = _store_edits(publication, bases, clean, carried)
    for damage in damaged:
        keep_aside(publication.root, damage, _now(publication))
    cleaned = {path: clean[path] for path in changed if clean[path] != live[path]}
    return Live(None, carried, changes, secrets, cleaned, tuple(map(str, damaged))), damaged


def _still_known(publication: Publication, edited: Mapping[str, bytes]) -> dict[str, bytes]:
    """Edits of an older version without the lines that were forgotten since: an edit beside them does not bring them
    back."""
    with writing(publication.engine) as session:
        tombstones = Tombstones.load_in(session, publication.project_id)
    if not tombstones.hashes:
        return dict(edited)
    kept: dict[str, bytes] = {}
    for path, content in edited.items():
        text = decoded(content)
        for block in list(blocks(text)):
            if block.shape in ("entry", "bullet") and tombstones.covers_text(plain_text(block.text)):
                text = text.replace(f"{block.text}\n", "")
        kept[path] = text.encode("utf-8", "surrogateescape")
    return kept


def _now(publication: Publication) -> float:
    with reading(publication.engine) as session:
        return database_now(session)


def _store_edits(
    publication: Publication, bases: Mapping[str, bytes], clean: Mapping[str, bytes], carried: Mapping[str, bytes]
) -> tuple[tuple[str, ...], Mapping[str, bytes]]:
    """Store the edits that lie between the bases and the files; return them in words, and the person's own files."""
    with writing(publication.engine) as session:
        lock_project(session, publication.project_id)
        publication.held(session)
        state = load_state_in(session, publication.project_id)
        now = database_now(session)
        absorbed = absorb_edits(state, bases, clean, carried=carried, now=now)
        if absorbed.state != state:
            save_state_in(session, publication.project_id, state, absorbed.state, publication.run_id, now)
        if absorbed.tombstones:
            tombstones = Tombstones.load_in(session, publication.project_id)
            buried = [(TombstoneKind.TEXT, tombstones.text(text)) for text in absorbed.tombstones]
            tombstones.bury_in(session, publication.project_id, buried, REMOVED)
    return absorbed.changes, absorbed.carried


def _judge(
    session: Session,
    project_id: str,
    state: MemoryState,
    published: Mapping[str, bytes],
    live: Mapping[str, bytes],
    changed: set[str],
) -> tuple[dict[str, bytes], list[Damage]]:
    """What each edited file is to be compared with, and which of them are damaged.

    An editor that was open over a publish saves an edit of an older version: it is compared with that one.
    """
    bases, damaged = dict(published), []
    for path in sorted(changed & published.keys()):
        base = _base(session, project_id, path, published[path], live[path])
        reason = damage_of(path, published[path] if base is None else base, live[path], state)
        if base is None and not reason:
            reason = "unknown-version"
        if reason:
            damaged.append(Damage(path, reason, live[path]))
        elif base is not None:
            bases[path] = base
    return bases, damaged


def _base(session: Session, project_id: str, path: str, published: bytes, live: bytes) -> bytes | None:
    """The published bytes that an edited file was made from; None when it names a version that nobody knows."""
    wanted, marker = marker_of(decoded(live)), marker_of(decoded(published))
    if path not in GENERATED or not wanted or wanted == marker:
        return published
    for version in history(session, project_id):
        if version.pruned:
            continue
        row = session.exec(select(Artifact.content).where(Artifact.version_id == version.id, Artifact.path == path))
        content = row.first()
        if content is not None and marker_of(decoded(bytes(content))) == wanted:
            return bytes(content)
    return None


def _without_secrets(
    publication: Publication, live: Mapping[str, bytes], changed: set[str]
) -> tuple[dict[str, bytes], int]:
    """A person's text is kept word for word, but for a secret in it."""
    clean, count = dict(live), 0
    for path in sorted(changed):
        try:
            text = live[path].decode("utf-8")
        except UnicodeDecodeError:
            continue
        (redaction,) = publication.scrubber.redact_many([text], publishing=True)
        if redaction.findings:
            count += len(redaction.findings)
            clean[path] = redaction.text.encode()
    return clean, count


def late_edits(publication: Publication, live: Live, published: Published) -> Live:
    """A person's edit that fell between the last look and the switch is stored and makes the project dirty again."""
    if not published.late_edits:
        return Live(None, {})
    with reading(publication.engine) as session:
        before = version_files(session, publication.project_id, published.manifest.number - 1)
    after = {**before, **published.late_edits.changed, **published.late_edits.added}
    # The claim ended with the commit. Edits are a person's word: they are taken over whoever owns the project now.
    late, _ = _absorb(replace(publication, held=lambda _session: None), before, after, live.carried)
    with writing(publication.engine) as session:
        bump_generation(session, publication.project_id)
    return late


def accept_kept(publication: Publication, kept: Kept) -> tuple[str, ...]:
    """Take over a file that counted as damaged, because a person says that it was meant; return the changes."""
    with reading(publication.engine) as session:
        number = session.get_one(Project, publication.project_id).version
        published = version_files(session, publication.project_id, number)
        content = kept.file.read_bytes()
        base = _base(session, publication.project_id, kept.path, published[kept.path], content)
    bases = {**published, kept.path: published[kept.path] if base is None else base}
    clean, _ = _without_secrets(publication, {**bases, kept.path: content}, {kept.path})
    changes, _ = _store_edits(publication, bases, clean, {})
    kept.file.unlink()
    return changes


@dataclass(frozen=True, slots=True)
class Pending:
    """What the next run will find in the files: a person's edits in words, and damage."""

    changes: tuple[str, ...] = ()
    damage: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changes or self.damage)

    def __iter__(self) -> Iterator[str]:
        return iter((*self.changes, *self.damage))


def pending_edits(session: Session, root: Path, project: Project) -> Pending:
    """Look at the live files without changing anything."""
    published = version_manifest(session, project.id, project.version) if project.version else None
    if published is None:
        return Pending()
    live = in_place(live_files(root), published.files)
    missing = tuple(_gone(path) for path in GENERATED if path in published.files and path not in live)
    manifest = manifest_of(live, number=0, fence=0, generation=0)
    changed = {path for path, digest in manifest.files.items() if published.files.get(path) != digest}
    if not changed:
        return Pending((), missing)
    before = version_files(session, project.id, project.version)
    carried = {path: live[path] for path in carried_in(session, project.id, project.version) if path in live}
    state = load_state_in(session, project.id)
    bases, damaged = _judge(session, project.id, state, before, live, changed - carried.keys())
    live = {**live, **{damage.path: before[damage.path] for damage in damaged}}
    absorbed = absorb_edits(state, bases, live, carried=carried)
    return Pending(absorbed.changes, (*missing, *(damage.awaited for damage in damaged)))
