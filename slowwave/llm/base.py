"""The one interface between the pipeline and whatever extracts: a model or the offline extractor."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from slowwave.llm.prompting.schemas import StageOneReply, StageTwoReply
from slowwave.rollouts.model import Item


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked: a system text that stays the same from call to call, and a user text."""

    system: str
    user: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call or of several added up. None means that the endpoint did not say."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_write_tokens: int = 0
    cache_read_tokens: int = 0
    cost: float | None = 0.0

    def __add__(self, other: Usage) -> Usage:
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            cost,
        )


@dataclass(frozen=True, slots=True)
class ExtractRequest:
    """One part of one session, already redacted and fitted.

    `items` are whole items in order; `gaps` maps the index of an item to how many items were left out just before it
    (the key -1 is what was left out at the end). `part` counts from 1 to `parts`. `notes` is the checked answer of the
    earlier parts, None in the first. `signals` are indexes of items where the session's own layers saw a correction or
    a drift: places to look first.
    """

    thread_id: str
    agent: str
    project: str
    items: tuple[Item, ...]
    gaps: dict[int, int] = field(default_factory=dict)
    cwd: str = ""
    branch: str = ""
    started: str = ""
    ended: str = ""
    part: int = 1
    parts: int = 1
    notes: StageOneReply | None = None
    signals: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class StandingEntry:
    """An entry as stage two sees it. `locked` text (pinned, or edited by a person) must not be touched. `members` are
    those of a list."""

    id: str
    kind: str
    text: str
    situation: str
    standing: str
    confirmations: int
    last_confirmed: str
    locked: bool = False
    members: tuple[str, ...] = ()
    scope: str = ""


@dataclass(frozen=True, slots=True)
class CandidateView:
    """A checked memory of one session as stage two sees it. `id` is `s<n>.<m>`: session n of this call, memory m."""

    id: str
    thread_id: str
    kind: str
    text: str
    situation: str
    standing: str
    quotes: tuple[str, ...]
    date: str
    members: tuple[str, ...] = ()
    scope: str = ""


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session's short summary as stage two sees it. `number` is the n of its candidates' ids."""

    number: int
    thread_id: str
    title: str
    outcome: str
    date: str
    summary: str


@dataclass(frozen=True, slots=True)
class ConsolidateRequest:
    """One step of a consolidation: what stands, what is new, and what a person changed.

    `waiting` are memories of earlier nights that no entry rests on and that may matter now; their ids are `w1`, `w2`.
    `today` is the date of the run where the user is (2026-11-01).
    """

    project: str
    project_id: str
    entries: tuple[StandingEntry, ...]
    candidates: tuple[CandidateView, ...]
    sessions: tuple[SessionView, ...]
    edits: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    skills: tuple[tuple[str, str], ...] = ()
    step: int = 1
    steps: int = 1
    waiting: tuple[CandidateView, ...] = ()
    today: str = ""


@dataclass(frozen=True, slots=True)
class ExtractReply:
    """A stage-one answer and what it cost."""

    reply: StageOneReply
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class ConsolidateReply:
    """A stage-two answer and what it cost. `cut` tells that the answer ended at the output limit: what it says of the
    memories that it names counts, the others have to be asked about again."""

    reply: StageTwoReply
    usage: Usage = Usage()
    cut: bool = False


class Extractor(Protocol):
    """What answers both stages.

    `name` is shown to the user and stored with each output (`offline`, or a model id). `version` is an integer that
    changes when the same session would give other answers for the better. `input_tokens` is how much of a session one
    call can take (None: no limit) and `consolidate_tokens` the same for stage two; `answer_tokens` is how long an
    answer of stage two may be.

    Errors: `ModelUnavailable`, `ModelRejected`, `PromptTooLong`, `ModelDenied`, `BudgetReached`, `ConsentRequired`.
    """

    name: str
    version: int
    input_tokens: int | None
    consolidate_tokens: int | None
    answer_tokens: int | None

    async def prepare(self) -> None:
        """Open what the first call needs, before anything is claimed for it."""
        ...

    async def extract(self, request: ExtractRequest) -> ExtractReply:
        """Stage one for one part of a session."""
        ...

    async def consolidate(self, request: ConsolidateRequest) -> ConsolidateReply:
        """Stage two for one step of one project."""
        ...

    async def aclose(self) -> None:
        """Close connections."""
        ...
