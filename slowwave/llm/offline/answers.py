"""What the person decided by an answer: to a question put through a tool, or to a proposal of the agent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from slowwave.llm.offline import text as texts
from slowwave.llm.offline.command_lines.vocabulary import names
from slowwave.llm.offline.rules import words
from slowwave.llm.prompting.schemas import ProposedMemory, Quote
from slowwave.rollouts.model import Item, ItemKind
from slowwave.storage.types import MemoryKind, Standing
from slowwave.text.folding import capitalised

_PAIR = re.compile(r'"(?P<question>[^"\n]{12,220}\?)"\s*=\s*"(?P<answer>[^"\n]{1,200})"')
_ABOUT_THE_TALK = words(
    r"\b(?:more questions|move (?:on|to)|next (?:area|step|question|phase)|ready to|proceed|continue)\b",
    r"\b(?:would you like|do you want) (?:me )?to\b|\b(?:should|shall|can|may) I\b",
    r"\b(?:which|what) (?:areas?|approach|option|one|topics?|design direction|would you)\b.*"
    r"(?:discuss|tradeoffs|next|prefer|resonates)",
    r"\bbased on (?:the|our|these)\b|\bthis (?:phase|task|session|pr|plan|change)\b",
    r"\bhow (?:do you want|would you like)\b.*\bhandle this\b",
)
_NO_CHOICE = words(
    r"^(?:you decide|yes|no|ok|skip|other|none|not sure|up to you|your call|\(no answer.*|both|all|either)\W*$"
)
_HEDGED = words(
    r"\?",
    r"^(?:hm+|I think|I guess|not sure|maybe|probably|(?:it |this would )?depends?|let me|can you|what|why|how)\b",
    r"\b(?:for now|right now|until|later|we can discuss|don['’]t know|would depend|tell me)\b",
    r"不确定|不確定|再说|わからない|あとで|ไม่แน่ใจ",
)
_QUESTION_TOOLS = names("askuserquestion request_user_input ask_user")
_PROPOSAL = words(
    r"\bI(?:['’]d| would)? (?:recommend|suggest|propose) (?:that )?(?:we |you |to )?(?P<what>(?:us(?:e|ing)|keep(?:ing)?|stor(?:e|ing)|"
    r"go(?:ing)? with|switch(?:ing)? to|split(?:ting)?|drop(?:ping)?)\b.{8,}?"
    r"(?:\bbecause\b|\binstead of\b|\brather than\b|\bover\b|\bsince\b|\bso that\b).{3,})"
)
_ADOPTED = words(
    r"^\W*(?:yes|yeah|yep|ok(?:ay)?|sure|agreed?|sounds good|good idea|makes sense|perfect|great|do (?:it|that)|"
    r"go (?:ahead|for it|with (?:that|it|your (?:recommendation|suggestion|proposal))))"
    r"(?:[,.! ]+(?:please|do (?:it|that)|go (?:ahead|with (?:that|it))|let['’]?s do (?:it|that)|sounds good|thanks?))*\W*$"
)
_PLAIN_FORMS = {
    "using": "use",
    "keeping": "keep",
    "storing": "store",
    "switching": "switch",
    "splitting": "split",
    "going": "go",
    "dropping": "drop",
}
_MAX_ANSWERS = 12


def _decides(question: str, answer: str) -> bool:
    return not (_ABOUT_THE_TALK.search(question) or _NO_CHOICE.match(answer) or _HEDGED.search(answer))


def answered(items: Sequence[Item]) -> Iterator[ProposedMemory]:
    """Yield a decision for each question about the project that was answered with a choice of its own meaning."""
    tools = {
        item.call_id: (item.tool or "").lower() for item in items if item.kind is ItemKind.TOOL_CALL and item.call_id
    }
    count = 0
    for item in items:
        typed = item.kind is ItemKind.USER_TEXT
        asked = item.kind is ItemKind.TOOL_RESULT and tools.get(item.call_id or "") in _QUESTION_TOOLS
        if not typed and not asked:
            continue
        folded = texts.fold(item.text)
        for found in _PAIR.finditer(folded):
            question, answer = found["question"], found["answer"]
            if not _decides(question, answer) or texts.is_volatile(found[0]) or len(found[0]) > texts.MAX_QUOTE:
                continue
            if count >= _MAX_ANSWERS:
                return
            count += 1
            yield ProposedMemory(
                kind=MemoryKind.DECISION,
                text=f"{question} {capitalised(answer.rstrip('.'))}.",
                situation="",
                standing=Standing.USER_SAID if typed else Standing.INFERRED,
                evidence=[Quote(item=item.index, quote=found[0])],
            )


def adopted(items: Sequence[Item]) -> Iterator[ProposedMemory]:
    """Yield a decision for each proposal with a reason or a contrast that the person took with a plain yes. Where the
    agent's text makes two proposals, it is not clear which was meant, and neither counts."""
    proposed: Item | None = None
    for item in items:
        if item.kind is ItemKind.ASSISTANT_TEXT:
            proposed = item
        elif item.kind is ItemKind.TOOL_CALL:
            proposed = None
        elif item.kind is ItemKind.USER_TEXT:
            if proposed is not None and _ADOPTED.match(texts.fold(item.said)):
                yield from _decision(proposed, item)
            proposed = None


def _decision(proposed: Item, answer: Item) -> Iterator[ProposedMemory]:
    found = [
        (sentence, match["what"])
        for unit in texts.units(proposed.text)
        for sentence in texts.sentences(unit)
        if (match := _PROPOSAL.search(sentence)) is not None
    ]
    if len(found) != 1 or len(found[0][0]) > texts.MAX_QUOTE or texts.is_volatile(found[0][0]):
        return
    sentence, what = found[0]
    first, _, rest = what.partition(" ")
    plain = _PLAIN_FORMS.get(first.lower(), first)
    yield ProposedMemory(
        kind=MemoryKind.DECISION,
        text=f"{capitalised(plain)} {rest.rstrip('.?! ')}.",
        situation="",
        standing=Standing.INFERRED,
        evidence=[
            Quote(item=proposed.index, quote=sentence),
            Quote(item=answer.index, quote=texts.fold(answer.text)),
        ],
    )
