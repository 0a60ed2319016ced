"""Fit a session into prompts of a limited size: whole items, the important ones first, gaps that can be seen.

Pure functions. Nothing here can fail because a session is too large: it is shortened, thinned or split.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from slowwave.rollouts.model import Item, ItemKind

Estimate = Callable[[str], int]

# One JSON line's keys and a gap marker before it.
ITEM_OVERHEAD_TOKENS = 32
SMALLEST_BUDGET_TOKENS = 1000
FIX_WINDOW_ITEMS = 40
HEAD_SHARE = 0.6
ESSENTIAL_SHARE = 0.8

# Made once: `json.dumps` with an option builds an encoder for every call.
_as_json = json.JSONEncoder(ensure_ascii=False).encode
_WORD = re.compile(r"[\w./-]+")
_WRAPPERS = frozenset({"command", "cmd", "bash", "sh", "-c", "-lc", "zsh", "input", "shell", "sudo"})


class Tier(IntEnum):
    """How much an item is worth keeping; a lower number goes in first."""

    USER = 0
    FINAL = 1
    FIXED = 2
    FAILED = 3
    COMMENT = 4
    CONTEXT = 5
    CALL = 6
    OUTPUT = 7


# Most tokens of one item: first when there is room, then when there is little. Shares of the budget bound them too.
_ROOMY = {
    Tier.OUTPUT: 1500,
    Tier.CALL: 800,
    Tier.CONTEXT: 1500,
    Tier.COMMENT: 3000,
    Tier.FAILED: 1500,
    Tier.FIXED: 1500,
}
_TIGHT = {Tier.OUTPUT: 250, Tier.CALL: 200, Tier.CONTEXT: 400, Tier.COMMENT: 600, Tier.FAILED: 400, Tier.FIXED: 600}
_LARGEST_SHARE = {Tier.USER: 0.25, Tier.FINAL: 0.15}
_OTHER_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Part:
    """What one call sees of a session.

    `items` are in order; long ones are copies with a shortened text, so quotes must be checked against the session's
    own items. `gaps` maps an item's index to the number of items left out just before it; the key -1 is what was left
    out at the end. `tokens` is the estimate of the items as JSON lines.
    """

    items: tuple[Item, ...]
    gaps: dict[int, int]
    tokens: int


@dataclass(frozen=True, slots=True)
class _Sized:
    item: Item
    tier: Tier
    tokens: int


def fit(
    items: Sequence[Item],
    budget_tokens: int,
    estimate: Estimate,
    *,
    signals: frozenset[int] = frozenset(),
    detail_parts: int = 4,
) -> list[Part]:
    """Divide a session into parts of at most `budget_tokens` each, in order.

    One part where that is enough. A larger session is split at turn boundaries (inside a turn only where that turn
    alone is too large, and never between a tool call and its result) as long as `detail_parts` parts hold everything,
    long items shortened. Beyond that, items are left out by tier, the newest kept first, and there are as many parts as
    what the user typed and the final answers need. `signals` are indexes of items that count as the user's. An empty
    session gives no part.
    """
    if not items:
        return []
    budget = max(budget_tokens, SMALLEST_BUDGET_TOKENS)
    tiers = rank(items, signals)
    for limits in (_ROOMY, _TIGHT):
        sized = [_size(item, tier, limits, budget, estimate) for item, tier in zip(items, tiers, strict=True)]
        if sum(entry.tokens for entry in sized) <= budget:
            return [_part(sized, sized)]
    return _split(sized, budget, detail_parts)


def rank(items: Sequence[Item], signals: frozenset[int] = frozenset()) -> list[Tier]:
    """Return the tier of each item."""
    last_words = _last_assistant_texts(items)
    failed, fixed = _failures(items)
    tiers: list[Tier] = []
    for position, item in enumerate(items):
        if item.kind is ItemKind.USER_TEXT or item.index in signals:
            tiers.append(Tier.USER)
        elif item.kind is ItemKind.SUMMARY or item.final or position in last_words:
            tiers.append(Tier.FINAL)
        elif position in fixed:
            tiers.append(Tier.FIXED)
        elif position in failed:
            tiers.append(Tier.FAILED)
        else:
            tiers.append(_PLAIN[item.kind])
    return tiers


_PLAIN = {
    ItemKind.USER_TEXT: Tier.USER,
    ItemKind.SUMMARY: Tier.FINAL,
    ItemKind.ASSISTANT_TEXT: Tier.COMMENT,
    ItemKind.CONTEXT: Tier.CONTEXT,
    ItemKind.TOOL_CALL: Tier.CALL,
    ItemKind.TOOL_RESULT: Tier.OUTPUT,
}


def shorten(text: str, tokens: int, estimate: Estimate) -> str:
    """Return `text` with its middle replaced by a visible marker so that its JSON form is at most `tokens` tokens.

    Cuts fall between whole characters: a combining mark stays with its base. A text that fits comes back as it is.
    """
    whole = _json_tokens(text, estimate)
    if whole <= tokens:
        return text
    keep = int(len(text) * tokens / whole)
    while True:
        head = _boundary(text, int(keep * HEAD_SHARE))
        tail = _boundary(text, len(text) - (keep - head)) if keep > head else len(text)
        short = f"{text[:head]}\n[... {tail - head:,} characters left out ...]\n{text[tail:]}"
        if keep < 8 or _json_tokens(short, estimate) <= tokens:
            return short
        keep = int(keep * 0.85)


def _boundary(text: str, at: int) -> int:
    while 0 < at < len(text) and _joins(text[at - 1], text[at]):
        at -= 1
    return at


def _joins(before: str, after: str) -> bool:
    return unicodedata.category(after).startswith("M") or "\u200d" in (before, after)


def _json_tokens(text: str, estimate: Estimate) -> int:
    return estimate(_as_json(text))


def _size(item: Item, tier: Tier, limits: dict[Tier, int], budget: int, estimate: Estimate) -> _Sized:
    most = int(budget * _LARGEST_SHARE.get(tier, _OTHER_SHARE))
    limit = min(most, limits.get(tier, most))
    tokens = _json_tokens(item.text, estimate)
    if tokens <= limit:
        return _Sized(item, tier, tokens + ITEM_OVERHEAD_TOKENS)
    text = shorten(item.text, limit, estimate)
    return _Sized(item.with_text(text), tier, _json_tokens(text, estimate) + ITEM_OVERHEAD_TOKENS)


def _last_assistant_texts(items: Sequence[Item]) -> set[int]:
    """Positions of the last assistant text before each user text and at the end: a turn's final answer."""
    found: set[int] = set()
    latest: int | None = None
    for position, item in enumerate(items):
        if item.kind is ItemKind.USER_TEXT:
            if latest is not None:
                found.add(latest)
            latest = None
        elif item.kind is ItemKind.ASSISTANT_TEXT:
            latest = position
    if latest is not None:
        found.add(latest)
    return found


