"""Which project a folder belongs to. Standard library only: hooks use this too.

A project is a repository, told by its remote where it has one (so that clones and machines agree), else by its
canonical folder on this host. Worktrees belong to their main repository. Folders that are gone are placed by name.
"""

from __future__ import annotations

import hashlib
import ntpath
import os
import re
import sys
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from slowwave.rollouts.identity.remotes import normalise_remote, remote_in_config

if TYPE_CHECKING:
    from slowwave.rollouts.model import SessionFacts

NO_FOLDER = "none"

_WORKTREE = re.compile(r"^(?P<tree>(?P<repo>.+?)(?:/\.claude/worktrees|/\.worktrees|\.worktrees)/[^/]+)(?:/.*)?$")
_WINDOWS = re.compile(r"^(?:[A-Za-z]:[\\/]|\\\\)")
_UNTOUCHABLE = ("//", "/net/", "/Network/", "/System/Volumes/", "/proc/", "/sys/", "/dev/")


@dataclass(frozen=True, slots=True)
class ProjectIdentity:
    """`key` names the project everywhere, `id` is its first 16 hex digits, `slug` and `name` are for people. `root` is
    the folder on this host and `remote` the normalised remote, each None where there is none."""

    key: str
    id: str
    slug: str
    name: str
    root: str | None
    remote: str | None


def identify(
    cwd: str | None, *, remote: str | None = None, known: Mapping[str, ProjectIdentity] | None = None
) -> ProjectIdentity:
    """Return the project of a recorded working folder.

    `remote` is what the log recorded, used where the repository itself cannot tell. `known` maps roots to projects that
    were seen before: a folder that is gone belongs to the nearest of them.
    """
    if not cwd or not cwd.strip() or "\0" in cwd:
        return _project(f"path:{host_id()}:{NO_FOLDER}", "no-folder", None, None)
    if is_foreign(cwd):
        return _foreign(cwd, remote)
    folder = os.path.normpath(_expand(cwd))
    if may_touch(folder):
        repository = find_repository(folder)
        if repository is not None:
            return _repository(repository, remote)
        if _is_folder(folder):
            return _folder(os.path.realpath(folder), remote)
    return _vanished(folder, remote, known or {})


def project_of(
    facts: SessionFacts,
    known: Mapping[str, ProjectIdentity] | None = None,
    cache: MutableMapping[str, ProjectIdentity] | None = None,
) -> ProjectIdentity:
    """Return the project where most of a session's user turns happened; the first folder wins a tie.

    A session is one unit of evidence and of forgetting, so it is never split. `cache` (folder to project) saves file
    system calls over many sessions.
    """
    seen = {} if cache is None else cache
    turns: dict[str, int] = {}
    projects: dict[str, ProjectIdentity] = {}
    for cwd, count in (facts.turns_by_cwd or {facts.cwd or "": 1}).items():
        label = f"{cwd}\0{facts.remote or ''}"
        project = seen.get(label)
        if project is None:
            project = seen[label] = identify(cwd or None, remote=facts.remote, known=known)
        projects.setdefault(project.id, project)
        turns[project.id] = turns.get(project.id, 0) + count
    return projects[max(turns, key=lambda project_id: turns[project_id])]


@lru_cache(maxsize=1)
def host_id() -> str:
    """A stable name of this machine: 12 hex digits of its machine id, or of its host name where it has none.

    `$SLOWWAVE_HOST_ID` takes its place: containers get a new host name with every start.
    """
    if given := os.environ.get("SLOWWAVE_HOST_ID", "").strip():
        return _hex(f"given:{given}", 12)
    for source in ("/etc/machine-id", "/var/lib/dbus/machine-id"):
        try:
            text = Path(source).read_text(encoding="ascii", errors="replace").strip()
        except OSError:
            continue
        if text:
            return _hex(f"machine:{text}", 12)
    import socket

    return _hex(f"host:{socket.gethostname()}", 12)


def is_foreign(path: str) -> bool:
    """True for a folder of another operating system than this one: it is never looked for on disk."""
    windows = _WINDOWS.match(path) is not None
    return windows != (sys.platform == "win32")


def may_touch(folder: str) -> bool:
    """False for folders whose mere lookup can mount something or wait for a network."""
    if sys.platform == "darwin" and folder.startswith("/home/"):
        return False
    return Path(folder).is_absolute() and not folder.startswith(_UNTOUCHABLE)


