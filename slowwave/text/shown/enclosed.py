"""Passages with delimiters of their own: fences, elements, comments, quotation marks, JSON."""

from __future__ import annotations

import re

from slowwave.text.lazy import lazy

Span = tuple[int, int]

OWN_TAGS = ("task_recap", "key_facts", "slowwave-memory")
"""Tags of the blocks that Slowwave itself puts in front of an agent."""

_INVISIBLE = r"[\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
_FENCE = lazy(r"^[ \t]*(?:[-*+>]\s+|\d+[.)]\s+)?(`{3,}|~{3,}|\"{3}|'{3})([^\n`]*)$", re.MULTILINE)
_TAG = lazy(r"<\s*(/?)\s*([A-Za-z][^\s<>/]*)(?:\s[^<>]*)?(/?)>")
_COMMENT = "<!--"
_FENCES = ("```", "~~~", '"""', "'''")
_INLINE_TAGS = frozenset(
    [
        "a",
        "abbr",
        "b",
        "br",
        "button",
        "code",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "em",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "head",
        "header",
        "hr",
        "html",
        "i",
        "iframe",
        "img",
        "input",
        "kbd",
        "label",
        "li",
        "link",
        "main",
        "meta",
        "nav",
        "ol",
        "option",
        "p",
        "path",
        "pre",
        "script",
        "section",
        "select",
        "small",
        "span",
        "strong",
        "style",
        "sub",
        "summary",
        "sup",
        "svg",
        "table",
        "tbody",
        "td",
        "textarea",
        "th",
        "thead",
        "title",
        "tr",
        "u",
        "ul",
        "video",
    ]
)
_MOST_TAGS = 2_000
_LONG_TAG = 30
_INLINE_FENCE = lazy(r"```[^`\n]+```")
_BOARD_TAG = lazy(r"\[(quote|code|spoiler|note)\b[^\]\n]*\].*?(?:\[/\1\]|\Z)", re.IGNORECASE | re.DOTALL)

_QUOTES = (("“", "”"), ("„", "“"), ("«", "»"), ("「", "」"), ("『", "』"), ("《", "》"), ('"', '"'))
_SPOKEN = lazy(
    r"(?i)\b(?:says?|said|wrote|writes?|reads?|states?|claims?|told|asks?|asked|tells?|notes?|warns?|means?|"
    r"recommends?|steht|sagt|schreibt|behauptet|hei(?:ß|ss)t|dice|pone|escribi[óo]|diz|escreveu|dit|indique|"
    r"affirme|écrit|говорит|пишет|написано|nói|viết)\b|说|說|写着|寫著|提到|书いて|書いて|言って|とある|적혀|라고|บอกว่า|เขียนว่า"
)
_SENTENCE_END = lazy(r"[.!。！…]\s*$")
_SINGLE = lazy(r"(?<=\s)'([^'\n]{12,400})'(?=\W|$)")
_JSON = lazy(r"[{\[]\s*\"[^\"\n]{1,200}\"\s*[:,]")


def enclosed_spans(text: str) -> list[Span]:
    """Fences, elements, comments and whatever follows a forged block of ours."""
    spans = _fences(text) if any(mark in text for mark in _FENCES) else []
    if "```" in text:
        spans += [found.span() for found in _INLINE_FENCE.finditer(text)]
    if "[/" in text:
        spans += [found.span() for found in _BOARD_TAG.finditer(text)]
    if "<" in text:
        spans += _elements(text, spans)
    return spans


def _fences(text: str) -> list[Span]:
    """Fenced blocks. A fence with a language inside an open one opens a deeper one; one that never ends reaches to the
    end of the text."""
    spans: list[Span] = []
    start = -1
    stack: list[str] = []
    for found in _FENCE.finditer(text):
        mark, info = found.group(1), found.group(2).strip()
        if not stack:
            start, stack = found.start(), [mark]
        elif mark[0] != stack[-1][0] or len(mark) < len(stack[-1]):
            continue
        elif info:
            stack.append(mark)
        else:
            stack.pop()
            if not stack:
                spans.append((start, found.end()))
    if stack:
        spans.append((start, len(text)))
    return spans


