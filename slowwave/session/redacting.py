"""Redaction for the in-session layers: everything is scrubbed before it is matched, stored or written."""

from __future__ import annotations

from slowwave.errors import RedactionError
from slowwave.text.withheld import without_withheld

HEAD_LIMIT = 16_000


def scrub(text: str, *, typed: bool = False) -> str:
    """Redact a text with the standard-library core, and leave out what the person withholds.

    Raises `RedactionError`; then nothing may be stored.
    """
    from slowwave.redaction.scan.core import redact

    try:
        return redact(without_withheld(text, typed=typed)).text
    except RedactionError:
        raise
    except Exception as error:
        raise RedactionError(f"the secret scan failed: {type(error).__name__}") from error


def scrub_prompt(prompt: str) -> str:
    """What the layers may know of a message that a person typed: its start, redacted, without what is withheld."""
    return scrub(head(without_withheld(prompt, typed=True)))


def head(text: str, limit: int = HEAD_LIMIT) -> str:
    """The start of a long text, cut at white space so that no half of a secret escapes the scan."""
    if len(text) <= limit:
        return text
    cut = text[:limit]
    end = max(cut.rfind(" "), cut.rfind("\n"))
    return cut[:end] if end > 0 else ""


def tail(text: str, limit: int) -> str:
    """The end of a long text, cut at white space for the same reason."""
    if len(text) <= limit:
        return text
    cut = text[-limit:]
    starts = [place for place in (cut.find(" "), cut.find("\n")) if place >= 0]
    return cut[min(starts) :].lstrip() if starts else ""
