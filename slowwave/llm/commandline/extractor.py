"""Both stages answered by an agent that a person is logged in to."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import Engine

from slowwave.llm.base import ConsolidateReply, ConsolidateRequest, ExtractReply, ExtractRequest, Prompt
from slowwave.llm.commandline.agents import Agent
from slowwave.llm.commandline.client import CommandLineClient
from slowwave.llm.model_extractor import VERSION, Shield
from slowwave.llm.prompting.rendering import stage_one_prompt, stage_two_prompt
from slowwave.llm.prompting.schemas import StageOneReply, StageTwoReply
from slowwave.llm.roles import Roles
from slowwave.llm.spending.budget import Budget
from slowwave.llm.spending.call_log import CallLog, Purpose


class CommandLineExtractor:
    """The extractor that asks an agent's command line. The roles have the agent's endpoint and the models' names."""

    version = VERSION

    def __init__(
        self,
        agent: Agent,
        roles: Roles,
        budget: Budget,
        engine: Engine,
        run_id: str | None,
        home: Path,
        env: Mapping[str, str],
        prompt_dir: str | None = None,
        shield: Shield | None = None,
        concurrency: int = 4,
    ) -> None:
        call_log = CallLog(engine, run_id)
        role = roles.default
        self.client, self._second = (
            CommandLineClient(agent, one, budget, call_log, engine, home, env) for one in (role, roles.smol)
        )
        self.name = f"{agent.name}:{role.model}" if role.model else agent.name
        self.input_tokens: int | None = role.input_tokens
        self.consolidate_tokens: int | None = role.input_tokens
        self.answer_tokens: int | None = roles.smol.max_output_tokens
        self.prompt_dir = prompt_dir
        self._shield = shield
        self._slots = asyncio.Semaphore(concurrency)

    async def prepare(self) -> None:
        """Nothing to open."""

    async def extract(self, request: ExtractRequest) -> ExtractReply:
        """Stage one for one part of a session. Errors: `CommandLineClient.ask`."""
        prompt = await asyncio.to_thread(self._shielded, stage_one_prompt(request, self.prompt_dir))
        async with self._slots:
            answer = await self.client.ask(prompt, StageOneReply, Purpose("extract", thread_id=request.thread_id))
        return ExtractReply(answer.value, answer.usage)

    async def consolidate(self, request: ConsolidateRequest) -> ConsolidateReply:
        """Stage two for one step. Errors: `CommandLineClient.ask`."""
        prompt = await asyncio.to_thread(self._shielded, stage_two_prompt(request, self.prompt_dir))
        purpose = Purpose("consolidate", project_id=request.project_id)
        async with self._slots:
            answer = await self._second.ask(prompt, StageTwoReply, purpose)
        return ConsolidateReply(answer.value, answer.usage)

    def _shielded(self, prompt: Prompt) -> Prompt:
        if self._shield is None:
            return prompt
        return Prompt(self._shield(prompt.system), self._shield(prompt.user))

    async def aclose(self) -> None:
        """Nothing is open."""
