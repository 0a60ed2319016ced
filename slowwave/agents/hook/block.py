"""The block that a session is given: compiled at publish, with a person's later edits in it. Standard library only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from slowwave.agents.hook.index import HookIndex
from slowwave.paths import injection_file, published_file


def session_block(home: Path, index: HookIndex, project: str | None, report: Callable[[str], object]) -> str:
    """The block of a project, else that of the user level, else nothing. `report` is told what could not be read."""
    for candidate in (project, index.user_project):
        if candidate:
            try:
                block = injection_file(home, candidate).read_text(encoding="utf-8")
            except FileNotFoundError:
                continue
            block = _edited(home, candidate, block, "u" if candidate == index.user_project else "m", report)
            if candidate == project and index.user_project and project != index.user_project:
                block = _edited(home, index.user_project, block, "u", report)
            return block
    return ""


def _edited(home: Path, project: str, block: str, prefix: str, report: Callable[[str], object]) -> str:
    try:
        sidecar = published_file(home, project).read_bytes()
    except FileNotFoundError:
        return block
    try:
        from slowwave.memories.reading.edited import with_edits

        return with_edits(block, sidecar, _redacted, prefix=prefix)
    except (OSError, ValueError, KeyError, TypeError) as error:
        report(f"edits of {project}: {type(error).__name__}: {error}")
        return block


def _redacted(text: str) -> str:
    from slowwave.redaction.scan.core import redact

    return redact(text).text
