"""What a model (or the offline extractor) answers. Wire models: lenient in size, strict in shape.

Everything here is a proposal. `slowwave.memories` checks quotes, roles and budgets in code and trusts none of it.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from slowwave.storage.types import MemoryKind, Outcome, Scope, Standing


class Wire(BaseModel):
    """Base of the wire models: unknown keys are refused, as the JSON schema says."""

    model_config = ConfigDict(extra="forbid")


class Quote(Wire):
    """Verbatim words from one item of the session."""

    item: int = Field(description="number of the item that the words stand in")
    quote: str = Field(description="the words, copied exactly, 300 characters at most")


class ProposedMemory(Wire):
    """One durable thing learnt from one session. `members` are those of a list, and `text` is then its name."""

    kind: MemoryKind
    text: str = Field(description="one self-contained sentence or two, in the language of the evidence")
    situation: str = Field(default="", description="when it applies; empty if always")
    standing: Standing
    scope: Scope = Scope.PROJECT
    members: list[str] = Field(default_factory=list, description="kind list: what belongs to it; otherwise empty")
    evidence: list[Quote]


class OpenPoint(Wire):
    """Something that the session left open, or that comes next."""

    text: str = Field(description="one short sentence")
    evidence: list[Quote]


class StageOneReply(Wire):
    """Stage one's answer. No memories is a good answer."""

    outcome: Outcome
    rollout_slug: str = Field(description="two to six lower-case words joined by hyphens")
    rollout_summary: str = Field(description="what was asked, what was done, how it ended")
    memories: list[ProposedMemory]
    open_work: list[OpenPoint] = Field(default_factory=list, description="what stayed open or comes next; usually none")


class Operation(Wire):
    """One change that stage two proposes.

    `entries` are short ids of standing entries (m12), `memories` references to candidates (s3.1, w2); one memory may
    stand in several operations. `add` needs memories; `confirm` one entry and memories; `revise` and `supersede` one
    entry or more, memories and the new text; `merge` two entries or more; `retire` one entry or more and a reason;
    `promote` one entry; `join` and `leave` a list and its members. An empty `text` keeps the memory's own words.
    `situation` null leaves it as it is, "" means always.
    """

    op: Literal["add", "confirm", "revise", "merge", "supersede", "retire", "promote", "join", "leave"]
    entries: list[str] = Field(default_factory=list)
    memories: list[str] = Field(default_factory=list)
    kind: MemoryKind | None = None
    text: str = ""
    situation: str | None = None
    reason: str = ""
    members: list[str] = Field(default_factory=list)


class ProposedSkill(Wire):
    """A procedure worth a skill folder."""

    name: str = Field(description="lower-case words joined by hyphens, 64 characters at most")
    description: str = Field(description="what it does and when to use it, 1,024 characters at most")
    body: str = Field(description="markdown: when to use, steps, pitfalls, how to verify")
    entries: list[str]
    memories: list[str]


class StageTwoReply(Wire):
    """Stage two's answer. No operations is a good answer."""

    operations: list[Operation] = Field(default_factory=list)
    skills: list[ProposedSkill] = Field(default_factory=list)
