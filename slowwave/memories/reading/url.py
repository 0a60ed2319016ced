"""`memory://` addresses: one resolver for the command line, the MCP server and whoever else reads memory by name.

::

    memory://root                                memory_summary.md
    memory://root/MEMORY.md                      the whole handbook
    memory://root/archive.md                     entries that MEMORY.md has no room for
    memory://root/open_work.md                   what the last sessions left open
    memory://root/skills/run-tests/SKILL.md      a procedure, and the other files of its folder
    memory://root/rollout_summaries/<file>       what happened in one session
    memory://root/MEMORY.md#L10-L20              lines 10 to 20 (also #L10, #10-20, ?lines=10-20)

`root` is the published folder of one project. No address leaves it: names are decoded once and checked as names, and
the file is then opened one folder at a time without following links.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote_to_bytes

from slowwave.errors import MemoryUrlError

SCHEME = "memory://"
ROOT = "root"
DEFAULT_FILE = "memory_summary.md"
TOP_FILES = frozenset({"MEMORY.md", "memory_summary.md", "archive.md", "open_work.md"})
TOP_FOLDERS = frozenset({"skills", "rollout_summaries"})
MAX_URL = 4096
MAX_DEPTH = 16
MAX_FILE = 4 * 1024 * 1024

_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_RANGE = re.compile(r"L?(\d{1,9})(?:-L?(\d{1,9}))?\Z")
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f-\x9f/\\:*?"<>|]')
_DEVICE = re.compile(r"(CON|PRN|AUX|NUL|CLOCK\$|CONIN\$|CONOUT\$|COM[0-9¹²³]|LPT[0-9¹²³])(\..*)?\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MemoryUrl:
    """A checked address: path segments below the root, and an inclusive range of lines counted from 1 (None: all)."""

    segments: tuple[str, ...]
    lines: tuple[int, int] | None = None

    @property
    def path(self) -> str:
        """The path below the root, with slashes."""
        return "/".join(self.segments)


@dataclass(frozen=True, slots=True)
class MemoryText:
    """What an address names. `first` and `last` are the lines that `text` holds, `total` those of the file."""

    url: MemoryUrl
    text: str
    first: int
    last: int
    total: int


def parse_url(url: str) -> MemoryUrl:
    """Check an address and take it apart.

    Raises:
        MemoryUrlError: it is malformed, or names something outside what is readable.
    """
    if len(url) > MAX_URL:
        raise _refused(url[:80], f"longer than {MAX_URL} characters")
    if url[: len(SCHEME)].lower() != SCHEME:
        raise _refused(url, "it does not begin with memory://")
    rest, fragment_mark, fragment = url[len(SCHEME) :].partition("#")
    rest, query_mark, query = rest.partition("?")
    host, _, path = rest.partition("/")
    if host != ROOT:
        raise _refused(url, f"only memory://{ROOT} exists")
    wanted = fragment if fragment_mark else _query_lines(url, query) if query_mark else None
    segments = tuple(_segment(url, part) for part in path.split("/")) if path else ()
    if not segments:
        segments = (DEFAULT_FILE,)
    _check_readable(url, segments)
    return MemoryUrl(segments, None if wanted is None else _line_range(url, wanted))


def _refused(url: str, why: str) -> MemoryUrlError:
    return MemoryUrlError(f"{url!r} is no memory address: {why}", hint="Example: memory://root/MEMORY.md#L1-L40")


def _query_lines(url: str, query: str) -> str:
    name, _, value = query.partition("=")
    if name != "lines":
        raise _refused(url, "the only parameter is lines=FIRST-LAST")
    return value


def _segment(url: str, encoded: str) -> str:
    """Decode one segment, once, and refuse every name that some file system reads as more than a name."""
    if _ESCAPE.search(encoded):
        raise _refused(url, "a percent sign without two hexadecimal digits")
    try:
        name = unquote_to_bytes(encoded).decode("utf-8")
    except (UnicodeDecodeError, UnicodeEncodeError):
        raise _refused(url, "a name is not UTF-8") from None
    # Full-width dots, slashes and the like become the plain ones where a file system or a tool normalises names.
    for form in (name, unicodedata.normalize("NFKC", name)):
        if not form or form.startswith((".", " ")) or form[-1:] in (".", " "):
            raise _refused(url, "a name is empty, hidden, or ends in a dot or a space")
        if _FORBIDDEN.search(form) or _DEVICE.match(form):
            raise _refused(url, "a name holds a character or a word that is more than a name")
    return name


def _check_readable(url: str, segments: tuple[str, ...]) -> None:
    if len(segments) > MAX_DEPTH:
        raise _refused(url, f"deeper than {MAX_DEPTH} folders")
    top = segments[0]
    if len(segments) == 1 and top in TOP_FILES:
        return
    if len(segments) > 1 and top in TOP_FOLDERS:
        return
    raise _refused(url, f"readable are {', '.join(sorted(TOP_FILES))}, skills/... and rollout_summaries/...")


def _line_range(url: str, text: str) -> tuple[int, int]:
    match = _RANGE.match(text)
    if match is None:
        raise _refused(url, "a line range looks like #L10-L20")
    first = int(match[1])
    last = int(match[2]) if match[2] else first
    if first < 1 or last < first:
        raise _refused(url, "a line range counts from 1 and does not run backwards")
    return first, last


def read_url(url: str | MemoryUrl, root: Path) -> MemoryText:
    """Read what an address names below `root` (a project's published folder, which may itself be a link).

    Raises:
        MemoryUrlError: malformed, nothing there, a link, no regular file, or not text.
    """
    address = parse_url(url) if isinstance(url, str) else url
    try:
        content = _read_below(root, address.segments)
        text = content.decode("utf-8")
    except FileNotFoundError:
        raise MemoryUrlError(
            f"memory://{ROOT}/{address.path} does not exist", hint="`slowwave read memory://root` shows what there is."
        ) from None
    except UnicodeDecodeError:
        raise MemoryUrlError(f"memory://{ROOT}/{address.path} is not text") from None
    except OSError as error:
        raise MemoryUrlError(f"memory://{ROOT}/{address.path} cannot be read: {error.strerror or error}") from None
    lines = text.split("\n")
    total = len(lines) - (lines[-1] == "")
    if address.lines is None:
        return MemoryText(address, text, 1, total, total)
    first, last = address.lines
    if first > total:
        raise MemoryUrlError(f"memory://{ROOT}/{address.path} has {total} lines, line {first} was asked for")
    last = min(last, total)
    return MemoryText(address, "\n".join(lines[first - 1 : last]) + "\n", first, last, total)


def _read_below(root: Path, segments: tuple[str, ...]) -> bytes:
    """Bytes of a regular file below `root`, without following any link below it."""
    if os.open not in os.supports_dir_fd or not hasattr(os, "O_NOFOLLOW"):
        return _read_resolved(root, segments)
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for name in segments[:-1]:
            deeper = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = deeper
        # O_NONBLOCK: opening a pipe that somebody put there must not wait for a writer.
        file = os.open(segments[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    finally:
        os.close(folder)
    with os.fdopen(file, "rb") as opened:
        return _bounded(opened)


def _read_resolved(root: Path, segments: tuple[str, ...]) -> bytes:
    """The same where the platform opens by whole path only: refuse when the real path is not the plain one."""
    base = root.resolve(strict=True)
    plain = base.joinpath(*segments)
    if plain.resolve(strict=True) != plain:
        raise OSError("a link lies on the way")
    with plain.open("rb") as opened:
        return _bounded(opened)


def _bounded(file: BinaryIO) -> bytes:
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode):
        raise OSError("not a regular file")
    if status.st_size > MAX_FILE:
        raise OSError(f"larger than {MAX_FILE} bytes")
    return file.read(MAX_FILE)


def list_urls(root: Path) -> list[str]:
    """Addresses of everything readable below `root`, sorted; links are left out."""
    found = [f"{SCHEME}{ROOT}/{name}" for name in sorted(TOP_FILES) if _is_plain_file(root / name)]
    for top in sorted(TOP_FOLDERS):
        base = root / top
        if base.is_symlink():
            continue
        for folder, folders, files in os.walk(base, followlinks=False):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(files):
                path = Path(folder, name)
                if not name.startswith(".") and _is_plain_file(path):
                    found.append(f"{SCHEME}{ROOT}/{_encoded(path.relative_to(root))}")
    return found


def _is_plain_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _encoded(path: Path) -> str:
    from urllib.parse import quote

    return "/".join(quote(part) for part in path.parts)
