"""A home with memory, and the installed `slowwave hook` run as the agents run it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from slowwave.agents.install.contracts import context_of
from tests.support.memory import MemoryHome

SCHEMAS = Path(__file__).parent / "schemas"
COMMAND = Path(sys.executable).with_name("slowwave")


@dataclass(frozen=True)
class Ran:
    """What a hook process did."""

    code: int
    out: str
    err: str

    @property
    def answer(self) -> dict[str, Any]:
        """The JSON object it printed; empty when it printed nothing."""
        return json.loads(self.out) if self.out else {}

    @property
    def context(self) -> str:
        """The text for the model, wherever the agent's schema has it."""
        return context_of(self.out)


@pytest.fixture
def memory_home(tmp_path: Path) -> MemoryHome:
    return MemoryHome(tmp_path / "home")


RunHook = Callable[..., Ran]


@pytest.fixture
def run_hook(memory_home: MemoryHome) -> RunHook:
    """Run the installed command with a payload on stdin."""

    def run(event: str, agent: str, payload: object, *, env: dict[str, str] | None = None) -> Ran:
        text = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        variables = {
            "PATH": os.environ["PATH"],
            "HOME": str(memory_home.home.parent),
            "SLOWWAVE_HOME": str(memory_home.home),
        }
        done = subprocess.run(
            [str(COMMAND), "hook", event, "--agent", agent],
            input=text, capture_output=True, timeout=60, env=variables | (env or {}), check=False,
        )  # fmt: skip
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
