"""The scan of the batch path: the rules as detect-secrets plugins, behind an accelerated literal pass."""

from __future__ import annotations

from functools import cache

from slowwave.redaction.core import Scanner
from slowwave.redaction.findings import Finding, Redaction
from slowwave.redaction.literals import fast_literals
from slowwave.redaction.plugins import load_rules


@cache
def scanner() -> Scanner:
    """This process's scanner. Raises `RedactionError` when a plugin did not load."""
    return Scanner(load_rules(), fast_literals)


def scan(text: str) -> tuple[Finding, ...]:
    """Find every secret in a text."""
    return scanner().scan(text)


def redact(text: str) -> Redaction:
    """Replace every secret in a text by ``[REDACTED:type]``."""
    return scanner().redact(text)
