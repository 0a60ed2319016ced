"""Stage two's operations and the rails around them. A model proposes, this module decides; all of it is pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from slowwave.llm.prompting.schemas import Operation, StageTwoReply
from slowwave.memories.consolidation.skills import apply_skills
from slowwave.memories.consolidation.state import Decision, EntryState, EvidenceState, MemoryState, Step
from slowwave.memories.extraction.candidates import Candidate
from slowwave.memories.extraction.checks import MAX_SITUATION, MAX_TEXT, reads_as_instruction
from slowwave.memories.text import text_hash, tidy_situation
from slowwave.rollouts.model import ItemKind
from slowwave.storage.types import EntryStatus, MemoryKind, Origin, Standing
from slowwave.text import fold_space, shorten

LOSS_FLOOR = 3
_STRENGTH = {Standing.INFERRED: 0, Standing.VERIFIED: 1, Standing.USER_SAID: 1}


@dataclass(frozen=True, slots=True)
class Source:
    """A candidate and the session that it came from."""

    thread_id: str
    session_id: str
    agent: str
    candidate: Candidate

    @property
    def evidence(self) -> tuple[EvidenceState, ...]:
        """The candidate's quotes as evidence of an entry."""
        return tuple(
            EvidenceState(
                quote=quote.quote,
                quote_hash=quote.hash,
                thread_id=self.thread_id,
                session_id=self.session_id,
                agent=self.agent,
                item=quote.item,
                uid=quote.uid,
                item_kind=quote.item_kind,
                at=quote.at,
            )
            for quote in self.candidate.evidence
        )


@dataclass(frozen=True, slots=True)
class Rails:
    """Limits of a run. `standing` is how many entries stood when it began, `lost` how many earlier steps gave up.
    `tombstoned` tells whether a text hash was forgotten by a person."""

    standing: int = 0
    lost: int = 0
    max_loss_share: float = 0.25
    max_skills: int = 20
    taken_skill_names: frozenset[str] = frozenset()
    tombstoned: Callable[[str], bool] = field(default=lambda _hash: False)

    @property
    def losses_left(self) -> int:
        """How many standing entries may still be lost."""
        return max(LOSS_FLOOR, math.floor(self.standing * self.max_loss_share)) - self.lost


@dataclass(slots=True)
class _Work:
    """The state while operations are applied; new entries get their numbers at the end, in order of evidence."""

    state: MemoryState
    sources: Mapping[str, Source]
    rails: Rails
    losses_left: int
    new: list[tuple[EntryState, tuple[int, ...]]] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    promote: list[str] = field(default_factory=list)

    def decide(self, operation: Operation, accepted: bool, reason: str = "", target: str = "") -> None:
        target = target or ",".join((*operation.entries, *operation.memories))
        self.decisions.append(Decision(operation.op, target, accepted, reason))


@dataclass(frozen=True, slots=True)
class Applied(Step):
    """A step, the entries it asks to promote to the user level, and how many standing entries it gave up."""

    promote: tuple[str, ...] = ()
    lost: int = 0


def apply_reply(state: MemoryState, reply: StageTwoReply, sources: Mapping[str, Source], rails: Rails) -> Applied:
    """Apply what passes the rails, in the order proposed, and say what became of each operation."""
    work = _Work(state, sources, rails, rails.losses_left)
    for operation in reply.operations:
        _APPLY[operation.op](work, operation)
    lost = rails.losses_left - work.losses_left
    numbered = _number(work)
    step = apply_skills(numbered, reply.skills, sources, rails.max_skills, rails.taken_skill_names)
    return Applied(step.state, (*work.decisions, *step.decisions), tuple(work.promote), lost)


def _number(work: _Work) -> MemoryState:
    state = work.state
    for entry, replaces in sorted(work.new, key=lambda new: (new[0].evidence[0].order, new[0].hash)):
        number = state.next_number
        olds = [replace(old, superseded_by=number) for old in state.entries if old.number in replaces]
        state = state.put(replace(entry, number=number), *olds)
    return state


def _sources(work: _Work, operation: Operation) -> list[Source] | None:
    found = [work.sources.get(reference) for reference in operation.memories]
    if not found or any(source is None for source in found):
        work.decide(operation, False, "unknown_memory" if operation.memories else "no_memory")
        return None
    return [source for source in found if source is not None]


