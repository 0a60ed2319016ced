"""Redaction at the pipeline's doors. A failure anywhere stops the session: nothing of it is sent or written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from slowwave.llm.prompting.schemas import Operation, ProposedMemory, ProposedSkill, Quote, StageOneReply, StageTwoReply
from slowwave.redaction.rules.outputs import command_that_prints
from slowwave.rollouts.model import Item, ItemKind
from slowwave.text.hygiene import clean

HEAD_CHARACTERS = 12_000
TAIL_CHARACTERS = 8_000


class Finding(Protocol):
    """What was removed: its type, never its value."""

    @property
    def type(self) -> str: ...


class Redaction(Protocol):
    """A redacted text and what was found in it."""

    @property
    def text(self) -> str: ...

    @property
    def findings(self) -> Sequence[Finding]: ...


class Scrubber(Protocol):
    """One run's scanner. It remembers every value it removed, in memory only, and removes it wherever it stands again.

    Every method raises `RedactionError` when it cannot vouch for its answer.
    """

    def redact(self, text: str) -> Redaction:
        """Scan one text."""
        ...

    def redact_many(self, texts: Sequence[str], *, publishing: bool = False) -> Sequence[Redaction]:
        """Scan several texts; `publishing` also by detect-secrets' own scanner."""
        ...

    def propagate(self, text: str) -> str:
        """Remove values that were found elsewhere since."""
        ...


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """Redacted items and how many secrets of each type were removed."""

    items: tuple[Item, ...]
    found: dict[str, int]


def scrub_items(items: Iterable[Item], scrubber: Scrubber) -> Scrubbed:
    """Redact every text of every item (whole, before anything is cut), then shorten long tool output.

    Raises:
        RedactionError: a text could not be scanned.
    """
    whole = [_plain(item) for item in items]
    found: Counter[str] = Counter()
    texts = scrubber.redact_many([item.text for item in whole])
    scrubbed: list[Item] = []
    for item, redaction in zip(whole, texts, strict=True):
        found.update(finding.type for finding in redaction.findings)
        scrubbed.append(replace(item.with_text(redaction.text), cwd=None))
    scrubbed = _without_printed_secrets(scrubbed, scrubber, found)
    return Scrubbed(tuple(_shortened(item.with_text(scrubber.propagate(item.text))) for item in scrubbed), dict(found))


def _plain(item: Item) -> Item:
    text = clean(item.text, max(len(item.text), 1))
    return item if text == item.text else item.with_text(text)


def _without_printed_secrets(items: Sequence[Item], scrubber: Scrubber, found: Counter[str]) -> list[Item]:
    """Scan the results of commands that show a secret again, below their command: what they printed is one."""
    out = list(items)
    leads: dict[int, str] = {}
    calls: dict[str | None, str] = {}
    for number, item in enumerate(items):
        if item.kind is ItemKind.TOOL_CALL:
            command = command_that_prints(item.text)
            calls[item.call_id] = command or ""
        elif item.kind is ItemKind.TOOL_RESULT and (command := calls.pop(item.call_id, None) or calls.pop(None, None)):
            leads[number] = f"{command}\n"
    results = scrubber.redact_many([lead + items[number].text for number, lead in leads.items()])
    for (number, lead), redaction in zip(leads.items(), results, strict=True):
        if redaction.text.startswith(lead):
            found.update(finding.type for finding in redaction.findings)
            out[number] = items[number].with_text(redaction.text[len(lead) :])
    return out


def _shortened(item: Item) -> Item:
    limit = HEAD_CHARACTERS + TAIL_CHARACTERS
    if item.kind not in (ItemKind.TOOL_RESULT, ItemKind.CONTEXT) or len(item.text) <= limit + 200:
        return item
    cut = len(item.text) - limit
    text = f"{item.text[:HEAD_CHARACTERS]}\n[... {cut} characters left out ...]\n{item.text[-TAIL_CHARACTERS:]}"
    return item.with_text(text)


def scrub_text(text: str, scrubber: Scrubber) -> str:
    """Redact one short text that may be published: a folder, a branch, a summary, a skill's name."""
    return scrubber.propagate(scrubber.redact_many([clean(text)], publishing=True)[0].text) if text else text


def scrub_stage_one(reply: StageOneReply, scrubber: Scrubber) -> StageOneReply:
    """Redact every field of stage one's answer."""
    texts = [reply.rollout_slug, reply.rollout_summary]
    for memory in reply.memories:
        texts += [memory.text, memory.situation, *(quote.quote for quote in memory.evidence)]
    scrubbed = _scrub_all(texts, scrubber)
    return StageOneReply(
        outcome=reply.outcome,
        rollout_slug=scrubbed[reply.rollout_slug],
        rollout_summary=scrubbed[reply.rollout_summary],
        memories=[
            ProposedMemory(
                kind=memory.kind,
                text=scrubbed[memory.text],
                situation=scrubbed[memory.situation],
                standing=memory.standing,
                evidence=[Quote(item=q.item, quote=scrubbed[q.quote]) for q in memory.evidence],
            )
            for memory in reply.memories
        ],
    )


def _scrub_all(texts: Iterable[str], scrubber: Scrubber) -> dict[str, str]:
    """Redact many short texts in one request to the scanner; the result maps each to its redacted form."""
    distinct = sorted({text for text in texts if text})
    results = scrubber.redact_many([clean(text) for text in distinct], publishing=True)
    scrubbed = {text: scrubber.propagate(result.text) for text, result in zip(distinct, results, strict=True)}
    return scrubbed | {"": ""}


def scrub_stage_two(reply: StageTwoReply, scrubber: Scrubber) -> StageTwoReply:
    """Redact every field of stage two's answer."""
    return StageTwoReply(
        operations=[
            Operation(
                op=operation.op,
                entries=operation.entries,
                memories=operation.memories,
                kind=operation.kind,
                text=scrub_text(operation.text, scrubber),
                situation=scrub_text(operation.situation, scrubber),
                reason=scrub_text(operation.reason, scrubber),
            )
            for operation in reply.operations
        ],
        skills=[
            ProposedSkill(
                name=scrub_text(skill.name, scrubber),
                description=scrub_text(skill.description, scrubber),
                body=scrub_text(skill.body, scrubber),
                entries=skill.entries,
                memories=skill.memories,
            )
            for skill in reply.skills
        ],
    )
