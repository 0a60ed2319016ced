"""A publisher in a process of its own, to be killed or stopped while it works.

``python -m tests.support.publisher ROOT NUMBER FENCE TEXT [STORE]`` publishes one small version, built on whatever is
live; a sixth argument ``copy`` behaves like a file system without symbolic links.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from slowwave.storage.published import switch
from slowwave.storage.published.artifacts import publish
from slowwave.storage.published.live import live_folder, read_manifest

REPOSITORY = Path(__file__).parents[2]


def files_of(text: str) -> dict[str, bytes]:
    """The files of one version: all of them hold the same text, so that a mix of two versions shows."""
    names = ["MEMORY.md", "memory_summary.md", "skills/run-tests/SKILL.md", "rollout_summaries/2026-01-01-x.md"]
    return {name: f"{name}: {text}\n".encode() * 50 for name in names}


def start(root: Path, number: int, fence: int, text: str, *, copy: bool = False, **env: str) -> subprocess.Popen[str]:
    """Start a publisher; ``SLOWWAVE_KILL_AT`` and ``SLOWWAVE_STOP_AT`` go into its environment."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.publisher", str(root), str(number), str(fence), text, str(int(copy))],
        cwd=REPOSITORY,
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def main(root: Path, number: int, fence: int, text: str, copy: bool) -> None:
    if copy:
        switch.supports_symlinks = lambda _: False
    live = live_folder(root)
    publish(
        root,
        files_of(text),
        number=number,
        fence=fence,
        scan=lambda path, content: None,
        check=lambda: None,
        expected=None if live is None else read_manifest(live),
        commit=lambda published: print("committed", published.manifest.number, flush=True),
        waiting=lambda: print("waiting", flush=True),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5] == "1")
