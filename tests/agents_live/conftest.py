"""Real coding agents, installed from the npm registry into a cache folder, for tests that a person asks for.

`pytest -m agents_live tests/agents_live` runs them; they download a few hundred megabytes, into the folder that
`SLOWWAVE_AGENTS_LIVE` names or a temporary one. Telemetry, update checks and automatic updates are off, and everything
but loopback goes to a dead proxy.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

PACKAGES = {
    "claude": "@anthropic-ai/claude-code",
    "codex": "@openai/codex",
    "gemini": "@google/gemini-cli",
    "opencode": "opencode-ai",
    "pi": "@mariozechner/pi-coding-agent",
}


@pytest.fixture(scope="session")
def agent_binary() -> Callable[[str], str]:
    """Path of an agent's command, installed on first use."""
    cache = os.environ.get("SLOWWAVE_AGENTS_LIVE") or str(Path(tempfile.gettempdir()) / "slowwave-agents-live")
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")

    def binary(agent: str) -> str:
        folder = Path(cache).absolute() / agent
        command = folder / "node_modules" / ".bin" / agent
        if not command.exists():
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "package.json").write_text("{}")
            subprocess.run(
                [npm, "install", "--no-audit", "--no-fund", "--loglevel=error", PACKAGES[agent]],
                cwd=folder, check=True, timeout=900,
            )  # fmt: skip
        return str(command)

    return binary
