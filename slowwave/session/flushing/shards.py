"""Where a flush writes: `memory.md`, `memory/YYYY-MM-DD.md` and `memory/topics/<slug>.md` of a profile.

Append-only under a lock, bounded, redacted. A path that is none of these is redirected to the day's file and reported,
never an error: what the model wanted to save matters more than where.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from slowwave.errors import StoreError
from slowwave.private import replace_private
from slowwave.session.redacting import scrub
from slowwave.session.text import escape_tags, strip_own_blocks
from slowwave.text import fold_space, shorten

LINE_LIMIT = 500
LINES_PER_WRITE = 50
FILE_LIMIT = 256_000
LOCK_SECONDS = 5.0
MAIN = "memory.md"
_DAY = re.compile(r"memory/\d{4}-\d\d-\d\d\.md")
_TOPIC = re.compile(r"memory/topics/([^/]{1,80}?)(?:\.md)?")


class Written(NamedTuple):
    """What a write did. `lines` are the new lines as they stand in the file, `present` those too that stood there
    already, `redirected` names the path that was asked for when it was not used, the counts say what was left out."""

    path: str
    lines: tuple[str, ...]
    present: tuple[str, ...] = ()
    duplicates: int = 0
    dropped: int = 0
    redirected: str = ""


def profile_root(home: Path, profile: str) -> Path:
    """The folder of a profile's memory files."""
    return home / "profiles" / (_slug(profile) or "default")


def profile_of(agent: str, project_id: str) -> str:
    """The profile of an agent in a project: what one project saved never lies where another one reads."""
    return f"{agent}-{project_id}"


def today(now: float, zone: str | None) -> str:
    """The date of a time (seconds since the epoch) where the user is; `zone` is an IANA name, None the machine's own.

    An unknown zone falls back to the machine's: settings are checked when they are loaded, a flush must not fail on it.
    """
    if zone is None:
        return datetime.fromtimestamp(now).astimezone().date().isoformat()
    from zoneinfo import ZoneInfo

    try:
        return datetime.fromtimestamp(now, ZoneInfo(zone)).date().isoformat()
    except (KeyError, ValueError, OSError):
        return datetime.fromtimestamp(now).astimezone().date().isoformat()


def place_of(asked: str, day: str) -> tuple[str, str]:
    """(path to write, the asked path if it was refused). Only today's shard, `memory.md` and topics are written."""
    path = asked.strip().replace("\\", "/").removeprefix("./")
    default = f"memory/{day}.md"
    if not path or path == default:
        return default, ""
    if path.lower() == MAIN:
        return MAIN, ""
    topic = _TOPIC.fullmatch(path)
    if topic and (slug := _slug(topic[1])):
        made = f"memory/topics/{slug}.md"
        return made, "" if made.removesuffix(".md") == path.removesuffix(".md") else asked
    return default, asked


def _slug(text: str) -> str:
    return re.sub(r"[^\w]+", "-", text.lower()).strip("-_")[:60]


class Shards:
    """The memory files of one profile. Raises `StoreError` when they cannot be written and `RedactionError` when a line
    cannot be scanned; nothing of that write is kept then."""

    def __init__(self, root: Path, *, zone: str | None = None) -> None:
        self.root = root
        self.zone = zone

    def write(self, lines: Sequence[str], *, path: str = "", now: float | None = None) -> Written:
        """Append lines that are not in the file yet, in one write."""
        now = time.time() if now is None else now
        target, redirected = place_of(path, today(now, self.zone))
        clean = [line for line in map(clean_line, lines) if line]
        wanted = list(dict.fromkeys(clean))[:LINES_PER_WRITE]
        try:
            with self._locked():
                kept, known = self._append(target, wanted)
        except OSError as error:
            raise StoreError(
                f"cannot write {target}: {error.strerror or error}", reason="shard_write_failed"
            ) from error
        repeated = len(clean) - len(dict.fromkeys(clean))
        dropped = len(lines) - repeated - len(kept) - len(known)
        return Written(target, tuple(kept), (*known, *kept), repeated + len(known), dropped, redirected)

    def _append(self, target: str, wanted: list[str]) -> tuple[list[str], list[str]]:
        """Return the lines that were added and those that stood there already."""
        file = self.root / target
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.root.resolve() not in file.parent.resolve().parents and file.parent.resolve() != self.root.resolve():
            raise OSError(f"{target} leaves the profile's folder")
        descriptor = os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with os.fdopen(descriptor, "r+b", buffering=0) as stream:
            before = stream.read()
            known = {fold_space(line) for line in before.decode("utf-8", "replace").split("\n")}
            new = [line for line in wanted if fold_space(line) not in known]
            old = [line for line in wanted if fold_space(line) in known]
            room = FILE_LIMIT - len(before)
            data = b"" if not before or before.endswith(b"\n") else b"\n"
            kept: list[str] = []
            for line in new:
                raw = line.encode() + b"\n"
                if len(data) + len(raw) > room:
                    break
                data += raw
                kept.append(line)
            if kept:
                self._write_whole(stream.fileno(), data, len(before))
            return kept, old

    def _write_whole(self, descriptor: int, data: bytes, size: int) -> None:
        try:
            done = os.write(descriptor, data)
            if done != len(data):
                raise OSError("no room for the whole write")
            os.fsync(descriptor)
        except OSError:
            # Half a line is worse than none: readers of the file must never see one.
            os.ftruncate(descriptor, size)
            raise

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        import fcntl

        descriptor = os.open(self.root / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            until = time.monotonic() + LOCK_SECONDS
            while True:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > until:
                        raise
                    time.sleep(0.005)
            yield
        finally:
            os.close(descriptor)

    def remove(self, lines: Collection[str]) -> int:
        """Delete whole lines from all files, because a person asked for it; return how many. Raises `StoreError`."""
        wanted = {fold_space(line) for line in lines} | {fold_space(f"- {line}") for line in lines}
        gone = 0
        try:
            with self._locked():
                for name in self.files():
                    file = self.root / name
                    before = file.read_text(encoding="utf-8").splitlines(keepends=True)
                    kept = [line for line in before if fold_space(line) not in wanted]
                    if len(kept) < len(before):
                        gone += len(before) - len(kept)
                        replace_private(file, "".join(kept).encode())
        except OSError as error:
            raise StoreError(f"cannot change memory files: {error}", reason="shard_write_failed") from error
        return gone

    def read(self, path: str) -> str:
        """The text of one file, empty when there is none."""
        target, refused = place_of(path, today(time.time(), self.zone))
        if refused and not _DAY.fullmatch(path):
            return ""
        file = self.root / (path if refused else target)
        return file.read_text(encoding="utf-8") if file.is_file() and not file.is_symlink() else ""

    def files(self) -> list[str]:
        """The memory files that exist, relative to the profile."""
        found = [self.root / MAIN, *sorted((self.root / "memory").glob("*.md"))]
        found += sorted((self.root / "memory" / "topics").glob("*.md"))
        return [str(file.relative_to(self.root)) for file in found if file.is_file()]


def clean_line(text: str) -> str:
    """One line as it is written: redacted, on one line, bounded, a list item; empty for headings and scaffolding."""
    line = fold_space(escape_tags(strip_own_blocks(text)))
    line = line.lstrip("-*•· ").strip()
    if not line or line.startswith(("#", "```", "---", "===")) or line.upper().strip("[].") in ("SILENT", "NO_REPLY"):
        return ""
    return "- " + shorten(scrub(line), LINE_LIMIT)
