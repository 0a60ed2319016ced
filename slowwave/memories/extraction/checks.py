"""The checks of stage one. A model's answer is a proposal: code decides what is kept.

- a quote must be found in the item it names (`slowwave.text.quotes`) and is kept in the log's own words; a memory
  without a good quote is dropped;
- the quotes must carry the memory, and its standing is that of the weakest one it needs (`guardrails.judge`);
- what reads like an instruction to agents and is not known to be the user's waits for a person;
- a wish is no fact until it is seen to be met.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from slowwave.llm.prompting.schemas import OpenPoint, ProposedMemory, Quote, StageOneReply
from slowwave.memories.extraction.candidates import (
    MAX_MEMBER,
    MOST_MEMBERS,
    Candidate,
    CheckedQuote,
    Declined,
    OpenWork,
)
from slowwave.memories.extraction.evidence import Surroundings
from slowwave.memories.guardrails import (
    CHOICES,
    WISHES,
    Claim,
    Judgement,
    carries,
    is_harmful,
    is_order,
    judge,
    names_this_project,
    reads_as_instruction,
    stated_everywhere,
    terms_of,
    weakest,
)
from slowwave.memories.guardrails.speech import sentences
from slowwave.memories.text import tidy_situation
from slowwave.rollouts.model import Item, ItemKind
from slowwave.storage.types import MemoryKind, Scope, Standing
from slowwave.text import fold_space, shorten
from slowwave.text.hygiene import harmless_markup
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
MOST_OPEN = 5
MAX_OPEN = 240
MOST_TYPED = 200_000


@dataclass(frozen=True, slots=True)
class Checked:
    """What the checks made of an answer: what is kept, what waits for a person, and what was refused and why."""

    kept: tuple[Candidate, ...]
    quarantined: tuple[Candidate, ...] = ()
    declined: tuple[Declined, ...] = ()
    open_work: tuple[OpenWork, ...] = ()

    @property
    def rejected(self) -> dict[str, int]:
        """How many memories each check refused."""
        return dict(Counter(one.reason for one in self.declined))


def check_reply(reply: StageOneReply, items: Sequence[Item], project: str = "") -> Checked:
    """Check every memory of an answer against the redacted items of the session."""
    by_index = {item.index: item for item in items}
    texts = Sources({item.index: item.text for item in items})
    surroundings = Surroundings(items)
    kept: list[Candidate] = []
    quarantined: list[Candidate] = []
    declined: list[Declined] = []
    seen: set[str] = set()
    for memory in reply.memories:
        candidate, reason, waits = _check(memory, by_index, texts, surroundings, project)
        if candidate is not None and candidate.hash in seen:
            candidate, reason = None, "duplicate"
        elif candidate is not None and len(kept) >= MAX_MEMORIES:
            candidate, reason = None, "over_limit"
        if candidate is None:
            declined.append(Declined(memory.kind, shorten(fold_space(memory.text), MAX_TEXT), reason))
            continue
        seen.add(candidate.hash)
        (quarantined if waits else kept).append(candidate)
    open_work = [_open_work(point, by_index, texts, surroundings) for point in reply.open_work[:MOST_OPEN]]
    return Checked(
        tuple(kept), tuple(quarantined), tuple(declined), tuple(point for point in open_work if point is not None)
    )


def sober(summary: str, items: Sequence[Item]) -> str:
    """A session's summary without the sentences that would steer whoever reads it and that nobody typed."""
    typed = terms_of("\n".join(item.said for item in items if item.kind is ItemKind.USER_TEXT)[:MOST_TYPED])

    def steers(sentence: str) -> bool:
        wants = is_harmful(sentence) or reads_as_instruction(sentence) or is_order(sentence)
        return wants and not carries(terms_of(sentence), typed)

    lines = (" ".join(part for part in sentences(line) if not steers(part)) for line in summary.split("\n"))
    return harmless_markup("\n".join(lines)).strip()


def _open_work(
    point: OpenPoint, items: Mapping[int, Item], texts: Sources, surroundings: Surroundings
) -> OpenWork | None:
    """A point that the person or the agent's own report left open; nothing that would steer whoever reads it."""
    text = shorten(fold_space(point.text), MAX_OPEN)
    quotes, _ = _checked_quotes(point.evidence, items, texts)
    pieces = [piece for piece in surroundings.pieces(quotes) if not piece.untrusted]
    if not text or is_harmful(text) or not pieces:
        return None
    said = any(piece.standing is Standing.USER_SAID for piece in pieces)
    if not carries(terms_of(text), terms_of("\n".join(piece.text for piece in pieces))):
        return None
    return None if reads_as_instruction(text) and not said else OpenWork(text, quotes)


def _check(
    memory: ProposedMemory, items: Mapping[int, Item], texts: Sources, surroundings: Surroundings, project: str
) -> tuple[Candidate | None, str, bool]:
    """The candidate that a memory makes, or why it makes none, and whether it has to wait for a person."""
    text = shorten(fold_space(memory.text), MAX_TEXT)
    if not text:
        return None, "empty", False
    quotes, reason = _checked_quotes(memory.evidence, items, texts)
    if not quotes:
        return None, reason, False
    situation = shorten(tidy_situation(memory.situation), MAX_SITUATION)
    judged = judge(Claim(memory.kind, text, situation), surroundings.pieces(quotes))
    if judged.standing is None:
        return None, judged.reason, False
    if not surroundings.delivered(judged.kind, text, quotes):
        return None, "asked_for_and_not_seen_done", False
    candidate = Candidate(
        kind=judged.kind,
        text=text,
        situation=situation,
        standing=_standing(memory, judged.standing, quotes),
        evidence=quotes,
        scope=_scope(memory, judged, quotes, text, project),
        members=_members(memory.members),
    )
    return candidate, judged.reason, judged.quarantined


def _members(proposed: Sequence[str]) -> tuple[str, ...]:
    """Names as they may be looked for in the quotes; stage two takes those that stand there."""
    folded = (shorten(fold_space(member), MAX_MEMBER) for member in proposed[:MOST_MEMBERS])
    return tuple(dict.fromkeys(member for member in folded if member))


def _standing(memory: ProposedMemory, proven: Standing, quotes: Sequence[CheckedQuote]) -> Standing:
    """Never more than what is proven; less where the model says that it only concludes."""
    if memory.kind in CHOICES:
        return proven
    if memory.standing is Standing.VERIFIED and all(quote.item_kind != ItemKind.TOOL_RESULT for quote in quotes):
        return proven
    return weakest((memory.standing, proven))


def _scope(memory: ProposedMemory, judged: Judgement, quotes: Sequence[CheckedQuote], text: str, project: str) -> Scope:
    """How the user works everywhere is what they say of everywhere, or a habit that the model takes for one and that
    names nothing of this project."""
    if judged.standing is not Standing.USER_SAID or judged.kind not in WISHES | {MemoryKind.FACT}:
        return Scope.PROJECT
    said = [quote.quote for quote in quotes if quote.from_user]
    if any(stated_everywhere(words) for words in said):
        return Scope.USER
    here = any(names_this_project(words, project) for words in (text, *said))
    return Scope.USER if memory.scope is Scope.USER and judged.kind in WISHES and not here else Scope.PROJECT


def _checked_quotes(
    evidence: Sequence[Quote], items: Mapping[int, Item], texts: Sources
) -> tuple[tuple[CheckedQuote, ...], str]:
    good: list[CheckedQuote] = []
    reason = "no_evidence"
    for proposed in evidence[:MOST_TRIED]:
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
