"""The scheduled command and the environment that it needs."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from slowwave.paths import HOME_VARIABLE, slowwave_home
from slowwave.private import append_private, make_private_folder

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
# What may answer as the model, and what runs it: cron's own PATH has little more than /usr/bin.
ANSWERING = ("claude", "codex", "gemini", "node")
USUAL_PATH = ("/usr/local/bin", "/usr/bin", "/bin")


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


def only_here(job: ScheduledJob, names: Iterable[str], env: Mapping[str, str]) -> list[str]:
    """Of these variables those that this shell has and the job's environment file has not: the night would lack them.

    Raises:
        OSError: the file cannot be read.
    """
    try:
        kept = job.environment_file.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        kept = ""
    there = {line.partition("=")[0].removeprefix("export ").strip() for line in kept.splitlines()}
    return [name for name in dict.fromkeys(names) if env.get(name, "").strip() and name not in there]


def keep(job: ScheduledJob, names: Iterable[str], env: Mapping[str, str]) -> None:
    """Add variables to the job's environment file, which only its owner can read."""
    make_private_folder(job.environment_file.parent)
    lines = "".join(f"{name}={shlex.quote(env[name])}\n" for name in names)
    append_private(job.environment_file, lines.encode())


def nightly_job(home: Path, env: Mapping[str, str]) -> ScheduledJob:
    """`slowwave run --scheduled` with this installation's program and folders."""
    program = Path(sys.executable).with_name("slowwave")
    command = (str(program),) if program.exists() else (sys.executable, "-P", "-m", "slowwave.cli.main")
    places = {name: env[name] for name in PLACES if env.get(name)}
    found = [shutil.which(name, path=env.get("PATH")) for name in ANSWERING]
    folders = dict.fromkeys(str(Path(one).parent) for one in found if one)
    if folders.keys() - set(USUAL_PATH):
        places["PATH"] = os.pathsep.join(dict.fromkeys((*folders, *USUAL_PATH)))
    return ScheduledJob((*command, "run", "--scheduled"), places, home / "environment", home / "logs" / "scheduled.log")
