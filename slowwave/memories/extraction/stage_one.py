"""Stage one: one session in, checked memories and a short summary out. Pure but for the extractor's call."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from slowwave.errors import ModelRejected, PromptTooLong
from slowwave.llm.base import Extractor, ExtractReply, ExtractRequest, Usage
from slowwave.llm.prompting.schemas import ProposedMemory, Quote, StageOneReply
from slowwave.llm.prompting.templates import render
from slowwave.memories.extraction.candidates import Candidate, Declined, OpenWork
from slowwave.memories.extraction.checks import Checked, check_reply, sober
from slowwave.memories.extraction.fit import SMALLEST_BUDGET_TOKENS, Part, fit
from slowwave.memories.publishing.render import day
from slowwave.memories.redacting import Scrubber, scrub_items, scrub_stage_one, scrub_text
from slowwave.memories.text import slugify
from slowwave.rollouts.model import Item, ItemKind, SessionFacts
from slowwave.storage.types import Outcome
from slowwave.text import Relation, estimate_tokens, relate, shorten

MAX_SUMMARY = 6000
PROMPT_OVERHEAD_TOKENS = 5500
SHRINK = 0.6
# Reading on pays from so many tokens that were read already; the last turn is read again if it has at most so many.
WORTH_TOKENS = 1500
LAST_TURN_TOKENS = 2000


@dataclass(frozen=True, slots=True)
class SessionResult:
    """What stage one made of a session."""

    outcome: Outcome
    slug: str
    summary: str
    raw_memory: str
    kept: tuple[Candidate, ...]
    quarantined: tuple[Candidate, ...]
    declined: tuple[Declined, ...]
    redactions: dict[str, int]
    usage: Usage = field(default_factory=Usage)
    parts: int = 1
    open_work: tuple[OpenWork, ...] = ()

    @property
    def rejected(self) -> dict[str, int]:
        """How many memories each check refused."""
        return dict(Counter(one.reason for one in self.declined))


@dataclass(frozen=True, slots=True)
class SessionText:
    """One session as its reader gives it. `signals` are the indexes of items that the day's layers point at."""

    facts: SessionFacts
    items: Sequence[Item]
    project: str
    signals: frozenset[int] = frozenset()
    earlier: Earlier | None = None


@dataclass(frozen=True, slots=True)
class Earlier:
    """What an earlier run made of the first `count` items of a session that has grown since: its notes, redacted."""

    count: int
    notes: StageOneReply


@dataclass(frozen=True, slots=True)
class Prepared:
    """A redacted session: what may be sent of it, and what an answer is checked against."""

    facts: SessionFacts
    project: str
    cwd: str
    branch: str
    items: tuple[Item, ...]
    redactions: dict[str, int]
    signals: frozenset[int]
    earlier: Earlier | None = None

    def parts(self, budget: int | None) -> Sequence[Part]:
        """The session in parts of at most `budget` tokens each, whole without a budget. What an earlier run has read is
        left out but for the turn before: its notes stand for it."""
        if budget is None:
            return [Part(self.items, {}, 0)]
        start = self.unread
        parts = fit(self.items[start:], budget, estimate_tokens, signals=self.signals)
        if start and parts and parts[0].items:
            first = parts[0].items[0].index
            gaps = {**parts[0].gaps, first: parts[0].gaps.get(first, 0) + start}
            parts[0] = replace(parts[0], gaps=gaps)
        return parts

    @property
    def unread(self) -> int:
        """The position of the first item to ask about."""
        if self.earlier is None:
            return 0
        read = self.items[: self.earlier.count]
        turns = [place for place, item in enumerate(read) if item.kind is ItemKind.USER_TEXT]
        start = turns[-1] if turns else len(read)
        if sum(estimate_tokens(item.text) for item in self.items[start : len(read)]) > LAST_TURN_TOKENS:
            start = len(read)
        return start if sum(estimate_tokens(item.text) for item in self.items[:start]) >= WORTH_TOKENS else 0

    def request(self, part: Part, number: int = 1, of: int = 1, notes: StageOneReply | None = None) -> ExtractRequest:
        """What is asked about one part. `notes` is what the earlier parts gave."""
        return ExtractRequest(
            thread_id=self.facts.thread_id,
            agent=self.facts.agent,
            project=self.project,
            items=part.items,
            gaps=part.gaps,
            cwd=self.cwd,
            branch=self.branch,
            started=_iso(self.facts.started),
            ended=_iso(self.facts.last_activity),
            part=number,
            parts=of,
            notes=notes if notes is not None or self.earlier is None or not self.unread else self.earlier.notes,
            signals=self.signals,
        )


def prepare(session: SessionText, scrubber: Scrubber) -> Prepared:
    """Redact a session.

    Raises:
        RedactionError: a text could not be scanned; nothing of it may be sent.
    """
    facts = session.facts
    scrubbed = scrub_items(session.items, scrubber)
    return Prepared(
        facts,
        scrub_text(session.project, scrubber),
        scrub_text(facts.cwd or "", scrubber),
        scrub_text(facts.branch or "", scrubber),
        scrubbed.items,
        scrubbed.found,
        session.signals,
        session.earlier,
    )


def accept(
    prepared: Prepared, answer: ExtractReply, scrubber: Scrubber, *, parts: int = 1, prompt_dir: str | None = None
) -> SessionResult:
    """Redact and check an answer: what becomes of the session.

    Raises:
        RedactionError: the answer could not be scanned.
    """
    reply = with_earlier(scrub_stage_one(answer.reply, scrubber), prepared)
    reply = reply.model_copy(update={"rollout_summary": sober(reply.rollout_summary, prepared.items)})
    checked = check_reply(reply, prepared.items, prepared.project)
    return _result(prepared.facts, reply, checked, prepared.redactions, answer.usage, parts, prompt_dir)


