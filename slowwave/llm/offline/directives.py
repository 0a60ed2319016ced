"""Directives, corrections and decisions that a person typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from slowwave.llm.offline import text as texts
from slowwave.llm.offline.east_asian import CHINESE, JAPANESE, KOREAN
from slowwave.llm.offline.english import ENGLISH
from slowwave.llm.offline.european import FRENCH, GERMAN, SPANISH
from slowwave.llm.offline.rules import Lexicon, Match, match_rules
from slowwave.llm.offline.thai import THAI
from slowwave.rollouts.model import Item, ItemKind
from storage.types import MemoryKind

_BY_SCRIPT: dict[str, tuple[Lexicon, ...]] = {
    "latin": (ENGLISH, GERMAN, FRENCH, SPANISH),
    "zh": (CHINESE,),
    "ja": (JAPANESE,),
    "ko": (KOREAN,),
    "th": (THAI,),
}
_MAX_TEXT = 260
_MIN_TEXT = {"latin": 14, "th": 12, "ko": 8, "ja": 8, "zh": 6}

_FIRST_PERSON = (
    (re.compile(r"^I(?:'d|\s+would)\s+(?:much\s+)?rather\s+", re.I), "The user would rather "),
    (
        re.compile(
            r"^I\s+(strongly\s+|really\s+|much\s+|generally\s+|usually\s+|still\s+)?(prefer|hate"
            r"|dislike|like)\b",
            re.I,
        ),
        None,
    ),
    (re.compile(r"^I\s+(?:really\s+)?(?:don'?t|do\s+not)\s+like\b", re.I), "The user does not like"),
    (re.compile(r"^I\s+(?:\w+ly\s+)?(?:don'?t|do\s+not)\s+want\b", re.I), "The user does not want"),
    (re.compile(r"^I\s+(always|never)\s+want\b", re.I), r"The user \1 wants"),
    (re.compile(r"^I(?:'ve|\s+have)?\s+noticed\s+(?:that\s+)?you\b", re.I), "The user objected to the agent"),
    (re.compile(r"^(?:can|could|would|will)\s+you\s+(?:please\s+)?(.+?)\??$", re.I), r"\1"),
    (re.compile(r"^please\s+", re.I), ""),
    (re.compile(r"^remember(?:\s+(?:that|to))?[:,]?\s+", re.I), ""),
    (re.compile(r"^(?:let'?s|let\s+us)\s+(?:just\s+)?", re.I), ""),
    (re.compile(r"^I\s+think\s+(?:that\s+)?we\b", re.I), "We"),
    (
        re.compile(
            r"^(?:from\s+now\s+on|going\s+forward|henceforth|from\s+here\s+on|from\s+this\s+point\s+on)[,:]?\s+", re.I
        ),
        "",
    ),
)
_LEADING_MARK = re.compile(
    r"^(?:今[后後]|以[后後]|[从從][现現]在(?:[开開]始|起)|今後は?|これから(?:は)?|앞으로는?"
    r"|이제부터는?|จากนี้(?:ไป)?|ต่อไปนี้)[、，,\s]*"
)


@dataclass(frozen=True, slots=True)
class Said:
    """One durable thing that a person typed: kind, normalised text, when it applies, and where it stands."""

    kind: MemoryKind
    text: str
    situation: str
    item: int
    quote: str


def _content_words(quote: str) -> int:
    return len({word for word in re.findall(r"[A-Za-zÀ-ÿ][\w'+.-]+", quote.lower()) if len(word) > 2})


def _normalise(quote: str, script: str) -> str:
    text = quote.strip().strip("\"'“”")
    if script == "latin":
        for pattern, replacement in _FIRST_PERSON:
            if replacement is None:
                text = pattern.sub(lambda found: f"The user {found[1] or ''}{found[2]}s", text, count=1)
            else:
                text = pattern.sub(replacement, text, count=1)
    else:
        text = _LEADING_MARK.sub("", text)
    text = text.strip().rstrip(";；,，、 ")
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    if text[-1] in ".!?。！？…":
        return text
    return text + {"zh": "。", "ja": "。", "th": ""}.get(script, ".")


def _accept(match: Match, item: Item, script: str) -> Said | None:
    quote = match.quote
    if len(quote) > texts.MAX_QUOTE or len(quote) > _MAX_TEXT or len(quote) < _MIN_TEXT[script]:
        return None
    if script == "latin" and _content_words(quote) < 3:
        return None
    if texts.is_volatile(quote):
        return None
    text = _normalise(match.body, script)
    situation = match.situation[:1].lower() + match.situation[1:] if script == "latin" else match.situation
    return Said(match.kind, text, situation, item.index, quote) if text else None


def _match(sentence: str, script: str) -> Match | None:
    for lexicon in _BY_SCRIPT[script]:
        found = match_rules(sentence, lexicon, lexicon.decisions) or match_rules(sentence, lexicon, lexicon.rules)
        if found is not None:
            return found
    return None


def said_in(item: Item) -> Iterator[Said]:
    """Yield the durable statements of one item that a person typed, in order."""
    if item.kind is not ItemKind.USER_TEXT:
        return
    for unit in texts.typed(item.text).units:
        for sentence in texts.sentences(unit):
            script = texts.script(sentence)
            match = _match(sentence, script)
            said = _accept(match, item, script) if match else None
            if said is not None:
                yield said
