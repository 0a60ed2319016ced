"""Text as both databases can store it."""

from __future__ import annotations


def storable(text: str) -> str:
    """Return the text without what a database refuses: NUL (PostgreSQL) and lone surrogates (UTF-8 has none)."""
    if text.isascii() and "\0" not in text:
        return text
    return (
        text.replace("\0", "\N{REPLACEMENT CHARACTER}")
        .encode("utf-16-le", "surrogatepass")
        .decode("utf-16-le", "replace")
    )


def storable_or_none(text: str | None) -> str | None:
    """`storable` for a column that may be empty."""
    return None if text is None else storable(text)
