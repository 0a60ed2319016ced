"""The public face of the secret scan.

``redact(text)`` is the scan of one text in this process. `Redactor` is one night's scanner: it also removes, everywhere,
each value that it has found anywhere. `slowwave.redaction.guard` offers the same face from worker processes with a hard
time limit; what leaves the machine or is written to disk goes through that one.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from slowwave.redaction.findings import OMITTED, Finding, Redaction, merged, placeholder, replace
from slowwave.redaction.propagation import KnownValues
from slowwave.redaction.scan import engine

__all__ = ["OMITTED", "Finding", "Redaction", "Redactor", "placeholder", "redact", "redact_many"]


def redact(text: str) -> Redaction:
    """Replace every secret in a text by ``[REDACTED:type]``.

    Redacting a redacted text changes nothing. Raises `RedactionError` when the scanner itself is not intact.
    """
    return engine.redact(text)


def redact_many(texts: Iterable[str]) -> list[Redaction]:
    """`redact` for each text, in order."""
    return [redact(text) for text in texts]


class Redactor:
    """One night's scanner, with value propagation and counts. May be shared between threads.

    `scan_one` and `scan_many` are what finds secrets; the default is the scan in this process. The values found live in
    memory only.
    """

    def __init__(
        self,
        scan_one: Callable[[str], Redaction] = redact,
        scan_many: Callable[[Sequence[str]], list[Redaction]] = redact_many,
    ) -> None:
        self._scan_one = scan_one
        self._scan_many = scan_many
        self._known = KnownValues()
        self._lock = threading.Lock()
        self.counts: Counter[str] = Counter()
        self.failed = 0

    def redact(self, text: str) -> Redaction:
        """Remove known values and every secret that the scan finds, and remember these."""
        return self._settle(text, self._learn(text, self._scan_one(text)))

    def redact_many(self, texts: Sequence[str]) -> list[Redaction]:
        """`redact` for each text, in order; a value found in one is removed from all of them."""
        results = [self._learn(text, result) for text, result in zip(texts, self._scan_many(texts), strict=True)]
        return [self._settle(text, result) for text, result in zip(texts, results, strict=True)]

    def _learn(self, text: str, result: Redaction) -> Redaction:
        with self._lock:
            for finding in result.findings:
                if finding.learn:
                    self._known.add(text[finding.start : finding.end], finding.type)
        return result

    def _settle(self, text: str, result: Redaction) -> Redaction:
        """Add the places of known values to what the scan found, and count."""
        if result.failed:
            self.failed += 1
            return result
        with self._lock:
            repeats = self._known.find(text)
            findings = merged((*result.findings, *repeats)) if repeats else result.findings
            self.counts.update(finding.type for finding in findings)
        return Redaction(replace(text, findings), findings) if repeats else result

    def learn(self, value: str, kind: str = "secret") -> None:
        """Remember a value that is known to be secret, such as that of a secret-named environment variable."""
        with self._lock:
            self._known.add(value, kind)

    def propagate(self, text: str) -> Redaction:
        """Remove the values that are known so far, without a scan."""
        with self._lock:
            return self._known.redact(text)
