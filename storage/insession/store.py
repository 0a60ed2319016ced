"""The in-session store: one small SQLite file beside the pipeline's database, always local.

Standard library only. Times are seconds since the epoch, UTC. Text is redacted by the caller; nothing here scans.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from slowwave.errors import StoreError
from slowwave.storage.insession.file import SessionFile, Value


class Scope:
    """Whose memory a query is about. All three parts are mandatory; an empty one is refused with `StoreError`.

    `user` is the person, `project` a project id, `agent` the agent's id. A fact is project-wide, or user-wide when its
    project is `USER_WIDE`; it never leaves its user and its agent.
    """

    __slots__ = ("agent", "project", "user")

    def __init__(self, user: str, project: str, agent: str) -> None:
        if not (user and project and agent):
            raise StoreError("a scope needs a user, a project and an agent", reason="scope_incomplete")
        self.user = user
        self.project = project
        self.agent = agent


class SessionState(NamedTuple):
    """What the store knows about a running session.

    `epoch` counts compactions and clears: what was injected in an earlier epoch may be gone from the context. `tokens`
    is an estimate of everything that went through the session, `window_tokens` of what stands in the context now (None
    when unknown). `recap_at` is `tokens` when the last recap was emitted, `recap_turn` its turn. `question` is what the
    assistant asked last. `cursor` is the byte offset up to which the transcript was read. `snapshot` is the pins block
    that the system prompt of `snapshot_epoch` ends with, `summary` what compression made of the first `summarised_to`
    messages of the conversation.
    `compacting` is 1 between the announcement of a compaction and the new epoch, 2 when a prompt came before the host's
    own word that it is over.
    """

    agent: str
    session_id: str
    project_id: str
    user_id: str
    cwd: str
    transcript: str
    epoch: int
    turn: int
    tokens: int
    window_tokens: int | None
    recap_hash: str
    recap_epoch: int
    recap_at: int
    recap_turn: int
    question: str
    reply_tail: str
    cursor: int
    summary: str
    snapshot: str
    snapshot_epoch: int
    compactions: int
    compacting: int
    ended: str
    started_at: float
    last_at: float
    summarised_to: int

    @classmethod
    def new(cls, *, agent: str, session_id: str, project_id: str, user_id: str, now: float) -> SessionState:
        """A session that was never seen; nothing is stored."""
        return cls(
            agent=agent, session_id=session_id, project_id=project_id, user_id=user_id, cwd="", transcript="",
            epoch=0, turn=0, tokens=0, window_tokens=None, recap_hash="", recap_epoch=-1, recap_at=0, recap_turn=0,
            question="", reply_tail="", cursor=0, summary="", snapshot="", snapshot_epoch=-1, compactions=0,
            compacting=0, ended="", started_at=now, last_at=now, summarised_to=0,
        )  # fmt: skip

    @property
    def key(self) -> str:
        """`agent:session-id`, as in the pipeline's registry."""
        return f"{self.agent}:{self.session_id}"

    @property
    def scope(self) -> Scope:
        """The scope of the session's facts."""
        return Scope(self.user_id, self.project_id, self.agent)


class PinRow(NamedTuple):
    """A stored pin. `status` is active, closed, superseded or dropped."""

    id: int
    session: str
    kind: str
    text: str
    quote: str
    question: str
    turn: int
    task: int
    status: str
    reason: str
    supersedes: int | None
    created_at: float


class DecisionRow(NamedTuple):
    """Why a layer did what it did in a turn, and how many tokens it put in."""

    id: int
    session: str
    turn: int
    layer: str
    reason: str
    detail: str
    tokens: int
    at: float


class EventRow(NamedTuple):
    """A typed event of a session: a correction, a drift, a flush, a compaction."""

    id: int
    session: str
    project_id: str
    turn: int
    type: str
    quote: str
    detail: dict[str, object]
    seq: int
    at: float


SESSION_COLUMNS = SessionState._fields


