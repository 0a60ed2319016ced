"""What the published files know when the database does not: entries, notes, pins and the project itself.

Each version's folder holds `.state`, hidden from readers: the project and its memory as they were stored. Where that
is missing, the files' own text is read. A database that knows less than the disk takes over what the disk has; nothing
that was published is removed for it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, select, update

from slowwave.app import App
from slowwave.memories.byhand.archive import parse_state
from slowwave.memories.context import render_named
from slowwave.memories.projects.stores import store_of
from slowwave.memories.publishing.damage import Damage, keep_aside
from slowwave.memories.publishing.edits import MEMORY, SUMMARY, decoded
from slowwave.memories.publishing.markdown import blocks, plain_text, situation_of
from slowwave.memories.publishing.render import ARCHIVE, OPEN_WORK, render_files
from slowwave.memories.state.gate import clean_state
from slowwave.memories.state.store import delete_entries_in, load_state_in, save_state_in
from slowwave.memories.state.tombstones import Tombstones, packed_tombstones, take_tombstones_in
from slowwave.memories.state.values import EntryState, EvidenceState, MemoryState, NoteState, dump_state
from slowwave.memories.text import quote_hash
from slowwave.private import replace_private
from slowwave.storage.engine import database_now, reading, writing
from slowwave.storage.published.artifacts import STATE, forget_published, published_number
from slowwave.storage.published.live import Manifest, live_folder, pointed_version, read_files, read_manifest
from slowwave.storage.published.versions import record_version_in, store_id, version_manifest
from slowwave.storage.queue.generations import bump_generation
from slowwave.storage.registry import ensure_project
from slowwave.storage.tables import Artifact, Project, Version
from slowwave.storage.types import MemoryKind, Origin, Standing

MAX_SIDECAR = 64 * 1024 * 1024
_SUPPORT_DATE = re.compile(r"last (\d{4}-\d\d-\d\d)\)\s*\Z")
_PLACE = ("id", "key", "slug", "name", "root", "remote", "user_level")


@dataclass(frozen=True, slots=True)
class Kept:
    """What a memory folder knows of its project. `place` is empty where it was published before that was kept;
    `forgotten` is what `packed_tombstones` gave."""

    folder: Path
    number: int
    place: dict[str, Any]
    state: MemoryState
    forgotten: Mapping[str, Any] = field(default_factory=dict)


def state_file_in(session: Session, project_id: str, state: MemoryState | None = None) -> bytes:
    """The bytes of `.state`: the same for the same project, memory and tombstones."""
    project = session.get_one(Project, project_id)
    place = {name: getattr(project, name) for name in _PLACE}
    packed = dump_state(load_state_in(session, project_id) if state is None else state)
    whole = {"format": 1, "project": place, "state": base64.b64encode(packed).decode("ascii")}
    forgotten = packed_tombstones(session, project_id)
    return json.dumps(whole | ({"forgotten": forgotten} if forgotten else {}), sort_keys=True).encode()


def renew_state_file(root: Path, kept: bytes) -> None:
    """Write `.state` anew beside files that stay as they are: something was forgotten, or counts as said again."""
    folder = live_folder(root)
    # What cannot be written knows less than the database, which harms nothing.
    with suppress(OSError):
        if folder is not None and (folder / STATE).read_bytes() != kept:
            replace_private(folder / STATE, kept)


def read_kept(root: Path) -> Kept | None:
    """What the live files of a memory root know, None when there are none."""
    folder = pointed_version(root)
    manifest = None if folder is None else read_manifest(folder)
    if folder is None or manifest is None:
        return None
    return _kept(folder, manifest.number)


def _kept(folder: Path, number: int) -> Kept:
    try:
        with (folder / STATE).open("rb") as file:
            data = json.loads(file.read(MAX_SIDECAR))
        place = {name: data["project"][name] for name in _PLACE}
        if not _is_real(place):
            place = {}
        state = clean_state(parse_state(base64.b64decode(data["state"])))
        return Kept(folder, number, place, state, data.get("forgotten", {}))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Kept(folder, number, {}, state_from_text(folder))


def _is_real(place: dict[str, Any]) -> bool:
    """Whether the id is that of the key: a forged file must not speak for another project."""
    key = str(place["key"])
    made = hashlib.sha256(key.encode()).hexdigest()[:16]
    return place["id"] == made or place["user_level"] is True or key.startswith("hidden:")


def state_from_text(folder: Path) -> MemoryState:
    """Entries, a person's lines and notes as the published text has them."""
    state = MemoryState()
    for name in (MEMORY, ARCHIVE):
        try:
            text = decoded((folder / name).read_bytes())
        except OSError:
            continue
        state = _with_text(state, name, text)
    return clean_state(state)


