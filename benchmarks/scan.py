"""How fast session logs are read, against `orjson` parsing of the same bytes, and how much memory it takes.

    .venv/bin/python -m benchmarks.scan LOGS [--megabytes 1000] [--large 500] [--folder DIR] [--json FILE]

LOGS is a folder with real logs, laid out as the agents lay them out (claude/, codex/, pi/, gemini/, copilot/). A tree
of about the wanted size is made of copies of them, and a single large file beside it. Measured are: the floor (every
line of every file through `orjson.loads`), the first scan, iteration to items with the facts at hand, a rescan with
nothing changed, a walk over 50,000 files, and the peak memory of a process that reads the large file. Times are the
best of `--repeat` rounds, in CPU seconds of one process: other programs disturb them less than wall time.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import orjson

from slowwave.rollouts.base import log_file
from slowwave.rollouts.model import LogFile, Reader
from slowwave.rollouts.readers import readers
from slowwave.rollouts.walk import files_below

PATTERNS = {
    "claude": "claude/**/*.jsonl",
    "codex": "codex/**/*.jsonl",
    "pi": "pi/**/*.jsonl",
    "gemini": "gemini/**/session-*.json",
    "copilot": "copilot/**/*.jsonl",
}
UUID = re.compile(rb'"(uuid|parentUuid)":"[0-9a-f]{8}')


@dataclass
class Row:
    """Figures of one agent's logs. Times are CPU seconds, sizes bytes."""

    agent: str
    files: int = 0
    size: int = 0
    floor: float = 0.0
    scan: float = 0.0
    items_time: float = 0.0
    items: int = 0
    unknown: int = 0
    damaged: int = 0
    errors: int = 0
    dropped: dict[str, int] = field(default_factory=dict)


def best(repeat: int, work: Callable[[], object]) -> float:
    """Least CPU time of several rounds."""
    times = []
    for _ in range(repeat):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)


def build_tree(logs: Path, target: Path, size: int) -> dict[str, list[Path]]:
    """Copy the logs again and again until the tree has the wanted size."""
    originals = {agent: sorted(logs.glob(pattern)) for agent, pattern in PATTERNS.items()}
    total = sum(path.stat().st_size for paths in originals.values() for path in paths)
    copies = max(1, round(size / total))
    made: dict[str, list[Path]] = {agent: [] for agent in originals}
    for agent, paths in originals.items():
        for number in range(copies):
            for path in paths:
                copy = target / f"{number:04d}" / path.relative_to(logs)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
                made[agent].append(copy)
    return made


def build_large(logs: Path, target: Path, size: int) -> Path:
    """One Claude Code log of the wanted size: the rows of the largest one, each copy under ids of its own."""
    source = max(logs.glob(PATTERNS["claude"]), key=lambda path: path.stat().st_size).read_bytes()
    path = target / "large" / "projects" / "p" / "99999999-9999-4999-8999-999999999999.jsonl"
    path.parent.mkdir(parents=True)
    written = number = 0
    with path.open("wb") as stream:
        while written < size:
            mark = f"{number:08x}".encode()
            written += stream.write(UUID.sub(rb'"\1":"' + mark, source))
            number += 1
    return path


def floor(paths: list[Path]) -> None:
    """What nobody who parses these logs with orjson can undercut."""
    for path in paths:
        if path.suffix == ".json":
            orjson.loads(path.read_bytes())
            continue
        with path.open("rb") as stream:
            for line in stream:
                orjson.loads(line)


def measure(agent: str, reader: Reader, paths: list[Path], repeat: int) -> Row:
    """Time one agent's logs."""
    logs = [log_file(agent, path) for path in paths]
    row = Row(agent, files=len(logs), size=sum(log.size for log in logs))
    row.floor = best(repeat, lambda: floor(paths))
    row.scan = best(repeat, lambda: [reader.scan(log) for log in logs])
    facts = [reader.scan(log) for log in logs]

    def iterate() -> None:
        row.items = sum(1 for log, known in zip(logs, facts, strict=True) for _ in reader.items(log, known))

    row.items_time = best(repeat, iterate)
    for known in facts:
        row.unknown += sum(known.unknown.values())
        row.damaged += known.damaged
        row.dropped = dict(Counter(row.dropped) + known.dropped)
        row.errors += sum(count for reason, count in known.dropped.items() if reason.startswith("malformed"))
    return row


