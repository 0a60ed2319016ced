"""What a scan reports: types and places, never values. Standard library only."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

OMITTED = "[OMITTED: secret scan failed]"
"""Stands for a text whose scan failed."""

LOOSE_TYPES = frozenset(
    (
        "password", "token", "key", "secret", "cookie", "session", "credential", "service-key", "random-value",
        "authorization", "bearer", "live-key", "test-key", "prefixed-key", "sk-key", "login-key", "url-token",
    )
)  # fmt: skip
"""Types that say how a secret was known rather than whose it is."""


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One secret in a text. `start` and `end` are character offsets in the text that was scanned, end exclusive.

    `type` is a short, stable name such as ``github-token``; the value itself is never kept. `learn` says that its place
    was sure enough to look for the same value everywhere else.
    """

    start: int
    end: int
    type: str
    learn: bool = field(default=True, compare=False)


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text with every secret replaced by ``[REDACTED:type]``, and what was replaced.

    `failed` says that the scan did not come to an end and `text` is `OMITTED`: nothing of the original is left.
    """

    text: str
    findings: tuple[Finding, ...] = ()
    failed: bool = False

    @property
    def counts(self) -> Counter[str]:
        """How many findings of each type."""
        return Counter(finding.type for finding in self.findings)


def placeholder(kind: str) -> str:
    """The text that stands where a secret of this type stood. It carries neither the length nor a hash of the value."""
    return f"[REDACTED:{kind}]"


def merged(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Union of overlapping findings, in order of place.

    The longest member gives the union its type, but one that names a vendor or a format goes before one of `LOOSE_TYPES`.
    """
    out: list[Finding] = []
    widest = 0
    for finding in sorted(findings, key=lambda f: (f.start, -f.end)):
        if out and finding.start < out[-1].end:
            last = out[-1]
            size = finding.end - finding.start
            better = (finding.type not in LOOSE_TYPES, size) > (last.type not in LOOSE_TYPES, widest)
            widest = size if better else widest
            out[-1] = Finding(
                last.start,
                max(last.end, finding.end),
                finding.type if better else last.type,
                last.learn or finding.learn,
            )
        else:
            out.append(finding)
            widest = finding.end - finding.start
    return tuple(out)


def replace(text: str, findings: Iterable[Finding]) -> str:
    """Replace every finding's span by its placeholder. The findings must be merged."""
    parts: list[str] = []
    at = 0
    for finding in findings:
        parts += (text[at : finding.start], placeholder(finding.type))
        at = finding.end
    parts.append(text[at:])
    return "".join(parts)


def original(done: Iterable[Finding], more: Iterable[Finding]) -> Iterator[Finding]:
    """Move findings of a redacted text to the offsets of the text it was made from. `done` is what was replaced."""
    starts, moves = [0], [0]
    shift = 0
    for finding in done:
        size = len(placeholder(finding.type))
        shift += finding.end - finding.start - size
        starts.append(finding.end - shift)
        moves.append(shift)
    for finding in more:
        start = finding.start + moves[bisect_right(starts, finding.start) - 1]
        end = finding.end + moves[bisect_right(starts, max(finding.start, finding.end - 1)) - 1]
        yield Finding(start, max(start, end), finding.type, finding.learn)
