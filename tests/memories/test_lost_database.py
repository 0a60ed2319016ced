"""A database that lost its memory says so and takes it back from what was published; nothing published goes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import Session

from slowwave.memories.byhand.changes import change_project, user_project_in
from slowwave.memories.byhand.entries import pin, remember
from slowwave.memories.byhand.forgetting import forget_entry_in, forget_sessions_in
from slowwave.memories.publishing.recovery import read_kept, recover_lost, state_from_text
from slowwave.memories.state.tombstones import Tombstones, take_tombstones_in
from slowwave.memories.state.values import MemoryState, SkillState
from slowwave.storage.engine import reading, writing
from slowwave.storage.published.artifacts import STATE
from slowwave.storage.tables import Project
from slowwave.storage.types import MemoryKind
from tests.memories.conftest import Store
from tests.support.remembered import LINES, PROJECT, Remembered


def furnished(folder: Path, store: Store) -> Remembered:
    """A project with pinned, hand-written and remembered lines, a note, a skill and a file of the user's own."""
    one = Remembered(folder, store.env)
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
def test_everything_comes_back(tmp_path: Path, store: Store, way: str) -> None:
    one = furnished(tmp_path, store)
    before, files = known(one), {path: path.read_bytes() for path in one.memory.parent.rglob("*.md")}
    old = {folder.name for folder in (one.root / "versions").iterdir()}
    root = one.root
    one = store.lose(one)
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


def test_an_edit_made_after_the_loss_counts(tmp_path: Path, store: Store) -> None:
    one = furnished(tmp_path, store)
    memory = one.memory
    one = store.lose(one)
    memory.write_text(memory.read_text().replace("Answer in short sentences.", "Answer in one sentence."))
    one.night()
    assert "Answer in one sentence." in one.texts and "Answer in short sentences." not in one.texts
    assert len(one.texts) == len(LINES) + 1
    one.close()


def test_an_older_backup_learns_what_came_after_it(tmp_path: Path, store: Store) -> None:
    one = Remembered(tmp_path, store.env)
    one.add()
    one = store.keep(one)
    one.add({"Learnt after the backup.": MemoryKind.FACT})
    one.add({"And this.": MemoryKind.FACT})
    one = store.lose(one, restored=True)
    assert one.texts == list(LINES)
    assert one.night()["outcome"] in ("published", "unchanged")
    assert one.texts == [*LINES, "Learnt after the backup.", "And this."]
    assert one.add({"Goes on.": MemoryKind.FACT}).version is not None
    one.close()


def test_without_the_kept_state_the_text_is_read(tmp_path: Path, store: Store) -> None:
    one = furnished(tmp_path, store)
    texts, notes = set(one.texts), [note.text for note in one.state.notes]
    (one.memory.parent / STATE).write_bytes(b"\x00damaged")
    kept = read_kept(one.root)
    assert kept is not None and kept.place == {}
    read = state_from_text(one.memory.parent.resolve())
    assert {entry.text for entry in read.active} == texts
    assert [note.text for note in read.notes] == notes
    root = one.root
    one = store.lose(one)
    one.begin()
    one.add({"After the loss.": MemoryKind.FACT})
    assert texts < set(one.texts)
    assert "Ana knows the pipeline." in (root / "current" / "MEMORY.md").read_text()
    one.close()


def forget(one: Remembered, text: str) -> None:
    def change(session: Session, state: MemoryState, _now: float) -> MemoryState:
        return forget_entry_in(session, PROJECT, state, next(e for e in state.entries if e.text == text))

    one.change(change, cause="forget")


@pytest.mark.parametrize("backup", [False, True], ids=["lost", "older-backup"])
def test_what_was_forgotten_stays_forgotten(tmp_path: Path, store: Store, backup: bool) -> None:
    one = Remembered(tmp_path, store.env)
    one.add()
    one = store.keep(one)
    forget(one, "Amounts are whole cents.")
    one.memory.write_text("\n".join(x for x in one.memory.read_text().split("\n") if "short sentences" not in x))
    one.night()
    gone = {"Amounts are whole cents.", "Answer in short sentences."}
    one = store.lose(one, restored=backup)
    assert len(recover_lost(one.app)) == 1
    assert one.texts == [text for text in LINES if text not in gone]
    with writing(one.app.engine) as session:
        known = Tombstones.load_in(session, PROJECT)
        assert all(known.covers_text(text) for text in gone) and not known.covers_text("Use pnpm, never npm.")
    one.add({"After the loss.": MemoryKind.FACT})
    again = read_kept(one.root)
    assert again is not None and len(again.forgotten["rows"]) == len(known.hashes) > 1
    one.close()


def test_tombstones_are_kept_where_no_file_changes(tmp_path: Path, store: Store) -> None:
    one = Remembered(tmp_path, store.env)
    one.add()
    version = one.project.version

    def change(session: Session, state: MemoryState, _now: float) -> MemoryState:
        return forget_sessions_in(session, PROJECT, state, ["claude:gone"])

    one.change(change, cause="forget")
    kept = read_kept(one.root)
    assert one.project.version == version and kept is not None and len(kept.forgotten["rows"]) == 1
    one.close()


def test_damaged_tombstones_cost_no_line(tmp_path: Path, store: Store) -> None:
    one = Remembered(tmp_path, store.env)
    one.add()
    shapes: list[Any] = [
        [1], "x", 7, {"keys": [], "rows": 3}, {"keys": ["zz"], "rows": []}, {"keys": [1], "rows": []},
        {"rows": [["h", "text", ""]]}, {"keys": [], "rows": [["h", "odd", ""]]}, {"keys": [], "rows": [[1]]},
    ]  # fmt: skip
    for damaged in shapes:
        with writing(one.app.engine) as session, pytest.raises((ValueError, KeyError, TypeError)):
            take_tombstones_in(session, PROJECT, damaged)
    file = one.memory.parent / STATE
    file.write_text(json.dumps(json.loads(file.read_text()) | {"forgotten": shapes[0]}))
    one = store.lose(one)
    assert len(recover_lost(one.app)) == 1 and one.texts == list(LINES)
    one.close()


def test_the_user_level_comes_back(tmp_path: Path, store: Store) -> None:
    one = Remembered(tmp_path, store.env)
    with writing(one.app.engine) as session:
        user = user_project_in(session).id
    change_project(
        one.app, user, lambda _s, s, now: remember(s, "Answer in French.", MemoryKind.PREFERENCE, now)[0], cause="test"
    )
    one = store.lose(one)
    said = recover_lost(one.app)
    assert len(said) == 1 and "1 entries were taken back" in said[0]
    with reading(one.app.engine) as session:
        assert session.get_one(Project, user).user_level
    one.close()


def test_a_project_that_was_cleared_stays_cleared(tmp_path: Path, store: Store) -> None:
    from slowwave.memories.byhand.forgetting import clear_project

    one = Remembered(tmp_path, store.env)
    one.add()
    clear_project(one.app, PROJECT)
    assert recover_lost(one.app) == [] and one.night() == {} and one.texts == []
    one.close()


def test_a_damaged_mark_or_state_stops_nothing(tmp_path: Path, store: Store) -> None:
    one = Remembered(tmp_path, store.env)
    one.add()
    for junk in (b"", b"{}", b"[]", b"\xff", b'{"version": "x", "store": 3}', b'{"version": 99, "store": "other"}'):
        (one.root / ".fence").write_bytes(junk)
        one.add({f"Line {len(junk)}.": MemoryKind.FACT})
    assert one.texts[: len(LINES)] == list(LINES)
    one.close()
