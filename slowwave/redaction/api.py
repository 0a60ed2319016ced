"""The public face of the secret scan.

``redact(text)`` is the scan of one text in this process. `Redactor` is one night's scanner: it also removes, everywhere,
each value that it has found anywhere. `slowwave.redaction.guard` offers the same face from worker processes with a hard
time limit; what leaves the machine or is written to disk goes through that one.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from slowwave.redaction import engine
from slowwave.redaction.findings import OMITTED, Finding, Redaction, merged, placeholder, replace
from slowwave.redaction.propagation import KnownValues

__all__ = ["OMITTED", "Finding", "Json", "Redaction", "Redactor", "placeholder", "redact", "redact_many"]

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"


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

    `scan_one` is what finds secrets; the default is the scan in this process. The values found live in memory only.
    """

    def __init__(self, scan_one: Callable[[str], Redaction] = redact) -> None:
        self._scan_one = scan_one
        self._known = KnownValues()
        self._lock = threading.Lock()
        self.counts: Counter[str] = Counter()

    def redact(self, text: str) -> Redaction:
        """Remove known values and every secret that the scan finds, and remember these."""
        result = self._scan_one(text)
        if result.failed:
            return result
        with self._lock:
            for finding in result.findings:
                self._known.add(text[finding.start : finding.end], finding.type)
            repeats = self._known.find(text)
            findings = merged((*result.findings, *repeats))
            self.counts.update(finding.type for finding in findings)
        if not repeats:
            return result
        return Redaction(replace(text, findings), findings)

    def redact_many(self, texts: Sequence[str]) -> list[Redaction]:
        """`redact` for each text, in order."""
        return [self.redact(text) for text in texts]

    def redact_json(self, value: Json) -> Json:
        """Redact every string in a decoded JSON value, keys too. A value under a telling key is weighed with its key."""
        if isinstance(value, str):
            return self.redact(value).text
        if isinstance(value, list):
            return [self.redact_json(item) for item in value]
        if isinstance(value, dict):
            return {self.redact(key).text: self._member(key, item) for key, item in value.items()}
        return value

    def _member(self, key: str, item: Json) -> Json:
        if not isinstance(item, str):
            return self.redact_json(item)
        lead = f'"{key}": "'
        # The key says what the value is: {"password": "..."} is known by its key alone.
        result = self._scan_one(lead + item + '"')
        if result.failed:
            return result.text
        inner = [
            Finding(max(f.start - len(lead), 0), min(f.end - len(lead), len(item)), f.type)
            for f in result.findings
            if f.end > len(lead) and f.start < len(lead) + len(item)
        ]
        with self._lock:
            for finding in inner:
                self._known.add(item[finding.start : finding.end], finding.type)
            self.counts.update(finding.type for finding in inner)
        return self.redact(replace(item, merged(inner))).text

    def learn(self, value: str, kind: str = "secret") -> None:
        """Remember a value that is known to be secret, such as that of a secret-named environment variable."""
        with self._lock:
            self._known.add(value, kind)

    def propagate(self, text: str) -> Redaction:
        """Remove the values that are known so far, without a scan."""
        with self._lock:
            return self._known.redact(text)