def call_budget(limit: int | None) -> int | None:
    """The tokens that a session may take of a prompt limited to `limit`."""
    return None if limit is None else max(limit - PROMPT_OVERHEAD_TOKENS, SMALLEST_BUDGET_TOKENS)


async def extract_session(
    session: SessionText,
    *,
    extractor: Extractor,
    scrubber: Scrubber,
    prompt_dir: str | None = None,
    checkpoint: Callable[[], None] = lambda: None,
) -> SessionResult:
    """Prepare, ask part by part, accept. `checkpoint` raises `LeaseLost` when the claim is gone.

    Raises:
        RedactionError: a text could not be scanned; nothing was sent.
        ModelError, BudgetReached, ConsentRequired: from the extractor.
    """
    prepared = await asyncio.to_thread(prepare, session, scrubber)
    checkpoint()
    answer, parts = await _ask(prepared, extractor, scrubber, checkpoint)
    return accept(prepared, answer, scrubber, parts=parts, prompt_dir=prompt_dir)


async def _ask(
    prepared: Prepared, extractor: Extractor, scrubber: Scrubber, checkpoint: Callable[[], None]
) -> tuple[ExtractReply, int]:
    """Ask with the extractor's budget; a provider's "too long" shrinks it and goes on."""
    budget = call_budget(extractor.input_tokens)
    while True:
        parts = prepared.parts(budget)
        try:
            return await _ask_parts(prepared, parts, extractor, scrubber, checkpoint), len(parts)
        except PromptTooLong as error:
            if budget is None or budget <= SMALLEST_BUDGET_TOKENS:
                raise ModelRejected(
                    "the provider refuses even the smallest prompt as too long",
                    hint="Lower models.default.inputTokens or choose a model with a larger window.",
                    reason="prompt_too_long",
                ) from error
            budget = max(int(budget * SHRINK), SMALLEST_BUDGET_TOKENS)


async def _ask_parts(
    prepared: Prepared,
    parts: Sequence[Part],
    extractor: Extractor,
    scrubber: Scrubber,
    checkpoint: Callable[[], None],
) -> ExtractReply:
    """Running notes hold only what the checks would keep, so an invented quote is not carried along."""
    notes: StageOneReply | None = None
    usage = Usage()
    for number, part in enumerate(parts, 1):
        checkpoint()
        answer = await extractor.extract(prepared.request(part, number, len(parts), notes))
        usage += answer.usage
        notes = answer.reply
        if len(parts) > 1:
            reply = scrub_stage_one(answer.reply, scrubber)
            checked = check_reply(reply, prepared.items, prepared.project)
            memories = [_proposed(candidate) for candidate in (*checked.kept, *checked.quarantined)]
            notes = reply.model_copy(update={"memories": memories})
    return ExtractReply(notes or _EMPTY, usage)


_EMPTY = StageOneReply(outcome=Outcome.UNCERTAIN, rollout_slug="", rollout_summary="", memories=[])


def with_earlier(reply: StageOneReply, prepared: Prepared) -> StageOneReply:
    """The answer about the rest of a session, with the memories of what was read before.

    A model that repeats any of its notes has taken them in: then its list is the whole. One that repeats none loses
    nothing but what it now says otherwise.
    """
    if prepared.earlier is None or not prepared.unread:
        return reply
    noted = prepared.earlier.notes.memories
    related = [any(relate(old.text, new.text) is not Relation.DIFFERENT for new in reply.memories) for old in noted]
    repeated = any(relate(old.text, new.text) is Relation.SAME for old in noted for new in reply.memories)
    kept = [] if repeated else [old for old, is_related in zip(noted, related, strict=True) if not is_related]
    return reply.model_copy(update={"memories": [*kept, *reply.memories]})


def notes_of(output: Mapping[str, Any]) -> StageOneReply:
    """The stored output of a session as the notes that a later part is given."""
    kept = [Candidate.from_json(data) for data in (*output["memories"], *output["quarantined"])]
    return StageOneReply(
        outcome=Outcome(output["outcome"]),
        rollout_slug=output["slug"],
        rollout_summary=output["rollout_summary"],
        memories=[_proposed(candidate) for candidate in kept],
    )


def _proposed(candidate: Candidate) -> ProposedMemory:
    return ProposedMemory(
        kind=candidate.kind,
        text=candidate.text,
        situation=candidate.situation,
        standing=candidate.standing,
        scope=candidate.scope,
        members=list(candidate.members),
        evidence=[Quote(item=quote.item, quote=quote.quote) for quote in candidate.evidence],
    )


def _iso(moment: datetime | None) -> str:
    return "" if moment is None else moment.isoformat(timespec="minutes")


def _result(
    facts: SessionFacts,
    reply: StageOneReply,
    checked: Checked,
    found: dict[str, int],
    usage: Usage,
    parts: int,
    prompt_dir: str | None,
) -> SessionResult:
    ended = facts.last_activity.timestamp() if facts.last_activity is not None else None
    raw = ""
    if checked.kept:
        raw = render(
            "raw_memory.md.j2",
            prompt_dir,
            thread_id=facts.thread_id,
            outcome=reply.outcome.value,
            date=day(ended),
            memories=checked.kept,
        )
    return SessionResult(
        outcome=reply.outcome,
        slug=slugify(reply.rollout_slug) or slugify(reply.rollout_summary.partition("\n")[0]),
        summary=shorten(reply.rollout_summary.strip(), MAX_SUMMARY),
        raw_memory=raw,
        kept=checked.kept,
        quarantined=checked.quarantined,
        declined=checked.declined,
        open_work=checked.open_work,
        redactions=found,
        usage=usage,
        parts=parts,
    )
