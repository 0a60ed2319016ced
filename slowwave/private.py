"""Files and folders of our own that only their owner can read, written whole or not at all.

Standard library only: hooks and storage write through this.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

PRIVATE = 0o600


def make_private_folder(folder: Path) -> Path:
    """Create a folder and whatever is missing above it, each with mode 0700 whatever the umask says; return it.

    `Path.mkdir(parents=True)` gives the mode to the last one only.
    """
    for each in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        each.mkdir(mode=0o700, exist_ok=True)
        each.chmod(0o700)
    return folder


def make_private_file(path: Path) -> None:
    """Create an empty file that only its owner may read; one that is there already is not even opened.

    A process that closes a file gives up every lock that it holds on it. SQLite relies on such locks, so its database
    must never be opened beside it: another process could then take it for unused and tidy its log away.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))


def append_private(path: Path, content: bytes) -> None:
    """Add to a file in one write, so that two processes never mix their lines."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, PRIVATE)
    try:
        os.write(descriptor, content)
    finally:
        os.close(descriptor)


def create_private(path: Path, content: bytes, *, durable: bool = True) -> None:
    """Write a new file and, if it is `durable`, wait until it is on the disk. Raises `FileExistsError`."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        if durable:
            file.flush()
            os.fsync(file.fileno())


def replace_private(path: Path, content: bytes, *, mode: int = PRIVATE, durable: bool = True) -> None:
    """Put a file in place of what is there in one step: a reader sees the old content or the new, never half of it.

    What is not `durable` may be lost in a power cut, for the sake of a hook's milliseconds.
    """
    temporary = path.with_name(f".tmp-{os.getpid()}-{os.urandom(8).hex()}")
    try:
        create_private(temporary, content, durable=durable)
        if mode != PRIVATE:
            temporary.chmod(mode)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    if durable:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make a folder's entries survive a power cut. Windows has no such call and does not need it."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def renew_private(path: Path, content: bytes) -> bool:
    """Replace a file, its folder made where it is missing, unless it has this content; return whether it changed."""
    try:
        if path.read_bytes() == content:
            return False
    except FileNotFoundError:
        pass
    make_private_folder(path.parent)
    replace_private(path, content)
    return True
