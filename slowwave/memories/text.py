"""How texts are compared: with white space, width and case folded, and by character n-grams where words fail."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache

from slowwave.text import canonical, fold_space

_WHEN = re.compile(r"when[: ]\s*", re.IGNORECASE)


def tidy_situation(text: str) -> str:
    """A situation in one line, without the leading "when" that the rendered label says already."""
    folded = fold_space(text)
    match = _WHEN.match(folded)
    return folded[match.end() :] if match else folded


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


def slugify(text: str, limit: int = 48) -> str:
    """Lower-case ASCII words joined by hyphens; empty when nothing of the text can be written so."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").casefold()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    if len(slug) <= limit:
        return slug
    return slug[:limit].rsplit("-", 1)[0].strip("-") or slug[:limit]
