"""What a model (or the offline extractor) answers. Wire models: lenient in size, strict in shape.

Everything here is a proposal. `slowwave.memories` checks quotes, roles and budgets in code and trusts none of it.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from slowwave.storage.types import MemoryKind, Outcome, Standing


class Wire(BaseModel):
    """Base of the wire models: unknown keys are refused, as the JSON schema says."""

    model_config = ConfigDict(extra="forbid")


class Quote(Wire):
    """Verbatim words from one item of the session."""

    item: int = Field(description="number of the item that the words stand in")
    quote: str = Field(description="the words, copied exactly, 300 characters at most")


class ProposedMemory(Wire):
    """One durable thing learnt from one session."""

    kind: MemoryKind
    text: str = Field(description="one self-contained sentence or two, in the language of the evidence")
    situation: str = Field(description="when it applies; empty if always")
    standing: Standing
    evidence: list[Quote]


class StageOneReply(Wire):
    """Stage one's answer. No memories is a good answer."""

    outcome: Outcome
    rollout_slug: str = Field(description="two to six lower-case words joined by hyphens")
    rollout_summary: str = Field(description="what was asked, what was done, how it ended; empty if nothing to keep")
    memories: list[ProposedMemory]


class Operation(Wire):
    """One change that stage two proposes.

    `entries` are short ids of standing entries (m12), `memories` are references to candidates (s3.1). `add` needs
    memories; `confirm` and `revise` one entry and memories; `merge` two entries or more; `supersede` one entry,
    memories and the new text; `retire` one entry and a reason; `promote` one entry.
    """

    op: str = Field(
        description="add, confirm, revise, merge, supersede, retire or promote",
        pattern="^(add|confirm|revise|merge|supersede|retire|promote)$",
    )
    entries: list[str]
    memories: list[str]
    kind: MemoryKind | None
    text: str
    situation: str
    reason: str


class ProposedSkill(Wire):
    """A procedure worth a skill folder."""

    name: str = Field(description="lower-case words joined by hyphens, 64 characters at most")
    description: str = Field(description="what it does and when to use it, 1,024 characters at most")
    body: str = Field(description="markdown: when to use, steps, pitfalls, how to verify")
    entries: list[str]
    memories: list[str]


class StageTwoReply(Wire):
    """Stage two's answer. No operations is a good answer."""

    operations: list[Operation]
    skills: list[ProposedSkill]
