"""Read a message with the tables: which of its clauses say what should last, and what they say."""

from __future__ import annotations

import importlib
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from slowwave.text.folding import capitalised
from slowwave.text.languages.detect import languages_of
from slowwave.text.languages.grammar import VERB, Day, Language, Statement, compiled, found
from slowwave.text.sentences import sentences

LONGEST = 300
"""Longest statement, in characters; a longer sentence is a document's."""

_MODULES = {
    "en": "english",
    "zh": "chinese_simplified",
    "zh-Hant": "chinese_traditional",
    "ja": "japanese",
    "th": "thai",
    "ko": "korean",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "pt": "portuguese",
    "ru": "russian",
    "vi": "vietnamese",
    "fa": "persian",
    "he": "hebrew",
}
CODES = tuple(_MODULES)
"""The languages that have a table."""

_MARKS = str.maketrans({"’": "'", "‘": "'", "`": "`", "\u200e": " ", "\u200f": " ", "\u200b": " "})
_STRONG = r"[;；。]| [–—-]+ |, (?:so|because|since|as|it|they|that|this|there|i|we|you|denn|weil|car|porque|потому)\b"

_QUOTES = "\"'“”"
_ASKS = r"\bbitte\b|\bmerci d(?:e\b|')|s'il (?:te|vous) pla[iî]t|\bpor favor\b|[请請](?![求教])|ください|세요[.!]*$|십시오|กรุณา|โปรด"


@lru_cache(maxsize=32)
def table(code: str) -> Language:
    """The table of a language."""
    module = importlib.import_module(f"slowwave.text.languages.{_MODULES[code]}")
    language: Language = module.LANGUAGE
    return language


def statements(text: str) -> Iterator[Statement]:
    """What a person's message says that may last, in order: rules, preferences, facts, corrections of them, and what
    turned out to help. Requests, questions, conditions, reports, guesses and specifications give nothing."""
    return _read_all(text, weak=True)


def _read_all(text: str, *, weak: bool) -> Iterator[Statement]:
    before = ""
    for sentence in sentences(text):
        said = read(sentence, before=before, weak=weak)
        if said is not None:
            yield said
        before = sentence


def explicit(text: str) -> list[Statement]:
    """The statements of a text that say themselves that they last."""
    return [said for said in _read_all(text, weak=False) if said.lasting]


def directs(text: str) -> bool:
    """Whether a text wants something done or left, whoever wrote it: a rule, a wish, a request, in any language."""
    for sentence in sentences(text):
        view = unicodedata.normalize("NFC", sentence).translate(_MARKS)
        said = read(sentence)
        if (said is not None and not said.fact) or found(_ASKS, view):
            return True
        for language in map(table, languages_of(view)):
            if language.day.constraint.found_in(view) or found(language.request, view):
                return True
    return False


def days_of(text: str) -> tuple[Day, ...]:
    """What the layers of a running session look for in a text, for each language that it may be in."""
    return tuple(table(code).day for code in languages_of(text))


@lru_cache(maxsize=512)
def read(sentence: str, *, before: str = "", weak: bool = True) -> Statement | None:
    """What one sentence says, None for nothing. `before` is the sentence that precedes it. Without `weak` only what
    lasts by its own words is looked for."""
    if len(sentence) > LONGEST + 100 or len(sentence) < 6 or sentence.endswith((":", "：")):
        return None
    view = unicodedata.normalize("NFC", sentence).translate(_MARKS)
    for code in languages_of(view):
        language = table(code)
        if not language.may_say(view, before):
            continue
        said = _Reader(language, sentence, view, before, weak=weak).read()
        if said is not None:
            return said
    return None


