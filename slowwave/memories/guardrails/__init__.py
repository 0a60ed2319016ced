"""One judgement for every way in: what may be remembered, how strongly it is known, and what it may not replace."""

from slowwave.memories.guardrails.claims import CHOICES, WISHES, Claim, Judgement, Piece, carries, judge
from slowwave.memories.guardrails.instructions import is_harmful, is_order, reads_as_instruction
from slowwave.memories.guardrails.scope import names_this_project, stated_everywhere
from slowwave.memories.guardrails.standing import STRENGTH, outranked, strongest, weakest
from slowwave.memories.guardrails.words import Terms, covered, holds, opposed, terms_of

__all__ = [
    "CHOICES",
    "STRENGTH",
    "WISHES",
    "Claim",
    "Judgement",
    "Piece",
    "Terms",
    "carries",
    "covered",
    "holds",
    "is_harmful",
    "is_order",
    "judge",
    "names_this_project",
    "opposed",
    "outranked",
    "reads_as_instruction",
    "stated_everywhere",
    "strongest",
    "terms_of",
    "weakest",
]
