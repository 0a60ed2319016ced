"""The limits of a run, and the state while operations are applied."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from slowwave.llm.prompting.schemas import Operation
from slowwave.memories.consolidation.sources import Source
from slowwave.memories.guardrails import strongest
from slowwave.memories.state.values import Change, Decision, EntryState, EvidenceState, MemoryState
from slowwave.storage.types import EntryStatus

LOSS_FLOOR = 1
REMOVED_BY_PERSON = "removed_by_person"


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Limits of a run. `standing` is how many entries stood when it began, `lost` how many earlier steps gave up.
    `tombstoned` tells whether a text was forgotten by a person. `now` is in seconds since the epoch. `edits` are a
    person's own changes in words. `approved` means that a person decided: nothing is held or weighed."""

    standing: int = 0
    lost: int = 0
    max_loss_share: float = 0.25
    max_skills: int = 20
    taken_skill_names: frozenset[str] = frozenset()
    tombstoned: Callable[[str], bool] = field(default=lambda _hash: False)
    now: float | None = None
    edits: tuple[str, ...] = ()
    approved: bool = False

    @property
    def losses_left(self) -> int:
        """How many standing entries may still be lost."""
        return max(LOSS_FLOOR, math.floor(self.standing * self.max_loss_share)) - self.lost


@dataclass(frozen=True, slots=True)
class Held:
    """An operation that waits for a person, with the memories that it rests on."""

    operation: Operation
    sources: Mapping[str, Source]
    reason: str


@dataclass(slots=True)
class New:
    """An entry that an operation makes, and the numbers of those it replaces; it gets its own number at the end."""

    entry: EntryState
    replaces: list[int] = field(default_factory=list)
    operation: str = "add"


@dataclass(slots=True)
class Work:
    """The state while operations are applied; new entries get their numbers at the end, in order of evidence."""

    state: MemoryState
    sources: Mapping[str, Source]
    run_limits: RunLimits
    losses_left: int
    uses: Mapping[str, int]
    new: list[New] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)

    def decide(self, operation: Operation, accepted: bool, reason: str = "", target: str = "") -> None:
        """Write down what became of an operation, or of one of its entries."""
        target = target or ",".join((*operation.entries, *operation.memories))
        self.decisions.append(Decision(operation.op, target, accepted, reason, memories=tuple(operation.memories)))

    def hold(self, operation: Operation, reason: str, entries: Sequence[EntryState] = ()) -> None:
        """Keep an operation, or the part of it that concerns some entries, for a person to decide."""
        part = operation.model_copy(update={"entries": [entry.id for entry in entries]}) if entries else operation
        named = {name: self.sources[name] for name in part.memories if name in self.sources}
        self.held.append(Held(part, named, reason))
        target = ",".join((*part.entries, *part.memories))
        self.decisions.append(Decision(part.op, target, False, reason, held=True, memories=tuple(part.memories)))

    def named(self, operation: Operation) -> list[Source] | None:
        """The memories of an operation; None, with the reason written down, when it names none or an unknown one."""
        found = [self.sources.get(reference) for reference in dict.fromkeys(operation.memories)]
        if not found or any(source is None for source in found):
            self.decide(operation, False, "unknown_memory" if operation.memories else "no_memory")
            return None
        return [source for source in found if source is not None]

    def entries(self, operation: Operation) -> list[EntryState]:
        """The standing entries that an operation names; the reason is written down for each that does not stand."""
        found: list[EntryState] = []
        for short_id in dict.fromkeys(operation.entries):
            entry = self.state.entry(short_id)
            if entry is not None and entry.active:
                found.append(entry)
            else:
                self.decide(operation, False, "unknown_entry", short_id)
        if not operation.entries:
            self.decide(operation, False, "unknown_entry")
        return found

    def put(self, operation: Operation, before: EntryState, after: EntryState) -> None:
        """Store a changed entry, and what changed in words."""
        self.state = self.state.put(after)
        if _line(before) != _line(after):
            self.changes.append(
                Change(
                    before.number, operation.op, _line(before), _line(after), operation.reason or after.status_reason
                )
            )

    def end(self, operation: Operation, entry: EntryState, status: EntryStatus, by: int | None = None) -> None:
        """End an entry. `by` is the number of the one that takes its place, where it has one already."""
        reason = "superseded" if status is EntryStatus.SUPERSEDED else operation.reason
        self.put(operation, entry, replace(entry, status=status, status_reason=reason, superseded_by=by, pinned=False))

    def spend(self, count: int) -> bool:
        """Take some losses from what the run may lose."""
        if self.run_limits.approved:
            return True
        if self.losses_left < count:
            return False
        self.losses_left -= count
        return True

    def add(self, entry: EntryState, operation: Operation, replaces: Sequence[EntryState] = ()) -> None:
        """Make an entry, or give its evidence to one that says the very same."""
        numbers = [old.number for old in replaces]
        twin = next((known for known in self.state.active if known.hash == entry.hash), None)
        if twin is not None:
            best = strongest((twin.standing, entry.standing))
            self.put(operation, twin, replace(twin.with_evidence(entry.evidence), standing=best))
            self._link(numbers, twin.number)
            return
        made = next((known for known in self.new if known.entry.hash == entry.hash), None)
        if made is None:
            self.new.append(New(entry, numbers, operation.op))
            return
        best = strongest((made.entry.standing, entry.standing))
        made.entry = replace(made.entry.with_evidence(entry.evidence), standing=best)
        made.replaces += numbers

    def _link(self, numbers: Sequence[int], by: int) -> None:
        olds = [replace(old, superseded_by=by) for old in self.state.entries if old.number in numbers]
        self.state = self.state.put(*olds)


def _line(entry: EntryState) -> str:
    if not entry.active:
        return ""
    return f"{entry.text} (when: {entry.situation})" if entry.situation else entry.text


def merged_evidence(entries: Sequence[EntryState]) -> tuple[EvidenceState, ...]:
    """The evidence of several entries."""
    return tuple(piece for entry in entries for piece in entry.evidence)
