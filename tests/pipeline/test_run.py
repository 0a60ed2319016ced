"""Whole runs in processes of their own: once, again, grown, concurrent."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.logs import Assistant, User
from tests.support.site import RELEASE, REPO, Site, small_site, teaching


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return small_site(tmp_path)


def test_a_run_extracts_each_session_and_publishes_each_project(site: Site) -> None:
    report = site.drive()

    assert report["status"] == "completed"
    assert report["sessions"] == {"extracted": 4, "nothing_to_keep": 1}
    memory = {path: data for path, data in site.files().items() if path.endswith("MEMORY.md")}
    assert len(memory) == 1 + 1
    shop = next(data.decode() for path, data in memory.items() if path.startswith("shop-"))
    blog = next(data.decode() for path, data in memory.items() if path.startswith("blog-"))
    assert "pnpm" in shop and "main" in shop and "YYYY-MM-DD" not in shop
    assert "YYYY-MM-DD" in blog and "commit directly" not in blog


def test_steps_that_a_person_has_kept_are_a_skill_after_one_session(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.session("shop", "release", RELEASE)
    site.drive()
    (skill,) = (data.decode() for path, data in site.files().items() if "/skills/" in path)
    assert "1. `just lint`\n2. `just test`\n3. `just build`" in skill


def test_a_second_run_does_nothing_and_leaves_every_byte(site: Site) -> None:
    site.drive()
    before, rows = site.files(), site.rows()

    assert site.drive() == {"status": "nothing_to_do"}
    assert site.files() == before
    assert site.rows() == rows


def test_a_grown_log_is_extracted_again_and_only_it(site: Site) -> None:
    site.drive()
    before = site.files()
    path = site.session(
        "blog",
        "one",
        (*teaching("Always write dates as YYYY-MM-DD."), User("Never use inline styles."), Assistant("Understood.")),
        days_ago=3,
    )
    assert path.exists()

    report = site.drive()

    assert report["sessions"] == {"extracted": 1}
    assert [row["name"] for row in report["projects"]] == ["blog"]
    after = site.files()
    assert {p: d for p, d in after.items() if p.startswith("shop-")} == {
        p: d for p, d in before.items() if p.startswith("shop-")
    }
    assert any(b"inline styles" in data for path, data in after.items() if path.startswith("blog-"))


def test_two_runs_at_once_do_everything_once(site: Site) -> None:
    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(lambda _: site.drive(), range(2)))

    extracted = sum(report.get("sessions", {}).get("extracted", 0) for report in reports)
    published = [
        row["project_id"] for report in reports for row in report.get("projects", []) if row["outcome"] == "published"
    ]
    # Whichever run consolidates first may publish before the other has extracted; the second version then adds to it.
    assert extracted == 4
    assert set(published) and len(published) <= 4
    rows = site.rows()
    assert all(state in ("done", "pending") for _, _, state, *_ in rows["jobs"])
    site.drive()
    texts = [(row[0], row[3]) for row in site.rows()["entries"]]
    assert len(texts) == len(set(texts))


def test_a_deleted_log_takes_nothing_back(site: Site) -> None:
    site.drive()
    before = site.files()
    for path in (site.logs / "projects" / "-src-shop").glob("*.jsonl"):
        path.unlink()

    assert site.drive() == {"status": "nothing_to_do"}
    assert site.files() == before
    status = json.loads(site.cli("status", "--json").stdout)
    assert {row["fate"] for row in status["sessions"] if row["project"] == "shop"} == {"extracted"}


def test_a_template_error_is_reported_with_file_and_line_before_any_work(site: Site, tmp_path: Path) -> None:
    own = tmp_path / "own-prompts"
    own.mkdir()
    (own / "MEMORY.md.j2").write_text("{{ title }}\n{{ nonsense }}\n")
    site.env["SLOWWAVE_MEMORIES__PROMPT_DIR"] = str(own)

    done = site.cli("run")

    assert done.returncode == 2
    assert "MEMORY.md.j2:2: unknown variable nonsense" in done.stderr
    assert not (site.home / "slowwave.db").exists()


def test_every_line_leads_to_a_quote_that_stands_in_its_log(shared_rollouts: Path, tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.env = {"CLAUDE_CONFIG_DIR": str(shared_rollouts / "claude"), "CODEX_HOME": str(shared_rollouts / "codex")}
    report = site.drive(backfill=True)
    assert report["status"] == "completed"

    checked = subprocess.run(
        [sys.executable, "-m", "tests.support.evidence"],
        cwd=REPO,
        env=site.environment(),
        capture_output=True,
        text=True,
        timeout=240,
    )

    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert int(checked.stdout.split()[0]) >= 10
