"""The read side of published files: what is live, what was published, and what a person changed since.

A memory root holds ``versions/<number>-<digest>/`` with the files and a ``manifest.json``, and ``current``, which names
one of them. A reader resolves ``current`` once (`live_folder`) and reads inside the folder it got: then it never sees
files of two versions.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from slowwave.errors import PublishError

MANIFEST = "manifest.json"
VERSIONS = "versions"
CURRENT = "current"
SUMMARIES = "rollout_summaries/"
POINTER = "current.txt"
DIGEST_CHARACTERS = 12


@dataclass(frozen=True, slots=True)
class Manifest:
    """What one version is made of. `files` maps a relative POSIX path to the SHA-256 of its bytes, in hex.

    `digest` is over paths and bytes only, so the same files always have the same digest.
    """

    number: int
    fence: int
    generation: int
    files: Mapping[str, str]

    @property
    def digest(self) -> str:
        """SHA-256 over the sorted paths and hashes, in hex."""
        lines = "".join(f"{sha}  {path}\n" for path, sha in sorted(self.files.items()))
        return hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest()

    @property
    def folder_name(self) -> str:
        """The name of the version's folder."""
        return f"{self.number}-{self.digest[:DIGEST_CHARACTERS]}"

    def to_json(self) -> bytes:
        """The bytes of `manifest.json`: stable for the same version."""
        value = {
            "number": self.number,
            "digest": self.digest,
            "generation": self.generation,
            "fence": self.fence,
            "files": dict(sorted(self.files.items())),
        }
        return (json.dumps(value, indent=1, ensure_ascii=True) + "\n").encode()


@dataclass(frozen=True, slots=True)
class Edits:
    """How live files differ from a manifest. `removed` names files that a person deleted."""

    changed: Mapping[str, bytes] = field(default_factory=dict)
    added: Mapping[str, bytes] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.changed or self.added or self.removed)

    @property
    def paths(self) -> list[str]:
        """Every path concerned, sorted."""
        return sorted({*self.changed, *self.added, *self.removed})


def manifest_of(files: Mapping[str, bytes], *, number: int, fence: int, generation: int) -> Manifest:
    """Return the manifest of files that are not on disk yet. Raises `PublishError` for a path that may not be used."""
    for path in files:
        check_path(path)
    folded = {path.casefold() for path in files}
    if len(folded) != len(files):
        raise PublishError("two paths differ in upper and lower case only", reason="bad_path")
    hashes = {path: hashlib.sha256(content).hexdigest() for path, content in files.items()}
    return Manifest(number=number, fence=fence, generation=generation, files=hashes)


def check_path(path: str) -> None:
    """Raise `PublishError` unless the path is relative, stays inside its folder and is the same on every system."""
    parts = PurePosixPath(path).parts
    is_plain = str(PurePosixPath(path)) == path and not any(part in {"..", "/"} for part in parts)
    has_bad_character = any(character in path for character in '\\:*?"<>|\0')
    is_hidden = any(part.startswith(".") for part in parts)
    if not parts or not is_plain or has_bad_character or is_hidden or path == MANIFEST:
        raise PublishError(f"{path!r} may not be the path of a published file", reason="bad_path")


