"""Directives, corrections and decisions that a person typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from slowwave.llm.offline import text as texts
from slowwave.llm.offline.chinese import CHINESE
from slowwave.llm.offline.english import ENGLISH
from slowwave.llm.offline.european import FRENCH, GERMAN, SPANISH
from slowwave.llm.offline.japanese import JAPANESE
from slowwave.llm.offline.korean import KOREAN
from slowwave.llm.offline.rules import Lexicon, Match, match_rules
from slowwave.llm.offline.thai import THAI
from slowwave.llm.offline.vocabulary import STOP_WORDS, names
from slowwave.rollouts.model import Item, ItemKind
from slowwave.storage.types import MemoryKind

_BY_SCRIPT: dict[str, tuple[Lexicon, ...]] = {
    "latin": (ENGLISH, GERMAN, FRENCH, SPANISH),
    "zh": (CHINESE,),
    "ja": (JAPANESE,),
    "ko": (KOREAN,),
    "th": (THAI,),
}
_CUES = names("always never not don do rather prefer use using instead stop avoid only must more one ones them other")
_MAX_TEXT = 260
_MIN_TEXT = {"latin": 14, "th": 12, "ko": 8, "ja": 8, "zh": 6}

_WORDING = tuple(
    (re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"^(?:can|could|would|will) you (?:please )?(.+?)\??$", r"\1"),
        (r"^please ", ""),
        (r"^as I (?:said|told you)(?: before)?, (?:please )?", ""),
        (r"^I(?:['’]ve| have)? told you not to ", "Do not "),
        (r"^I(?:['’]ve| have)? told you (?:to |that )", ""),
        (r"^remember(?: that| to)?[:,]? ", ""),
        (r"^(?:make|be) sure (?:that )?(?=(?:[\w-]+ ){1,4}(?:should|must|never|always)\b)", ""),
        (r"^(?:make|be) sure to ", ""),
        (r" as well(?=[.!]?$)", ""),
        (r"^(?:from now on|going forward|henceforth|from here on|from this point on)[,:]? ", ""),
        (r"^(?:next time|in (?:the )?future)[,:]? ", ""),
        (r"^please ", ""),
        (r"^(?:let['’]?s|let us) (?:just )?", ""),
        (r"^I think (?:that )?we\b", "We"),
        (r"^I(?:['’]d| would) (?:much )?rather ", "The user would rather "),
        (r"^I ((?:strongly |really |generally |usually |still )?)(prefer|hate|dislike|like)\b", r"The user \1\2s"),
        (r"^I (?:really )?(?:don['’]?t|do not) like\b", "The user does not like"),
        (r"^I (?:\w+ly )?(?:don['’]?t|do not) want\b", "The user does not want"),
        (r"^I (always|never) want\b", r"The user \1 wants"),
        (r"^I (always|never|usually|only) (use|write|run|commit|deploy|format|name)\b", r"The user \1 \2s"),
        (r"^I want to\b", "The user wants to"),
        (r"^I(?:['’]ve| have)? decided\b", "The user decided"),
        (r"^(?:I['’]m|I am)\b", "The user is"),
        (r"^I(?:['’]ve| have)? noticed (?:that )?you\b", "The user objected to the agent"),
        (r"^you keep\b", "The user objected that the agent keeps"),
        (r",? (?:please )?stop(?: it| that| doing that)?[.!]?$", ""),
    )
)
"""English wordings that lean on who speaks, and what they become in a memory that somebody else reads."""

_LEADING_MARK = re.compile(
    r"^(?:今[后後]|以[后後]|[从從][现現]在(?:[开開]始|起)|[请請]?[记記](?:住|得)|今後は?|これから(?:は)?|앞으로는?|이제부터는?|จากนี้(?:ไป)?|"
    r"ต่อไปนี้|จำไว้(?:นะ)?(?:ว่า)?)[、，,:：\s]*"
)


@dataclass(frozen=True, slots=True)
class Said:
    """One durable thing that a person typed: kind, normalised text, when it applies, and where it stands."""

    kind: MemoryKind
    text: str
    situation: str
    item: int
    quote: str


def _says_something(quote: str) -> bool:
    """Tell whether enough words are left to understand a statement without what was said before it."""
    found = re.findall(r"[A-Za-zÀ-ÿ][\w'+.-]+", quote.lower())
    return len({word for word in found if len(word) > 2}) >= 3 and any(
        len(word) > 2 and word.rstrip(".").split("'")[0] not in STOP_WORDS | _CUES for word in found
    )


def _normalise(quote: str, script: str) -> str:
    text = quote.strip().strip("\"'“”")
    if script == "latin":
        for pattern, replacement in _WORDING:
            text = pattern.sub(replacement, text, count=1)
    else:
        text = _LEADING_MARK.sub("", text)
    text = text.strip().rstrip(";；,，、 ")
    if not text:
        return ""
    if script == "latin":
        text = text[0].upper() + text[1:]
    if text[-1] in ".!?。！？…":
        return text
    return text + {"zh": "。", "ja": "。", "th": ""}.get(script, ".")


def _accept(match: Match, item: Item, script: str) -> Said | None:
    quote = match.quote
    if len(quote) > texts.MAX_QUOTE or len(quote) > _MAX_TEXT or len(quote) < _MIN_TEXT[script]:
        return None
    if script == "latin" and not _says_something(quote):
        return None
    if texts.is_volatile(quote):
        return None
    text = _normalise(match.body, script)
    situation = match.situation[:1].lower() + match.situation[1:] if script == "latin" else match.situation
    return Said(match.kind, text, situation, item.index, quote) if text else None


def _match(sentence: str, script: str, signalled: bool) -> Match | None:
    for lexicon in _BY_SCRIPT[script]:
        found = match_rules(sentence, lexicon, lexicon.decisions) or match_rules(
            sentence, lexicon, lexicon.rules, signalled=signalled
        )
        if found is not None:
            return found
    return None


def said_in(item: Item, *, signalled: bool = False) -> Iterator[Said]:
    """Yield the durable statements of one item that a person typed, in order. In a `signalled` item, where the
    session's own layers saw a correction, a plain prohibition counts too."""
    if item.kind is not ItemKind.USER_TEXT:
        return
    for unit in texts.units(item.said):
        for sentence in texts.sentences(unit):
            script = texts.script(sentence)
            match = _match(sentence, script, signalled)
            said = _accept(match, item, script) if match else None
            if said is not None:
                yield said
