"""Extractors that call nobody. A batch splits one call in two: what is asked tonight, and what is answered later."""

from __future__ import annotations

from dataclasses import dataclass, field

from slowwave.llm.base import ConsolidateReply, ConsolidateRequest, ExtractReply, ExtractRequest, Usage
from slowwave.llm.prompting.schemas import StageOneReply, StageTwoReply
from slowwave.storage.types import Outcome


@dataclass(slots=True)
class RecordingExtractor:
    """Keeps what it is asked, so that redaction and fitting run as for a real call; its answers are empty."""

    name: str
    version: int
    input_tokens: int | None
    consolidate_tokens: int | None = None
    requests: list[ExtractRequest] = field(default_factory=list)

    async def prepare(self) -> None:
        """Nothing to open."""

    async def extract(self, request: ExtractRequest) -> ExtractReply:
        """Keep the request."""
        self.requests.append(request)
        return ExtractReply(StageOneReply(outcome=Outcome.UNCERTAIN, rollout_slug="", rollout_summary="", memories=[]))

    async def consolidate(self, request: ConsolidateRequest) -> ConsolidateReply:
        """Answer that there is nothing to do."""
        return ConsolidateReply(StageTwoReply(operations=[], skills=[]))

    async def aclose(self) -> None:
        """Nothing is open."""


@dataclass(slots=True)
class AnsweredExtractor:
    """Has its one stage-one answer already; the session is shown to it whole."""

    reply: StageOneReply
    usage: Usage
    name: str
    version: int
    input_tokens: int | None = None
    consolidate_tokens: int | None = None

    async def prepare(self) -> None:
        """Nothing to open."""

    async def extract(self, request: ExtractRequest) -> ExtractReply:
        """Give the answer."""
        return ExtractReply(self.reply, self.usage)

    async def consolidate(self, request: ConsolidateRequest) -> ConsolidateReply:
        """Answer that there is nothing to do."""
        return ConsolidateReply(StageTwoReply(operations=[], skills=[]))

    async def aclose(self) -> None:
        """Nothing is open."""
