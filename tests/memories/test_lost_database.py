"""A database that lost its memory says so and takes it back from what was published; nothing published goes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from slowwave.memories.byhand.changes import change_project, user_project_in
from slowwave.memories.byhand.entries import pin, remember
from slowwave.memories.publishing.recovery import read_kept, recover_lost, state_from_text
from slowwave.memories.state.values import MemoryState, SkillState
from slowwave.storage.engine import reading, writing
from slowwave.storage.published.artifacts import STATE
from slowwave.storage.tables import Project
from slowwave.storage.types import MemoryKind
from tests.support.remembered import LINES, PROJECT, Remembered


def furnished(folder: Path) -> Remembered:
    """A project with pinned, hand-written and remembered lines, a note, a skill and a file of the user's own."""
    one = Remembered(folder)
    one.add()

    def pinned(_session: object, state: MemoryState, _now: float) -> MemoryState:
        return pin(state, state.entries[0], one.memory.read_text())

    one.change(pinned)
    one.add_skill(SkillState("ship-it", "How to ship", "1. ship", (6,)))
    text = one.memory.read_text()
    text = text.replace("## Workflows\n", "Ana knows the pipeline.\n\n## Workflows\n\n- Ship only on Tuesdays.\n")
    one.memory.write_text(text)
    (one.memory.parent / "team.md").write_text("who is who\n")
    one.night()
    return one


def lose(one: Remembered) -> Remembered:
    one.close()
    for file in one.app.home.glob("slowwave.db*"):
        file.unlink()
    return Remembered.reopen(one)


def known(one: Remembered) -> tuple[list[tuple[str, bool, bool]], list[str], list[str]]:
    state = one.state
    entries = [(entry.text, entry.pinned, entry.hand_edited) for entry in state.active]
    return entries, [note.text for note in state.notes], [skill.name for skill in state.skills]


WAYS: dict[str, Callable[[Remembered], object]] = {
    "a run": lambda one: one.night(),
    "a remembered line": lambda one: one.add({"After the loss.": MemoryKind.FACT}),
    "the command": lambda one: recover_lost(one.app, everything=True),
}


@pytest.mark.parametrize("way", WAYS)
def test_everything_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    one = furnished(tmp_path)
    before, files = known(one), {path: path.read_bytes() for path in one.memory.parent.rglob("*.md")}
    old = {folder.name for folder in (one.root / "versions").iterdir()}
    root = one.root
    one = lose(one)
    if way == "a remembered line":
        one.begin()
    WAYS[way](one)

    entries, notes, skills = known(one)
    assert entries[: len(before[0])] == before[0] and (notes, skills) == before[1:]
    for path, data in files.items():
        below = "skills/ship-it/SKILL.md" if path.parent.name == "ship-it" else path.name
        now = root / "current" / below
        assert now.is_file()
        if way != "a remembered line":
            assert now.read_bytes() == data, path
    assert old <= {folder.name for folder in (root / "versions").iterdir()}
    one.night()
    assert known(one)[0][: len(before[0])] == before[0]
    one.close()


def test_an_edit_made_after_the_loss_counts(tmp_path: Path) -> None:
    one = furnished(tmp_path)
    memory = one.memory
    one = lose(one)
    memory.write_text(memory.read_text().replace("Answer in short sentences.", "Answer in one sentence."))
    one.night()
    assert "Answer in one sentence." in one.texts and "Answer in short sentences." not in one.texts
    assert len(one.texts) == len(LINES) + 1
    one.close()


def test_an_older_backup_learns_what_came_after_it(tmp_path: Path) -> None:
    one = Remembered(tmp_path)
    one.add()
    one.close()
    shutil.copy(one.app.home / "slowwave.db", tmp_path / "backup.db")
    one = Remembered.reopen(one)
    one.add({"Learnt after the backup.": MemoryKind.FACT})
    one.add({"And this.": MemoryKind.FACT})
    one.close()
    for file in one.app.home.glob("slowwave.db*"):
        file.unlink()
    shutil.copy(tmp_path / "backup.db", one.app.home / "slowwave.db")
    one = Remembered.reopen(one)
    assert one.texts == list(LINES)
    assert one.night()["outcome"] in ("published", "unchanged")
    assert one.texts == [*LINES, "Learnt after the backup.", "And this."]
    assert one.add({"Goes on.": MemoryKind.FACT}).version is not None
    one.close()


def test_without_the_kept_state_the_text_is_read(tmp_path: Path) -> None:
    one = furnished(tmp_path)
    texts, notes = set(one.texts), [note.text for note in one.state.notes]
    (one.memory.parent / STATE).write_bytes(b"\x00damaged")
    kept = read_kept(one.root)
    assert kept is not None and kept.place == {}
    read = state_from_text(one.memory.parent.resolve())
    assert {entry.text for entry in read.active} == texts
    assert [note.text for note in read.notes] == notes
    root = one.root
    one = lose(one)
    one.begin()
    one.add({"After the loss.": MemoryKind.FACT})
    assert texts < set(one.texts)
    assert "Ana knows the pipeline." in (root / "current" / "MEMORY.md").read_text()
    one.close()


def test_the_user_level_comes_back(tmp_path: Path) -> None:
    one = Remembered(tmp_path)
    with writing(one.app.engine) as session:
        user = user_project_in(session).id
    change_project(
        one.app, user, lambda _s, s, now: remember(s, "Answer in French.", MemoryKind.PREFERENCE, now)[0], cause="test"
    )
    one = lose(one)
    said = recover_lost(one.app)
    assert len(said) == 1 and "1 entries were taken back" in said[0]
    with reading(one.app.engine) as session:
        assert session.get_one(Project, user).user_level
    one.close()


def test_a_project_that_was_cleared_stays_cleared(tmp_path: Path) -> None:
    from slowwave.memories.byhand.forgetting import clear_project

    one = Remembered(tmp_path)
    one.add()
    clear_project(one.app, PROJECT)
    assert recover_lost(one.app) == [] and one.night() == {} and one.texts == []
    one.close()


def test_a_damaged_mark_or_state_stops_nothing(tmp_path: Path) -> None:
    one = Remembered(tmp_path)
    one.add()
    for junk in (b"", b"{}", b"[]", b"\xff", b'{"version": "x", "store": 3}', b'{"version": 99, "store": "other"}'):
        (one.root / ".fence").write_bytes(junk)
        one.add({f"Line {len(junk)}.": MemoryKind.FACT})
    assert one.texts[: len(LINES)] == list(LINES)
    one.close()
