"""When a plan's allowance comes back, as tools say it in the message that ends a run."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

LONGEST_SECONDS = 8 * 86_400.0
DEFAULT_SECONDS = 3600.0

PLAN = re.compile(
    r"usage limit|(?:session|weekly|daily|plan|5-hour|hourly|your) limit\b|limit reached|hit your .{0,20}limit|quota"
    r"|out of (?:credits|usage)|exhausted your",
    re.IGNORECASE,
)
LOGIN = re.compile(
    r"/login|log ?in|not (?:logged|signed) in|sign in|invalid api key|unauthorized|authenticat|credentials|auth method",
    re.IGNORECASE,
)
_STAMP = re.compile(r"\|\s*(\d{10})\b")
_ISO = re.compile(r"\b(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?)")
_CLOCK = re.compile(
    r"(?:resets?|again|until|at|after)\D{0,24}?\b(\d{1,2})(?::(\d\d))?\s*([ap])\.?m\b\.?", re.IGNORECASE
)
_DAY_CLOCK = re.compile(r"\b(\d{1,2}):(\d\d)\b")
_ZONE = re.compile(r"\(([A-Za-z]+(?:/[A-Za-z_+-]+)+|UTC)\)")
_DATE = re.compile(
    r"\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?\b", re.IGNORECASE
)
_SPAN = re.compile(r"(\d+)\s*(d|h|m|s)(?:ays?|ours?|rs?|in(?:ute)?s?|ec(?:ond)?s?)?\b", re.IGNORECASE)
_IN = re.compile(r"\b(?:in|after)\s+((?:\d+\s*[a-z]+[,\s]*(?:and\s+)?)+)", re.IGNORECASE)
_UNITS = {"d": 86_400, "h": 3600, "m": 60, "s": 1}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def reset_time(words: str, now: float) -> float:
    """Return when to ask again (seconds, epoch): the time that the words name, or an hour from now."""
    named = _named(words, datetime.fromtimestamp(now, UTC))
    if named is None:
        return now + DEFAULT_SECONDS
    return min(max(named, now + 60), now + LONGEST_SECONDS)


def _named(words: str, now: datetime) -> float | None:
    if match := _STAMP.search(words):
        return float(match[1])
    if match := _ISO.search(words):
        moment = datetime.fromisoformat(match[1].replace("Z", "+00:00"))
        return (moment if moment.tzinfo else moment.astimezone()).timestamp()
    if (match := _IN.search(words)) and (spans := _SPAN.findall(match[1])):
        return now.timestamp() + sum(int(count) * _UNITS[unit.lower()] for count, unit in spans)
    return _by_clock(words, now)


def _by_clock(words: str, now: datetime) -> float | None:
    if (match := _CLOCK.search(words)) is not None:
        hour, minute = int(match[1]) % 12 + (12 if match[3].lower() == "p" else 0), int(match[2] or 0)
    elif (match := _DAY_CLOCK.search(words)) is not None:
        hour, minute = int(match[1]), int(match[2])
    else:
        return None
    if hour > 23 or minute > 59:
        return None
    zone = _ZONE.search(words)
    try:
        there = now.astimezone(ZoneInfo(zone[1])) if zone else now.astimezone()
    except (KeyError, ValueError, OSError):
        there = now.astimezone()
    moment = there.replace(hour=hour, minute=minute, second=0, microsecond=0)
    if (date := _DATE.search(words)) is not None:
        month = _MONTHS.index(date[1].lower()[:3]) + 1
        try:
            moment = moment.replace(month=month, day=int(date[2]))
        except ValueError:
            return None
        return (moment if moment >= there - timedelta(days=2) else moment.replace(year=moment.year + 1)).timestamp()
    return (moment if moment > there else moment + timedelta(days=1)).timestamp()
