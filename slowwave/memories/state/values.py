"""A project's memory as plain values: entries, skills and notes. Stage two is a function from one state to the next."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from slowwave.memories.text import text_hash
from slowwave.storage.types import EntryStatus, MemoryKind, Origin, Scope, Standing


@dataclass(frozen=True, slots=True)
class EvidenceState:
    """A stored quote. `thread_id` is None when a person wrote or edited the line; `at` is when it was observed. In a
    list it supports one `member`."""

    quote: str
    quote_hash: str
    thread_id: str | None = None
    session_id: str = ""
    agent: str = ""
    item: int = 0
    uid: str | None = None
    item_kind: str = ""
    origin: str = Origin.SESSION
    at: float | None = None
    member: str = ""

    @property
    def key(self) -> tuple[str | None, int, str]:
        """What makes two pieces of evidence the same."""
        return (self.thread_id, self.item, self.quote_hash)

    @property
    def order(self) -> tuple[float, str, int, str]:
        """Oldest first, then by session and item: the order in which ids are given."""
        return (self.at or 0.0, self.thread_id or "", self.item, self.quote_hash)


@dataclass(frozen=True, slots=True)
class EntryState:
    """One remembered line; see `slowwave.storage.tables.Entry`."""

    number: int
    kind: MemoryKind
    text: str
    standing: Standing
    situation: str = ""
    status: EntryStatus = EntryStatus.ACTIVE
    status_reason: str = ""
    origin: Origin = Origin.SESSION
    pinned: bool = False
    hand_edited: bool = False
    verbatim: str = ""
    summary_hidden: bool = False
    superseded_by: int | None = None
    promoted_from: str | None = None
    scope: Scope = Scope.PROJECT
    helped: int = 0
    wrong: int = 0
    used: int = 0
    evidence: tuple[EvidenceState, ...] = ()

    @property
    def id(self) -> str:
        """Short id as it stands in MEMORY.md."""
        return f"m{self.number}"

    @property
    def active(self) -> bool:
        """Whether the entry is rendered."""
        return self.status is EntryStatus.ACTIVE

    @property
    def locked(self) -> bool:
        """Whether a person's word stands in the way of any rewriting."""
        return self.pinned or self.hand_edited

    @property
    def hash(self) -> str:
        """Identity of the text."""
        return text_hash(self.text)

    @property
    def from_person(self) -> bool:
        """Whether a person wrote, pinned or remembered it: what would end or rewrite it waits for a person."""
        return self.locked or self.origin in (Origin.USER, Origin.EDIT)

    @property
    def sessions(self) -> frozenset[str]:
        """Distinct events that support the entry. The same record copied into a forked log counts once."""
        return frozenset(self._event(piece) for piece in self.evidence)

    @staticmethod
    def _event(piece: EvidenceState) -> str:
        return piece.thread_id or f"{piece.origin}:{piece.quote_hash}"

    @property
    def confirmations(self) -> int:
        """How many sessions or acts of a person support the entry; forks that copy a record are not counted twice."""
        by_uid: dict[str, str] = {}
        events: set[str] = set()
        for piece in sorted(self.evidence, key=lambda piece: piece.order):
            event = self._event(piece)
            events.add(by_uid.setdefault(piece.uid, event) if piece.uid else event)
        return len(events)

    @property
    def first_seen(self) -> float | None:
        """Time of the oldest evidence."""
        return min((piece.at for piece in self.evidence if piece.at is not None), default=None)

    @property
    def last_confirmed(self) -> float | None:
        """Time of the newest evidence."""
        return max((piece.at for piece in self.evidence if piece.at is not None), default=None)

    def with_evidence(self, pieces: tuple[EvidenceState, ...]) -> EntryState:
        """The entry with more evidence, each piece once, in stable order."""
        known = {piece.key: piece for piece in (*self.evidence, *pieces)}
        return replace(self, evidence=tuple(sorted(known.values(), key=lambda piece: piece.order)))


