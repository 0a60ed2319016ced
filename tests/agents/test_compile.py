"""The compile step: blocks of the live files, checked, atomic, and only for those who may have them."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from slowwave.agents.hook.index import read_index
from slowwave.paths import hook_index_file, injection_file
from slowwave.settings import MemoriesSettings
from tests.support.memory import MemoryHome


@pytest.fixture
def memory(tmp_path: Path) -> MemoryHome:
    return MemoryHome(tmp_path / "home")


def test_the_same_state_gives_the_same_bytes_and_writes_nothing(memory: MemoryHome, tmp_path: Path) -> None:
    project = memory.project(tmp_path / "shop")
    memory.publish(project.id, ["first", "second"])
    memory.compile()
    files = (injection_file(memory.home, project.id), hook_index_file(memory.home))
    before = [(path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) for path in files]
    memory.compile()
    assert [(path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) for path in files] == before
    assert all(path.stat().st_mode & 0o077 == 0 for path in files)


def test_a_persons_edit_of_the_live_summary_is_used_and_its_secret_is_not(memory: MemoryHome, tmp_path: Path) -> None:
    project = memory.project(tmp_path / "shop")
    current = memory.publish(project.id, ["first"])
    token = "gh" + "p_" + "A1b2C3d4E5f6" * 3
    with (current / "memory_summary.md").open("a") as summary:
        summary.write(f"- my own line, token {token}\n")
    memory.compile()
    block = injection_file(memory.home, project.id).read_text()
    assert "my own line" in block and token not in block and "[REDACTED" in block


def test_blocks_of_cleared_excluded_and_unknown_projects_go(memory: MemoryHome, tmp_path: Path) -> None:
    shop, other = memory.project(tmp_path / "shop"), memory.project(tmp_path / "other")
    current = memory.publish(shop.id, ["first"])
    memory.publish(other.id, ["second"])
    stray = memory.home / "hooks" / "ffffffffffffffff.md"
    assert set(memory.compile().blocks) == {shop.id, other.id}
    stray.write_text("of a project that is gone")
    memory.memories = MemoriesSettings(exclude=("other",))
    assert memory.compile().blocks == (shop.id,)
    assert not stray.exists() and not injection_file(memory.home, other.id).exists()
    assert read_index(memory.home).projects[other.id]["excluded"] is True
    (current / "memory_summary.md").unlink()
    assert memory.compile().blocks == ()
    assert not injection_file(memory.home, shop.id).exists()


def test_a_project_whose_block_fails_is_named_and_the_others_are_compiled(memory: MemoryHome, tmp_path: Path) -> None:
    shop, other = memory.project(tmp_path / "shop"), memory.project(tmp_path / "other")
    current = memory.publish(shop.id, ["first"])
    memory.publish(other.id, ["second"])
    summary = current / "memory_summary.md"
    summary.unlink()
    summary.mkdir()
    done = memory.compile()
    assert done.blocks == (other.id,) and len(done.problems) == 1 and "shop" in done.problems[0]


def test_the_persons_own_template_is_used(memory: MemoryHome, tmp_path: Path) -> None:
    prompts = tmp_path / "prompts"
    prompts.mkdir()
    (prompts / "read_path.md").write_text("My words.\n\n{{ memory_summary }}\n")
    memory.memories = MemoriesSettings(prompt_dir=str(prompts))
    project = memory.project(tmp_path / "shop")
    memory.publish(project.id, ["first"])
    memory.compile()
    block = injection_file(memory.home, project.id).read_text()
    assert "My words.\n\n# What is remembered about shop" in block and "heuristic" not in block


def test_a_reader_never_sees_half_a_block(memory: MemoryHome, tmp_path: Path) -> None:
    project = memory.project(tmp_path / "shop")
    path = injection_file(memory.home, project.id)
    seen: set[bool] = set()
    stop = threading.Event()

    def look() -> None:
        while not stop.is_set():
            if path.exists():
                seen.add(path.read_text().endswith("</slowwave-memory>\n"))

    reader = threading.Thread(target=look)
    memory.publish(project.id, ["start"])
    memory.compile()
    reader.start()
    for number in range(15):
        memory.publish(project.id, [f"entry {number} {'word ' * 300}"])
        memory.compile()
    stop.set()
    reader.join()
    assert seen == {True}
    assert not list(path.parent.glob(".*.tmp"))


def test_the_index_tells_hooks_what_they_need_and_nothing_else(memory: MemoryHome, tmp_path: Path) -> None:
    project = memory.project(tmp_path / "shop")
    memory.memories = MemoriesSettings(enabled=True, time_zone="Europe/London")
    memory.compile(now=1000.0)
    index = json.loads(hook_index_file(memory.home).read_text())
    assert index["enabled"] is True and index["enabled_at"] == 1000.0
    assert index["session"]["time_zone"] == "Europe/London" and index["session"]["pin_characters"] == 1000
    assert index["projects"][project.id]["root"] == os.path.realpath(tmp_path / "shop")
    memory.compile(now=2000.0)
    assert read_index(memory.home).enabled_at == 1000.0
    hook_index_file(memory.home).write_text("damaged")
    memory.compile(now=3000.0)
    assert read_index(memory.home).enabled_at == 3000.0
