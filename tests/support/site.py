"""A machine under test: a home, session logs of several projects, and ways to run the pipeline on it for real."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import text

from slowwave.storage.engine import connect
from tests.support import nursery
from tests.support.logs import Assistant, Step, Tool, User, claude_session

REPO = Path(__file__).resolve().parents[2]
TABLES: Mapping[str, str] = {
    "entries": "project_id, number, kind, text, situation, standing, status, status_reason, origin, pinned, verbatim",
    "evidence": "project_id, thread_id, item, item_kind, quote, origin",
    "skills": "project_id, name, description, body, status",
    "notes": "project_id, path, anchor, text",
    "stage_one_outputs": "thread_id, project_id, source_hash, outcome, slug, rollout_summary, raw_memory",
    "jobs": "kind, key, state, done_hash, attempts, crashes",
    "projects": "id, version, (input_generation > consolidated_generation)",
    "versions": "project_id, number, digest",
}


@dataclass
class Site:
    """`folder` holds everything; `env` is what every process of the machine sees."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        return self.folder / "slowwave"

    @property
    def logs(self) -> Path:
        return self.folder / "claude"

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        clean = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "TMPDIR", "SYSTEMROOT")}
        return {
            **clean,
            "HOME": str(self.folder),
            "SLOWWAVE_HOME": str(self.home),
            "CLAUDE_CONFIG_DIR": str(self.logs),
            "CODEX_HOME": str(self.folder / "codex"),
            "PYTHONPATH": str(REPO),
            **self.env,
            **(extra or {}),
        }

    def session(
        self, project: str, name: str, turns: Sequence[Step], *, days_ago: float = 2.0, branch: str = "main"
    ) -> Path:
        """Write a Claude Code session of a project that lies in this site's folder."""
        cwd = self.folder / "src" / project
        cwd.mkdir(parents=True, exist_ok=True)
        session_id = f"{abs(hash_of(project, name)):032x}"
        session_id = "-".join((session_id[:8], session_id[8:12], session_id[12:16], session_id[16:20], session_id[20:]))
        path = self.logs / "projects" / f"-src-{project}" / f"{session_id}.jsonl"
        start = datetime.now(UTC) - timedelta(days=days_ago)
        claude_session(path, turns, cwd=str(cwd), session_id=session_id, start=start, branch=branch)
        return path

    def drive(
        self, *, kill_at: str | None = None, stop_at: str | None = None, check: bool = True, **options: Any
    ) -> dict[str, Any]:
        """Run the pipeline in a process of its own and return its report."""
        extra = {} if kill_at is None else {"SLOWWAVE_KILL_AT": kill_at}
        extra |= {} if stop_at is None else {"SLOWWAVE_STOP_AT": stop_at}
        done = nursery.run("tests.support.drive:main", options, self.environment(extra))
        if done.code == -signal.SIGKILL and kill_at is not None:
            return {"killed": True}
        if check and done.code:
            raise AssertionError(f"exit {done.code}\n{done.stdout}\n{done.stderr}")
        report: dict[str, Any] = json.loads(done.stdout.strip().rpartition("\n")[2])
        return report

    def cli(self, *arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run the `slowwave` command."""
        return subprocess.run(
            [sys.executable, "-m", "slowwave.cli.main", *arguments],
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            input=stdin,
            timeout=240,
        )

    def files(self) -> dict[str, bytes]:
        """Every live memory file of every project."""
        found: dict[str, bytes] = {}
        for root in sorted((self.home / "memory").glob("*")):
            current = root / "current"
            for path in sorted(current.rglob("*")):
                if path.is_file() and path.name != "manifest.json":
                    found[f"{root.name}/{path.relative_to(current)}"] = path.read_bytes()
        return found

    def litter(self) -> list[str]:
        """Whatever a crash left behind: temporary files and version folders that nothing refers to."""
        found = []
        for root in (self.home / "memory").glob("*"):
            live = (root / "current").resolve().name
            numbers = {int(v.name.split("-")[0]) for v in (root / "versions").glob("[0-9]*")}
            found += [str(p) for p in root.rglob(".tmp*")]
            found += [
                v.name
                for v in (root / "versions").glob("[0-9]*")
                if int(v.name.split("-")[0]) > int(live.split("-")[0])
            ]
            if len(numbers) != len(list((root / "versions").glob("[0-9]*"))):
                found.append(f"two folders of one version in {root.name}")
        return found

    def rows(self, database: str | Path | None = None) -> dict[str, list[tuple[Any, ...]]]:
        """The tables as far as they do not depend on when and by which run they were written."""
        engine = connect(database or self.env.get("SLOWWAVE_DATABASE__URL") or self.home / "slowwave.db")
        try:
            with engine.connect() as connection:
                return {
                    table: sorted(map(tuple, connection.execute(text(f"SELECT {columns} FROM {table}"))), key=repr)
                    for table, columns in TABLES.items()
                }
        finally:
            engine.dispose()


def hash_of(*parts: str) -> int:
    """A stable number for a name."""
    import hashlib

    return int.from_bytes(hashlib.sha256("\0".join(parts).encode()).digest()[:16], "big")


def teaching(rule: str) -> tuple[Step, ...]:
    """A session in which a person states one rule and a command is repaired."""
    return (
        User(f"Please add the export button. {rule}"),
        Assistant("I will add it."),
        Tool("npm test", "npm ERR! missing script: test", exit=1),
        Tool("pnpm test", "12 passed"),
        Assistant("Done: the export button is in and 12 tests pass."),
    )


RELEASE: tuple[Step, ...] = (
    User("Please release the shop."),
    *(Tool(command, f"{command}: 12 passed") for command in ("just lint", "just test", "just build")),
    User("Save these steps as a skill."),
    Assistant("Saved."),
)


def small_site(folder: Path) -> Site:
    """Two projects with five sessions that teach different things."""
    site = Site(folder)
    site.session("shop", "one", teaching("Always use pnpm, never npm."), days_ago=5)
    site.session("shop", "two", teaching("Never commit directly to main."), days_ago=4)
    site.session("shop", "three", teaching("From now on, write tests before the code."), days_ago=3)
    site.session("blog", "one", teaching("Always write dates as YYYY-MM-DD."), days_ago=3)
    site.session("blog", "two", (User("What time is it?"), Assistant("I cannot know.")), days_ago=2)
    return site
