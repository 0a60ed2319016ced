"""Enumerations that both halves store. Values are what stands in the database: never rename one."""

from __future__ import annotations

from enum import StrEnum


class SessionKind(StrEnum):
    """Who drove a session. Only `INTERACTIVE` ones are mined."""

    INTERACTIVE = "interactive"
    SUBAGENT = "subagent"
    HEADLESS = "headless"
    EPHEMERAL = "ephemeral"
    OWN_RUN = "own_run"


class JobKind(StrEnum):
    """`EXTRACT` jobs are keyed by thread id, `CONSOLIDATE` jobs by project id, `BATCH` jobs by model batch id."""

    EXTRACT = "extract"
    CONSOLIDATE = "consolidate"
    BATCH = "batch"


class JobState(StrEnum):
    """States of a job; docs/queue.md has the transitions and who may make them."""

    PENDING = "pending"
    RUNNING = "running"
    SUBMITTED = "submitted"
    DONE = "done"
    BACKOFF = "backoff"
    DEAD = "dead"


class Reason(StrEnum):
    """Why a session was refused, as `slowwave status` shows it."""

    ELIGIBLE = "eligible"
    EXTRACTED = "extracted"
    NOTHING_TO_KEEP = "nothing_to_keep"
    UP_TO_DATE = "up_to_date"
    EXCLUDED = "excluded"
    IGNORED = "ignored"
    FORGOTTEN = "forgotten"
    NOT_INTERACTIVE = "not_interactive"
    NO_USER_TEXT = "no_user_text"
    ACTIVE = "active"
    NOT_IDLE = "not_idle"
    TOO_OLD = "too_old"
    OVER_SCAN_LIMIT = "over_scan_limit"
    OVER_RUN_LIMIT = "over_run_limit"
    IN_BACKOFF = "in_backoff"
    DEAD = "dead"
    RUNNING_ELSEWHERE = "running_elsewhere"
    BUDGET = "budget"
    OTHER_HOST = "other_host"
    UNREADABLE = "unreadable"
    CLOCK = "clock"
    VANISHED = "vanished"
    REDACTION_FAILED = "redaction_failed"
    FAILED = "failed"
    QUEUED = "queued"
    SUBMITTED = "submitted"


class MemoryKind(StrEnum):
    """Kinds of durable knowledge; MEMORY.md has one section for each, in this order. A `LIST` has members, each with
    evidence of its own."""

    PREFERENCE = "preference"
    CONSTRAINT = "constraint"
    DECISION = "decision"
    WORKFLOW = "workflow"
    PITFALL = "pitfall"
    FACT = "fact"
    LIST = "list"


class Standing(StrEnum):
    """How a memory is known, the strongest first: the user said it, the user agreed to what the agent proposed, a tool
    result verified it, or it was inferred."""

    USER_SAID = "user_said"
    AGREED = "agreed"
    VERIFIED = "verified"
    INFERRED = "inferred"


class Scope(StrEnum):
    """Where a memory holds: in its project, or wherever the user works."""

    PROJECT = "project"
    USER = "user"


class Fate(StrEnum):
    """What became of a proposed memory; `slowwave why SESSION` lists them."""

    USED = "used"
    HELD = "held"
    DECLINED = "declined"
    DUPLICATE = "duplicate"
    SUPERSEDED = "superseded"
    LEFT_OUT = "left_out"


class HeldState(StrEnum):
    """What became of an operation that was held back: it waits, or a person applied or declined it, or it became
    pointless."""

    WAITING = "waiting"
    APPLIED = "applied"
    DECLINED = "declined"
    OBSOLETE = "obsolete"


class Outcome(StrEnum):
    """How a session ended, judged conservatively."""

    SUCCESS = "success"
    PARTIAL = "partial"
    UNCERTAIN = "uncertain"
    FAIL = "fail"


class EntryStatus(StrEnum):
    """`ACTIVE` entries are rendered. `QUARANTINED` ones wait for a person."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    RETIRED = "retired"
    QUARANTINED = "quarantined"


class Origin(StrEnum):
    """Where an entry, a skill or a piece of evidence came from."""

    SESSION = "session"
    USER = "user"
    EDIT = "edit"
    FACT = "fact"
    FLUSH = "flush"
    IMPORT = "import"


class TombstoneKind(StrEnum):
    """What a tombstone keeps from coming back. The hash is keyed, so the forgotten text cannot be read from it."""

    SESSION = "session"
    ITEM = "item"
    QUOTE = "quote"
    TEXT = "text"


class KeyKind(StrEnum):
    """What a project is known by. `ROOT` and `GIT_DIR` are folders of one host; `COMMIT` was seen in the repository,
    `LOGGED` only in a log; `ID` is the id of a project that was joined to it; `NAME` was given by a person, `GIVEN` by
    a program."""

    ROOT = "root"
    GIT_DIR = "git_dir"
    REMOTE = "remote"
    COMMIT = "commit"
    LOGGED = "logged"
    ID = "id"
    NAME = "name"
    GIVEN = "given"


class ChangeKind(StrEnum):
    """What became of projects."""

    JOIN = "join"
    SPLIT = "split"
    RENAME = "rename"
    MOVE = "move"


class ChangeState(StrEnum):
    """`OPEN` is proposed and waits for a person, `DECLINED` was refused by one."""

    OPEN = "open"
    DONE = "done"
    UNDONE = "undone"
    DECLINED = "declined"


class Visibility(StrEnum):
    """`PRIVATE` projects use the host's own database only; `SHARED` ones may lie in the team's."""

    PRIVATE = "private"
    SHARED = "shared"


class RunStatus(StrEnum):
    """How a run ended. A run whose process died stays `RUNNING` until the next one marks it `CRASHED`."""

    RUNNING = "running"
    COMPLETED = "completed"
    PARTIAL = "partial"
    FAILED = "failed"
    CANCELLED = "cancelled"
    CRASHED = "crashed"
