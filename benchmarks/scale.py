"""Sessions a minute with several worker processes on one PostgreSQL: `python -m benchmarks.scale [--sessions 2000]`.

Synthetic sessions over many projects, the loopback model as a process of its own (100 ms an answer), a real Prefect
server on SQLite, a real PostgreSQL, and 1, 2 and 4 worker processes that work on four sessions each; then the same
spread by Dask from one flow. Each configuration starts with an empty database. The span is from the first claim to the
last stored answer, so start-up is not in it; the whole time, with start-up and consolidation, stands beside it.
Efficiency is the rate over the rate of one worker times the number of workers. Every configuration checks that each
session was extracted exactly once.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import text

from slowwave.memories.pipeline import Plan
from tests.support.installation import ROOT, Installation
from tests.support.postgres import Postgres, running_postgres
from tests.support.prefect_server import running_server

LATENCY = 0.1
SESSIONS_EACH = 4
CONFIGURATIONS = (("threads", 1), ("threads", 2), ("threads", 4), ("dask", 1), ("dask", 2), ("dask", 4))


@dataclass(frozen=True)
class Result:
    """One configuration. Rates are sessions a minute, times seconds."""

    runner: str
    workers: int
    sessions: int
    calls: int
    span: float
    rate: float
    efficiency: float
    whole: float
    plan: float
    load: float


@contextmanager
def loopback() -> Iterator[str]:
    """The model as a process of its own, so that its work does not share our interpreter."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.loopback", "--latency", str(LATENCY)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.communicate()


def worker(plan_file: Path) -> None:
    """One worker process: carry out a share of the plan through Prefect."""
    from slowwave.app import open_app
    from slowwave.orchestration.runtime import run_plan
    from slowwave.storage.call_log import start_run
    from slowwave.storage.engine import writing
    from slowwave.storage.queue.owner import current_owner

    app, plan = open_app(), Plan.from_json(plan_file.read_text(encoding="utf-8"))
    with writing(app.engine) as session:
        start_run(session, current_owner(), kind=plan.kind, extractor=plan.extractor, run_id=plan.run_id)
    report = run_plan(app, plan, "nightly")
    assert report.status == "completed", report


def planned(plan_file: Path) -> None:
    """Scan and choose, in a process of its own."""
    from slowwave.app import open_app
    from slowwave.memories.pipeline import RunOptions, plan_run

    plan_file.write_text(plan_run(open_app(), RunOptions(backfill=True)).to_json(), encoding="utf-8")