def _entry(work: _Work, operation: Operation) -> EntryState | None:
    entry = work.state.entry(operation.entries[0]) if operation.entries else None
    if entry is None or not entry.active:
        work.decide(operation, False, "unknown_entry")
        return None
    return entry


def _evidence(sources: Sequence[Source]) -> tuple[EvidenceState, ...]:
    return tuple(
        sorted({piece.key: piece for source in sources for piece in source.evidence}.values(), key=lambda e: e.order)
    )


def _standing(sources: Sequence[Source]) -> Standing:
    return max((source.candidate.standing for source in sources), key=lambda s: (_STRENGTH[s], s.value))


def _fresh(work: _Work, operation: Operation, sources: Sequence[Source]) -> EntryState | None:
    """The entry that an operation would create, or None with the reason recorded."""
    first = sources[0].candidate
    kind = operation.kind or first.kind
    evidence = _evidence(sources)
    text = shorten(fold_space(operation.text) or first.text, MAX_TEXT)
    if reason := _text_refused(work, text, kind, evidence):
        work.decide(operation, False, reason)
        return None
    return EntryState(
        number=0,
        kind=kind,
        text=text,
        situation=shorten(tidy_situation(operation.situation) or first.situation, MAX_SITUATION),
        standing=_standing(sources),
        evidence=evidence,
    )


def _text_refused(work: _Work, text: str, kind: MemoryKind, evidence: Sequence[EvidenceState]) -> str:
    from_user = any(piece.item_kind == ItemKind.USER_TEXT or piece.thread_id is None for piece in evidence)
    if kind in (MemoryKind.PREFERENCE, MemoryKind.CONSTRAINT) and not from_user:
        return "not_said_by_user"
    if not from_user and all(p.item_kind == ItemKind.TOOL_RESULT for p in evidence) and reads_as_instruction(text):
        return "instruction_from_tool_output"
    if work.rails.tombstoned(text_hash(text)):
        return "forgotten"
    return ""


def _add(work: _Work, operation: Operation) -> None:
    sources = _sources(work, operation)
    if sources is None or (entry := _fresh(work, operation, sources)) is None:
        return
    twin = next((known for known in work.state.entries if known.hash == entry.hash), None)
    if twin is not None and twin.active:
        work.state = work.state.put(twin.with_evidence(entry.evidence))
        work.decide(operation, True, "already_known", twin.id)
    elif twin is not None and twin.status_reason == REMOVED_BY_PERSON:
        work.decide(operation, False, REMOVED_BY_PERSON, twin.id)
    elif (new := next((k for k, _ in work.new if k.hash == entry.hash), None)) is not None:
        position = next(at for at, (known, _) in enumerate(work.new) if known is new)
        work.new[position] = (new.with_evidence(entry.evidence), work.new[position][1])
        work.decide(operation, True, "already_known")
    else:
        work.new.append((entry, ()))
        work.decide(operation, True)


REMOVED_BY_PERSON = "removed_by_person"


def _confirm(work: _Work, operation: Operation) -> None:
    entry = _entry(work, operation)
    if entry is None or (sources := _sources(work, operation)) is None:
        return
    standing = max((entry.standing, _standing(sources)), key=lambda s: _STRENGTH[s])
    changed = replace(entry.with_evidence(_evidence(sources)), standing=standing)
    work.state = work.state.put(changed)
    work.decide(operation, True)


def _revise(work: _Work, operation: Operation) -> None:
    entry = _entry(work, operation)
    if entry is None or (sources := _sources(work, operation)) is None:
        return
    if entry.locked:
        work.state = work.state.put(entry.with_evidence(_evidence(sources)))
        work.decide(operation, False, "locked_by_person")
        return
    fresh = _fresh(work, operation.model_copy(update={"kind": entry.kind}), sources)
    if fresh is None:
        return
    changed = replace(entry.with_evidence(fresh.evidence), text=fresh.text, situation=fresh.situation)
    work.state = work.state.put(changed)
    work.decide(operation, True)


