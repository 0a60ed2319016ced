"""How alike two memories are, in any script.

Character n-grams need no word boundaries, so they work for Chinese, Japanese and Thai too. Alike wording is not alike
meaning: a number, a negation or the chosen tool may be what differs, so these are compared apart.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from slowwave.llm.offline.rules import words

DUPLICATE = 0.74
"""Dice coefficient from which two texts count as the same statement."""
SAME_SUBJECT = 0.5
"""Dice coefficient, without the differing values, from which two texts speak of the same thing."""

CACHED = 4_096
"""Texts whose parts are kept at hand: some 30 MB at most, whatever the size of the memory."""

_FILLER = words(
    r"\b(?:the|a|an|please|always|in this (?:repo|repository|project)|of|to|and|for|with|that|is|are|user|would)\b",
    r"[请請]|ください|下さい|してね|ครับ|ค่ะ|นะ",
)
_NEGATION = words(
    r"\b(?:never|not|don['’]?t|do not|no|avoid|stop|without|must not|mustn['’]?t|can['’]?t|cannot)\b",
    r"\b(?:nie|niemals|nicht|keine?|jamais|ne|pas|nunca|jamás)\b",
    r"不要|不能|不得|不许|不許|不准|不用|别|別|禁止|严禁|嚴禁|ない|ไม่|ห้าม|อย่า|마세요|말고|금지|않",
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def normalised(text: str) -> str:
    """Fold case and width, drop filler words, punctuation and white space."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    folded = _FILLER.sub(" ", folded)
    return "".join(char for char in folded if unicodedata.category(char)[0] in "LMN")


@lru_cache(maxsize=CACHED)
def grams(text: str) -> frozenset[str]:
    """Return the n-grams of a text: pairs where most of it has no word boundaries, triples elsewhere."""
    plain = normalised(text)
    wide = sum(ord(char) > 0x2E7F or 0x0E00 <= ord(char) <= 0x0E7F for char in plain)
    size = 2 if wide * 2 > len(plain) else 3
    if len(plain) <= size:
        return frozenset({plain}) if plain else frozenset()
    return frozenset(plain[at : at + size] for at in range(len(plain) - size + 1))


def likeness(first: str, second: str) -> float:
    """Dice coefficient of two texts' n-grams, between 0 and 1."""
    one, two = grams(first), grams(second)
    if not one or not two:
        return 0.0
    return 2 * len(one & two) / (len(one) + len(two))


@lru_cache(maxsize=CACHED)
def is_negative(text: str) -> bool:
    """Tell whether a statement forbids or denies."""
    return _NEGATION.search(text) is not None


@lru_cache(maxsize=CACHED)
def numbers(text: str) -> frozenset[str]:
    """The numbers in a text."""
    return frozenset(_NUMBER.findall(text))


@lru_cache(maxsize=CACHED)
def code_spans(text: str) -> tuple[str, ...]:
    """What stands between back quotes, in order."""
    return tuple(re.findall(r"`([^`]+)`", text))


def is_near_duplicate(first: str, second: str) -> bool:
    """Tell whether two texts say the same: alike in wording, and equal in numbers, in polarity and in quoted code."""
    if first == second:
        return True
    if numbers(first) != numbers(second) or is_negative(first) != is_negative(second):
        return False
    if code_spans(first) != code_spans(second):
        return False
    return likeness(first, second) >= DUPLICATE
