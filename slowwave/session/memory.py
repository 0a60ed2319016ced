"""`SessionMemory`: the in-session layers around any list of messages, without hooks, without a model.

Messages are plain mappings `{"role": "user" | "assistant", "content": str | list of blocks}` as most SDKs use them.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from slowwave.errors import SlowwaveError
from slowwave.session import render
from slowwave.session.history.trimming import TRIM_HEAD, TRIM_TAIL, trim_history
from slowwave.session.hosts.reply import note_reply
from slowwave.session.hosts.transcript import Look
from slowwave.session.hosts.turn import plan_turn
from slowwave.session.limits import SessionLimits
from slowwave.session.redacting import scrub_prompt
from slowwave.session.task.drift import Action
from slowwave.session.task.pins import Pin
from slowwave.session.task.recap import ledger_hash
from slowwave.session.task.stored_pins import Ledger
from slowwave.storage.insession.store import SessionState, SessionStore
from slowwave.text import estimate_tokens

Message = Mapping[str, Any]
LOCAL_USER = "local"


@dataclass(frozen=True, slots=True)
class Prepared:
    """What to send. `system_tail` belongs at the very end of the system prompt and is the same bytes for an epoch.

    `messages` is a new list: earlier turns trimmed, `injected` put before the last user message. Keep what you sent in
    your history (the default), or keep the original and let the text be given anew each turn. `tokens` counts what was
    added, `reasons` says why, layer by layer; `failed` names what went wrong, and then nothing was added.
    """

    messages: list[dict[str, Any]]
    system_tail: str = ""
    injected: str = ""
    tokens: int = 0
    reasons: Mapping[str, str] = field(default_factory=dict)
    failed: str = ""


def _nothing() -> None:
    """Nothing is to be noted."""


class Planned(NamedTuple):
    """What to send with a message, and what notes the message in the store."""

    prepared: Prepared
    record: Callable[[], None] = _nothing


class SessionMemory:
    """Pins, recap, key facts and trimming for one session. `close` it, or use it as a context manager.

    `store` is an open store or the path of its file; `project_id`, `agent` and `user_id` are the scope of its facts.
    `keep_injected` says that you keep what was sent in your history: then the recap comes when something changed and
    not every turn. Calls may come from several threads; a failure never raises, it is named in the result.
    """

    def __init__(
        self,
        store: SessionStore | Path,
        *,
        session_id: str,
        project_id: str,
        agent: str = "sdk",
        user_id: str = LOCAL_USER,
        limits: SessionLimits | None = None,
        keep_injected: bool = True,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._owned = isinstance(store, Path)
        self.store = SessionStore(store) if isinstance(store, Path) else store
        self.limits = limits or SessionLimits()
        self.keep_injected = keep_injected
        self.clock = clock
        self._scope = {"agent": agent, "session_id": session_id, "project_id": project_id, "user_id": user_id}
        self._lock = threading.Lock()

    def state(self) -> SessionState:
        """The session as stored; its row is created at the first call."""
        return self.store.touch_session(**self._scope, now=self.clock())

    def before_turn(self, messages: Sequence[Message]) -> Prepared:
        """Note the last user message and return what to send. The input is left alone."""
        with self._lock:
            try:
                planned = self._plan(messages)
                planned.record()
            except SlowwaveError as error:
                return _without_memory(messages, error)
            return planned.prepared

    def plan(self, messages: Sequence[Message]) -> Planned:
        """What to send, with nothing written yet: `Planned.record` notes the message once its turn has ended well."""
        with self._lock:
            try:
                return self._plan(messages)
            except SlowwaveError as error:
                return Planned(_without_memory(messages, error))

    def after_turn(self, reply: str, *, actions: Sequence[Action] = (), context_tokens: int | None = None) -> str:
        """Note the assistant's reply and what it did. `context_tokens` is the size of the context if the API told it.

        Returns an empty string, or the reason why nothing was noted.
        """
        with self._lock:
            try:
                state = self.state()
                note_reply(
                    self.store, state, reply, Look(state.cursor, tuple(actions), "", context_tokens), now=self.clock()
                )
            except SlowwaveError as error:
                return error.reason
            return ""

    async def before_turn_async(self, messages: Sequence[Message]) -> Prepared:
        """`before_turn` without blocking the event loop."""
        return await asyncio.to_thread(self.before_turn, messages)

    async def after_turn_async(
        self, reply: str, *, actions: Sequence[Action] = (), context_tokens: int | None = None
    ) -> str:
        """`after_turn` without blocking the event loop."""
        return await asyncio.to_thread(self.after_turn, reply, actions=actions, context_tokens=context_tokens)

    def compacted(self) -> int:
        """The history was compacted or cleared: a new epoch starts, and what was injected is injected again."""
        with self._lock:
            return self.store.new_epoch(self.state().key, compaction=True)

    def close(self) -> None:
        """Close the store if this object opened it."""
        if self._owned:
            self.store.close()

    def __enter__(self) -> SessionMemory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _plan(self, messages: Sequence[Message]) -> Planned:
        place = _last_typed(messages)
        over = self.limits.trim_characters
        sent = trim_history(messages, over=over) if over >= TRIM_HEAD + TRIM_TAIL + 40 else [dict(m) for m in messages]
        state, now = self.state(), self.clock()
        ledger = Ledger(self.store, state.key)
        if place is None:
            tail, keep = self._tail(state, ledger.pins())
            return Planned(Prepared(sent, tail, reasons={"turn": "no_user_message"}), keep)
        prompt = text_of(messages[place])
        clean = scrub_prompt(prompt)
        plan = plan_turn(
            self.store, state, clean, self.limits, tokens=estimate_tokens(prompt), every=not self.keep_injected
        )
        tail, keep = self._tail(state, ledger.after(plan.change))

        def record() -> None:
            plan.record(self.store, now=now)
            keep()

        if plan.text:
            sent[place] = _put_before(sent[place], plan.text)
        reasons = {"pins": "+".join(plan.change.reasons), "recap": plan.recap.reason, "facts": plan.retrieved.reason}
        return Planned(Prepared(sent, tail, plan.text, plan.tokens, reasons), record)

    def _tail(self, state: SessionState, pins: Sequence[Pin]) -> tuple[str, Callable[[], None]]:
        """The pins block of this epoch, frozen at its first turn that has any (later changes come with the recap), and
        what keeps it for the turns that follow."""
        if state.snapshot_epoch == state.epoch:
            return state.snapshot, _nothing
        if not pins:
            return "", _nothing
        block = render.pins_block(pins, limit=self.limits.pin_characters)

        def keep() -> None:
            now = self.state()
            self.store.update_session(
                state.key,
                snapshot=block,
                snapshot_epoch=state.epoch,
                recap_hash=ledger_hash(Ledger(self.store, state.key).pins()),
                recap_epoch=state.epoch,
                recap_at=now.tokens,
                recap_turn=now.turn,
            )

        return block, keep


def _without_memory(messages: Sequence[Message], error: SlowwaveError) -> Prepared:
    return Prepared([dict(message) for message in messages], failed=error.reason)


def text_of(message: Message) -> str:
    """The text of a message; blocks that are no text are left out."""
    content = message["content"]
    if isinstance(content, str):
        return content
    return "\n".join(str(block["text"]) for block in content if block.get("type") == "text")


def _last_typed(messages: Sequence[Message]) -> int | None:
    """Place of the last message if the user typed it; a list that ends with tool results goes on with a turn."""
    if not messages or messages[-1]["role"] != "user":
        return None
    content = messages[-1]["content"]
    if not isinstance(content, str) and any(block.get("type") == "tool_result" for block in content):
        return None
    return len(messages) - 1


def _put_before(message: dict[str, Any], text: str) -> dict[str, Any]:
    content = message["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
    return {**message, "content": [{"type": "text", "text": text}, *blocks]}