def _with_text(state: MemoryState, name: str, text: str) -> MemoryState:
    notes: list[NoteState] = []
    for position, block in enumerate(blocks(text)):
        if block.shape in ("entry", "bullet"):
            words = plain_text(block.text)
            if not words or (block.id and state.entry(block.id) is not None):
                continue
            own = block.shape == "bullet"
            evidence = EvidenceState(words, quote_hash(words), origin=Origin.IMPORT, at=_date_of(block.text))
            entry = EntryState(
                number=state.next_number if own else int(block.id[1:]),
                kind=block.kind or MemoryKind.FACT,
                text=words,
                situation=situation_of(block.text),
                standing=Standing.USER_SAID if own else Standing.INFERRED,
                origin=Origin.EDIT if own else Origin.IMPORT,
                hand_edited=own,
                verbatim=block.text if own else "",
                evidence=(evidence,),
            )
            state = state.put(entry)
        elif name == MEMORY and not _ours(block.text, block.shape, block.kind is not None):
            notes.append(NoteState(MEMORY, block.anchor, position, block.text))
    return replace(state, notes=(*state.notes, *notes))


def _ours(text: str, shape: str, generated: bool) -> bool:
    if shape == "heading":
        return generated or text.startswith(("# Memory of ", "# Older memory of "))
    return text.startswith("Nothing is remembered about this project yet")


def _date_of(block: str) -> float | None:
    match = _SUPPORT_DATE.search(block.split("\n")[0])
    return datetime.fromisoformat(match[1]).replace(tzinfo=UTC).timestamp() if match else None


def knows_more(root: Path, number: int, store: str) -> bool:
    """Whether a memory root holds a version that was committed and that this database does not have."""
    committed, of_store = published_number(root)
    if not of_store or live_folder(root) is None:
        return False
    return committed > number if of_store == store or number == 0 else False


def take_back_in(session: Session, project: Project, kept: Kept) -> int:
    """Take a memory folder's knowledge into the database; return how many entries that adds."""
    # Tombstones that are damaged are none; what they covered may be learnt again.
    with suppress(ValueError, KeyError, TypeError):
        take_tombstones_in(session, project.id, kept.forgotten)
    before = _without_forgotten(session, project.id, kept)
    known = {entry.number: entry for entry in before.entries} | {entry.number: entry for entry in kept.state.entries}
    skills = {skill.name: skill for skill in (*before.skills, *kept.state.skills)}
    notes = (*kept.state.notes, *(note for note in before.notes if note not in kept.state.notes))
    after = MemoryState(
        entries=tuple(known[number] for number in sorted(known)),
        skills=tuple(skills[name] for name in sorted(skills)),
        notes=notes,
        next_number=max(before.next_number, kept.state.next_number, max(known, default=0) + 1),
    )
    save_state_in(session, project.id, before, after, None, database_now(session))
    for folder in sorted(kept.folder.parents[0].glob("[0-9]*")):
        _record_in(session, project, folder, kept, after)
    session.flush()
    return len(after.entries) - len(before.entries)


def _without_forgotten(session: Session, project_id: str, kept: Kept) -> MemoryState:
    """What the database holds, without the lines that were forgotten after the backup that it was restored from."""
    state, tombstones = load_state_in(session, project_id), Tombstones.load_in(session, project_id)
    stands = {entry.number for entry in kept.state.entries}
    gone = [e.number for e in state.entries if e.number not in stands and tombstones.covers_text(e.text)]
    delete_entries_in(session, project_id, gone)
    return replace(state, entries=tuple(entry for entry in state.entries if entry.number not in gone))


