"""Compactions in logs and the flush before each: real logs, and synthetic ones at every edge."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from slowwave.session.history.cycles import Mark, marks, play

WINDOWS = [8_000, 16_000, 32_000, 64_000, 128_000, 200_000, 400_000, 1_000_000]


def grow(window: int, trigger: int, cycles: int, step: int, seed: int = 1, kind: str = "auto") -> list[Mark]:
    """A context that grows by about `step` and is compacted when it passes `trigger`."""
    chance = random.Random(seed)
    steps: list[Mark] = []
    for _ in range(cycles):
        size = window // 10
        while size < trigger:
            steps.append(Mark(size))
            size += chance.randint(step // 2, step)
        steps.append(Mark(size, kind))
    return steps


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("share", [0.8, 0.9, 0.98])
@pytest.mark.parametrize("step", [0.002, 0.02, 0.3])
def test_each_of_25_cycles_is_preceded_by_exactly_one_flush(window: int, share: float, step: float) -> None:
    trigger = int(window * share)
    steps = grow(window, trigger, 25, max(4, int(window * step)))
    found = play(
        steps,
        context_window=window,
        reserve_tokens=window // 50,
        soft_threshold=window // 20,
        compaction_trigger=trigger,
    )
    assert [cycle.flushes for cycle in found] == [1] * 25
    assert all(cycle.flushed_at is not None and cycle.tokens is not None for cycle in found)
    assert all(cycle.flushed_at <= cycle.tokens for cycle in found if cycle.flushed_at and cycle.tokens)
    fine = step <= 0.02
    assert not fine or {cycle.cause for cycle in found} == {"threshold"}


@pytest.mark.parametrize("edge", [-1, 0, 1])
@pytest.mark.parametrize("window", WINDOWS)
def test_the_edge_decides_between_the_threshold_and_the_announcement(window: int, edge: int) -> None:
    trigger, soft = window * 3 // 4, 500
    steps = [Mark(window // 10), Mark(trigger - soft + edge), Mark(trigger, "auto")]
    [cycle] = play(steps, context_window=window, reserve_tokens=0, soft_threshold=soft, compaction_trigger=trigger)
    assert cycle.cause == ("threshold" if edge >= 0 else "auto")
    assert cycle.flushes == 1


@pytest.mark.parametrize("kind", ["manual", "overflow"])
def test_manual_and_overflow_compactions_are_saved_when_they_are_announced(kind: str) -> None:
    found = play([step for _ in range(20) for step in (Mark(20_000), Mark(30_000, kind))])
    assert [(cycle.flushes, cycle.cause) for cycle in found] == [(1, kind)] * 20


def test_unknown_sizes_are_saved_at_the_announcement() -> None:
    [cycle] = play([Mark(None), Mark(None, "auto")])
    assert (cycle.flushes, cycle.cause, cycle.flushed_at) == (1, "auto", None)


def test_the_automatic_compaction_of_the_shared_logs_is_preceded_by_one_flush(shared_rollouts: Path) -> None:
    known = 0
    for log in sorted((shared_rollouts / "claude").rglob("*.jsonl")):
        steps = list(marks(log))
        triggers = [step.tokens for step in steps if step.trigger == "auto" and step.tokens]
        if not triggers:
            continue
        found = play(steps, compaction_trigger=triggers[0])
        for cycle in found:
            assert cycle.flushes == 1
            assert cycle.flushed_at is not None and cycle.flushed_at < (cycle.tokens or 0)
            assert cycle.cause == "threshold"
            known += 1
    assert known >= 1


def test_every_compaction_of_the_shared_logs_has_exactly_one_flush(shared_rollouts: Path) -> None:
    found = [
        cycle
        for agent in ("claude", "codex")
        for log in sorted((shared_rollouts / agent).rglob("*.jsonl"))
        for cycle in play(marks(log))
    ]
    assert len(found) >= 3
    assert {cycle.flushes for cycle in found} == {1}


def test_marks_of_a_log_survive_damage(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    usage = {"type": "assistant", "message": {"usage": {"input_tokens": 5, "cache_read_input_tokens": 7}}}
    rows = [usage, {**usage, "isSidechain": True}, {"subtype": "compact_boundary", "compactMetadata": None}, [1], "x"]
    log.write_text("\n".join(json.dumps(row) for row in rows) + '\n{"broken\n')
    assert list(marks(log)) == [Mark(12), Mark(None, "auto")]
