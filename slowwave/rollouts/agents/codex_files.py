"""Where Codex keeps rollouts, and how a compressed one is opened."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

from slowwave.errors import RolloutUnreadable
from slowwave.rollouts.base import BUFFER, open_log
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.walk import files_below

_MAGIC = b"\x28\xb5\x2f\xfd"
_UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
_NAME = re.compile(rf"^rollout-\d{{4}}-\d\d-\d\dT\d\d-\d\d-\d\d-({_UUID})(?:_{_UUID})?\.jsonl(?:\.zst)?$")


def codex_logs(root: Path, agent: str) -> Iterator[LogFile]:
    """Yield rollouts below `sessions/` and `archived_sessions/`. A plain file wins over its compressed twin."""
    for folder in ("sessions", "archived_sessions"):
        for log in files_below(root / folder, agent, (".jsonl", ".jsonl.zst"), depth=4):
            name = log.path.name
            if not name.startswith("rollout-"):
                continue
            if name.endswith(".zst") and log.path.with_name(name.removesuffix(".zst")).exists():
                continue
            yield log


def session_id_in_name(name: str) -> str | None:
    """The thread id in a rollout's file name."""
    match = _NAME.match(name)
    return match.group(1) if match else None


@contextmanager
def open_maybe_compressed(path: Path) -> Iterator[BinaryIO]:
    """Open a rollout for reading, decompressing as it is read. A truncated or damaged frame raises
    `RolloutUnreadable`."""
    with open_log(path) as stream:
        start = stream.peek(4)[:4] if isinstance(stream, io.BufferedReader) else b""
        if start != _MAGIC:
            yield stream
            return
        plain = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(stream, read_across_frames=True)
        try:
            yield cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, plain), BUFFER))
        except zstandard.ZstdError as error:
            raise RolloutUnreadable(f"{path} does not decompress: {error}") from error
