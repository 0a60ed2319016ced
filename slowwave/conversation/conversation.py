"""Conversations on the Anthropic SDK with the in-session layers built in."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Required, TypedDict, TypeVar, Unpack

from anthropic import Anthropic, AsyncAnthropic
from anthropic.types import Message

from slowwave.conversation.core import Core, Reply
from slowwave.conversation.running import run_tool, run_tool_async, within
from slowwave.conversation.steps import Call, RunTool, Tool
from slowwave.conversation.upkeep import DEFAULT_WINDOW, Limits, Steps, memory_files
from slowwave.errors import ConfigError
from slowwave.llm.endpoint.answers import whole_message
from slowwave.llm.endpoint.error_mapping import translate
from slowwave.paths import session_database_file, slowwave_home
from slowwave.session.events import FlushState, SessionEvent
from slowwave.session.flushing.policy import should_flush
from slowwave.session.flushing.shards import profile_of
from slowwave.session.history.caching import CacheUse, Ttl
from slowwave.session.limits import SessionLimits
from slowwave.session.memory import SessionMemory
from slowwave.settings_file import load_settings

OnEvent = Callable[[SessionEvent], None]
OnText = Callable[[str], None]
T = TypeVar("T")


class Options(TypedDict, total=False):
    """What a conversation is given; docs/conversation.md says what each is for. Without `limits` and `layers` those of
    the home's `config.yml` hold."""

    model: Required[str]
    session_id: Required[str]
    project_id: Required[str]
    system: str
    tools: Sequence[Tool]
    home: Path | None
    profile: str | None
    agent: str
    user_id: str
    limits: Limits | None
    layers: SessionLimits | None
    history: Sequence[Mapping[str, Any]]
    utility_model: str | None
    cache: bool
    ttl: Ttl
    prompt_dir: str | None
    on_event: OnEvent | None


class _Base:
    """What both kinds share: the core, the store, events and their state."""

    def __init__(
        self,
        *,
        model: str,
        session_id: str,
        project_id: str,
        system: str = "",
        tools: Sequence[Tool] = (),
        home: Path | None = None,
        profile: str | None = None,
        agent: str = "sdk",
        user_id: str = "local",
        limits: Limits | None = None,
        layers: SessionLimits | None = None,
        history: Sequence[Mapping[str, Any]] = (),
        utility_model: str | None = None,
        cache: bool = True,
        ttl: Ttl = "5m",
        prompt_dir: str | None = None,
        on_event: OnEvent | None = None,
    ) -> None:
        home = slowwave_home() if home is None else home
        layers = layers or _configured(home)
        limits = limits or Limits(
            context_window=layers.context_window or DEFAULT_WINDOW,
            reserve_tokens=layers.reserve_tokens,
            soft_tokens=layers.memory_flush_soft_tokens,
            compress_at=layers.compression_tokens,
            compaction_trigger=layers.compaction_trigger,
        )
        if layers.enable_memory_flush:
            _check(limits)
        self.home = home
        self.flush_state = FlushState()
        self._closed = False
        self._on_event = on_event
        self._memory = SessionMemory(
            session_database_file(home),
            session_id=session_id,
            project_id=project_id,
            agent=agent,
            user_id=user_id,
            limits=layers,
        )
        self._core = Core(
            self._memory,
            memory_files(home, profile or profile_of(agent, project_id), layers.time_zone),
            model=model,
            system=system,
            tools=tools,
            limits=limits,
            history=history,
            utility_model=utility_model,
            enable_flush=layers.enable_memory_flush,
            ttl=ttl,
            cache=cache,
            prompt_dir=prompt_dir,
        )

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The history as it was sent; give it to `history` to go on in another process."""
        return list(self._core.messages)

    @property
    def summary(self) -> str:
        """What compression made of the older part; empty while nothing was compressed."""
        return self._core.summary

    @property
    def memory(self) -> SessionMemory:
        """The layers of this conversation."""
        return self._memory

    @property
    def cache_use(self) -> CacheUse:
        """Prompt tokens read from, written to and past the provider's cache, over all visible calls."""
        return self._core.cache_use

    @property
    def context_tokens(self) -> int:
        """Tokens that stand in the context now, by the provider's last figure and an estimate of what came since."""
        return self._core.context_tokens

    @property
    def fixed_tokens(self) -> int:
        """Those of them that are the system prompt and the tools, by estimate: no compaction makes them fewer."""
        return self._core.fixed_tokens

    def _emit(self, event: SessionEvent) -> None:
        self.flush_state = self.flush_state.after(event)
        if self._on_event is not None:
            self._on_event(event)


