"""Nothing that a log does can stop a run, and nothing that lives is disturbed."""

from __future__ import annotations

import json
import os
import socket
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from slowwave.errors import RolloutError, RolloutUnreadable, RolloutVanished
from slowwave.rollouts import walk
from slowwave.rollouts.base import log_file
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.readers import readers
from slowwave.rollouts.walk import files_below
from tests.support.logs import Assistant, Tool, User, claude_rows, claude_session, codex_session
from tests.support.reading import BUILDERS, LINES, read, read_as, texts

AGENTS = sorted(BUILDERS)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n\n",
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40,
        b"\0" * 100_000,
        b"\xff\xfe" * 1000,
        b'{"type":"user","message":{"content":"half a line',
        b"[]\n{}\nnull\n",
        b"\x28\xb5\x2f\xfd",
    ],
    ids=["empty", "blank", "binary", "zeros", "not utf-8", "half a line", "no objects", "zstd magic"],
)
def test_a_file_that_is_no_log_gives_no_items_and_no_error_but_ours(tmp_path: Path, agent: str, content: bytes) -> None:
    path = tmp_path / BUILDERS[agent][0]
    path.write_bytes(content)
    try:
        facts, items = read_as(agent, path)
    except RolloutUnreadable:
        assert content.startswith(b"\x28\xb5")
        return
    assert items == []
    assert facts.session_id


@pytest.mark.parametrize("agent", AGENTS)
def test_a_folder_a_vanished_file_a_pipe_and_a_socket_are_refused_at_once(tmp_path: Path, agent: str) -> None:
    reader = readers({})[agent]
    folder = tmp_path / "folder.jsonl"
    folder.mkdir()
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s.jsonl"))
        for path in (folder, pipe, tmp_path / "s.jsonl"):
            with pytest.raises(RolloutUnreadable):
                reader.scan(log_file(agent, path))
    with pytest.raises(RolloutVanished):
        reader.scan(LogFile(agent, tmp_path / "none.jsonl", "none", 10, 0))


@pytest.mark.skipif(os.geteuid() == 0 and not hasattr(os, "seteuid"), reason="needs another user")
def test_a_log_without_read_permission_is_unreadable(tmp_path: Path) -> None:
    path = claude_session(tmp_path / "x.jsonl")
    path.chmod(0)
    log = log_file("claude", path)
    was_root = os.geteuid() == 0
    tmp_path.chmod(0o755)
    for parent in list(tmp_path.parents)[:2]:
        parent.chmod(0o755)
    if was_root:
        os.seteuid(65534)
    try:
        with pytest.raises(RolloutUnreadable):
            readers({})["claude"].scan(log)
    finally:
        if was_root:
            os.seteuid(0)


@pytest.mark.parametrize("agent", AGENTS)
def test_no_logs_at_all(tmp_path: Path, agent: str) -> None:
    assert list(readers({})[agent].discover({"SLOWWAVE_HOME": str(tmp_path)}, tmp_path)) == []


def test_a_log_that_is_deleted_while_it_is_read(tmp_path: Path) -> None:
    path = claude_session(tmp_path / "x.jsonl")
    reader = readers({})["claude"]
    log = log_file("claude", path)
    facts = reader.scan(log)
    items = reader.items(log, facts)
    next(items)
    path.unlink()
    assert len(list(items)) == 6
    with pytest.raises(RolloutVanished):
        list(reader.items(log, facts))


def test_items_are_those_of_the_size_that_the_scan_saw(tmp_path: Path) -> None:
    path = claude_session(tmp_path / "x.jsonl")
    reader = readers({})["claude"]
    log = log_file("claude", path)
    facts = reader.scan(log)
    more = claude_rows([User("x")] * 7 + [User("later")])[-1]
    with path.open("a") as stream:
        stream.write(json.dumps(more) + "\n")
    assert reader.scan(log).content_hash == facts.content_hash
    assert texts(list(reader.items(log, facts))) == [texts(list(reader.items(log)))[0]]
    grown = log_file("claude", path)
    assert reader.scan(grown).content_hash != facts.content_hash


@pytest.mark.parametrize("agent", sorted({*AGENTS} - {*LINES} | {"cursor"}))
def test_a_twenty_megabyte_line_is_read(tmp_path: Path, agent: str) -> None:
    name, builder = BUILDERS[agent]
    output = "x" * 20_000_000
    path = builder(tmp_path / name, [User("one"), Tool("cat big", output), Assistant(output), User("two")])
    _, items = read(path)
    assert texts(items) == ["one", "two"]
    assert any(len(item.text) >= 20_000_000 for item in items)


@pytest.mark.parametrize("agent", AGENTS)
def test_odd_characters_survive_and_nul_does_not(tmp_path: Path, agent: str) -> None:
    name, builder = BUILDERS[agent]
    words = "a\u2028b\u2029c\x85d\x0be\x1b[1mf\x00g \U0001f600 日本語"
    _, items = read(builder(tmp_path / name, [User(words), Assistant(words)]))
    assert [item.text for item in items] == [words.replace("\0", "")] * 2