class SessionStore(SessionFile):
    """Sessions, their turns and pins, why each layer did what it did, and events."""

    def touch_session(
        self,
        *,
        agent: str,
        session_id: str,
        project_id: str,
        user_id: str,
        cwd: str = "",
        transcript: str = "",
        now: float,
    ) -> SessionState:
        """Create the session's row if it is new, note where it runs, and return its state."""
        self.note_session(agent=agent, session_id=session_id, project_id=project_id, user_id=user_id, cwd=cwd,
                          transcript=transcript, now=now)  # fmt: skip
        state = self.session(f"{agent}:{session_id}")
        if state is None:
            raise StoreError("the session row vanished", reason="session_store_write_failed")
        return state

    def note_session(
        self,
        *,
        agent: str,
        session_id: str,
        project_id: str,
        user_id: str,
        cwd: str = "",
        transcript: str = "",
        now: float,
    ) -> None:
        """Create the session's row if it is new and note where it runs."""
        scope = Scope(user_id, project_id, agent)
        with self.transaction() as db:
            db.execute(
                "INSERT INTO sessions (key, agent, session_id, project_id, user_id, cwd, transcript, started_at,"
                " last_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET"
                " last_at = max(last_at, excluded.last_at),"
                " cwd = CASE WHEN excluded.cwd = '' THEN cwd ELSE excluded.cwd END,"
                " transcript = CASE WHEN excluded.transcript = '' THEN transcript ELSE excluded.transcript END",
                (f"{agent}:{session_id}", agent, session_id, scope.project, scope.user, cwd, transcript, now, now),
            )

    def session(self, key: str) -> SessionState | None:
        """The state of a session, None if it was never seen."""
        found = self.rows(f"SELECT {', '.join(SESSION_COLUMNS)} FROM sessions WHERE key = ?", (key,))
        return SessionState(*found[0]) if found else None

    def sessions(self, project_id: str | None = None, limit: int = 50) -> list[SessionState]:
        """Sessions, the last active one first."""
        where, parameters = ("WHERE project_id = ?", (project_id,)) if project_id else ("", ())
        sql = f"SELECT {', '.join(SESSION_COLUMNS)} FROM sessions {where} ORDER BY last_at DESC LIMIT ?"
        return [SessionState(*row) for row in self.rows(sql, (*parameters, limit))]

    def update_session(self, key: str, **changes: Value) -> None:
        """Set columns of a session's row."""
        unknown = changes.keys() - set(SESSION_COLUMNS)
        if unknown:
            raise StoreError(f"sessions have no {', '.join(sorted(unknown))}", reason="bad_column")
        names = ", ".join(f"{name} = :{name}" for name in changes)
        with self.transaction() as db:
            db.execute(f"UPDATE sessions SET {names} WHERE key = :key", {**changes, "key": key})

    def begin_turn(self, key: str, *, prompt_id: str, prompt: str, tokens: int, now: float) -> int | None:
        """Count a user turn and return its number, or None when this very prompt was counted already."""
        with self.transaction() as db:
            if (
                prompt_id
                and db.execute("SELECT 1 FROM turns WHERE session = ? AND prompt_id = ?", (key, prompt_id)).fetchone()
            ):
                return None
            # A question of the assistant is answered by this message or not at all.
            counted = db.execute(
                "UPDATE sessions SET turn = turn + 1, tokens = tokens + ?, question = '', last_at = ? WHERE key = ?"
                " RETURNING turn",
                (tokens, now, key),
            ).fetchall()
            turn = int(counted[0][0])
            db.execute(
                "INSERT INTO turns (session, turn, prompt_id, prompt, tokens, at) VALUES (?, ?, ?, ?, ?, ?)",
                (key, turn, prompt_id, prompt, tokens, now),
            )
        return turn

    def turn_prompt(self, key: str, turn: int) -> str | None:
        """The (redacted, shortened) prompt of a turn."""
        found = self.rows("SELECT prompt FROM turns WHERE session = ? AND turn = ?", (key, turn))
        return str(found[0][0]) if found else None

    def new_epoch(self, key: str, *, compaction: bool) -> int:
        """Note that earlier context may be gone; return the new epoch."""
        with self.transaction() as db:
            db.execute(
                "UPDATE sessions SET epoch = epoch + 1, compactions = compactions + ?, window_tokens = NULL"
                " WHERE key = ?",
                (int(compaction), key),
            )
            return int(db.execute("SELECT epoch FROM sessions WHERE key = ?", (key,)).fetchone()[0])

    def pins(self, key: str, *, status: str | None = "active") -> list[PinRow]:
        """A session's pins in the order they were made; `status=None` means all."""
        sql = (
            "SELECT id, session, kind, text, quote, question, turn, task, status, reason, supersedes, created_at"
            " FROM pins WHERE session = ? AND (? IS NULL OR status = ?) ORDER BY id"
        )
        return [PinRow(*row) for row in self.rows(sql, (key, status, status))]

    def add_pin(
        self,
        key: str,
        *,
        kind: str,
        text: str,
        quote: str,
        question: str,
        turn: int,
        task: int,
        supersedes: int | None,
        now: float,
    ) -> int:
        """Store a pin; the one that it supersedes is marked so. The same words in the same session are stored once."""
        with self.transaction() as db:
            same = db.execute(
                "SELECT id FROM pins WHERE session = ? AND kind = ? AND text = ? AND status = 'active'",
                (key, kind, text),
            ).fetchone()
            if same:
                return int(same[0])
            made = db.execute(
                "INSERT INTO pins (session, kind, text, quote, question, turn, task, supersedes, created_at, seq)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (key, kind, text, quote, question, turn, task, supersedes, now, self.next_seq()),
            )
            if supersedes is not None:
                db.execute("UPDATE pins SET status = 'superseded', reason = 'replaced' WHERE id = ?", (supersedes,))
            return int(made.lastrowid or 0)

    def close_pins(self, ids: Sequence[int], *, status: str, reason: str) -> None:
        """End pins without deleting them."""
        with self.transaction() as db:
            db.executemany("UPDATE pins SET status = ?, reason = ? WHERE id = ?", [(status, reason, i) for i in ids])

    def decide(
        self, key: str, turn: int, layer: str, reason: str, *, detail: str = "", tokens: int = 0, now: float
    ) -> None:
        """Keep why a layer did what it did."""
        self.decide_all(key, turn, [(layer, reason, detail, tokens)], now=now)

    def decide_all(self, key: str, turn: int, made: Sequence[tuple[str, str, str, int]], *, now: float) -> None:
        """Keep several decisions of a turn: (layer, reason, detail, tokens) each."""
        with self.transaction() as db:
            db.executemany(
                "INSERT INTO decisions (session, turn, layer, reason, detail, tokens, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(key, turn, layer, reason, detail, tokens, now) for layer, reason, detail, tokens in made],
            )

    def decisions(self, key: str, turn: int | None = None) -> list[DecisionRow]:
        """What was decided in a session, or in one of its turns."""
        sql = (
            "SELECT id, session, turn, layer, reason, detail, tokens, at FROM decisions"
            " WHERE session = ? AND (? IS NULL OR turn = ?) ORDER BY id"
        )
        return [DecisionRow(*row) for row in self.rows(sql, (key, turn, turn))]

    def add_event(
        self,
        key: str,
        *,
        project_id: str,
        turn: int,
        type: str,
        quote: str = "",
        detail: Mapping[str, object] | None = None,
        now: float,
    ) -> int:
        """Append an event and return its number."""
        with self.transaction() as db:
            made = db.execute(
                "INSERT INTO events (session, project_id, turn, type, quote, detail, seq, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    key,
                    project_id,
                    turn,
                    type,
                    quote,
                    json.dumps(detail or {}, ensure_ascii=False),
                    self.next_seq(),
                    now,
                ),
            )
            return int(made.lastrowid or 0)

    def events(
        self, *, session: str | None = None, project_id: str | None = None, types: Sequence[str] = (), after: int = 0
    ) -> list[EventRow]:
        """Events in order, of a session or of a project; `after` is a sequence number."""
        marks = ", ".join("?" for _ in types)
        sql = (
            "SELECT id, session, project_id, turn, type, quote, detail, seq, at FROM events"
            " WHERE (? IS NULL OR session = ?) AND (? IS NULL OR project_id = ?) AND seq > ?"
            + (f" AND type IN ({marks})" if types else "")
            + " ORDER BY id"
        )
        found = self.rows(sql, (session, session, project_id, project_id, after, *types))
        return [_event(row) for row in found]


def _event(row: sqlite3.Row) -> EventRow:
    number, session, project_id, turn, kind, quote, detail, seq, at = row
    return EventRow(number, session, project_id, turn, kind, quote, json.loads(detail), seq, at)
