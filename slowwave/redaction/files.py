"""Secrets in files, folders, databases and git history: what `slowwave secrets scan` and `audit` look at."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import zstandard

from slowwave.errors import RedactionError
from slowwave.redaction.findings import Finding

SKIPPED_FOLDERS = frozenset(
    (".git", ".hg", ".svn", "node_modules", ".venv", "__pycache__", ".mypy_cache", ".ruff_cache")
)
PIECE = 4_000_000
"""Characters of a file that are scanned in one request."""
OVERLAP = 64_000
_MAGIC_SQLITE = b"SQLite format 3\0"
_MAGIC_ZSTD = b"\x28\xb5\x2f\xfd"
_MAGIC_GZIP = b"\x1f\x8b"


class Finder(Protocol):
    """Finds secrets in a text; raises `RedactionError` when it cannot."""

    def __call__(self, text: str) -> tuple[Finding, ...]: ...


@dataclass(frozen=True, slots=True)
class Place:
    """One secret in a file: where, and of what type; never the value.

    `where` names the file, or the table and row of a database. `line` counts from 1 and is 0 where there are no lines.
    A `type` of ``unscanned`` says that this part could not be scanned.
    """

    where: str
    line: int
    offset: int
    type: str


def scan_path(root: Path, find: Finder) -> Iterator[Place]:
    """Every secret in a file, or in every file of a folder. Version control and caches are left out."""
    for path in files(root):
        yield from scan_file(path, find)


def files(root: Path) -> Iterator[Path]:
    """The regular files to scan, sorted, without following links."""
    if root.is_file():
        yield root
        return
    for entry in sorted(root.iterdir()):
        if entry.is_symlink():
            continue
        if entry.is_dir():
            if entry.name not in SKIPPED_FOLDERS:
                yield from files(entry)
        elif entry.is_file():
            yield entry


def scan_file(path: Path, find: Finder) -> Iterator[Place]:
    """Every secret in one file: SQLite databases by value, packed files unpacked, anything else as text; its name too."""
    where = str(path)
    yield from _scan_text(f"name of {where}", path.name, find)
    try:
        with path.open("rb") as file:
            head = file.read(16)
        if head == _MAGIC_SQLITE:
            yield from _scan_database(path, find)
            return
        raw = path.read_bytes()
        if head.startswith(_MAGIC_ZSTD):
            raw = zstandard.ZstdDecompressor().decompressobj().decompress(raw)
        elif head.startswith(_MAGIC_GZIP):
            raw = gzip.decompress(raw)
    except (OSError, EOFError, zstandard.ZstdError, sqlite3.Error):
        yield Place(where, 0, 0, "unscanned")
        return
    yield from scan_bytes(where, raw, find)


def scan_bytes(where: str, raw: bytes, find: Finder) -> Iterator[Place]:
    """Every secret in bytes. Bytes that are no UTF-8 are scanned all the same."""
    yield from _scan_text(where, raw.decode("utf-8", "replace"), find)


def _scan_text(where: str, text: str, find: Finder) -> Iterator[Place]:
    seen: set[tuple[int, str]] = set()
    for start in range(0, max(1, len(text)), PIECE - OVERLAP):
        piece = text[start : start + PIECE]
        try:
            findings = find(piece)
        except RedactionError:
            yield Place(where, text.count("\n", 0, start) + 1, start, "unscanned")
            continue
        for finding in findings:
            offset = start + finding.start
            if (offset, finding.type) not in seen:
                seen.add((offset, finding.type))
                yield Place(where, text.count("\n", 0, offset) + 1, offset, finding.type)


def _scan_database(path: Path, find: Finder) -> Iterator[Place]:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        for (table,) in tables.fetchall():
            for number, row in enumerate(connection.execute(f'SELECT * FROM "{table}"'), 1):
                for value in row:
                    if isinstance(value, str | bytes):
                        text = value if isinstance(value, str) else _unpacked(value)
                        for place in _scan_text(f"{path}: {table}, row {number}", text, find):
                            yield Place(place.where, 0, place.offset, place.type)
    finally:
        connection.close()


def _unpacked(raw: bytes) -> str:
    if raw.startswith(_MAGIC_ZSTD):
        raw = zstandard.ZstdDecompressor().decompressobj().decompress(raw)
    return raw.decode("utf-8", "replace")
