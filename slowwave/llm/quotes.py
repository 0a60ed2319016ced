"""Mend what models get wrong when they quote: the item's number, and escapes copied from the JSON they read.

Nothing is invented: a quote is only changed into one that stands in the session word for word. The check that decides
about a memory comes later and trusts none of this.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from slowwave.llm.schemas import ProposedMemory, Quote, StageOneReply
from slowwave.rollouts.model import Item

SHORTEST_UNIQUE = 12


def mend_quotes(reply: StageOneReply, items: Sequence[Item]) -> StageOneReply:
    """Return the answer with those quotes mended that stand in the session, but not as they were given."""
    texts = {item.index: _folded(item.text) for item in items}
    memories = [
        ProposedMemory(
            kind=memory.kind,
            text=memory.text,
            situation=memory.situation,
            standing=memory.standing,
            evidence=[_mend(quote, texts) for quote in memory.evidence],
        )
        for memory in reply.memories
    ]
    return reply.model_copy(update={"memories": memories})


def _mend(quote: Quote, texts: dict[int, str]) -> Quote:
    for words in (quote.quote, _unescaped(quote.quote)):
        folded = _folded(words)
        if not folded:
            continue
        if folded in texts.get(quote.item, ""):
            return Quote(item=quote.item, quote=words)
        holders = [index for index, text in texts.items() if folded in text]
        # Short words stand in many places by chance; only a longer quote that stands in one place names its item.
        if len(holders) == 1 and len(folded) >= SHORTEST_UNIQUE:
            return Quote(item=holders[0], quote=words)
    return quote


def _unescaped(words: str) -> str:
    if "\\" not in words:
        return words
    escaped = (
        words.replace('\\"', '"').replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    )
    try:
        plain = json.loads(f'"{escaped}"')
    except ValueError:
        return words
    return plain if isinstance(plain, str) else words


def _folded(text: str) -> str:
    return " ".join(text.split())
