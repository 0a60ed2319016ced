"""The logic of a conversation, without input and output: generators that yield steps and are sent their results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from anthropic.types import Message

from slowwave.conversation.steps import Call, RunTool
from slowwave.conversation.upkeep import Steps, Upkeep
from slowwave.errors import ModelRejected, PromptTooLong, SlowwaveError
from slowwave.session.history.caching import CacheUse, system_blocks, with_breakpoints
from slowwave.session.history.compression import summary_block
from slowwave.session.history.pruning import tokens_of
from slowwave.session.hosts.transcript import actions_of
from slowwave.session.memory import Planned, text_of
from slowwave.session.redacting import scrub
from slowwave.session.task.drift import Action
from slowwave.session.task.pins import is_substantive
from slowwave.storage.insession.model_work import Work


@dataclass(frozen=True, slots=True)
class Reply:
    """The assistant's answer to one message. `messages` is how many calls it took, `cache` what they read and wrote."""

    text: str
    stop_reason: str | None
    calls: int
    cache: CacheUse
    injected_tokens: int
    reasons: Mapping[str, str] = field(default_factory=dict)


ROUNDS = 40


class _Ended(NamedTuple):
    """The answer to a message and what the assistant did for it."""

    reply: Reply
    actions: tuple[Action, ...]


class Core(Upkeep):
    """One conversation: a turn on top of its upkeep. Not safe for use by two turns at once."""

    def turn(self, content: str | list[dict[str, Any]]) -> Steps[Reply]:
        """One message of the user and all the calls and tools that its answer takes: all of it happens, or nothing.

        However the turn ends without an answer (an error, a cancellation, a closed stream), the conversation is as it
        was before the message, but for a compaction of older turns, which is complete in itself. What the message says
        (pins, facts) is noted when its answer is there. Raises `ModelError`.
        """
        message = {"role": "user", "content": content}
        yield from self.maintain(tokens_of([message]))
        before = (list(self.messages), self.tail, self._known_tokens, self._known_count, self._compactions)
        planned = self.memory.plan([*self.messages, message])
        prepared = planned.prepared
        reasons = dict(prepared.reasons) | ({"memory": prepared.failed} if prepared.failed else {})
        self._turn_start = len(self.messages)
        self.messages, self.tail = prepared.messages, prepared.system_tail or self.tail
        try:
            reply = yield from self._answer(prepared.tokens, reasons)
        except BaseException:
            self._take_back(*before)
            raise
        self._turn_start = None
        self._note_turn(planned, text_of(message), reply, reasons)
        return reply.reply

    def _take_back(
        self, messages: list[dict[str, Any]], tail: str, known: int | None, count: int, compactions: int
    ) -> None:
        start, self._turn_start, self.tail = self._turn_start or 0, None, tail
        if compactions == self._compactions:
            self.messages, self._known_tokens, self._known_count = messages, known, count
        else:
            self.messages, self._known_tokens, self._known_count = self.messages[:start], None, 0

    def _note_turn(self, planned: Planned, typed: str, ended: _Ended, reasons: dict[str, str]) -> None:
        """Note the message and its answer in one transaction. A store that fails costs the memory of this turn only."""
        store = self.memory.store
        try:
            with store.transaction():
                planned.record()
                noted = self.memory.after_turn(
                    ended.reply.text, actions=ended.actions, context_tokens=self._known_tokens
                )
                state = self.memory.state()
                store.update_session(state.key, cursor=self.cursor)
            if self.memory.limits.extract_with_model and is_substantive(typed):
                self.unread.append(
                    Work(
                        0,
                        state.key,
                        state.turn,
                        scrub(typed, typed=True),
                        scrub(ended.reply.text),
                        "",
                    )
                )
        except SlowwaveError as error:
            noted = error.reason
        if noted:
            reasons["after_turn"] = noted

    def _answer(self, injected: int, reasons: dict[str, str]) -> Steps[_Ended]:
        cache, texts, actions = CacheUse(), [], []
        for number in range(ROUNDS):
            if number:
                yield from self.maintain()
            message = yield from self._call_with_room(looping=number > 0)
            cache += self._note(message)
            self.messages.append({"role": "assistant", "content": _blocks(message)})
            self._known_count = len(self.messages)
            texts += [block.text for block in message.content if block.type == "text"]
            calls = [block for block in message.content if block.type == "tool_use"]
            if message.stop_reason != "tool_use" or not calls:
                break
            results = []
            for block in calls:
                raw: object = block.input
                given = raw if isinstance(raw, dict) else {}
                actions += actions_of(block.name, given)
                text, failed = yield RunTool(self.tools.get(block.name), block.name, given)
                results.append(
                    {"type": "tool_result", "tool_use_id": block.id, "content": text or "(empty)", "is_error": failed}
                )
            self.messages.append({"role": "user", "content": results})
        else:
            raise ModelRejected(f"the model used tools {ROUNDS} times without an answer", reason="too_many_rounds")
        reply = Reply("".join(texts), message.stop_reason, number + 1, cache, injected, reasons)
        return _Ended(reply, tuple(actions))

    def _call_with_room(self, *, looping: bool) -> Steps[Message]:
        """Call; when the provider says that the prompt is too long, save, prune, compact and call once more."""
        try:
            answer: Message = yield Call(self._body(looping), True, self.limits.timeout)
        except PromptTooLong:
            yield from self.compact(cause="overflow")
            answer = yield Call(self._body(looping), True, self.limits.timeout)
        return answer

    def _body(self, looping: bool) -> dict[str, Any]:
        tail = "\n\n".join(part for part in (summary_block(self.summary), self.tail) if part)
        messages = self.messages
        if self.cache:
            system = system_blocks(self.system, tail, ttl=self.ttl)
            messages = with_breakpoints(messages, ttl=self.ttl, newest=looping, room=4 - len(system))
        else:
            system = [{"type": "text", "text": text} for text in (self.system, tail) if text]
        body: dict[str, Any] = {"model": self.model, "max_tokens": self.limits.max_tokens, "messages": messages}
        if system:
            body["system"] = system
        if self.tools:
            body["tools"] = [tool.definition() for tool in self.tools.values()]
        return body

    def _note(self, message: Message) -> CacheUse:
        usage = message.usage
        read, written = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
        total = usage.input_tokens + read + written + usage.output_tokens
        # Some servers report nothing; an unknown size is estimated, never taken for zero.
        self._known_tokens = total if total > 0 else None
        use = CacheUse(read, written, usage.input_tokens, 1)
        self.cache_use += use
        return use


def _blocks(message: Message) -> list[dict[str, Any]]:
    """The answer's blocks as they are sent back."""
    blocks: list[dict[str, Any]] = []
    for block in message.content:
        kept = block.model_dump(mode="json", exclude_none=True)
        if kept.get("type") == "text" and not kept.get("text"):
            continue
        blocks.append(kept)
    return blocks or [{"type": "text", "text": "(no answer)"}]
