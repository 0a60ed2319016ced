"""Text the in-session layers share: sentences, quotes, escaping. Pure, standard library only."""

from __future__ import annotations

import re

from slowwave.text import fold_space, shorten
from slowwave.text.shown.enclosed import OWN_TAGS

QUOTE_LIMIT = 300

# Inline flags instead of compiled patterns: `re` compiles and keeps a pattern at its first use, and a hook needs few.
_NAMES = "|".join(OWN_TAGS)
_OWN_BLOCK = rf"(?is)<\s*({_NAMES})\b[^>]*>.*?(?:<\s*/\s*\1\s*>|\Z)"
_FENCE = r"(?ms)^[ \t]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)"
_SENTENCE_END = r"(?<=[.!?])[\"')\]]*(?=\s|$)\s*|(?<=[。！？；;])\s*|\n+"


def escape_tags(text: str) -> str:
    """Make agents' markup, ours above all, harmless in text that is not ours, and drop what hides or controls in it."""
    if text.isascii() and text.isprintable() and not any(mark in text for mark in "<&[:\\%"):
        return text
    from slowwave.text.hygiene import clean, harmless_markup

    return harmless_markup(clean(text, max(len(text), 1)))


def escape_element(text: str) -> str:
    """Escape every angle bracket and ampersand, for text inside a delimited turn."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def strip_own_blocks(text: str) -> str:
    """Remove blocks that Slowwave injected, so that nothing is learnt from itself."""
    return re.sub(_OWN_BLOCK, " ", text) if "<" in text else text


def sentences(text: str) -> list[str]:
    """Cut into sentences and lines. Each is a verbatim piece of the text, stripped at both ends."""
    return [piece for part in re.split(_SENTENCE_END, text) if (piece := part.strip().lstrip("-*•·").strip())]


def contains_quote(text: str, quote: str) -> bool:
    """Tell whether a quote stands in a text when white space is folded."""
    return bool(quote.strip()) and fold_space(quote) in fold_space(text)


def last_question(reply: str) -> str:
    """The question that ends an assistant's reply, or an empty string. A question mark in a URL or in code is none."""
    text = re.sub(r"https?://\S+|`[^`]*`", " ", re.sub(_FENCE, "\n", reply)).rstrip()
    pieces = sentences(text[-1500:])
    if not pieces:
        return ""
    last = pieces[-1].rstrip("\"')]*_ ")
    asks = last.endswith(("?", "？")) or bool(re.search(r"(?:か|吗|呢|ไหม|หรือไม่|까요)[。.]?$", last))
    return shorten(fold_space(last), QUOTE_LIMIT) if asks else ""
