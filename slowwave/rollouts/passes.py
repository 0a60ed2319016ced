"""One streaming pass over a log: what every reader feeds, and what turns it into items and facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import PurePath

from slowwave.rollouts.model import (
    ASSISTANT_TEXT,
    CONTEXT,
    SUMMARY,
    TOOL_CALL,
    TOOL_RESULT,
    USER_TEXT,
    Item,
    ItemKind,
    LogFile,
    Role,
    SessionFacts,
)
from slowwave.storage.types import SessionKind
from slowwave.text.authors import Authorship, is_automation, is_own_prompt
from slowwave.text.shown.register import habit_of
from slowwave.text.typed import Span, said_of, shown_spans
from slowwave.text.withheld import without_withheld

_CLOCK_SKEW = timedelta(hours=48)
_REMEMBERED = 40
_PREFIX = {kind: kind.value.encode() + b" %d\n" for kind in ItemKind}


def items_within(items: Iterable[Item], content_hash: str) -> int | None:
    """How many of a session's items an earlier content hash covers, counted from the first; None if it is of another
    text. A log that only grew still begins with what was read of it."""
    digest = sha256()
    for count, item in enumerate(items, 1):
        data = item.text.encode("utf-8", "replace")
        digest.update(_PREFIX[item.kind] % len(data))
        digest.update(data)
        if digest.hexdigest() == content_hash:
            return count
    return None


_KIND_ROLE = {
    USER_TEXT: Role.USER,
    ASSISTANT_TEXT: Role.ASSISTANT,
    TOOL_CALL: Role.ASSISTANT,
    TOOL_RESULT: Role.TOOL,
    SUMMARY: Role.ASSISTANT,
    CONTEXT: Role.USER,
}


class _Draft:
    """An item before it is handed on. A frozen data class takes four times as long through its own `__init__`; a draft
    has the same slots, so that it turns into an item by its class alone."""

    __slots__ = tuple(field.name for field in fields(Item))

    def __init__(
        self,
        index: int,
        role: Role,
        kind: ItemKind,
        text: str,
        turn: int,
        time: datetime | None,
        tool: str | None,
        call_id: str | None,
        exit_status: int | None,
        failed: bool | None,
        uid: str | None,
        cwd: str | None,
        shown: tuple[Span, ...] | None,
        channel: str | None,
        sender: str | None,
    ) -> None:
        self.index = index
        self.role = role
        self.kind = kind
        self.text = text
        self.turn = turn
        self.time = time
        self.tool = tool
        self.call_id = call_id
        self.exit_status = exit_status
        self.failed = failed
        self.final = False
        self.uid = uid
        self.cwd = cwd
        self.shown = shown
        self.channel = channel
        self.sender = sender


class LogPass:
    """State of one pass. A reader calls `add`, `drop`, `unknown` and `undo_*`; the base reader hands the items on.

    A pass either builds items or, with `hashing`, only facts. What is rolled back is known at the end only: the hash of
    a log that has such items takes a second pass, with `gone` given.
    A pass that builds items comes after the scan: what only facts need (links, folders, branches) it leaves undone.
    """

    def __init__(self, log: LogFile, session_id: str) -> None:
        self.log = log
        self.hashing = False
        self.gone: frozenset[int] = frozenset()
        self.facts = SessionFacts(agent=log.agent, session_id=session_id, kind=SessionKind.INTERACTIVE, content_hash="")
        self.cwd: str | None = None
        self.turn = 0
        self.ready: list[Item] = []
        self.first_prompt: str | None = None
        self._held: _Draft | None = None
        self._hash = sha256()
        self._kinds: list[ItemKind] = []
        self._said: list[str] = []
        self._prompts: list[tuple[int, str | None]] = []
        self._live_turns: list[tuple[int, int]] = []
        self._turn_times: dict[int, datetime | None] = {}
        self._turn_is_open = False
        self._seen: set[int] = set()
        self._undone: set[int] = set()
        self._newest_allowed = datetime.now(UTC) + _CLOCK_SKEW

    @property
    def next_index(self) -> int:
        """Index that the next item gets."""
        return len(self._kinds)

    def add(
        self,
        kind: ItemKind,
        text: str,
        *,
        role: Role | None = None,
        time: datetime | None = None,
        tool: str | None = None,
        call_id: str | None = None,
        exit_status: int | None = None,
        failed: bool | None = None,
        uid: str | None = None,
        channel: str | None = None,
        sender: str | None = None,
    ) -> None:
        """Append an item. Texts without content are counted, not added; results and calls may be empty."""
        if "\0" in text:
            text = text.replace("\0", "")
        text = without_withheld(text, typed=kind is USER_TEXT)
        if (not text or text.isspace()) and kind not in (TOOL_RESULT, TOOL_CALL):
            self.drop("empty")
            return
        if kind is USER_TEXT:
            self._start_turn(text, time)
        kinds = self._kinds
        index = len(kinds)
        kinds.append(kind)
        if self.hashing:
            if time is not None:
                facts = self.facts
                last = facts.last_activity
                if last is None or not last <= time <= self._newest_allowed:
                    self.touch(time)
                else:
                    facts.last_activity = time
            if not self.gone or index not in self.gone:
                data = text.encode("utf-8", "replace")
                self._hash.update(_PREFIX[kind] % len(data))
                self._hash.update(data)
            return
        if time is not None and time > self._newest_allowed:
            time = None
        if self._held is not None:
            self._hand_on(self._held, final=kind is USER_TEXT)
            self._held = None
        role = role or _KIND_ROLE[kind]
        shown = self._shown(text) if kind is USER_TEXT else None
        draft = _Draft(
            index,
            role,
            kind,
            text,
            self.turn,
            time,
            tool,
            call_id,
            exit_status,
            failed,
            uid,
            self.cwd,
            shown,
            channel,
            sender,
        )
        if kind is ASSISTANT_TEXT:
            self._held = draft
        else:
            draft.__class__ = Item  # type: ignore[assignment]
            self.ready.append(draft)  # type: ignore[arg-type]

    def add_authored(
        self, parts: Authorship, *, time: datetime | None = None, uid: str | None = None, count: bool = True
    ) -> None:
        """Append what a user-role text holds: context first, then the person's words; count what is left out."""
        if count:
            for reason in parts.dropped:
                self.drop(reason)
        if parts.context:
            self.note_prompt(parts.context)
            self.add(CONTEXT, parts.context, time=time, uid=uid)
        if parts.typed:
            self.add(USER_TEXT, parts.typed, time=time, uid=uid, channel=parts.channel, sender=parts.sender)

    def _shown(self, text: str) -> tuple[Span, ...]:
        """What of a user text was pasted, judged beside the person's messages before it."""
        shown = shown_spans(text, habit_of(self._said))
        if said := said_of(text, shown):
            self._said = [*self._said[1 - _REMEMBERED :], said]
        return shown

    def note_prompt(self, text: str) -> None:
        """Remember the session's first prompt: it tells our own runs and other programs' runs apart."""
        if self.first_prompt is None:
            self.first_prompt = text[:8000]

    def _start_turn(self, text: str, time: datetime | None) -> None:
        self.note_prompt(text)
        if not self._turn_is_open:
            self.open_turn()
        self._turn_is_open = False
        self.turn += 1
        self._turn_times[self.turn] = time
        self._prompts.append((len(self._kinds), self.cwd))

    def open_turn(self) -> None:
        """Mark the start of a user turn before its items, for logs that count turns without typed text too."""
        self._live_turns.append((len(self._kinds), self.turn + 1))
        self._turn_is_open = True

    def close_turn(self) -> None:
        """Tell that the items of a prompt are complete."""
        self._turn_is_open = False

    def undo_last(self, turns: int) -> None:
        """Roll back the last `turns` user turns that still stand."""
        if turns <= 0 or not self._live_turns:
            return
        cut = self._live_turns[-turns:]
        del self._live_turns[-turns:]
        self._undo_from(cut[0][0])

    def times_of_turns_after(self, turn: int) -> list[datetime | None]:
        """When the prompts of the turns after `turn` that still stand were written."""
        return [self._turn_times.get(number) for _, number in self._live_turns if number > turn]

    def undo_after(self, turn: int) -> None:
        """Roll back every turn later than `turn`."""
        start = None
        while self._live_turns and self._live_turns[-1][1] > turn:
            start = self._live_turns.pop()[0]
        if start is not None:
            self._undo_from(start)

    def _undo_from(self, start: int) -> None:
        self.undo(range(start, len(self._kinds)))

    def undo(self, indexes: range | frozenset[int] | set[int]) -> None:
        """Mark items as rolled back."""
        self._undone.update(indexes)

    def drop(self, reason: str) -> None:
        """Count a row that is left out."""
        if self.hashing:
            self.facts.dropped[reason] += 1

    def unknown(self, kind: object) -> None:
        """Count a row of a type that the reader does not know."""
        self.facts.unknown[str(kind)[:60]] += 1

    def is_repeat(self, uid: str | None) -> bool:
        """True when a record with this id came before; counts it."""
        if not uid:
            return False
        mark = hash(uid)
        if mark in self._seen:
            self.drop("duplicate")
            return True
        self._seen.add(mark)
        return False

    def touch(self, time: datetime) -> bool:
        """Take a conversational record's time into account; False for one that lies in the future."""
        if time > self._newest_allowed:
            return False
        facts = self.facts
        if facts.last_activity is None or time > facts.last_activity:
            facts.last_activity = time
        if facts.started is None or time < facts.started:
            facts.started = time
        return True

    def _hand_on(self, draft: _Draft, final: bool = False) -> None:
        """Make a draft an item. The last answer is held back until it is known whether the turn ends with it."""
        draft.final = final
        draft.__class__ = Item  # type: ignore[assignment]
        self.ready.append(draft)  # type: ignore[arg-type]

    def finish(self) -> None:
        """Close the pass: the last answer is final, and the facts are complete."""
        if self._held is not None:
            self._hand_on(self._held, final=True)
            self._held = None
        if not self.hashing:
            return
        facts = self.facts
        gone = facts.rolled_back = frozenset(index for index in self._undone if index < len(self._kinds))
        kinds = Counter(self._kinds)
        kinds.subtract(self._kinds[index] for index in gone)
        facts.items = Counter({kind.value: count for kind, count in kinds.items() if count})
        facts.content_hash = self._hash.hexdigest()
        for index, cwd in self._prompts:
            if index not in gone and cwd:
                facts.turns_by_cwd[cwd] = facts.turns_by_cwd.get(cwd, 0) + 1
        if gone:
            facts.dropped["rolled_back"] = len(gone)
        if facts.last_activity is None:
            facts.last_activity = facts.started
        if facts.last_activity is None and self.log.mtime_ns:
            facts.last_activity = datetime.fromtimestamp(self.log.mtime_ns / 1e9, UTC)

    def settle_cwd(self, cwd: str) -> None:
        """Give the session a folder that only its whole log could tell; all turns happened there."""
        self.facts.cwd = self.cwd = cwd
        self._prompts = [(index, found or cwd) for index, found in self._prompts]

    def settle_kind(self, own_home: PurePath) -> None:
        """Recognise our own runs and other programs' runs by the folder and by the first prompt."""
        facts = self.facts
        prompt = self.first_prompt or ""
        folders = {facts.cwd, *facts.turns_by_cwd}
        if is_own_prompt(prompt) or any(folder and _is_within(folder, own_home) for folder in folders):
            facts.kind = SessionKind.OWN_RUN
        elif facts.kind == SessionKind.INTERACTIVE and is_automation(prompt.lstrip()):
            facts.kind = SessionKind.HEADLESS


def _is_within(folder: str, home: PurePath) -> bool:
    path = PurePath(folder)
    return path == home or home in path.parents
