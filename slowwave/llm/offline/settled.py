"""When a statement has earned its line without a model: it says itself that it lasts, or two sessions say it.

Silence is the default. What was said once, and not for good, waits: nobody sees it, a second session that says the same
publishes it, and a model is offered it as soon as there is one.
"""

from __future__ import annotations

from collections.abc import Sequence

from slowwave.llm.base import CandidateView
from slowwave.llm.offline.directives import is_explicit
from slowwave.storage.types import MemoryKind, Standing

SESSIONS = 2
"""Sessions that must say the same before something that is not explicit counts."""


def is_settled(candidates: Sequence[CandidateView]) -> bool:
    """Tell whether the candidates that say the same, together, have earned a line."""
    if len({candidate.thread_id for candidate in candidates}) >= SESSIONS:
        return True
    return any(_stands_alone(candidate) for candidate in candidates)


def is_asked_for(standing: str) -> bool:
    """Tell whether a person asked for a workflow to be kept; a command that merely worked once has proved little.

    Who says "keep these steps" names none of them, so such a procedure is agreed, not said.
    """
    return standing in (Standing.USER_SAID, Standing.AGREED)


def _stands_alone(candidate: CandidateView) -> bool:
    if candidate.kind == MemoryKind.WORKFLOW:
        return is_asked_for(candidate.standing)
    if candidate.kind == MemoryKind.PITFALL and candidate.standing != Standing.USER_SAID:
        return True
    if candidate.standing == Standing.USER_SAID:
        return is_explicit(candidate.quotes)
    if candidate.standing == Standing.AGREED and candidate.kind != MemoryKind.DECISION:
        return is_explicit(candidate.quotes)
    return True
