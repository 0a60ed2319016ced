"""The form of a language's rules for directives and decisions, and how they are applied to one sentence.

A rule is a cue that people use for what should hold beyond the task at hand. The rules prefer silence: a sentence
counts only if a cue matches, no veto matches, and it can be understood on its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from slowwave.storage.types import MemoryKind

_MIN_BODY = 6
_GOES_ON = re.compile(r"(?:not|and|or|but|no)\b", re.IGNORECASE)
"""A rest that begins so belongs to the clause before it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One cue. `general` rules are too weak alone and also need the language's generality pattern (a universal word or
    a reason). A sentence is cut to start at a match of `cut` rules, because what precedes belongs to the task. Only
    `asks` rules accept a question ("can you always ...?")."""

    pattern: re.Pattern[str]
    kind: MemoryKind
    general: bool = False
    cut: bool = False
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Lexicon:
    """One language's rules. `veto` refuses a sentence (one-off, question, report, guess); `dangling` refuses one that
    points at something outside itself; `lead` is stripped from the front; `situation` matches a leading clause and has
    a group `when`; `fold` maps characters, one for one, to those that the patterns are written in."""

    rules: tuple[Rule, ...]
    decisions: tuple[Rule, ...]
    veto: re.Pattern[str]
    dangling: re.Pattern[str]
    general: re.Pattern[str]
    lead: re.Pattern[str]
    question: re.Pattern[str]
    situation: re.Pattern[str]
    fold: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Match:
    """A sentence that a rule accepted: its kind, the words as they stand, what is left of them without the leading
    clause that says when they apply, and that clause (empty: always)."""

    kind: MemoryKind
    quote: str
    body: str
    situation: str


def rule(kind: MemoryKind, *alternatives: str, general: bool = False, cut: bool = False, asks: bool = False) -> Rule:
    """Make one cue of alternatives, written as `words` takes them."""
    return Rule(words(*alternatives), kind, general, cut, asks)


def words(*alternatives: str) -> re.Pattern[str]:
    """Compile alternatives into one pattern. Case is ignored; a blank stands for white space of any length."""
    return re.compile("|".join(alternatives).replace(" ", r"\s+"), re.IGNORECASE)


def strip_lead(sentence: str, lead: re.Pattern[str]) -> str:
    """Strip greetings, yes and no, and connectives from the front of a sentence, as often as they occur."""
    while True:
        match = lead.match(sentence)
        if match is None or match.end() == 0 or match.end() >= len(sentence):
            return sentence
        sentence = sentence[match.end() :]


def _apart(quote: str, view: str, lexicon: Lexicon) -> tuple[str, str]:
    """Split a sentence into what to do and the leading clause that says when. `view` is the quote as it is matched."""
    found = lexicon.situation.match(view)
    if found is None:
        return quote, ""
    body = quote[found.end() :].lstrip(" ,，、")
    when = quote[found.start("when") : found.end("when")].strip(" ,，、")
    return (body, when) if len(body) >= _MIN_BODY and not _GOES_ON.match(body) else (quote, "")


def match_rules(sentence: str, lexicon: Lexicon, rules: tuple[Rule, ...], *, signalled: bool = False) -> Match | None:
    """Apply rules to one sentence, first match wins. Where something else signals a correction (`signalled`), weak cues
    need no further word."""
    body = strip_lead(sentence.translate(lexicon.fold), lexicon.lead)
    for candidate in rules:
        found = candidate.pattern.search(body)
        if found is None:
            continue
        view = strip_lead(body[found.start() :], lexicon.lead) if candidate.cut else body
        if candidate.general and not signalled and not lexicon.general.search(body):
            continue
        if lexicon.question.search(view) and not candidate.asks:
            continue
        if lexicon.veto.search(view) or lexicon.dangling.search(view):
            return None
        quote = sentence[len(sentence) - len(view) :]
        return Match(candidate.kind, quote, *_apart(quote, view, lexicon))
    return None
