"""Starting a process that outlives its hook. Standard library only."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def start_worker(home: Path, module: str = "slowwave.session.hosts.worker") -> None:
    """Start a worker detached: it outlives the hook, and a second one ends at once. Raises `OSError`."""
    subprocess.Popen(
        [sys.executable, "-P", "-m", module, str(home)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd=home,
        env={**os.environ, "SLOWWAVE_HOME": str(home)},
    )
