"""Publish a set of files as one version, atomically and durably, and repair a memory root after a crash.

The database is the truth about which version counts; `recover` makes the folder agree with it. A fence, larger for
every new owner, is kept beside the link: an owner that was overtaken publishes nothing.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

from slowwave.errors import LiveFilesChanged, PublishError, StaleFence
from slowwave.private import create_private, make_private_folder, replace_private, sync_folder
from slowwave.storage.failpoints import reach
from slowwave.storage.published.live import (
    CURRENT,
    MANIFEST,
    VERSIONS,
    Edits,
    Manifest,
    edited_since,
    edits_in,
    live_folder,
    manifest_of,
    pointed_version,
    read_manifest,
    refuse_link,
)
from slowwave.storage.published.switch import TEMPORARY, discard, is_live, switch

LOCK = ".publish.lock"
FENCE = ".fence"
STATE = ".state"
"""In a version's folder, hidden from readers: the memory as it was stored, for a database that is lost."""
EDITED = ".edited-"
LOCK_TIMEOUT_SECONDS = 600.0

_REASONS = {
    errno.ENOSPC: ("disk_full", "Free some disk space; the next run publishes it."),
    errno.EDQUOT: ("disk_full", "The disk quota is used up; the next run publishes it."),
    errno.EROFS: ("read_only", "The memory folder lies on a read-only file system."),
    errno.EACCES: ("permission", "The memory folder must belong to the user that runs Slowwave."),
    errno.EPERM: ("permission", "The memory folder must belong to the user that runs Slowwave."),
}


@dataclass(frozen=True, slots=True)
class Published:
    """A version that is live. `late_edits` are changes a person made to the previous version up to the switch's end;
    they are not in this one, and belong into the next."""

    path: Path
    manifest: Manifest
    late_edits: Edits = field(default_factory=Edits)

    @property
    def digest(self) -> str:
        """The digest of the version's files."""
        return self.manifest.digest


@dataclass(frozen=True, slots=True)
class Recovery:
    """What `recover` did. `edits` are a person's changes in a live folder that had to give way; its whole content is
    kept at `kept`."""

    removed: tuple[str, ...] = ()
    relinked: bool = False
    restored: bool = False
    edits: Edits = field(default_factory=Edits)
    kept: Path | None = None


def publish(
    root: Path,
    files: Mapping[str, bytes],
    *,
    number: int,
    fence: int,
    generation: int = 0,
    scan: Callable[[str, bytes], None],
    check: Callable[[], None],
    expected: Manifest | None,
    commit: Callable[[Published], None] | None = None,
    store: str = "",
    waiting: Callable[[], None] | None = None,
    state: bytes = b"",
) -> Published:
    """Make `files` the live version, or leave everything as it was.

    `scan` gets every path and its bytes before anything is written, and raises to refuse. `expected` is the manifest
    whose edits were merged into `files`: anything else in the live files raises `LiveFilesChanged`. `check` raises when
    the claim is lost; it is called under the lock, right before the switch and again after it. `commit` stores the
    result in the database while the lock is still held; if it raises, the old version is live again. `store` names
    the database, so that fences of a database that was deleted do not count. `waiting` is called once when another
    owner holds the lock. `state` is kept beside the files, hidden from readers. Raises `StaleFence`, `LiveFilesChanged`
    or `PublishError`; the old version is then intact.
    """
    manifest = manifest_of(files, number=number, fence=fence, generation=generation)
    for path in sorted(files):
        scan(path, files[path])
    scan("the names of the files", "\n".join(sorted(files)).encode())
    reach("publish.scanned")
    with _clear_reasons(root):
        refuse_link(root)
        make_private_folder(root / VERSIONS)
        _refuse_stale(root, store, fence)
        _refuse_edits(root, expected)
        building = root / VERSIONS / f"{TEMPORARY}{uuid.uuid4().hex}"
        try:
            _build(building, files, manifest, state)
            reach("publish.built")
            with publish_lock(root, waiting):
                reach("publish.locked")
                return _switch_under_lock(root, building, manifest, check, expected, commit, store)
        finally:
            shutil.rmtree(building, ignore_errors=True)


