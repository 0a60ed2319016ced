"""The scan of the batch path: the rules of `core` behind an accelerated literal pass."""

from __future__ import annotations

import threading

from slowwave.redaction.findings import Finding, Redaction
from slowwave.redaction.scan.core import Scanner, standard_rules
from slowwave.redaction.scan.literals import fast_literals

_lock = threading.Lock()
_scanner: Scanner | None = None


def scanner() -> Scanner:
    """This process's scanner, built once whichever thread asks first."""
    global _scanner
    with _lock:
        if _scanner is None:
            _scanner = Scanner(standard_rules(), fast_literals)
        return _scanner


def scan(text: str) -> tuple[Finding, ...]:
    """Find every secret in a text."""
    return scanner().scan(text)


def redact(text: str) -> Redaction:
    """Replace every secret in a text by ``[REDACTED:type]``."""
    return scanner().redact(text)
