"""The forms in which texts are compared and shown: folded, canonical, on one line, shortened. Pure."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_JOINER = "\u200d"


def fold_space(text: str) -> str:
    """One line: all runs of white space joined to one space, letters composed (NFC), so that an accent typed as two
    characters equals the same one typed as one."""
    return " ".join((text if text.isascii() else unicodedata.normalize("NFC", text)).split())


def fold(text: str) -> str:
    """The form in which texts are compared: NFKC (width, ligatures, accents), case folded, white space joined."""
    if text.isascii():
        return " ".join(text.casefold().split())
    # Case folding can decompose again (İ), so the form is composed once more.
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.split())


@lru_cache(maxsize=16_384)
def canonical(text: str) -> str:
    """The form in which two texts count as the same words: folded, with every run of punctuation one space."""
    return re.sub(r"[^\w]+", " ", fold(text)).strip()


@lru_cache(maxsize=4_096)
def code_spans(text: str) -> tuple[str, ...]:
    """What stands between back quotes, in order."""
    return tuple(re.findall(r"`([^`]+)`", text))


def capitalised(text: str) -> str:
    """A sentence with a capital first; a command, a path or a name that begins with a small letter keeps it."""
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    named = any(character in first.rstrip(",") for character in "./_`@:")
    return text if not first.isascii() or named or first[1:] != first[1:].lower() else text[:1].upper() + text[1:]


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: "1 session", "2 sessions"; `many` where an s is not enough."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def shorten(text: str, limit: int) -> str:
    """Cut to `limit` characters, at a word where there is one near, with an ellipsis; never inside a grapheme."""
    if len(text) <= limit:
        return text
    end = max(0, limit - 1)
    while end > 0 and _joined(text[end - 1], text[end]):
        end -= 1
    cut = text[:end]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit * 0.6 else cut).rstrip() + "…"


def _joined(before: str, after: str) -> bool:
    """Tell whether two characters are shown as one: a mark on a letter, a sequence of emoji."""
    return unicodedata.category(after).startswith("M") or _JOINER in (before, after)
