"""Find in a text the words that somebody copied from it, and give them back as the text has them.

A copy may differ in case, Unicode form, quotation marks, dashes, ellipsis, markup, white space, line wraps, invisible
characters and in marks at its ends. Words, numbers, signs of comparison and their order must be the same. Both sides
are reduced to a line of tokens; a copy is found where its tokens stand next to each other in the text's, word by word.
Standard library only.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from array import array
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal

SHORTEST_UNIQUE = 12
"""Characters from which a quote may name its item by itself: shorter words stand in many places by chance."""
CUT_FROM = 150
"""Characters from which a copy may end in the middle of a word: it was cut at a limit."""

_ZWNJ = "\u200c"
_QUOTE_MARKS = dict.fromkeys("“”„‟«»‹›「」『』〝〞〟″❝❞", '"') | dict.fromkeys("‘’‚‛′´ʼ‵❛❜", "'")
_SIGNS = {"\u2212": "-", "\u2013": "-", "→": "->", "⇒": "=>"}
# What a person ticks and what a person crosses out is a word of its own.
_TICKS = dict.fromkeys("✓✔✅☑👍", " ✓ ") | dict.fromkeys("✗✘❌❎🚫⛔👎", " ✗ ")
# Forms that are more than a way to write the same: m² is not m2.
_KEPT_FORMS = ("<super>", "<sub>", "<fraction>", "<circle>")
# Scripts that write no blanks between words: each of their characters is a token.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
# After folding, whatever is not ASCII is part of a word. Korean letters make words of their own beside Latin ones.
_LETTER = "[0-9a-z_\x80-\u10ff\u1200-\U0010ffff]"
_TOKEN = re.compile(
    # Skipped: colours of a terminal, arrows, rulers, marks at the start of a line.
    r"\x1b\[[0-9;?]*[a-zA-Z]|[-=]>|={3,}|(?m:^)[ \t]*[>+|]+(?=[ \t])"
    "|(?P<token>[\u1100-\u11ff]+"
    rf"|(?:(?<!{_LETTER})(?<![)\]])-(?=\d))?{_LETTER}+(?:(?:'|(?<=\d)[.,:](?=\d)){_LETTER}+)*"
    rf"(?:(?<=[a-z])(?:\+\+|\#)(?!{_LETTER})|(?<=\d) ?%)?"
    rf"|[+=<>&%$@/^]|!(?={_LETTER}|[(=]))"
)
_INSIDE = str.maketrans("", "", "' ")
_CLOSERS = {")": "(", "]": "[", "}": "{", "”": "“", "»": "«", "›": "‹", "」": "「", "』": "『"}
_FINAL = frozenset(".!?…。！？")
_PAIRED = frozenset("*_~`\"'")


class Source:
    """One text in which copies are looked for. What the search needs is made at the first look that needs it."""

    __slots__ = ("_lines", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines: dict[bool, _Line] = {}

    def find(self, copy: str) -> str | None:
        """Return the words of the text that `copy` is a copy of, white space folded; None if it is not one."""
        for wanted in _readings(copy):
            if (span := self._span(wanted)) is not None:
                return " ".join(self.text[span[0] : span[1]].split())
        return None

    def _span(self, wanted: str) -> tuple[int, int] | None:
        for as_space in (False, True) if _ZWNJ in self.text or _ZWNJ in wanted else (False,):
            if as_space not in self._lines:
                self._lines[as_space] = _Line(self.text, as_space)
            if (span := self._lines[as_space].find(wanted)) is not None:
                return _with_marks(self.text, *span)
        return None


class Sources:
    """The texts of a session by number: a copy is looked for where it is said to stand, then everywhere."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        self._texts = texts
        self._sources: dict[int, Source] = {}

    def find(self, number: int, copy: str) -> tuple[int, str] | None:
        """Return the number and the text's own words. A wrong number is corrected where just one text has the words."""
        if (words := self._find_in(number, copy)) is not None:
            return number, words
        if len(copy.strip()) < SHORTEST_UNIQUE:
            return None
        holders = [(other, words) for other in self._texts if (words := self._find_in(other, copy)) is not None]
        return holders[0] if len(holders) == 1 else None

    def _find_in(self, number: int, copy: str) -> str | None:
        text = self._texts.get(number)
        if not text or not _may_hold(text, copy):
            return None
        if number not in self._sources:
            self._sources[number] = Source(text)
        return self._sources[number].find(copy)


