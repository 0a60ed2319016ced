"""How much of a night the queue costs: 8 processes, 200 sessions, 10 projects, a model of 300 ms, on each engine.

    python -m benchmarks.queue                     # a SQLite file and, if it is installed, a local PostgreSQL
    python -m benchmarks.queue --url postgresql://me@host/empty_database

The workers begin spread over the time of one call, as processes do that nobody lines up. Prints, for each engine,
claims a second without a model, and with one the share of the workers' wall time that is spent in the database (waiting
for locks, the disk and a processor included), and the load of the machine, because on a busy one that share says
little. Every run also checks that each session was done once and each project once for each generation.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from slowwave.storage.engine import open_database, writing
from slowwave.storage.queue.backlog import Request, enqueue_extract
from slowwave.storage.registry import SeenThread, ensure_project, upsert_thread
from slowwave.storage.types import SessionKind
from tests.support.queue_worker import Tally, let_go, result, start


def fill(url: str, run: str, projects: int, sessions: int) -> None:
    """Queue the sessions of one run; their ids carry its name, so that runs can share a database."""
    engine = open_database(url)
    for number in range(projects):
        with writing(engine) as session:
            name = f"{run}-p{number}"
            ensure_project(session, key=name, id=name, slug=name, name=name)
    for number in range(sessions):
        thread = SeenThread(
            id=f"{run}:{number}",
            agent=run,
            session_id=str(number),
            host="benchmark",
            path="",
            log_key=f"{run}:{number}",
            kind=SessionKind.INTERACTIVE,
            content_hash="h",
            project_id=f"{run}-p{number % projects}",
        )
        with writing(engine) as session:
            upsert_thread(session, thread)
            enqueue_extract(session, Request(thread.id, "h", "offline", 1, thread.project_id, None, float(number)))
    engine.dispose()


def check(tallies: list[Tally], sessions: int) -> None:
    """Raise unless every session was done once and no generation of a project twice."""
    done = Counter(session for tally in tallies for session in tally.sessions)
    consolidated = Counter(project for tally in tallies for project in tally.projects)
    assert len(done) == sessions and set(done.values()) == {1}, "a session was lost or done twice"
    assert consolidated and set(consolidated.values()) == {1}, "a project was consolidated twice"


def measure(url: str, run: str, options: argparse.Namespace, model: float) -> str:
    """Run the workers once and describe it in a line."""
    fill(url, run, options.projects, options.sessions)
    began = time.monotonic()
    workers = [start(url, cap=options.processes * 2, model=model, held=True) for _ in range(options.processes)]
    let_go(workers, over=model)
    tallies = [result(worker, 1200) for worker in workers]
    wall = time.monotonic() - began
    check(tallies, options.sessions)
    claims, working = sum(tally.claims for tally in tallies), max(tally.seconds for tally in tallies)
    in_all = sum(tally.seconds for tally in tallies)
    share = 100 * sum(tally.database_seconds for tally in tallies) / in_all
    processor = sum(tally.database_processor_seconds for tally in tallies)
    return (
        f"model {model * 1000:3.0f} ms: {claims} claims in {working:.1f} s = {claims / working:.1f} a second; database "
        f"{share:.1f} % of the workers' wall time; {1000 * processor / claims:.1f} ms of processor a claim; "
        f"start-up included {wall:.1f} s"
    )


@contextmanager
def databases(url: str | None) -> Iterator[list[tuple[str, str]]]:
    """The databases to measure, by name."""
    if url is not None:
        yield [(url.split("@")[-1], url)]
        return
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="slowwave-queue-"))
        found = [("sqlite", f"sqlite:///{Path(folder) / 'home' / 'slowwave.db'}")]
        try:
            from tests.support.postgres import running_postgres
        except ImportError as error:
            print(f"postgresql: not measured ({error})")
        else:
            found.append(("postgresql", stack.enter_context(running_postgres()).database()))
        yield found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--url", help="measure this database only")
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--projects", type=int, default=10)
    parser.add_argument("--model-seconds", type=float, default=0.3)
    options = parser.parse_args()
    size = f"{options.processes} processes, {options.sessions} sessions, {options.projects} projects"
    print(f"{size}; {os.cpu_count()} processors, load before {os.getloadavg()[0]:.1f}")
    with databases(options.url) as found:
        for name, url in found:
            for run, model in (("bare", 0.0), ("model", options.model_seconds)):
                print(f"{name}: {measure(url, run, options, model)}", flush=True)


if __name__ == "__main__":
    main()