@pytest.mark.parametrize("agent", AGENTS)
def test_lone_surrogates_in_the_log_never_reach_a_consumer(tmp_path: Path, agent: str) -> None:
    name, builder = BUILDERS[agent]
    path = builder(tmp_path / name, [User("SURROGATE"), Assistant("SURROGATE")])
    path.write_bytes(path.read_bytes().replace(b"SURROGATE", b"x\\udcb2y \\ud83d"))
    _, items = read(path)
    assert [item.text for item in items] == ["x\ufffdy \ufffd"] * 2
    for item in items:
        item.text.encode("utf-8")


@pytest.mark.parametrize("agent", AGENTS)
def test_reading_changes_neither_the_log_nor_its_folder(tmp_path: Path, agent: str) -> None:
    name, builder = BUILDERS[agent]
    path = builder(tmp_path / name)
    os.utime(path, ns=(1, 1))
    before = (path.stat().st_mtime_ns, path.read_bytes(), sorted(tmp_path.iterdir()))
    path.chmod(0o400)
    read(path)
    assert (path.stat().st_mtime_ns, path.read_bytes(), sorted(tmp_path.iterdir())) == before


@pytest.mark.parametrize(("agent", "builder"), [("claude", claude_session), ("codex", codex_session)])
def test_memory_stays_flat(tmp_path: Path, agent: str, builder: object) -> None:
    name, build = BUILDERS[agent]
    turn = [User("go"), Tool("cat", "y" * 20_000), Assistant("done")]
    small = build(tmp_path / "a" / name, turn * 50)
    large = build(tmp_path / "b" / name, turn * 1000)
    assert large.stat().st_size > 20_000_000

    def peak(path: Path) -> int:
        log = log_file(agent, path)
        reader = readers({})[agent]
        tracemalloc.start()
        facts = reader.scan(log)
        for _ in reader.items(log, facts):
            pass
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    peak(small)
    assert peak(large) < peak(small) + 3_000_000


def test_a_walk_holds_no_list_of_files(tmp_path: Path) -> None:
    """2,000 files here; the benchmark walks 50,000. Only what the walk itself allocated counts: paths are interned in
    a table of the interpreter, which grows when it pleases."""
    for number in range(2000):
        path = tmp_path / f"bucket{number % 20}" / f"{number}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.touch()
    tracemalloc.start()
    found = 0
    for _ in files_below(tmp_path, "claude", (".jsonl",)):
        found += 1
        if found == 1990:
            held = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, walk.__file__)])
    tracemalloc.stop()
    assert found == 2000
    assert sum(trace.size for trace in held.traces) < 50_000


def test_a_walk_follows_links_once_and_ends_in_circles(tmp_path: Path) -> None:
    bucket = tmp_path / "real" / "bucket"
    bucket.mkdir(parents=True)
    (bucket / "a.jsonl").touch()
    root = tmp_path / "projects"
    root.mkdir()
    (root / "linked").symlink_to(bucket)
    (bucket / "circle").symlink_to(root)
    (root / "broken").symlink_to(tmp_path / "nowhere")
    (root / "broken.jsonl").symlink_to(tmp_path / "nowhere.jsonl")
    assert [log.path for log in files_below(root, "claude", (".jsonl",))] == [root / "linked" / "a.jsonl"]


def test_a_folder_that_cannot_be_listed_hides_only_itself(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "a.jsonl").touch()
    (tmp_path / "shut.jsonl").mkdir()
    found = [log.path.name for log in files_below(tmp_path, "claude", (".jsonl",))]
    assert found == ["a.jsonl"]
    assert list(files_below(tmp_path / "none", "claude", (".jsonl",))) == []


@pytest.fixture
def many_damaged(tmp_path: Path) -> Iterator[list[Path]]:
    paths = [claude_session(tmp_path / f"{number}.jsonl") for number in range(5)]
    for number, path in enumerate(paths[1:], 1):
        path.write_bytes(path.read_bytes()[: -number * 97])
    yield paths


def test_the_last_half_line_of_a_live_log_is_not_damage(many_damaged: list[Path]) -> None:
    for path in many_damaged:
        facts, items = read_as("claude", path)
        assert facts.damaged == 0
        assert items


def test_a_wrong_inode_or_time_does_not_matter_to_reading(tmp_path: Path) -> None:
    """Agents rewrite whole files; the next scan sees that. Reading takes what is there."""
    log = log_file("claude", claude_session(tmp_path / "x.jsonl"))
    assert readers({})["claude"].scan(replace(log, inode=1, mtime_ns=int(time.time()))).items["user_text"] == 1


def test_every_error_of_a_reader_is_of_our_tree() -> None:
    assert issubclass(RolloutVanished, RolloutError) and issubclass(RolloutUnreadable, RolloutError)
