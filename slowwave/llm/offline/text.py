"""What a person wrote in an item, as sentences that can be quoted.

A quote is always a substring of the item's text after white space is folded; everything here keeps that true.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from slowwave.llm.offline.rules import words

MAX_QUOTE = 300
"""Longest quote, in characters: what `slowwave.llm.prompting.schemas.Quote` allows."""

_MAX_ITEM = 40_000
_MAX_LINE = 2_000

_SPACE = re.compile(r"\s+")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_BULLET = re.compile(r"^\s*(?:[-*+•·]|\d{1,2}[.)、]|[（(]\d{1,2}[)）])\s*")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s")
_GAP = re.compile(r"(?<=[\w)])[ \u3000]{2,}(?=\w)")
_END = re.compile(r"(?<=[。！？])[\"'”’」』）)]*|(?<=[.!?])[\"'”’)\]]*(?=\s|$)|(?<=[;；])(?=\s|[^\x00-\x7f])")
_ABBREVIATION = re.compile(r"(?i)\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|z\.b|d\.h|bzw|usw|p\.ex|no|fig)\.$")

_VOLATILE = words(
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
    r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b|\d{7,}",
    r"\b(?:19|20)\d\d-[01]\d-[0-3]\d|\b\d{1,2}:\d{2}:\d{2}\b|\b\d{1,2}/\d{1,2}/(?:19|20)?\d\d\b",
    r"(?:^|[\s(（])#\d+\b|\b(?:pr|issue|ticket|pull request) ?(?:#|no\.?|number)?\s*\d+\b|(?-i:\b[A-Z]{2,8}-\d{2,}\b)",
    r"(?:^|[\s\"'`=(])(?:/private)?/(?:tmp|var/folders|var/tmp)\b|\\(?:temp|tmp)\\",
    r"(?:^|[\s\"'`=(])(?:/users/|/home/|/root/|[a-z]:\\users\\)",
    r"https?://\S*\d{5,}|\[redacted",
)
_INSTRUCTION = words(
    r"\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instruction|previous|prior|above|rule)",
    r"\b(?:you|assistant|agent|claude|codex) (?:must|should|need to|have to|are to|will|can now)\b",
    r"\b(?:please|always|never|from now on|remember to|important:|system prompt|system:)\b",
    r"<\s*/?\s*(?:system|instructions?|important)\b|\bcurl\b.+\|\s*(?:ba|z)?sh\b",
    r"[请請]|[务務]必|必[须須]|忽略|以[后後]|今[后後]|ください|必ず|無視|กรุณา|โปรด|ต้อง|ห้าม",
)

_SCRIPTS = (
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("ko", re.compile(r"[\uac00-\ud7af\u1100-\u11ff]")),
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("zh", re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")),
)


def fold(text: str) -> str:
    """Fold every run of white space to one blank and strip the ends."""
    return _SPACE.sub(" ", text).strip()


def script(text: str) -> str:
    """Return `th`, `ko`, `ja` or `zh` by the scripts in a text, `latin` otherwise.

    One kana makes a text Japanese, because Japanese is full of Han characters and Chinese has no kana.
    """
    for name, pattern in _SCRIPTS:
        if len(pattern.findall(text, 0, 2_000)) >= 2:
            return name
    return "latin"


def is_volatile(text: str) -> bool:
    """Tell whether a text holds what will be wrong or meaningless soon: ids, dates, hashes, temporary or home paths,
    or a redacted secret."""
    return _VOLATILE.search(text) is not None


def reads_like_instruction(text: str) -> bool:
    """Tell whether a text from a tool addresses its reader. Such text is never copied into a memory."""
    return _INSTRUCTION.search(text) is not None


def clip(text: str, limit: int) -> str:
    """Cut a text to `limit` characters at a word boundary where there is one, with an ellipsis in place of the rest."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    cut = head.rfind(" ")
    return (head[:cut] if cut > limit // 2 else head).rstrip(" ,;:、，") + "…"


def units(text: str) -> tuple[str, ...]:
    """A text as prose: one unit for each paragraph or bullet, white space folded. Headings, fences and table rows are
    left out, and so is what stands behind a wide gap in a line, which starts a unit of its own."""
    found: list[str] = []
    current: list[str] = []
    fenced = False
    for line in text[:_MAX_ITEM].split("\n"):
        fence = _FENCE.match(line) is not None
        fenced ^= fence
        bullet = _BULLET.match(line)
        prose = not (fence or fenced or not line.strip() or len(line) > _MAX_LINE or _HEADING.match(line))
        if (bullet or not prose) and current:
            found.append(fold(" ".join(current)))
            current = []
        if not prose or line.lstrip().startswith("|"):
            continue
        first, *rest = _GAP.split(line[bullet.end() :] if bullet else line)
        current.append(first)
        for piece in rest:
            found.append(fold(" ".join(current)))
            current = [piece]
    if current:
        found.append(fold(" ".join(current)))
    return tuple(unit for unit in found if unit)


def sentences(unit: str) -> Iterator[str]:
    """Split one unit into sentences. Each is a substring of the unit. Thai has no full stop: its units stay whole."""
    start = 0
    for match in _END.finditer(unit):
        piece = unit[start : match.end()].strip()
        if not piece or _ABBREVIATION.search(piece):
            continue
        yield piece
        start = match.end()
    tail = unit[start:].strip()
    if tail:
        yield tail


def ascii_words(text: str) -> list[str]:
    """The ASCII words of a text in lower case, accents removed."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.findall(r"[a-z0-9]+", plain.lower())
