"""JSON objects out of a line-based log, whatever happened to the file.

Lines end at ``\\n`` only: U+2028, U+0085 and other "line ends" occur raw inside JSON strings. A byte order mark and a
trailing carriage return are tolerated, a damaged line is counted and skipped, records that were glued together are
taken apart, and what the strict parser refuses (lone surrogates, invalid UTF-8, NaN) goes through a lenient one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import msgspec
import orjson

Record = dict[str, Any]
Decode = Callable[[bytes], Any]

MAX_LINE = 64 * 1024 * 1024
"""Bytes above which a line is skipped and counted; the longest line seen in the wild was 15 MB."""

_BLOCK = 1 << 16
_RECORD_START = re.compile(r'\{"[A-Za-z_$]+":')
_SURROGATE = re.compile("[\ud800-\udfff]")
_RECOVERY_WORK = 1 << 20
_DECODER = json.JSONDecoder()
_REFUSED = (msgspec.MsgspecError, ValueError, RecursionError)


class Records:
    """Iterate over the JSON objects of a binary stream, one line each; memory holds one line or block at a time.

    No more than `limit` bytes are read. `decode` may be narrower than a full parse (see `shapes`): what it refuses is
    parsed in full. After the iteration `damaged` counts lines (or parts of lines) that were not a
    JSON object, `oversized` lines above `max_line` bytes, and `unterminated` tells that the last line is a record which
    is still being written. While it runs, `offset` and `length` say where the current line lies.
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
        self._ended = False
        self.damaged = 0
        self.oversized = 0
        self.unterminated = False
        self.offset = 0
        self.length = 0

    def __iter__(self) -> Iterator[Record]:
        decode, limit = self._decode, self._max_line
        for lines in self._lines_of_blocks():
            for line in lines:
                length = len(line)
                if length > limit:
                    self._skip(length + 1)
                    continue
                self.offset += self.length
                self.length = length + 1
                if not length:
                    continue
                try:
                    record = decode(line)
                except _REFUSED:
                    yield from self._recover(line)
                    continue
                if type(record) is dict:
                    yield record
                else:
                    self.damaged += 1

    def _lines_of_blocks(self) -> Iterator[list[bytes]]:
        """Lines without their end, as many at once as a block holds. `_ended` tells whether the last one had an end."""
        parts: list[bytes] = []
        pending = 0
        limit = self._max_line
        self._ended = True
        for block in self._blocks():
            lines = block.split(b"\n")
            if len(lines) == 1:
                pending += len(block)
                parts = [*parts, block] if pending <= limit else []
                continue
            rest = lines.pop()
            if pending + len(lines[0]) > limit:
                self._skip(pending + len(lines.pop(0)) + 1)
            elif pending:
                lines[0] = b"".join((*parts, lines[0]))
            yield lines
            parts, pending = [rest], len(rest)
        if pending > limit:
            self._skip(pending)
        elif pending:
            self._ended = False
            yield [b"".join(parts)]

    def _skip(self, length: int) -> None:
        self.oversized += 1
        self.offset += self.length
        self.length = length

    def _blocks(self) -> Iterator[bytes]:
        left = self._limit
        while left is None or left > 0:
            block = self._stream.read(_BLOCK if left is None else min(_BLOCK, left))
            if not block:
                return
            if left is not None:
                left -= len(block)
            yield block

    def _recover(self, line: bytes) -> Iterator[Record]:
        try:
            records, lost = _whole(orjson.loads(line))
        except orjson.JSONDecodeError:
            records, lost = parse_leniently(line)
        yield from records
        if not lost:
            return
        if self._ended:
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
