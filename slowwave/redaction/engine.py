"""The scan of the batch path: the core's rules with an accelerated literal pass."""

from __future__ import annotations

from slowwave.redaction import core
from slowwave.redaction.findings import Finding, Redaction
from slowwave.redaction.literals import fast_literals


def scan(text: str) -> tuple[Finding, ...]:
    """Find every secret in a text."""
    return core.scan(text, literals=fast_literals)


def redact(text: str) -> Redaction:
    """Replace every secret in a text."""
    return core.redact(text, literals=fast_literals)
