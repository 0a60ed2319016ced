"""Latency of a cold `slowwave hook`: `python -m benchmarks.hooks [--entries 1000] [--rounds 30] [--json]`.

Each round starts the baseline `python -c 'import json,sqlite3,re,pathlib,hashlib'` and each event's hook one after the
other, so that other load on the machine meets them alike. The target is three times the baseline for session-start.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sqlmodel import Session

from slowwave.agents import hosts
from slowwave.agents.compile import compile_hooks
from slowwave.agents.install import contracts
from slowwave.paths import database_file, memory_root
from slowwave.rollouts.identity.projects import identify
from slowwave.settings import Settings
from slowwave.storage.engine import open_database
from slowwave.storage.tables import Entry, Project
from slowwave.storage.types import MemoryKind, Standing

BASELINE = "import json,sqlite3,re,pathlib,hashlib"
TARGET = 3.0


def prepare(base: Path, entries: int) -> tuple[Path, Path]:
    """Make a home with one project that has so many entries, published and compiled; return home and folder."""
    home, folder = base / "home", base / "shop"
    home.mkdir()
    folder.mkdir()
    found = identify(str(folder))
    engine = open_database(database_file(home))
    texts = [f"Module {n} is built with target {n % 17} and its tests need fixture {n % 31}." for n in range(entries)]
    with Session(engine) as session:
        session.add(Project(id=found.id, key=found.key, slug=found.slug, name=found.name, root=found.root, version=1))
        session.commit()
        session.add_all(
            Entry(project_id=found.id, number=number, kind=MemoryKind.FACT, text=text, standing=Standing.VERIFIED)
            for number, text in enumerate(texts, 1)
        )
        session.commit()
    current = memory_root(home, found.slug, found.id) / "current"
    current.mkdir(parents=True)
    lines = [f"- {text} [m{number}]" for number, text in enumerate(texts, 1)]
    (current / "MEMORY.md").write_text("# Memory\n\n## Facts\n\n" + "\n".join(lines) + "\n", encoding="utf-8")
    summary = "# What is remembered\n\n"
    while lines and len(summary) + len(lines[0]) < 8000:
        summary += lines.pop(0) + "\n"
    (current / "memory_summary.md").write_text(summary, encoding="utf-8")
    assert compile_hooks(home, engine, Settings()).problems == ()
    engine.dispose()
    return home, folder


def timed(command: list[str], payload: bytes, env: dict[str, str]) -> tuple[float, bytes]:
    """Milliseconds of one cold process, and what it printed."""
    started = time.perf_counter()
    done = subprocess.run(command, input=payload, capture_output=True, env=env, check=True)
    return (time.perf_counter() - started) * 1000, done.stdout


def measure(entries: int, rounds: int) -> dict[str, object]:
    """Run the rounds and return median and 95th percentile in milliseconds, and each hook's ratio to the baseline."""
    command = str(Path(sys.executable).with_name("slowwave"))
    times: dict[str, list[float]] = {"baseline": [], **{event: [] for event in hosts.EVENTS}}
    with tempfile.TemporaryDirectory() as base:
        home, folder = prepare(Path(base), entries)
        env = {"PATH": os.environ.get("PATH", ""), "HOME": base, "SLOWWAVE_HOME": str(home)}
        characters = 0
        for number in range(-2, rounds):
            spent, _ = timed([sys.executable, "-c", BASELINE], b"", env)
            results = {"baseline": spent}
            for event in hosts.EVENTS:
                payload = json.dumps(contracts.payload("claude", event, folder, session=f"s{number}")).encode()
                results[event], out = timed([command, "hook", event, "--agent", "claude"], payload, env)
                if event == hosts.SESSION_START:
                    characters = len(contracts.context_of(out.decode()))
            if number >= 0:
                for name, spent in results.items():
                    times[name].append(spent)
    base_median = statistics.median(times["baseline"])
    rows = {
        name: {
            "median_ms": round(statistics.median(values), 1),
            "p95_ms": round(sorted(values)[int(len(values) * 0.95)], 1),
            "min_ms": round(min(values), 1),
            "times_baseline": round(statistics.median(values) / base_median, 2),
        }
        for name, values in times.items()
    }
    return {"entries": entries, "rounds": rounds, "injected_characters": characters, "target": TARGET, "hooks": rows}


def main() -> int:
    """Print the table, or JSON; exit 1 when session-start misses the target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    result = measure(arguments.entries, arguments.rounds)
    rows = result["hooks"]
    assert isinstance(rows, dict)
    if arguments.json:
        print(json.dumps(result, indent=2))
    else:
        size = result["injected_characters"]
        print(f"{result['entries']} entries, {size} characters injected, {result['rounds']} rounds")
        for name, row in rows.items():
            print(f"{name:14} median {row['median_ms']:7.1f} ms  p95 {row['p95_ms']:7.1f} ms  x{row['times_baseline']}")
    return 0 if rows[hosts.SESSION_START]["times_baseline"] <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
