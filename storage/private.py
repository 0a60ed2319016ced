"""Folders that only their owner can enter."""

from __future__ import annotations

from pathlib import Path


def make_private_folder(folder: Path) -> None:
    """Create a folder and whatever is missing above it, each with mode 0700 whatever the umask says.

    `Path.mkdir(parents=True)` gives the mode to the last one only.
    """
    missing = [folder, *folder.parents]
    for each in reversed([path for path in missing if not path.exists()]):
        each.mkdir(mode=0o700, exist_ok=True)
        each.chmod(0o700)
