"""What a person says goes: edits before, during and after a run, pins, forgetting, rollback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.site import REPO, Site, small_site, teaching

# Read here because each test starts without such variables.
RUNS = 50 if os.environ.get("SLOWWAVE_FULL") == "1" else 2


@pytest.fixture
def site(tmp_path: Path) -> Site:
    made = small_site(tmp_path)
    made.drive()
    return made


def memory(site: Site, project: str = "shop") -> Path:
    return next((site.home / "memory").glob(f"{project}-*")) / "current" / "MEMORY.md"


def add_session(site: Site, name: str, rule: str) -> None:
    site.session("shop", name, teaching(rule), days_ago=1)


def test_an_edit_before_a_run_survives_word_for_word(site: Site) -> None:
    path = memory(site)
    text = path.read_text().replace(
        "Always use pnpm, never npm.", "Use pnpm 10. npm breaks the lockfile \u2014 ask Ana."
    )
    path.write_text(text + "\nFree words at the end.\n")
    add_session(site, "four", "Always deploy with just ship.")

    site.drive()

    after = memory(site).read_text()
    assert "Use pnpm 10. npm breaks the lockfile \u2014 ask Ana." in after
    assert "Free words at the end." in after and "just ship" in after


def test_an_edit_during_a_run_survives(site: Site) -> None:
    add_session(site, "four", "Always deploy with just ship.")
    run = subprocess.Popen(
        [sys.executable, "-m", "tests.support.drive"],
        cwd=REPO,
        env=site.environment({"SLOWWAVE_STOP_AT": "publish.built"}),
        stdout=subprocess.PIPE,
        text=True,
    )
    _wait_until_stopped(run.pid)
    path = memory(site)
    path.write_text(path.read_text().replace("Always use pnpm, never npm.", "Mine, written while it ran."))
    os.kill(run.pid, signal.SIGCONT)
    assert run.wait(120) == 0

    after = memory(site).read_text()
    assert "Mine, written while it ran." in after and "just ship" in after


def test_a_secret_in_an_edit_is_replaced_and_reported(site: Site) -> None:
    path = memory(site)
    token = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    path.write_text(path.read_text() + f"\nThe token is {token} for CI.\n")
    add_session(site, "four", "Always deploy with just ship.")
    site.drive()
    after = memory(site).read_text()
    assert token not in after and "[REDACTED:" in after and "for CI." in after


def test_a_removed_line_is_not_learnt_again(site: Site) -> None:
    path = memory(site)
    kept = [line for line in path.read_text().split("\n") if "pnpm, never npm" not in line]
    path.write_text("\n".join(kept))
    add_session(site, "four", "Always use pnpm, never npm.")
    site.drive()
    assert "pnpm, never npm" not in memory(site).read_text()


def test_a_pinned_block_is_byte_identical_however_often_it_is_confirmed(site: Site) -> None:
    assert site.cli("pin", "m1", "--project", "shop").returncode == 0
    line = next(line for line in memory(site).read_text().split("\n") if "[m1]" in line)
    for number in range(RUNS):
        add_session(site, f"again-{number}", "Always use pnpm, never npm.")
        site.drive()
        assert line in memory(site).read_text().split("\n")
    why = json.loads(site.cli("why", "m1", "--project", "shop", "--json").stdout)
    assert why["confirmations"] >= 3 and why["pinned"]


def test_forgetting_a_session_takes_what_only_it_supported_and_it_stays_away(site: Site) -> None:
    path = next(p for p in (site.logs / "projects" / "-src-shop").glob("*.jsonl") if "pnpm, never npm" in p.read_text())
    preview = site.cli("forget", path.stem, "--dry-run")
    assert "pnpm" in preview.stdout
    assert "pnpm, never npm" in memory(site).read_text()

    done = site.cli("forget", path.stem, "--yes", "--purge")
    assert done.returncode == 0, done.stderr

    for live, data in site.files().items():
        assert b"pnpm, never npm" not in data, live
    path.write_text(path.read_text().replace("export button", "import button"))
    site.drive(reextract=True, backfill=True)
    assert all(b"pnpm, never npm" not in data for data in site.files().values())
    raw = b"".join(p.read_bytes() for p in site.home.glob("slowwave.db*"))
    assert b"never npm" not in raw
    for old in site.home.rglob("*.md"):
        assert b"never npm" not in old.read_bytes(), old


def test_forgetting_an_entry_buries_its_words(site: Site) -> None:
    assert site.cli("forget", "m1", "--project", "shop", "--yes").returncode == 0
    site.drive(reextract=True, backfill=True)
    assert "[m1]" not in memory(site).read_text()
    assert "pnpm, never npm" not in memory(site).read_text()


def test_rollback_brings_an_older_version_back_as_a_new_one(site: Site) -> None:
    before = memory(site).read_text()
    add_session(site, "four", "Always deploy with just ship.")
    site.drive()
    assert "just ship" in memory(site).read_text()

    done = site.cli("rollback", "1", "--project", "shop")

    assert done.returncode == 0, done.stderr
    assert _body(memory(site).read_text()) == _body(before)
    versions = json.loads(site.cli("log", "--project", "shop", "--json").stdout)
    assert [row["cause"] for row in versions] == ["rollback", "consolidate", "consolidate"]
    assert "just ship" in site.cli("diff", "2", "3", "--project", "shop").stdout
    assert site.drive() == {"status": "nothing_to_do"}


def _body(text: str) -> list[str]:
    return [line for line in text.split("\n") if not line.startswith("<!--")]


def test_what_a_person_tells_is_remembered_at_once(site: Site) -> None:
    done = site.cli("remember", "Ask Ana before touching payments", "--kind", "constraint", "--project", "shop")
    assert done.returncode == 0, done.stderr
    assert "Ask Ana before touching payments" in memory(site).read_text()
    view = site.cli("view", "--project", "shop")
    assert "Ask Ana before touching payments" in view.stdout


def test_clear_touches_one_project_and_does_not_read_its_sessions_again(site: Site) -> None:
    blog = memory(site, "blog").read_bytes()
    assert site.cli("clear", "--project", "shop").returncode == 2, "nobody was asked"
    assert site.cli("clear", "--project", "shop", "--yes").returncode == 0
    assert not list((site.home / "memory").glob("shop-*/current"))
    assert memory(site, "blog").read_bytes() == blog
    assert site.drive() == {"status": "nothing_to_do"}
    assert site.cli("reset", "--project", "shop", "--yes", "--relearn").returncode == 0
    assert site.drive()["sessions"]["extracted"] == 3


@pytest.mark.parametrize("step", ["extract.answered", "consolidate.answered", "publish.fenced", "publish.switched"])
def test_a_worker_stopped_past_its_lease_changes_nothing(site: Site, step: str) -> None:
    site.env |= {"SLOWWAVE_MEMORIES__STAGE1_LEASE_SECONDS": "5", "SLOWWAVE_MEMORIES__STAGE2_LEASE_SECONDS": "5"}
    add_session(site, "four", "Always deploy with just ship.")
    stale = subprocess.Popen(
        [sys.executable, "-m", "tests.support.drive"],
        cwd=REPO,
        env=site.environment({"SLOWWAVE_STOP_AT": step}),
        stdout=subprocess.PIPE,
        text=True,
    )
    _wait_until_stopped(stale.pid)
    time.sleep(6)
    if step.startswith("publish."):
        # The stopped owner holds the publish lock: the next one waits for it, and says so.
        os.kill(stale.pid, signal.SIGCONT)
        stale.wait(120)
        site.drive()
    else:
        site.drive()
        files, rows = site.files(), site.rows()
        os.kill(stale.pid, signal.SIGCONT)
        stale.wait(120)
        assert site.files() == files
        assert site.rows() == rows
    assert "just ship" in memory(site).read_text()
    assert site.litter() == []


def _wait_until_stopped(pid: int, seconds: float = 120.0) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        if state == "T":
            return
        time.sleep(0.05)
    raise AssertionError("the process never reached the step")