def find_repository(folder: str) -> Path | None:
    """Return the main repository's root above an existing folder, following worktrees; None where there is none."""
    if not _is_folder(folder):
        return None
    start = Path(os.path.realpath(folder))
    for candidate in (start, *start.parents):
        marker = candidate / ".git"
        try:
            if marker.is_dir():
                return candidate
            if marker.is_file():
                return _linked_repository(candidate, marker)
        except OSError:
            return None
    return None


def _linked_repository(folder: Path, marker: Path) -> Path:
    """A worktree's `.git` file leads to the main repository; a submodule's leads nowhere else: it is its own."""
    git_dir = git_dir_of(folder, marker)
    if git_dir is None:
        return folder
    try:
        common = (git_dir / "commondir").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        parts = git_dir.parts
        if len(parts) > 3 and parts[-2] == "worktrees" and parts[-3] == ".git":
            return Path(*parts[:-3])
        return folder
    main = Path(os.path.normpath(git_dir / common))
    return main.parent if main.name == ".git" else main


def git_dir_of(folder: Path, marker: Path) -> Path | None:
    """The folder that a `.git` file points at, or None."""
    try:
        text = marker.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    if not text.startswith("gitdir:"):
        return None
    return Path(os.path.normpath(folder / text.removeprefix("gitdir:").strip()))


def _repository(root: Path, recorded: str | None) -> ProjectIdentity:
    marker = root / ".git"
    git_dir = marker if marker.is_dir() else (git_dir_of(root, marker) if marker.is_file() else root)
    remote = remote_in_config(git_dir / "config") if git_dir else None
    return _folder(os.path.realpath(root), remote or recorded)


def _folder(root: str, remote: str | None) -> ProjectIdentity:
    normalised = normalise_remote(remote) if remote else None
    if normalised:
        return _project(f"git:{normalised}", normalised.rsplit("/", 1)[-1], root, normalised)
    return _project(f"path:{host_id()}:{root}", Path(root).name or "root", root, None)


def _vanished(folder: str, remote: str | None, known: Mapping[str, ProjectIdentity]) -> ProjectIdentity:
    """Place a folder that is gone, or that must not be looked for: by a known root above it, by the names that
    worktrees get, by a repository that still stands above it, else as itself."""
    path = PurePosixPath(folder)
    for root in (folder, *map(str, path.parents)):
        if root in known and root not in ("/", os.fspath(Path.home())):
            return known[root]
    if match := _WORKTREE.match(folder):
        if not _is_home(match.group("repo")):
            return identify(match.group("repo"), remote=remote, known=known)
        return _folder(match.group("tree"), remote)
    if may_touch(folder):
        standing = next((parent for parent in map(str, path.parents) if _is_folder(parent)), "/")
        repository = find_repository(standing)
        if repository is not None and os.fspath(repository) != os.path.realpath(Path.home()):
            return _repository(repository, remote)
    return _folder(folder, remote)


def _foreign(cwd: str, remote: str | None) -> ProjectIdentity:
    """A folder of another system. Windows does not tell cases apart, so neither does the key."""
    if _WINDOWS.match(cwd):
        folder = ntpath.normpath(cwd)
        slashed = folder.replace("\\", "/")
        if (match := _WORKTREE.match(slashed)) and not _is_home(match.group("repo")):
            slashed = match.group("repo")
        name = slashed.rstrip("/").rsplit("/", 1)[-1]
        root, key = slashed[:1].upper() + slashed[1:], slashed.lower()
    else:
        root = key = os.path.normpath(cwd)
        name = root.rsplit("/", 1)[-1]
    normalised = normalise_remote(remote) if remote else None
    if normalised:
        return _project(f"git:{normalised}", normalised.rsplit("/", 1)[-1], root, normalised)
    return _project(f"path:{host_id()}:{key}", name or "root", root, None)


def _is_home(folder: str) -> bool:
    """True for a folder that holds everything of somebody: no repository, whatever lies in it."""
    return re.fullmatch(r"/|/root|/(?:home|Users)(?:/[^/]+)?|[A-Za-z]:/?(?:Users(?:/[^/]+)?)?", folder) is not None


def _expand(path: str) -> str:
    return os.fspath(Path.home() / path[2:]) if path.startswith("~/") else path


def _is_folder(path: str) -> bool:
    """`Path.is_dir` raises where a folder above may not be entered."""
    try:
        return Path(path).is_dir()
    except OSError:
        return False


def _project(key: str, name: str, root: str | None, remote: str | None) -> ProjectIdentity:
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "project"
    return ProjectIdentity(key, _hex(key, 16), slug, name, root, remote)


def _hex(text: str, digits: int) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:digits]
