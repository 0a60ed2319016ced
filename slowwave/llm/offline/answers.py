"""Questions that the agent put through a tool and the person answered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from slowwave.llm.offline import text as texts
from slowwave.llm.schemas import ProposedMemory, Quote
from slowwave.rollouts.model import Item, ItemKind
from storage.types import MemoryKind, Standing

_PAIR = re.compile(r'"(?P<question>[^"\n]{12,220}\?)"\s*=\s*"(?P<answer>[^"\n]{1,200})"')
_ABOUT_THE_TALK = re.compile(
    r"(?i)\bmore questions\b|\bmove (?:on|to)\b|\bnext (?:area|step|question|phase)\b"
    r"|\bwould you like (?:me )?to\b|\b(?:should|shall|can|may) i\b|"
    r"\b(?:which|what) (?:areas?|approach|option|one|topics?|design direction"
    r"|would you)\b.*(?:discuss|tradeoffs|next|prefer|resonates)|\bready to\b|\bproceed\b"
    r"|\bcontinue\b|\bdo you want (?:me )?to\b|"
    r"\bbased on (?:the|our|these)\b|\bthis (?:phase|task|session|pr|plan|change)\b"
    r"|\bhow (?:do you want|would you like)\b.*\b(?:proceed|handle this)\b"
)
_NO_CHOICE = re.compile(
    r"(?i)^(?:you decide|yes|no|ok|skip|other|none|not sure|up to you|your call|\(no answer.*|both|all|either)\W*$"
)
_HEDGED = re.compile(
    r"(?i)\?|^(?:hm+|i think|i guess|not sure|maybe|probably|depends|it depends"
    r"|this would depend|let me|can you|what|why|how)\b|\b(?:for now|right now|until|later|"
    r"we can discuss|don't know|would depend|tell me)\b|不确定|不確定|再说|わからない|あとで|ไม่แน่ใจ"
)
_MAX_ANSWERS = 12


def answered(items: Sequence[Item]) -> Iterator[ProposedMemory]:
    """Yield a decision for each question about the project that was answered with a choice of its own meaning."""
    tools = {
        item.call_id: (item.tool or "").lower() for item in items if item.kind is ItemKind.TOOL_CALL and item.call_id
    }
    count = 0
    for item in items:
        typed = item.kind is ItemKind.USER_TEXT
        asked = item.kind is ItemKind.TOOL_RESULT and tools.get(item.call_id or "") in (
            "askuserquestion",
            "request_user_input",
            "ask_user",
        )
        if not typed and not asked:
            continue
        folded = texts.fold(item.text)
        for found in _PAIR.finditer(folded):
            question, answer = found["question"], found["answer"]
            if (
                _ABOUT_THE_TALK.search(question)
                or _NO_CHOICE.match(answer)
                or _HEDGED.search(answer)
                or texts.is_volatile(found[0])
                or len(found[0]) > texts.MAX_QUOTE
            ):
                continue
            if count >= _MAX_ANSWERS:
                return
            count += 1
            yield ProposedMemory(
                kind=MemoryKind.DECISION,
                text=f"{question} {answer[0].upper()}{answer[1:].rstrip('.')}.",
                situation="",
                standing=Standing.USER_SAID if typed else Standing.INFERRED,
                evidence=[Quote(item=item.index, quote=found[0])],
            )
