"""A machine with real git repositories: sessions in them, nights over them, and what the hook gives there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.support import nursery
from tests.support.logs import Assistant, User, claude_session, codex_session
from tests.support.site import Site

QUIET = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder and return what it printed."""
    done = subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "protocol.file.allow=always",
         "-C", str(folder), *arguments],
        check=True, capture_output=True, text=True,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), **QUIET},
    )  # fmt: skip
    return done.stdout.strip()


@dataclass
class Workshop:
    """`folder` is the home of the person who works here."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)
    sessions: int = 0
    last: dict[str, Any] = field(default_factory=dict)

    @property
    def site(self) -> Site:
        """The installation."""
        return Site(self.folder, self.env)

    def repository(self, name: str, remote: str | None = None, *, files: tuple[str, ...] = ("README", "src")) -> Path:
        """A repository with one commit of its own."""
        root = self.folder / name
        root.mkdir(parents=True)
        git(root, "init", "-q", "-b", "main")
        for file in files:
            (root / f"{file}-{Path(name).name}").write_text(name)
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", f"begin {name}", "--allow-empty")
        if remote is not None:
            git(root, "remote", "add", "origin", remote)
        return root

    def session(
        self, cwd: Path | str, rule: str, *, agent: str = "claude", days_ago: float = 2.0, **options: Any
    ) -> str:
        """Write the log of a session in a folder in which a person states a rule; return its session id."""
        self.sessions += 1
        session_id = f"{self.sessions:08d}-2222-4222-8222-222222222222"
        start = datetime.now(UTC) - timedelta(days=days_ago) + timedelta(minutes=self.sessions)
        said = f"From now on, {rule[0].lower()}{rule[1:]}"
        turns = (User(f"Please look at the build. {said}"), Assistant("I will, and I keep to that."))
        write = codex_session if agent == "codex" else claude_session
        folder = self.site.folder / "codex" if agent == "codex" else self.site.logs
        write(folder, turns, cwd=str(cwd), session_id=session_id, start=start, **options)
        return session_id

    def cli(self, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run the command in a folder."""
        return subprocess.run(
            [sys.executable, "-m", "slowwave.cli.main", *arguments], cwd=cwd or self.folder,
            env=self.site.environment(), capture_output=True, text=True, timeout=240, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def night(self) -> dict[str, Any]:
        """Extract and consolidate what is ready, compile what hooks give, and return what is known then."""
        done = nursery.run("tests.support.workshop:night", None, self.site.environment())
        assert done.code == 0, f"{done.stdout}\n{done.stderr}"
        self.last = json.loads(done.stdout.strip().rpartition("\n")[2])
        return self.last

    def hook(self, cwd: Path) -> str:
        """What an agent that starts in a folder is told."""
        payload = json.dumps({"session_id": "s-hook", "cwd": str(cwd), "source": "startup"})
        done = subprocess.run(
            [sys.executable, "-m", "slowwave.cli.main", "hook", "session-start", "--agent", "claude"],
            cwd=self.folder, env=self.site.environment(), capture_output=True, text=True, input=payload, timeout=60,
        )  # fmt: skip
        if not done.stdout.strip():
            return ""
        told = json.loads(done.stdout)
        return str(told.get("hookSpecificOutput", {}).get("additionalContext", ""))

    def projects(self) -> dict[str, dict[str, Any]]:
        """The projects of the home that were used at the end of the last night, by id, as `status --json` has them."""
        used = {row["project_id"] for row in self.last["sessions"]}
        return {row["id"]: row for row in self.last["projects"] if row["id"] in used or row["entries"]}

    def placed(self) -> dict[str, str]:
        """The project of each session at the end of the last night, by session id."""
        return {row["session_id"]: row["project_id"] for row in self.last["sessions"]}


def night(_: object) -> int:
    """A night in a process of its own: the pipeline, the hooks' blocks, and what `status` knows then."""
    from slowwave.app import open_app
    from slowwave.cli.common import refresh_hooks
    from slowwave.cli.see.status import merged
    from slowwave.memories.pipeline import RunOptions
    from tests.support.drive import run

    report = run(RunOptions())
    app = open_app()
    refresh_hooks(app)
    print(json.dumps({**merged(app, None), "report": report}, default=str), flush=True)
    return 0
