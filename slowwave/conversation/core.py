"""The logic of a conversation, without input and output: generators that yield steps and are sent their results."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from anthropic.types import Message

from slowwave.conversation.flushing import flush_body, proposed, save
from slowwave.conversation.steps import Call, Emit, RunTool, Step, Tool
from slowwave.errors import ModelError, ModelRejected, PromptTooLong, SlowwaveError
from slowwave.llm.prompting.templates import render
from slowwave.session import events
from slowwave.session.flushing.policy import FlushDecision, should_flush
from slowwave.session.flushing.shards import Shards
from slowwave.session.history.caching import CacheUse, Ttl, system_blocks, with_breakpoints
from slowwave.session.history.compression import COMPRESS_AT, bounded, cut_for, newest, summary_block, transcript
from slowwave.session.history.pruning import prune, tokens_of
from slowwave.session.hosts.transcript import actions_of
from slowwave.session.memory import SessionMemory
from slowwave.session.redacting import scrub
from slowwave.storage.insession.flushes import Claim, FlushLedger
from slowwave.text import estimate_tokens

T = TypeVar("T")
Steps = Generator[Step, Any, T]
DEFAULT_WINDOW = 200_000
ROUNDS = 40
SHRINKS = 3
SUMMARY_TOKENS = 1500


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes in tokens, times in seconds. The compaction point is the smaller of `compress_at` and what the window, less
    the reserve, leaves; `compaction_trigger` names another one."""

    context_window: int = DEFAULT_WINDOW
    reserve_tokens: int = 20_000
    soft_tokens: int = 4000
    compress_at: int = COMPRESS_AT
    compaction_trigger: int | None = None
    max_tokens: int = 8000
    timeout: float = 600.0
    flush_timeout: float = 60.0

    @property
    def compaction_point(self) -> int:
        """Where this conversation compacts."""
        room = self.context_window - self.reserve_tokens
        return min(self.compaction_trigger or self.compress_at, room)


@dataclass(frozen=True, slots=True)
class Reply:
    """The assistant's answer to one message. `messages` is how many calls it took, `cache` what they read and wrote."""

    text: str
    stop_reason: str | None
    calls: int
    cache: CacheUse
    injected_tokens: int
    reasons: Mapping[str, str] = field(default_factory=dict)


