"""Mend what models get wrong when they quote: the item's number, and escapes copied from the JSON they read.

Nothing is invented: a quote is only changed into one that stands in the session word for word. The check that decides
about a memory comes later and trusts none of this.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from slowwave.llm.prompting.schemas import ProposedMemory, Quote, StageOneReply
from slowwave.rollouts.model import Item

SHORTEST_UNIQUE = 12


def mend_quotes(reply: StageOneReply, items: Sequence[Item]) -> StageOneReply:
    """Return the answer with those quotes mended that stand in the session, but not as they were given."""
    texts = _FoldedTexts(items)
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


class _FoldedTexts:
    """The items' texts with white space folded, each folded when it is first looked at."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._texts = {item.index: item.text for item in items}
        self._folded: dict[int, str] = {}

    def has(self, index: int, words: str) -> bool:
        """Tell whether folded words stand in an item."""
        if index not in self._folded:
            self._folded[index] = _folded(self._texts.get(index, ""))
        return words in self._folded[index]

    def holders(self, words: str) -> list[int]:
        """The items in which folded words stand."""
        return [index for index in self._texts if self.has(index, words)]


def _mend(quote: Quote, texts: _FoldedTexts) -> Quote:
    for words in (quote.quote, _unescaped(quote.quote)):
        folded = _folded(words)
        if not folded:
            continue
        if texts.has(quote.item, folded):
            return Quote(item=quote.item, quote=words)
        # Short words stand in many places by chance; only a longer quote that stands in one place names its item.
        if len(folded) >= SHORTEST_UNIQUE and len(holders := texts.holders(folded)) == 1:
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