def cluster(workers: int) -> None:
    """A Dask cluster of single-threaded processes; prints its address and ends with its standard input."""
    from distributed import LocalCluster

    make: Any = LocalCluster
    with make(n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0") as running:
        print(running.scheduler_address, flush=True)
        sys.stdin.read()


@contextmanager
def dask(env: Mapping[str, str], workers: int) -> Iterator[dict[str, str]]:
    """A cluster as a process of its own, and the settings that use it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.scale", "--cluster", str(workers)],
        env=dict(env),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield {"SLOWWAVE_MEMORIES__DASK_ADDRESS": process.stdout.readline().strip()}
    finally:
        process.communicate()


def step(env: Mapping[str, str], *arguments: str) -> subprocess.Popen[bytes]:
    """This module again, as another process."""
    return subprocess.Popen([sys.executable, "-m", "benchmarks.scale", *arguments], env=dict(env), cwd=ROOT)


def carry_out(folder: Path, plan: Plan, env: Mapping[str, str], processes: int) -> None:
    """Give each process its share of the batches and wait for all."""
    running = []
    for number in range(processes):
        share = replace(plan, run_id=uuid.uuid4().hex, batches=plan.batches[number::processes])
        path = folder / f"plan-{number}.json"
        path.write_text(share.to_json(), encoding="utf-8")
        running.append(step(env, "--worker", str(path)))
    assert [process.wait() for process in running] == [0] * processes


def measure(
    installation: Installation, postgres: Postgres, runner: str, workers: int, sessions: int, one_worker: float | None
) -> Result:
    """Run one configuration on an empty database."""
    from slowwave.storage.engine import connect

    url = postgres.database()
    # Published folders remember the fences of their database, so an empty database wants an empty home.
    home = installation.folder / f"home-{runner}-{workers}"
    env = installation.env({"SLOWWAVE_DATABASE__URL": url, "SLOWWAVE_HOME": str(home)})
    env["SLOWWAVE_MEMORIES__TASK_RUNNER"] = runner
    started = time.monotonic()
    plan_file = installation.folder / "plan.json"
    assert step(env, "--plan", str(plan_file)).wait() == 0
    planning = time.monotonic() - started
    plan = Plan.from_json(plan_file.read_text(encoding="utf-8"))
    assert plan.sessions == sessions, f"{plan.sessions} of {sessions} sessions are eligible: {plan.reasons}"
    with ExitStack() as stack:
        if runner == "dask":
            env |= stack.enter_context(dask(env, workers))
        started = time.monotonic()
        carry_out(installation.folder, plan, env, 1 if runner == "dask" else workers)
        whole = time.monotonic() - started
    engine = connect(url)
    with engine.connect() as connection:
        query = "select min(started_at), max(finished_at), count(*), max(attempts), max(crashes) from jobs"
        first, last, done, attempts, crashes = connection.execute(text(f"{query} where kind = 'extract'")).one()
        calls = connection.execute(text("select count(*) from model_calls where stage = 'extract'")).scalar_one()
        outputs = connection.execute(text("select count(*) from stage_one_outputs")).scalar_one()
    engine.dispose()
    postgres.drop(url)
    assert (done, outputs, attempts, crashes) == (sessions, sessions, 0, 0), "a session was lost or failed"
    rate = 60 * sessions / (last - first)
    efficiency = rate / (one_worker * workers) if one_worker else 1.0
    load = os.getloadavg()[0]
    return Result(
        runner, workers, sessions, calls, round(last - first, 1), round(rate), round(efficiency, 2), round(whole, 1),
        round(planning, 1), round(load, 1),
    )  # fmt: skip


def benchmark(sessions: int, projects: int, chosen: list[tuple[str, int]]) -> list[Result]:
    """All configurations, one after the other."""
    results: list[Result] = []
    with (
        tempfile.TemporaryDirectory(prefix="slowwave-scale-") as name,
        loopback() as model,
        running_postgres() as postgres,
    ):
        folder = Path(name)
        (folder / "server").mkdir()
        with running_server(folder / "server") as server:
            installation = Installation(
                folder, {"PREFECT_API_URL": server.url, "PREFECT_HOME": str(folder / "prefect")}
            )
            installation.extra |= {
                "SLOWWAVE_MODELS__DEFAULT__BASE_URL": model,
                "ANTHROPIC_API_KEY": "any",
                "SLOWWAVE_DATABASE__SHARE": "all",
                "SLOWWAVE_MEMORIES__STAGE1_CONCURRENCY": str(SESSIONS_EACH),
                "SLOWWAVE_MEMORIES__MAX_RUNNING_EXTRACTIONS": "1000",
                "SLOWWAVE_BUDGET__PER_RUN__CALLS": "1000000",
                "SLOWWAVE_BUDGET__PER_DAY__CALLS": "1000000",
                "SLOWWAVE_BUDGET__PER_RUN__DOLLARS": "1000000",
                "SLOWWAVE_BUDGET__PER_DAY__DOLLARS": "1000000",
                "PREFECT_LOGGING_LEVEL": "WARNING",
            }
            installation.write_sessions(sessions, projects)
            for runner, workers in chosen:
                alone = [result.rate for result in results if result.runner == runner and result.workers == 1]
                result = measure(installation, postgres, runner, workers, sessions, alone[0] if alone else None)
                results.append(result)
                print(json.dumps(asdict(result)), flush=True)
    return results


def main() -> None:
    """Parse the options and print one JSON line a configuration."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=2000)
    parser.add_argument("--projects", type=int, default=100)
    parser.add_argument("--only", action="append", metavar="RUNNER:WORKERS", help="such as threads:2; may be repeated")
    parser.add_argument("--plan", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--cluster", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.plan:
        planned(options.plan)
    elif options.worker:
        worker(options.worker)
    elif options.cluster:
        cluster(options.cluster)
    else:
        pairs = [item.split(":") for item in options.only or []]
        chosen = [(runner, int(workers)) for runner, workers in pairs] or list(CONFIGURATIONS)
        benchmark(options.sessions, options.projects, chosen)


if __name__ == "__main__":
    main()
