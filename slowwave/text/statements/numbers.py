"""Quantities, dates and numbered things in statements."""

from __future__ import annotations

import re
from typing import NamedTuple

from slowwave.text.statements.wording import compiled


def _units(table: str) -> dict[str, tuple[str, float]]:
    found: dict[str, tuple[str, float]] = {}
    for line in table.strip().split("\n"):
        dimension, factor, *names = line.split()
        found |= {name: (dimension, float(factor)) for name in names}
    return found


_UNITS = _units(
    """
    time 0.001 ms millisecond milliseconds millisekunden millisecondes milisegundos 毫秒 ミリ秒 밀리초
    time 1 s sec secs second seconds sekunde sekunden seconde secondes segundo segundos секунд секунды giây 秒 초 วินาที
    time 60 min mins minute minutes minuten minuto minutos минут минуты phút 分钟 分 分間 分鐘 분 นาที
    time 3600 h hr hrs hour hours stunde stunden heure heures hora horas часов часа час giờ 小时 時間 小時 시간 ชั่วโมง
    time 86400 d day days tag tage tagen jour jours día días dia dias дней дня день ngày 天 日間 일 วัน
    time 604800 week weeks woche wochen semaine semaines semana semanas недель недели tuần 周 週間 주 สัปดาห์
    time 2592000 month months monat monate monaten mois mes meses mês месяц месяца месяцев tháng 个月 個月 ヶ月 か月 개월 เดือน
    time 31536000 year years jahr jahre jahren an ans année années año años ano anos год года лет năm 年 年間 년 ปี
    size 1 b byte bytes
    size 1024 kb kib
    size 1048576 mb mib
    size 1073741824 gb gib
    share 1 % percent prozent pourcent 百分 パーセント 퍼센트
    count 1 times 个 個 次 回 つ 칸 개 줄 行 字 字符 文字 条 本 ครั้ง บรรทัด
    """
)
_NUMBER_WORDS = {
    word: str(number)
    for number, words in enumerate(
        (
            "", "", "two zwei deux dos dois два hai", "three drei trois tres três три", "four vier quatre cuatro quatro четыре bốn",
            "five fünf cinq cinco пять năm", "six sechs", "seven sieben", "eight acht huit ocho oito восемь tám", "nine neun", "ten zehn dix diez dez десять mười",
            "eleven elf", "twelve zwölf douze",
        )
    )
    for word in words.split()
}  # fmt: skip
_HAN_DIGITS = {
    "一": "1",
    "两": "2",
    "二": "2",
    "三": "3",
    "四": "4",
    "五": "5",
    "六": "6",
    "七": "7",
    "八": "8",
    "九": "9",
    "十": "10",
}
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero janeiro января", "february feb februar février febrero fevereiro февраля",
            "march mar märz mars marzo março марта", "april apr avril abril апреля", "may mai mayo maio мая",
            "june jun juni juin junio junho июня", "july jul juli juillet julio julho июля", "august aug août agosto августа",
            "september sep sept septembre septiembre setembro сентября", "october oct oktober octobre octubre outubro октября",
            "november nov novembre noviembre novembro ноября", "december dec dezember décembre diciembre dezembro декабря",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
LABELS = frozenset(
    [
        "module",
        "modules",
        "step",
        "steps",
        "phase",
        "chapter",
        "issue",
        "issues",
        "ticket",
        "tickets",
        "section",
        "item",
        "task",
        "story",
        "sprint",
        "milestone",
        "part",
        "case",
        "rule",
        "layer",
        "room",
        "unit",
        "lesson",
        "exercise",
        "stage",
        "figure",
        "table",
        "page",
        "example",
        "question",
        "act",
        "scene",
        "zone",
        "building",
        "floor",
        "team",
        "group",
        "class",
        "grade",
        "player",
        "planet",
        "level",
        "episode",
        "volume",
        "version-number",
        "invoice",
        "order",
        "room",
        "gate",
        "platform",
        "line",
        "track",
        "court",
        "field",
        "schritt",
        "kapitel",
        "teil",
        "seite",
        "étape",
        "chapitre",
        "paso",
        "capítulo",
        "etapa",
        "шаг",
        "глава",
        "bước",
        "chương",
        "第",
        "步骤",
        "章",
        "ステップ",
        "章",
        "단계",
        "장",
        "ขั้นตอน",
        "บท",
    ]
)
"""Nouns whose number says which one is meant, not how much."""

_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = (
    rf"(?<!\w)(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.)?(?:\s+(?:of|de|do))?\s+(?P<month>{_MONTH})\b"
    rf"|\b(?P<month2>{_MONTH})\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)"
    r"|(?P<year3>\d{4})-(?P<month3>\d{2})-(?P<day3>\d{2})|(?P<month4>\d{1,2})\s*(?:月|월)\s*(?P<day4>\d{1,2})\s*(?:日|号|號|일)"
)
_SPELT = (
    rf"\b(?:{'|'.join(sorted(_NUMBER_WORDS, key=len, reverse=True))})\b"
    r"|[一两二三四五六七八九十](?=\s*(?:个|個|次|秒|分钟|分鐘|小时|小時|天|行|周|条|回|つ|字|空格|\ue000))"
)
_RANGE = r"(\d[\d.,:]*)\s*(?:-|–|to|and|bis|à|a|至|到|から|에서|〜|~)\s*(\d[\d.,:]*)"


class Quantity(NamedTuple):
    """A number as a token, and whether the word after it was its unit."""

    token: str
    took_unit: bool


def date_of(text: str) -> tuple[str, list[str]]:
    """The text without dates and with numerals for number words, and the dates as tokens."""
    dates: list[str] = []

    def take(found: re.Match[str]) -> str:
        groups = found.groupdict()
        month = groups["month"] or groups["month2"]
        number = _MONTHS[month.casefold()] if month else int(groups["month3"] or groups["month4"])
        day = groups["day"] or groups["day2"] or groups["day3"] or groups["day4"]
        dates.append(f"#date:{number:02d}-{int(day):02d}")
        return " "

    text = compiled(_DATE).sub(take, text)
    text = compiled(_SPELT).sub(
        lambda found: _NUMBER_WORDS.get(found.group().casefold()) or _HAN_DIGITS[found.group()], text
    )
    return compiled(_RANGE).sub(r"\1:\2", text), dates


def quantity(piece: str, following: str) -> Quantity | None:
    """Read a number and the unit after it; None for a word that only starts with a digit."""
    found = re.fullmatch(r"(\d+(?:[.,:]\d+)*)(%?)([a-z]*)", piece, re.IGNORECASE)
    if found is None:
        return None
    number, percent, suffix = found.groups()
    unit = _UNITS.get("%" if percent else suffix.casefold())
    took = False
    if unit is None and suffix:
        return None
    if unit is None:
        unit = _unit_at(following)
        took = unit is not None
    if ":" in number or number.count(".") > 1:
        return Quantity(f"#:{number}", False)
    value = float(number.replace(",", ".") if number.count(",") == 1 else number.replace(",", ""))
    dimension, factor = unit or ("", 1.0)
    dimension = "" if dimension == "count" else dimension
    return Quantity(f"#{dimension}:{value * factor:g}", took)


def _unit_at(following: str) -> tuple[str, float] | None:
    """The unit that a word is, or that a run of a script without blanks starts with."""
    low = following.casefold()
    if low in _UNITS:
        return _UNITS[low]
    return None
