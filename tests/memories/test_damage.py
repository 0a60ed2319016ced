"""Absence is not a wish: a damaged file costs no entry, on this night or a later one; a removed line is removed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from slowwave.memories.byhand.changes import change_files
from slowwave.memories.publishing.damage import kept_aside
from slowwave.memories.publishing.takeover import accept_kept, pending_edits
from slowwave.storage.engine import reading
from slowwave.storage.types import MemoryKind
from tests.memories.conftest import Store
from tests.support.remembered import LINES, PROJECT, Remembered


@pytest.fixture
def shop(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Remembered]:
    one = Remembered(tmp_path, store.env)
    for name, value in one.env.items():
        monkeypatch.setenv(name, value)
    one.add()
    yield one
    one.close()


def written(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(change(path.read_bytes())) and None


def without_ids(data: bytes) -> bytes:
    text = re.sub(r" \[m\d+\][^\n]*", "", data.decode())
    return b"# Project notes\n\nRewritten by an agent.\n\n" + text.encode().split(b"-->\n", 1)[1].replace(
        b"never npm", b"not npm"
    )


def folder_instead(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "inside.md").write_text("something")


def link_instead(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/hostname")


OTHER_PROJECT = b"""# Memory of blog

<!-- slowwave version 0123456789ab; newest evidence 2026-01-01 -->

## Preferences