def _merge(work: _Work, operation: Operation) -> None:
    found = [work.state.entry(short_id) for short_id in dict.fromkeys(operation.entries)]
    entries = [entry for entry in found if entry is not None and entry.active]
    if len(entries) < 2 or len(entries) != len(found):
        work.decide(operation, False, "unknown_entry")
        return
    locked = [entry for entry in entries if entry.locked]
    if len(locked) > 1:
        work.decide(operation, False, "locked_by_person")
        return
    if len({entry.kind for entry in entries}) > 1 and not locked:
        kind = operation.kind
        if kind is None or kind not in {entry.kind for entry in entries}:
            work.decide(operation, False, "different_kinds")
            return
    survivor = locked[0] if locked else min(entries, key=lambda entry: entry.number)
    gone = [entry for entry in entries if entry is not survivor]
    if not _spend(work, operation, len(gone)):
        return
    merged = survivor.with_evidence(tuple(piece for entry in gone for piece in entry.evidence))
    text = shorten(fold_space(operation.text), MAX_TEXT)
    if text and not survivor.locked:
        if reason := _text_refused(work, text, operation.kind or merged.kind, merged.evidence):
            work.losses_left += len(gone)
            work.decide(operation, False, reason)
            return
        merged = replace(merged, text=text, kind=operation.kind or merged.kind)
    work.state = work.state.put(
        merged, *(_end(entry, EntryStatus.SUPERSEDED, "merged", survivor.number) for entry in gone)
    )
    work.decide(operation, True)


def _supersede(work: _Work, operation: Operation) -> None:
    entry = _entry(work, operation)
    if entry is None or (sources := _sources(work, operation)) is None:
        return
    if entry.locked:
        work.decide(operation, False, "locked_by_person")
        return
    fresh = _fresh(work, operation, sources)
    if fresh is None:
        return
    if (fresh.last_confirmed or 0) < (entry.last_confirmed or 0):
        work.decide(operation, False, "older_than_what_stands")
        return
    if _STRENGTH[fresh.standing] < _STRENGTH[entry.standing]:
        work.decide(operation, False, "weaker_than_what_stands")
        return
    if fresh.hash == entry.hash:
        work.state = work.state.put(entry.with_evidence(fresh.evidence))
        work.decide(operation, True, "already_known")
        return
    if not _spend(work, operation, 1):
        return
    work.state = work.state.put(_end(entry, EntryStatus.SUPERSEDED, "superseded"))
    work.new.append((fresh, (entry.number,)))
    work.decide(operation, True)


def _retire(work: _Work, operation: Operation) -> None:
    entry = _entry(work, operation)
    if entry is None:
        return
    if entry.locked:
        work.decide(operation, False, "locked_by_person")
    elif not operation.reason.strip():
        work.decide(operation, False, "no_reason")
    elif _spend(work, operation, 1):
        work.state = work.state.put(_end(entry, EntryStatus.RETIRED, shorten(fold_space(operation.reason), 200)))
        work.decide(operation, True)


def _promote(work: _Work, operation: Operation) -> None:
    entry = _entry(work, operation)
    if entry is not None:
        work.promote.append(entry.id)
        work.decide(operation, True, "needs_second_project")


def _spend(work: _Work, operation: Operation, count: int) -> bool:
    if work.losses_left < count:
        work.decide(operation, False, "too_many_losses")
        return False
    work.losses_left -= count
    return True


def _end(entry: EntryState, status: EntryStatus, reason: str, by: int | None = None) -> EntryState:
    return replace(entry, status=status, status_reason=reason, superseded_by=by)


_APPLY: dict[str, Callable[[_Work, Operation], None]] = {
    "add": _add,
    "confirm": _confirm,
    "revise": _revise,
    "merge": _merge,
    "supersede": _supersede,
    "retire": _retire,
    "promote": _promote,
}


def retire_unsupported(
    state: MemoryState, *, now: float | None = None, max_unconfirmed_days: float | None = None
) -> Step:
    """Retire by code what has no evidence left, and what nobody confirmed for too long when that is asked for."""
    changed: list[EntryState] = []
    for entry in state.active:
        if not entry.evidence and entry.origin is Origin.SESSION and not entry.locked:
            changed.append(_end(entry, EntryStatus.RETIRED, "evidence_forgotten"))
        elif max_unconfirmed_days is not None and now is not None and not entry.locked:
            confirmed = entry.last_confirmed
            if confirmed is not None and now - confirmed > max_unconfirmed_days * 86_400:
                changed.append(_end(entry, EntryStatus.RETIRED, "not_confirmed"))
    decisions = tuple(Decision("retire", entry.id, True, entry.status_reason) for entry in changed)
    return Step(state.put(*changed) if changed else state, decisions)
