"""An installation in a folder of its own, driven through its command line in real processes."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.support.logs import Assistant, Step, Tool, User, claude_session

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
PASSED_ON = ("PATH", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "UV_CACHE_DIR", "COVERAGE_PROCESS_START")
SECRET_SENTENCE = "Always deploy through the blue lighthouse pipeline"


def turns(topic: str) -> tuple[Step, ...]:
    """A session with something to remember about `topic`."""
    return (
        User(f"{SECRET_SENTENCE} {topic}, never from a laptop."),
        Assistant(f"Understood: the pipeline {topic} it is."),
        Tool(f"pytest tests/{topic}", "usage error: run make check", exit=2),
        Tool("make check", f"{topic}: 42 passed"),
        Assistant(f"All 42 tests of {topic} pass with make check."),
    )


@dataclass
class Installation:
    """A home folder, a folder of Claude Code logs and the environment of both."""

    folder: Path
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        """`$SLOWWAVE_HOME`."""
        return self.folder / "slowwave"

    @property
    def logs(self) -> Path:
        """`$CLAUDE_CONFIG_DIR`."""
        return self.folder / "claude"

    def write_sessions(self, sessions: int, projects: int = 1, days_ago: float = 2.0, first: int = 0) -> None:
        """Write sessions, numbered from `first`, spread evenly over projects that do not exist as folders."""
        for number in range(first, first + sessions):
            project = number % projects
            claude_session(
                self.logs,
                turns(f"area{number}"),
                cwd=f"/home/dev/project{project}",
                session_id=str(uuid.uuid5(uuid.NAMESPACE_URL, f"session-{number}")),
                start=datetime.now(UTC) - timedelta(days=days_ago, minutes=number),
            )

    def env(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """The whole environment of the installation's processes."""
        kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        return {
            **kept,
            "PATH": f"{BIN}{os.pathsep}{kept.get('PATH', os.defpath)}",
            "PYTHONPATH": str(ROOT),
            "HOME": str(self.folder),
            "SLOWWAVE_HOME": str(self.home),
            "CLAUDE_CONFIG_DIR": str(self.logs),
            "CODEX_HOME": str(self.folder / "codex"),
            "DO_NOT_TRACK": "1",
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            **self.extra,
            **(more or {}),
        }

    def start(self, *arguments: str, more: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        """Start `slowwave` with these arguments."""
        return subprocess.Popen(
            [sys.executable, "-m", "slowwave.cli.main", *arguments],
            env=self.env(more),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(
        self, *arguments: str, more: Mapping[str, str] | None = None, code: int = 0, timeout: float = 600
    ) -> subprocess.CompletedProcess[str]:
        """Run `slowwave` to its end and check its exit code."""
        process = self.start(*arguments, more=more)
        out, err = process.communicate(timeout=timeout)
        assert process.returncode == code, f"exit {process.returncode}\n{out}\n{err}"
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def status(self) -> dict[str, Any]:
        """What `slowwave status --json` says."""
        answer: dict[str, Any] = json.loads(self.run("status", "--json").stdout)
        return answer

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Rows of the installation's own SQLite database; none while there is no database."""
        path = self.home / "slowwave.db"
        if not path.exists():
            return []
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)
        try:
            return connection.execute(sql).fetchall()
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):
                return []
            raise
        finally:
            connection.close()

    def memory(self) -> dict[str, str]:
        """All published files below `memory/`, by path without the version's folder."""
        files: dict[str, str] = {}
        for current in sorted(self.home.glob("memory/*/current")):
            for path in sorted(current.rglob("*")):
                if path.is_file():
                    files[f"{current.parent.name}/{path.relative_to(current)}"] = path.read_text(encoding="utf-8")
        return files

    def use_prefect_of(self, template: Path) -> None:
        """Take over an embedded server's database that is migrated already."""
        shutil.copytree(template, self.home / "prefect")


def wait_until(condition: Callable[[], object], seconds: float, what: str) -> None:
    """Poll until `condition` holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds:.0f} s for {what}"
        time.sleep(0.1)


def processes_of(marker: str) -> list[int]:
    """Ids of processes whose environment holds `marker`, which is how a test finds what it started."""
    import psutil

    found = []
    for process in psutil.process_iter():
        try:
            if marker in process.environ().values():
                found.append(process.pid)
        except (psutil.AccessDenied, psutil.NoSuchProcess, psutil.ZombieProcess):
            continue
    return found


def command(arguments: Sequence[str], env: Mapping[str, str], cwd: Path, timeout: float = 120) -> str:
    """Run a program that must succeed and return its output."""
    done = subprocess.run(
        list(arguments), env=dict(env), cwd=cwd, capture_output=True, text=True, timeout=timeout, check=False
    )
    assert done.returncode == 0, f"{arguments} -> {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout
