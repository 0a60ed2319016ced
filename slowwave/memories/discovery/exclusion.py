"""What a person told Slowwave never to read: globs of paths, project names, project ids or session ids."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path, PurePath


def matches(
    patterns: Iterable[str], *, paths: Iterable[str | None] = (), names: Iterable[str | None] = ()
) -> str | None:
    """Return the first pattern that excludes something, or None.

    A pattern matches a name as a whole, a path as a whole, or a folder above that path; `~` is the home folder.
    """
    known_paths = [path for path in paths if path]
    known_names = [name for name in names if name]
    for pattern in patterns:
        expanded = _expand(pattern)
        if any(fnmatchcase(name, pattern) for name in known_names):
            return pattern
        if any(_covers(expanded, path) for path in known_paths):
            return pattern
    return None


def _expand(pattern: str) -> str:
    if pattern == "~" or pattern.startswith("~/"):
        return str(Path(pattern).expanduser())
    return pattern


def _covers(pattern: str, path: str) -> bool:
    trimmed = pattern.rstrip("/")
    return any(fnmatchcase(str(part), trimmed) for part in (PurePath(path), *PurePath(path).parents))