def rescan(root: Path, known: dict[str, tuple[int, int, int]]) -> int:
    """A scan with nothing changed: one stat a file and a look-up. Returns how many files look changed."""
    return sum(1 for log in walk(root) if known.get(log.key) != (log.size, log.mtime_ns, log.inode))


def walk(root: Path) -> Iterator[LogFile]:
    """Every log below a folder."""
    return files_below(root, "any", (".jsonl", ".json"), depth=12)


def peak_megabytes(path: Path) -> float:
    """Peak memory of a fresh process that scans a log and iterates over its items."""
    code = (
        "import sys, resource\nfrom pathlib import Path\nfrom slowwave.rollouts.base import log_file\n"
        "from slowwave.rollouts.readers import readers\n"
        "reader = readers({})['claude']; log = log_file('claude', Path(sys.argv[1])); facts = reader.scan(log)\n"
        "count = sum(1 for _ in reader.items(log, facts))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, count)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[0])


def walk_many(folder: Path, count: int) -> tuple[float, float]:
    """Seconds for a walk over `count` empty files, and how much the peak memory grew, in megabytes."""
    for number in range(count):
        path = folder / "many" / f"{number % 500:03d}" / f"{number}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = best(3, lambda: sum(1 for _ in walk(folder / "many")))
    return seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def report(rows: list[Row], extra: dict[str, float]) -> str:
    """The figures as a table."""
    lines = ["agent     files      MB  floor MB/s  scan MB/s  items MB/s  ratio   items  unknown  damaged  errors"]
    every = Row("all")
    for row in rows:
        for name in ("files", "size", "floor", "scan", "items_time", "items", "unknown", "damaged", "errors"):
            setattr(every, name, getattr(every, name) + getattr(row, name))
    for row in [*rows, every]:
        mega = row.size / 1e6
        lines.append(
            f"{row.agent:8s} {row.files:6d} {mega:7.1f} {mega / row.floor:11.0f} {mega / row.scan:10.0f}"
            f" {mega / row.items_time:11.0f} {row.floor / row.items_time:6.2f} {row.items:7d} {row.unknown:8d}"
            f" {row.damaged:8d} {row.errors:7d}"
        )
    lines += [f"{name}: {value:.4g}" for name, value in extra.items()]
    return "\n".join(lines)


def main() -> None:
    """Build, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", type=Path)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--large", type=int, default=500)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--many", type=int, default=50_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="slowwave-scan-") as name:
        folder = Path(name)
        tree = build_tree(options.logs, folder / "tree", options.megabytes * 1_000_000)
        own = readers({"SLOWWAVE_HOME": str(folder / "home")})
        rows = [measure(agent, own[agent], paths, options.repeat) for agent, paths in tree.items() if paths]
        known = {log.key: (log.size, log.mtime_ns, log.inode) for log in walk(folder / "tree")}
        again = best(3, lambda: rescan(folder / "tree", known))
        if rescan(folder / "tree", known):
            raise SystemExit("an unchanged tree looks changed")
        first = sum(row.scan for row in rows)
        extra = {"rescan seconds": again, "rescan share of the first scan, %": 100 * again / first}
        extra["peak MB with the large file"] = peak_megabytes(
            build_large(options.logs, folder, options.large * 1_000_000)
        )
        extra["walk seconds"], extra["walk grew memory by MB"] = walk_many(folder, options.many)
        print(report(rows, extra))
        if options.json:
            options.json.write_text(json.dumps({"rows": [asdict(row) for row in rows], **extra}, indent=2))


if __name__ == "__main__":
    main()
