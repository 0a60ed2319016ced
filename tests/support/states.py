"""Builders for project states, candidates and operations."""

from __future__ import annotations

from typing import Any

from slowwave.llm.prompting.schemas import Operation, ProposedSkill, StageTwoReply
from slowwave.memories.consolidation.sources import Source
from slowwave.memories.extraction.candidates import Candidate, CheckedQuote
from slowwave.memories.state.values import EntryState, EvidenceState, MemoryState
from slowwave.memories.text import quote_hash
from slowwave.rollouts.model import ItemKind
from slowwave.storage.types import MemoryKind, Standing

DAY = 86_400.0


def evidence(quote: str, thread: str = "claude:a", item: int = 1, at: float = DAY, **more: Any) -> EvidenceState:
    kind = more.pop("item_kind", ItemKind.USER_TEXT.value)
    return EvidenceState(
        quote=quote, quote_hash=quote_hash(quote), thread_id=thread, item=item, at=at, item_kind=kind, **more
    )


def entry(number: int, text: str, *, kind: MemoryKind = MemoryKind.PREFERENCE, **more: Any) -> EntryState:
    pieces = more.pop("evidence", (evidence(text, item=number),))
    standing = more.pop("standing", Standing.USER_SAID)
    return EntryState(number=number, kind=kind, text=text, standing=standing, evidence=pieces, **more)


def state(*entries: EntryState, **more: Any) -> MemoryState:
    return MemoryState(entries=entries, next_number=max((e.number for e in entries), default=0) + 1, **more)


def source(
    text: str,
    *,
    kind: MemoryKind = MemoryKind.PREFERENCE,
    standing: Standing = Standing.USER_SAID,
    thread: str = "claude:new",
    item: int = 1,
    at: float = 10 * DAY,
    item_kind: ItemKind = ItemKind.USER_TEXT,
    quote: str | None = None,
) -> Source:
    candidate = Candidate(kind, text, "", standing, (CheckedQuote(item, quote or text, item_kind.value, None, at),))
    return Source(thread, thread.partition(":")[2], "claude", candidate)


def operation(op: str, *, entries: tuple[str, ...] = (), memories: tuple[str, ...] = (), **more: Any) -> Operation:
    return Operation(
        op=op,
        entries=list(entries),
        memories=list(memories),
        kind=more.pop("kind", None),
        text=more.pop("text", ""),
        situation=more.pop("situation", ""),
        reason=more.pop("reason", ""),
    )


def reply(*operations: Operation, skills: tuple[ProposedSkill, ...] = ()) -> StageTwoReply:
    return StageTwoReply(operations=list(operations), skills=list(skills))
