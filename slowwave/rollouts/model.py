"""What every reader turns a log into: one normalised session of items.

Standard library only: hooks read these too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol, runtime_checkable

from slowwave.text.typed import Span, carried, said_of, shown_spans


class Role(StrEnum):
    """Who an item is from, as the agent's log has it."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class ItemKind(StrEnum):
    """What an item is. Only `USER_TEXT` was typed by the person.

    `CONTEXT` is text in the user's role that the person did not type and that is still worth reading (a pasted file, an
    IDE selection). `SUMMARY` is a compaction summary kept because what it summarises is gone.
    """

    USER_TEXT = "user_text"
    ASSISTANT_TEXT = "assistant_text"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    SUMMARY = "summary"
    CONTEXT = "context"


# The readers go through these at every row: a look-up on an enumeration costs fifteen times as much as one here.
USER_TEXT = ItemKind.USER_TEXT
ASSISTANT_TEXT = ItemKind.ASSISTANT_TEXT
TOOL_CALL = ItemKind.TOOL_CALL
TOOL_RESULT = ItemKind.TOOL_RESULT
SUMMARY = ItemKind.SUMMARY
CONTEXT = ItemKind.CONTEXT


@dataclass(frozen=True, slots=True)
class Item:
    """One normalised piece of a session.

    `index` counts the items of the log in file order *before* rolled-back ones are left out, so it stays the same when
    the log grows. `turn` counts user texts (0 before the first). `time` is aware, in UTC. `exit_status` and `failed`
    are those of a tool result, None where the log does not tell. `uid` is the record's own id; the same id in another
    log of the project is the same event. `cwd` is the folder that the record names. `shown` holds the passages of a
    user text that were pasted or quoted, as character spans (see `slowwave.text.typed`); None where nobody decided yet.
    `channel` and `sender` are those of a message that came through a chat channel: never part of the text.
    """

    index: int
    role: Role
    kind: ItemKind
    text: str
    turn: int = 0
    time: datetime | None = None
    tool: str | None = None
    call_id: str | None = None
    exit_status: int | None = None
    failed: bool | None = None
    final: bool = False
    uid: str | None = None
    cwd: str | None = None
    shown: tuple[Span, ...] | None = None
    channel: str | None = None
    sender: str | None = None

    @property
    def said(self) -> str:
        """What the person said in this item: its text without what was merely shown. "" for every other kind.

        Only what was said can be a wish or a rule. What was shown can prove a fact.
        """
        if self.kind is not USER_TEXT:
            return ""
        return said_of(self.text, shown_spans(self.text) if self.shown is None else self.shown)

    def with_text(self, text: str) -> Item:
        """The item with a changed form of its text (redacted, shortened); what was shown stays shown."""
        return replace(self, text=text, shown=None if self.shown is None else carried(self.shown, self.text, text))


@dataclass(frozen=True, slots=True)
class LogFile:
    """One session log as the file system has it. `key` names it in the registry: the path, or `path#session-id` where
    one file holds many sessions. `mtime_ns`, `size` and `inode` tell whether it changed since the last scan."""

    agent: str
    path: Path
    key: str
    size: int
    mtime_ns: int
    inode: int = 0


@dataclass(slots=True)
class SessionFacts:
    """What one streaming pass over a log tells about the session.

    `kind` holds a value of `slowwave.storage.types.SessionKind`. `content_hash` is over the kept items (kind and
    text), so
    bookkeeping rows that an agent appends do not change it. `last_activity` is the newest time of a conversational
    record, in UTC. `turns_by_cwd` counts user turns by recorded folder. `remote` and `commit` (checked out at
    the start) are what the agent noted of the repository. `items` counts kept items by kind, `dropped`
    rows by reason, `unknown` rows by type that the reader does not know, `damaged` lines that could not be parsed.
    `rolled_back` holds the indexes of items that the user undid.
    """

    agent: str
    session_id: str
    kind: str
    content_hash: str
    cwd: str | None = None
    branch: str | None = None
    remote: str | None = None
    commit: str | None = None
    title: str | None = None
    model: str | None = None
    started: datetime | None = None
    last_activity: datetime | None = None
    parent_session_id: str | None = None
    turns_by_cwd: dict[str, int] = field(default_factory=dict)
    items: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    damaged: int = 0
    unterminated: bool = False
    rolled_back: frozenset[int] = frozenset()

    @property
    def thread_id(self) -> str:
        """The registry's key of the session."""
        return f"{self.agent}:{self.session_id}"


@runtime_checkable
class Reader(Protocol):
    """One agent's log format. A third party adds one through the entry point group `slowwave.readers`.

    A reader opens files read-only, takes no locks beyond a database reader's, and never raises for damage inside a
    log: it counts. It raises `RolloutVanished` or `RolloutUnreadable` for a log as a whole.
    """

    agent: str

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Yield the agent's session logs, one `stat` each. `env` and `home` decide the roots."""
        ...

    def recognises(self, head: bytes) -> bool:
        """Tell from the first bytes (64 KiB at most) whether a file is in this format."""
        ...

    def scan(self, log: LogFile) -> SessionFacts:
        """Read the log once, streaming, and return its facts. Memory stays flat whatever the size."""
        ...

    def items(self, log: LogFile, facts: SessionFacts | None = None) -> Iterator[Item]:
        """Yield the kept items in order, streaming, without rolled-back ones. Scans first when `facts` is None."""
        ...
