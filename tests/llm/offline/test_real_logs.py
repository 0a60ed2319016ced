"""The offline extractor on real session logs: every line it keeps stands up to the checks that a model's would meet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from slowwave.errors import RolloutError
from slowwave.llm.base import ExtractRequest
from slowwave.llm.offline.extractor import extract_reply
from slowwave.llm.offline.text import is_volatile
from slowwave.memories.extraction.checks import check_reply
from slowwave.rollouts.model import Item, LogFile
from slowwave.rollouts.readers import reader_for
from slowwave.storage.types import MemoryKind


def sessions(root: Path) -> Iterator[tuple[str, tuple[Item, ...]]]:
    for path in sorted(root.rglob("*.json*")):
        try:
            reader = reader_for(path)
        except RolloutError:
            continue
        stat = path.stat()
        log = LogFile(reader.agent, path, str(path), stat.st_size, stat.st_mtime_ns, stat.st_ino)
        yield path.name, tuple(reader.items(log, reader.scan(log)))


@pytest.fixture(scope="module")
def real(shared_rollouts: Path) -> list[tuple[str, tuple[Item, ...]]]:
    return list(sessions(shared_rollouts))


def request(name: str, items: tuple[Item, ...]) -> ExtractRequest:
    return ExtractRequest(name, "agent", "app", items)


def test_every_memory_passes_the_checks_of_stage_one(real: list[tuple[str, tuple[Item, ...]]]) -> None:
    kept = 0
    for name, items in real:
        reply = extract_reply(request(name, items))
        checked = check_reply(reply, items)
        assert dict(checked.rejected) == {}, name
        assert checked.quarantined == (), name
        for memory, candidate in zip(reply.memories, checked.kept, strict=True):
            # An answer to a tool's question is proven by that tool's result, whatever the extractor claims of it.
            assert candidate.standing == memory.standing or memory.kind is MemoryKind.DECISION, memory.text
            assert not is_volatile(memory.text), memory.text
            kept += 1
    assert kept >= 20


def test_the_same_log_gives_the_same_bytes(real: list[tuple[str, tuple[Item, ...]]]) -> None:
    for name, items in real:
        first, second = (json.dumps(extract_reply(request(name, items)).model_dump(mode="json")) for _ in range(2))
        assert first == second


def test_a_log_that_grows_keeps_what_it_taught(real: list[tuple[str, tuple[Item, ...]]]) -> None:
    """What a person said in the first half of a session is still there when all of it is read."""
    for name, items in real:
        half = extract_reply(request(name, items[: len(items) // 2]))
        whole = extract_reply(request(name, items))
        said = {memory.text for memory in half.memories if memory.standing == "user_said"}
        assert said <= {memory.text for memory in whole.memories}, name
