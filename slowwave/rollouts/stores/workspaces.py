"""Which folder an agent worked in, where its logs name it only by an address, a hash or a slug."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from slowwave.rollouts.stores.documents import beside
from slowwave.rollouts.values import optional_text, text_in
from slowwave.rollouts.walk import note_place

_DRIVE = re.compile(r"^/[A-Za-z]:")
_NO_LETTERS = re.compile(r"[^A-Za-z0-9]+")
_MOST_FOLDERS = 4000
_SKIPPED = frozenset({"node_modules", "site-packages", "target", "dist", "build", "Library", "snap", "go", "vendor"})
# macOS asks the person before a program looks into these.
_SKIPPED |= {"Desktop", "Documents", "Downloads", "Movies", "Music", "Pictures"} if sys.platform == "darwin" else set()


def folder_of(address: object) -> str | None:
    """The path in a `file:` or `vscode-remote:` address, None for another."""
    if not isinstance(address, str) or not address:
        return None
    if "://" not in address:
        return address if address.startswith("/") else None
    parts = urlsplit(address)
    path = unquote(parts.path)
    return (path[1:] if _DRIVE.match(path) else path) or None if parts.scheme in ("file", "vscode-remote") else None


def editor_folders(env: Mapping[str, str], home: Path, names: Iterable[str]) -> Iterator[Path]:
    """`User` folders of editors built on VS Code, on each system and on a remote machine's server."""
    bases = [home / ".config", home / "Library" / "Application Support", home / "AppData" / "Roaming"]
    bases += [Path(named) for variable in ("XDG_CONFIG_HOME", "APPDATA") if (named := env.get(variable, "").strip())]
    seen: set[Path] = set()
    for name in names:
        server = home / f".{name.lower().replace(' - ', '-').replace('code', 'vscode', 1)}-server" / "data" / "User"
        for folder in (*(base / name / "User" for base in bases), server):
            if folder not in seen and note_place(folder).is_dir():
                seen.add(folder)
                yield folder


def workspace_folder(storage: Path) -> str | None:
    """The folder that a `workspaceStorage/<hash>` belongs to; the folder of its file for a workspace of many."""
    manifest = beside(storage / "workspace.json")
    if found := folder_of(optional_text(manifest, "folder")):
        return found
    several = folder_of(text_in(manifest, "workspace") or text_in(manifest, "configuration"))
    return str(Path(several).parent) if several else None


def slug_of(path: str) -> str:
    """A path as Cursor names a project's folder after it: every other sign than letters and digits is a hyphen."""
    return _NO_LETTERS.sub("-", path).strip("-")


def folder_of_slug(slug: str, paths: Iterable[str]) -> str | None:
    """The folder that a slug stands for: one that the session names, else one on this machine.

    A slug cannot be turned back, since a hyphen may be any sign, so a folder only counts when its own slug is this one.
    Where several on this machine fit and the session names none of them, nothing is guessed.
    """
    for path in paths:
        while len(path) > 1:
            if slug_of(path) == slug:
                return path
            path = path[: max(path.rfind("/"), path.rfind("\\"), 0)]
    found = _folders_with_slug(slug)
    return found[0] if len(found) == 1 else None


@lru_cache(maxsize=1024)
def _folders_with_slug(slug: str) -> tuple[str, ...]:
    found: list[str] = []
    waiting, looked_at = [("/", slug)], 0
    while waiting and len(found) < 2 and looked_at < _MOST_FOLDERS:
        folder, rest = waiting.pop()
        looked_at += 1
        try:
            names = [entry.name for entry in os.scandir(folder) if entry.is_dir()]
        except OSError:
            continue
        for name in names:
            part = slug_of(name)
            if part and rest == part:
                found.append(f"{folder.rstrip('/')}/{name}")
            elif part and rest.startswith(part + "-"):
                waiting.append((f"{folder.rstrip('/')}/{name}", rest[len(part) + 1 :]))
    return tuple(found)


def repositories(env: Mapping[str, str], home: Path, *, depth: int = 3) -> Iterator[Path]:
    """Folders that may hold an agent's log of their own: those in `$SLOWWAVE_REPOSITORIES`, else what lies below the
    home folder, three levels deep, without hidden and built ones. Each folder is one look; there is a limit."""
    named = [Path(part) for part in env.get("SLOWWAVE_REPOSITORIES", "").split(os.pathsep) if part.strip()]
    waiting = [(path, depth - 1) for path in named] or [(home, depth)]
    looked_at = 0
    while waiting and looked_at < _MOST_FOLDERS:
        folder, left = waiting.pop(0)
        looked_at += 1
        yield folder
        if not left:
            continue
        try:
            entries = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False))
        except OSError:
            continue
        waiting += [(folder / name, left - 1) for name in entries if name[0] != "." and name not in _SKIPPED]
