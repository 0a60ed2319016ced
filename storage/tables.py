"""The database's tables. SQLite and PostgreSQL alike; every time is seconds since the epoch, UTC, as a float.

Who writes what: `slowwave.storage.registry` projects, threads and log files; `slowwave.storage.queue.jobs` jobs;
`storage.outputs` stage-one
outputs; `storage.entries` entries, evidence, skills and tombstones; `slowwave.storage.published.artifacts` versions
and artifacts; `slowwave.storage.call_log` runs, model calls and batches.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, BigInteger, Index, LargeBinary, MetaData, UniqueConstraint
from sqlmodel import Field, SQLModel

from slowwave.storage.text import guard_text
from slowwave.storage.types import EntryStatus, HeldState, JobState, Origin, RunStatus, Scope, Visibility

NAMING_CONVENTION = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Table(SQLModel):
    """Base of all tables: one metadata of our own, with named constraints so that migrations can refer to them."""

    metadata = MetaData(naming_convention=NAMING_CONVENTION)


class Project(Table, table=True):
    """A repository, or a folder where there is none. `id` is the first 16 hex digits of the hash of the `key` with
    which it began; what it is known by since stands in `project_keys`. `named` means that a person gave it its name,
    `joined_to` that it is part of another project now: then it is kept only so that the join can be undone.

    Dirty means `input_generation > consolidated_generation`. `fence` is the highest fence that published, `version` the
    number of the published version (0: none yet). `user_level` marks the one project that holds entries promoted to the
    user; it has no sessions of its own.
    """

    __tablename__ = "projects"

    id: str = Field(primary_key=True)
    key: str = Field(unique=True)
    slug: str
    name: str
    root: str | None = None
    remote: str | None = None
    user_level: bool = False
    visibility: str = Visibility.PRIVATE
    owner: str | None = None
    excluded: bool = False
    input_generation: int = 0
    consolidated_generation: int = 0
    fence: int = 0
    version: int = 0
    next_entry: int = 1
    named: bool = False
    joined_to: str | None = Field(default=None, index=True)
    created_at: float = 0.0
    last_activity: float | None = None


class ProjectKey(Table, table=True):
    """Something that a project is known by (slowwave.storage.types.KeyKind). `host` is empty for what means the
    same on every machine. `detail` of a folder holds its path as it is spelled, its number on the disk and hashes of
    names in it."""

    __tablename__ = "project_keys"

    kind: str = Field(primary_key=True)
    value: str = Field(primary_key=True)
    host: str = Field(primary_key=True, default="")
    project_id: str = Field(primary_key=True, index=True)
    detail: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    seen_at: float = 0.0


class ProjectChange(Table, table=True):
    """A change of what is one project, by a scan or by a person, with what undoing it takes; or one that a scan
    proposes (slowwave.storage.types.ChangeState). A person's word that two stay apart is a declined proposal."""

    __tablename__ = "project_changes"
    __table_args__ = (Index("ix_project_changes_pair", "project_id", "other_id"),)

    id: int | None = Field(default=None, primary_key=True)
    kind: str
    state: str
    project_id: str
    other_id: str = ""
    reason: str = ""
    by: str = "scan"
    data: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    created_at: float = 0.0
    ended_at: float | None = None


class LogRecord(Table, table=True):
    """A log file as the last scan saw it: same size, mtime and inode means unchanged."""

    __tablename__ = "log_files"

    key: str = Field(primary_key=True)
    host: str = Field(primary_key=True)
    agent: str
    path: str
    thread_id: str | None = Field(default=None, index=True)
    size: int = Field(sa_type=BigInteger)
    mtime_ns: int = Field(sa_type=BigInteger)
    inode: str = ""
    reader_version: int = 1
    error: str | None = None
    scanned_at: float = 0.0


