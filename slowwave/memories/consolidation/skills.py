"""Generated skills: what may become one, and when one is pruned. Names obey the Agent Skills specification."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from slowwave.llm.prompting.schemas import ProposedSkill
from slowwave.memories.consolidation.sources import UNTRUSTED
from slowwave.memories.extraction.candidates import Candidate
from slowwave.memories.guardrails import (
    STRENGTH,
    Terms,
    carries,
    covered,
    holds,
    is_harmful,
    is_order,
    reads_as_instruction,
    terms_of,
)
from slowwave.memories.state.values import Decision, EntryState, MemoryState, SkillState, Step
from slowwave.rollouts.model import ItemKind
from slowwave.storage.types import EntryStatus, Standing
from slowwave.text import fold_space, shorten

MAX_NAME = 64
MAX_DESCRIPTION = 1024
MAX_BODY_LINES = 400
MAX_BODY = 16_000
MIN_CONFIRMATIONS = 2
_AGENTS = ItemKind.ASSISTANT_TEXT
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class _HasCandidate(Protocol):
    @property
    def candidate(self) -> Candidate: ...


def valid_name(name: str) -> bool:
    """Whether a skill may bear this name: lower-case ASCII words joined by single hyphens, 64 characters at most."""
    return len(name) <= MAX_NAME and _NAME.fullmatch(name) is not None


def apply_skills(
    state: MemoryState,
    proposed: Sequence[ProposedSkill],
    sources: Mapping[str, _HasCandidate],
    limit: int,
    taken: frozenset[str],
) -> Step:
    """Accept proposed skills that recur (or that a person asked for), then prune those that nothing supports."""
    decisions: list[Decision] = []
    for skill in sorted(proposed, key=lambda skill: skill.name):
        entries = _supporting(state, skill, sources)
        reason = _refused(state, skill, entries, limit, taken) or _unsupported(state, skill, entries, sources)
        if not reason:
            state = state.put_skill(
                SkillState(
                    name=skill.name,
                    description=shorten(fold_space(skill.description), MAX_DESCRIPTION),
                    body=skill.body.strip() + "\n",
                    entries=tuple(sorted(entry.number for entry in entries)),
                )
            )
        decisions.append(Decision("skill", skill.name, not reason, reason))
    pruned = prune_skills(state)
    return Step(pruned.state, (*decisions, *pruned.decisions))


def _supporting(
    state: MemoryState, skill: ProposedSkill, sources: Mapping[str, _HasCandidate]
) -> tuple[EntryState, ...]:
    found = {entry.number: entry for short_id in skill.entries if (entry := state.entry(short_id)) and entry.active}
    hashes = {
        (quote.item, quote.hash)
        for reference in skill.memories
        if (source := sources.get(reference)) is not None
        for quote in source.candidate.evidence
    }
    for entry in state.active:
        if any((piece.item, piece.quote_hash) in hashes for piece in entry.evidence):
            found[entry.number] = entry
    return tuple(found.values())


def _refused(
    state: MemoryState, skill: ProposedSkill, entries: Sequence[EntryState], limit: int, taken: frozenset[str]
) -> str:
    known = next((known for known in state.skills if known.name == skill.name), None)
    live = sum(1 for known in state.skills if known.status is EntryStatus.ACTIVE)
    if not valid_name(skill.name):
        return "bad_name"
    if skill.name in taken or (known is not None and known.hand_edited):
        return "written_by_person"
    if not fold_space(skill.description) or not skill.body.strip():
        return "empty"
    if len(skill.body) > MAX_BODY or skill.body.count("\n") > MAX_BODY_LINES:
        return "too_long"
    if not entries:
        return "no_evidence"
    events = frozenset(event for entry in entries for event in entry.sessions)
    if len(events) < MIN_CONFIRMATIONS and not any(map(_asked, entries)):
        return "does_not_recur"
    if known is None and live >= limit:
        return "too_many_skills"
    return ""


def _asked(entry: EntryState) -> bool:
    """Whether a person said it, or had commands kept that had been run: "save these steps" names none of them."""
    kinds = {piece.item_kind for piece in entry.evidence}
    kept = entry.standing is Standing.AGREED and {ItemKind.USER_TEXT, ItemKind.TOOL_CALL} <= kinds
    return kept or entry.standing is Standing.USER_SAID


def _unsupported(
    state: MemoryState, skill: ProposedSkill, entries: Sequence[EntryState], sources: Mapping[str, _HasCandidate]
) -> str:
    cited = [source.candidate for name in skill.memories if (source := sources.get(name)) is not None]
    texts = [part for one in cited for part in _vouched(one)]
    return unsupported(state, f"{skill.description}\n{skill.body}", entries, texts)


def unsupported(state: MemoryState, text: str, entries: Sequence[EntryState], cited: Sequence[str] = ()) -> str:
    """Why a skill's words may not stand: each line's commands are those that somebody typed, agreed to or ran, by what
    stands or is cited, and no line steers or harms unless a person said it. `entries` are those that it rests on."""
    sure = [entry for entry in state.active if entry.standing is not Standing.INFERRED or entry in entries]
    texts = [*(part for entry in sure for part in _vouched(entry)), *cited]
    typed = [e.quote for entry in entries for e in entry.evidence if e.item_kind == "user_text" or e.thread_id is None]
    known, said = terms_of("\n".join(texts)), terms_of("\n".join(typed))
    for line, is_code in _lines(text):
        if is_harmful(line) and not carries(terms_of(line), said):
            return "harmful_line"
        names = frozenset[str]().union(*map(_names, [line.strip()] if is_code else _commands(line)))
        if not all(holds(name, known.content | known.tokens) for name in names):
            return "unsupported_line"
        if reads_as_instruction(line) and not carries(terms_of(line), known):
            return "unsupported_line"
        if is_order(_MARK.sub("", line)) and not _familiar(line, known):
            return "unsupported_line"
    return ""


def _vouched(one: EntryState | Candidate) -> list[str]:
    """The words of a memory that are not only a page's or an output's: its quotes of what was typed, agreed to or run,
    and its own where nothing else was needed for them."""
    agreed = STRENGTH[one.standing] >= STRENGTH[Standing.AGREED]
    sure = [q.quote for q in one.evidence if q.item_kind not in UNTRUSTED and (agreed or q.item_kind != _AGENTS)]
    return [*sure, one.text, one.situation] if agreed or len(sure) == len(one.evidence) else sure


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """The lines, with whether each is code by its place: in a fence or indented."""
    fence = ""
    for line in text.split("\n"):
        mark = line.strip()[:3]
        if mark in ("```", "~~~") and fence in ("", mark):
            fence = "" if fence else mark
            yield line, False
        else:
            yield line, bool(line.strip()) and (bool(fence) or line.startswith(("    ", "\t")))


def _familiar(line: str, known: Terms) -> bool:
    """Whether an order is about something that the memory speaks of."""
    wanted = terms_of(line).words
    return 3 * len(covered(wanted, known.content)) >= len(wanted)


_MARK = re.compile(r"^\s*(?:[-*+]\s+|\d{1,2}[.)]\s+)?")
_SPAN = re.compile(r"`([^`\n]+)`")
_PROMPT = re.compile(
    r"^\s*(?:[-*+]\s+|\d{1,2}[.)]\s+)?(?:[$>]\s+|(?:sudo|curl|wget|bash|sh|ssh|scp|cat|cp|mv|rm|chmod|export|eval)\s+)(.+)"
)


def _commands(line: str) -> list[str]:
    """What a line shows as code."""
    found = _SPAN.findall(line)
    match = _PROMPT.match(line)
    return [*found, match.group()] if match else found


def _names(command: str) -> frozenset[str]:
    found = terms_of(f"`{command}`")
    return found.names


def prune_skills(state: MemoryState) -> Step:
    """Retire generated skills none of whose entries stands any more."""
    active = {entry.number for entry in state.active}
    decisions: list[Decision] = []
    for skill in state.skills:
        if skill.status is not EntryStatus.ACTIVE or skill.hand_edited or active.intersection(skill.entries):
            continue
        state = state.put_skill(replace(skill, status=EntryStatus.RETIRED))
        decisions.append(Decision("prune_skill", skill.name, True, "nothing_supports_it"))
    return Step(state, tuple(decisions))
