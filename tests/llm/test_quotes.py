"""Quotes that models get nearly right."""

from __future__ import annotations

import pytest

from slowwave.llm.prompting.quotes import mend_quotes
from slowwave.llm.prompting.schemas import ProposedMemory, Quote, StageOneReply
from slowwave.rollouts.model import Item, ItemKind, Role
from slowwave.storage.types import MemoryKind, Outcome, Standing

ITEMS = (
    Item(2, Role.USER, ItemKind.USER_TEXT, 'Say "no" first.\nThen always run make check.'),
    Item(5, Role.TOOL, ItemKind.TOOL_RESULT, "error: C:\\new\\table is missing"),
    Item(6, Role.USER, ItemKind.USER_TEXT, "ok"),
    Item(9, Role.USER, ItemKind.USER_TEXT, "ok"),
)


def mended(item: int, quote: str) -> tuple[int, str]:
    memory = ProposedMemory(
        kind=MemoryKind.FACT,
        text="x",
        situation="",
        standing=Standing.USER_SAID,
        evidence=[Quote(item=item, quote=quote)],
    )
    reply = StageOneReply(outcome=Outcome.SUCCESS, rollout_slug="a-b", rollout_summary="", memories=[memory])
    (found,) = mend_quotes(reply, ITEMS).memories[0].evidence
    return found.item, found.quote


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ((2, "Then always run make check."), (2, "Then always run make check.")),
        ((2, 'Say \\"no\\" first.\\nThen always'), (2, 'Say "no" first.\nThen always')),
        ((3, "Then always run make check."), (2, "Then always run make check.")),
        ((5, "C:\\new\\table is missing"), (5, "C:\\new\\table is missing")),
        ((5, "C:\\\\new\\\\table is missing"), (5, "C:\\new\\table is missing")),
        ((1, "ok"), (1, "ok")),
        ((2, "Then never run make check."), (2, "Then never run make check.")),
        ((2, ""), (2, "")),
        ((2, "broken \\u12 escape"), (2, "broken \\u12 escape")),
    ],
)
def test_only_what_stands_in_the_session_is_mended(given: tuple[int, str], wanted: tuple[int, str]) -> None:
    assert mended(*given) == wanted
