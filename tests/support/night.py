"""A night as a real process over the plain functions of the pipeline: no Prefect, everything else as in use.

`Night` writes sessions and settings and starts the process. Run as a module this file is a `Nursery`'s process: it has
imported everything already and forks a child for each night, because the imports alone take seconds.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlmodel import Session

from slowwave.errors import SlowwaveError
from storage.engine import open_database, reading
from storage.ledger import BATCHES, CALLS
from storage.tables import Table
from tests.support.logs import Assistant, Step, Tool, User, claude_rows, write_lines

ROOT = Path(__file__).resolve().parents[2]
KEY_VARIABLE = "TEST_KEY"


@dataclass
class Night:
    """A home with Claude Code sessions and settings that lead to an endpoint."""

    home: Path
    base_url: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def database(self) -> Path:
        """The pipeline's database file."""
        return self.home / "slowwave" / "slowwave.db"

    @property
    def environment(self) -> dict[str, str]:
        """What the process sees."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        return kept | {
            "HOME": str(self.home),
            "SLOWWAVE_HOME": str(self.home / "slowwave"),
            "CLAUDE_CONFIG_DIR": str(self.home / ".claude"),
            "CODEX_HOME": str(self.home / ".codex"),
            "PYTHONPATH": str(ROOT),
            KEY_VARIABLE: "test-" + "key",
        }

    def write_settings(self, **memories: Any) -> None:
        """Write `config.yml` (JSON is YAML)."""
        role = {"baseUrl": self.base_url, "apiKeyEnv": KEY_VARIABLE, "timeoutSeconds": 20}
        settings = {
            "memories": {"maxRolloutAgeDays": 3650, "maxRolloutsPerStartup": 1000, "maxCrashes": 100} | memories,
            "models": {"default": role | dict(self.settings.get("default", {}))},
            "budget": self.settings.get("budget", {}),
        }
        path = self.home / "slowwave" / "config.yml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(settings), encoding="utf-8")

    def write_session(self, number: int, steps: tuple[Step, ...] | None = None, project: str = "project") -> str:
        """Write one session; return its thread id."""
        session_id = f"{number:08d}-1111-4111-8111-111111111111"
        turns = steps or default_steps(number)
        cwd = f"/home/dev/{project}"
        start = datetime.now(UTC) - timedelta(days=2) + timedelta(minutes=number)
        rows = claude_rows(turns, cwd=cwd, session_id=session_id, start=start)
        write_lines(self.home / ".claude" / "projects" / cwd.replace("/", "-") / f"{session_id}.jsonl", rows)
        return f"claude:{session_id}"

    def start(self, nursery: Nursery, **env: str) -> NightProcess:
        """Start a night."""
        return nursery.start(self.environment | env)

    def run(self, nursery: Nursery, seconds: float = 120, **env: str) -> dict[str, Any]:
        """Run a night to its end and return its report. Raises `AssertionError` with the output when it fails."""
        code, output = self.start(nursery, **env).wait(seconds)
        assert code == 0, f"exit {code}\n{output}"
        return last_report(output)

    def rows(self, table: str) -> list[dict[str, Any]]:
        """All rows of a table."""
        engine = open_database(self.database)
        try:
            with reading(engine) as session:
                return _rows(session, table)
        finally:
            engine.dispose()

    def fates(self) -> dict[str, str]:
        """Each session's reason."""
        return {row["id"]: row["reason"] for row in self.rows("threads")}

    def jobs(self) -> dict[str, dict[str, Any]]:
        """The extraction jobs by session."""
        return {row["key"]: row for row in self.rows("jobs") if row["kind"] == "extract"}


def default_steps(number: int) -> tuple[Step, ...]:
    """A short session with a rule of its own."""
    return (
        User(f"Always name module {number} after planet {number}, never after a colour."),
        Assistant("I will."),
        Tool(f"make check-{number}", "41 passed"),
        Assistant("Done."),
    )


def _rows(session: Session, table: str) -> list[dict[str, Any]]:
    source = {"model_calls": CALLS, "model_batches": BATCHES}.get(table, Table.metadata.tables[table])
    return [dict(row) for row in session.connection().execute(select(source)).mappings()]


async def one_night() -> dict[str, Any]:
    """Plan, extract, consolidate and finish in this process, by its environment."""
    from slowwave.app import open_app
    from slowwave.memories import pipeline
    from slowwave.memories.extraction import live_sessions

    app = open_app()
    plan = await asyncio.to_thread(pipeline.plan_run, app, pipeline.RunOptions())
    if plan.empty:
        return {"status": "nothing to do", "sessions": {}, "projects": []}
    limit = asyncio.Semaphore(live_sessions(app.settings.memories, plan.extractor))
    home = str(app.home)
    await asyncio.gather(
        *(pipeline.extract_batch(home, plan.run_id, list(batch), limit=limit) for batch in plan.batches)
    )
    for project in pipeline.dirty_projects(app, plan.run_id):
        await pipeline.consolidate_project(home, plan.run_id, project)
    report = pipeline.finish_run(app, plan.run_id)
    return {
        "status": report.status,
        "sessions": report.sessions,
        "projects": report.projects,
        "counts": report.counts,
        "message": report.message,
    }


def last_report(output: str) -> dict[str, Any]:
    """The report that a night printed last."""
    report: dict[str, Any] = json.loads(output.splitlines()[-1])
    return report


class NightProcess:
    """A night that is under way."""

    def __init__(self, nursery: subprocess.Popen[str], output: Path, pid: int) -> None:
        self._nursery = nursery
        self._output = output
        self.pid = pid
        self._code: int | None = None

    def kill(self) -> None:
        """Kill it with SIGKILL, if it still runs."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def wait(self, seconds: float = 120) -> tuple[int, str]:
        """Wait for its end (it is killed when it takes longer); return the exit code, negative for a signal."""
        if self._code is None:
            late = threading.Timer(seconds, self.kill)
            late.start()
            assert self._nursery.stdout is not None
            self._code = int(self._nursery.stdout.readline())
            late.cancel()
        return self._code, self._output.read_text("utf-8")


class Nursery:
    """A process that has imported the pipeline and forks a child for each night, one at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.night"],
            cwd=ROOT,
            env={"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT), "HOME": str(folder)},
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def start(self, env: Mapping[str, str]) -> NightProcess:
        """Start a night with this environment."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._count += 1
        output = self._folder / f"night-{self._count}.txt"
        self._process.stdin.write(json.dumps({"env": dict(env), "output": str(output)}) + "\n")
        self._process.stdin.flush()
        return NightProcess(self._process, output, int(self._process.stdout.readline()))

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)


def _child(env: Mapping[str, str], output: str) -> int:
    target = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(target, 1)
    os.dup2(target, 2)
    os.environ.clear()
    os.environ.update(env)
    try:
        print(json.dumps(asyncio.run(one_night())), flush=True)
    except SlowwaveError as error:
        print(json.dumps({"status": "error", "reason": error.reason, "message": str(error)}), flush=True)
        return error.exit_code
    except BaseException:  # noqa: BLE001 - printed for the test, which then fails on the exit code
        traceback.print_exc()
        return 70
    return 0


def _serve() -> None:
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            os._exit(_child(order["env"], order["output"]))
        print(pid, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


if __name__ == "__main__":
    import slowwave.llm.factory
    import slowwave.memories.batch_extraction
    import slowwave.memories.pipeline  # noqa: F401 - imported before the first fork, like the others

    _serve()
