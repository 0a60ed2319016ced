"""Small synthetic sessions that show what a night gives, for `slowwave run --sample`.

`data/` is laid out as agents lay their logs out: `data/claude` as `CLAUDE_CONFIG_DIR`, `data/codex` as `CODEX_HOME`.
Nobody's real session is in it. The times in the files are fixed and are moved so that the sessions look recent.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath

REFERENCE = datetime(2026, 1, 15, 12, 0, tzinfo=UTC)
"""The moment that the files were written for. The newest session ends about a day before it."""

_TIME = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
_CODEX_NAME = re.compile(r"^rollout-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)-(.+)$")
_CODEX_TIME = "%Y-%m-%dT%H-%M-%S"


def _files(folder: Traversable, below: PurePosixPath) -> Iterator[tuple[PurePosixPath, str]]:
    for child in sorted(folder.iterdir(), key=lambda child: child.name):
        if child.is_dir():
            yield from _files(child, below / child.name)
        elif child.name.endswith(".jsonl"):
            yield below / child.name, child.read_text(encoding="utf-8")


def _stamp(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _moved_path(path: PurePosixPath, shift: timedelta) -> PurePosixPath:
    """Codex names a log and its folders by the local time of its start; Claude Code names neither by time."""
    found = _CODEX_NAME.match(path.name)
    if found is None:
        return path
    start = datetime.strptime(found[1], _CODEX_TIME).replace(tzinfo=UTC) + shift
    local = start.astimezone()
    root = PurePosixPath(*path.parts[:-4])
    return root / f"{local:%Y}" / f"{local:%m}" / f"{local:%d}" / f"rollout-{local.strftime(_CODEX_TIME)}-{found[2]}"


def write_samples(target: Path, now: datetime) -> None:
    """Write the sample sessions below `target` (`claude/` and `codex/`), moved so that the newest ended a day ago.

    `now` is aware. Every file gets the modification time of its last record, so that a reader that looks at either sees
    the same. Raises `OSError` where the folder cannot be written.
    """
    shift = now.astimezone(UTC) - REFERENCE
    for path, text in _files(resources.files("slowwave.samples") / "data", PurePosixPath()):
        newest = REFERENCE - timedelta(days=365)

        def moved(match: re.Match[str]) -> str:
            nonlocal newest
            time = datetime.fromisoformat(match[0].replace("Z", "+00:00")) + shift
            newest = max(newest, time)
            return _stamp(time)

        rewritten = _TIME.sub(moved, text)
        place = target / _moved_path(path, shift)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(rewritten, encoding="utf-8", newline="\n")
        os.utime(place, (newest.timestamp(), newest.timestamp()))
