"""The scan itself: one pass for anchors, then bounded patterns at the hits only. Standard library only.

Hooks use this module as it is; the batch path gives the same scanner an accelerated literal pass and the detect-secrets
plugins, and runs it in processes that can be killed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from slowwave.redaction.findings import Finding, Redaction, merged, original, placeholder, replace
from slowwave.redaction.rules.places.spans import run_end, run_length
from slowwave.redaction.rules.rule import Rule, TokenRule, left_edge
from slowwave.redaction.scan import runs
from slowwave.redaction.scan.blocks import PrivateKeyRule
from slowwave.redaction.scan.views import readings

WINDOW = 262_144
"""Characters that are scanned at a time; a longer text is cut into overlapping windows."""
LONG_NAME = 32
"""Characters before a sign from which on they may be a value of their own rather than a name."""
OVERLAP = 40_960
MARGIN = 4_096
NEAR = 160
"""Characters around a placeholder that are scanned again."""
REMEMBERED = 4_096
"""Decoded runs whose outcome is remembered."""

WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/.")
OPENERS = frozenset(("", *" \t\n\r\"'`=:>([{,;|"))
CLOSERS = frozenset(("", *" \t\n\r\"'`<)]},;|&@!?.\\"))
"""What may stand before and behind a whole value; nothing at the ends of a text."""
Anchor = tuple[str, bool]
"""A literal and whether its case is ignored."""
Literals = Callable[[str], Iterable[tuple[int, int]]]
"""A literal pass: yields (offset, index of the anchor) for every occurrence, in any order."""


def standard_rules() -> tuple[Rule, ...]:
    """Every rule that Slowwave brings, in table order."""
    from slowwave.redaction.rules.places.addresses import ADDRESSES
    from slowwave.redaction.rules.places.assignments import NameRule
    from slowwave.redaction.rules.places.commands import COMMANDS
    from slowwave.redaction.rules.places.formats import FORMATS, KEYED
    from slowwave.redaction.rules.places.outputs import OUTPUTS
    from slowwave.redaction.rules.places.prose import LOGINS, ForeignNameRule, KeyPairRule
    from slowwave.redaction.rules.places.sql import InsertRule
    from slowwave.redaction.rules.tokens import TOKENS

    return (
        PrivateKeyRule(), *TOKENS, *ADDRESSES, *COMMANDS, *FORMATS, OUTPUTS, InsertRule(), KeyPairRule(), *LOGINS, NameRule(),
        ForeignNameRule(), *KEYED,
    )  # fmt: skip


class Scanner:
    """Rules behind a literal pass. Stateless between texts, so it may be shared between threads.

    `make_literals` builds the literal pass for the anchors of the rules.
    """

    def __init__(self, rules: Sequence[Rule], make_literals: Callable[[Sequence[Anchor]], Literals]) -> None:
        table: dict[Anchor, list[tuple[int, Rule]]] = {}
        for number, rule in enumerate(rules):
            for word in rule.anchors:
                table.setdefault((word, rule.fold), []).append((number, rule))
        self.rules = tuple(rules)
        self._actions = [
            (word, all(isinstance(rule, TokenRule) and rule.edge and "_" not in word for _, rule in found), found)
            for (word, _), found in table.items()
        ]
        self._literals = make_literals(list(table))
        self._inside: dict[str, str | None] = {}

    def scan(self, text: str) -> tuple[Finding, ...]:
        """Find every secret in a text, in all its readings. Offsets are those of `text`."""
        found: list[Finding] = []
        for view in readings(text):
            for begin, stop in view.regions():
                inside = self._scan_text(view.text[begin:stop])
                if view.parent is None:
                    found += inside
                    continue
                for finding in inside:
                    start, end = view.span(finding.start + begin, finding.end + begin)
                    found.append(Finding(start, end, finding.type, finding.learn))
        return merged(found)

    def redact(self, text: str) -> Redaction:
        """Replace every secret in a text by ``[REDACTED:type]``.

        Scans again, until nothing more is found, around what was cut out of something that goes on: what is left of it
        may be a secret now. Around a value that quotes, blanks or signs set off, the text reads as before.
        """
        findings = self.scan(text)
        fresh: Sequence[Finding] = [one for one in findings if not _set_off(text, one)]
        for _ in range(4):
            more = self._again(replace(text, findings), findings, fresh) if fresh else ()
            if not more:
                break
            fresh = tuple(original(findings, more))
            findings = merged((*findings, *fresh))
        return Redaction(replace(text, findings), findings) if findings else Redaction(text)

    def _again(self, clean: str, done: Sequence[Finding], fresh: Sequence[Finding]) -> tuple[Finding, ...]:
        """Scan a redacted text where the last round has changed it: whole lines around its placeholders."""
        found: list[Finding] = []
        for start, end in _changed(clean, done, fresh):
            found += [
                Finding(one.start + start, one.end + start, one.type, one.learn) for one in self.scan(clean[start:end])
            ]
        return merged(found)

    def _scan_text(self, text: str) -> Iterator[Finding]:
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
            elif nested and (inner := runs.decoded_run(text, start, end)) and (kind := self._kind_inside(inner)):
                yield Finding(start, end, kind)

    def _kind_inside(self, inner: str) -> str | None:
        """The type of the first secret in a decoded run. The same run is met in several readings of a text."""
        if inner not in self._inside:
            if len(self._inside) >= REMEMBERED:
                self._inside.clear()
            found = next(self._scan_window(inner, nested=False), None)
            self._inside[inner] = kind = found.type if found else None
            return kind
        return self._inside.get(inner)

    def _at_anchors(self, text: str) -> Iterator[Finding]:
        start = end = 0
        resume = [0] * len(self.rules)
        actions = self._actions
        for at, index in sorted(self._literals(text)):
            word, edge, rules = actions[index]
            # Most hits of short anchors stand inside words.
            if edge and at and text[at - 1] in WORD and not left_edge(text, at):
                continue
            for number, rule in rules:
                # A hit inside what is found already, or inside what this rule has weighed, would be weighed twice.
                if (start <= at < end and not rule.always) or at < resume[number]:
                    continue
                found, resume[number] = rule.find(text, at, word)
                for finding in found:
                    if finding.end > end and len(found) == 1:
                        start, end = finding.start, finding.end
                    yield finding


def _set_off(text: str, finding: Finding) -> bool:
    """Whether a finding is a whole value: nothing that it may be a part of stands right before or behind it."""
    before, behind = text[finding.start - 1 : finding.start], text[finding.end : finding.end + 1]
    if before in ("=", ":") and run_length(text, finding.start - 1) >= LONG_NAME:
        return False
    return (before in OPENERS or before > "\x7f") and (behind in CLOSERS or behind > "\x7f")


def _changed(clean: str, done: Sequence[Finding], fresh: Sequence[Finding]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a redacted text around the placeholders of `fresh`, cut at line ends where there are some."""
    new = {finding.start for finding in fresh}
    shift, begin, stop = 0, 0, -1
    for finding in done:
        at = finding.start - shift
        size = len(placeholder(finding.type))
        shift += finding.end - finding.start - size
        if finding.start not in new:
            continue
        left, right = _line_before(clean, at - NEAR), _line_after(clean, at + size + NEAR)
        if left > stop:
            if stop > begin:
                yield begin, stop
            begin = left
        stop = max(stop, right)
    if stop > begin:
        yield begin, stop


def _line_before(text: str, at: int) -> int:
    """The start of the line, of an escaped line or of the word at an offset, whichever is near enough."""
    for sign in ("\n", "\\n", " "):
        found = text.rfind(sign, max(0, at - 4 * NEAR), max(0, at))
        if found >= 0:
            return found + len(sign)
    return 0 if at < 4 * NEAR else at - 4 * NEAR


def _line_after(text: str, at: int) -> int:
    for sign in ("\n", "\\n", " "):
        found = text.find(sign, at, at + 4 * NEAR)
        if found >= 0:
            return found
    return min(len(text), at + 4 * NEAR)


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
