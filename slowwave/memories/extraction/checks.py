"""The checks of stage one. A model's answer is a proposal: code decides what is kept.

- a quote must be found in the item it names (`slowwave.text.quotes`) and is kept in the log's own words; a memory
  without a good quote is dropped;
- a preference or constraint needs words that the person typed, and so does the standing `user_said`;
- `verified` needs a tool result;
- text that reads like an instruction to the reader and rests on tool output alone is quarantined.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from slowwave.llm.prompting.schemas import ProposedMemory, StageOneReply
from slowwave.memories.extraction.candidates import Candidate, CheckedQuote
from slowwave.memories.text import tidy_situation
from slowwave.rollouts.model import Item, ItemKind
from slowwave.storage.types import MemoryKind, Standing
from slowwave.text import fold_space, shorten
from slowwave.text.quotes import Sources

MAX_TEXT = 600
MAX_SITUATION = 240
MAX_QUOTE = 400
MIN_QUOTE = 2
MAX_EVIDENCE = 6
# Of an endless answer only so much is looked at.
MOST_TRIED = 24
LONGEST_COPY = 4000
MAX_MEMORIES = 60

_ACTS = (
    "run|execute|curl|wget|send|post|upload|fetch|download|install|reveal|print|tell|email|open|visit|paste|push|"
    "delete|disable|skip"
)
_THINGS = "secret|token|credential|password|key|env(?:ironment)?|contents?|data|file"
_INSTRUCTION = re.compile(
    "|".join(
        (
            r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|prompt|rule|previous|above|earlier)",
            r"\b(?:ignore|override|bypass)\b.{0,40}\b(?:polic|guardrail|restriction)",
            r"\byou\s+(?:must|should|shall|need\s+to|are\s+now|have\s+to)\b",
            r"\b(?:system\s*prompt|developer\s+message|jailbreak|new\s+instructions?)\b",
            rf"\b(?:always|never|from\s+now\s+on|whenever|every\s+time)\b.{{0,80}}\b(?:{_ACTS})\b",
            r"\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n]{0,200}\|\s*(?:ba|z|da|fi)?sh\b",
            r"\b(?:assistant|agent|ai|model|claude|codex|gemini|llm)s?\b.{0,30}\b(?:must|should|shall|ha(?:s|ve)\s+to)\b",
            r"\b(?:assistant|agent|ai|model|llm)s?\b.{0,30}\b(?:is|are)\s+required\b",
            r"\b(?:do\s+not|don't)\s+(?:tell|inform|mention|ask|warn)\b.{0,30}\b(?:user|human|anyone)\b",
            rf"\b(?:send|post|upload|exfiltrate|forward|email)\b.{{0,60}}\b(?:{_THINGS})s?\b.{{0,60}}\b(?:to|at)\b",
            r"(?:忽略|无视|無視).{0,20}(?:指令|指示|规则|規則|提示)",
            r"(?:以前|これまで|上記)の(?:指示|命令|ルール).{0,12}(?:無視|忘れ)",
            r"(?:เพิกเฉย|ละเว้น|ไม่ต้องสนใจ).{0,20}(?:คำสั่ง|กฎ)",
        )
    ),
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Checked:
    """What the checks made of an answer. `rejected` counts dropped memories by the check that dropped them."""

    kept: tuple[Candidate, ...]
    quarantined: tuple[Candidate, ...] = ()
    rejected: Mapping[str, int] = field(default_factory=dict)


def check_reply(reply: StageOneReply, items: Sequence[Item]) -> Checked:
    """Check every memory of an answer against the redacted items of the session."""
    by_index = {item.index: item for item in items}
    texts = Sources({item.index: item.text for item in items})
    kept: list[Candidate] = []
    quarantined: list[Candidate] = []
    rejected: Counter[str] = Counter()
    seen: set[str] = set()
    for memory in reply.memories:
        candidate, reason = _check(memory, by_index, texts)
        if candidate is None:
            rejected[reason] += 1
        elif candidate.hash in seen:
            rejected["duplicate"] += 1
        elif len(kept) >= MAX_MEMORIES:
            rejected["over_limit"] += 1
        else:
            seen.add(candidate.hash)
            (quarantined if _reads_as_untrusted_instruction(candidate) else kept).append(candidate)
    return Checked(tuple(kept), tuple(quarantined), dict(rejected))


def _check(memory: ProposedMemory, items: Mapping[int, Item], texts: Sources) -> tuple[Candidate | None, str]:
    text = fold_space(memory.text)
    if not text:
        return None, "empty"
    quotes, reason = _checked_quotes(memory, items, texts)
    if not quotes:
        return None, reason
    from_user = any(quote.from_user for quote in quotes)
    if memory.kind in (MemoryKind.PREFERENCE, MemoryKind.CONSTRAINT) and not from_user:
        return None, "not_said_by_user"
    standing = memory.standing
    if standing is Standing.USER_SAID and not from_user:
        standing = Standing.INFERRED
    if standing is Standing.VERIFIED and all(quote.item_kind != ItemKind.TOOL_RESULT for quote in quotes):
        standing = Standing.USER_SAID if from_user else Standing.INFERRED
    return (
        Candidate(
            kind=memory.kind,
            text=shorten(text, MAX_TEXT),
            situation=shorten(tidy_situation(memory.situation), MAX_SITUATION),
            standing=standing,
            evidence=quotes,
        ),
        "",
    )


def _checked_quotes(
    memory: ProposedMemory, items: Mapping[int, Item], texts: Sources
) -> tuple[tuple[CheckedQuote, ...], str]:
    good: list[CheckedQuote] = []
    reason = "no_evidence"
    for proposed in memory.evidence[:MOST_TRIED]:
        if len(fold_space(proposed.quote)) < MIN_QUOTE:
            reason = "empty_quote"
        elif (found := texts.find(proposed.item, proposed.quote[:LONGEST_COPY])) is None:
            reason = "quote_not_found" if proposed.item in items else "unknown_item"
        else:
            item, quote = items[found[0]], found[1]
            at = item.time.timestamp() if item.time is not None else None
            kind = ItemKind.CONTEXT if _was_shown(quote, item) else item.kind
            checked = CheckedQuote(item.index, _within(quote, MAX_QUOTE), kind.value, item.uid, at)
            if checked not in good and len(good) < MAX_EVIDENCE:
                good.append(checked)
    return tuple(good), reason


def _was_shown(quote: str, item: Item) -> bool:
    """Whether the person only pasted or quoted these words: evidence like any other context, never a wish."""
    return item.kind is ItemKind.USER_TEXT and fold_space(quote) not in fold_space(item.said)


def _within(quote: str, limit: int) -> str:
    """A quote stays verbatim: it is cut, never marked."""
    return quote if len(quote) <= limit else quote[:limit].rstrip()


def _reads_as_untrusted_instruction(candidate: Candidate) -> bool:
    if any(quote.item_kind in (ItemKind.USER_TEXT, ItemKind.ASSISTANT_TEXT) for quote in candidate.evidence):
        return any(quote.item_kind == ItemKind.TOOL_RESULT for quote in candidate.evidence) and (
            not any(quote.from_user for quote in candidate.evidence) and reads_as_instruction(candidate.text)
        )
    texts = (candidate.text, candidate.situation, *(quote.quote for quote in candidate.evidence))
    return any(reads_as_instruction(text) for text in texts)


def reads_as_instruction(text: str) -> bool:
    """Whether a text tries to steer whoever reads it."""
    return _INSTRUCTION.search(text) is not None