class _Reader:
    """One sentence before one language's table. `view` is the sentence in the form that the patterns expect."""

    def __init__(self, language: Language, sentence: str, view: str, before: str, *, weak: bool = True) -> None:
        self.language = language
        self.sentence = sentence
        self.view = _verbs_marked(view, language.verbs)
        self.before = before
        self.weak = weak
        self.marked = False
        self.asked = False

    def read(self) -> Statement | None:
        body = self._opened(self.view)
        if (helped := self._helped(body)) is not None:
            return helped
        asks = not self.asked and found(self.language.question, body) is not None
        if asks and self.view.rstrip(" \"')").endswith(("?", "？", "؟")):
            return None
        guesses = found(self.language.hypothesis, body) is not None and not self.marked
        if guesses or found(self.language.passing, body):
            return None
        if asks:
            return self._first(body, self._starts(body)[1:], lasting=True)
        if self.before and found(self.language.points_back, body):
            return self._with_what_precedes(body)
        if (changed := self._changed(body)) is not None:
            return changed
        starts = self._starts(body)
        return self._first(body, starts, lasting=True) or self._marked(body) or self._first(body, starts, lasting=False)

    def _opened(self, text: str) -> str:
        """Strip what leads in: greetings, calls for attention, words that say it will hold, polite questions."""
        language = self.language
        while True:
            text = text.lstrip(" \t*_#>.,:;!-–—👉✅⚠❗️🔥")
            for pattern in (language.lasting_lead, language.polite, language.lead):
                match = None if pattern == r"(?!)" else compiled(pattern).match(text)
                if match is not None and 0 < match.end() < len(text):
                    break
            else:
                return text
            self.marked |= pattern is language.lasting_lead
            self.asked |= pattern is language.polite
            text = text[match.end() :]

    def _starts(self, body: str) -> list[int]:
        joints = [match.end() for match in compiled(self.language.joint).finditer(body)]
        return [0, *(at for at in joints if at < len(body) - 4)]

    def _first(self, body: str, starts: list[int], *, lasting: bool) -> Statement | None:
        language = self.language
        for at in starts:
            rest = self._opened(body[at:]) if at else body
            if found(language.condition, rest):
                rest = self._after_condition(rest)
            if not rest:
                continue
            groups = (language.lasting, language.facts) if lasting else (language.weak,)
            if lasting and at and self._corrects(body[:at], rest):
                return self._say("fact", rest, lasting=True, fact=True)
            for cues in groups:
                for candidate in cues:
                    match = compiled(candidate.pattern).search(rest)
                    if match is not None and not self._vetoed(rest, match.start(), match.end()):
                        text = self._stated(rest, match.start()) if at == 0 else self._whole(body, at, rest)
                        if not text:
                            continue
                        return self._say(candidate.kind, text, lasting=lasting, fact=cues is language.facts)
        return None

    def _corrects(self, before: str, rest: str) -> bool:
        """`That is not correct, ...`: what is right follows."""
        return bool(found(self.language.denies, before)) and len(rest.split()) > 3 and not self._vetoed(rest, 0, 0)

    def _after_condition(self, rest: str) -> str:
        """What is left behind a condition: a rule of its own there holds under it."""
        for separator in (", ", "，", "、", ",", " then "):
            head, found_one, tail = rest.partition(separator)
            if found_one and len(head) > 3:
                return tail.strip()
        return ""

    def _vetoed(self, rest: str, start: int, end: int) -> bool:
        language = self.language
        stop = compiled(_STRONG).search(rest, end)
        clause = rest[: stop.start() if stop else len(rest)]
        return bool(found(language.dangling, clause) or found(language.report, clause) or found(language.spec, clause))

    def _stated(self, rest: str, start: int) -> str:
        """What a sentence without a joint says: all of it, or what follows a request in it ("drop the shim, our clients
        no longer use it"), or nothing where that cannot be understood alone."""
        if not start or not (self.asked or found(self.language.request, rest[:start])):
            return rest
        said = rest[start:]
        # A conjunction may stand before the pronoun: "since it is no longer needed".
        leans = any(found(self.language.dangling, words) for words in (said, said.partition(" ")[2]))
        return "" if leans else said

    def _whole(self, body: str, at: int, rest: str) -> str:
        """The whole sentence where its first half belongs to the rule, the second alone where the first is a request."""
        if at == 0 or len(body) > LONGEST:
            return body if at == 0 else rest
        if found(self.language.denies, body[:at]) or found(self.language.dangling, body[:at]):
            return rest
        return rest if found(self.language.request, body[:at]) or found(self.language.question, body[:at]) else body

    def _marked(self, body: str) -> Statement | None:
        """`Remember: ...`, `note that ...`: whatever statement or rule follows."""
        if not self.marked or self._vetoed(body, 0, 0) or len(body) < self.language.shortest:
            return None
        if found(self.language.condition, body):
            return None
        rule = self._first(body, [0], lasting=False)
        return self._say(rule.kind if rule else "fact", body, lasting=True, fact=rule is None)

    def _changed(self, body: str) -> Statement | None:
        for change in self.language.change:
            match = found(change.pattern, body)
            if match is None or self._vetoed(body, match.start(), match.end()):
                continue
            names = match.groupdict()
            new, old = (str(names.get(name) or "").strip(" .!。,，") for name in ("new", "old"))
            if not new and not old:
                continue
            wording = change.gone if not new else change.moved if old else change.state
            if wording:
                return self._say("decision", wording.format(new=new, old=old), lasting=True, fact=True)
        return None

    def _helped(self, body: str) -> Statement | None:
        """`That fixed it`, with what fixed it: in the same sentence or in the next."""
        pattern = self.language.fixed
        inside = None if pattern == r"(?!)" else compiled(pattern).match(body)
        if inside is not None:
            rest = self._opened(body[inside.end() :])
            return self._say("pitfall", rest, lasting=True, fact=True) if self._explains(rest) else None
        if not self.before or pattern == r"(?!)":
            return None
        earlier = _Reader(self.language, self.before, unicodedata.normalize("NFC", self.before).translate(_MARKS), "")
        confirmed = compiled(pattern).match(earlier._opened(earlier.view))
        if confirmed is None or not self._explains(body):
            return None
        said = self._say("pitfall", body, lasting=True, fact=True)
        return said._replace(quote=f"{self.before} {self.sentence}") if said else None

    def _explains(self, rest: str) -> bool:
        explains = self.language.explains
        return (
            len(rest) >= self.language.shortest
            and bool(found(explains, rest))
            and not found(self.language.request, rest)
        )

    def _with_what_precedes(self, body: str) -> Statement | None:
        """A rule about `that`: what it points at stands in the sentence before."""
        if found(self.language.question, self.before) or len(self.before) + len(body) > LONGEST:
            return None
        said = self._say("constraint", body, lasting=True)
        if said is None:
            return None
        earlier = self.before.rstrip(" .!。！")
        return said._replace(
            text=f"{said.text.rstrip('.。')} ({earlier}){self.language.full_stop}",
            quote=f"{self.before} {self.sentence}",
        )

    def _say(self, kind: str, text: str, *, lasting: bool, fact: bool = False) -> Statement | None:
        text = text.replace(VERB, " ").strip()
        if (text[:1] in _QUOTES and text[-1:] in _QUOTES) or text.count('"') % 2:
            text = text.strip(_QUOTES).strip()
        if text[:1] + text[-1:] == "()":
            text = text[1:-1]
        for pattern, replacement in self.language.wording:
            text = compiled(pattern).sub(replacement, text, count=1)
        text = text.rstrip(" ;；,，、-–—").strip()
        if self.asked:
            text = text.rstrip("?？").strip()
        if len(text) < self.language.shortest or len(text) > LONGEST:
            return None
        text = capitalised(text)
        if text[-1] not in ".!?。！？…" and self.language.full_stop:
            text += self.language.full_stop
        return Statement(kind, text, self.sentence, self.language.code, lasting, fact)


def _verbs_marked(view: str, verbs: frozenset[str]) -> str:
    """Put the mark behind each verb in its base form, so that no pattern has to list them."""
    if not verbs:
        return view
    words = view.split(" ")
    return "".join(word + (VERB if word.lower() in verbs else " ") for word in words)[:-1]
