"""Cron expressions: parse them, and write them the way systemd timers are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from slowwave.errors import ConfigError

WEEKDAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MACROS = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
}


@dataclass(frozen=True, slots=True)
class Cron:
    """A cron expression of five fields. None in a field means every value."""

    expression: str
    minutes: tuple[int, ...] | None
    hours: tuple[int, ...] | None
    days: tuple[int, ...] | None
    months: tuple[int, ...] | None
    weekdays: tuple[int, ...] | None

    def on_calendar(self, zone: str | None) -> list[str]:
        """The expression as systemd `OnCalendar=` values.

        Cron fires when either the day of the month or the weekday fits; systemd wants both, so that case is two values.
        """
        time = f"{_listed(self.hours)}:{_listed(self.minutes)}:00" + (f" {zone}" if zone else "")
        months = _listed(self.months)
        names = ",".join(WEEKDAYS[day] for day in self.weekdays or ())
        by_date = f"*-{months}-{_listed(self.days)} {time}"
        by_weekday = f"{names} *-{months}-* {time}"
        if self.weekdays is None:
            return [by_date]
        return [by_weekday] if self.days is None else [by_date, by_weekday]

    def upcoming(self, zone: str | None, now: datetime, count: int = 1) -> list[datetime]:
        """The next moments at which it fires, in `zone` (None: the zone of `now`). `now` must be aware."""
        start = now.astimezone(ZoneInfo(zone)) if zone else now
        return list(islice(CronSim(self.expression, start), count))


def parse_cron(expression: str) -> Cron:
    """Parse five cron fields or a macro such as `@daily`.

    Raises:
        ConfigError: it is not a cron expression, or one that systemd could not express (`L`, `W`, `#`).
    """
    text = MACROS.get(expression.strip().lower(), expression.strip())
    try:
        CronSim(text, datetime(2026, 1, 1))
        minutes, hours, days, months, weekdays = text.split()
        return Cron(
            text,
            _field(minutes, 0, 59),
            _field(hours, 0, 23),
            _field(days, 1, 31),
            _field(months, 1, 12, MONTHS),
            _weekdays(weekdays),
        )
    except (CronSimError, ValueError) as error:
        raise ConfigError(
            f"schedule.cron is {expression!r}, which is not a cron expression of five fields: {error}",
            hint='Write it like "0 3 * * *": minute, hour, day of the month, month, weekday.',
        ) from error


def _weekdays(text: str) -> tuple[int, ...] | None:
    values = _field(text, 0, 7, tuple(name.lower() for name in WEEKDAYS), first=0)
    if values is None:
        return None
    return tuple(sorted({value % 7 for value in values}))


def _field(text: str, low: int, high: int, names: tuple[str, ...] = (), first: int = 1) -> tuple[int, ...] | None:
    if text == "*":
        return None
    values = sorted({value for part in text.split(",") for value in _part(part.lower(), low, high, names, first)})
    return tuple(values)


def _part(part: str, low: int, high: int, names: tuple[str, ...], first: int) -> Iterator[int]:
    span, _, step = part.partition("/")
    start, _, end = span.partition("-")
    if start == "*":
        begin, stop = low, high
    else:
        begin = _value(start, names, first)
        stop = _value(end, names, first) if end else (high if step else begin)
    if not low <= begin <= stop <= high:
        raise ValueError(f"{part} is outside {low}-{high}")
    yield from range(begin, stop + 1, int(step or 1))


def _value(text: str, names: tuple[str, ...], first: int) -> int:
    return names.index(text) + first if text in names else int(text)


def _listed(values: tuple[int, ...] | None) -> str:
    return "*" if values is None else ",".join(f"{value:02d}" for value in values)
