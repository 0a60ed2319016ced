"""What a repository's own object store says about its history. Standard library only: hooks use this too.

Git itself is never started: a repository that somebody else packed may configure programs that git would run. Nothing
outside the given git folder is read, so a link or a list of borrowed object stores cannot lend a repository the history
of another one. A commit counts when its bytes are there and hash to its name.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

MAX_WALK = 5_000
MAX_PACKS = 256
MAX_COMMIT = 1 << 20
USUAL_COMMIT = 1 << 14
_HASH = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_PARENT = re.compile(rb"^parent ([0-9a-f]{40,64})$", re.MULTILINE)
_COMMIT, _OFFSET_DELTA, _REFERENCE_DELTA = 1, 6, 7


def is_commit_name(text: str | None) -> bool:
    """True for a full object name that names something: agents write zeros where there is no commit."""
    return bool(text and _HASH.match(text) and text.strip("0"))


@dataclass(frozen=True, slots=True)
class History:
    """The commits of one repository. `git_dir` is the folder of this work tree, `common` the one that holds objects."""

    git_dir: Path
    common: Path
    _packs: list[_Pack] = field(default_factory=list, compare=False)

    def has(self, commit: str) -> bool:
        """Tell whether this commit is in the store, by its content."""
        return is_commit_name(commit) and self.read(commit) is not None

    def read(self, commit: str) -> bytes | None:
        """The content of a commit, or None where it is missing, damaged or too large to be one."""
        for kind, body in self._bodies(commit):
            if kind == b"commit" and _named(kind, body, len(commit)) == commit:
                return body
        return None

    def head(self) -> str | None:
        """The commit that is checked out; None in an empty repository."""
        text = _text(self.git_dir / "HEAD")
        for _ in range(5):
            if not text.startswith("ref:"):
                return text if is_commit_name(text) else None
            name = text.removeprefix("ref:").strip()
            if not re.fullmatch(r"refs/[^\0\\]+", name) or ".." in name:
                return None
            text = _text(self.common / name) or _packed_ref(self.common, name)
        return None

    def marks(self) -> tuple[str, ...]:
        """Commits that tell this history from others, the first one of all (or as far back as it goes) before the
        newest; empty where there are none."""
        newest = self.head()
        if newest is None or self.read(newest) is None:
            return ()
        oldest = newest
        for _ in range(MAX_WALK):
            body = self.read(oldest)
            parent = _PARENT.search(body.partition(b"\n\n")[0]) if body is not None else None
            if parent is None or self.read(parent.group(1).decode()) is None:
                break
            oldest = parent.group(1).decode()
        return (oldest,) if oldest == newest else (oldest, newest)

    def _bodies(self, name: str) -> Iterator[tuple[bytes, bytes]]:
        objects = self.common / "objects"
        if not _own_folder(objects):
            return
        if _own_folder(objects / name[:2]):
            loose = _inflate(_bytes(objects / name[:2] / name[2:], MAX_COMMIT), MAX_COMMIT)
            head, separator, body = loose.partition(b"\0")
            if separator:
                yield head.partition(b" ")[0], body
        for pack in self._all_packs(objects / "pack", len(name) // 2):
            found = pack.read(bytes.fromhex(name))
            if found is not None:
                yield b"commit", found

    def _all_packs(self, folder: Path, width: int) -> list[_Pack]:
        if not self._packs and _own_folder(folder):
            try:
                names = sorted(entry.name for entry in os.scandir(folder) if entry.name.endswith(".idx"))
            except OSError:
                names = []
            self._packs.extend(_Pack(folder / name, width) for name in names[:MAX_PACKS])
        return self._packs


class _Pack:
    """One pack and its index (gitformat-pack, version 2)."""

    __slots__ = ("_index", "_pack", "_width")

    def __init__(self, index: Path, width: int) -> None:
        self._index = index
        self._pack = index.with_suffix(".pack")
        self._width = width

    def read(self, name: bytes) -> bytes | None:
        """The content of the commit of that name, deltas resolved; None where it is not here or is no commit."""
        try:
            offset = self._offset(name)
            return None if offset is None else self._object(offset, 0)
        except (OSError, ValueError, IndexError, zlib.error):
            return None

    def _offset(self, name: bytes) -> int | None:
        with _Reader(self._index) as index:
            if index.at(0, 8) != b"\xfftOc\x00\x00\x00\x02":
                return None
            low = index.number(8 + 4 * (name[0] - 1)) if name[0] else 0
            high, total = index.number(8 + 4 * name[0]), index.number(8 + 4 * 255)
            names = 8 + 4 * 256
            while low < high:
                middle = (low + high) // 2
                found = index.at(names + middle * self._width, self._width)
                if found == name:
                    place = index.number(names + total * (self._width + 4) + 4 * middle)
                    if place < 1 << 31:
                        return place
                    large = names + total * (self._width + 8) + 8 * (place - (1 << 31))
                    return int.from_bytes(index.at(large, 8), "big")
                low, high = (middle + 1, high) if found < name else (low, middle)
        return None

    def _object(self, offset: int, depth: int) -> bytes | None:
        if depth > 60:
            return None
        with _Reader(self._pack) as pack:
            data = pack.up_to(offset, USUAL_COMMIT)
            if len(data) == USUAL_COMMIT:
                data += pack.up_to(offset + USUAL_COMMIT, MAX_COMMIT) if not _ends(data) else b""
        kind, position = (data[0] >> 4) & 7, 1
        while data[position - 1] & 0x80:
            position += 1
        if kind == _COMMIT:
            return _inflate(data[position:], MAX_COMMIT)
        if kind == _OFFSET_DELTA:
            back, position = _distance(data, position)
            base = self._object(offset - back, depth + 1)
        elif kind == _REFERENCE_DELTA:
            place = self._offset(data[position : position + self._width])
            position += self._width
            base = None if place is None else self._object(place, depth + 1)
        else:
            return None
        return None if base is None else _patched(base, _inflate(data[position:], MAX_COMMIT))


class _Reader:
    """A regular file, never a link, a device or a pipe."""

    __slots__ = ("_descriptor", "_path")

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> _Reader:
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        self._descriptor = os.open(self._path, flags)
        if not stat.S_ISREG(os.fstat(self._descriptor).st_mode):
            os.close(self._descriptor)
            raise ValueError(f"{self._path} is no regular file")
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)

    def up_to(self, offset: int, size: int) -> bytes:
        """At most `size` bytes from an offset."""
        os.lseek(self._descriptor, offset, os.SEEK_SET)
        return os.read(self._descriptor, size)

    def at(self, offset: int, size: int) -> bytes:
        """Exactly `size` bytes from an offset. Raises `ValueError` where the file is too short."""
        data = self.up_to(offset, size)
        if len(data) != size:
            raise ValueError(f"{self._path} is too short")
        return data

    def number(self, offset: int) -> int:
        """Four bytes as a number."""
        return int.from_bytes(self.at(offset, 4), "big")


def _named(kind: bytes, body: bytes, digits: int) -> str:
    # The name of an object, no protection: which of the two algorithms a repository uses is its own choice.
    algorithm = hashlib.sha256 if digits == 64 else hashlib.sha1
    return algorithm(kind + b" " + str(len(body)).encode() + b"\0" + body).hexdigest()


def _own_folder(path: Path) -> bool:
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


def _bytes(path: Path, limit: int) -> bytes:
    try:
        with _Reader(path) as file:
            return file.up_to(0, limit)
    except (OSError, ValueError):
        return b""


def _text(path: Path) -> str:
    return _bytes(path, 4096).decode("utf-8", "replace").strip()


def _packed_ref(common: Path, name: str) -> str:
    for line in _bytes(common / "packed-refs", 1 << 24).decode("utf-8", "replace").split("\n"):
        commit, _, ref = line.partition(" ")
        if ref.strip() == name:
            return commit
    return ""


def _inflate(data: bytes, limit: int) -> bytes:
    try:
        return zlib.decompressobj().decompress(data, limit)
    except zlib.error:
        return b""


def _ends(data: bytes) -> bool:
    """Whether a commit's compressed bytes end within these: most do, and reading a megabyte for each would be slow."""
    for start in range(1, 32):
        decompressor = zlib.decompressobj()
        try:
            decompressor.decompress(data[start:], MAX_COMMIT)
        except zlib.error:
            continue
        return decompressor.eof
    return False


def _distance(data: bytes, position: int) -> tuple[int, int]:
    value = data[position] & 0x7F
    while data[position] & 0x80:
        position += 1
        value = ((value + 1) << 7) | (data[position] & 0x7F)
    return value, position + 1


def _patched(base: bytes, delta: bytes) -> bytes | None:
    """Apply a delta (gitformat-pack): copies from the base and literal pieces."""
    size, position = _size(delta, 0)
    if size != len(base):
        return None
    wanted, position = _size(delta, position)
    made = bytearray()
    while position < len(delta) and len(made) <= MAX_COMMIT:
        code = delta[position]
        position += 1
        if not code & 0x80:
            made += delta[position : position + code]
            position += code
            continue
        start = length = 0
        for bit in range(4):
            if code & (1 << bit):
                start |= delta[position] << (8 * bit)
                position += 1
        for bit in range(3):
            if code & (0x10 << bit):
                length |= delta[position] << (8 * bit)
                position += 1
        made += base[start : start + (length or 0x10000)]
    return bytes(made) if len(made) == wanted else None


def _size(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value, position