class Thread(Table, table=True):
    """The registry row of a session. `id` is `agent:session-id`. `reason` is its latest fate
    (slowwave.storage.types.Reason)."""

    __tablename__ = "threads"

    id: str = Field(primary_key=True)
    agent: str = Field(index=True)
    session_id: str
    host: str
    path: str
    log_key: str
    project_id: str | None = Field(default=None, foreign_key="projects.id", index=True)
    parent_session_id: str | None = None
    cwd: str | None = None
    branch: str | None = None
    kind: str
    title: str | None = None
    model: str | None = None
    started_at: float | None = None
    last_activity: float | None = Field(default=None, index=True)
    size: int = Field(default=0, sa_type=BigInteger)
    content_hash: str = ""
    items: dict[str, int] = Field(default_factory=dict, sa_type=JSON)
    dropped: dict[str, int] = Field(default_factory=dict, sa_type=JSON)
    unknown: dict[str, int] = Field(default_factory=dict, sa_type=JSON)
    turns_by_cwd: dict[str, int] = Field(default_factory=dict, sa_type=JSON)
    damaged: int = 0
    ignored: bool = False
    forgotten: bool = False
    missing: bool = False
    reason: str = ""
    reason_detail: str = ""
    reason_at: float | None = None
    scanned_at: float = 0.0


class Job(Table, table=True):
    """One row for each (kind, key): the queue. docs/queue.md says which transitions exist and who may make them.

    `attempts` counts failures of the work, `crashes` owners that died with the claim. `fence` grows with every claim.
    `source_hash` is what is wanted, `done_hash` what was last finished; the same pair exists for the extractor version.
    For consolidate jobs `generation` is the input generation captured at claim.
    """

    __tablename__ = "jobs"
    __table_args__ = (Index("ix_jobs_kind_state", "kind", "state", "retry_at"), Index("ix_jobs_project", "project_id"))

    kind: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    project_id: str | None = None
    host: str | None = None
    state: str = JobState.PENDING
    token: str | None = None
    fence: int = 0
    owner_host: str | None = None
    owner_boot: str | None = None
    owner_pid: int | None = None
    owner_started: float | None = None
    lease_until: float | None = None
    attempts: int = 0
    crashes: int = 0
    retry_at: float | None = None
    reason: str | None = None
    error: str | None = None
    source_hash: str | None = None
    done_hash: str | None = None
    extractor: str | None = None
    extractor_version: int = 0
    done_extractor: str | None = None
    done_extractor_version: int = 0
    generation: int = 0
    batch_id: str | None = None
    run_id: str | None = None
    priority: float = 0.0
    created_at: float = 0.0
    started_at: float | None = None
    finished_at: float | None = None


class StageOneOutput(Table, table=True):
    """What stage one made of a session: checked, redacted memories, the rendered raw memory and the summary.

    `memories` is a list of `slowwave.memories.extraction.candidates.Candidate` as JSON. An output with no
    memories is "nothing to keep", which is not a failure. `pending` tells that stage two has not looked at it yet.
    `quarantined` holds candidates that wait for a person, `rejected` counts the others by the check that dropped them.
    `open_work` is what the session left open, each point with its quote.
    """

    __tablename__ = "stage_one_outputs"
    __table_args__ = (
        Index("ix_stage_one_outputs_newest", "project_id", "session_last_activity"),
        Index("ix_stage_one_outputs_pending", "project_id", "pending"),
    )

    thread_id: str = Field(primary_key=True, foreign_key="threads.id")
    project_id: str = Field(foreign_key="projects.id")
    source_hash: str
    extractor: str
    extractor_version: int
    outcome: str
    slug: str
    rollout_summary: str
    raw_memory: str
    memories: list[dict[str, Any]] = Field(default_factory=list, sa_type=JSON)
    quarantined: list[dict[str, Any]] = Field(default_factory=list, sa_type=JSON)
    rejected: dict[str, int] = Field(default_factory=dict, sa_type=JSON)
    open_work: list[dict[str, Any]] = Field(default_factory=list, sa_type=JSON)
    redactions: dict[str, int] = Field(default_factory=dict, sa_type=JSON)
    session_started: float | None = None
    session_last_activity: float | None = None
    generated_at: float = 0.0
    run_id: str | None = None
    pending: bool = True


