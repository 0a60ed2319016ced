"""What the disk says about a recorded folder. Standard library only: hooks use this too.

Only what the folder cannot have made up counts: a linked work tree is believed when the main repository names it back,
a `.git` link to somebody else's repository is not, and a remote is no more than a claim until the history agrees
(`slowwave.rollouts.identity.book`).
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

from slowwave.rollouts.identity import paths
from slowwave.rollouts.identity.git_history import History, is_commit_name
from slowwave.rollouts.identity.remotes import normalise_remote, read_config, remotes_in_config

NAMES_KEPT = 16
ALIKE = 0.5
MAX_WORKTREES = 500
_WORKTREE = re.compile(r"^(?P<tree>(?P<repo>.+?)(?:/\.claude/worktrees|/\.worktrees|\.worktrees)/[^/]+)(?:/.*)?$")


class Kind(Enum):
    """How a folder was found."""

    REPOSITORY = "repository"
    PLAIN = "plain"
    GONE = "gone"
    FOREIGN = "foreign"
    NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True)
class Trace:
    """What a folder looks like from outside: its number on the disk and hashes of names in it."""

    number: str = ""
    names: tuple[str, ...] = ()

    def alike(self, other: Trace) -> bool:
        """Whether at least half of the names are the same; two empty folders look like nothing."""
        mine, theirs = set(self.names), set(other.names)
        return bool(mine and theirs) and len(mine & theirs) >= ALIKE * max(1, min(len(mine | theirs), NAMES_KEPT))

    def same(self, other: Trace) -> bool:
        """Whether this is the same folder under another path: it kept its number and half of its names."""
        return bool(self.number) and self.number == other.number and self.alike(other)


@dataclass(frozen=True, slots=True)
class Place:
    """A recorded folder as it is now.

    `root` is the top of the repository (the main one for a linked work tree), or the folder itself. `tree` is the top
    of the work tree that the folder lies in. `history` is None where there is no repository or where it is not its own.
    `remote` is that of the repository (`origin`, else the first) or, without one, what the log recorded; `remotes` are
    all of the repository's. `commit` is what the log recorded.
    """

    kind: Kind
    folder: str
    root: str
    tree: str = ""
    git_dir: str = ""
    history: History | None = None
    remote: str | None = None
    remotes: tuple[str, ...] = ()
    commit: str | None = None

    @property
    def key(self) -> str:
        """The key of the root."""
        return paths.folder_key(self.root)

    @property
    def live(self) -> bool:
        """Whether the folder is there."""
        return self.kind in (Kind.REPOSITORY, Kind.PLAIN)


@dataclass(frozen=True, slots=True)
class _Found:
    tree: str
    root: str
    git_dir: Path | None = None
    common: Path | None = None


@dataclass(slots=True)
class Looked:
    """Remembers what was looked at, so that many sessions of one folder cost one look."""

    _places: dict[tuple[str, str, str], Place] = field(default_factory=dict)

    def __call__(self, cwd: str | None, remote: str | None = None, commit: str | None = None) -> Place:
        """`look`, once for each folder, remote and commit."""
        key = (cwd or "", remote or "", commit or "")
        if key not in self._places:
            self._places[key] = look(cwd, remote=remote, commit=commit)
        return self._places[key]


def look(cwd: str | None, *, remote: str | None = None, commit: str | None = None) -> Place:
    """Look at a recorded folder. `remote` and `commit` are what the log recorded beside it."""
    recorded = normalise_remote(remote) if remote else None
    commit = commit if is_commit_name(commit) else None
    if not cwd or not cwd.strip() or "\0" in cwd:
        return Place(Kind.NOWHERE, "", "", remote=None)
    if paths.is_foreign(cwd):
        return Place(Kind.FOREIGN, cwd, foreign_root(cwd), remote=recorded, commit=commit)
    folder = paths.expanded(cwd)
    if paths.may_touch(folder) and paths.is_folder(folder):
        real = os.path.realpath(folder)
        found = find(real)
        if found is not None and not (_is_home(found.root) and real != found.root):
            return _repository(folder, found)
        return Place(Kind.PLAIN, folder, real, real, remote=recorded, commit=commit)
    return Place(Kind.GONE, folder, folder, folder, remote=recorded, commit=commit)


def _repository(folder: str, found: _Found) -> Place:
    if found.common is None or found.git_dir is None:
        return Place(Kind.REPOSITORY, folder, found.root, found.tree)
    remotes = tuple(
        dict.fromkeys(name for url in remotes_in_config(found.common / "config") if (name := normalise_remote(url)))
    )
    return Place(
        Kind.REPOSITORY,
        folder,
        found.root,
        found.tree,
        git_dir=os.path.realpath(found.common),
        history=History(found.git_dir, found.common),
        remote=next(iter(remotes), None),
        remotes=remotes,
    )


def find(folder: str) -> _Found | None:
    """The repository that an existing folder (no symbolic links in it) lies in, or None."""
    for candidate in (Path(folder), *Path(folder).parents):
        marker = candidate / ".git"
        try:
            mode = marker.lstat().st_mode
        except OSError:
            if _is_bare(candidate):
                return _Found(str(candidate), str(candidate), candidate, candidate)
            continue
        if stat.S_ISDIR(mode):
            borrowed = os.path.lexists(marker / "commondir")
            return _Found(str(candidate), str(candidate), *((None, None) if borrowed else (marker, marker)))
        return _linked(candidate, marker) if stat.S_ISREG(mode) else _Found(str(candidate), str(candidate))
    return None


def _linked(tree: Path, marker: Path) -> _Found:
    """A `.git` file leads to the repository that holds it: believed when that one names the work tree back, or when it
    lies in the work tree itself."""
    own = _Found(str(tree), str(tree))
    git_dir = git_dir_of(tree, marker)
    if git_dir is None or not git_dir.is_dir():
        # A work tree that moved along inside its repository: its link leads to where that was.
        named = named_repository(str(tree))
        repository = find(named[0]) if named is not None and paths.is_folder(named[0]) else None
        return own if repository is None else replace(repository, tree=str(tree))
    git_dir = Path(os.path.realpath(git_dir))
    common = _first_line(git_dir / "commondir")
    if common:
        main = Path(os.path.realpath(git_dir / common))
        back = _first_line(git_dir / "gitdir")
        named_back = bool(back) and os.path.realpath((git_dir / back).parent) == str(tree)
        if git_dir.parent != main / "worktrees" or not named_back:
            return own
        return _Found(str(tree), str(main.parent if main.name == ".git" else main), git_dir, main)
    work_tree = read_config(git_dir / "config").get(("core", "", "worktree"))
    if not git_dir.is_relative_to(tree) and (work_tree is None or os.path.realpath(git_dir / work_tree) != str(tree)):
        return own
    return _Found(str(tree), str(tree), git_dir, git_dir)


def git_dir_of(folder: Path, marker: Path) -> Path | None:
    """The folder that a `.git` file points at, or None."""
    text = _first_line(marker)
    if not text.startswith("gitdir:"):
        return None
    return Path(os.path.normpath(folder / text.removeprefix("gitdir:").strip()))


def history_at(root: str) -> History | None:
    """The history of the repository whose work tree (or bare folder) is exactly here, None where there is none."""
    found = find(root) if paths.may_touch(root) and paths.is_folder(root) else None
    if found is None or found.tree != root or found.git_dir is None or found.common is None:
        return None
    return History(found.git_dir, found.common)


def work_trees(common: str) -> tuple[str, ...]:
    """The linked work trees that a repository names, present or not (gitrepository-layout, `worktrees/<id>/gitdir`)."""
    try:
        entries = sorted(entry.path for entry in os.scandir(Path(common) / "worktrees"))[:MAX_WORKTREES]
    except OSError:
        return ()
    backs = ((Path(entry), _first_line(Path(entry) / "gitdir")) for entry in entries)
    return tuple(str(Path(os.path.normpath(entry / back)).parent) for entry, back in backs if back)


def trace(folder: str) -> Trace:
    """What an existing folder looks like from outside; empty where it cannot be looked at."""
    try:
        number = Path(folder).stat()
        names = {entry.name for entry in os.scandir(folder)} - {".git", ".DS_Store"}
    except OSError:
        return Trace()
    hashes = sorted(hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:8] for name in names)
    return Trace(f"{number.st_dev}:{number.st_ino}", tuple(hashes[:NAMES_KEPT]))


def named_repository(folder: str) -> tuple[str, str] | None:
    """The repository that a work tree's path shows (`<repo>/.worktrees/<name>`), and the top of the work tree."""
    match = _WORKTREE.match(folder)
    return (match.group("repo"), match.group("tree")) if match is not None else None


