"""The scan itself: one pass for anchors, then bounded patterns at the hits only. Standard library only.

Hooks use this module as it is; the batch path gives the same scanner an accelerated literal pass and the detect-secrets
plugins, and runs it in processes that can be killed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from slowwave.redaction import runs
from slowwave.redaction.blocks import PrivateKeyRule
from slowwave.redaction.findings import Finding, Redaction, merged, original, replace
from slowwave.redaction.rules.rule import Rule
from slowwave.redaction.rules.spans import run_end
from slowwave.redaction.views import View, readings

WINDOW = 262_144
"""Characters that are scanned at a time; a longer text is cut into overlapping windows."""
OVERLAP = 40_960
MARGIN = 4_096

Anchor = tuple[str, bool]
"""A literal and whether its case is ignored."""
Literals = Callable[[str], Iterable[tuple[int, int]]]
"""A literal pass: yields (offset, index of the anchor) for every occurrence, in any order."""


def standard_rules() -> tuple[Rule, ...]:
    """Every rule that Slowwave brings, in table order."""
    from slowwave.redaction.rules.addresses import ADDRESSES
    from slowwave.redaction.rules.assignments import NameRule
    from slowwave.redaction.rules.commands import COMMANDS
    from slowwave.redaction.rules.formats import FORMATS
    from slowwave.redaction.rules.outputs import OUTPUTS
    from slowwave.redaction.rules.prose import LOGINS, ForeignNameRule, KeyPairRule
    from slowwave.redaction.rules.tokens import TOKENS

    return (
        PrivateKeyRule(), *TOKENS, *ADDRESSES, *COMMANDS, *FORMATS, OUTPUTS, KeyPairRule(), *LOGINS, NameRule(),
        ForeignNameRule(),
    )  # fmt: skip


class Scanner:
    """Rules behind a literal pass. Stateless between texts, so it may be shared between threads.

    `make_literals` builds the literal pass for the anchors of the rules.
    """

    def __init__(self, rules: Sequence[Rule], make_literals: Callable[[Sequence[Anchor]], Literals]) -> None:
        table: dict[Anchor, list[Rule]] = {}
        for rule in rules:
            for word in rule.anchors:
                table.setdefault((word, rule.fold), []).append(rule)
        self.rules = tuple(rules)
        self._words = [word for word, _ in table]
        self._actions = list(table.values())
        self._literals = make_literals(list(table))

    def scan(self, text: str) -> tuple[Finding, ...]:
        """Find every secret in a text, in all its readings. Offsets are those of `text`."""
        found: list[Finding] = []
        for view in readings(text):
            for finding in self._scan_view(view):
                start, end = view.span(finding.start, finding.end)
                found.append(Finding(start, end, finding.type, finding.learn))
        return merged(found)

    def redact(self, text: str) -> Redaction:
        """Replace every secret in a text by ``[REDACTED:type]``.

        Scans again until nothing more is found, so the result is a fixed point: redacting it changes nothing.
        """
        findings = self.scan(text)
        for _ in range(4):
            more = self.scan(replace(text, findings)) if findings else ()
            if not more:
                break
            findings = merged((*findings, *original(findings, more)))
        return Redaction(replace(text, findings), findings) if findings else Redaction(text)

    def _scan_view(self, view: View) -> Iterator[Finding]:
        text = view.text
        if len(text) <= WINDOW:
            yield from self._scan_window(text)
            return
        for at in range(0, len(text), WINDOW - OVERLAP):
            for finding in self._scan_window(text[at : at + WINDOW]):
                # The window before saw this margin with what stands to its left; here it may start inside a word.
                if at == 0 or finding.start >= MARGIN or finding.end > OVERLAP - MARGIN:
                    end = finding.end + at
                    # A value that the window cuts goes on to its own end, whatever its length.
                    end = run_end(text, end) if finding.end == WINDOW else end
                    yield Finding(finding.start + at, end, finding.type, finding.learn)
            if at + WINDOW >= len(text):
                return

    def _scan_window(self, text: str, *, nested: bool = True) -> Iterator[Finding]:
        yield from self._at_anchors(text)
        for start, end in runs.runs(text):
            finding = runs.named_run(text, start, end)
            if finding is not None:
                yield finding
            elif nested and (inner := runs.decoded_run(text, start, end)):
                found = next(self._scan_window(inner, nested=False), None)
                if found is not None:
                    yield Finding(start, end, found.type)

    def _at_anchors(self, text: str) -> Iterator[Finding]:
        start = end = 0
        resume: dict[int, int] = {}
        for at, index in sorted(self._literals(text)):
            word = self._words[index]
            for rule in self._actions[index]:
                # A hit inside what is found already, or inside what this rule has weighed, would be weighed twice.
                if (start <= at < end and not rule.always) or at < resume.get(id(rule), 0):
                    continue
                found, resume[id(rule)] = rule.find(text, at, word)
                for finding in found:
                    if finding.end > end and len(found) == 1:
                        start, end = finding.start, finding.end
                    yield finding


def lowered(text: str) -> str:
    """Lower case without a change of length, so offsets stay, and without letters that turn into ASCII ones."""
    if text.isascii():
        return text.lower()
    return text.replace("\u0130", "?").replace("\u212a", "?").lower()


def plain_literals(anchors: Sequence[Anchor]) -> Literals:
    """The literal pass of the standard library: fast enough for a hook's few kilobytes."""

    def literals(text: str) -> Iterator[tuple[int, int]]:
        low = lowered(text)
        for index, (word, fold) in enumerate(anchors):
            where = low if fold else text
            at = where.find(word)
            while at >= 0:
                yield at, index
                at = where.find(word, at + 1)

    return literals


@cache
def standard_scanner() -> Scanner:
    """The scanner of the standard library."""
    return Scanner(standard_rules(), plain_literals)


def scan(text: str) -> tuple[Finding, ...]:
    """Find every secret in a text."""
    return standard_scanner().scan(text)


def redact(text: str) -> Redaction:
    """Replace every secret in a text by ``[REDACTED:type]``."""
    return standard_scanner().redact(text)