class Entry(Table, table=True):
    """One remembered line. `number` is its short id within the project (m12). Text is redacted.

    `confirmations` counts distinct sessions (or user acts) that support it. `pinned` and `hand_edited` text is never
    rewritten by a run; `verbatim` is then the block of MEMORY.md as it stands, byte for byte. `summary_hidden` means
    that a person took the line out of memory_summary.md. `scope` is `user` for what the user says of all projects.
    """

    __tablename__ = "entries"
    __table_args__ = (UniqueConstraint("project_id", "number"),)

    id: int | None = Field(default=None, primary_key=True)
    project_id: str = Field(foreign_key="projects.id", index=True)
    number: int
    kind: str
    text: str
    situation: str = ""
    standing: str
    status: str = EntryStatus.ACTIVE
    status_reason: str = ""
    status_at: float | None = None
    origin: str = Origin.SESSION
    pinned: bool = False
    hand_edited: bool = False
    verbatim: str = ""
    summary_hidden: bool = False
    confirmations: int = 1
    first_seen: float | None = None
    last_confirmed: float | None = None
    superseded_by: int | None = None
    promoted_from: str | None = None
    scope: str = Scope.PROJECT
    used: int = 0
    helped: int = 0
    wrong: int = 0
    injected: int = 0
    last_used: float | None = None
    created_run: str | None = None
    updated_run: str | None = None


class Evidence(Table, table=True):
    """A verbatim quote that supports an entry, checked by code against the redacted, normalised item. In a list it
    supports one `member`."""

    __tablename__ = "evidence"
    __table_args__ = (UniqueConstraint("entry_id", "thread_id", "item", "quote_hash"),)

    id: int | None = Field(default=None, primary_key=True)
    entry_id: int = Field(foreign_key="entries.id", index=True)
    project_id: str = Field(index=True)
    thread_id: str | None = Field(default=None, index=True)
    session_id: str = ""
    agent: str = ""
    item: int = 0
    uid: str | None = None
    item_kind: str = ""
    quote: str
    quote_hash: str
    origin: str = Origin.SESSION
    member: str = ""
    observed_at: float | None = None
    run_id: str | None = None


class EntryChange(Table, table=True):
    """What an operation did to an entry: the line before and after (empty when it ended) and why."""

    __tablename__ = "entry_changes"
    __table_args__ = (Index("ix_entry_changes_entry", "project_id", "number"),)

    id: int | None = Field(default=None, primary_key=True)
    project_id: str = Field(foreign_key="projects.id")
    number: int
    operation: str
    before: str = ""
    after: str = ""
    reason: str = ""
    run_id: str | None = None
    at: float = 0.0


class MemoryFate(Table, table=True):
    """What became of a memory that a session proposed (`slowwave.storage.types.Fate`): a row for each text of a
    session.
    `stage` is 1 when the checks of stage one decided, 2 afterwards. `entry` is the number of the entry it is used in,
    `offered` how often stage two has seen it.
    """

    __tablename__ = "memory_fates"
    __table_args__ = (UniqueConstraint("thread_id", "hash"), Index("ix_memory_fates_state", "project_id", "state"))

    id: int | None = Field(default=None, primary_key=True)
    project_id: str
    thread_id: str
    hash: str
    kind: str
    text: str
    state: str
    stage: int = 2
    reason: str = ""
    entry: int | None = None
    offered: int = 0
    run_id: str | None = None
    at: float = 0.0


class HeldOperation(Table, table=True):
    """An operation that a quota or a guard held back until a person decides: `slowwave review`.

    `operation` is the operation as proposed, `sources` the memories it rests on by their references, complete, so that
    it can be applied long after. `key` tells the same proposal of another night.
    """

    __tablename__ = "held_operations"
    __table_args__ = (UniqueConstraint("project_id", "key"), Index("ix_held_operations_state", "project_id", "state"))

    id: int | None = Field(default=None, primary_key=True)
    project_id: str = Field(foreign_key="projects.id")
    key: str
    operation: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    sources: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    reason: str = ""
    state: str = HeldState.WAITING
    offered: int = 1
    run_id: str | None = None
    at: float = 0.0
    decided_at: float | None = None


class Skill(Table, table=True):
    """A generated procedure. A person's edit makes it theirs (`hand_edited`) and no run touches it again."""

    __tablename__ = "skills"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    id: int | None = Field(default=None, primary_key=True)
    project_id: str = Field(foreign_key="projects.id", index=True)
    name: str
    description: str
    body: str
    entries: list[int] = Field(default_factory=list, sa_type=JSON)
    status: str = EntryStatus.ACTIVE
    hand_edited: bool = False
    verbatim: str = ""
    used: int = 0
    created_run: str | None = None
    updated_run: str | None = None
    updated_at: float = 0.0