@dataclass(frozen=True, slots=True)
class SkillState:
    """A generated procedure. `verbatim` is a person's own SKILL.md, which no run touches."""

    name: str
    description: str
    body: str
    entries: tuple[int, ...] = ()
    status: EntryStatus = EntryStatus.ACTIVE
    hand_edited: bool = False
    verbatim: str = ""
    used: int = 0


@dataclass(frozen=True, slots=True)
class NoteState:
    """Lines a person wrote into a published file. `anchor` is the heading or entry id that they follow."""

    path: str
    anchor: str
    position: int
    text: str


@dataclass(frozen=True, slots=True)
class MemoryState:
    """Everything that is rendered, and everything retired that explains why it is not."""

    entries: tuple[EntryState, ...] = ()
    skills: tuple[SkillState, ...] = ()
    notes: tuple[NoteState, ...] = ()
    next_number: int = 1

    @property
    def active(self) -> tuple[EntryState, ...]:
        """Entries that stand."""
        return tuple(entry for entry in self.entries if entry.active)

    def entry(self, short_id: str) -> EntryState | None:
        """Look an entry up by `m12`."""
        return next((entry for entry in self.entries if entry.id == short_id), None)

    def put(self, *changed: EntryState) -> MemoryState:
        """Replace entries by number, or append new ones."""
        by_number = {entry.number: entry for entry in self.entries} | {entry.number: entry for entry in changed}
        highest = max((*by_number, self.next_number - 1))
        return replace(
            self,
            entries=tuple(by_number[number] for number in sorted(by_number)),
            next_number=max(self.next_number, highest + 1),
        )

    def put_skill(self, skill: SkillState) -> MemoryState:
        """Replace or add a skill by name."""
        others = [known for known in self.skills if known.name != skill.name]
        return replace(self, skills=tuple(sorted([*others, skill], key=lambda known: known.name)))


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one proposed operation, and why: kept for `slowwave why` and the run's report. `held` means that
    it waits for a person. `memories` are the references of the memories it names."""

    operation: str
    target: str
    accepted: bool
    reason: str = ""
    held: bool = False
    memories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to one entry: its line before and after (empty where there is none) and why."""

    number: int
    operation: str
    before: str
    after: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A new state and the decisions that led to it."""

    state: MemoryState
    decisions: tuple[Decision, ...] = field(default_factory=tuple)


def dump_state(state: MemoryState) -> bytes:
    """Compressed JSON of a state, the same bytes for the same state."""
    return zlib.compress(json.dumps(asdict(state), sort_keys=True, ensure_ascii=False).encode(), 6)


def load_state(data: bytes) -> MemoryState:
    """The inverse of `dump_state`."""
    raw: dict[str, Any] = json.loads(zlib.decompress(data))
    return MemoryState(
        entries=tuple(_entry(entry) for entry in raw["entries"]),
        skills=tuple(
            SkillState(**{**skill, "entries": tuple(skill["entries"]), "status": EntryStatus(skill["status"])})
            for skill in raw["skills"]
        ),
        notes=tuple(NoteState(**note) for note in raw["notes"]),
        next_number=int(raw["next_number"]),
    )


def _entry(raw: dict[str, Any]) -> EntryState:
    return EntryState(
        **{
            **raw,
            "kind": MemoryKind(raw["kind"]),
            "standing": Standing(raw["standing"]),
            "status": EntryStatus(raw["status"]),
            "origin": Origin(raw["origin"]),
            "scope": Scope(raw.get("scope", Scope.PROJECT)),
            "evidence": tuple(EvidenceState(**piece) for piece in raw["evidence"]),
        }
    )


def by_kind(state: MemoryState) -> Iterator[tuple[MemoryKind, tuple[EntryState, ...]]]:
    """Active entries by section, in the order of the sections."""
    for kind in MemoryKind:
        entries = tuple(entry for entry in state.active if entry.kind is kind)
        if entries:
            yield kind, entries
