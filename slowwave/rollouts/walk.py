"""Walking log trees: one `stat` a file, nothing held in memory but the folders still to visit."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from slowwave.rollouts.model import LogFile

_noted: ContextVar[dict[Path, None] | None] = ContextVar("noted", default=None)


@contextmanager
def places_noted() -> Iterator[dict[Path, None]]:
    """Collect where the readers look while this lasts, in order: for a person whose logs nobody finds."""
    found: dict[Path, None] = {}
    token = _noted.set(found)
    try:
        yield found
    finally:
        _noted.reset(token)


def note_place(path: Path) -> Path:
    """Note that a reader looked here; return the path."""
    if (noted := _noted.get()) is not None:
        noted[path] = None
    return path


def files_below(root: Path, agent: str, suffixes: tuple[str, ...], *, depth: int = 8) -> Iterator[LogFile]:
    """Yield the regular files below `root` whose names end in one of `suffixes`, `depth` folders deep at most.

    Links are followed (a project folder may be one), a folder is visited once however it is reached, and what cannot
    be listed is passed over: a reader reports such a file when it is asked for it.
    """
    note_place(root)
    visited: set[tuple[int, int]] = set()
    folders = [(os.fspath(root), 0)]
    while folders:
        folder, level = folders.pop()
        try:
            entries = os.scandir(folder)
        except OSError:
            continue
        with entries:
            for entry in entries:
                try:
                    if entry.is_dir():
                        found = entry.stat()
                        mark = (found.st_dev, found.st_ino)
                        if level < depth and (mark == (0, 0) or mark not in visited):
                            visited.add(mark)
                            folders.append((entry.path, level + 1))
                    elif entry.name.endswith(suffixes) and entry.is_file():
                        found = entry.stat()
                        yield LogFile(
                            agent, Path(entry.path), entry.path, found.st_size, found.st_mtime_ns, found.st_ino
                        )
                except OSError:
                    continue
