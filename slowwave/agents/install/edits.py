"""Careful writes to files that belong to a person: links followed, mode kept, read-only refused, all or nothing."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from slowwave.errors import AgentIntegrationError
from slowwave.private import replace_private


@dataclass(frozen=True, slots=True)
class Edit:
    """One file's bytes before and after; None means that there is no file."""

    path: Path
    before: bytes | None
    after: bytes | None

    @property
    def changes(self) -> bool:
        """Whether anything is to be done."""
        return self.before != self.after


def read_bytes(path: Path) -> bytes | None:
    """Bytes of a file, None when there is none.

    Raises:
        AgentIntegrationError: it cannot be read, or is no file.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        if path.is_symlink():
            raise AgentIntegrationError(f"{path} is a link to nothing", hint="Repair or remove the link.") from None
        return None
    except OSError as error:
        raise AgentIntegrationError(f"{path} cannot be read: {error.strerror or error}") from error


def digest(content: bytes | None) -> str | None:
    """SHA-256 of a file's bytes, None for no file."""
    return None if content is None else hashlib.sha256(content).hexdigest()


def apply_edits(edits: Sequence[Edit]) -> list[Path]:
    """Write all edits, or none: what was written is put back when a later one fails. Returns the folders it made.

    Raises:
        AgentIntegrationError: a file is read-only, changed since it was read, or cannot be written.
    """
    wanted = [edit for edit in edits if edit.changes]
    for edit in wanted:
        check_writable(edit.path)
        if read_bytes(edit.path) != edit.before:
            raise AgentIntegrationError(f"{edit.path} changed meanwhile", hint="Run the command again.")
    done: list[Edit] = []
    made: list[Path] = []
    try:
        for edit in wanted:
            made += _write(edit.path, edit.after)
            done.append(edit)
    except OSError as error:
        for edit in reversed(done):
            _write(edit.path, edit.before)
        remove_empty(made)
        raise AgentIntegrationError(
            f"{wanted[len(done)].path} cannot be written: {error.strerror or error}",
            hint="Nothing was changed. Correct the permissions, or use --markdown or the other scope.",
        ) from error
    return made


def check_writable(path: Path) -> None:
    """Refuse a file without any write permission, even for a user who could force it: somebody meant it so.

    Raises:
        AgentIntegrationError: the file, or the nearest folder above it that exists, is read-only.
    """
    target = path.resolve()
    if not target.exists():
        target = next(folder for folder in target.parents if folder.exists())
        if not target.is_dir():
            raise AgentIntegrationError(f"{target} is no folder, so {path} cannot be created")
    if not target.stat().st_mode & 0o222 or not os.access(target, os.W_OK):
        linked = f" (it is {target})" if target != path else ""
        raise AgentIntegrationError(
            f"{path} is read-only{linked}, nothing was changed",
            hint="It may be managed by another tool: add the entry there, or make the file writable.",
        )


def _write(path: Path, content: bytes | None) -> list[Path]:
    """Replace a file atomically at the end of its links, keeping its mode; None removes it. Returns folders made."""
    target = path.resolve()
    if content is None:
        path.unlink(missing_ok=True)
        return []
    made = [folder for folder in (target.parent, *target.parent.parents) if not folder.exists()]
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = target.stat().st_mode & 0o7777 if target.exists() else 0o600 if _is_private(target.parent) else 0o644
    replace_private(target, content, mode=mode)
    return made


def _is_private(folder: Path) -> bool:
    return not folder.stat().st_mode & 0o077


def remove_empty(folders: Sequence[Path]) -> None:
    """Remove folders that we made and that hold nothing any more, the deepest first."""
    for folder in sorted(set(folders), key=lambda path: len(path.parts), reverse=True):
        try:
            folder.rmdir()
        except OSError:
            # Somebody uses it by now, or it is gone.
            continue
