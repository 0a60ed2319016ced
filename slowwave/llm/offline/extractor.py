"""The extractor that needs no model: rules over what the user typed and over commands with their results."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from slowwave.llm.base import ConsolidateReply, ConsolidateRequest, ExtractReply, ExtractRequest
from slowwave.llm.offline import text as texts
from slowwave.llm.offline.answers import adopted, answered
from slowwave.llm.offline.command_lines.commands import timeline
from slowwave.llm.offline.consolidate import consolidated
from slowwave.llm.offline.directives import Said, said_in
from slowwave.llm.offline.pitfalls import pitfalls
from slowwave.llm.offline.procedures import kept_procedures, recurring_procedures
from slowwave.llm.offline.summary import outcome_of, slug_of, summary_of, title_of
from slowwave.llm.offline.workflows import repairing_commands, working_commands
from slowwave.llm.prompting.schemas import ProposedMemory, Quote, StageOneReply
from slowwave.rollouts.model import Item
from slowwave.storage.types import Standing
from slowwave.text import Relation, fold_space, relate

VERSION = 2
_MAX_MEMORIES = 30


def _memory(said: Said) -> ProposedMemory:
    return ProposedMemory(
        kind=said.kind,
        text=said.text,
        situation="",
        standing=Standing.USER_SAID,
        evidence=[Quote(item=said.item, quote=said.quote)],
    )


def _merged(memories: Sequence[ProposedMemory]) -> list[ProposedMemory]:
    """Join what says the same (the first wording gains the evidence of the others), and of what the user said drop what
    the user took back later in the session."""
    kept: list[ProposedMemory] = []
    for memory in memories:
        twin = next((held for held in kept if relate(memory.text, held.text) is Relation.SAME), None)
        if twin is not None:
            known = {(quote.item, quote.quote) for quote in twin.evidence}
            twin.evidence.extend(quote for quote in memory.evidence if (quote.item, quote.quote) not in known)
            continue
        if memory.standing is Standing.USER_SAID:
            kept = [held for held in kept if not _taken_back(held, memory)]
        kept.append(memory)
    return kept


def _taken_back(held: ProposedMemory, newer: ProposedMemory) -> bool:
    return (
        held.standing is Standing.USER_SAID
        and held.situation == newer.situation
        and relate(newer.text, held.text) is Relation.CONTRADICTS
    )


def _verbatim(memory: ProposedMemory, items: dict[int, Item], folded: dict[int, str]) -> bool:
    """Tell whether every quote stands in its item. Only items that are quoted are folded, each once."""
    for quote in memory.evidence:
        if quote.item not in items or not 0 < len(quote.quote) <= texts.MAX_QUOTE:
            return False
        if quote.item not in folded:
            folded[quote.item] = fold_space(items[quote.item].text)
        if fold_space(quote.quote) not in folded[quote.item]:
            return False
    return bool(memory.evidence)


def extract_reply(request: ExtractRequest) -> StageOneReply:
    """Return what one session teaches. The same items give the same bytes; nothing is read from outside the request."""
    items: tuple[Item, ...] = request.items
    events = timeline(items)
    said = [_memory(found) for item in items for found in said_in(item)]
    found = [
        *said,
        *answered(items),
        *adopted(items),
        *kept_procedures(items, events),
        *pitfalls(events),
        *repairing_commands(events),
        *recurring_procedures(events),
        *working_commands(events),
    ]
    by_index = {item.index: item for item in items}
    folded: dict[int, str] = {}
    memories = [memory for memory in _merged(found) if _verbatim(memory, by_index, folded)][:_MAX_MEMORIES]
    title = title_of(items)
    outcome = outcome_of(items, events)
    return StageOneReply(
        outcome=outcome,
        rollout_slug=slug_of(title, request.project),
        rollout_summary=summary_of(items, events, title, outcome) if memories else "",
        memories=memories,
    )


class OfflineExtractor:
    """Answers both stages with rules in code. Deterministic, without a network, a key or a limit on size. The work is
    done in a thread, so that the event loop stays free."""

    name = "offline"
    version = VERSION
    input_tokens: int | None = None
    consolidate_tokens: int | None = None
    answer_tokens: int | None = None

    async def prepare(self) -> None:
        """Nothing to open."""

    async def extract(self, request: ExtractRequest) -> ExtractReply:
        """Stage one for one session."""
        return ExtractReply(await asyncio.to_thread(extract_reply, request))

    async def consolidate(self, request: ConsolidateRequest) -> ConsolidateReply:
        """Stage two for one step of one project."""
        return ConsolidateReply(await asyncio.to_thread(consolidated, request))

    async def aclose(self) -> None:
        """There is nothing to close."""
