"""Stage one: one session in, checked memories and a short summary out. Pure but for the extractor's call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from slowwave.errors import ModelRejected, PromptTooLong
from slowwave.llm.base import Extractor, ExtractRequest, Usage
from slowwave.llm.prompting.schemas import ProposedMemory, Quote, StageOneReply
from slowwave.llm.prompting.templates import render
from slowwave.memories.extraction.candidates import Candidate
from slowwave.memories.extraction.checks import Checked, check_reply
from slowwave.memories.extraction.fit import SMALLEST_BUDGET_TOKENS, Part, fit
from slowwave.memories.publishing.render import day
from slowwave.memories.redacting import Scrubber, scrub_items, scrub_stage_one, scrub_text
from slowwave.memories.text import slugify
from slowwave.rollouts.model import Item, SessionFacts
from slowwave.storage.types import Outcome
from slowwave.text import estimate_tokens, shorten

MAX_SUMMARY = 6000
PROMPT_OVERHEAD_TOKENS = 5500
SHRINK = 0.6


@dataclass(frozen=True, slots=True)
class SessionResult:
    """What stage one made of a session."""

    outcome: Outcome
    slug: str
    summary: str
    raw_memory: str
    kept: tuple[Candidate, ...]
    quarantined: tuple[Candidate, ...]
    rejected: dict[str, int]
    redactions: dict[str, int]
    usage: Usage = field(default_factory=Usage)
    parts: int = 1

    @property
    def nothing_to_keep(self) -> bool:
        """Whether the session taught nothing durable, which is a good answer and no failure."""
        return not self.kept


async def extract_session(
    facts: SessionFacts,
    items: Iterable[Item],
    *,
    project: str,
    extractor: Extractor,
    scrubber: Scrubber,
    signals: frozenset[int] = frozenset(),
    prompt_dir: str | None = None,
    checkpoint: Callable[[], None] = lambda: None,
) -> SessionResult:
    """Redact, fit, ask part by part, check. `checkpoint` raises `LeaseLost` when the claim is gone.

    Raises:
        RedactionError: a text could not be scanned; nothing was sent.
        ModelError, BudgetReached, ConsentRequired: from the extractor.
    """
    scrubbed = await asyncio.to_thread(scrub_items, items, scrubber)
    checkpoint()
    asked = _Session(facts, project, scrubbed.items, extractor, scrubber, signals, checkpoint)
    reply, usage, parts = await asked.ask()
    checked = check_reply(reply, scrubbed.items)
    return _result(facts, reply, checked, scrubbed.found, usage, parts, prompt_dir)


@dataclass(frozen=True, slots=True)
class _Session:
    facts: SessionFacts
    project: str
    items: tuple[Item, ...]
    extractor: Extractor
    scrubber: Scrubber
    signals: frozenset[int]
    checkpoint: Callable[[], None]

    async def ask(self) -> tuple[StageOneReply, Usage, int]:
        """Ask with the extractor's budget; a provider's "too long" shrinks it and goes on."""
        limit = self.extractor.input_tokens
        if limit is None:
            return await self._parts([Part(self.items, {}, 0)])
        budget = max(limit - PROMPT_OVERHEAD_TOKENS, SMALLEST_BUDGET_TOKENS)
        while True:
            parts = fit(self.items, budget, estimate_tokens, signals=self.signals)
            try:
                return await self._parts(parts)
            except PromptTooLong as error:
                if budget <= SMALLEST_BUDGET_TOKENS:
                    raise ModelRejected(
                        "the provider refuses even the smallest prompt as too long",
                        hint="Lower models.default.inputTokens or choose a model with a larger window.",
                        reason="prompt_too_long",
                    ) from error
                budget = max(int(budget * SHRINK), SMALLEST_BUDGET_TOKENS)

    async def _parts(self, parts: Sequence[Part]) -> tuple[StageOneReply, Usage, int]:
        notes: StageOneReply | None = None
        usage = Usage()
        for number, part in enumerate(parts, 1):
            self.checkpoint()
            answer = await self.extractor.extract(self._request(part, number, len(parts), notes))
            usage += answer.usage
            reply = scrub_stage_one(answer.reply, self.scrubber)
            notes = self._supported(reply) if len(parts) > 1 else reply
        return notes or _EMPTY, usage, len(parts)

    def _request(self, part: Part, number: int, of: int, notes: StageOneReply | None) -> ExtractRequest:
        return ExtractRequest(
            thread_id=self.facts.thread_id,
            agent=self.facts.agent,
            project=scrub_text(self.project, self.scrubber),
            items=part.items,
            gaps=part.gaps,
            cwd=scrub_text(self.facts.cwd or "", self.scrubber),
            branch=scrub_text(self.facts.branch or "", self.scrubber),
            started=_iso(self.facts.started),
            ended=_iso(self.facts.last_activity),
            part=number,
            parts=of,
            notes=notes,
            signals=self.signals,
        )

    def _supported(self, reply: StageOneReply) -> StageOneReply:
        """Running notes hold only what the checks would keep, so an invented quote is not carried along."""
        checked = check_reply(reply, self.items)
        memories = [_proposed(candidate) for candidate in (*checked.kept, *checked.quarantined)]
        return reply.model_copy(update={"memories": memories})


_EMPTY = StageOneReply(outcome=Outcome.UNCERTAIN, rollout_slug="", rollout_summary="", memories=[])


def _proposed(candidate: Candidate) -> ProposedMemory:
    return ProposedMemory(
        kind=candidate.kind,
        text=candidate.text,
        situation=candidate.situation,
        standing=candidate.standing,
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
        rejected=dict(checked.rejected),
        redactions=found,
        usage=usage,
        parts=parts,
    )
