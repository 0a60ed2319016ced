"""When two statements say the same, when one is narrower, and when they contradict each other.

Decided by what they claim: their content words, values, quantities, names and polarity, never by the likeness of their
letters. In doubt two statements are different, because a line that is lost is worse than one that stands twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

from slowwave.text.folding import canonical
from slowwave.text.statements.claims import CACHED, Claim, Statement, read

LONGEST = 1_000
"""Characters of a statement; a longer text is a document, and equals another only word for word."""


class Relation(StrEnum):
    """How the first of two statements stands to the second. `NARROWER`: it says the same of fewer cases."""

    SAME = "same"
    NARROWER = "narrower"
    WIDER = "wider"
    CONTRADICTS = "contradicts"
    DIFFERENT = "different"


def relate(first: str, second: str) -> Relation:
    """Compare two statements, short texts in any language.

    They contradict each other only if they give one subject another value, or say yes and no to the same. Symmetric, but
    for `NARROWER` and `WIDER`, which change places.
    """
    if first == second or canonical(first) == canonical(second):
        return Relation.SAME
    if max(len(first), len(second)) > LONGEST:
        return Relation.DIFFERENT
    one, other = read(first), read(second)
    if not one.claims or not other.claims:
        return Relation.DIFFERENT
    replaces = one.replaces or other.replaces
    found = [[_related(a, b, replaces) for b in other.claims] for a in one.claims]
    if any(relation is Relation.CONTRADICTS for row in found for relation in row):
        return Relation.CONTRADICTS
    return _together(one, other, found)


@lru_cache(maxsize=CACHED)
def keys(text: str) -> frozenset[str]:
    """Keys of which two statements share one at least unless they are different: to find the pairs worth comparing."""
    plain = canonical(text)
    if len(text) > LONGEST:
        return frozenset({plain})
    tokens = {token for claim in read(text).claims for token in claim.tokens}
    return frozenset(
        {plain} | {token for token in tokens if token[0] != "#"} | {f"{_family(t)}=" for t in tokens if _family(t)}
    )


def _together(one: Statement, other: Statement, found: list[list[Relation]]) -> Relation:
    """The relation of two statements from those of their claims."""
    same_here = [Relation.SAME in row for row in found]
    same_there = [Relation.SAME in column for column in zip(*found, strict=True)]
    extra_here = [claim for claim, same in zip(one.claims, same_here, strict=True) if not same]
    extra_there = [claim for claim, same in zip(other.claims, same_there, strict=True) if not same]
    if any(same_here):
        if _implied(extra_here, one) and _implied(extra_there, other):
            return Relation.SAME
        if not extra_here:
            return Relation.WIDER
        return Relation.NARROWER if not extra_there else Relation.DIFFERENT
    if len(one.claims) == len(other.claims) == 1:
        return found[0][0]
    return Relation.DIFFERENT


def _implied(extra: Iterable[Claim], whole: Statement) -> bool:
    """Whether claims add nothing: who chose one of two rivals has turned the other down."""
    chosen = {_family(value) for claim in whole.claims if claim.positive for value in claim.values}
    return all(not claim.positive and claim.values and {_family(v) for v in claim.values} <= chosen for claim in extra)


def _family(token: str) -> str:
    return token.partition("=")[0] if "=" in token else ""


def _related(a: Claim, b: Claim, replaces: bool) -> Relation:
    here, there = _apart(a, b)
    if a.positive != b.positive and (bool(a.context) != bool(b.context)):
        return _opposed(a, b, here, there, replaces)
    if not here and not there:
        return _same_words(a, b)
    if a.positive != b.positive:
        return _opposed(a, b, here, there, replaces)
    if here and there:
        return Relation.CONTRADICTS if _other_value(a, b, here, there, replaces) else Relation.DIFFERENT
    if (a.tokens & b.tokens) and not _only_numbers(here | there):
        # What has more words speaks of fewer cases.
        return Relation.NARROWER if here else Relation.WIDER
    return Relation.DIFFERENT


def _apart(a: Claim, b: Claim) -> tuple[frozenset[str], frozenset[str]]:
    """The tokens that only one of two claims has. Words that name what a value is a value of count only where the other
    claim speaks of something else."""
    here, there = a.tokens - b.tokens, b.tokens - a.tokens
    plain = {token for token in there - b.said if not _family(token) and token[0] != "#"}
    own = {token for token in here - a.said if not _family(token) and token[0] != "#"}
    return here if plain else here - a.said, there if own else there - b.said


def _same_words(a: Claim, b: Claim) -> Relation:
    if a.order is not None and b.order is not None and a.order != b.order:
        turned = a.order == (b.order[1], b.order[0])
        return Relation.CONTRADICTS if turned and a.positive == b.positive else Relation.DIFFERENT
    return Relation.SAME if a.positive == b.positive else Relation.CONTRADICTS


def _opposed(a: Claim, b: Claim, here: frozenset[str], there: frozenset[str], replaces: bool) -> Relation:
    """Yes and no to different words are different, unless one says that the other is over, or leaves out what is plain."""
    if _left_out(a, b, replaces) or _left_out(b, a, replaces):
        return Relation.CONTRADICTS
    no_more = (not here and not a.positive) or (not there and not b.positive)
    return Relation.CONTRADICTS if replaces and no_more and a.tokens & b.tokens else Relation.DIFFERENT


def _left_out(fragment: Claim, whole: Claim, replaces: bool) -> bool:
    """`Ship A with B, never with C` against `Ship A with C`: all that the fragment leaves out is what it is about."""
    if not fragment.context or not fragment.tokens <= whole.tokens:
        return False
    rest = whole.tokens - fragment.tokens
    if rest - whole.said:
        return rest - whole.said <= fragment.context
    return replaces or bool(rest & fragment.context)


def _other_value(a: Claim, b: Claim, here: frozenset[str], there: frozenset[str], replaces: bool) -> bool:
    """Whether the differing words are one value against another of the same thing."""
    numbers = (_numbers(here), _numbers(there))
    values = ({t for t in here if _family(t)}, {t for t in there if _family(t)})
    rest = (here - numbers[0] - values[0], there - numbers[1] - values[1])
    if rest[0] and rest[1]:
        return not any((*numbers, *values)) and _other_name(a, b, rest)
    if (rest[0] or rest[1]) and not replaces:
        return False
    if values[0] or values[1]:
        # "2 spaces" against "tabs": the number belongs to the value.
        return a.positive and _one_family(*values) and (len(numbers[0]) + len(numbers[1]) <= 1 or not all(numbers))
    return _other_number(a, b, *numbers)


def _one_family(here: set[str], there: set[str]) -> bool:
    families = {_family(value) for value in here | there}
    return len(here) == len(there) == 1 == len(families)


def _other_number(a: Claim, b: Claim, here: frozenset[str], there: frozenset[str]) -> bool:
    if len(here) != 1 or len(there) != 1 or _dimension(here) != _dimension(there):
        return False
    return (a.positive or (a.limit and b.limit)) and bool(a.tokens - here)


def _other_name(a: Claim, b: Claim, rest: tuple[frozenset[str], frozenset[str]]) -> bool:
    """`We use X for payments`, `we use Y for payments`: one name each, in the place of a value, with a subject in common."""
    if not (a.positive and a.slot and b.slot and a.tokens & b.tokens):
        return False
    return len(rest[0]) == len(rest[1]) == 1 and rest[0] <= a.names and rest[1] <= b.names


def _numbers(tokens: frozenset[str]) -> frozenset[str]:
    return frozenset(token for token in tokens if token[0] == "#")


def _only_numbers(tokens: frozenset[str]) -> bool:
    return all(token[0] == "#" for token in tokens)


def _dimension(numbers: frozenset[str]) -> set[str]:
    return {token.partition(":")[0] for token in numbers}
