"""How fast every other form of session log is read: documents, databases, Markdown, and the newer agents' lines.

    .venv/bin/python -m benchmarks.forms [--megabytes 8] [--repeat 3] [--json FILE]

`benchmarks.scan` measures real logs. For most of these agents no real log can be had, so each form is made, with turns
of the usual sizes (a prompt, an answer, a command with 2 KB of output), until it has the wanted size. Measured are one
scan and one iteration to items, in CPU seconds of this process, and the memory that both add to the peak.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
from pathlib import Path

from benchmarks.scan import best
from slowwave.rollouts.base import log_file
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.readers import readers
from tests.support.logs import Assistant, Step, Tool, User
from tests.support.reading import LINES, WHOLE, whole_log

OUTPUT = "src/module.py:12: the quick brown fox jumps over the lazy dog\n" * 32
TURN: list[Step] = [
    User("Please run the tests again, and tell me which of them fail since yesterday."),
    Tool("make check", OUTPUT),
    Assistant("Two tests fail since yesterday; both read a fixture that was moved. " * 4),
]
BYTES_OF_A_TURN = 3000


def logs(folder: Path, turns: list[Step]) -> dict[str, LogFile]:
    """One log of every form."""
    found: dict[str, LogFile] = {}
    for name, (file, build) in LINES.items():
        found[name] = log_file(name, build(folder / name / "lines" / file, turns))
    for name in WHOLE:
        found[name] = whole_log(name, folder / name / "whole", turns)
    return found


def main() -> None:
    """Print one row a form."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=float, default=8)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    turns = TURN * max(1, int(options.megabytes * 1_000_000 / BYTES_OF_A_TURN))
    known = readers({})
    rows: list[dict[str, object]] = []
    print("form                  MB  scan MB/s  items MB/s    items   peak MB")
    with tempfile.TemporaryDirectory(prefix="slowwave-forms-") as name:
        for form, log in logs(Path(name), turns).items():
            reader = known[log.agent]
            size = log.path.stat().st_size / 1e6
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            scan = best(options.repeat, lambda reader=reader, log=log: reader.scan(log))  # type: ignore[misc]
            facts = reader.scan(log)
            count = sum(1 for _ in reader.items(log, facts))
            iterate = best(
                options.repeat,
                lambda reader=reader, log=log, facts=facts: sum(1 for _ in reader.items(log, facts)),  # type: ignore[misc]
            )
            peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000
            rows.append({"form": form, "MB": size, "scan": size / scan, "items": size / iterate, "peak": peak})
            print(f"{form:18s} {size:6.1f} {size / scan:10.0f} {size / iterate:11.0f} {count:8d} {peak:9.0f}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
