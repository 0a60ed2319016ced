"""Redaction at the pipeline's doors. A failure anywhere stops the session: nothing of it is sent or written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Protocol, TypeVar

from slowwave.llm.prompting.schemas import StageOneReply, StageTwoReply
from slowwave.redaction.rules.places.outputs import command_that_prints
from slowwave.rollouts.model import Item, ItemKind
from slowwave.text.hygiene import clean

R = TypeVar("R", StageOneReply, StageTwoReply)
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
    return _scrub_reply(reply, scrubber)


def scrub_stage_two(reply: StageTwoReply, scrubber: Scrubber) -> StageTwoReply:
    """Redact every field of stage two's answer."""
    return _scrub_reply(reply, scrubber)


def _scrub_reply(reply: R, scrubber: Scrubber) -> R:
    """Redact every string of an answer, in one request to the scanner."""
    plain = reply.model_dump()
    distinct = sorted({text for text in _strings(plain) if text})
    results = scrubber.redact_many([clean(text) for text in distinct], publishing=True)
    scrubbed = {text: scrubber.propagate(result.text) for text, result in zip(distinct, results, strict=True)}
    return type(reply).model_validate(_replaced(plain, scrubbed))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str) and not isinstance(value, Enum):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _replaced(value: Any, scrubbed: Mapping[str, str]) -> Any:
    if isinstance(value, str) and not isinstance(value, Enum):
        return scrubbed.get(value, value)
    if isinstance(value, dict):
        return {key: _replaced(inner, scrubbed) for key, inner in value.items()}
    if isinstance(value, list):
        return [_replaced(inner, scrubbed) for inner in value]
    return value
