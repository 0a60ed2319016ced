"""Walking log trees: one `stat` a file, nothing held in memory but the folders still to visit."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from slowwave.rollouts.model import LogFile


def files_below(root: Path, agent: str, suffixes: tuple[str, ...], *, depth: int = 8) -> Iterator[LogFile]:
    """Yield the regular files below `root` whose names end in one of `suffixes`, `depth` folders deep at most.

    Links are followed (a project folder may be one), a folder is visited once however it is reached, and what cannot
    be listed is passed over: a reader reports such a file when it is asked for it.
    """
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
