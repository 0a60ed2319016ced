"""Folders as keys: one spelling for what the file system takes for one folder. Standard library only."""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from functools import lru_cache
from pathlib import Path

_WINDOWS = re.compile(r"^(?:[A-Za-z]:[\\/]|\\\\)")
_UNTOUCHABLE = ("//", "/net/", "/Network/", "/System/Volumes/", "/proc/", "/sys/", "/dev/")
_SHARED = re.compile(
    r"/|/root|/(?:home|Users)(?:/[^/]+)?|/(?:tmp|var/tmp|private/tmp|srv|opt|mnt|media|workspaces|Volumes)"
    r"|[A-Za-z]:/?(?:Users(?:/[^/]+)?)?"
)


def is_foreign(path: str) -> bool:
    """True for a folder of another operating system than this one: it is never looked for on disk."""
    windows = _WINDOWS.match(path) is not None
    return windows != (sys.platform == "win32")


def is_windows(path: str) -> bool:
    """True for a path with a drive letter or of a network share."""
    return _WINDOWS.match(path) is not None


def may_touch(folder: str) -> bool:
    """False for folders whose mere lookup can mount something or wait for a network."""
    if sys.platform == "darwin" and folder.startswith("/home/"):
        return False
    return Path(folder).is_absolute() and not folder.startswith(_UNTOUCHABLE)


def is_shared(folder: str) -> bool:
    """True for a folder that holds things of many projects: what lies below it belongs to nobody because of it."""
    return _SHARED.fullmatch(folder) is not None or folder == os.fspath(Path.home()) or folder == _real_home()


def is_folder(path: str) -> bool:
    """`Path.is_dir` raises where a folder above may not be entered."""
    try:
        return Path(path).is_dir()
    except OSError:
        return False


def expanded(path: str) -> str:
    """A recorded folder with `~` and `..` resolved, without looking at the disk."""
    return os.path.normpath(os.fspath(Path.home() / path[2:]) if path.startswith("~/") else path)


def folder_key(path: str) -> str:
    """The spelling under which a folder is known: composed letters, and one letter case where the disk has one."""
    if is_windows(path):
        return unicodedata.normalize("NFC", path.replace("\\", "/")).lower()
    composed = path if path.isascii() else unicodedata.normalize("NFC", path)
    return composed.casefold() if may_touch(path) and ignores_case(path) else composed


def parents(folder: str) -> list[str]:
    """The folders above, nearest first."""
    return [os.fspath(parent) for parent in Path(folder).parents]


def ignores_case(path: str) -> bool:
    """Whether the file system of a folder (or of what is left above it) takes letters of both cases for the same."""
    for folder in (path, *parents(path)):
        name = Path(folder).name
        if name.swapcase() == name:
            continue
        try:
            here = Path(folder).stat()
        except OSError:
            continue
        return _ignores_case(here.st_dev, folder, name)
    return False


@lru_cache(maxsize=256)
def _ignores_case(device: int, folder: str, name: str) -> bool:
    try:
        return Path(folder).samefile(Path(folder).with_name(name.swapcase()))
    except OSError:
        return False


@lru_cache(maxsize=1)
def _real_home() -> str:
    return os.path.realpath(Path.home())
