"""What a person withholds: words between `<private>` and `</private>` are never read, kept or sent."""

from __future__ import annotations

import re

_MARKED = re.compile(r"<\s*private\s*>.*?<\s*/\s*private\s*>", re.IGNORECASE | re.DOTALL)
_OPENED = re.compile(r"<\s*private\s*>.*", re.IGNORECASE | re.DOTALL)


def without_withheld(text: str, *, typed: bool = False) -> str:
    """The text without what is marked. Where a person typed it, a mark without an end holds to the end of the text.

    An agent's own words and what tools print may name the mark, in code for instance: there it needs both ends.
    """
    if "rivate" not in text and "RIVATE" not in text:
        return text
    text = _MARKED.sub("", text)
    return _OPENED.sub("", text) if typed else text
