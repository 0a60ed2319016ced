"""opencode's older storage: one JSON file for each session, message and part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from slowwave.errors import RolloutError
from slowwave.rollouts.base import open_log
from slowwave.rollouts.lines import MAX_LINE, Record
from slowwave.rollouts.model import LogFile, SessionFacts
from slowwave.rollouts.values import decode_json, dict_in, optional_text
from slowwave.rollouts.walk import files_below


def tree_sessions(root: Path, agent: str) -> Iterator[LogFile]:
    """Yield session files of the tree below `storage`, and of the still older one below `project/*/storage`.

    A new message changes its folder, not the session's file, so the newer of both times counts.
    """
    for log in files_below(root / "storage" / "session", agent, (".json",), depth=2):
        if log.path.parent.name not in ("message", "part", "share", "info"):
            yield _fresh(log, root / "storage" / "message")
    for project in sorted((root / "project").iterdir()) if (root / "project").is_dir() else []:
        session = project / "storage" / "session"
        for log in files_below(session / "info", agent, (".json",), depth=0):
            yield _fresh(log, session / "message")


def _fresh(log: LogFile, messages: Path) -> LogFile:
    for name in (log.path.stem, log.path.stem.removeprefix("ses_")):
        try:
            found = (messages / name).stat()
        except OSError:
            continue
        return replace(log, mtime_ns=max(log.mtime_ns, found.st_mtime_ns))
    return log


def tree_records(path: Path, session: dict[str, Any], facts: SessionFacts) -> Iterator[Record]:
    """Yield messages with their parts. Missing and unreadable files are counted."""
    session_id = _name(optional_text(session, "id") or path.stem)
    storage, part_folder = _storage(path, session_id)
    messages = sorted(_documents(storage / session_id, facts), key=_created)
    for info in messages:
        parts = _documents(part_folder(session_id, _name(str(info.get("id") or ""))), facts)
        yield {"info": info, "parts": parts}


def _storage(path: Path, session_id: str) -> tuple[Path, Any]:
    if path.parent.name == "info":
        root = path.parent.parent
        return root / "message", lambda session, message: root / "part" / session / message
    root = path.parent.parent.parent
    return root / "message", lambda session, message: root / "part" / message


def _name(identifier: str) -> str:
    """An id as a folder name: what could lead elsewhere is refused."""
    return ".." if not identifier or "/" in identifier or "\\" in identifier or "\0" in identifier else identifier


def _created(info: dict[str, Any]) -> float:
    created = dict_in(info, "time").get("created")
    return float(created) if isinstance(created, int | float) else 0.0


def _documents(folder: Path, facts: SessionFacts) -> list[dict[str, Any]]:
    """The documents of a folder in the order of their names, which are their ids: ids grow with time."""
    if ".." in folder.parts:
        facts.dropped["bad_id"] += 1
        return []
    try:
        names = sorted(entry for entry in folder.iterdir() if entry.suffix == ".json")
    except OSError:
        facts.dropped["missing_folder"] += 1
        return []
    found: list[dict[str, Any]] = []
    for name in names:
        try:
            with open_log(name) as stream:
                document = decode_json(stream.read(MAX_LINE).decode("utf-8", "replace").removeprefix("\ufeff"))
        except RolloutError:
            facts.dropped["unreadable_part"] += 1
            continue
        if isinstance(document, dict):
            found.append(document)
        else:
            facts.damaged += 1
    return found
