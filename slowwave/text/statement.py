"""When two statements say the same, when one is narrower, when they contradict each other."""

from __future__ import annotations

from enum import StrEnum

from slowwave.text.folding import canonical


class Relation(StrEnum):
    """How the first of two statements stands to the second. `NARROWER`: it says the same of fewer cases."""

    SAME = "same"
    NARROWER = "narrower"
    WIDER = "wider"
    CONTRADICTS = "contradicts"
    DIFFERENT = "different"


def relate(first: str, second: str) -> Relation:
    """Compare two statements. In doubt they are different: a line that is lost is worse than one that stands twice."""
    return Relation.SAME if canonical(first) == canonical(second) else Relation.DIFFERENT


def keys(text: str) -> frozenset[str]:
    """Keys of which two statements share one at least unless they are different: to find the pairs worth comparing."""
    return frozenset(canonical(text).split())
