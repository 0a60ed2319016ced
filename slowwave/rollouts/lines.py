"""JSON objects out of a line-based log, whatever happened to the file.

Lines end at ``\\n`` only: U+2028, U+0085 and other "line ends" occur raw inside JSON strings. A byte order mark and a
trailing carriage return are tolerated, a damaged line is counted and skipped, records that were glued together are
taken apart, and what the strict parser refuses (lone surrogates, invalid UTF-8, NaN) goes through a lenient one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from typing import Any, BinaryIO

import orjson

Record = dict[str, Any]

MAX_LINE = 64 * 1024 * 1024
"""Bytes above which a line is skipped and counted; the longest line seen in the wild was 15 MB."""

_BOM = b"\xef\xbb\xbf"
_RECORD_START = re.compile(r'\{"[A-Za-z_$]+":')
_SURROGATE = re.compile("[\ud800-\udfff]")
_MAX_RECOVERY_STARTS = 200
_DECODER = json.JSONDecoder()


class Records:
    """Iterate over the JSON objects of a binary stream, one line each; memory holds one line at a time.

    After the iteration `damaged` counts lines (or parts of lines) that were not a JSON object, `oversized` lines above
    `max_line` bytes, and `unterminated` tells that the last line is a record which is still being written. While it
    runs, `offset` and `length` say where the current line lies.
    """

    def __init__(self, stream: BinaryIO, *, limit: int | None = None, max_line: int = MAX_LINE) -> None:
        self._stream = stream
        self._limit = limit
        self._max_line = max_line
        self.damaged = 0
        self.oversized = 0
        self.unterminated = False
        self.offset = 0
        self.length = 0

    def __iter__(self) -> Iterator[Record]:
        loads = orjson.loads
        for line in self._lines():
            try:
                record = loads(line)
            except orjson.JSONDecodeError:
                yield from self._recover(line)
                continue
            if type(record) is dict:
                yield record
            else:
                self.damaged += 1

    def _lines(self) -> Iterator[bytes]:
        budget = self._limit
        first = True
        for line in iter(partial(self._stream.readline, self._max_line + 1), b""):
            self.offset += self.length
            self.length = len(line)
            if budget is not None:
                if budget <= 0:
                    return
                if len(line) > budget:
                    line = line[:budget]
                budget -= len(line)
            if len(line) > self._max_line and not line.endswith(b"\n"):
                self.oversized += 1
                self._skip_rest()
                continue
            if first:
                line = line.removeprefix(_BOM)
                first = False
            if line.isspace() or not line:
                continue
            yield line

    def _skip_rest(self) -> None:
        for part in iter(partial(self._stream.readline, 1 << 20), b""):
            self.length += len(part)
            if part.endswith(b"\n"):
                return

    def _recover(self, line: bytes) -> Iterator[Record]:
        records, lost = parse_leniently(line)
        yield from records
        if not lost:
            return
        if line.endswith(b"\n"):
            self.damaged += 1
        else:
            self.unterminated = True


def parse_leniently(line: bytes) -> tuple[list[Record], bool]:
    """Return the objects in a line that strict parsing refused, and whether something in it was lost."""
    text = line.decode("utf-8", "replace").strip("\ufeff \t\r\n\0")
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
    """Whole records behind a half-written one, found from the right: the first that ends where the line ends."""
    starts = [match.start() for match in _RECORD_START.finditer(text, start + 1)]
    end = len(text)
    found: list[Record] = []
    for position in reversed(starts[-_MAX_RECOVERY_STARTS:]):
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