def recover(
    root: Path,
    truth: Manifest | None,
    load: Callable[[], Mapping[str, bytes]],
    *,
    store: str = "",
    state: Callable[[], bytes] = bytes,
) -> Recovery:
    """Make a memory root agree with the database: call it before a project's work starts, under the project's claim.

    `truth` is the manifest of the version the database holds as live (None: none), `load` returns its bytes, needed
    only when its folder is missing. Folders that a crash left behind go. A folder that must give way although a person
    edited it is kept aside, and its edits are returned.
    """
    refuse_link(root)
    if not root.is_dir():
        if truth is None:
            return Recovery()
        make_private_folder(root / VERSIONS)
    with _clear_reasons(root), publish_lock(root, None):
        make_private_folder(root / VERSIONS)
        removed = _remove_temporary(root)
        edits, kept = Edits(), None
        restored = relinked = False
        target = None if truth is None else root / VERSIONS / truth.folder_name
        pointed = pointed_version(root)
        if pointed is not None and (target is None or pointed.name != target.name):
            edits = _edits_of_orphan(root)
        if truth is not None and target is not None and read_manifest(target) is None:
            discard(target)
            _build_in_place(root, target, load(), truth, state())
            restored = True
        if (target is None and pointed is not None) or (target is not None and not _is_whole(root, target)):
            if edits:
                kept = _keep_aside(root)
            switch(root, target)
            relinked = True
        removed += _remove_orphans(root, truth)
        if truth is not None:
            _write_fence(root, store, max(truth.fence, _read_fence(root, store)), truth.number)
        return Recovery(tuple(removed), relinked, restored, edits, kept)


def prune(root: Path, keep: set[int]) -> list[int]:
    """Remove version folders whose number is not in `keep`, never the live one; return the numbers removed."""
    gone = []
    refuse_link(root)
    with publish_lock(root, None):
        for folder in _version_folders(root):
            manifest = read_manifest(folder)
            if manifest is not None and manifest.number not in keep and not is_live(root, folder):
                discard(folder)
                gone.append(manifest.number)
    return sorted(gone)


