"""`slowwave schedule`: a systemd user timer or a crontab line that calls `slowwave run --scheduled`."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Literal

import click

from slowwave.app import App, open_app
from slowwave.cli.common import json_option
from slowwave.cli.output import emit, say
from slowwave.errors import ScheduleError
from slowwave.llm.roles import variables_of
from slowwave.scheduling import crontab, systemd
from slowwave.scheduling.calendar import Cron, parse_cron
from slowwave.scheduling.job import ScheduledJob, keep, nightly_job, only_here
from slowwave.scheduling.nights import mark

Manager = Literal["systemd", "cron"]


@click.group()
def schedule() -> None:
    """Run every night without a service of one's own.

    \b
    Example:
      slowwave schedule install
    """


@schedule.command()
@click.option(
    "--manager",
    type=click.Choice(["auto", "systemd", "cron"]),
    default="auto",
    show_default=True,
    help="Who starts it; auto prefers systemd.",
)
@click.option("--print", "only_print", is_flag=True, help="Show what would be installed and change nothing.")
@json_option
def install(manager: str, only_print: bool, as_json: bool) -> None:
    """Install the schedule of schedule.cron and schedule.timeZone, in the place of an older one.

    \b
    Example:
      slowwave config set schedule.cron "30 2 * * *" && slowwave schedule install
    """
    app = open_app()
    cron, job = parse_cron(app.settings.schedule.cron), nightly_job(app.home, app.env)
    chosen = _choose(manager, job, cron)
    if chosen == "cron":
        crontab.check_zone(app.settings.schedule.time_zone)
    if only_print:
        _print(_preview(app, chosen, job, cron), as_json)
        return
    _remove_other(app, chosen)
    if chosen == "systemd":
        paths = systemd.install(job, cron.on_calendar(app.settings.schedule.time_zone), app.env)
        what = {str(path): path.read_text(encoding="utf-8") for path in paths}
    else:
        what = {"crontab": crontab.install(job, cron, app.env)}
    mark(app.home)
    _tell_installed(app, chosen, cron, job, what, as_json)


@schedule.command()
@json_option
def remove(as_json: bool) -> None:
    """Take the schedule out again; memory and settings stay.

    \b
    Example:
      slowwave schedule remove
    """
    app = open_app()
    removed = [str(path) for path in systemd.remove(app.env)]
    if (found := crontab.remove(app.env)) is not None:
        removed.append(found)
    if as_json:
        emit({"removed": removed})
    else:
        say("\n".join(f"removed {what}" for what in removed) or "no schedule is installed")


@schedule.command()
@json_option
def show(as_json: bool) -> None:
    """Show what is installed and when it fires next.

    \b
    Example:
      slowwave schedule show --json
    """
    app = open_app()
    cron = parse_cron(app.settings.schedule.cron)
    state = {
        "cron": cron.expression,
        "timeZone": app.settings.schedule.time_zone,
        "systemd": [str(path) for path in systemd.installed(app.env)],
        "crontab": crontab.installed(app.env),
        "enabled": app.settings.memories.enabled,
        "next": _next(app, cron),
    }
    if as_json:
        emit(state)
        return
    where = ", ".join(state["systemd"]) or state["crontab"] or "nothing is installed"  # type: ignore[arg-type]
    say(f"{cron.expression} ({app.settings.schedule.time_zone or 'machine time zone'}): {where}")
    if systemd.installed(app.env) or state["crontab"]:
        say(f"next: {state['next']}")
        _warn_disabled(app)


def _choose(manager: str, job: ScheduledJob, cron: Cron) -> Manager:
    if manager == "systemd" or (manager == "auto" and systemd.available()):
        return "systemd"
    if manager == "cron" or crontab.available():
        if not crontab.available():
            raise ScheduleError(
                "there is no `crontab` command here", hint=f"The line would be: {crontab.line(job, cron)}"
            )
        return "cron"
    raise ScheduleError(
        "neither a systemd user manager nor cron was found",
        hint="Use `slowwave serve`, or let another scheduler call `slowwave run --scheduled`.",
    )


def _remove_other(app: App, chosen: Manager) -> None:
    """Two schedules would do no harm, but the second would be a surprise."""
    if chosen == "systemd":
        crontab.remove(app.env)
    else:
        systemd.remove(app.env)


def _preview(app: App, chosen: Manager, job: ScheduledJob, cron: Cron) -> dict[str, str]:
    if chosen == "cron":
        return {"crontab": crontab.line(job, cron)}
    folder = systemd.units_folder(app.env)
    units = systemd.render_units(job, cron.on_calendar(app.settings.schedule.time_zone), app.env)
    return {str(folder / name): text for name, text in units.items()}


def _print(what: dict[str, str], as_json: bool) -> None:
    if as_json:
        emit(what)
        return
    for name, text in what.items():
        say(f"{name}:\n{text}")


def _next(app: App, cron: Cron) -> str:
    return cron.upcoming(app.settings.schedule.time_zone, datetime.now().astimezone())[0].isoformat()


def _tell_installed(
    app: App, chosen: Manager, cron: Cron, job: ScheduledJob, what: dict[str, str], as_json: bool
) -> None:
    if as_json:
        emit({"manager": chosen, "installed": what, "next": _next(app, cron)})
        return
    say(f"{chosen}: {', '.join(what)}; next run {_next(app, cron)}")
    _keep_keys(app, job)
    if chosen == "systemd":
        say("user timers run while you are logged in; `loginctl enable-linger` lets them run without")
    _warn_disabled(app)


def _keep_keys(app: App, job: ScheduledJob) -> None:
    """What answers by hand answers at night: a key that only this shell has would be missing then."""
    missing = only_here(job, variables_of(app.settings.models), app.env)
    file = job.environment_file
    if not missing:
        say(f"keys and other variables for it go into {file}, one NAME=value a line")
    elif sys.stdin.isatty() and click.confirm(f"Write {' and '.join(missing)} into {file}, which only you can read?"):
        keep(job, missing, app.env)
        say(f"{', '.join(missing)}: kept for the night")
    else:
        say(f"only this shell has {' and '.join(missing)}: the night uses the offline extractor until {file} has them,"
            " one NAME=value a line", style="yellow")  # fmt: skip


def _warn_disabled(app: App) -> None:
    if not app.settings.memories.enabled:
        say("memories.enabled is false, so it will do nothing; `slowwave config set memories.enabled true`", err=True)
