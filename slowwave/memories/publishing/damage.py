"""Tell damage from a person's edit: absence is not a wish.

Somebody who removes a line removes that line. A file that is empty, cut off, of another kind or without most of its
entries was damaged: what was published is restored, the damaged file is kept aside, and a person who meant it says so.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from slowwave.memories.publishing.edits import MEMORY, SUMMARY, decoded
from slowwave.memories.publishing.markdown import SECTION_TITLES, Block, blocks, marker_of
from slowwave.memories.publishing.matching import match_lines
from slowwave.memories.state.values import MemoryState
from slowwave.private import make_private_folder, replace_private
from slowwave.storage.published.live import check_path

FOLDER = "damaged"
SHARE = 3
"""One line of so many may go at once, one line always."""

WORDS = {
    "empty": "it is empty",
    "in-the-way": "it stood where a published file belongs",
    "not-text": "it is not UTF-8 text",
    "no-marker": "its marker line is gone",
    "unknown-version": "it is of no version that is known",
    "merge-conflict": "it holds marks of a merge conflict",
    "cut-off": "it ends in the middle of a line",
    "lost-entries": "more entries are gone from it than a person removes at once",
    "sections-mixed": "its sections are mixed up",
}
WISH = frozenset({"empty", "no-marker", "lost-entries", "sections-mixed"})
"""What may be meant: `slowwave edits accept` takes it over."""


@dataclass(frozen=True, slots=True)
class Damage:
    """A damaged file: where, why (a key of `WORDS`), and what it holds."""

    path: str
    reason: str
    content: bytes = b""

    def __str__(self) -> str:
        return f"{self.path} was damaged ({WORDS[self.reason]}); what was published was restored"

    @property
    def awaited(self) -> str:
        """The same before a run has looked at it."""
        return f"{self.path} is damaged ({WORDS[self.reason]}); what was published comes back with the next run"


def damage_of(path: str, before: bytes, after: bytes, state: MemoryState) -> str:
    """Why the edited file counts as damaged, empty when it does not. `before` is what was published."""
    if not after.strip():
        return "empty" if before.strip() else ""
    try:
        text = after.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "not-text"
    if "\0" in text:
        return "not-text"
    if _conflict(text) and not _conflict(decoded(before)):
        return "merge-conflict"
    if len(after) < len(before) and not text.endswith("\n") and decoded(before).startswith(text):
        return "cut-off"
    if path not in (MEMORY, SUMMARY):
        return ""
    if not marker_of(text):
        return "no-marker"
    return _losses(state, list(blocks(decoded(before))), list(blocks(text)))


def _conflict(text: str) -> bool:
    lines = text.split("\n")
    return any(line.startswith("<<<<<<< ") for line in lines) and any(line.startswith(">>>>>>> ") for line in lines)


def _losses(state: MemoryState, old: Sequence[Block], new: Sequence[Block]) -> str:
    entries = {block.id: block for block in old if block.shape == "entry"}
    mine = Counter(block.text for block in old if block.shape == "bullet")
    matched = match_lines(state, old, new)
    lost = len(matched.lost) + (mine - Counter(block.text for block in matched.own)).total()
    total = len(entries) + mine.total()
    if lost > max(1, total // SHARE):
        return "lost-entries"
    moved = sum(1 for i, block in matched.lines.items() if i in entries and entries[i].kind is not block.kind)
    sections = {block.kind for block in old if block.shape == "entry" and block.kind is not None}
    left = {block.kind for block in new if block.shape == "heading" and block.kind in SECTION_TITLES}
    if moved > max(1, total // SHARE) and (len(sections) > 1 or not left):
        return "sections-mixed"
    return ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A damaged file that was kept aside. `at` is when, in seconds since the epoch."""

    file: Path
    path: str
    reason: str
    at: float


def keep_aside(root: Path, damage: Damage, now: float) -> Path:
    """Keep a damaged file below the memory root; the same content is kept once."""
    folder = root / FOLDER
    make_private_folder(folder)
    digest = hashlib.sha256(damage.content).hexdigest()[:8]
    for known in folder.glob(f"*_{digest}_{damage.reason}_*"):
        return known
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now))
    target = folder / f"{stamp}_{digest}_{damage.reason}_{damage.path.replace('/', '+')}"
    replace_private(target, damage.content)
    return target


def kept_aside(root: Path) -> list[Kept]:
    """The damaged files that wait for a person, oldest first."""
    found = []
    for file in sorted((root / FOLDER).glob("*_*_*_*")):
        stamp, _, reason, name = file.name.split("_", 3)
        try:
            at = float(time.mktime(time.strptime(stamp, "%Y%m%dT%H%M%SZ"))) - time.timezone
        except ValueError:
            continue
        if reason in WORDS:
            found.append(Kept(file, name.replace("+", "/"), reason, at))
    return found


def restore_file(folder: Path, path: str, content: bytes) -> None:
    """Put published bytes back into the live version, whatever stands in their place."""
    check_path(path)
    target = folder / path
    if target.is_dir() and not target.is_symlink():
        target.rename(target.with_name(f".{target.name}.{time.time_ns()}"))
    make_private_folder(target.parent)
    replace_private(target, content)