class Core:
    """State and decisions of one conversation. Not safe for use by two turns at once."""

    def __init__(
        self,
        memory: SessionMemory,
        shards: Shards,
        *,
        model: str,
        system: str,
        tools: Sequence[Tool],
        limits: Limits,
        history: Sequence[Mapping[str, Any]] = (),
        utility_model: str | None = None,
        enable_flush: bool = True,
        ttl: Ttl = "5m",
        cache: bool = True,
        prompt_dir: str | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.memory = memory
        self.shards = shards
        self.model = model
        self.utility_model = utility_model or model
        self.system = system
        self.tools = {tool.name: tool for tool in tools}
        self.limits = limits
        self.enable_flush = enable_flush
        self.ttl: Ttl = ttl
        self.cache = cache
        self.prompt_dir = prompt_dir
        self.clock = clock
        self.messages: list[dict[str, Any]] = [dict(message) for message in history]
        self.cache_use = CacheUse()
        self.tail = ""
        self._known_tokens: int | None = None
        self._known_count = 0
        # Counts every message of the session, those too that compactions removed and earlier processes sent.
        self._dropped = max(memory.state().cursor - len(self.messages), 0)

    @property
    def context_tokens(self) -> int:
        """Tokens of the next request: the figure of the last answer and an estimate of what came since."""
        if self._known_tokens is None:
            return tokens_of(self.messages) + estimate_tokens(self.system + self.tail)
        return self._known_tokens + tokens_of(self.messages[self._known_count :])

    @property
    def cursor(self) -> int:
        """How many messages this session has had."""
        return self._dropped + len(self.messages)

    def decision(self) -> FlushDecision:
        """Whether it is time to save memories, with the reason."""
        state = self.memory.state()
        ended = [
            row for row in FlushLedger(self.memory.store).rows(state.key, state.epoch) if row.state in ("done", "empty")
        ]
        return should_flush(
            current_tokens=self.context_tokens,
            context_window=self.limits.context_window,
            reserve_tokens=self.limits.reserve_tokens,
            soft_threshold=self.limits.soft_tokens,
            last_flush_cycle=state.epoch if ended else None,
            cycle=state.epoch,
            compaction_trigger=self.limits.compaction_point,
        )

    def forget(self) -> None:
        """Drop the history; what was flushed stays flushed."""
        self._dropped += len(self.messages)
        self.messages, self.tail = [], ""
        self._known_tokens, self._known_count = None, 0

    def turn(self, content: str | list[dict[str, Any]]) -> Steps[Reply]:
        """One message of the user and all the calls and tools that its answer takes.

        When a call fails, the conversation is as it was before the message. Raises `ModelError`.
        """
        self.messages.append({"role": "user", "content": content})
        yield from self.maintain()
        kept = len(self.messages) - 1
        before = (list(self.messages[:kept]), self._known_tokens, self._known_count)
        prepared = self.memory.before_turn(self.messages)
        self.messages, self.tail = prepared.messages, prepared.system_tail or self.tail
        try:
            reply = yield from self._answer(prepared.tokens, dict(prepared.reasons))
        except ModelError:
            self.messages, self._known_tokens, self._known_count = before
            raise
        return reply

    def _answer(self, injected: int, reasons: dict[str, str]) -> Steps[Reply]:
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
        text = "".join(texts)
        noted = self.memory.after_turn(text, actions=actions, context_tokens=self._known_tokens)
        self.memory.store.update_session(self.memory.state().key, cursor=self.cursor)
        if noted:
            reasons["after_turn"] = noted
        return Reply(text, message.stop_reason, number + 1, cache, injected, reasons)

    def _call_with_room(self, *, looping: bool) -> Steps[Message]:
        """Call; when the provider says that the prompt is too long, save, prune, compact and call once more."""
        try:
            answer: Message = yield Call(self._body(looping), True, self.limits.timeout)
        except PromptTooLong:
            yield from self.compact(cause="overflow")
            answer = yield Call(self._body(looping), True, self.limits.timeout)
        return answer

    def _body(self, looping: bool) -> dict[str, Any]:
        state = self.memory.state()
        tail = "\n\n".join(part for part in (summary_block(state.summary), self.tail) if part)
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

    def maintain(self) -> Steps[None]:
        """Save memories when it is time, compact when it is necessary. A failed save or summary never raises."""
        if self.enable_flush and self.decision():
            yield from self.flush(cause="threshold")
        if self.context_tokens >= self.limits.compaction_point:
            yield from self.compact(cause="compaction")

    def flush(self, *, cause: str) -> Steps[int]:
        """Save what was not saved yet and return how many lines are new; the ledger allows it once for each range."""
        state, now = self.memory.state(), self.clock()
        ledger = FlushLedger(self.memory.store)
        if not self.enable_flush:
            ledger.skip(state.key, epoch=state.epoch, cursor=self.cursor, cause=cause, reason="disabled", now=now)
            return 0
        lease = self.limits.flush_timeout * 2
        claim = ledger.claim(state.key, epoch=state.epoch, cursor=self.cursor, cause=cause, now=now, lease=lease)
        if isinstance(claim, str):
            self.memory.store.decide(state.key, state.turn, "flush", claim, detail=cause, now=now)
            return 0
        yield self._event(events.MemoryFlushStart(cause, now))
        try:
            saved = yield from self._flush(claim)
        except (SlowwaveError, OSError) as error:
            reason = error.reason if isinstance(error, SlowwaveError) else type(error).__name__
            after = ledger.fail(claim, reason, now=self.clock())
            self.memory.store.decide(state.key, state.turn, "flush", f"failed_{reason}", detail=cause, now=now)
            yield self._event(events.MemoryFlushFailed(reason, after, self.clock()))
            return 0
        except GeneratorExit:
            ledger.fail(claim, "aborted", now=self.clock())
            raise
        yield self._event(events.MemoryFlushEnd(saved, self.clock()))
        return saved

    def _flush(self, claim: Claim) -> Steps[int]:
        state = self.memory.state()
        first = max(claim.cursor_from - self._dropped, 0)
        messages = self.messages[first : claim.cursor_to - self._dropped]
        message = yield from self._shrinking(
            lambda room: flush_body(
                messages,
                model=self.utility_model,
                room=room,
                now=self.clock(),
                zone=self.shards.zone,
                prompt_dir=self.prompt_dir,
            )
        )
        entries, refused = proposed(message)
        saved = save(self.shards, entries, refused, messages, now=self.clock())
        new = FlushLedger(self.memory.store).finish_with(
            claim, saved.lines, project_id=state.project_id, turn=state.turn, path=saved.path, now=self.clock()
        )
        said = "saved" if max(new, saved.new) else "nothing_to_save"
        detail = " ".join(
            [*(f"redirected:{path}" for path in saved.redirected), *(f"tool:{n}" for n in saved.refused_tools)]
        )
        self.memory.store.decide(state.key, state.turn, "flush", said, detail=detail, now=self.clock())
        return max(new, saved.new)

    def _shrinking(self, body: Callable[[int], dict[str, Any]]) -> Steps[Message]:
        """Ask with half the window as room; when that is too long (the real window is smaller), with less and less."""
        room = self.limits.context_window // 2
        for _ in range(SHRINKS):
            try:
                first: Message = yield Call(body(room), False, self.limits.flush_timeout)
            except PromptTooLong:
                room //= 4
            else:
                return first
        last: Message = yield Call(body(room), False, self.limits.flush_timeout)
        return last

    def compact(self, *, cause: str) -> Steps[bool]:
        """Flush, then prune tool results, then summarise what is older. Returns whether room was made."""
        if cause != "compaction" or not self._is_saved(cut_for(self.messages)):
            yield from self.flush(cause=cause)
        yield self._event(events.CompactionStart(self.context_tokens, self.clock()))
        target = self.limits.compaction_point // 2
        pruned = prune(self.messages, target_tokens=target)
        if pruned.soft or pruned.hard:
            self.messages, self._known_tokens = pruned.messages, None
            yield self._event(events.ResultsPruned(pruned.soft, pruned.hard, self.clock()))
        summarised = False
        if self.context_tokens >= target or cause == "overflow":
            summarised = yield from self._summarise()
        if summarised or pruned.soft or pruned.hard:
            self.memory.compacted()
            self.tail = ""
        yield self._event(events.CompactionEnd(self.context_tokens, self.clock()))
        return summarised or bool(pruned.soft or pruned.hard)

    def _is_saved(self, cut: int) -> bool:
        """Whether everything that a compaction removes was flushed: what it keeps can wait for the next one."""
        return bool(cut) and FlushLedger(self.memory.store).flushed_to(self.memory.state().key) >= self._dropped + cut

    def _summarise(self) -> Steps[bool]:
        cut = cut_for(self.messages)
        state = self.memory.state()
        if not cut:
            self.memory.store.decide(state.key, state.turn, "compression", "one_turn_only", now=self.clock())
            return False
        old = self.messages[:cut]
        try:
            message = yield from self._shrinking(lambda room: self._summary_body(old, state.summary, room))
            summary = bounded(scrub("".join(block.text for block in message.content if block.type == "text")))
            if message.stop_reason == "refusal" or not summary.strip():
                raise ModelRejected("no summary came back", reason="empty_summary")
        except SlowwaveError as error:
            # The history stays as it is: a placeholder in its place would lose everything.
            self.memory.store.decide(state.key, state.turn, "compression", f"failed_{error.reason}", now=self.clock())
            return False
        # By identity of the prefix: what was appended while the summary was made stays.
        self.messages = self.messages[cut:]
        self._dropped += cut
        self._known_tokens = None
        self.memory.store.update_session(state.key, summary=summary)
        self.memory.store.decide(state.key, state.turn, "compression", "summarised", now=self.clock())
        return True

    def _summary_body(self, old: Sequence[Mapping[str, Any]], summary: str, room: int) -> dict[str, Any]:
        user = render(
            "compression.md",
            self.prompt_dir,
            summary=summary,
            fence=f"conversation-{secrets.token_hex(8)}",
            transcript=newest(scrub(transcript(old)), room),
        )
        return {
            "model": self.utility_model,
            "max_tokens": SUMMARY_TOKENS,
            "system": render("compression_system.md", self.prompt_dir),
            "messages": [{"role": "user", "content": user}],
        }

    def _event(self, event: events.SessionEvent) -> Emit:
        from dataclasses import asdict

        state = self.memory.state()
        detail = {name: value for name, value in asdict(event).items() if name not in ("type", "timestamp")}
        self.memory.store.add_event(
            state.key, project_id=state.project_id, turn=state.turn, type=event.type, detail=detail, now=self.clock()
        )
        return Emit(event)


def memory_files(home: Path, profile: str, zone: str | None) -> Shards:
    """The memory files of a profile."""
    from slowwave.session.flushing.shards import profile_root

    return Shards(profile_root(home, profile), zone=zone)


def _blocks(message: Message) -> list[dict[str, Any]]:
    """The answer's blocks as they are sent back."""
    blocks: list[dict[str, Any]] = []
    for block in message.content:
        kept = block.model_dump(mode="json", exclude_none=True)
        if kept.get("type") == "text" and not kept.get("text"):
            continue
        blocks.append(kept)
    return blocks or [{"type": "text", "text": "(no answer)"}]