def _has_failed(item: Item) -> bool:
    return item.failed is True or (item.failed is None and item.exit_status not in (None, 0))


def _failures(items: Sequence[Item]) -> tuple[set[int], set[int]]:
    """Positions of failed calls with their results, and of those that a later, similar call put right (with that)."""
    calls: dict[str, int] = {}
    failed: set[int] = set()
    fixed: set[int] = set()
    waiting: dict[tuple[str | None, str], list[tuple[int, set[int]]]] = {}
    for position, item in enumerate(items):
        if item.kind is ItemKind.TOOL_CALL and item.call_id:
            calls[item.call_id] = position
        if item.kind is not ItemKind.TOOL_RESULT:
            continue
        call = calls.get(item.call_id or "", position)
        pair = {call, position}
        key = (items[call].tool or item.tool, _leading_word(items[call].text))
        if _has_failed(item):
            failed |= pair
            waiting.setdefault(key, []).append((position, pair))
            continue
        for failure, failed_pair in waiting.pop(key, []):
            if position - failure <= FIX_WINDOW_ITEMS:
                fixed |= failed_pair | pair
    return failed, fixed


def _leading_word(text: str) -> str:
    return next((word for word in _WORD.findall(text[:200]) if word not in _WRAPPERS), "")


def _split(sized: Sequence[_Sized], budget: int, detail_parts: int) -> list[Part]:
    units = list(_units(sized, budget))
    groups = _fill_groups(units, budget, budget)
    if len(groups) <= detail_parts:
        return [_part(group, _choose(group, budget)) for group in groups]
    essential = sum(entry.tokens for entry in sized if entry.tier <= Tier.FINAL)
    wanted = max(detail_parts, math.ceil(essential / (budget * ESSENTIAL_SHARE)))
    share = math.ceil(sum(entry.tokens for entry in sized) / wanted)
    return [_part(group, _choose(group, budget)) for group in _fill_groups(units, budget, share, Tier.FINAL)]


def _units(sized: Sequence[_Sized], budget: int) -> Iterator[list[_Sized]]:
    """Yield turns; one that exceeds the budget comes in pieces that keep calls and their results together."""
    for turn in _runs(sized, lambda before, entry: entry.item.kind is ItemKind.USER_TEXT):
        if sum(entry.tokens for entry in turn) <= budget:
            yield turn
        else:
            yield from _runs(turn, _between_calls)


def _between_calls(before: _Sized, entry: _Sized) -> bool:
    return before.item.kind is not ItemKind.TOOL_CALL and entry.item.kind is not ItemKind.TOOL_RESULT


def _runs(sized: Sequence[_Sized], divides: Callable[[_Sized, _Sized], bool]) -> Iterator[list[_Sized]]:
    run: list[_Sized] = []
    for entry in sized:
        if run and divides(run[-1], entry):
            yield run
            run = []
        run.append(entry)
    if run:
        yield run


def _fill_groups(
    units: Sequence[list[_Sized]], budget: int, share: int, counted: Tier = Tier.OUTPUT
) -> list[list[_Sized]]:
    """Join units in order; a group ends before its items of tier `counted` or better exceed the budget, or when all of
    its items together have reached `share`."""
    groups: list[list[_Sized]] = []
    group: list[_Sized] = []
    total = weight = 0
    for unit in units:
        unit_weight = sum(entry.tokens for entry in unit if entry.tier <= counted)
        if group and (weight + unit_weight > budget or total >= share):
            groups.append(group)
            group, total, weight = [], 0, 0
        group.extend(unit)
        total += sum(entry.tokens for entry in unit)
        weight += unit_weight
    groups.append(group)
    return groups


def _choose(group: Sequence[_Sized], budget: int) -> list[_Sized]:
    """Keep the best items that fit: tier by tier, the newest first."""
    left = budget
    kept: set[int] = set()
    for position in sorted(range(len(group)), key=lambda place: (group[place].tier, -place)):
        if group[position].tokens <= left:
            kept.add(position)
            left -= group[position].tokens
    return [entry for position, entry in enumerate(group) if position in kept]


def _part(group: Sequence[_Sized], kept: Sequence[_Sized]) -> Part:
    chosen = {entry.item.index for entry in kept}
    gaps: dict[int, int] = {}
    missing = 0
    for entry in group:
        if entry.item.index not in chosen:
            missing += 1
        elif missing:
            gaps[entry.item.index] = missing
            missing = 0
    if missing:
        gaps[-1] = missing
    return Part(tuple(entry.item for entry in kept), gaps, sum(entry.tokens for entry in kept))
