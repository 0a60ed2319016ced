"""Copy the deployment files to a folder of the user's, with the user's schedule."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

from ruamel.yaml import YAML

from slowwave.errors import ConfigError
from slowwave.scheduling.calendar import parse_cron
from slowwave.scheduling.shipped import deployments_folder
from slowwave.settings import ScheduleSettings

PREFECT_FILE = "prefect.yaml"
# Rendered by `slowwave schedule install`, which knows the machine's folders.
_NOT_COPIED = {".j2"}


def write_deployment_files(
    directory: Path, schedule: ScheduleSettings, *, host: str | None = None, force: bool = False
) -> list[Path]:
    """Write every file and return the paths. With `host` only prefect.yaml, with deployments for that host's queue.

    Raises:
        ConfigError: a file is there already and `force` is false (nothing is written), or the schedule is wrong.
    """
    source = deployments_folder()
    files = sorted(path for path in source.rglob("*") if path.is_file() and path.suffix not in _NOT_COPIED)
    contents = {path.relative_to(source): path.read_text(encoding="utf-8") for path in files}
    contents[Path(PREFECT_FILE)] = with_schedule(contents[Path(PREFECT_FILE)], schedule)
    if host is not None:
        contents = {Path(PREFECT_FILE): for_host(contents[Path(PREFECT_FILE)], host)}
    there = [name for name in contents if (directory / name).exists()]
    if there and not force:
        raise ConfigError(
            f"{directory} holds {', '.join(str(name) for name in there)} already", hint="--force overwrites them."
        )
    written = []
    for name, text in contents.items():
        target = directory / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        written.append(target)
    return written


def with_schedule(text: str, schedule: ScheduleSettings) -> str:
    """prefect.yaml with the settings' cron and time zone; comments and order stay."""
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 120
    data = yaml.load(text)
    nightly = data["definitions"]["schedules"]["nightly"]
    nightly["cron"] = parse_cron(schedule.cron).expression
    nightly["timezone"] = schedule.time_zone or machine_zone()
    out = StringIO()
    yaml.dump(data, out)
    return out.getvalue()


def for_host(text: str, host: str) -> str:
    """prefect.yaml with deployments of one host: their names end with it, they wait in its queue, and a worker on
    another machine refuses them.

    Raises:
        ConfigError: the name may not be that of a queue.
    """
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", host):
        raise ConfigError(f"{host!r} is no host name", hint="Letters, digits, dots and dashes, at most 64.")
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 120
    data = yaml.load(text)
    data["definitions"]["work_pools"]["default"]["work_queue_name"] = host
    for deployment in data["deployments"]:
        deployment["name"] = f"{deployment['name']}-{host}"
        deployment["parameters"]["host"] = host
    out = StringIO()
    yaml.dump(data, out)
    return out.getvalue()


def machine_zone() -> str:
    """The machine's zone by name, `UTC` where it has none."""
    link = Path("/etc/localtime")
    if link.is_symlink():
        _, found, name = str(link.readlink()).partition("zoneinfo/")
        if found and name:
            return "UTC" if name in ("Etc/UTC", "UCT", "Universal") else name
    return "UTC"
