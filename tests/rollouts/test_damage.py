"""Any damage to the bytes of a log: nothing is raised, nothing hangs, no undamaged turn is lost."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from slowwave.errors import RolloutError, RolloutUnreadable
from slowwave.rollouts.base import log_file
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.readers import readers
from tests.support.logs import Assistant, Step, Tool, User
from tests.support.reading import BUILDERS, WHOLE, whole_log

FULL = os.environ.get("SLOWWAVE_FULL") == "1"
CASES = 20_000 if FULL else 2_000
AGENTS = sorted(BUILDERS)
TURNS = 6
LONGEST_SECONDS = 5.0

MARK = re.compile(r"\bmark-(\d+)\b")
LEADING_ID = re.compile(rb'\{"id":"[^"]*"')


def turns() -> list[Step]:
    """Turns whose every text carries a mark of its own."""
    steps: list[Step] = []
    for number in range(TURNS):
        steps += [
            User(f"please do mark-{number * 4}"),
            Tool(f"make mark-{number * 4 + 1}", f"output mark-{number * 4 + 2} " + "x" * 40, exit=number % 2),
            Assistant(f"did mark-{number * 4 + 3}"),
        ]
    return steps


class Sample:
    """An undamaged log of an agent: its lines, and which marks each line is needed for."""

    def __init__(self, agent: str) -> None:
        self.agent = agent
        self.name, build = BUILDERS[agent]
        with tempfile.TemporaryDirectory() as folder:
            self.data = build(Path(folder) / self.name, turns()).read_bytes()
        self.lines = self.data.split(b"\n")[:-1]
        self.marks = [set(MARK.findall(line.decode())) for line in self.lines]


READERS = readers({})
SAMPLES = {agent: Sample(agent) for agent in AGENTS}


def marks_read(agent: str, data: bytes) -> set[str]:
    """Marks in the kept items of a damaged log; `RolloutUnreadable` counts as an answer for what is no log at all."""
    sample = SAMPLES[agent]
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        path = Path(folder) / sample.name
        path.write_bytes(data)
        reader = READERS[agent]
        log = log_file(agent, path)
        started = time.monotonic()
        facts = reader.scan(log)
        items = list(reader.items(log, facts))
        assert time.monotonic() - started < LONGEST_SECONDS
    for item in items:
        item.text.encode("utf-8")
    assert sum(facts.items.values()) == len(items)
    return {mark for item in items for mark in MARK.findall(item.text)}


def whole(agent: str, lines: list[bytes]) -> set[str]:
    """Marks of the lines of a sample that stand undamaged in `lines`, but for those that a damaged line replaces: one
    changed digit makes its id that of another message, and a message written again under its id takes its place."""
    sample = SAMPLES[agent]
    ids = Counter(found.group() for line in set(lines) if (found := LEADING_ID.match(line)))
    kept = {line for line in lines if (found := LEADING_ID.match(line)) is None or ids[found.group()] == 1}
    return set().union(*(marks for line, marks in zip(sample.lines, sample.marks, strict=True) if line in kept))


damages = settings(
    max_examples=CASES // 5,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    print_blob=True,
)


def test_the_samples_are_whole() -> None:
    for agent, sample in SAMPLES.items():
        assert marks_read(agent, sample.data) == set(MARK.findall(sample.data.decode())), agent
        assert len(set().union(*sample.marks)) >= TURNS * 3, agent


@damages
@given(agent=st.sampled_from(AGENTS), data=st.data())
def test_cut_anywhere(agent: str, data: st.DataObject) -> None:
    sample = SAMPLES[agent]
    start = data.draw(st.integers(0, len(sample.data)))
    end = data.draw(st.integers(start, len(sample.data)))
    cut = sample.data[:start] + sample.data[end:]
    assert marks_read(agent, cut) >= whole(agent, cut.split(b"\n"))


@damages
@given(agent=st.sampled_from(AGENTS), data=st.data())
def test_lines_reordered_duplicated_dropped_or_reversed(agent: str, data: st.DataObject) -> None:
    """A rewritten message (same id) and a moved header are the only things that order decides."""
    sample = SAMPLES[agent]
    count = len(sample.lines)
    order = data.draw(
        st.one_of(
            st.permutations(range(count)),
            st.just(list(reversed(range(count)))),
            st.lists(st.integers(0, count - 1), min_size=1, max_size=2 * count),
        )
    )
    lines = [sample.lines[number] for number in order]
    assert marks_read(agent, b"\n".join(lines) + b"\n") >= whole(agent, lines)


@damages
@given(agent=st.sampled_from(AGENTS), data=st.data())
def test_records_glued_to_each_other(agent: str, data: st.DataObject) -> None:
    sample = SAMPLES[agent]
    glued = data.draw(st.sets(st.integers(0, len(sample.lines) - 1), max_size=6))
    joined = b"".join(line + (b"" if number in glued else b"\n") for number, line in enumerate(sample.lines))
    assert marks_read(agent, joined) >= whole(agent, sample.lines)


@damages
@given(agent=st.sampled_from(AGENTS), data=st.data())
def test_half_records_before_whole_ones(agent: str, data: st.DataObject) -> None:
    sample = SAMPLES[agent]
    number = data.draw(st.integers(0, len(sample.lines) - 1))
    line = sample.lines[number]
    half = line[: data.draw(st.integers(0, len(line)))]
    end = data.draw(st.sampled_from([b"", b"\n"]))
    lines = [*sample.lines[:number], half + end + line, *sample.lines[number + 1 :]]
    assert marks_read(agent, b"\n".join(lines) + b"\n") >= whole(agent, sample.lines)


@damages
@given(agent=st.sampled_from(AGENTS), data=st.data())
def test_bytes_overwritten_inserted_or_flipped(agent: str, data: st.DataObject) -> None:
    sample = SAMPLES[agent]
    changed = bytearray(sample.data)
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(changed)))
        noise = data.draw(st.binary(min_size=1, max_size=12))
        if data.draw(st.booleans()):
            changed[at:at] = noise
        else:
            changed[at : at + len(noise)] = noise
    assert marks_read(agent, bytes(changed)) >= whole(agent, bytes(changed).split(b"\n"))


@pytest.mark.parametrize("agent", AGENTS)
@settings(max_examples=max(CASES // 80, 10), deadline=None)
@given(data=st.binary(max_size=4000))
def test_random_bytes_are_no_log_but_no_error_either(agent: str, data: bytes) -> None:
    try:
        marks_read(agent, data)
    except RolloutUnreadable:
        assert data.startswith(b"\x28\xb5\x2f\xfd")


WHOLE_SAMPLES: dict[str, tuple[LogFile, bytes]] = {}


def whole_sample(form: str) -> tuple[LogFile, bytes]:
    """A session that is no list of lines, and its bytes."""
    if form not in WHOLE_SAMPLES:
        folder = Path(tempfile.mkdtemp())
        log = whole_log(form, folder, turns())
        WHOLE_SAMPLES[form] = log, log.path.read_bytes()
    return WHOLE_SAMPLES[form]


@settings(max_examples=len(WHOLE) * 500 if FULL else len(WHOLE) * 20, deadline=None, print_blob=True)
@given(form=st.sampled_from(sorted(WHOLE)), data=st.data())
def test_damage_to_a_document_or_database_is_counted_never_raised(form: str, data: st.DataObject) -> None:
    log, whole_bytes = whole_sample(form)
    changed = bytearray(whole_bytes)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(changed)))
        noise = data.draw(st.binary(max_size=12))
        length = data.draw(st.sampled_from([0, len(noise), 100, len(changed)]))
        changed[at : at + length] = noise
    log.path.write_bytes(bytes(changed))
    reader = READERS[log.agent]
    try:
        facts = reader.scan(log)
        items = list(reader.items(log, facts))
    except RolloutError:
        return
    for item in items:
        item.text.encode("utf-8")
    assert sum(facts.items.values()) == len(items)


def test_a_schema_that_is_no_text_is_a_reason() -> None:
    log, whole_bytes = whole_sample("cursor/state")
    at = whole_bytes.index(b"cursorDiskKV (key")
    log.path.write_bytes(whole_bytes[:at] + b"\x80" + whole_bytes[at + 1 :])
    with pytest.raises(RolloutUnreadable):
        READERS[log.agent].scan(log)
