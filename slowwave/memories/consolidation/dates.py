"""Dates that a line names, to see when its time is over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            *("jan january januar janvier enero ene gennaio janeiro", "feb february februar février fevrier febrero"),
            *("mar march märz maerz mars marzo março", "apr april avril abril aprile", "may mai mayo maggio maio"),
            *("jun june juni juin junio giugno junho", "jul july juli juillet julio luglio julho"),
            *("aug august août aout agosto", "sep sept september septembre septiembre settembre setembro"),
            *("oct october oktober okt octobre octubre ottobre outubro", "nov november novembre noviembre novembro"),
            "dec december dezember dez décembre decembre diciembre dicembre dezembro",
        ),
        1,
    )
    for name in names.split()
}
_NAMES = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ISO = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b")
_DOTTED = re.compile(r"\b(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}))?(?!\d)")
_DAY_MONTH = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s+(?:of\s+|de\s+)?({_NAMES})\b\.?(?:,?\s+(?:de\s+)?(\d{{4}}))?",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(rf"\b({_NAMES})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(\d{{4}}))?", re.IGNORECASE)
_EASTERN = re.compile(r"(?:(\d{4})\s?[年년])?\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号일]")


def has_passed(text: str, said_at: float | None, today: float) -> bool:
    """Whether a text names a date and every date in it lies before today (seconds since the epoch, as `said_at`).

    A date without a year is the first one after the words were said.
    """
    said = datetime.fromtimestamp(said_at if said_at is not None else today, UTC).date()
    now = datetime.fromtimestamp(today, UTC).date()
    found = list(_dates(text, said))
    return bool(found) and all(one < now for one in found)


def _dates(text: str, said: date) -> Iterator[date]:
    for year, month, day in _parts(text):
        try:
            one = date(year or said.year, month, day)
            if not year and one < said:
                one = date(said.year + 1, month, day)
        except ValueError:
            continue
        yield one


def _parts(text: str) -> Iterator[tuple[int, int, int]]:
    for match in _ISO.finditer(text):
        yield int(match[1]), int(match[2]), int(match[3])
    for match in _DOTTED.finditer(text):
        yield int(match[3] or 0), int(match[2]), int(match[1])
    for match in _DAY_MONTH.finditer(text):
        yield int(match[3] or 0), _MONTHS[match[2].casefold()], int(match[1])
    for match in _MONTH_DAY.finditer(text):
        yield int(match[3] or 0), _MONTHS[match[1].casefold()], int(match[2])
    for match in _EASTERN.finditer(text):
        yield int(match[1] or 0), int(match[2]), int(match[3])
