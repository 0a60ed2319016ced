"""What a statement chooses and what it turns down, to see when a newer one contradicts an older one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from slowwave.llm.offline.similarity import (
    CACHED,
    SAME_SUBJECT,
    code_spans,
    is_near_duplicate,
    is_negative,
    likeness,
    normalised,
    numbers,
)
from slowwave.llm.offline.vocabulary import STOP_WORDS

_RIVALS: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split())
    for group in (
        "npm pnpm yarn bun",
        "pip uv poetry pipenv conda pdm",
        "jest vitest mocha ava",
        "pytest unittest nose",
        "tabs spaces",
        "black yapf autopep8",
        "eslint biome oxlint",
        "flake8 pylint ruff",
        "mypy pyright",
        "docker podman",
        "squash rebase merge",
        "postgres postgresql mysql sqlite mariadb mongodb",
        "webpack vite rollup esbuild parcel",
        "redux zustand jotai mobx recoil",
        "rest graphql grpc",
        "moment dayjs date-fns luxon",
        "axios fetch",
        "requests httpx aiohttp",
        "playwright cypress selenium puppeteer",
        "camelcase snake_case kebab-case pascalcase",
        "gtest catch2",
        "english chinese japanese thai korean german french spanish",
        "中文 英文 日文",
        "日本語 英語 中国語",
        "ภาษาไทย ภาษาอังกฤษ",
        "single-quotes double-quotes",
        "single double",
        "main develop master trunk",
    )
)
_TOOL = r"[`'\"]?([A-Za-z@][\w@/.+-]*)[`'\"]?"
_REJECTS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?i)\b(?:instead\s+of|rather\s+than|over|in\s+place\s+of|statt|anstatt|anstelle\s+von"
        rf"|plutôt\s+que|au\s+lieu\s+de|en\s+(?:vez|lugar)\s+de)\s+{_TOOL}",
        rf"(?i),?\s+(?:and\s+)?(?:not|never|nicht|pas|non)\s+(?:use\s+)?{_TOOL}[.!]?$",
        rf"(?i)\b(?:don'?t|do\s+not|never|stop|avoid|no\s+longer)\s+(?:ever\s+)?us(?:e|ing)\s+{_TOOL}",
        rf"(?:不要用|不要使用|别用|別用|不用|禁止使用|而不是|而非|代替|取代)\s*{_TOOL}",
        rf"{_TOOL}\s*(?:ではなく|じゃなくて?|の代わりに|を使わず|は使わない|は禁止|は使用禁止)",
        rf"(?:แทน(?:ที่)?|ไม่ใช่|อย่าใช้|ห้ามใช้|ไม่ใช้)\s*{_TOOL}",
        rf"{_TOOL}\s*(?:말고|대신)",
    )
)
_USES = re.compile(
    rf"(?i)(?:\b(?:use|uses|using|prefer|prefers|run|go\s+with|switch\s+to|install\s+with"
    rf"|with|verwende|benutze|nutze|nimm|utilise[rz]?|usa|utiliza)|使用|用|改用|优先使用|ใช้"
    rf"|เลือก)\s*{_TOOL}"
    rf"|{_TOOL}\s*(?:を使|を利用|を採用|に統一|で)|{_TOOL}(?:을|를)\s*(?:사용|써|쓰)"
)
_SUBJECT_NOISE = re.compile(
    r"(?i)\b(?:use|uses|using|prefers?|instead of|rather than|over|not|never|always|only"
    r"|please|now|from now on|switch to|go with|do|don'?t)\b|而不是|不要|使用|用|改|今后"
    r"|以后|ではなく|の代わりに|を使って|ください|今後|ใช้|แทน|ไม่ใช่|ต่อไปนี้|ห้าม|อย่า"
)
_REASON = re.compile(
    r"(?:\b(?:because|since|so that|as it|weil|parce|car|porque)\b|因[为為]).*$|^.*(?:ので|ため|から)、", re.I
)
_SHORT_REST = 14


@dataclass(frozen=True, slots=True)
class Choice:
    """`chosen` and `rejected` are names in lower case; `groups` are the sets of rivals they belong to; `rest` is the
    statement without them: what it is about."""

    chosen: frozenset[str]
    rejected: frozenset[str]
    groups: frozenset[int]
    rest: str


def _name(word: str) -> str:
    return word.casefold().rstrip(".,-/+")


@lru_cache(maxsize=CACHED)
def choice_of(text: str) -> Choice:
    """Read what a statement chooses and rejects, from its wording and from well-known sets of rivals."""
    rejected = {_name(found[1]) for pattern in _REJECTS for found in pattern.finditer(text)}
    chosen = {_name(name) for found in _USES.finditer(text) for name in found.groups() if name} - rejected - STOP_WORDS
    groups = {number for number, rivals in enumerate(_RIVALS) if rivals & (chosen | rejected)}
    rest = _REASON.sub("", text.casefold())
    for name in sorted(chosen | rejected, key=len, reverse=True):
        rest = rest.replace(name, " ")
    return Choice(frozenset(chosen), frozenset(rejected), frozenset(groups), normalised(_SUBJECT_NOISE.sub(" ", rest)))


def _same_subject(new: Choice, old: Choice) -> bool:
    return len(new.rest) <= _SHORT_REST or likeness(new.rest, old.rest) >= SAME_SUBJECT


def _names_command(text: str) -> bool:
    """A command that worked says nothing against another that did."""
    return any(" " in span for span in code_spans(text))


def contradicts(new: str, old: str) -> bool:
    """Tell whether a newer statement gives the same subject another value than an older one: another tool of the same
    sort, another number, or the opposite."""
    if _names_command(new) or _names_command(old):
        return False
    one, other = choice_of(new), choice_of(old)
    turned_down = bool(one.rejected & other.chosen) or bool(one.chosen & other.rejected)
    if turned_down and (_same_subject(one, other) or len(other.rest) <= _SHORT_REST):
        return True
    for number in one.groups & other.groups:
        rivals = _RIVALS[number]
        mine, theirs = one.chosen & rivals, other.chosen & rivals
        if mine and theirs and mine != theirs and _same_subject(one, other):
            return True
    bare_new, bare_old = re.sub(r"\d+(?:[.,]\d+)*", "#", new), re.sub(r"\d+(?:[.,]\d+)*", "#", old)
    if numbers(new) != numbers(old) and numbers(new) and numbers(old):
        return likeness(bare_new, bare_old) >= 0.85 and is_negative(new) == is_negative(old)
    return is_negative(new) != is_negative(old) and likeness(one.rest, other.rest) >= 0.85


def restates(new: str, old: str) -> bool:
    """Tell whether two statements say the same: alike in wording, and not for something else that is spelt alike."""
    return is_near_duplicate(new, old) and not contradicts(new, old)
