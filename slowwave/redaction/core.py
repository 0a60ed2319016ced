"""The scan itself: one pass for anchors, then bounded patterns at the hits only. Standard library only.

Hooks use this module as it is; the batch path adds an accelerated literal pass, the detect-secrets plugins and the worker
processes around it, and finds the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache

from slowwave.redaction import blocks, context, runs
from slowwave.redaction.findings import Finding, Redaction, merged, replace
from slowwave.redaction.names import KEYWORDS, WORDS_OTHER_SCRIPTS
from slowwave.redaction.rules.place import PlaceRule
from slowwave.redaction.rules.rule import TokenRule
from slowwave.redaction.values import alternations, is_placeholder, is_structured
from slowwave.redaction.views import View, readings

WINDOW = 262_144
OVERLAP = 40_960
MARGIN = 4_096

Handler = Callable[[str, int, int], "tuple[Finding | None, int]"]
Literals = Callable[[str], "Iterable[tuple[int, int]]"]
"""A literal pass: yields (offset, index into `anchors()`) for every occurrence, in any order."""


@cache
def token_rules() -> tuple[TokenRule, ...]:
    """Every token rule, in table order."""
    from slowwave.redaction.rules import platforms, services

    tables = (platforms.CLOUDS, platforms.CODE_HOSTS, platforms.OTHERS, *services.TABLES)
    return tuple(rule for table in tables for rule in table)


@cache
def place_rules() -> tuple[PlaceRule, ...]:
    """Every place rule, in table order."""
    from slowwave.redaction.rules.addresses import ADDRESSES
    from slowwave.redaction.rules.commands import COMMANDS
    from slowwave.redaction.rules.formats import FORMATS

    return (*ADDRESSES, *COMMANDS, *FORMATS)


@cache
def anchors() -> tuple[tuple[str, bool, tuple[object, ...]], ...]:
    """(literal, whether case is ignored, what to try at a hit), without duplicates."""
    exact: dict[str, list[object]] = {}
    folded: dict[str, list[object]] = {}
    for block in blocks.ANCHORS:
        exact.setdefault(block, []).append("block")
    for rule in token_rules():
        for anchor in rule.anchors:
            exact.setdefault(anchor, []).append(rule)
    for place in place_rules():
        for anchor in place.anchors:
            (folded if place.fold else exact).setdefault(anchor, []).append(place)
    for word in KEYWORDS:
        folded.setdefault(word, []).append("name")
    for word in WORDS_OTHER_SCRIPTS:
        exact.setdefault(word, []).append("foreign")
    return tuple((word, False, tuple(what)) for word, what in exact.items()) + tuple(
        (word, True, tuple(what)) for word, what in folded.items()
    )


def lowered(text: str) -> str:
    """Lower case without a change of length, so offsets stay, and without letters that turn into ASCII ones."""
    if text.isascii():
        return text.lower()
    return text.replace("\u0130", "?").replace("\u212a", "?").lower()


def plain_literals(text: str) -> Iterator[tuple[int, int]]:
    """The literal pass of the standard library: fast enough for a hook's few kilobytes."""
    low = lowered(text)
    for index, (word, fold, _) in enumerate(anchors()):
        where = low if fold else text
        at = where.find(word)
        while at >= 0:
            yield at, index
            at = where.find(word, at + 1)


def scan(text: str, *, literals: Literals = plain_literals) -> tuple[Finding, ...]:
    """Find every secret in a text, in all its readings. Offsets are those of `text`."""
    found: list[Finding] = []
    for view in readings(text):
        for finding in _scan_view(view, literals):
            start, end = view.span(finding.start, finding.end)
            found.append(Finding(start, end, finding.type))
    return merged(found)


def redact(text: str, *, literals: Literals = plain_literals) -> Redaction:
    """Replace every secret in a text by ``[REDACTED:type]``.

    Scans again until nothing more is found, so the result is a fixed point: redacting it changes nothing.
    """
    findings = scan(text, literals=literals)
    for _ in range(3):
        if not findings:
            break
        more = scan(replace(text, findings), literals=literals)
        if not more:
            break
        findings = merged((*findings, *_original(findings, more)))
    return Redaction(replace(text, findings), findings) if findings else Redaction(text)


def _original(done: tuple[Finding, ...], more: Iterable[Finding]) -> Iterator[Finding]:
    """Findings of the redacted text, moved to the offsets of the original."""
    shifts: list[tuple[int, int]] = [(0, 0)]
    shift = 0
    for finding in done:
        size = len(f"[REDACTED:{finding.type}]")
        begin = finding.start - shift
        shift += finding.end - finding.start - size
        shift = shift
        shifts.append((begin + size, (finding.end) - (begin + size)))
    for finding in more:
        start = finding.start + next(move for at, move in reversed(shifts) if at <= finding.start)
        end = finding.end + next(move for at, move in reversed(shifts) if at <= max(finding.start, finding.end - 1))
        yield Finding(start, end, finding.type)


