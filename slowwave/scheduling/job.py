"""The scheduled command and the environment that it needs."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from slowwave.paths import HOME_VARIABLE, slowwave_home

# Where agents and Slowwave keep things, when a person moved them. Keys and passwords stay out of unit files and
# crontabs: they go into the environment file.
PLACES = (
    "SLOWWAVE_HOME",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "GEMINI_CLI_HOME",
    "OPENCLAW_STATE_DIR",
    "OPENCODE_DB",
    "PI_CODING_AGENT_DIR",
    "PI_CODING_AGENT_SESSION_DIR",
    "XDG_DATA_HOME",
)


@dataclass(frozen=True, slots=True)
class ScheduledJob:
    """What a schedule runs. `environment_file` may hold more variables (`ANTHROPIC_API_KEY=...`), one a line."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    environment_file: Path
    log: Path


def label(env: Mapping[str, str]) -> str:
    """What tells the schedules of two homes apart: nothing for the usual home, a short hash for any other."""
    home = slowwave_home(env)
    if home == slowwave_home({name: value for name, value in env.items() if name != HOME_VARIABLE}):
        return ""
    return hashlib.sha256(str(home).encode()).hexdigest()[:8]


def nightly_job(home: Path, env: Mapping[str, str]) -> ScheduledJob:
    """`slowwave run --scheduled` with this installation's program and folders."""
    program = Path(sys.executable).with_name("slowwave")
    command = (str(program),) if program.exists() else (sys.executable, "-P", "-m", "slowwave.cli.main")
    places = {name: env[name] for name in PLACES if env.get(name)}
    return ScheduledJob((*command, "run", "--scheduled"), places, home / "environment", home / "logs" / "scheduled.log")
