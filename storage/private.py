"""Folders that only their owner can enter, files that only their owner can read."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def make_private_file(path: Path) -> None:
    """Create an empty file that only its owner may read; one that is there already is not even opened.

    A process that closes a file gives up every lock that it holds on it. SQLite relies on such locks, so its database
    must never be opened beside it: another process could then take it for unused and tidy its log away.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def make_private_folder(folder: Path) -> None:
    """Create a folder and whatever is missing above it, each with mode 0700 whatever the umask says.

    `Path.mkdir(parents=True)` gives the mode to the last one only.
    """
    missing = [folder, *folder.parents]
    for each in reversed([path for path in missing if not path.exists()]):
        each.mkdir(mode=0o700, exist_ok=True)
        each.chmod(0o700)