def _configured(home: Path) -> SessionLimits:
    """The session's settings of a home. Raises `ConfigError`."""
    return SessionLimits.of(load_settings(home).session.model_dump())


def _check(limits: Limits) -> None:
    point = limits.compaction_point
    at = should_flush(
        current_tokens=0,
        context_window=limits.context_window,
        reserve_tokens=limits.reserve_tokens,
        soft_threshold=limits.soft_tokens,
        cycle=0,
        compaction_trigger=point,
    )
    if at.threshold is None or at.threshold <= 0 or at.threshold >= point:
        raise ConfigError(
            f"the memory flush could never fire before the compaction at {point} tokens",
            hint="Raise the window or the compaction point, or lower the reserve and the soft threshold.",
        )


class _AbandonedError(Exception):
    """Nobody reads the answer any more."""


class Conversation(_Base):
    """A synchronous conversation. `client` is an SDK client of yours; it is not closed here.

    ::

        with Conversation(client, model="claude-haiku-5-5", session_id="thread-42", project_id="shop") as talk:
            print(talk.send("Add a retry policy, never touch the auth code").text)
            talk.maintain()
    """

    def __init__(self, client: Anthropic, **options: Unpack[Options]) -> None:
        super().__init__(**options)
        self._client = client
        self._turn = threading.RLock()

    def send(self, content: str | list[dict[str, Any]]) -> Reply:
        """Send a message and return the answer. Raises `ModelError`; the conversation is then as it was before."""
        with self._turn:
            return self._run(self._core.turn(content), None)

    def stream(self, content: str | list[dict[str, Any]]) -> Iterator[str]:
        """Send a message and yield the answer's text as it comes. Closing the iterator early abandons the turn: the
        conversation is then as it was before, and the next turn waits until it is."""
        texts: queue.SimpleQueue[str | BaseException | None] = queue.SimpleQueue()
        abandoned = threading.Event()

        def say(text: str) -> None:
            if abandoned.is_set():
                raise _AbandonedError
            texts.put(text)

        def work() -> None:
            try:
                with self._turn:
                    self._run(self._core.turn(content), say, abandoned)
                texts.put(None)
            except BaseException as error:  # noqa: BLE001 - handed to the consumer, who raises it
                texts.put(error)

        threading.Thread(target=work, daemon=True).start()
        try:
            while (part := texts.get()) is not None:
                if isinstance(part, BaseException):
                    raise part
                yield part
        finally:
            abandoned.set()

    def maintain(self) -> None:
        """Save memories and compact where due. Call it when nobody waits; otherwise the next `send` does it."""
        with self._turn:
            self._run(self._core.maintain(), None)

    def flush(self, cause: str = "manual") -> int:
        """Save what was not saved yet; return how many lines are new."""
        with self._turn:
            return self._run(self._core.flush(cause=cause), None)

    def compact(self) -> bool:
        """Flush, prune and summarise now; return whether room was made."""
        with self._turn:
            return self._run(self._core.compact(cause="manual"), None)

    def clear(self) -> None:
        """Save, then forget the history. Pins of this session end with it."""
        with self._turn:
            self._run(self._core.flush(cause="clear"), None)
            _clear(self._core)

    def close(self, *, flush: bool = True) -> None:
        """End the session: save what was not saved yet (unless told otherwise), close the store."""
        if self._closed:
            return
        self._closed = True
        try:
            if flush and self._core.messages:
                self.flush("end")
        finally:
            self._memory.close()

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(flush=kind is None)

    def _run(self, steps: Steps[T], on_text: OnText | None, abandoned: threading.Event | None = None) -> T:
        answer: Any = None
        failure: BaseException | None = None
        try:
            while True:
                try:
                    step = steps.throw(failure) if failure is not None else steps.send(answer)
                except StopIteration as end:
                    value: T = end.value
                    return value
                answer, failure = None, None
                if abandoned is not None and abandoned.is_set():
                    raise _AbandonedError
                try:
                    if isinstance(step, Call):
                        answer = self._call(step, on_text)
                    elif isinstance(step, RunTool):
                        answer = run_tool(step)
                    else:
                        self._emit(step.event)
                except _AbandonedError:
                    raise
                except Exception as error:  # noqa: BLE001 - thrown into the logic, which decides
                    failure = error
        finally:
            # Whatever ends this (Ctrl-C above all) ends the logic where it stands, and it takes the turn back.
            steps.close()

    def _call(self, step: Call, on_text: OnText | None) -> Message:
        if not step.visible:
            return within(step.timeout, lambda: self._create(step))
        if on_text is None:
            return self._create(step)
        try:
            with self._client.messages.stream(**step.body, timeout=step.timeout) as stream:
                for text in stream.text_stream:
                    on_text(text)
                return stream.get_final_message()
        except _AbandonedError:
            raise
        except Exception as error:
            raise translate(error) from error

    def _create(self, step: Call) -> Message:
        try:
            return whole_message(self._client.messages.create(**step.body, timeout=step.timeout))
        except Exception as error:
            raise translate(error) from error


