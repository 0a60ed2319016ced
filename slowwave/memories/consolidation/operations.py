"""Stage two's operations and the limits around them. A model proposes, this module decides; all of it is pure.

Every operation is judged by the same rules (`slowwave.memories.guardrails`): its memories have to carry its text,
and what stands is only ended or changed by newer words that are at least as strong. What cannot be decided without the
person is held: what a person wrote, more losses than a run may have, words that would steer agents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from slowwave.llm.prompting.schemas import Operation, StageTwoReply
from slowwave.memories.consolidation import lists
from slowwave.memories.consolidation.dates import has_passed
from slowwave.memories.consolidation.run_limits import REMOVED_BY_PERSON, Held, RunLimits, Work, merged_evidence
from slowwave.memories.consolidation.skills import apply_skills
from slowwave.memories.consolidation.sources import (
    Source,
    evidence_of,
    newest,
    piece_of,
    scope_of,
    speaks_of,
    standing_of,
)
from slowwave.memories.consolidation.wording import keeps_specifics
from slowwave.memories.extraction.checks import MAX_SITUATION, MAX_TEXT
from slowwave.memories.guardrails import (
    STRENGTH,
    WISHES,
    Claim,
    Judgement,
    Piece,
    carries,
    is_harmful,
    is_order,
    judge,
    names_this_project,
    opposed,
    outranked,
    reads_as_instruction,
    stated_everywhere,
    strongest,
    terms_of,
    weakest,
)
from slowwave.memories.guardrails.speech import says_it_changed
from slowwave.memories.state.values import Change, Decision, EntryState, EvidenceState, MemoryState, Step
from slowwave.memories.text import quote_hash, text_hash, tidy_situation
from slowwave.rollouts.model import ItemKind
from slowwave.storage.types import EntryStatus, MemoryKind, Origin, Scope, Standing
from slowwave.text import Relation, fold_space, relate, shorten

__all__ = ["REMOVED_BY_PERSON", "Applied", "Held", "RunLimits", "Source", "apply_reply", "retire_unsupported"]


@dataclass(frozen=True, slots=True)
class Applied(Step):
    """A step, what it changed in each entry, what waits for a person, and how many standing entries it gave up."""

    changes: tuple[Change, ...] = ()
    held: tuple[Held, ...] = ()
    lost: int = 0


def apply_reply(
    state: MemoryState, reply: StageTwoReply, sources: Mapping[str, Source], run_limits: RunLimits
) -> Applied:
    """Apply what passes the limits, in the order proposed, and say what became of each operation."""
    uses = Counter(name for operation in reply.operations for name in set(operation.memories))
    work = Work(state, sources, run_limits, run_limits.losses_left, uses)
    for operation in reply.operations:
        _APPLY[operation.op](work, operation)
    lost = run_limits.losses_left - work.losses_left
    numbered = _number(work)
    step = apply_skills(numbered, reply.skills, sources, run_limits.max_skills, run_limits.taken_skill_names)
    return Applied(step.state, (*work.decisions, *step.decisions), tuple(work.changes), tuple(work.held), lost)


def _number(work: Work) -> MemoryState:
    state = work.state
    for new in sorted(work.new, key=lambda new: (new.entry.evidence[0].order, new.entry.hash)):
        number = state.next_number
        olds = [replace(old, superseded_by=number) for old in state.entries if old.number in new.replaces]
        state = state.put(replace(new.entry, number=number), *olds)
        work.changes.append(Change(number, new.operation, "", new.entry.text))
    return state


@dataclass(frozen=True, slots=True)
class _Fresh:
    """An entry that an operation would make, and how the limits judge it."""

    entry: EntryState
    judged: Judgement

    @property
    def at(self) -> float | None:
        """When its newest evidence was observed."""
        return self.entry.last_confirmed


def _fresh(
    work: Work, operation: Operation, sources: Sequence[Source], beside: Sequence[EntryState] = ()
) -> _Fresh | None:
    """What an operation would make of its memories and, in a revision, of the entries that it changes; None when it is
    refused or held, with the reason written down."""
    first = sources[0].candidate
    kind = operation.kind or (beside[0].kind if beside else first.kind)
    situation = _situation(operation, beside[0].situation if beside else first.situation)
    pieces = [*(source.piece for source in sources), *(piece_of(entry) for entry in beside)]
    text, judged = _worded(work, operation, sources, kind, situation, pieces)
    if work.run_limits.tombstoned(text_hash(text)):
        work.decide(operation, False, "forgotten")
        return None
    if judged.standing is None:
        work.decide(operation, False, judged.reason)
        return None
    if judged.quarantined:
        work.hold(operation, judged.reason)
        return None
    evidence = evidence_of(sources)
    if work.run_limits.approved:
        evidence = (*evidence, _approval(text, work.run_limits.now))
    entry = EntryState(
        number=0,
        kind=judged.kind,
        text=text,
        situation=situation,
        standing=judged.standing,
        scope=scope_of(sources),
        evidence=evidence,
    )
    return _Fresh(entry, judged)


def _approval(text: str, now: float | None) -> EvidenceState:
    return EvidenceState(quote=text, quote_hash=quote_hash(text), origin=Origin.USER, at=now)


def _situation(operation: Operation, otherwise: str) -> str:
    given = otherwise if operation.situation is None else operation.situation
    return shorten(tidy_situation(given), MAX_SITUATION)


def _worded(
    work: Work,
    operation: Operation,
    sources: Sequence[Source],
    kind: MemoryKind,
    situation: str,
    pieces: Sequence[Piece],
) -> tuple[str, Judgement]:
    """The text of an operation where its memories carry it, or else the words of the memory itself."""
    best = max(sources, key=lambda one: (STRENGTH[one.standing], newest(one.evidence) or 0.0))
    own, known = best.candidate, best.standing
    text = shorten(fold_space(operation.text), MAX_TEXT)
    alone = len(sources) == 1 and operation.op == "add" and work.uses.get(operation.memories[0], 1) == 1
    if not text or (alone and not keeps_specifics(text, [own.text])):
        text = own.text
    if work.run_limits.approved:
        standing = strongest((Standing.AGREED, known))
        return text, Judgement(standing, kind)
    judged = _judged(Claim(kind, text, situation), own.kind, known, text == own.text, pieces)
    if judged.standing is None and operation.op == "add" and text != own.text:
        return own.text, _judged(Claim(kind, own.text, situation), own.kind, known, True, pieces)
    return text, judged


def _judged(claim: Claim, kind: MemoryKind, standing: Standing, own_words: bool, pieces: Sequence[Piece]) -> Judgement:
    """Words that stage one checked keep their standing, unless another kind or situation is claimed for them."""
    judged = judge(claim, pieces)
    if own_words and judged.standing is None and judged.reason == "not_in_its_quotes" and claim.kind is kind:
        return Judgement(standing, kind)
    return judged


def _add(work: Work, operation: Operation) -> None:
    sources = work.named(operation)
    if sources is None:
        return
    if (operation.kind or sources[0].candidate.kind) is MemoryKind.LIST:
        _add_list(work, operation, sources)
        return
    fresh = _fresh(work, operation, sources)
    if fresh is None:
        return
    twins = [known for known in work.state.entries if known.hash == fresh.entry.hash]
    removed = next((known for known in twins if not known.active and known.status_reason == REMOVED_BY_PERSON), None)
    twin = next((known for known in twins if known.active), None)
    if removed is not None and twin is None and not work.run_limits.approved:
        work.decide(operation, False, REMOVED_BY_PERSON, removed.id)
        return
    if twin is not None:
        work.add(fresh.entry, operation)
        work.decide(operation, True, "already_known", twin.id)
        return
    if not work.run_limits.approved and (gone := _ended_since(work.state, fresh.entry)) is not None:
        work.decide(operation, False, "older_than_what_ended_it", gone.id)
        return
    rivals = [] if work.run_limits.approved else _rivals(work.state, fresh.entry)
    if all(_may_change(work, operation, rival, fresh, sources) for rival in rivals):
        # Of two lines that contradict each other only the later may stand, whether or not the model saw it.
        for rival in rivals:
            work.end(operation, rival, EntryStatus.SUPERSEDED)
        work.add(fresh.entry, operation, rivals)
        work.decide(operation, True)


def _ended_since(state: MemoryState, fresh: EntryState) -> EntryState | None:
    """An entry of the same subject that was ended by words newer than those of a new one."""
    at = fresh.last_confirmed or 0.0
    gone = [entry for entry in state.entries if not entry.active and at <= _ended(state, entry)]
    for entry in gone:
        if entry.hash == fresh.hash or (entry.status is EntryStatus.RETIRED and _says_otherwise(fresh, entry)):
            return entry
    return None


def _ended(state: MemoryState, entry: EntryState) -> float:
    """When the newest words were said that an entry which no longer stands rested on, or that ended it."""
    times = [entry.last_confirmed or 0.0]
    if entry.superseded_by is not None and (follower := state.entry(f"m{entry.superseded_by}")) is not None:
        times.append(follower.last_confirmed or 0.0)
    return max(times)


def _rivals(state: MemoryState, fresh: EntryState) -> list[EntryState]:
    """Standing lines that a new one contradicts: the same subject with another value, in the same situation."""
    return [entry for entry in state.active if _says_otherwise(fresh, entry)]


def _says_otherwise(fresh: EntryState, entry: EntryState) -> bool:
    steps = (MemoryKind.WORKFLOW, MemoryKind.PITFALL, MemoryKind.LIST)
    return (
        fresh.kind not in steps
        and entry.kind not in steps
        and text_hash(entry.situation) == text_hash(fresh.situation)
        and relate(fresh.text, entry.text) is Relation.CONTRADICTS
    )


def _confirm(work: Work, operation: Operation) -> None:
    entries = work.entries(operation)
    if not entries or (sources := work.named(operation)) is None:
        return
    entry = entries[0]
    pieces = [source.piece for source in sources]
    wanted, given = terms_of(entry.text), terms_of("\n".join(piece.text for piece in pieces))
    if opposed(wanted, given) or not speaks_of(sources, entry):
        work.decide(operation, False, "says_something_else")
        return
    standing = entry.standing
    if carries(wanted, given):
        proven = judge(Claim(entry.kind, entry.text), pieces).standing
        standing = strongest((standing, proven)) if proven is not None else standing
    changed = replace(entry.with_evidence(evidence_of(sources)), standing=standing)
    if scope_of(sources) is Scope.USER:
        changed = replace(changed, scope=Scope.USER)
    work.put(operation, entry, changed)
    work.decide(operation, True)


def _may_change(work: Work, operation: Operation, entry: EntryState, fresh: _Fresh, sources: Sequence[Source]) -> bool:
    """Whether newer words may end or rewrite an entry; what became of it is written down where they may not."""
    if work.run_limits.approved:
        return True
    judged = weakest((fresh.judged.standing or Standing.INFERRED, standing_of(sources)))
    if reason := outranked(judged, newest(evidence_of(sources)), entry.standing, entry.last_confirmed):
        work.decide(operation, False, reason, entry.id)
        return False
    if entry.from_person:
        work.hold(operation, "written_by_person", [entry])
        return False
    if _is_said(entry) and not speaks_of(sources, entry) and not _tells_of_change(sources, operation):
        work.hold(operation, "speaks_of_something_else", [entry])
        return False
    return True


def _tells_of_change(sources: Sequence[Source], operation: Operation) -> bool:
    return any(says_it_changed(text) for text in (operation.text, *(source.piece.text for source in sources)))


def _revise(work: Work, operation: Operation) -> None:
    entries = work.entries(operation)
    if not entries or (sources := work.named(operation)) is None:
        return
    fresh = _fresh(work, operation, sources, entries)
    if fresh is None:
        return
    entries = [entry for entry in entries if _may_change(work, operation, entry, fresh, sources)]
    if not entries:
        return
    first, *others = entries
    evidence = (*fresh.entry.evidence, *merged_evidence(others))
    alone = judge(Claim(fresh.entry.kind, fresh.entry.text), [source.piece for source in sources]).standing
    changed = replace(
        first.with_evidence(evidence),
        text=fresh.entry.text,
        situation=fresh.entry.situation,
        kind=fresh.entry.kind,
        standing=strongest([first.standing, *([alone] if alone is not None else [])]),
    )
    work.put(operation, first, _unfrozen(changed) if work.run_limits.approved else changed)
    for other in others:
        work.end(operation, other, EntryStatus.SUPERSEDED, first.number)
    work.decide(operation, True)


def _unfrozen(entry: EntryState) -> EntryState:
    """A person approved new words for a line that was frozen."""
    return replace(entry, verbatim="", pinned=False)


def _supersede(work: Work, operation: Operation) -> None:
    entries = work.entries(operation)
    if not entries or (sources := work.named(operation)) is None:
        return
    fresh = _fresh(work, operation, sources)
    if fresh is None:
        return
    same = [entry for entry in entries if entry.hash == fresh.entry.hash]
    if same:
        work.put(operation, same[0], same[0].with_evidence(fresh.entry.evidence))
        entries = [entry for entry in entries if entry is not same[0]]
    ending = [entry for entry in entries if _may_change(work, operation, entry, fresh, sources)]
    for entry in ending:
        work.end(operation, entry, EntryStatus.SUPERSEDED, same[0].number if same else None)
    if ending and not same:
        work.add(fresh.entry, operation, ending)
    if ending or same:
        work.decide(operation, True, "" if ending else "already_known")


def _merge(work: Work, operation: Operation) -> None:
    entries = work.entries(operation)
    if len(entries) < 2:
        if entries:
            work.decide(operation, False, "unknown_entry")
        return
    if len({entry.scope for entry in entries}) > 1:
        work.decide(operation, False, "different_scope")
        return
    if not work.run_limits.approved and any(entry.from_person for entry in entries):
        work.hold(operation, "written_by_person")
        return
    kinds = {entry.kind for entry in entries}
    if len(kinds) > 1 and operation.kind not in kinds:
        work.decide(operation, False, "different_kinds")
        return
    survivor, *gone = sorted(entries, key=lambda entry: entry.number)
    best = strongest(entry.standing for entry in entries)
    merged = replace(
        survivor.with_evidence(merged_evidence(gone)),
        text=shorten(fold_space(operation.text), MAX_TEXT) or survivor.text,
        situation=_situation(operation, survivor.situation),
        kind=operation.kind or survivor.kind,
        standing=best,
    )
    judged = judge(Claim(merged.kind, merged.text, merged.situation), [piece_of(entry) for entry in entries])
    if not work.run_limits.approved:
        if judged.standing is None or judged.quarantined:
            work.decide(operation, False, judged.reason)
            return
        if STRENGTH[judged.standing] < STRENGTH[best]:
            work.decide(operation, False, "weaker_than_what_stands")
            return
        lost = [entry for entry in entries if not keeps_specifics(merged.text, [entry.text])]
        if any(_is_said(entry) and relate(merged.text, entry.text) not in _ALIKE for entry in lost):
            work.hold(operation, "speaks_of_something_else")
            return
        if lost and not work.spend(len(gone)):
            work.hold(operation, "too_many_losses")
            return
    work.put(operation, survivor, _unfrozen(merged) if work.run_limits.approved else merged)
    for entry in gone:
        work.end(operation, entry, EntryStatus.SUPERSEDED, survivor.number)
    work.decide(operation, True)


_ALIKE = (Relation.SAME, Relation.NARROWER, Relation.WIDER)


def _is_said(entry: EntryState) -> bool:
    return STRENGTH[entry.standing] >= STRENGTH[Standing.AGREED]


def _retire(work: Work, operation: Operation) -> None:
    entries = work.entries(operation)
    if not entries:
        return
    if not operation.reason.strip():
        work.decide(operation, False, "no_reason")
        return
    sources = [source for name in operation.memories if (source := work.sources.get(name)) is not None]
    done = [entry for entry in entries if _retired(work, operation, entry, sources)]
    if done:
        work.decide(operation, True, target=",".join(entry.id for entry in done))


def _retired(work: Work, operation: Operation, entry: EntryState, sources: Sequence[Source]) -> bool:
    reason = _keeps(work, entry, sources)
    if reason in ("older_than_what_stands", "weaker_than_what_stands"):
        work.decide(operation, False, reason, entry.id)
        return False
    if not reason and not _is_over(work, entry) and not work.spend(1):
        reason = "too_many_losses"
    if reason:
        work.hold(operation, reason, [entry])
        return False
    why = shorten(fold_space(operation.reason), 200)
    # What says that it has ended is kept with it: older words cannot bring it back.
    ended = entry.with_evidence(evidence_of(sources))
    work.end(operation.model_copy(update={"reason": why}), ended, EntryStatus.RETIRED)
    return True


def _is_over(work: Work, entry: EntryState) -> bool:
    return work.run_limits.now is not None and has_passed(entry.text, entry.first_seen, work.run_limits.now)


def _keeps(work: Work, entry: EntryState, sources: Sequence[Source]) -> str:
    """What keeps an entry from being retired; empty when nothing does."""
    if work.run_limits.approved:
        return ""
    if entry.from_person:
        return "written_by_person"
    if _is_over(work, entry):
        return ""
    if any(terms_of(edit).content & terms_of(entry.text).content for edit in work.run_limits.edits):
        return ""
    said = _is_said(entry)
    if not sources:
        return "needs_evidence" if said else ""
    if reason := outranked(standing_of(sources), newest(evidence_of(sources)), entry.standing, entry.last_confirmed):
        return reason
    return "speaks_of_something_else" if said and not speaks_of(sources, entry) else ""


def _promote(work: Work, operation: Operation) -> None:
    for entry in work.entries(operation):
        said = [piece.quote for piece in entry.evidence if piece.item_kind == "user_text" or piece.thread_id is None]
        if entry.standing is not Standing.USER_SAID or entry.kind not in WISHES | {MemoryKind.FACT}:
            work.decide(operation, False, "not_said_by_user", entry.id)
        elif not any(map(stated_everywhere, said)) and any(map(names_this_project, (entry.text, *said))):
            work.decide(operation, False, "names_this_project", entry.id)
        else:
            work.put(operation, entry, replace(entry, scope=Scope.USER))
            work.decide(operation, True, target=entry.id)


def _add_list(work: Work, operation: Operation, sources: Sequence[Source]) -> None:
    name = lists.name_of(fold_space(operation.text) or sources[0].candidate.text)
    known = next(
        (
            e
            for e in work.state.active
            if e.kind is MemoryKind.LIST and text_hash(lists.name_of(e.text)) == text_hash(name)
        ),
        None,
    )
    members = operation.members or [member for source in sources for member in source.candidate.members]
    proven = _proven(work, operation, members, sources)
    if not proven:
        return
    if known is not None:
        work.put(operation, known, lists.joined(known, proven))
        work.decide(operation, True, "already_known", known.id)
        return
    situation = _situation(operation, sources[0].candidate.situation)
    if any(_steers(part, evidence_of(sources)) for part in (name, situation)):
        work.hold(operation, "harmful_unless_said")
        return
    empty = EntryState(
        number=0,
        kind=MemoryKind.LIST,
        text=name,
        situation=situation,
        standing=standing_of(sources),
        scope=scope_of(sources),
    )
    work.add(lists.joined(empty, proven), operation)
    work.decide(operation, True)


def _steers(text: str, pieces: Sequence[EvidenceState]) -> bool:
    """Whether the words of a member, a list or a situation want something done that no typed quote says."""
    if is_harmful(text):
        return True
    typed = "\n".join(piece.quote for piece in pieces if piece.item_kind == ItemKind.USER_TEXT)
    return (is_order(text) or reads_as_instruction(text)) and not carries(terms_of(text), terms_of(typed))


def _proven(
    work: Work, operation: Operation, members: Sequence[str], sources: Sequence[Source]
) -> dict[str, tuple[EvidenceState, ...]]:
    """The members that a quote names; each other one is refused by itself."""
    proven = {name: found for name, found in lists.proven(members, sources).items() if not _steers(name, found)}
    for member in members:
        if not any(text_hash(member) == text_hash(name) for name in proven):
            work.decide(operation, False, "not_in_its_quotes", shorten(member, 80))
    if not members:
        work.decide(operation, False, "no_members")
    return proven


def _list(work: Work, operation: Operation) -> EntryState | None:
    entries = work.entries(operation)
    if not entries:
        return None
    if entries[0].kind is not MemoryKind.LIST:
        work.decide(operation, False, "no_list")
        return None
    if entries[0].from_person and not work.run_limits.approved:
        work.hold(operation, "written_by_person")
        return None
    return entries[0]


def _join(work: Work, operation: Operation) -> None:
    entry = _list(work, operation)
    if entry is None or (sources := work.named(operation)) is None:
        return
    members = operation.members or [member for source in sources for member in source.candidate.members]
    proven = _proven(work, operation, members, sources)
    if proven:
        work.put(operation, entry, lists.joined(entry, proven))
        work.decide(operation, True)


def _leave(work: Work, operation: Operation) -> None:
    entry = _list(work, operation)
    if entry is None or (sources := work.named(operation)) is None:
        return
    gone = lists.known_members(entry, operation.members)
    if not gone:
        work.decide(operation, False, "unknown_member")
        return
    if not work.run_limits.approved:
        at = newest(evidence_of(sources))
        if reason := outranked(standing_of(sources), at, entry.standing, entry.last_confirmed):
            work.decide(operation, False, reason)
            return
        named = lists.proven(gone, sources)
        if missing := [member for member in gone if member not in named]:
            work.decide(operation, False, "not_in_its_quotes", ", ".join(missing))
            gone = tuple(member for member in gone if member in named)
    if gone:
        left = lists.without(entry, gone)
        if not left.evidence:
            work.end(operation, entry, EntryStatus.RETIRED)
        else:
            work.put(operation, entry, left)
        work.decide(operation, True)


_APPLY: dict[str, Callable[[Work, Operation], None]] = {
    "add": _add,
    "confirm": _confirm,
    "revise": _revise,
    "merge": _merge,
    "supersede": _supersede,
    "retire": _retire,
    "promote": _promote,
    "join": _join,
    "leave": _leave,
}


def retire_unsupported(
    state: MemoryState, *, now: float | None = None, max_unconfirmed_days: float | None = None
) -> Step:
    """Retire by code what has no evidence left, and what nobody confirmed for too long when that is asked for. A list
    loses the members whose evidence is gone."""
    changed: list[EntryState] = []
    for entry in state.active:
        if not entry.evidence and entry.origin is Origin.SESSION and not entry.locked:
            changed.append(replace(entry, status=EntryStatus.RETIRED, status_reason="evidence_forgotten"))
        elif entry.kind is MemoryKind.LIST and not entry.locked and lists.with_line(entry) != entry:
            changed.append(lists.with_line(entry))
        elif max_unconfirmed_days is not None and now is not None and not entry.locked:
            confirmed = entry.last_confirmed
            if confirmed is not None and now - confirmed > max_unconfirmed_days * 86_400:
                changed.append(replace(entry, status=EntryStatus.RETIRED, status_reason="not_confirmed"))
    retired = [entry for entry in changed if not entry.active]
    decisions = tuple(Decision("retire", entry.id, True, entry.status_reason) for entry in retired)
    return Step(state.put(*changed) if changed else state, decisions)
