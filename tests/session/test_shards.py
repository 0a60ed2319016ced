"""Where a flush writes: append-only, locked, bounded, in the user's zone."""

from __future__ import annotations

import stat
import subprocess
import sys
import textwrap
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.errors import StoreError
from slowwave.session.flushing.shards import FILE_LIMIT, LINE_LIMIT, Shards, clean_line, place_of, profile_root, today

NOW = 1_795_000_000.0


def at(zone: str, *parts: int) -> float:
    return datetime(*parts, tzinfo=ZoneInfo(zone)).timestamp()  # type: ignore[arg-type,misc]


def test_lines_are_appended_and_nothing_is_overwritten(tmp_path: Path) -> None:
    shards = Shards(tmp_path, zone="UTC")
    first = shards.write(["one", "two"], now=NOW)
    second = shards.write(["three", "two"], now=NOW)
    assert (first.lines, second.lines, second.duplicates) == (("- one", "- two"), ("- three",), 1)
    assert (tmp_path / first.path).read_text() == "- one\n- two\n- three\n"


def test_a_file_without_a_last_line_end_is_continued_on_a_new_line(tmp_path: Path) -> None:
    (tmp_path / "memory.md").write_text("written by hand")
    Shards(tmp_path).write(["added"], path="memory.md")
    assert (tmp_path / "memory.md").read_text() == "written by hand\n- added\n"


@pytest.mark.parametrize(
    ("asked", "path", "redirected"),
    [
        ("", "memory/2026-11-18.md", ""),
        ("memory.md", "memory.md", ""),
        ("MEMORY.md", "memory.md", ""),
        ("./memory/2026-11-18.md", "memory/2026-11-18.md", ""),
        ("memory/topics/project-x.md", "memory/topics/project-x.md", ""),
        ("memory/topics/project-x", "memory/topics/project-x.md", ""),
        ("memory/topics/Project X!.md", "memory/topics/project-x.md", "memory/topics/Project X!.md"),
        ("memory/2020-01-01.md", "memory/2026-11-18.md", "memory/2020-01-01.md"),
        ("memory/YYYY-MM-DD.md", "memory/2026-11-18.md", "memory/YYYY-MM-DD.md"),
        ("../../.bashrc", "memory/2026-11-18.md", "../../.bashrc"),
        ("memory/topics/../../x.md", "memory/2026-11-18.md", "memory/topics/../../x.md"),
        ("/etc/passwd", "memory/2026-11-18.md", "/etc/passwd"),
        ("handoff.md", "memory/2026-11-18.md", "handoff.md"),
    ],
)
def test_other_paths_are_redirected_and_reported(tmp_path: Path, asked: str, path: str, redirected: str) -> None:
    written = Shards(tmp_path, zone="UTC").write(["kept"], path=asked, now=NOW)
    assert (written.path, written.redirected) == (path, redirected)
    assert (tmp_path / path).read_text() == "- kept\n"


@given(st.text(max_size=60))
def test_no_path_leaves_the_profile(asked: str) -> None:
    path, _ = place_of(asked, "2026-11-18")
    assert path in ("memory.md", "memory/2026-11-18.md") or path.startswith("memory/topics/")
    assert ".." not in path and "\0" not in path
    assert Path("/p", path).resolve().is_relative_to("/p")


def test_a_link_out_of_the_profile_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("mine")
    root = tmp_path / "profile"
    root.mkdir()
    (root / "memory.md").symlink_to(outside)
    with pytest.raises(StoreError):
        Shards(root).write(["x y"], path="memory.md")
    (root / "memory").symlink_to(tmp_path)
    with pytest.raises(StoreError):
        Shards(root).write(["x y"])
    assert outside.read_text() == "mine"


@pytest.mark.parametrize(
    ("zone", "when", "day"),
    [
        ("Asia/Taipei", at("Asia/Taipei", 2026, 3, 2, 0, 30), "2026-03-02"),
        ("America/New_York", at("Asia/Taipei", 2026, 3, 2, 0, 30), "2026-03-01"),
        ("UTC", at("UTC", 2026, 12, 31, 23, 59, 59), "2026-12-31"),
        ("UTC", at("UTC", 2027, 1, 1, 0, 0), "2027-01-01"),
        ("Europe/Berlin", at("Europe/Berlin", 2026, 3, 29, 1, 59, 59), "2026-03-29"),
        ("Europe/Berlin", at("Europe/Berlin", 2026, 3, 29, 3, 0), "2026-03-29"),
        ("Europe/Berlin", at("Europe/Berlin", 2026, 10, 25, 2, 30) + 3600, "2026-10-25"),
        ("Europe/Berlin", at("Europe/Berlin", 2026, 10, 25, 23, 59), "2026-10-25"),
        ("America/Sao_Paulo", at("UTC", 2026, 5, 5, 2, 59), "2026-05-04"),
        ("Pacific/Kiritimati", at("UTC", 2026, 5, 5, 10, 0), "2026-05-06"),
    ],
)
def test_the_day_is_the_user_s(zone: str, when: float, day: str) -> None:
    assert today(when, zone) == day


