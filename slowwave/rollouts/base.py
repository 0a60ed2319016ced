"""What the readers share: opening a log without disturbing anybody, and driving one pass over it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import orjson

from slowwave.errors import RolloutError, RolloutUnreadable, RolloutVanished
from slowwave.paths import slowwave_home
from slowwave.rollouts.lines import Decode, Record, Records
from slowwave.rollouts.model import Item, LogFile, SessionFacts
from slowwave.rollouts.passes import LogPass

BUFFER = 1 << 16


class BaseReader:
    """A reader over records. A format implements `begin`, `take`, and `records` where it is not one object a line.

    `decode` turns a line into an object; a narrower one than the full parse saves time (see `shapes`).
    `version` is stored with each scanned file: raising it makes the next scan read unchanged logs again.
    """

    agent: str = ""
    version: int = 1
    decode: Decode = staticmethod(orjson.loads)

    def __init__(self, own_home: Path | None = None) -> None:
        self.own_home = own_home or slowwave_home()

    def begin(self, log: LogFile) -> LogPass:
        """Start a pass."""
        raise NotImplementedError

    def take(self, state: LogPass, record: Record) -> None:
        """Feed one record to the pass."""
        raise NotImplementedError

    def end(self, state: LogPass) -> None:
        """Use what only the whole log tells. Called once, before the facts are completed."""

    def records(self, log: LogFile, state: LogPass) -> Iterator[Record]:
        """Yield the log's records; by default one JSON object a line, no further than the size the scan saw."""
        with open_log(log.path) as stream:
            yield from self.lines(stream, state, limit=log.size or None)

    def lines(self, stream: BinaryIO, state: LogPass, *, limit: int | None) -> Iterator[Record]:
        """Yield the JSON objects of a stream and count its damage."""
        lines = Records(stream, limit=limit, decode=self.decode)
        yield from lines
        state.facts.damaged += lines.damaged
        state.facts.unterminated = lines.unterminated
        if lines.oversized:
            state.facts.dropped["oversized_line"] += lines.oversized

    def scan(self, log: LogFile) -> SessionFacts:
        """Read the log once and return its facts; a log with rolled-back items is read twice."""
        state = self.begin(log)
        state.hashing = True
        for _ in self._walk(log, state):
            pass
        facts = state.facts
        if facts.rolled_back:
            again = self.begin(log)
            again.hashing, again.gone = True, facts.rolled_back
            for _ in self._walk(log, again):
                pass
            facts.content_hash = again.facts.content_hash
        return facts

    def items(self, log: LogFile, facts: SessionFacts | None = None) -> Iterator[Item]:
        """Yield the kept items in order. `facts` of an earlier scan saves a pass."""
        facts = facts or self.scan(log)
        state = self.begin(log)
        state.cwd = state.facts.cwd = state.cwd or facts.cwd
        gone = facts.rolled_back
        for item in self._walk(log, state):
            if not gone or item.index not in gone:
                yield item

    def _walk(self, log: LogFile, state: LogPass) -> Iterator[Item]:
        take, ready = self.take, state.ready
        for record in self.records(log, state):
            try:
                take(state, record)
            except Exception as error:  # noqa: BLE001 - a record of an unforeseen shape is counted by its error
                state.drop(f"malformed:{type(error).__name__}")
            if ready:
                yield from ready
                ready.clear()
        self.end(state)
        state.finish()
        if state.hashing:
            state.settle_kind(self.own_home)
        yield from ready


@contextmanager
def open_log(path: Path) -> Iterator[BinaryIO]:
    """Open a log read-only. Raises `RolloutVanished` or `RolloutUnreadable`, also for an error while it is read."""
    try:
        with open(path, "rb", buffering=BUFFER, opener=_open_regular) as stream:
            yield stream
    except RolloutError:
        raise
    except FileNotFoundError as error:
        raise RolloutVanished(f"{path} is gone", hint="It was deleted or moved after the scan.") from error
    except OSError as error:
        raise RolloutUnreadable(f"{path} cannot be read: {error.strerror or error}") from error


def _open_regular(path: str, flags: int) -> int:
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise RolloutUnreadable(f"{path} is not a regular file")
    return descriptor


def log_file(agent: str, path: Path, *, key: str | None = None) -> LogFile:
    """Describe a log with one `stat`. Raises `RolloutVanished` or `RolloutUnreadable`."""
    try:
        found = path.stat()
    except FileNotFoundError as error:
        raise RolloutVanished(f"{path} is gone") from error
    except OSError as error:
        raise RolloutUnreadable(f"{path} cannot be read: {error.strerror or error}") from error
    return LogFile(agent, path, key or str(path), found.st_size, found.st_mtime_ns, found.st_ino)


def read_head(path: Path, size: int = 65536) -> bytes:
    """The first bytes of a file. Raises `RolloutVanished` or `RolloutUnreadable`."""
    with open_log(path) as stream:
        return stream.read(size)
