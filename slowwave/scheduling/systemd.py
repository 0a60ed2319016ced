"""A systemd user timer. Units are rendered from `deployments/systemd/`."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from slowwave.errors import ScheduleError
from slowwave.scheduling.job import ScheduledJob, label
from slowwave.scheduling.shipped import deployments_folder

PARTS = ("service", "timer")


def names(env: Mapping[str, str]) -> dict[str, str]:
    """The file names of this home's service and timer."""
    name = f"slowwave-{own}" if (own := label(env)) else "slowwave"
    return {part: f"{name}.{part}" for part in PARTS}


def units_folder(env: Mapping[str, str]) -> Path:
    """Where a user's own units lie."""
    base = env.get("XDG_CONFIG_HOME", "").strip()
    return (Path(base) if base else Path.home() / ".config") / "systemd" / "user"


def available() -> bool:
    """Whether a user manager answers, which it does not in most containers and on other systems than Linux."""
    if shutil.which("systemctl") is None:
        return False
    return subprocess.run(["systemctl", "--user", "show-environment"], capture_output=True, check=False).returncode == 0


def render_units(job: ScheduledJob, on_calendar: list[str], env: Mapping[str, str]) -> dict[str, str]:
    """The text of the service and of its timer, by file name."""
    templates = Environment(
        loader=FileSystemLoader(deployments_folder() / "systemd"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    values = {
        "command": " ".join([quoted(job.command[0]), *(quoted(word, argument=True) for word in job.command[1:])]),
        "environment": [quoted(f"{name}={value}") for name, value in sorted(job.environment.items())],
        "environment_file": str(job.environment_file).replace("%", "%%"),
        "on_calendar": on_calendar,
    }
    return {name: templates.get_template(f"slowwave.{part}.j2").render(values) for part, name in names(env).items()}


def quoted(word: str, *, argument: bool = False) -> str:
    """A word for a unit file: specifiers, and variables in a command's arguments, are taken literally."""
    text = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    if argument:
        text = text.replace("$", "$$")
    return f'"{text}"'


def install(job: ScheduledJob, on_calendar: list[str], env: Mapping[str, str]) -> list[Path]:
    """Write the units and start the timer; return the files.

    Raises:
        ScheduleError: the user manager refuses; the units lie there all the same.
    """
    folder = units_folder(env)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in render_units(job, on_calendar, env).items():
        path = folder / name
        path.write_text(text, encoding="utf-8")
        written.append(path)
    _systemctl("daemon-reload")
    _systemctl("enable", "--now", names(env)["timer"])
    return written


def remove(env: Mapping[str, str]) -> list[Path]:
    """Stop the timer and delete the units; return what was deleted."""
    found = installed(env)
    if not found:
        return []
    if available():
        _systemctl("disable", "--now", names(env)["timer"])
    for path in found:
        path.unlink()
    if available():
        _systemctl("daemon-reload")
    return found


def installed(env: Mapping[str, str]) -> list[Path]:
    """Our unit files that exist."""
    return [path for name in reversed(names(env).values()) if (path := units_folder(env) / name).exists()]


def is_running(env: Mapping[str, str]) -> bool | None:
    """Whether our timer is active, None where no user manager answers."""
    if not available():
        return None
    asked = ["systemctl", "--user", "is-active", "--quiet", names(env)["timer"]]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


def _systemctl(*arguments: str) -> None:
    result = subprocess.run(["systemctl", "--user", *arguments], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise ScheduleError(
            f"systemctl --user {' '.join(arguments)} failed: {result.stderr.strip()}",
            hint="Use `slowwave schedule install --manager cron`, or start the units where a user manager runs.",
        )
