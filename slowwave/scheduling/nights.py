"""Whether the nightly run happens. Nights with nothing to do leave no row behind, so each run leaves a mark."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from slowwave.errors import SlowwaveError
from slowwave.private import make_private_folder
from slowwave.scheduling import crontab, systemd
from slowwave.scheduling.calendar import parse_cron

GRACE = timedelta(hours=2)


def mark(home: Path) -> None:
    """Note that a run was begun, or that a schedule was installed and nights count from now on."""
    path = _mark(home)
    make_private_folder(path.parent)
    path.touch(mode=0o600)
    os.utime(path)


def is_installed(env: Mapping[str, str]) -> bool:
    """Whether a timer or a crontab line of ours is there; one that cannot be asked for is none."""
    try:
        return bool(systemd.installed(env)) or crontab.installed(env) is not None
    except (SlowwaveError, OSError):
        return False


def missed(home: Path, env: Mapping[str, str], expression: str, zone: str | None, now: datetime) -> datetime | None:
    """When the last run began, if a schedule is installed and two of its nights have passed since; else None.

    Raises:
        ConfigError: `expression` is no cron expression.
    """
    try:
        last = datetime.fromtimestamp(_mark(home).stat().st_mtime, UTC).astimezone(now.tzinfo)
    except OSError:
        return None
    due = parse_cron(expression).upcoming(zone, last, 2)
    return last if len(due) == 2 and due[1] + GRACE < now and is_installed(env) else None


def _mark(home: Path) -> Path:
    return home / "logs" / "last-run"
