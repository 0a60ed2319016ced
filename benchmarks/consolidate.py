"""What it costs to add one session to a project that has many: `python -m benchmarks.consolidate`.

Builds a project of N sessions by consolidating them, then adds one session and counts the prompt tokens of stage two
and the time that its statements and commits take in the database. Prints the figures for small and large N and their
ratio. The target is a ratio of at most 2 from 50 to 1,000 sessions.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import PoolProxiedConnection, event

from slowwave.app import App
from slowwave.llm.base import ConsolidateReply, ConsolidateRequest, ExtractReply, ExtractRequest
from slowwave.llm.prompting.rendering import stage_two_prompt
from slowwave.llm.prompting.schemas import Operation, StageTwoReply
from slowwave.memories.consolidation.stage_two import consolidate
from slowwave.memories.context import open_run
from slowwave.memories.extraction.candidates import Candidate, CheckedQuote
from slowwave.settings import Settings
from slowwave.storage.engine import writing
from slowwave.storage.queue.generations import bump_generation
from slowwave.storage.queue.owner import this_host
from slowwave.storage.registry import SeenThread, ensure_project, upsert_thread
from slowwave.storage.tables import StageOneOutput
from slowwave.storage.types import MemoryKind, SessionKind, Standing
from slowwave.text import estimate_tokens

PROJECT = "0123456789abcdef"
TOPICS = ("cache", "queue", "login", "export", "search", "billing", "upload", "report", "mail", "theme", "quota")
VERBS = ("retry", "lock", "flush", "index", "rotate", "compress", "validate", "mirror", "throttle", "archive")


@dataclass
class Counting:
    """An extractor that adds each candidate and counts the tokens of the prompts that a model would get."""

    name: str = "counting"
    version: int = 1
    input_tokens: int | None = None
    consolidate_tokens: int | None = None
    tokens: int = 0
    calls: int = 0

    async def prepare(self) -> None:
        return None

    async def extract(self, request: ExtractRequest) -> ExtractReply:
        raise NotImplementedError

    async def consolidate(self, request: ConsolidateRequest) -> ConsolidateReply:
        prompt = stage_two_prompt(request)
        self.calls += 1
        self.tokens += estimate_tokens(prompt.system) + estimate_tokens(prompt.user)
        operations = [
            Operation(op="add", entries=[], memories=[c.id], kind=None, text="", situation="", reason="")
            for c in request.candidates
        ]
        return ConsolidateReply(StageTwoReply(operations=operations, skills=[]))

    async def aclose(self) -> None:
        return None


def add_sessions(app: App, first: int, count: int) -> None:
    """Store sessions whose extraction is done, two memories each."""
    with writing(app.engine) as session:
        ensure_project(session, key="bench", id=PROJECT, slug="bench", name="bench")
        for number in range(first, first + count):
            thread_id = f"claude:{number:08d}"
            seen = SeenThread(
                id=thread_id,
                agent="claude",
                session_id=f"{number:08d}",
                host=this_host(),
                path=f"/logs/{number}.jsonl",
                log_key=f"/logs/{number}.jsonl",
                kind=SessionKind.INTERACTIVE,
                content_hash=f"hash-{number}",
                project_id=PROJECT,
                last_activity=1_700_000_000.0 + number * 3600,
            )
            upsert_thread(session, seen)
            session.flush()
            session.add(_output(thread_id, number))
        session.flush()
        bump_generation(session, PROJECT)


def _output(thread_id: str, number: int) -> StageOneOutput:
    at = 1_700_000_000.0 + number * 3600
    memories = []
    for place in range(2):
        seed = number * 2 + place
        topic, verb = TOPICS[seed % len(TOPICS)], VERBS[(seed // len(TOPICS)) % len(VERBS)]
        text = (
            f"Before you {verb} the {topic} service number {seed}, run `make {topic}-{verb}-{seed}` and check the log."
        )
        quote = CheckedQuote(place, text, "user_text", None, at)
        memories.append(Candidate(MemoryKind.CONSTRAINT, text, "", Standing.USER_SAID, (quote,)).as_json())
    return StageOneOutput(
        thread_id=thread_id,
        project_id=PROJECT,
        source_hash=f"hash-{number}",
        extractor="counting",
        extractor_version=1,
        outcome="success",
        slug=f"session-{number}",
        rollout_summary=f"Session {number}\n\nWorked on service {number}.",
        raw_memory="",
        memories=memories,
        session_last_activity=at,
        generated_at=at,
    )


def cost_of_one_more(sessions: int) -> tuple[int, int, float, float]:
    """Calls, prompt tokens, database seconds and wall seconds of adding one session to so many."""
    with tempfile.TemporaryDirectory() as folder:
        app = App(Path(folder), Settings(), {})
        add_sessions(app, 0, sessions)
        asyncio.run(_consolidate(app, Counting()))
        add_sessions(app, sessions, 1)
        spent = _time_database(app)
        counting = Counting()
        started = time.perf_counter()
        asyncio.run(_consolidate(app, counting))
        return counting.calls, counting.tokens, spent[0], time.perf_counter() - started


async def _consolidate(app: App, extractor: Counting) -> None:
    async with open_run(app, "bench", extractor) as space:
        report = await consolidate(space, PROJECT)
    if report.outcome not in ("published", "unchanged"):
        raise SystemExit(f"consolidation {report.outcome}: {report.reason} {report.stopped}")


def _time_database(app: App) -> list[float]:
    spent = [0.0]
    begun: dict[int, float] = {}

    def before(connection: object, cursor: object, *_: object) -> None:
        begun[id(cursor)] = time.perf_counter()

    def after(connection: object, cursor: object, *_: object) -> None:
        spent[0] += time.perf_counter() - begun.pop(id(cursor), time.perf_counter())

    commit = app.engine.dialect.do_commit

    def timed_commit(connection: PoolProxiedConnection) -> None:
        started = time.perf_counter()
        commit(connection)
        spent[0] += time.perf_counter() - started

    app.engine.dialect.do_commit = timed_commit  # type: ignore[method-assign]
    event.listen(app.engine, "before_cursor_execute", before)
    event.listen(app.engine, "after_cursor_execute", after)
    return spent


def main() -> None:
    """Print a row for each size, and the ratios of the largest to the smallest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, default=[50, 200, 1000])
    rows = [(size, *cost_of_one_more(size)) for size in parser.parse_args().sizes]
    print(f"{'sessions':>8} {'calls':>6} {'prompt tokens':>14} {'database s':>11} {'wall s':>7}")
    for size, calls, tokens, database, wall in rows:
        print(f"{size:>8} {calls:>6} {tokens:>14} {database:>11.3f} {wall:>7.2f}")
    first, last = rows[0], rows[-1]
    print(f"ratio {last[0]} / {first[0]}: prompt tokens {last[2] / first[2]:.2f}, database {last[3] / first[3]:.2f}")


if __name__ == "__main__":
    main()
