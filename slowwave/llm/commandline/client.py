"""Questions put to an agent's command line: bounded, booked, and ended politely when the plan is used up."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel
from sqlalchemy import Engine

from slowwave.errors import ModelDenied, ModelError, ModelRejected, ModelUnavailable, PromptTooLong
from slowwave.llm.base import Prompt, Usage
from slowwave.llm.commandline.agents import Agent, Ask, Told
from slowwave.llm.commandline.process import Ended, child_environment, run
from slowwave.llm.commandline.resets import LOGIN, PLAN, reset_time
from slowwave.llm.endpoint.health import health_of
from slowwave.llm.endpoint.reported import Answered
from slowwave.llm.endpoint.structured import Answer, accept, schema_of, shape_instructions
from slowwave.llm.endpoint.wordings import Meaning, meaning_of
from slowwave.llm.roles import Role
from slowwave.llm.spending.budget import Amount, Budget
from slowwave.llm.spending.call_log import CallLog, Purpose
from slowwave.llm.spending.plausible import Bounds
from slowwave.private import make_private_folder
from slowwave.storage.engine import reading, writing
from slowwave.storage.published.versions import ensure_setting
from slowwave.storage.tables import Setting
from slowwave.text import estimate_tokens

T = TypeVar("T", bound=BaseModel)
REST_PREFIX = "rest:"
TRIES = 2
RETRY_SECONDS = 2.0
FOLDER = "asking"


class CommandLineClient:
    """Asks one agent. Every request is one run in an empty folder below Slowwave's home, which no reader ever mines."""

    def __init__(
        self,
        agent: Agent,
        role: Role,
        budget: Budget,
        call_log: CallLog,
        engine: Engine,
        home: Path,
        env: Mapping[str, str],
    ) -> None:
        self.agent = agent
        self.role = role
        self.health = health_of(call_log.run_id, role)
        self._budget = budget
        self._call_log = call_log
        self._engine = engine
        self._home = home
        self._env = child_environment(env, agent.env)

    async def ask(self, prompt: Prompt, schema: type[T], purpose: Purpose) -> Answer[T]:
        """Ask for an answer of the given shape; one that cannot be used is asked for once more.

        Raises:
            ModelDenied: `plan_limit` (with the time until which the plan is used up), `not_logged_in`, `agent_missing`,
                and what `slowwave.llm.endpoint.wordings` knows of accounts.
            ModelUnavailable, ModelRejected, PromptTooLong, BudgetReached.
        """
        async with self.health.question():
            try:
                answer = await self._asked(prompt, schema, purpose)
            except ModelError as error:
                self.health.settle(error)
                raise
            self.health.settle(None)
        return answer

    async def _asked(self, prompt: Prompt, schema: type[T], purpose: Purpose) -> Answer[T]:
        answered, usage = await self._repeated(prompt, schema, purpose)
        try:
            return Answer(accept(answered, schema), usage)
        except ModelRejected as error:
            if error.reason not in ("empty_answer", "invalid_answer"):
                raise
            complaint = f"\n\nAn earlier answer could not be used: {error}\n{shape_instructions(schema)}"
            answered, more = await self._repeated(Prompt(prompt.system, prompt.user + complaint), schema, purpose)
            return Answer(accept(answered, schema), usage + more)

    async def _repeated(self, prompt: Prompt, schema: type[BaseModel], purpose: Purpose) -> tuple[Answered, Usage]:
        for attempt in range(TRIES):
            try:
                return await self._once(prompt, schema, purpose)
            except ModelUnavailable as error:
                if attempt + 1 == TRIES or error.reason == "timeout":
                    raise
                await asyncio.sleep(RETRY_SECONDS)
        raise AssertionError("unreachable")

    async def _once(self, prompt: Prompt, schema: type[BaseModel], purpose: Purpose) -> tuple[Answered, Usage]:
        await asyncio.to_thread(self._check_rest)
        await self.health.ready(self.role.timeout_seconds)
        bounds = self._bounds(prompt, schema)
        release = await self._budget.reserve(Amount(1, bounds.prompt, bounds.output, 0.0, 0.0))
        try:
            # Released only when the call is in the table: between the two it would count nowhere.
            return await self._booked(prompt, schema, purpose, bounds)
        finally:
            release()

    async def _booked(
        self, prompt: Prompt, schema: type[BaseModel], purpose: Purpose, bounds: Bounds
    ) -> tuple[Answered, Usage]:
        began = time.monotonic()
        try:
            told = await self._run(prompt, schema)
            if told.answered is None:
                raise self._failure(told)
        except asyncio.CancelledError:
            stopped = ModelUnavailable("the run was stopped during the call", reason="cancelled")
            self._call_log.failed(self.role, purpose, stopped, time.monotonic() - began, bounds=bounds)
            raise
        except ModelError as error:
            spent = bounds if error.reason == "timeout" else None
            await asyncio.to_thread(
                self._call_log.failed, self.role, purpose, error, time.monotonic() - began, None, spent
            )
            self.health.note(error)
            raise
        self.health.note(None)
        seconds = time.monotonic() - began
        usage = await asyncio.to_thread(self._call_log.answered, self.role, purpose, told.answered, bounds, seconds)
        return told.answered, usage

    async def _run(self, prompt: Prompt, schema: type[BaseModel]) -> Told:
        with self._folder() as folder:
            ask = Ask(folder, self.role.model, schema_of(schema))
            ask.work.mkdir()
            ask.system.write_text(prompt.system, encoding="utf-8")
            ask.shape.write_text(json.dumps(ask.schema), encoding="utf-8")
            with self._login(folder) as env:
                ended = await run(
                    (self.agent.binary, *self.agent.arguments(ask)),
                    prompt=self._typed(prompt, schema),
                    folder=ask.work,
                    env=env,
                    seconds=self.role.timeout_seconds,
                )
            return self._told(ended, ask)

    @contextmanager
    def _login(self, folder: Path) -> Iterator[Mapping[str, str]]:
        """The environment of a run. Where personal instructions cannot be switched off, the tool gets a settings folder
        that holds only a link to the login; a login that it renewed by replacing the link goes back to its place."""
        login = self.agent.login_file(self._env) if self.agent.own_home else None
        if login is None and (not self.agent.own_home or self._has_other_login()):
            yield self._env
            return
        home = folder / "settings"
        home.mkdir(mode=0o700)
        if login is not None:
            (home / login.name).symlink_to(login.absolute())
        try:
            yield {**self._env, self.agent.login[0][0]: str(home)}
        finally:
            if login is not None and (renewed := home / login.name).is_file() and not renewed.is_symlink():
                kept = login.with_name(f"{login.name}.{uuid.uuid4().hex[:8]}")
                shutil.copy2(renewed, kept)
                kept.replace(login)

    def _has_other_login(self) -> bool:
        """Whether there is a settings folder without the login's file: then the login may be in a keychain."""
        variable, below, _ = self.agent.login[0]
        home = Path(self._env.get("HOME") or Path.home())
        return (Path(self._env.get(variable) or home / below) / "config.toml").is_file()

    def _typed(self, prompt: Prompt, schema: type[BaseModel]) -> str:
        parts = [] if self.agent.takes_system else [prompt.system]
        shape = [] if self.agent.takes_shape else [shape_instructions(schema)]
        return "\n\n".join([*parts, prompt.user, *shape])

    def _told(self, ended: Ended, ask: Ask) -> Told:
        told = self.agent.read(ended.out, ask)
        if told.answered is not None:
            return told
        words = told.trouble.strip() or ended.err.strip()
        return Told(trouble=" ".join(words.split())[-600:] or f"exit code {ended.code}", status=told.status)

    def _bounds(self, prompt: Prompt, schema: type[BaseModel]) -> Bounds:
        text = estimate_tokens(prompt.system) + estimate_tokens(self._typed(prompt, schema))
        return Bounds(text + self.agent.added_tokens, self.role.max_output_tokens)

    @contextmanager
    def _folder(self) -> Iterator[Path]:
        above = make_private_folder(self._home / FOLDER)
        folder = Path(tempfile.mkdtemp(dir=above))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _failure(self, told: Told) -> ModelError:
        """What a run's words mean."""
        words, title = told.trouble, self.agent.title
        if PLAN.search(words):
            return self._rest(words)
        if LOGIN.search(words) or told.status == 401:
            return ModelDenied(
                f"{title} is not logged in ({words})",
                hint=f"Run `{self.agent.binary}` and log in, then run again.",
                reason="not_logged_in",
            )
        meaning = meaning_of(told.status, words)
        if meaning is Meaning.TOO_LONG:
            return PromptTooLong(f"the prompt is too long for {title} ({words})")
        if meaning is Meaning.NO_MODEL:
            hint = "Set models.default.model to one that it offers, or to null."
            return ModelDenied(f"{title} does not offer the model ({words})", hint=hint, reason="not_found")
        if meaning in (Meaning.NO_CREDIT, Meaning.USAGE_LIMIT):
            return self._rest(words)
        if meaning is Meaning.NO_PERMISSION:
            return ModelDenied(f"{title} may not answer ({words})", reason="no_permission")
        return ModelUnavailable(f"{title} gave no answer ({words})", reason="agent_failed")

    def _rest(self, words: str) -> ModelDenied:
        """The plan is used up: nothing more is asked until the time that the tool names, in this run or another."""
        until = reset_time(words, time.time())
        with writing(self._engine) as session:
            row = ensure_setting(session, REST_PREFIX + self.agent.name, {})
            row.value, row.updated_at = {"until": until, "words": words}, time.time()
            session.add(row)
        return self._used_up(until)

    def _check_rest(self) -> None:
        with reading(self._engine) as session:
            row = session.get(Setting, REST_PREFIX + self.agent.name)
            until = float(row.value.get("until", 0.0)) if row is not None else 0.0
        if until > time.time():
            raise self._used_up(until)

    def _used_up(self, until: float) -> ModelDenied:
        when = datetime.fromtimestamp(until).astimezone().strftime("%Y-%m-%d %H:%M")
        return ModelDenied(
            f"the allowance of your {self.agent.title} plan is used up until {when}",
            hint="The rest waits; the next run after that time goes on. No session lost an attempt.",
            reason="plan_limit",
        )
