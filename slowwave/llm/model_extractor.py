"""Both stages answered by a model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from anthropic import AsyncAnthropic
from sqlalchemy import Engine

from slowwave.errors import ModelDenied
from slowwave.llm.base import ConsolidateReply, ConsolidateRequest, ExtractReply, ExtractRequest, Prompt
from slowwave.llm.endpoint.batches import BatchClient
from slowwave.llm.endpoint.capabilities import Capabilities
from slowwave.llm.endpoint.client import MOST_CALLS, ModelClient
from slowwave.llm.endpoint.structured import Answer, ask, message_body
from slowwave.llm.prompting.rendering import stage_one_prompt, stage_two_prompt
from slowwave.llm.prompting.salvage import whole_operations
from slowwave.llm.prompting.schemas import StageOneReply, StageTwoReply
from slowwave.llm.roles import Role, Roles
from slowwave.llm.spending.budget import Budget
from slowwave.llm.spending.call_log import CallLog, Purpose

Shield = Callable[[str], str]
"""Removes what must not leave the machine from a prompt's text. Raises `RedactionError` when it cannot vouch for it."""

VERSION = 1
"""Counted up when the same session would be answered better; sessions are then extracted again only on request."""


class ModelExtractor:
    """The extractor that asks a model: role `default` for stage one, `smol` for stage two."""

    version = VERSION

    def __init__(
        self,
        roles: Roles,
        budget: Budget,
        engine: Engine,
        run_id: str | None,
        prompt_dir: str | None = None,
        client: AsyncAnthropic | None = None,
        shield: Shield | None = None,
        concurrency: int = MOST_CALLS,
    ) -> None:
        call_log = CallLog(engine, run_id)
        self.default, self.smol = (
            ModelClient(role, budget, call_log, Capabilities(role, engine), client, concurrency)
            for role in (roles.default, roles.smol)
        )
        self.call_log = call_log
        self.budget = budget
        self.batches = BatchClient(self.default, engine)
        self.name = roles.default.model
        self.input_tokens: int | None = roles.default.input_tokens
        self.consolidate_tokens: int | None = roles.smol.input_tokens
        self.answer_tokens: int | None = roles.smol.max_output_tokens
        self.prompt_dir = prompt_dir
        self._shield = shield

    @property
    def roles(self) -> Sequence[Role]:
        """The roles in use."""
        return (self.default.role, self.smol.role)

    async def prepare(self) -> None:
        """Open the connection that stage one uses."""
        await self.default.prepare()

    async def extract(self, request: ExtractRequest) -> ExtractReply:
        """Stage one for one part of a session. Errors: `slowwave.llm.endpoint.structured.ask`."""
        prompt = await asyncio.to_thread(self._shielded, stage_one_prompt(request, self.prompt_dir))
        answer = await ask(self.default, prompt, StageOneReply, Purpose("extract", thread_id=request.thread_id))
        return ExtractReply(answer.value, answer.usage)

    def batch_body(self, request: ExtractRequest) -> dict[str, Any]:
        """The Messages body of one part of a session, for a batch."""
        prompt = self._shielded(stage_one_prompt(request, self.prompt_dir))
        return message_body(self.default, prompt, StageOneReply, batch=True)

    async def consolidate(self, request: ConsolidateRequest) -> ConsolidateReply:
        """Stage two for one step. A model that the endpoint does not know is replaced by that of role `default`. Of an
        answer that was cut what is whole is used; only a step of one memory is asked about again, with more room."""
        prompt = await asyncio.to_thread(self._shielded, stage_two_prompt(request, self.prompt_dir))
        purpose = Purpose("consolidate", project_id=request.project_id)
        rescue = whole_operations if len(request.candidates) > 1 else None
        answer: Answer[StageTwoReply]
        try:
            answer = await ask(self.smol, prompt, StageTwoReply, purpose, rescue)
        except ModelDenied as error:
            if error.reason != "not_found" or self.smol.role.model == self.default.role.model:
                raise
            answer = await ask(self.default, prompt, StageTwoReply, purpose, rescue)
        return ConsolidateReply(answer.value, answer.usage, answer.cut)

    def _shielded(self, prompt: Prompt) -> Prompt:
        """The exact text passes the secret scan once more: joining clean pieces can make a secret whole."""
        if self._shield is None:
            return prompt
        return Prompt(self._shield(prompt.system), self._shield(prompt.user))

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        await self.default.aclose()
        await self.smol.aclose()