- Write dates as YYYY-MM-DD. [m1] (1 session, last 2026-01-01)
- Other things of another project. [m2] (1 session, last 2026-01-01)
- A third line of it. [m3] (1 session, last 2026-01-01)
- Fourth. [m4] (1 session, last 2026-01-01)
- Fifth. [m5] (1 session, last 2026-01-01)
- Sixth. [m6] (1 session, last 2026-01-01)
"""
DAMAGE: dict[str, Callable[[Path], None]] = {
    "zero bytes": written(lambda data: b""),
    "blank": written(lambda data: b"\n\n  \n"),
    "first half": written(lambda data: data[: len(data) // 2]),
    "second half": written(lambda data: data[len(data) // 2 :]),
    "cut in the last line": written(lambda data: data[:-20]),
    "utf-16": written(lambda data: data.decode().encode("utf-16")),
    "utf-16 without a mark": written(lambda data: data.decode().encode("utf-16-be")),
    "latin-1": written(lambda data: (data.decode() + "caf\u00e9\n").encode("latin-1")),
    "binary": written(lambda data: bytes(range(256)) * 20),
    "NULs": written(lambda data: b"\0" * len(data)),
    "a NUL inside": written(lambda data: data[:200] + b"\0" + data[200:]),
    "no marker": written(lambda data: re.sub(rb"<!-- slowwave[^\n]*\n", b"", data)),
    "another project's file": written(lambda data: OTHER_PROJECT),
    "a readme": written(lambda data: b"# Shop\n\nHow to install the shop.\n"),
    "title only": written(lambda data: data.split(b"\n", 1)[0] + b"\n"),
    "title and marker": written(lambda data: b"\n".join(data.split(b"\n")[:3]) + b"\n"),
    "merge conflict": written(lambda data: b"<<<<<<< HEAD\n" + data + b"=======\n- x\n>>>>>>> other\n"),
    "sorted lines": written(lambda data: b"\n".join(sorted(data.split(b"\n")))),
    "reversed lines": written(lambda data: b"\n".join(reversed(data.split(b"\n")))),
    "rewritten without ids": written(without_ids),
    "only the headings": written(lambda data: b"\n".join(x for x in data.split(b"\n") if not x.startswith(b"- "))),
    "most lines removed": written(lambda data: b"\n".join(data.split(b"\n")[:7])),
    "missing": lambda path: path.unlink(),
    "a folder": folder_instead,
    "a link": link_instead,
    "not readable": lambda path: path.chmod(0),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_costs_no_entry_on_any_night(shop: Remembered, kind: str) -> None:
    before, published = shop.state, shop.memory.read_bytes()
    DAMAGE[kind](shop.memory)

    first = shop.night()
    assert shop.texts == list(LINES)
    if kind != "not readable":
        assert first["damage"], "the run says so"
    for number in (1, 2):
        shop.add({f"Later rule number {number}.": MemoryKind.FACT})
        shop.night()
    assert shop.texts[: len(LINES)] == list(LINES)
    assert shop.state.entries[: len(before.entries)] == before.entries
    for line in published.decode().split("\n"):
        assert "[m" not in line or line in shop.memory.read_text().split("\n")


@pytest.mark.parametrize("kind", ["zero bytes", "first half", "utf-16", "title and marker"])
def test_what_was_damaged_is_kept_and_said(shop: Remembered, kind: str) -> None:
    DAMAGE[kind](shop.memory)
    damaged, published = shop.memory.read_bytes(), shop.texts
    with reading(shop.app.engine) as session:
        pending = pending_edits(session, shop.root, shop.project)
    assert pending.damage and not pending.changes

    shop.night()
    kept = kept_aside(shop.root)
    assert [one.file.read_bytes() for one in kept] == [damaged] and kept[0].path == "MEMORY.md"
    assert shop.night() == {}
    assert shop.texts == published


def test_the_summary_keeps_its_entries_too(shop: Remembered) -> None:
    summary = shop.memory.parent / "memory_summary.md"
    whole = summary.read_bytes()
    for change in (lambda _d: b"", lambda d: d[: len(d) // 2], lambda d: b"\n".join(d.split(b"\n")[:6]) + b"\n"):
        summary.write_bytes(change(whole))
        shop.night()
        assert summary.read_bytes() == whole
        assert not any(entry.summary_hidden for entry in shop.state.entries)


def test_a_single_removed_line_is_a_wish(shop: Remembered) -> None:
    kept = [line for line in shop.memory.read_text().split("\n") if "whole cents" not in line]
    shop.memory.write_text("\n".join(kept))
    assert not shop.night()["damage"]
    assert "Amounts are whole cents." not in shop.texts and len(shop.texts) == len(LINES) - 1


def test_the_only_line_of_a_file_may_be_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = Remembered(tmp_path)
    monkeypatch.setenv("SLOWWAVE_HOME", one.env["SLOWWAVE_HOME"])
    one.add({"Use pnpm.": MemoryKind.PREFERENCE})
    one.memory.write_text("\n".join(x for x in one.memory.read_text().split("\n") if "pnpm" not in x))
    one.night()
    assert one.texts == []
    one.close()


def test_a_mass_removal_counts_when_a_person_says_so(shop: Remembered) -> None:
    shop.memory.write_text("\n".join(shop.memory.read_text().split("\n")[:7]) + "\n")
    shop.night()
    assert shop.texts == list(LINES)
    shop.add({"Learnt after that.": MemoryKind.FACT})

    kept = kept_aside(shop.root)[-1]
    result = change_files(shop.app, PROJECT, lambda publication: accept_kept(publication, kept), cause="edits accepted")

    assert result.version is not None and not kept.file.exists()
    assert shop.texts == ["Use pnpm, never npm.", "Learnt after that."]


def test_an_edit_of_an_older_version_is_compared_with_that_version(shop: Remembered) -> None:
    opened = shop.memory.read_text()
    shop.add({"Published while the editor was open.": MemoryKind.FACT})
    shop.memory.write_text(opened.replace("never npm", "and nothing else"))

    assert not shop.night()["damage"]
    assert "Published while the editor was open." in shop.texts
    assert "Use pnpm, and nothing else." in shop.texts


def test_an_edit_alone_makes_a_project_due(shop: Remembered) -> None:
    assert shop.night() == {}
    shop.memory.write_text(shop.memory.read_text().replace("never npm", "and nothing else"))
    with reading(shop.app.engine) as session:
        assert pending_edits(session, shop.root, shop.project).changes
    assert shop.night()["outcome"] == "published"
    assert "Use pnpm, and nothing else." in shop.texts
    assert shop.night() == {}


def test_a_file_that_stands_in_the_way_stops_nothing(shop: Remembered) -> None:
    (shop.memory.parent / "memory.md").write_text("mine")
    shop.add({"One more.": MemoryKind.FACT})
    assert "One more." in shop.memory.read_text()
    assert [kept.reason for kept in kept_aside(shop.root)] == ["in-the-way"]
