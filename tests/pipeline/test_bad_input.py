"""Whatever lies where logs should lie, a run accounts for it and goes on."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.support.logs import claude_rows
from tests.support.site import Site, small_site, teaching


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return small_site(tmp_path)


def fates(site: Site) -> dict[str, str]:
    status = json.loads(site.cli("status", "--json").stdout)
    found = {Path(row["path"]).name: row["fate"] for row in status["sessions"]}
    return found | {Path(row["path"]).name: row["reason"] for row in status["unreadable"]}


def folder(site: Site) -> Path:
    return site.logs / "projects" / "-src-shop"


def test_damaged_and_strange_logs_are_accounted_for(site: Site) -> None:
    place = folder(site)
    (place / "empty.jsonl").write_bytes(b"")
    (place / "binary.jsonl").write_bytes(bytes(range(256)) * 64)
    (place / "directory.jsonl").mkdir()
    rows = [
        json.dumps(row)
        for row in claude_rows(
            teaching("Always pin the base image."), cwd=str(site.folder / "src" / "shop"), session_id="half"
        )
    ]
    (place / "half.jsonl").write_text("\n".join(rows) + "\n" + rows[-1][: len(rows[-1]) // 2])

    report = site.drive(backfill=True)

    assert report["status"] == "completed"
    assert report["sessions"]["extracted"] == 5
    found = fates(site)
    assert found["half.jsonl"] == "extracted"
    assert found["binary.jsonl"] in ("unreadable", "no_session", "no_user_text")
    assert any(b"base image" in data for path, data in site.files().items() if path.endswith("MEMORY.md"))


def test_awkward_characters_reach_the_files_as_valid_text(site: Site) -> None:
    text = "Always write \u2028 the \ud83d\ude00 name \u0000 as \x1b[31mred\x1b[0m."
    rows = claude_rows(teaching(text), cwd=str(site.folder / "src" / "shop"), session_id="awkward")
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    lines.insert(2, json.dumps({"type": "user", "message": {"role": "user", "content": "lone \ud83d surrogate"}}))
    data = "\n".join(lines).encode("utf-8", "surrogatepass") + b'\n{"type":"user","x":"\xff\xfe"}\n'
    (folder(site) / "awkward.jsonl").write_bytes(data)

    report = site.drive(backfill=True)

    assert report["status"] == "completed"
    assert fates(site)["awkward.jsonl"] in ("extracted", "nothing_to_keep")
    for path, content in site.files().items():
        content.decode("utf-8")
        assert b"\x00" not in content and b"\x1b" not in content, path


def test_a_line_of_20_mb_is_read(site: Site) -> None:
    rows = claude_rows(teaching("Never print whole files."), cwd=str(site.folder / "src" / "shop"), session_id="long")
    for row in rows:
        if row.get("type") == "user" and isinstance(row["message"]["content"], list):
            row["message"]["content"][0]["content"] = "line of output\n" * 1_400_000
            break
    (folder(site) / "long.jsonl").write_text("\n".join(json.dumps(row) for row in rows) + "\n")
    assert (folder(site) / "long.jsonl").stat().st_size > 20_000_000

    site.drive(backfill=True)

    assert fates(site)["long.jsonl"] == "extracted"


def test_no_logs_at_all(tmp_path: Path) -> None:
    site = Site(tmp_path)
    done = site.cli("run")
    assert done.returncode == 0
    assert "nothing to do" in done.stdout
    assert not (site.home / "prefect").exists(), "a run with nothing to do starts no server"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_log_without_permission_is_unreadable(site: Site) -> None:
    path = next(folder(site).glob("*.jsonl"))
    path.chmod(0)
    assert site.drive()["sessions"]["extracted"] == 3
    assert fates(site)[path.name] == "unreadable"


def test_a_log_deleted_after_the_scan_is_retried_and_explained(site: Site) -> None:
    path = next(folder(site).glob("*.jsonl"))
    killed = site.drive(kill_at="plan.made")
    assert killed == {"killed": True}
    data = path.read_bytes()
    path.unlink()

    assert site.drive()["status"] == "completed"
    assert fates(site)[path.name] == "vanished"

    path.write_bytes(data)
    assert site.drive()["sessions"] == {"extracted": 1}


def test_a_project_whose_folder_is_gone_keeps_its_memory(site: Site) -> None:
    import shutil

    shutil.rmtree(site.folder / "src")
    report = site.drive()
    assert {row["name"] for row in report["projects"]} == {"shop", "blog"}


def test_a_full_disk_leaves_the_old_version_and_says_why(site: Site, tmp_path: Path) -> None:
    disk = tmp_path / "slowwave" / "memory"
    disk.mkdir(parents=True, mode=0o700)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=96k,mode=700", "tmpfs", str(disk)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("mounting a small tmpfs is not permitted here")
    try:
        site.drive()
        before = site.files()
        assert before
        (disk / "filler").write_bytes(b"x" * (os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize))
        site.session("shop", "four", teaching("Always deploy with just ship."), days_ago=1)

        report = site.drive()

        assert [row["reason"] for row in report["projects"]] == ["disk_full"]
        assert site.files() == before
        (disk / "filler").unlink()
        site.cli("retry")
        assert site.drive()["status"] == "completed"
        assert any(b"just ship" in data for data in site.files().values())
    finally:
        subprocess.run(["umount", str(disk)], check=True)
