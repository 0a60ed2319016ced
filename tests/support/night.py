"""A night as a real process over the plain functions of the pipeline: no Prefect, everything else as in use.

`Night` writes sessions and settings and starts the process from a nursery.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlmodel import Session

from slowwave.errors import SlowwaveError
from slowwave.storage.call_log import BATCHES, CALLS
from slowwave.storage.engine import open_database, reading
from slowwave.storage.tables import Table
from tests.support.logs import Assistant, Step, Tool, User, claude_rows, write_lines
from tests.support.nursery import ROOT, Child, Nursery

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

    def start(self, nursery: Nursery, **env: str) -> Child:
        """Start a night."""
        return nursery.start("tests.support.night:main", None, self.environment | env)

    def run(self, nursery: Nursery, seconds: float = 120, **env: str) -> dict[str, Any]:
        """Run a night to its end and return its report. Raises `AssertionError` with the output when it fails."""
        done = self.start(nursery, **env).wait(seconds)
        assert done.code == 0, f"exit {done.code}\n{done.stdout}\n{done.stderr}"
        return last_report(done.stdout)

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
    from slowwave.memories.context import open_run
    from slowwave.memories.extraction.claimed import live_sessions

    app = open_app()
    plan = await asyncio.to_thread(pipeline.plan_run, app, pipeline.RunOptions())
    if plan.empty:
        return {"status": "nothing to do", "sessions": {}, "projects": []}
    limit = asyncio.Semaphore(live_sessions(app.settings.memories, plan.extractor))
    async with open_run(app, plan.run_id) as run:
        await asyncio.gather(*(pipeline.extract_batch(run, list(batch), limit=limit) for batch in plan.batches))
        for project in pipeline.dirty_projects(run):
            await pipeline.consolidate_project(run, project)
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


def main(_: object) -> int:
    """Run one night in a child of a nursery: print the report, return the exit code."""
    try:
        print(json.dumps(asyncio.run(one_night())), flush=True)
    except SlowwaveError as error:
        print(json.dumps({"status": "error", "reason": error.reason, "message": str(error)}), flush=True)
        return error.exit_code
    return 0