def read_manifest(folder: Path) -> Manifest | None:
    """Return a version folder's manifest, or None where it is missing or damaged."""
    try:
        value = json.loads((folder / MANIFEST).read_bytes())
        return Manifest(
            number=int(value["number"]),
            fence=int(value["fence"]),
            generation=int(value["generation"]),
            files={str(path): str(sha) for path, sha in value["files"].items()},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def refuse_link(root: Path) -> None:
    """Raise `PublishError` when a memory root, or its folder of versions, is a link: writing would follow it."""
    for folder in (root, root / VERSIONS):
        if folder.is_symlink():
            raise PublishError(
                f"{folder} is a symbolic link, which is not followed",
                hint="Remove it; the next run publishes the memory again.",
                reason="link",
            )


def live_folder(root: Path) -> Path | None:
    """Return the folder that holds the live files, resolved, or None when nothing is published."""
    current = root / CURRENT
    if current.is_symlink():
        target = root / current.readlink()
        return target if target.is_dir() else None
    # Without symlinks `current` is a copy, swapped in by two renames; in the moment between them the version that the
    # pointer names holds the same bytes.
    if current.is_dir():
        return current
    version = pointed_version(root)
    return version if version is not None and version.is_dir() else None


def pointed_version(root: Path) -> Path | None:
    """Return the version folder that `current` stands for, whether it is a symlink or a copy."""
    current = root / CURRENT
    if current.is_symlink():
        return root / current.readlink()
    try:
        name = (root / POINTER).read_text(encoding="utf-8").strip()
    except OSError:
        return None
    return root / VERSIONS / name if name and "/" not in name else None


def live_files(root: Path) -> dict[str, bytes]:
    """Return the live files by path. All are from one version; empty when nothing is published.

    Raises `PublishError` when versions change faster than they can be read, or the folder is a link.
    """
    refuse_link(root)
    for _ in range(100):
        before = _identity(root)
        folder = live_folder(root)
        if folder is None:
            return {}
        # A version that was pruned, or a copy that was exchanged, while it was being read does not count.
        with suppress(FileNotFoundError, NotADirectoryError):
            files = read_files(folder)
            if folder.name != CURRENT or _identity(root) == before:
                return files
    raise PublishError("the live files change too fast to be read")


def read_files(folder: Path) -> dict[str, bytes]:
    """Return a folder's regular files by path, without the manifest, hidden and editors' backup files.

    Symbolic links are not followed: they could lead out of the memory root.
    """
    files: dict[str, bytes] = {}
    for path in _paths(folder):
        # What cannot be read counts as gone: it is published again.
        with suppress(PermissionError, IsADirectoryError):
            files[path] = (folder / path).read_bytes()
    return files


def edited_since(root: Path, manifest: Manifest) -> Edits:
    """Return what a person changed in the live files since this manifest was published."""
    return Edits() if live_folder(root) is None else compare(live_files(root), manifest)


def is_edited(root: Path, manifest: Manifest) -> bool:
    """Whether the live files differ from a manifest; summaries of sessions, which are many, are judged by their age."""
    folder = live_folder(root)
    if folder is None:
        return True
    try:
        published_at = (folder / MANIFEST).stat().st_mtime_ns
        files = {
            path: (folder / path).read_bytes()
            for path in _paths(folder)
            if not (path.startswith(SUMMARIES) and (folder / path).lstat().st_mtime_ns <= published_at)
        }
    except PermissionError:
        return True
    edits = compare(files, manifest)
    return bool(edits.changed or edits.added) or any(not path.startswith(SUMMARIES) for path in edits.removed)


def edits_in(folder: Path, manifest: Manifest) -> Edits:
    """Return how the files of one folder differ from a manifest."""
    return compare(read_files(folder), manifest)


def compare(files: Mapping[str, bytes], manifest: Manifest) -> Edits:
    """Return how files differ from a manifest."""
    changed, added = {}, {}
    for path, content in files.items():
        if path not in manifest.files:
            added[path] = content
        elif hashlib.sha256(content).hexdigest() != manifest.files[path]:
            changed[path] = content
    return Edits(changed, added, frozenset(set(manifest.files) - set(files)))


def list_versions(root: Path) -> list[Manifest]:
    """Return the versions on disk, oldest first."""
    folders = (root / VERSIONS).iterdir() if (root / VERSIONS).is_dir() else iter(())
    found = [manifest for folder in folders if (manifest := _version_manifest(folder)) is not None]
    return sorted(found, key=lambda manifest: (manifest.number, manifest.fence))


def _version_manifest(folder: Path) -> Manifest | None:
    return None if folder.name.startswith(".") else read_manifest(folder)


def _identity(root: Path) -> tuple[object, ...]:
    """What changes when another version becomes live, for a `current` that is a copy."""
    try:
        status = (root / CURRENT).lstat()
    except FileNotFoundError:
        return (None, pointed_version(root))
    return (status.st_ino, status.st_ctime_ns, pointed_version(root))


def _raise(error: OSError) -> None:
    if not isinstance(error, PermissionError):
        raise error


def _paths(folder: Path) -> Iterator[str]:
    for where, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(where) / name
            relative = path.relative_to(folder).as_posix()
            if name.startswith(".") or name.endswith("~") or relative == MANIFEST:
                continue
            if stat.S_ISREG(path.lstat().st_mode):
                yield relative