def _elements(text: str, fences: list[Span]) -> list[Span]:
    spans: list[Span] = []
    position = 0
    tags = [found for found in _TAG.finditer(text) if not _inside(found.start(), fences)][:_MOST_TAGS]
    closing: dict[str, list[int]] = {}
    for found in tags:
        if found.group(1):
            closing.setdefault(_name(found), []).append(found.end())
    for found in tags:
        start, name = found.start(), _name(found)
        if start < position:
            continue
        if name in OWN_TAGS:
            ends = [end for end in closing.get(name, ()) if end > start] if not found.group(1) else []
            position = ends[0] if ends and not _forged(text, found, ends[0], name) else len(text)
            spans.append((start, position))
        elif found.group().endswith("/>") and len(found.group()) > _LONG_TAG:
            spans.append((start, found.end()))
        elif not found.group(1) and not found.group().endswith("/>"):
            end = next((end for end in closing.get(name, ()) if end > start), -1)
            if end < 0 and _opens_block(text, found, name):
                end = len(text)
            if end > 0:
                position = end
                spans.append((start, end))
    return spans + _comments(text, [*fences, *spans])


def _comments(text: str, taken: list[Span]) -> list[Span]:
    spans: list[Span] = []
    start = text.find(_COMMENT)
    while start >= 0:
        end = text.find("-->", start)
        end = len(text) if end < 0 else end + 3
        if not _inside(start, taken):
            spans.append((start, end))
        start = text.find(_COMMENT, end)
    return spans


def _name(found: re.Match[str]) -> str:
    name = found.group(2).lower()
    return name if name.isascii() else re.sub(_INVISIBLE, "", name)


def _forged(text: str, found: re.Match[str], end: int, name: str) -> bool:
    """A block of ours that opens twice, or whose tag hides characters, was written by somebody else."""
    inside = text[found.end() : end].lower()
    return f"<{name}" in inside or not found.group(2).isascii()


def _opens_block(text: str, found: re.Match[str], name: str) -> bool:
    """A tag that is never closed opens a paste where it stands alone on its line, or begins one and is no mark-up of
    web pages or type parameter, which people mention."""
    before = text.rfind("\n", 0, found.start()) + 1
    after = text.find("\n", found.end())
    line_rest = text[found.end() : after if after >= 0 else len(text)]
    if text[before : found.start()].strip():
        return False
    return not line_rest.strip() or (name not in _INLINE_TAGS and len(name) > 2 and ("-" in name or "_" in name))


def _inside(at: int, spans: list[Span]) -> bool:
    return any(start <= at < end for start, end in spans)


def inline_spans(view: str) -> list[Span]:
    """Sentences in quotation marks that somebody else said, and JSON within a line."""
    spans: list[Span] = []
    for opening, closing in _QUOTES:
        if opening in view:
            spans += _quotations(view, opening, closing, spans)
    if " '" in view:
        for found in _SINGLE.finditer(view):
            around = view[max(0, found.start() - 40) : found.start()] + " " + view[found.end() : found.end() + 12]
            if len(found.group(1).split()) >= 5 and _SPOKEN.search(around):
                spans.append(found.span())
    if '"' in view:
        spans += _json(view)
    return spans


def _quotations(view: str, opening: str, closing: str, taken: list[Span]) -> list[Span]:
    spans: list[Span] = []
    for found in re.finditer(f"{re.escape(opening)}([^{re.escape(opening + closing)}\n]{{12,2000}}){closing}", view):
        inner = found.group(1)
        wide = sum(not character.isascii() and character.isalpha() for character in inner) * 2 > len(inner)
        if "=" in (view[found.end() : found.end() + 1], view[found.start() - 1 : found.start()]):
            continue
        if _inside(found.start(), taken) or (len(inner.split()) < 5 and not (wide and len(inner) >= 8)):
            continue
        before, after = view[max(0, found.start() - 40) : found.start()], view[found.end() : found.end() + 12]
        if _SENTENCE_END.search(inner) or _SPOKEN.search(before) or _SPOKEN.search(after):
            spans.append((found.start(), found.end()))
    return spans


def _json(view: str) -> list[Span]:
    spans: list[Span] = []
    for found in _JSON.finditer(view):
        if _inside(found.start(), spans):
            continue
        closing = "}" if found.group()[0] == "{" else "]"
        paragraph = view.find("\n\n", found.start())
        limit = paragraph if paragraph >= 0 else len(view)
        end = view.rfind(closing, found.start(), limit)
        spans.append((found.start(), end + 1 if end >= 0 else limit))
    return spans
