"""The state of one conversation and its upkeep: when memories are saved and when it is compacted. No input or output:
generators that yield steps and are sent their results."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from anthropic.types import Message

from slowwave.conversation.flushing import flush_body, proposed, save
from slowwave.conversation.steps import Call, Emit, Step, Tool
from slowwave.errors import ModelRejected, PromptTooLong, SlowwaveError, StoreError
from slowwave.llm.endpoint.reported import Answered
from slowwave.llm.endpoint.structured import accept as parse_reply
from slowwave.llm.endpoint.structured import shape_instructions
from slowwave.llm.prompting.templates import render
from slowwave.session import events
from slowwave.session.flushing.policy import FlushDecision, should_flush
from slowwave.session.flushing.shards import Shards
from slowwave.session.history.caching import CacheUse, Ttl
from slowwave.session.history.compression import COMPRESS_AT, bounded, cut_for, newest, transcript
from slowwave.session.history.pruning import prune, tokens_of
from slowwave.session.key_facts.model_extraction import Found, accept, prompts_for
from slowwave.session.memory import SessionMemory
from slowwave.session.redacting import scrub
from slowwave.storage.insession.flushes import Claim, FlushLedger
from slowwave.storage.insession.model_work import Work
from slowwave.text import estimate_tokens

T = TypeVar("T")
Steps = Generator[Step, Any, T]
DEFAULT_WINDOW = 200_000
SHRINKS = 3
SUMMARY_TOKENS = 1500
EXTRACT_TOKENS = 800
LEAST_FREED = 0.2
"""Share of the conversation that a compaction must free to be tried again at once."""


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


class Upkeep:
    """State of one conversation, and what keeps it within its window. Not safe for use by two turns at once."""

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
        self.unread: list[Work] = []
        self.tail = ""
        self._fixed_tokens = estimate_tokens(system) + tokens_of_tools(tools)
        self._known_tokens: int | None = None
        self._known_count = 0
        self._turn_start: int | None = None
        self._compactions = 0
        # Compaction waits until the conversation has grown beyond this.
        self._compact_above = 0
        state = memory.state()
        self.summary = state.summary
        # Counts every message of the session, those too that compactions removed and earlier processes sent.
        self._dropped = max(state.cursor - len(self.messages), 0)
        if (known := state.summarised_to - self._dropped) > 0:
            # A process that died after a compaction never told its caller that these are summarised.
            self.messages, self._dropped = self.messages[known:], state.summarised_to

    @property
    def context_tokens(self) -> int:
        """Tokens of the next request: the figure of the last answer and an estimate of what came since."""
        if self._known_tokens is None:
            return tokens_of(self.messages) + self._fixed_tokens + estimate_tokens(self.tail + self.summary)
        return self._known_tokens + tokens_of(self.messages[self._known_count :])

    @property
    def fixed_tokens(self) -> int:
        """Tokens of the system prompt and the tools by estimate: no compaction makes them fewer."""
        return self._fixed_tokens

    @property
    def conversation_tokens(self) -> int:
        """Tokens of the context that a compaction can work on."""
        return max(self.context_tokens - self._fixed_tokens, 0)

    @property
    def cursor(self) -> int:
        """How many messages this session has had."""
        return self._dropped + len(self.messages)

    @property
    def _settled(self) -> int:
        """How many of them belong to turns that have ended: a turn that fails takes its own back."""
        return self._dropped + (len(self.messages) if self._turn_start is None else self._turn_start)

    def _pressure(self, more: int = 0) -> int:
        """How near the compaction is, on a scale where `compaction_point` is the point: the conversation alone against
        the size at which it is compressed, the whole context against the window. `more` tokens are to be added."""
        point = self.limits.compaction_point
        wanted = self.limits.compaction_trigger or self.limits.compress_at
        room = self.limits.context_window - self.limits.reserve_tokens
        return point + max(self.conversation_tokens - wanted, self.context_tokens - room) + more

    def decision(self, more: int = 0) -> FlushDecision:
        """Whether it is time to save memories, with the reason. `more` tokens are about to be added.

        Raises:
            StoreError: the ledger cannot be read.
        """
        state = self.memory.state()
        ended = [
            row for row in FlushLedger(self.memory.store).rows(state.key, state.epoch) if row.state in ("done", "empty")
        ]
        return should_flush(
            current_tokens=self._pressure(more),
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
        self.messages, self.tail, self.summary = [], "", ""
        self._known_tokens, self._known_count, self._compact_above = None, 0, 0

    def maintain(self, more: int = 0) -> Steps[None]:
        """Save memories when it is time, compact when it is necessary. A failed save or summary, or a store that cannot
        be used, never raises. `more` tokens are about to be added."""
        try:
            yield from self._look_at_turns()
            if self.enable_flush and self.decision(more):
                yield from self.flush(cause="threshold")
            due = self._pressure(more) >= self.limits.compaction_point
            if due and self.conversation_tokens + more >= self._compact_above:
                yield from self.compact(cause="compaction", more=more)
        except StoreError as error:
            yield Emit(events.MemoryFlushFailed(error.reason, "store", self.clock()))

    def _look_at_turns(self) -> Steps[None]:
        """Let the cheap model look for pins and facts in turns that have ended, where the settings ask for it."""
        while self.unread:
            work = self.unread.pop(0)
            system, user = prompts_for(work, self.prompt_dir)
            body = {
                "model": self.utility_model,
                "max_tokens": EXTRACT_TOKENS,
                "system": f"{system}\n\n{shape_instructions(Found)}",
                "messages": [{"role": "user", "content": user}],
            }
            try:
                message: Message = yield Call(body, False, self.limits.flush_timeout)
                text = "".join(block.text for block in message.content if block.type == "text")
                found = parse_reply(Answered(text, stop_reason=message.stop_reason), Found)
                accept(self.memory.store, work, found, now=self.clock())
            except SlowwaveError as error:
                self.memory.store.decide(work.session, work.turn, "model", f"failed_{error.reason}", now=self.clock())

    def flush(self, *, cause: str) -> Steps[int]:
        """Save what was not saved yet and return how many lines are new; the ledger allows it once for each range. A
        store that cannot be used is an event, no error: the range is saved the next time."""
        try:
            return (yield from self._claim_and_flush(cause))
        except StoreError as error:
            yield Emit(events.MemoryFlushFailed(error.reason, "store", self.clock()))
            return 0

    def _claim_and_flush(self, cause: str) -> Steps[int]:
        state, now = self.memory.state(), self.clock()
        ledger = FlushLedger(self.memory.store)
        if not self.enable_flush:
            ledger.skip(state.key, epoch=state.epoch, cursor=self._settled, cause=cause, reason="disabled", now=now)
            return 0
        lease = self.limits.flush_timeout * 2
        claim = ledger.claim(state.key, epoch=state.epoch, cursor=self._settled, cause=cause, now=now, lease=lease)
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
        except BaseException:
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

    def compact(self, *, cause: str, more: int = 0) -> Steps[bool]:
        """Flush, then prune tool results, then summarise what is older. Returns whether room was made. `more`
        tokens are about to be added."""
        if cause != "compaction" or not self._is_saved(cut_for(self.messages)):
            yield from self.flush(cause=cause)
        size = self.conversation_tokens
        yield self._event(events.CompactionStart(self.context_tokens, self.clock()))
        target = self.limits.compaction_point // 2
        pruned = prune(self.messages, target_tokens=target)
        if pruned.soft or pruned.hard:
            self.messages, self._known_tokens = pruned.messages, None
            self._compactions += 1
            yield self._event(events.ResultsPruned(pruned.soft, pruned.hard, self.clock()))
        summarised = False
        if self.conversation_tokens + more >= target or cause == "overflow":
            summarised = yield from self._summarise()
        made_room = summarised or bool(pruned.soft or pruned.hard)
        if made_room:
            self.memory.compacted()
            self.tail = self.tail if self._turn_start is not None else ""
        self._back_off(size)
        yield self._event(events.CompactionEnd(self.context_tokens, self.clock()))
        return made_room

    def _back_off(self, before: int) -> None:
        """After a compaction that freed little (or a summary that failed) wait until there is something to gain."""
        after, state = self.conversation_tokens, self.memory.state()
        self._compact_above = 0
        if after > before * (1 - LEAST_FREED):
            self._compact_above = after + max(int(self.limits.compaction_point * LEAST_FREED), 1)
            freed = f"{before} -> {after} tokens of conversation, {self._fixed_tokens} of system prompt and tools"
            self.memory.store.decide(
                state.key, state.turn, "compression", "little_room", detail=freed, now=self.clock()
            )

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
            message = yield from self._shrinking(lambda room: self._summary_body(old, self.summary, room))
            summary = bounded(scrub("".join(block.text for block in message.content if block.type == "text")))
            if message.stop_reason == "refusal" or not summary.strip():
                raise ModelRejected("no summary came back", reason="empty_summary")
        except SlowwaveError as error:
            # The history stays as it is: a placeholder in its place would lose everything.
            self.memory.store.decide(state.key, state.turn, "compression", f"failed_{error.reason}", now=self.clock())
            return False
        # The store first: when it fails, nothing has changed. Together, so that no crash leaves text in both.
        self.memory.store.update_session(state.key, summary=summary, summarised_to=self._dropped + cut)
        self.messages, self.summary = self.messages[cut:], summary
        self._dropped += cut
        self._compactions += 1
        if self._turn_start is not None:
            self._turn_start -= cut
        self._known_tokens = None
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


def tokens_of_tools(tools: Sequence[Tool]) -> int:
    """Estimated tokens of tool definitions."""
    return estimate_tokens(json.dumps([tool.definition() for tool in tools])) if tools else 0


def memory_files(home: Path, profile: str, zone: str | None) -> Shards:
    """The memory files of a profile."""
    from slowwave.session.flushing.shards import profile_root

    return Shards(profile_root(home, profile), zone=zone)