@contextmanager
def publish_lock(root: Path, waiting: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold the root's lock: publishing, recovery and pruning exclude each other, also between processes."""
    lock = FileLock(root / LOCK, mode=0o600)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        if waiting is not None:
            waiting()
        try:
            lock.acquire(timeout=LOCK_TIMEOUT_SECONDS, poll_interval=0.05)
        except Timeout:
            raise PublishError(
                "another process holds the publish lock and does not let go",
                hint="A stopped process may hold it; end that one, then run again.",
                reason="publish_locked",
            ) from None
    try:
        yield
    finally:
        lock.release()


def _switch_under_lock(
    root: Path,
    building: Path,
    manifest: Manifest,
    check: Callable[[], None],
    expected: Manifest | None,
    commit: Callable[[Published], None] | None,
    store: str,
) -> Published:
    _refuse_stale(root, store, manifest.fence)
    _refuse_edits(root, expected)
    check()
    reach("publish.checked")
    _write_fence(root, store, manifest.fence)
    reach("publish.fenced")
    previous = pointed_version(root)
    version, is_new = _place(root, building, manifest)
    reach("publish.placed")
    try:
        switch(root, version)
        reach("publish.switched")
        # Whoever was stopped between the first check and the switch is found out here, still alone under the lock.
        check()
        published = Published(version, manifest, _late_edits(previous, version, expected))
        if commit is not None:
            commit(published)
        # A mark that cannot be written says less than the database knows, which harms nothing.
        with suppress(OSError):
            _write_fence(root, store, manifest.fence, manifest.number)
        reach("publish.committed")
    except BaseException:
        switch(root, previous if previous is not None and previous.is_dir() else None)
        if is_new:
            discard(version)
        raise
    return published


def _place(root: Path, building: Path, manifest: Manifest) -> tuple[Path, bool]:
    version = root / VERSIONS / manifest.folder_name
    if version.exists():
        if is_live(root, version):
            _refuse_edits(root, manifest)
            return version, False
        discard(version)
    building.rename(version)
    sync_folder(version.parent)
    return version, True


def _build(folder: Path, files: Mapping[str, bytes], manifest: Manifest, state: bytes) -> None:
    folder.mkdir(mode=0o700)
    folders = {folder}
    for path in sorted(files):
        target = folder / path
        for parent in reversed(target.relative_to(folder).parents[:-1]):
            (folder / parent).mkdir(mode=0o700, exist_ok=True)
            folders.add(folder / parent)
        create_private(target, files[path])
        reach("publish.written")
    if state:
        create_private(folder / STATE, state)
    create_private(folder / MANIFEST, manifest.to_json())
    for each in sorted(folders, reverse=True):
        sync_folder(each)
    if edits_in(folder, manifest):
        raise PublishError("the files on the disk are not those that were written", reason="disk_error")


def _build_in_place(root: Path, target: Path, files: Mapping[str, bytes], manifest: Manifest, state: bytes) -> None:
    building = root / VERSIONS / f"{TEMPORARY}{uuid.uuid4().hex}"
    try:
        _build(building, files, manifest, state)
        building.rename(target)
        sync_folder(target.parent)
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _refuse_stale(root: Path, store: str, fence: int) -> None:
    if fence < _read_fence(root, store):
        raise StaleFence(f"a newer owner than fence {fence} has published")


def _refuse_edits(root: Path, expected: Manifest | None) -> None:
    edits = Edits() if expected is None else edited_since(root, expected)
    if edits:
        raise LiveFilesChanged(
            f"changed during the run: {', '.join(edits.paths)}", hint="The next run takes the changes over."
        )


def _late_edits(previous: Path | None, version: Path, expected: Manifest | None) -> Edits:
    if previous is None or expected is None or previous.name == version.name or not previous.is_dir():
        return Edits()
    return edits_in(previous, expected)


def _edits_of_orphan(root: Path) -> Edits:
    version, folder = pointed_version(root), live_folder(root)
    manifest = None if version is None else read_manifest(version)
    return Edits() if manifest is None or folder is None else edits_in(folder, manifest)


def _keep_aside(root: Path) -> Path | None:
    folder = live_folder(root)
    if folder is None:
        return None
    kept = root / VERSIONS / f"{EDITED}{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{uuid.uuid4().hex[:6]}"
    folder.rename(kept)
    return kept


def _is_whole(root: Path, target: Path) -> bool:
    return is_live(root, target) and live_folder(root) is not None and (root / CURRENT).exists()


def _version_folders(root: Path) -> list[Path]:
    folder = root / VERSIONS
    return sorted(each for each in folder.iterdir() if not each.name.startswith(".")) if folder.is_dir() else []


def _remove_orphans(root: Path, truth: Manifest | None) -> list[str]:
    """Remove the folders of versions that were never committed; older ones are history and stay."""
    removed = []
    for folder in _version_folders(root):
        manifest = read_manifest(folder)
        is_history = manifest is not None and truth is not None and manifest.number < truth.number
        if not is_history and (truth is None or folder.name != truth.folder_name):
            discard(folder)
            removed.append(folder.name)
    return removed


def _remove_temporary(root: Path) -> list[str]:
    removed = []
    for folder in (root, root / VERSIONS):
        for path in sorted(folder.glob(f"{TEMPORARY}*")):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
            removed.append(path.name)
    return removed


def published_number(root: Path) -> tuple[int, str]:
    """The number of the newest version that a database committed here, and the id of that database; (0, "") without."""
    value = _read_mark(root)
    number, store = value.get("version"), value.get("store")
    return (number, store) if isinstance(number, int) and isinstance(store, str) else (0, "")


def forget_published(root: Path) -> None:
    """The files belong to another database from now on: what it does not know is no loss."""
    (root / FENCE).unlink(missing_ok=True)


def _read_mark(root: Path) -> dict[str, object]:
    try:
        value = json.loads((root / FENCE).read_bytes())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        # Replaced in one step, so it is never half-written: somebody else wrote this. The database's check remains.
        return {}
    return value if isinstance(value, dict) else {}


def _read_fence(root: Path, store: str) -> int:
    value = _read_mark(root)
    fence = value.get("fence")
    return fence if isinstance(fence, int) and value.get("store") == store else 0


def _write_fence(root: Path, store: str, fence: int, version: int | None = None) -> None:
    """Note the fence, and with `version` the number that was committed under it."""
    known = _read_mark(root)
    number = published_number(root)[0] if known.get("store") == store else 0
    wanted = {"fence": fence, "store": store, "version": number if version is None else version}
    if known != wanted:
        replace_private(root / FENCE, json.dumps(wanted).encode())


@contextmanager
def _clear_reasons(root: Path) -> Iterator[None]:
    """Turn the system's refusals into a `PublishError` that says what to do."""
    try:
        yield
    except OSError as error:
        reason, hint = _REASONS.get(error.errno or 0, ("publish_failed", "The old version is intact."))
        raise PublishError(f"{root}: {os.strerror(error.errno or 0)}", hint=hint, reason=reason) from error