def _scan_view(view: View, literals: Literals) -> Iterator[Finding]:
    text = view.text
    if len(text) <= WINDOW:
        yield from _scan_window(text, literals)
        return
    for at in range(0, len(text), WINDOW - OVERLAP):
        for finding in _scan_window(text[at : at + WINDOW], literals):
            # The window before saw this margin with what stands to its left; here it may start inside a word.
            if at == 0 or finding.start >= MARGIN or finding.end > OVERLAP - MARGIN:
                yield Finding(finding.start + at, finding.end + at, finding.type)
        if at + WINDOW >= len(text):
            return


def _scan_window(text: str, literals: Literals, *, nested: bool = True) -> Iterator[Finding]:
    yield from _at_anchors(text, literals)
    for start, end in runs.runs(text):
        finding = runs.named_run(text, start, end)
        if finding is not None:
            yield finding
        elif nested and (inner := runs.decoded_run(text, start, end)):
            found = next(_scan_window(inner, literals, nested=False), None)
            if found is not None:
                yield Finding(start, end, found.type)


def _at_anchors(text: str, literals: Literals) -> Iterator[Finding]:
    table = anchors()
    state = _State()
    for at, index in sorted(literals(text)):
        word, _, actions = table[index]
        for action in actions:
            if state.start <= at < state.end and action != "block":
                break
            finding = _try(text, at, word, action, state)
            if finding is not None:
                if finding.end > state.end:
                    state.start, state.end = finding.start, finding.end
                yield finding


@dataclass(slots=True)
class _State:
    """What one pass knows: the last finding's span, how far names are weighed, and how far each place is."""

    start: int = 0
    end: int = 0
    weighed: int = 0
    places: dict[int, int] = field(default_factory=dict)


def _try(text: str, at: int, word: str, action: object, state: _State) -> Finding | None:
    if isinstance(action, TokenRule):
        return _token(text, at, word, action)
    if isinstance(action, PlaceRule):
        if at < state.places.get(id(action), 0):
            return None
        finding, state.places[id(action)] = _place(text, at, action)
        return finding
    if action == "block":
        if at < state.places.get(0, 0):
            return None
        finding = blocks.private_key(text, at, len(word))
        state.places[0] = finding.end if finding else 0
        return finding
    if at < state.weighed:
        return None
    if action == "name":
        finding, state.weighed = context.assignment(text, at, len(word))
    else:
        finding, state.weighed = context.foreign_assignment(text, at + len(word))
    return finding


def _token(text: str, at: int, anchor: str, rule: TokenRule) -> Finding | None:
    start = at
    if rule.back:
        before = rule.back_pattern.search(text, max(0, at - rule.reach), at)
        if before is None:
            return None
        start = before.start()
    elif rule.edge and not left_edge(text, at):
        return None
    end = at + len(anchor)
    match = rule.body_pattern.match(text, end, end + 9000)
    if match is None:
        return None
    body = match.group()
    if is_placeholder(body) or len(set(body)) < 4:
        return None
    if rule.mixed and (alternations(body) < 3 or is_structured(body)):
        return None
    return Finding(start, match.end(), rule.type)


def _place(text: str, at: int, rule: PlaceRule) -> tuple[Finding | None, int]:
    """The finding, if any, and the offset up to which this rule need not be tried again."""
    if rule.back:
        match = rule.compiled.search(text, max(0, at - rule.back), at + rule.ahead)
    else:
        match = rule.compiled.match(text, at, at + rule.ahead)
    if match is None:
        return None, 0
    start, end = match.span("s")
    if rule.accept(text[start:end]):
        return Finding(start, end, rule.type), end
    return None, match.end()


_ESCAPE_EDGE = re.compile(r"(?:\\[nrtfb0]|%[0-9A-Fa-f]{2}|\\u[0-9a-fA-F]{4}|\[[0-9;]{1,12}m)\Z")


@lru_cache(maxsize=1)
def _edge_characters() -> frozenset[str]:
    return frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/.")


def left_edge(text: str, at: int) -> bool:
    """Whether a token may start here: no token character before it, or an escape sequence that only looks like one."""
    if at == 0 or text[at - 1] not in _edge_characters():
        return True
    return bool(_ESCAPE_EDGE.search(text, max(0, at - 14), at))
