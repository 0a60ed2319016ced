"""Stage one against the ideal: `python -m benchmarks.end_to_end [--sessions 200] [--latency 0.3] [--json]`.

Writes synthetic sessions, starts the loopback endpoint as a process of its own and runs `slowwave run` (through
Prefect) or, with `--plain`, the same functions without it. The ideal is calls / concurrency x latency. The span is
from the first claim to the last stored answer, so Prefect's fixed start-up is reported beside it, not in the ratio.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.support.logs import Assistant, Step, Tool, User
from tests.support.night import Night
from tests.support.nursery import ROOT

CONCURRENCY = 8
TEXT = (
    "the request handler retries when a cached price list is older than its window so that orders keep their totals and"
    " every worker reads one snapshot before it writes the next page of results into the ledger"
)


@dataclass(frozen=True)
class Result:
    """Seconds, and their ratio to the ideal."""

    sessions: int
    calls: int
    latency: float
    ideal: float
    span: float
    ratio: float
    total: float
    load: float


def session_steps(number: int, size: int) -> tuple[Step, ...]:
    """A session of about `size` bytes with one rule that the user states."""
    dice, known = random.Random(number), TEXT.split()

    def prose(characters: int) -> str:
        words = [dice.choice(known) for _ in range(characters // 5)]
        return " ".join(words)[:characters]

    steps: list[Step] = [User(f"Always write the report of module {number} as a table, never as prose.")]
    while sum(len(getattr(step, "text", "") or getattr(step, "output", "")) for step in steps) < size * 0.85:
        steps += [Tool(f"make step-{len(steps)}", prose(1500)), Assistant(prose(600)), User(prose(200))]
    return tuple(steps)


def run_once(sessions: int, latency: float, size: int, plain: bool, folder: Path) -> Result:
    """Run one night on a fresh home."""
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.support.loopback", "--latency", str(latency)],
        cwd=ROOT,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert server.stdout is not None and server.stdin is not None
    try:
        night = Night(folder, server.stdout.readline().strip())
        night.settings = {"default": {"capabilities": {"structuredOutput": True, "countTokens": False}}}
        night.write_settings(stage1Concurrency=CONCURRENCY, minRolloutIdleHours=1)
        for number in range(sessions):
            night.write_session(number, session_steps(number, size), project=f"project{number % 4}")
        command = ["-m", "benchmarks.end_to_end", "--child"] if plain else ["-m", "slowwave.cli.main", "run", "--json"]
        began = time.monotonic()
        done = subprocess.run(
            [sys.executable, *command], env=night.environment, cwd=ROOT, text=True, capture_output=True, check=False
        )
        total = time.monotonic() - began
        if done.returncode != 0:
            raise SystemExit(f"the run failed ({done.returncode}):\n{done.stdout}\n{done.stderr}")
    finally:
        server.stdin.close()
        server.wait(10)
    jobs = [row for row in night.jobs().values() if row["state"] == "done"]
    calls = sum(row["stage"] == "extract" for row in night.rows("model_calls"))
    if len(jobs) != sessions:
        raise SystemExit(f"{len(jobs)} of {sessions} sessions were extracted")
    span = max(row["finished_at"] for row in jobs) - min(row["started_at"] for row in jobs)
    ideal = calls / CONCURRENCY * latency
    return Result(sessions, calls, latency, ideal, span, span / ideal, total, os.getloadavg()[0])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--latency", type=float, default=0.3, help="seconds per model call")
    parser.add_argument("--size", type=int, default=50_000, help="bytes of a session")
    parser.add_argument("--plain", action="store_true", help="without Prefect")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        import asyncio

        from tests.support.night import one_night

        print(json.dumps(asyncio.run(one_night())))
        return
    with tempfile.TemporaryDirectory() as folder:
        result = run_once(options.sessions, options.latency, options.size, options.plain, Path(folder))
    if options.json:
        print(json.dumps(asdict(result)))
        return
    print(f"{result.sessions} sessions, {result.calls} calls of {result.latency} s, {CONCURRENCY} at a time")
    print(f"ideal {result.ideal:.2f} s, first claim to last answer {result.span:.2f} s: ratio {result.ratio:.3f}")
    print(f"whole command {result.total:.1f} s; load average at the end {result.load:.1f}")


if __name__ == "__main__":
    main()