class AsyncConversation(_Base):
    """An asynchronous conversation, otherwise the same. Tools may be coroutine functions."""

    def __init__(self, client: AsyncAnthropic, **options: Unpack[Options]) -> None:
        super().__init__(**options)
        self._client = client
        self._turn = asyncio.Lock()

    async def send(self, content: str | list[dict[str, Any]]) -> Reply:
        """Send a message and return the answer. Raises `ModelError`; the conversation is then as it was before."""
        async with self._turn:
            return await self._run(self._core.turn(content), None)

    async def stream(self, content: str | list[dict[str, Any]]) -> AsyncIterator[str]:
        """Send a message and yield the answer's text as it comes. Closing the iterator early abandons the turn."""
        texts: asyncio.Queue[str | None] = asyncio.Queue()

        async def work() -> None:
            try:
                async with self._turn:
                    await self._run(self._core.turn(content), texts.put_nowait)
            finally:
                texts.put_nowait(None)

        task = asyncio.create_task(work())
        try:
            while (part := await texts.get()) is not None:
                yield part
            await task
        finally:
            task.cancel()

    async def maintain(self) -> None:
        """Save memories and compact where due. Start it as a task after a reply; the next `send` waits for it."""
        async with self._turn:
            await self._run(self._core.maintain(), None)

    async def flush(self, cause: str = "manual") -> int:
        """Save what was not saved yet; return how many lines are new."""
        async with self._turn:
            return int(await self._run(self._core.flush(cause=cause), None))

    async def compact(self) -> bool:
        """Flush, prune and summarise now; return whether room was made."""
        async with self._turn:
            return bool(await self._run(self._core.compact(cause="manual"), None))

    async def clear(self) -> None:
        """Save, then forget the history. Pins of this session end with it."""
        async with self._turn:
            await self._run(self._core.flush(cause="clear"), None)
            _clear(self._core)

    async def aclose(self, *, flush: bool = True) -> None:
        """End the session: save what was not saved yet (unless told otherwise), close the store."""
        if self._closed:
            return
        self._closed = True
        try:
            if flush and self._core.messages:
                await self.flush("end")
        finally:
            self._memory.close()

    async def __aenter__(self) -> AsyncConversation:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        await self.aclose(flush=kind is None)

    async def _run(self, steps: Steps[T], on_text: OnText | None) -> T:
        answer: Any = None
        failure: BaseException | None = None
        try:
            while True:
                try:
                    step = steps.throw(failure) if failure is not None else steps.send(answer)
                except StopIteration as end:
                    value: T = end.value
                    return value
                answer, failure = None, None
                try:
                    if isinstance(step, Call):
                        answer = await self._call(step, on_text)
                    elif isinstance(step, RunTool):
                        answer = await run_tool_async(step)
                    else:
                        self._emit(step.event)
                except Exception as error:  # noqa: BLE001 - thrown into the logic, which decides
                    failure = error
        finally:
            steps.close()

    async def _call(self, step: Call, on_text: OnText | None) -> Message:
        try:
            async with asyncio.timeout(step.timeout):
                if on_text is None or not step.visible:
                    return whole_message(await self._client.messages.create(**step.body, timeout=step.timeout))
                async with self._client.messages.stream(**step.body, timeout=step.timeout) as stream:
                    async for text in stream.text_stream:
                        on_text(text)
                    return await stream.get_final_message()
        except Exception as error:
            raise translate(error) from error


def _clear(core: Core) -> None:
    state = core.memory.state()
    store = core.memory.store
    with store.transaction():
        store.close_pins([pin.id for pin in store.pins(state.key)], status="closed", reason="cleared")
        store.update_session(
            state.key, summary="", summarised_to=core.cursor, cursor=core.cursor, snapshot="", snapshot_epoch=-1
        )
        store.new_epoch(state.key, compaction=False)
    core.forget()


__all__ = ["AsyncConversation", "Conversation", "Limits", "Reply", "Tool"]