def _record_in(session: Session, project: Project, folder: Path, kept: Kept, after: MemoryState) -> None:
    """Record a version folder, older ones too: they can be rolled back to, and no pruning takes them for litter."""
    manifest = read_manifest(folder)
    live = folder.name == kept.folder.name
    if manifest is None or manifest.number > kept.number or (manifest.number == kept.number) != live:
        return
    if version_manifest(session, project.id, manifest.number) is None:
        state = after if live else _kept(folder, manifest.number).state
        files = _published_bytes(folder, manifest, project.name, state)
        manifest = replace(manifest, fence=0, files={path: manifest.files[path] for path in files})
        row = record_version_in(session, project.id, manifest, files, cause="recover")
        version = session.get_one(Version, row)
        version.state = dump_state(state)
        session.add(version)
        own = [path for path in files if _is_carried(path, state)]
        theirs = col(Artifact.version_id) == row, col(Artifact.path).in_(own)
        session.exec(update(Artifact).where(*theirs).values(origin=Origin.USER))
    if live:
        project.version = manifest.number
        session.add(project)


def _published_bytes(folder: Path, manifest: Manifest, name: str, state: MemoryState) -> dict[str, bytes]:
    """The files as they were published. One that was edited since is rendered again, so that the edit shows; where that
    gives other bytes the edited file is kept aside and counts as published."""
    live = {path: data for path, data in read_files(folder).items() if path in manifest.files}
    rendered = render_files(name, state, [], {}, partial(render_named, None))
    files: dict[str, bytes] = {}
    for path, data in live.items():
        wanted = manifest.files[path]
        again = rendered.get(path, b"")
        if _sha(data) != wanted and _sha(again) == wanted:
            files[path] = again
        else:
            files[path] = data
            if _sha(data) != wanted:
                keep_aside(folder.parents[1], Damage(path, "unknown-version", data), time.time())
    return files


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _is_carried(path: str, state: MemoryState) -> bool:
    """What no later rendering brings again: a person's own files, and summaries of sessions that are not known."""
    generated = {MEMORY, SUMMARY, ARCHIVE, OPEN_WORK, *(f"skills/{skill.name}/SKILL.md" for skill in state.skills)}
    return path not in generated


def recover_lost(app: App, *, everything: bool = False) -> list[str]:
    """Take back every memory folder of this home that its databases do not know; say what was found.

    A folder of one of these databases whose project is gone was removed on purpose and counts with `everything` only.
    """
    said: list[str] = []
    stores = {_store(one): one for one in app.stores()}
    for root in _roots(app):
        number, of_store = published_number(root)
        if not number or live_folder(root) is None:
            continue
        kept = read_kept(root)
        place = kept.place if kept is not None else {}
        target = stores.get(of_store) or store_of(app, str(place.get("id", "")))
        project = _project(target, root.name)
        known = project.version if project is not None else 0
        if number <= known or (known and of_store not in stores):
            continue
        if project is None and of_store in stores and not everything:
            continue
        if kept is None or (project is None and not place):
            said.append(f"{root}: of no project that is known; a session of it brings it back")
            continue
        said.append(_take_back(target, root, kept))
    return said


def _store(app: App) -> str:
    with writing(app.engine) as session:
        return store_id(session)


def _project(app: App, name: str) -> Project | None:
    with reading(app.engine) as session:
        return next((row for row in session.exec(select(Project)) if f"{row.slug}-{row.id[:8]}" == name), None)


def _take_back(app: App, root: Path, kept: Kept) -> str:
    with writing(app.engine) as session:
        if kept.place:
            ensure_project(session, **kept.place)
            project_id = str(kept.place["id"])
        else:
            project_id = next(
                row.id for row in session.exec(select(Project)) if f"{row.slug}-{row.id[:8]}" == root.name
            )
        project = session.get_one(Project, project_id, populate_existing=True)
        count = take_back_in(session, project, kept)
        bump_generation(session, project_id)
        name = project.name
    forget_published(root)
    return f"{name}: the database had lost this memory; {count} entries were taken back from {root}"


def _roots(app: App) -> Iterator[Path]:
    folder = app.home / "memory"
    if folder.is_dir():
        yield from (root for root in sorted(folder.iterdir()) if root.is_dir() and not root.is_symlink())