def test_a_write_across_midnight_goes_to_the_new_day_and_loses_nothing(tmp_path: Path) -> None:
    shards = Shards(tmp_path, zone="Asia/Taipei")
    before, after = at("Asia/Taipei", 2026, 3, 1, 23, 59, 59), at("Asia/Taipei", 2026, 3, 2, 0, 0, 1)
    shards.write(["late"], now=before)
    written = shards.write(["early"], path="memory/2026-03-01.md", now=after)
    assert (written.path, written.redirected) == ("memory/2026-03-02.md", "memory/2026-03-01.md")
    assert shards.files() == ["memory/2026-03-01.md", "memory/2026-03-02.md"]


def test_an_unknown_zone_falls_back() -> None:
    assert today(NOW, "Nowhere/City") == today(NOW, None)


def test_lines_and_files_are_bounded(tmp_path: Path) -> None:
    shards = Shards(tmp_path)
    written = shards.write(["x" * 5000, *(f"line {number}" for number in range(200))], path="memory.md")
    assert len(written.lines[0]) <= LINE_LIMIT + 2
    assert len(written.lines) == 50
    assert written.dropped == 151
    (tmp_path / "memory.md").write_text("y" * (FILE_LIMIT - 20) + "\n")
    full = shards.write(["short", "this one does not fit any more"], path="memory.md")
    assert (full.lines, full.dropped) == (("- short",), 1)
    assert (tmp_path / "memory.md").stat().st_size <= FILE_LIMIT


@pytest.mark.parametrize("line", ["# Heading", "```", "---", "[SILENT]", "NO_REPLY", "", "  ", "silent"])
def test_headings_scaffolding_and_sentinels_are_no_memories(line: str) -> None:
    assert clean_line(line) == ""


def test_secrets_and_our_own_blocks_are_not_written(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    Shards(tmp_path).write([f"the token is {secret}", "<key_facts>\n- old fact\n</key_facts> real"], path="memory.md")
    text = (tmp_path / "memory.md").read_text()
    assert secret not in text
    assert "old fact" not in text
    assert "- real" in text


def test_files_are_private(tmp_path: Path) -> None:
    root = profile_root(tmp_path, "claude")
    Shards(root).write(["x y"], path="memory.md")
    assert stat.S_IMODE((root / "memory.md").stat().st_mode) == 0o600
    assert stat.S_IMODE(root.stat().st_mode) == 0o700


WRITER = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    from slowwave.session.flushing.shards import Shards
    print("ready", flush=True); sys.stdin.readline()
    for number in range(20):
        Shards(Path(sys.argv[1]), zone="UTC").write([f"writer {sys.argv[2]} line {number}", "the same line"], now=1.7e9)
    """
)


def test_twenty_writers_lose_no_line(tmp_path: Path) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(20)
    ]
    for process in started:
        assert process.stdout is not None and process.stdin is not None
        process.stdout.readline()
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [process.wait(timeout=120) for process in started] == [0] * 20
    [file] = (tmp_path / "memory").glob("*.md")
    lines = file.read_text().splitlines()
    assert len(lines) == len(set(lines)) == 401


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import errno
    import os

    shards = Shards(tmp_path)
    shards.write(["first"], path="memory.md")
    real = os.write

    def full(descriptor: int, data: bytes) -> int:
        real(descriptor, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(StoreError, match="No space left"):
        shards.write(["second"], path="memory.md")
    monkeypatch.undo()
    assert (tmp_path / "memory.md").read_text() == "- first\n"


def test_a_held_lock_is_waited_for_and_then_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from slowwave.session.flushing import shards as module

    monkeypatch.setattr(module, "LOCK_SECONDS", 0.05)
    shards = Shards(tmp_path)
    with shards._locked(), pytest.raises(StoreError):
        Shards(tmp_path).write(["x y"])


def test_a_read_only_folder_is_reported(tmp_path: Path) -> None:
    root = tmp_path / "profile"
    root.mkdir(mode=0o755)
    code = textwrap.dedent(
        f"""
        import os, pathlib
        from slowwave.errors import StoreError
        from slowwave.session.flushing.shards import Shards
        # The first write loads everything: an unprivileged user may not be able to read the interpreter's folder.
        Shards(pathlib.Path({str(tmp_path / "other")!r})).write(["loaded"])
        os.chmod({str(root)!r}, 0o500)
        if os.geteuid() == 0:
            os.setgid(65534); os.setuid(65534)
        try:
            Shards(pathlib.Path({str(root)!r})).write(["kept"])
        except StoreError as error:
            print(error.reason)
        """
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "shard_write_failed\n", done.stderr
