"""JSON objects out of a line-based log, whatever happened to the file.

Lines end at ``\\n`` only: U+2028, U+0085 and other "line ends" occur raw inside JSON strings. A byte order mark and a
trailing carriage return are tolerated, a damaged line is counted and skipped, records that were glued together are
taken apart, and what the strict parser refuses (lone surrogates, invalid UTF-8, NaN) goes through a lenient one.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import orjson

from slowwave.rollouts.shapes import REFUSED

Record = dict[str, Any]
Decode = Callable[[bytes], Any]

MAX_LINE = 64 * 1024 * 1024
"""Bytes above which a line is skipped and counted; the longest line seen in the wild was 15 MB."""

_BLOCK = 1 << 16
_RECORD_START = re.compile(r'\{"[A-Za-z_$]+":')
_SURROGATE = re.compile("[\ud800-\udfff]")
_RECOVERY_WORK = 1 << 20
_DECODER = json.JSONDecoder()


class Records:
    """Iterate over the JSON objects of a binary stream, one line each; memory holds one line or block at a time.

    No more than `limit` bytes are read. `decode` may be narrower than a full parse (see `shapes`): what it refuses is
    parsed in full. After the iteration `damaged` counts lines (or parts of lines) that were not a JSON object,
    `oversized` lines above `max_line` bytes, and `unterminated` tells that the last line is a record which is still
    being written. While it runs, `offset` and `length` say where the current line lies.
    """

    def __init__(
        self,
        stream: BinaryIO,
        *,
        limit: int | None = None,
        max_line: int = MAX_LINE,
        decode: Decode = orjson.loads,
    ) -> None:
        self._stream = stream
        self._decode = decode
        self._limit = limit
        self._max_line = max_line
        self.damaged = 0
        self.oversized = 0
        self.unterminated = False
        self.offset = 0
        self.length = 0

    def __iter__(self) -> Iterator[Record]:
        decode = self._decode
        for lines in self._lines():
            for line in lines:
                self.offset += self.length
                self.length = len(line)
                try:
                    record = decode(line)
                except REFUSED:
                    yield from self._recover(line)
                    continue
                if type(record) is dict:
                    yield record
                else:
                    self.damaged += 1

    def _lines(self) -> Iterator[list[bytes]]:
        """Lines with their ends, as many at once as a block holds."""
        left = math.inf if self._limit is None else self._limit
        is_small = left <= self._max_line
        while left > 0:
            size = int(min(left, _BLOCK))
            # Where no line can be too long, the stream's own loop is the fastest.
            lines = self._stream.readlines(size) if is_small else self._bounded_lines(size)
            if not lines:
                return
            left -= sum(map(len, lines))
            if left < 0:
                lines[-1] = lines[-1][: int(left)]
            if self._is_too_long(lines[-1]):
                yield lines[:-1]
                left -= self._skip(lines[-1], left)
            else:
                yield lines

    def _bounded_lines(self, size: int) -> list[bytes]:
        """About `size` bytes of lines; one that is too long is the last, and cut."""
        lines: list[bytes] = []
        while size > 0 and (line := self._stream.readline(self._max_line + 1)):
            lines.append(line)
            size = 0 if self._is_too_long(line) else size - len(line)
        return lines

    def _is_too_long(self, line: bytes) -> bool:
        return len(line) > self._max_line and not line.endswith(b"\n")

    def _skip(self, start: bytes, left: float) -> int:
        """Pass over the rest of a line that is too long; return how many bytes that were."""
        read, line = 0, start
        while read < left and not line.endswith(b"\n") and (line := self._stream.readline(_BLOCK)):
            read += len(line)
        self.oversized += 1
        self.offset += self.length
        self.length = len(start) + read
        return read

    def _recover(self, line: bytes) -> Iterator[Record]:
        try:
            records, lost = _whole(orjson.loads(line))
        except orjson.JSONDecodeError:
            records, lost = parse_leniently(line)
        yield from records
        if not lost:
            return
        if line.endswith(b"\n"):
            self.damaged += 1
        else:
            self.unterminated = True


def _whole(value: object) -> tuple[list[Record], bool]:
    return ([value], False) if isinstance(value, dict) else ([], True)


def parse_leniently(line: bytes) -> tuple[list[Record], bool]:
    """Return the objects in a line that strict parsing refused, and whether something in it was lost."""
    text = line.decode("utf-8", "replace").strip("\ufeff \t\r\n\0")
    if not text:
        return [], False
    records: list[Record] = []
    position = 0
    while position < len(text):
        value, end = _decode(text, position)
        if end < 0:
            records.extend(_records_at_the_end(text, position))
            return [_scrub(record) for record in records], True
        if isinstance(value, dict):
            records.append(value)
        elif records or end < len(text):
            return [_scrub(record) for record in [*records, *_records_at_the_end(text, end)]], True
        position = end
        while position < len(text) and text[position] in " \t\r\n\0\ufeff":
            position += 1
    return [_scrub(record) for record in records], not records


def _records_at_the_end(text: str, start: int) -> list[Record]:
    """Whole records behind a half-written one, found from the right: the first that ends where the line ends.

    A start deep inside a record costs a try; no more is tried than decoding the line a few times over would cost.
    """
    starts = [match.start() for match in _RECORD_START.finditer(text, start + 1)]
    end = len(text)
    work = _RECOVERY_WORK + 2 * end
    found: list[Record] = []
    for position in reversed(starts):
        work -= end - position
        if work < 0:
            break
        value, stop = _decode(text, position)
        if stop == end and isinstance(value, dict) and (not found or next(iter(value)) == next(iter(found[0]))):
            found.insert(0, value)
            end = position
    return found


def _decode(text: str, position: int) -> tuple[object, int]:
    try:
        return _DECODER.raw_decode(text, position)
    except (ValueError, RecursionError):
        return None, -1


def _scrub(value: Any) -> Any:
    """Replace lone surrogates, which no UTF-8 encoder accepts, by U+FFFD in every string."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_scrub(key): _scrub(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_scrub(item) for item in value]
    return value