def foreign_root(cwd: str) -> str:
    """The root of a folder of another system: of its repository where the path shows it."""
    if not paths.is_windows(cwd):
        return os.path.normpath(cwd)
    import ntpath

    folder = ntpath.normpath(cwd).replace("\\", "/").rstrip("/")
    named = named_repository(folder)
    if named is not None and not paths.is_shared(named[0]):
        folder = named[0]
    return folder[:1].upper() + folder[1:]


def named_tree(place: Place) -> Place | None:
    """The repository that the path of a vanished work tree shows; the tree itself where its path shows a folder of
    many."""
    named = named_repository(place.root)
    if named is None:
        return None
    if paths.is_shared(named[0]):
        return replace(place, root=named[1])
    return look(named[0], remote=place.remote, commit=place.commit)


def standing_repository(place: Place) -> Place | None:
    """The repository that still stands above a vanished folder, unless a log says that it was in another one."""
    if place.kind is not Kind.GONE or not paths.may_touch(place.root):
        return None
    standing = next((parent for parent in paths.parents(place.root) if paths.is_folder(parent)), None)
    found = look(standing) if standing else None
    if found is None or found.kind is not Kind.REPOSITORY or paths.is_shared(found.root):
        return None
    return found if place.remote is None or found.remote in (None, place.remote) else None


def stands_for(place: Place) -> Place:
    """What a vanished folder was part of, as far as the disk can tell; itself where it cannot."""
    if place.kind not in (Kind.GONE, Kind.FOREIGN):
        return place
    tree = named_tree(place)
    if tree is not None and tree.key != place.key:
        return stands_for(tree)
    return standing_repository(place) or place


def _is_bare(folder: Path) -> bool:
    """A repository without a work tree (git-rev-parse's own test), and one that says so."""
    try:
        looks = (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()
    except OSError:
        return False
    return looks and read_config(folder / "config").get(("core", "", "bare"), "").lower() in ("true", "yes", "on", "1")


def _is_home(folder: str) -> bool:
    return folder in (os.fspath(Path.home()), os.path.realpath(Path.home()))


def _first_line(path: Path) -> str:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return ""
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return ""
        return os.read(descriptor, 4096).decode("utf-8", "surrogateescape").split("\n", 1)[0].strip()
    except OSError:
        return ""
    finally:
        os.close(descriptor)
