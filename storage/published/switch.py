"""Which version is live, and the one atomic step that changes it.

With symbolic links, ``current`` is one, and replacing it is atomic: a reader gets the old version or the new one. On a
file system without them ``current`` is a copy of the version, exchanged by two renames, and ``current.txt`` names the
version; there a reader may find no ``current`` for a moment, but never files of two versions.
"""

from __future__ import annotations

import errno
import os
import shutil
import uuid
from contextlib import suppress
from pathlib import Path

from slowwave.private import replace_private, sync_folder
from slowwave.storage.failpoints import reach
from slowwave.storage.published.live import CURRENT, POINTER, VERSIONS, pointed_version

_NO_SYMLINKS = {errno.EPERM, errno.EACCES, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL}
TEMPORARY = ".tmp-"


def supports_symlinks(root: Path) -> bool:
    """Try it: file systems do not tell. An existing `current` keeps its kind."""
    current = root / CURRENT
    if current.is_symlink():
        return True
    if current.is_dir():
        return False
    probe = root / f"{TEMPORARY}{uuid.uuid4().hex}"
    try:
        probe.symlink_to(VERSIONS)
    except NotImplementedError:
        return False
    except OSError as error:
        if error.errno in _NO_SYMLINKS and os.access(root, os.W_OK):
            return False
        raise
    probe.unlink()
    return True


def switch(root: Path, version: Path | None) -> None:
    """Make a version folder live, or none, durably."""
    if supports_symlinks(root):
        _switch_link(root, version)
    else:
        _switch_copy(root, version)
    sync_folder(root)


def is_live(root: Path, version: Path) -> bool:
    """Tell whether this version folder is the live one."""
    pointed = pointed_version(root)
    return pointed is not None and pointed.name == version.name


def discard(folder: Path) -> None:
    """Remove a folder so that whoever is reading it notices: out of the way in one step, then file by file."""
    with suppress(FileNotFoundError):
        aside = folder.parent / f"{TEMPORARY}{uuid.uuid4().hex}"
        folder.rename(aside)
        shutil.rmtree(aside)


def _switch_link(root: Path, version: Path | None) -> None:
    current = root / CURRENT
    if version is None:
        current.unlink(missing_ok=True)
        return
    temporary = root / f"{TEMPORARY}{uuid.uuid4().hex}"
    temporary.symlink_to(Path(VERSIONS) / version.name)
    reach("publish.linked")
    try:
        temporary.replace(current)
    finally:
        temporary.unlink(missing_ok=True)


def _switch_copy(root: Path, version: Path | None) -> None:
    current, old = root / CURRENT, root / f"{TEMPORARY}old-{uuid.uuid4().hex}"
    if version is None:
        (root / POINTER).unlink(missing_ok=True)
        discard(current)
        return
    fresh = root / f"{TEMPORARY}{uuid.uuid4().hex}"
    shutil.copytree(version, fresh)
    if current.exists():
        current.rename(old)
    reach("publish.linked")
    replace_private(root / POINTER, f"{version.name}\n".encode())
    fresh.rename(current)
    shutil.rmtree(old, ignore_errors=True)