class Note(Table, table=True):
    """Text a person wrote into a published file that belongs to no entry. It is rendered word for word at its place."""

    __tablename__ = "notes"

    id: int | None = Field(default=None, primary_key=True)
    project_id: str = Field(foreign_key="projects.id", index=True)
    path: str
    anchor: str = ""
    position: int = 0
    text: str
    created_at: float = 0.0


class Tombstone(Table, table=True):
    """Keyed hash of something forgotten: it never comes back, and it cannot be read from here."""

    __tablename__ = "tombstones"

    hash: str = Field(primary_key=True)
    project_id: str = Field(primary_key=True)
    kind: str
    created_at: float = 0.0
    reason: str = ""


class Version(Table, table=True):
    """A published set of files of one project. `digest` is over paths and bytes, `state` the entries, skills and notes
    behind it (compressed JSON), which a rollback restores."""

    __tablename__ = "versions"
    __table_args__ = (UniqueConstraint("project_id", "number"),)

    id: int | None = Field(default=None, primary_key=True)
    project_id: str = Field(foreign_key="projects.id", index=True)
    number: int
    digest: str
    fence: int
    generation: int = 0
    state: bytes = Field(default=b"", sa_type=LargeBinary)
    run_id: str | None = None
    cause: str = "consolidate"
    note: str = ""
    published_at: float = 0.0
    pruned: bool = False


class Artifact(Table, table=True):
    """The bytes of a published file, kept outside the live folder."""

    __tablename__ = "artifacts"
    __table_args__ = (UniqueConstraint("version_id", "path"),)

    id: int | None = Field(default=None, primary_key=True)
    version_id: int = Field(foreign_key="versions.id", index=True)
    path: str
    sha256: str
    origin: str = Origin.SESSION
    content: bytes = Field(sa_type=LargeBinary)


class Checkpoint(Table, table=True):
    """How far a fold over batches came, under the lease of `fence`."""

    __tablename__ = "checkpoints"

    project_id: str = Field(primary_key=True)
    generation: int
    step: int
    state: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    updated_at: float = 0.0


class Run(Table, table=True):
    """One run of the pipeline, whoever started it. `host`, `owner_boot`, `pid` and `owner_started` name its process."""

    __tablename__ = "runs"

    id: str = Field(primary_key=True)
    kind: str
    status: str = RunStatus.RUNNING
    host: str
    pid: int
    owner_boot: str = ""
    owner_started: float = 0.0
    extractor: str = ""
    flow_run_id: str | None = None
    started_at: float = 0.0
    finished_at: float | None = None
    counts: dict[str, int] = Field(default_factory=dict, sa_type=JSON)
    reasons: dict[str, int] = Field(default_factory=dict, sa_type=JSON)
    redactions: dict[str, int] = Field(default_factory=dict, sa_type=JSON)
    projects: list[dict[str, Any]] = Field(default_factory=list, sa_type=JSON)
    message: str = ""


class ModelCall(Table, table=True):
    """One call of a model, failed ones too. `cost` is in US dollars, None when the price is unknown."""

    __tablename__ = "model_calls"

    id: int | None = Field(default=None, primary_key=True)
    run_id: str | None = Field(default=None, index=True)
    at: float = Field(default=0.0, index=True)
    role: str
    model: str
    endpoint: str = ""
    thread_id: str | None = None
    project_id: str | None = None
    stage: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_write_tokens: int | None = None
    cache_read_tokens: int | None = None
    cost: float | None = None
    latency_s: float | None = None
    outcome: str = "ok"
    error: str | None = None
    request_id: str | None = None
    batch_id: str | None = None


class ModelBatch(Table, table=True):
    """A Message Batch. The row is committed before the create call; `batch_id` right after it."""

    __tablename__ = "model_batches"

    id: str = Field(primary_key=True)
    batch_id: str | None = Field(default=None, index=True)
    endpoint: str
    model: str
    body_hash: str
    custom_ids: list[str] = Field(default_factory=list, sa_type=JSON)
    state: str
    created_at: float = 0.0
    submitted_at: float | None = None
    ended_at: float | None = None
    detail: str = ""


class Setting(Table, table=True):
    """Small facts of the installation: the consent that was given, the machine's hash key id, the last schedule."""

    __tablename__ = "settings"

    name: str = Field(primary_key=True)
    value: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    updated_at: float = 0.0


guard_text(Table.metadata)
