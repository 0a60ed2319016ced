"""How texts are compared: with white space, width and case folded, and by character n-grams where words fail."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache

_SPACE = re.compile(r"\s+")
_WHEN = re.compile(r"when[: ]\s*", re.IGNORECASE)
_NOT_WORD = re.compile(r"[^\w]+")


def fold_space(text: str) -> str:
    """Collapse every run of white space to one space and trim the ends. Quotes are compared in this form."""
    return _SPACE.sub(" ", text).strip()


def tidy_situation(text: str) -> str:
    """A situation in one line, without the leading "when" that the rendered label says already."""
    folded = fold_space(text)
    match = _WHEN.match(folded)
    return folded[match.end() :] if match else folded


def canonical(text: str) -> str:
    """The form in which two texts count as the same: NFKC, case folded, punctuation and white space reduced."""
    return _NOT_WORD.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


@lru_cache(maxsize=16_384)
def text_hash(text: str) -> str:
    """SHA-256 of the canonical form, in hex."""
    return hashlib.sha256(canonical(text).encode("utf-8", "surrogatepass")).hexdigest()


def quote_hash(quote: str) -> str:
    """SHA-256 of a quote with white space folded, in hex."""
    return hashlib.sha256(fold_space(quote).encode("utf-8", "surrogatepass")).hexdigest()


@lru_cache(maxsize=8192)
def grams(text: str, size: int = 3) -> frozenset[str]:
    """Character n-grams of the canonical form. They need no word boundaries, so Chinese, Japanese and Thai work."""
    plain = canonical(text).replace(" ", "_")
    if len(plain) <= size:
        return frozenset({plain}) if plain else frozenset()
    return frozenset(plain[at : at + size] for at in range(len(plain) - size + 1))


def similarity(one: str, other: str) -> float:
    """Overlap of two texts between 0 and 1: the Dice coefficient of their 3-grams."""
    left, right = grams(one), grams(other)
    if not left or not right:
        return 0.0
    return 2 * len(left & right) / (len(left) + len(right))


def shorten(text: str, limit: int) -> str:
    """Cut to `limit` characters at a word boundary where there is one near, with an ellipsis."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    space = cut.rfind(" ")
    if space > limit * 0.6:
        cut = cut[:space]
    return cut.rstrip() + "…"


def slugify(text: str, limit: int = 48) -> str:
    """Lower-case ASCII words joined by hyphens; empty when nothing of the text can be written so."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").casefold()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    if len(slug) <= limit:
        return slug
    return slug[:limit].rsplit("-", 1)[0].strip("-") or slug[:limit]
