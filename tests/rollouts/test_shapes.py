"""A shape decides about speed only: with a full parse every log gives the same items and facts."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson
import pytest

from slowwave.rollouts import shapes
from slowwave.rollouts.base import BaseReader, log_file
from slowwave.rollouts.readers import readers
from tests.rollouts.test_damage import SAMPLES

SHAPED = [agent for agent, reader in readers({}).items() if getattr(reader, "decode", orjson.loads) is not orjson.loads]
PATTERNS = {"claude": "claude/**/*.jsonl", "codex": "codex/**/*.jsonl", "pi": "pi/**/*.jsonl"}


def read(agent: str, path: Path, decode: Callable[[bytes], Any] | None = None) -> tuple[Any, ...]:
    reader = readers({})[agent]
    assert isinstance(reader, BaseReader)
    if decode is not None:
        reader.decode = decode  # type: ignore[method-assign]
    log = log_file(agent, path)
    facts = reader.scan(log)
    return asdict(facts), list(reader.items(log, facts))


def test_the_readers_of_large_logs_have_shapes() -> None:
    assert sorted(SHAPED) == ["claude", "codex", "omp", "openclaw", "pi"]


@pytest.mark.parametrize("agent", SHAPED)
def test_a_synthetic_log_reads_as_with_a_full_parse(agent: str, tmp_path: Path) -> None:
    path = tmp_path / SAMPLES[agent].name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(SAMPLES[agent].data)
    found = read(agent, path)
    assert found == read(agent, path, orjson.loads)
    assert found[1]


@pytest.mark.parametrize("agent", PATTERNS)
def test_real_logs_read_as_with_a_full_parse(agent: str, shared_rollouts: Path) -> None:
    paths = sorted(shared_rollouts.glob(PATTERNS[agent]))
    assert paths
    for path in paths:
        assert read(agent, path) == read(agent, path, orjson.loads), path.name


def test_a_row_that_does_not_fit_its_shape_is_parsed_in_full(tmp_path: Path) -> None:
    path = tmp_path / "0b1e7a52-3c55-4f0e-9d2e-6f1f7f8f9a10.jsonl"
    head = {"sessionId": "s", "cwd": "/w", "timestamp": "2026-11-02T09:00:00Z", "type": "user"}
    rows = [
        {**head, "uuid": "1", "message": {"role": "user", "content": ["one", {"type": "text", "text": "two"}]}},
        {**head, "uuid": "2", "message": {"role": "user", "content": "three"}, "toolUseResult": 17},
        {**head, "uuid": "3", "message": "no object"},
        {**head, "uuid": "4", "message": {"role": "user", "content": "four"}},
    ]
    path.write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    assert [item.text for item in read("claude", path)[1]] == ["one\ntwo", "three", "four"]
    with pytest.raises(shapes.REFUSED):
        shapes.claude_row(json.dumps(rows[0]).encode())
