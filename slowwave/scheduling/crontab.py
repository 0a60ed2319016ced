"""A line in the user's crontab, found again by the comment above it."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from slowwave.errors import ConfigError, ScheduleError
from slowwave.paths import slowwave_home
from slowwave.scheduling.calendar import Cron
from slowwave.scheduling.job import ScheduledJob, label

MARK = "# slowwave: nightly run (`slowwave schedule remove` takes it out)"


def mark(env: Mapping[str, str]) -> str:
    """The comment above the line of this home."""
    return f"{MARK} of {slowwave_home(env)}" if label(env) else MARK


def available() -> bool:
    """Whether there is a `crontab` command."""
    return shutil.which("crontab") is not None


def is_running() -> bool | None:
    """Whether a cron daemon works here, None where that cannot be told (other systems than Linux)."""
    try:
        names = {file.read_text().strip() for file in Path("/proc").glob("[0-9]*/comm") if file.exists()}
    except OSError:
        return None
    return bool(names & {"cron", "crond", "fcron", "anacron", "dcron", "busybox-cron"}) if names else None


def check_zone(zone: str | None) -> None:
    """Refuse a zone other than the machine's: few crons know any other.

    Raises:
        ConfigError: the zones differ now or in half a year.
    """
    if zone is None:
        return
    now = datetime.now(UTC)
    for moment in (now, now + timedelta(days=182)):
        if moment.astimezone(ZoneInfo(zone)).utcoffset() != moment.astimezone().utcoffset():
            raise ConfigError(
                f"cron runs in this machine's time zone, which is not {zone}",
                hint="Set schedule.timeZone to null and give the time in the machine's zone, or use systemd.",
            )


def line(job: ScheduledJob, cron: Cron) -> str:
    """The crontab line. `%` ends a command there, so it is escaped."""
    environment = shlex.quote(str(job.environment_file))
    places = [f"{name}={shlex.quote(value)}" for name, value in sorted(job.environment.items())]
    command = " ".join([*places, *(shlex.quote(word) for word in job.command)])
    prepare = f"if [ -f {environment} ]; then set -a; . {environment}; set +a; fi"
    return f"{cron.expression} {prepare}; {command} >> {shlex.quote(str(job.log))} 2>&1".replace("%", "\\%")


def install(job: ScheduledJob, cron: Cron, env: Mapping[str, str]) -> str:
    """Put the line into the crontab, in the place of an older one; return it.

    Raises:
        ScheduleError: the crontab cannot be read or written.
    """
    text = line(job, cron)
    job.log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _write([*_without(_read(), mark(env)), mark(env), text])
    return text


def remove(env: Mapping[str, str]) -> str | None:
    """Take the line out; return it, or None when there was none."""
    found = installed(env)
    if found is not None:
        _write(_without(_read(), mark(env)))
    return found


def installed(env: Mapping[str, str]) -> str | None:
    """Our line, if it is there."""
    if not available():
        return None
    lines = _read()
    return lines[lines.index(mark(env)) + 1] if mark(env) in lines[:-1] else None


def _without(lines: list[str], mark: str) -> list[str]:
    if mark not in lines:
        return lines
    at = lines.index(mark)
    return lines[:at] + lines[at + 2 :]


def _read() -> list[str]:
    result = subprocess.run(["crontab", "-l"], capture_output=True, text=True, check=False)
    if result.returncode != 0 and "no crontab" not in result.stderr.lower():
        raise ScheduleError(f"crontab -l failed: {result.stderr.strip()}")
    return result.stdout.splitlines() if result.returncode == 0 else []


def _write(lines: list[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    result = subprocess.run(["crontab", "-"], input=text, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise ScheduleError(f"crontab - failed: {result.stderr.strip()}")