class _Line:
    """A text as its tokens in one line with a blank around each, and where each token stands in the text."""

    __slots__ = ("_ends", "_starts", "as_space", "line")

    def __init__(self, text: str, as_space: bool) -> None:
        self.as_space = as_space
        folded, places = _fold(text, as_space)
        self._starts, self._ends = array("L"), array("L")
        words = []
        for token, start, end in _tokens(folded):
            words.append(token)
            self._starts.append(start if places is None else places[start])
            self._ends.append(end if places is None else places[end - 1] + 1)
        self.line = f" {' '.join(words)} " if words else ""

    def find(self, copy: str) -> tuple[int, int] | None:
        """Where the tokens of a copy stand in the text: start and end."""
        wanted = [token for token, _, _ in _tokens(_fold(copy, self.as_space)[0])]
        if not wanted or not self.line:
            return None
        at = self.line.find(f" {' '.join(wanted)} ")
        if at < 0 and len(copy) >= CUT_FROM and not wanted[-1][-1].isdigit():
            at = self.line.find(f" {' '.join(wanted)}")
        if at < 0:
            return None
        first = self.line.count(" ", 0, at + 1) - 1
        return self._starts[first], self._ends[first + len(wanted) - 1]


def _tokens(folded: str) -> Iterator[tuple[str, int, int]]:
    for match in _TOKEN.finditer(folded):
        if (token := match["token"]) is not None and (word := token.translate(_INSIDE).strip("_")):
            yield word, match.start(), match.end()


def _fold(text: str, as_space: bool) -> tuple[str, list[int] | None]:
    """The text with every character folded, and for each character of that the place it comes from; None: the same."""
    if text.isascii():
        return text.lower(), None
    pieces = [_folded(character) for character in text]
    if as_space:
        pieces = [" " if character == _ZWNJ else piece for character, piece in zip(text, pieces, strict=True)]
    places: list[int] = []
    for place, piece in enumerate(pieces):
        places += [place] * len(piece)
    return "".join(pieces), places


@lru_cache(maxsize=65_536)
def _folded(character: str) -> str:
    if character.isascii():
        return character.lower()
    for table in (_QUOTE_MARKS, _SIGNS, _TICKS):
        if character in table:
            return table[character]
    kept = unicodedata.decomposition(character).startswith(_KEPT_FORMS)
    form: Literal["NFD", "NFKD"] = "NFD" if kept else "NFKD"
    plain = unicodedata.normalize(form, unicodedata.normalize(form, character).casefold())
    return "".join(_classed(part) for part in plain)


def _classed(part: str) -> str:
    """A character as itself where it belongs to a word, as a blank where it divides words, as nothing if invisible."""
    if part.isascii():
        return part
    category = unicodedata.category(part)
    if category == "Cf" or "\ufe00" <= part <= "\ufe0f" or part == "\u034f":
        return ""
    if category[0] in "LNM":
        return f" {part} " if _UNSPACED.match(part) else part
    return f" {part} " if category in ("Sm", "Sc") else " "


def _readings(copy: str) -> Iterator[str]:
    """The copy as it is, and as it reads when escapes of JSON or HTML in it are undone."""
    yield copy
    if "\\" in copy and (plain := _unescaped(copy)) != copy:
        yield plain
    if "&" in copy and (plain := html.unescape(copy)) != copy:
        yield plain


def _unescaped(copy: str) -> str:
    escaped = copy.replace('\\"', '"').replace('"', '\\"')
    for character, escape in (("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        escaped = escaped.replace(character, escape)
    try:
        plain = json.loads(f'"{escaped}"')
    except ValueError:
        return copy
    return plain if isinstance(plain, str) else copy


def _may_hold(text: str, copy: str) -> bool:
    """A quick no for most texts: in plain ASCII the longest plain word of the copy must stand as it is."""
    if not text.isascii() or "\\" in copy or "&" in copy:
        return True
    longest = max(re.findall(r"[a-z0-9]+", copy.lower()), key=len, default="")
    # Of a copy that was cut, the last word may be a part of one, and is found all the same.
    return longest in text.lower()


def _with_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """Take in the mark that ends a sentence, and marks whose partner stands inside."""
    while start > 0 and text[start - 1] in _PAIRED and _is_open(text, start, end, text[start - 1]):
        start = _run_start(text, start)
    while end < len(text):
        mark = text[end]
        run = _run_end(text, end)
        if mark in _FINAL or (mark in _PAIRED and _is_open(text, start, end, mark)):
            end = run
        elif mark in _CLOSERS and text.count(_CLOSERS[mark], start, end) > text.count(mark, start, end):
            end += 1
        else:
            break
    return start, end


def _is_open(text: str, start: int, end: int, mark: str) -> bool:
    """Whether a mark stands in a stretch without its partner: an odd number of times, a run of it counting once."""
    if mark == "'":
        return False
    return len(re.findall(re.escape(mark) + "+", text[start:end])) % 2 == 1


def _run_start(text: str, at: int) -> int:
    mark = text[at - 1]
    while at > 0 and text[at - 1] == mark:
        at -= 1
    return at


def _run_end(text: str, at: int) -> int:
    mark = text[at]
    while at < len(text) and text[at] == mark:
        at += 1
    return at
