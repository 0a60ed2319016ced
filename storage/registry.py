"""Projects, sessions and log files as the scan found them, and the fate of each session."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, TableClause, and_, bindparam, func, or_, select, update
from sqlalchemy import Table as SchemaTable
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session

from slowwave.errors import StoreError
from slowwave.storage.engine import database_now, is_sqlite
from slowwave.storage.queue.generations import PROJECTS, bump_generation
from slowwave.storage.queue.rows import JOBS
from slowwave.storage.tables import Project, Table, Thread
from slowwave.storage.text import storable, storable_or_none
from slowwave.storage.types import JobKind, JobState, Reason, SessionKind

LOGS = Table.metadata.tables["log_files"]
THREADS = Table.metadata.tables["threads"]
OUTPUTS = Table.metadata.tables["stage_one_outputs"]

_CHUNK = 500


@dataclass(frozen=True, slots=True)
class LogStamp:
    """A log file at the last scan. The same size, mtime, inode and reader version mean that it need not be read."""

    key: str
    host: str
    agent: str
    path: str
    size: int
    mtime_ns: int
    inode: str = ""
    reader_version: int = 1
    thread_id: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class SeenThread:
    """A session as one pass over its log found it. Times are seconds since the epoch, UTC."""

    id: str
    agent: str
    session_id: str
    host: str
    path: str
    log_key: str
    kind: SessionKind
    content_hash: str
    project_id: str | None = None
    parent_session_id: str | None = None
    cwd: str | None = None
    branch: str | None = None
    title: str | None = None
    model: str | None = None
    started_at: float | None = None
    last_activity: float | None = None
    size: int = 0
    items: Mapping[str, int] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)
    unknown: Mapping[str, int] = field(default_factory=dict)
    turns_by_cwd: Mapping[str, int] = field(default_factory=dict)
    damaged: int = 0


@dataclass(frozen=True, slots=True)
class ThreadChange:
    """What an upsert did. `moved_from` is the project the session belonged to before, if that changed.

    `superseded` means that another log of the same session is newer and the row was left alone.
    """

    created: bool = False
    changed: bool = False
    moved_from: str | None = None
    superseded: bool = False


def ensure_project(
    session: Session,
    *,
    key: str,
    id: str,
    slug: str,
    name: str,
    root: str | None = None,
    remote: str | None = None,
    owner: str | None = None,
    user_level: bool = False,
    now: float | None = None,
) -> bool:
    """Create a project or refresh where it lies; tell whether it is new. Its slug never changes: the folder has it."""
    session.flush()
    moment = database_now(session) if now is None else now
    place = {"name": storable(name), "root": storable_or_none(root), "remote": storable_or_none(remote)}
    fresh = Project(id=id, key=storable(key), slug=slug, name=name, owner=owner, user_level=user_level)
    if _insert_missing(session, PROJECTS, fresh.model_dump() | place | {"created_at": moment}):
        return True
    row = session.connection().execute(select(PROJECTS).where(PROJECTS.c.id == id)).mappings().first()
    if row is None or row["key"] != fresh.key:
        raise StoreError(f"two projects would share the id {id}")
    if row["named"]:
        del place["name"]
    changes = {column: value for column, value in place.items() if value is not None and row[column] != value}
    if changes:
        _refresh(session, PROJECTS, PROJECTS.c.id == id, changes)
    return False


def refresh_place(session: Session, project_id: str, *, name: str, root: str, remote: str | None) -> None:
    """Note where a project lies now. A name that a person gave stays."""
    row = session.connection().execute(select(PROJECTS).where(PROJECTS.c.id == project_id)).mappings().one()
    wanted = {"root": storable(root), "remote": storable_or_none(remote) or row["remote"]}
    if not row["named"]:
        wanted["name"] = storable(name)
    if changes := {column: value for column, value in wanted.items() if row[column] != value}:
        _refresh(session, PROJECTS, PROJECTS.c.id == project_id, changes)


def known_logs(session: Session, host: str, *, agent: str | None = None) -> dict[str, LogStamp]:
    """Return what the last scan of this host saw, by log key: one query for however many files."""
    query = select(LOGS).where(LOGS.c.host == host)
    if agent is not None:
        query = query.where(LOGS.c.agent == agent)
    stamps = {}
    for row in session.connection().execute(query).mappings():
        values = {name: row[name] for name in LogStamp.__slots__}
        stamps[row["key"]] = LogStamp(**values)
    return stamps


def record_log(session: Session, stamp: LogStamp, *, now: float | None = None) -> None:
    """Store a log file's stamp after it was read, or with `error` after it could not be."""
    insert = sqlite.insert(LOGS) if is_sqlite(session) else postgresql.insert(LOGS)
    values: dict[str, object] = {name: getattr(stamp, name) for name in LogStamp.__slots__}
    for name in ("key", "path", "error"):
        values[name] = storable_or_none(getattr(stamp, name))
    values["scanned_at"] = database_now(session) if now is None else now
    changes = {name: value for name, value in values.items() if name not in {"key", "host"}}
    session.flush()
    session.connection().execute(
        insert.values(**values).on_conflict_do_update(index_elements=["key", "host"], set_=changes)
    )


def upsert_thread(session: Session, seen: SeenThread, *, now: float | None = None) -> ThreadChange:
    """Store what a scan found about a session.

    Two logs may hold one session (a copy, a resumed one): the one with the newer activity counts while its log exists.
    A session that moved to another project takes its stage-one output along, and both projects become dirty.
    """
    moment = database_now(session) if now is None else now
    values = _thread_values(seen) | {"scanned_at": moment, "missing": False}
    session.flush()
    if _insert_missing(session, THREADS, Thread.model_validate(values).model_dump()):
        _touch_project(session, seen)
        return ThreadChange(created=True, changed=True)
    old = session.get_one(Thread, seen.id, populate_existing=True, with_for_update=True)
    is_other_log = old.log_key != values["log_key"] or old.host != seen.host
    if is_other_log and not old.missing and (old.last_activity or 0.0) > (seen.last_activity or 0.0):
        return ThreadChange(superseded=True)
    changed = old.content_hash != seen.content_hash
    moved_from = old.project_id if old.project_id != seen.project_id else None
    old.sqlmodel_update(values)
    session.add(old)
    session.flush()
    _touch_project(session, seen)
    if moved_from is not None:
        _move(session, seen, moved_from, moment)
    return ThreadChange(changed=changed, moved_from=moved_from)


def mark_missing(session: Session, host: str, agent: str, present: Collection[str]) -> list[str]:
    """Mark the sessions whose log is gone and forget those logs' stamps; return the session ids.

    Nothing that was learnt from them goes: the stored quotes are the evidence.
    """
    known = known_logs(session, host, agent=agent)
    gone = sorted(set(known) - set(present))
    for keys in _chunks(gone):
        session.connection().execute(LOGS.delete().where(LOGS.c.host == host, LOGS.c.key.in_(keys)))
    missing: list[str] = []
    for keys in _chunks(gone):
        rows = session.connection().execute(
            update(THREADS)
            .where(THREADS.c.host == host, THREADS.c.log_key.in_(keys), THREADS.c.missing.is_(False))
            .values(missing=True)
            .returning(THREADS.c.id)
        )
        missing.extend(rows.scalars())
    return sorted(missing)


def recent_threads(
    session: Session, host: str, *, since: float | None = None, limit: int | None = None, project_id: str | None = None
) -> list[Thread]:
    """Return the sessions of a host, newest activity first; those without a time come last.

    `since` (seconds, epoch) leaves out older ones, `limit` is the depth of the scan. Whether one is eligible is for the
    caller to say: it has the settings, and each refusal needs its reason.
    """
    query = select(Thread).where(THREADS.c.host == host)
    if since is not None:
        query = query.where(or_(THREADS.c.last_activity >= since, THREADS.c.last_activity.is_(None)))
    if project_id is not None:
        query = query.where(THREADS.c.project_id == project_id)
    query = query.order_by(THREADS.c.last_activity.desc().nulls_last(), THREADS.c.id)
    return list(session.scalars(query if limit is None else query.limit(limit)))


_SET_REASON = (
    update(THREADS)
    .where(
        THREADS.c.id.in_(bindparam("ids_", expanding=True)),
        or_(THREADS.c.reason != bindparam("reason_"), THREADS.c.reason_detail != bindparam("detail_")),
    )
    .values(reason=bindparam("reason_"), reason_detail=bindparam("detail_"), reason_at=bindparam("now_"))
)


def set_reasons(session: Session, reasons: Mapping[str, tuple[Reason, str]], *, now: float | None = None) -> None:
    """Record the latest fate of sessions: reason and detail by session id. Unchanged ones keep their time."""
    session.flush()
    moment = database_now(session) if now is None else now
    by_fate: dict[tuple[Reason, str], list[str]] = {}
    for thread_id, fate in reasons.items():
        by_fate.setdefault(fate, []).append(thread_id)
    for (reason, detail), thread_ids in sorted(by_fate.items()):
        values = {"reason_": reason, "detail_": storable(detail), "now_": moment}
        for chunk in _chunks(sorted(thread_ids)):
            session.connection().execute(_SET_REASON, values | {"ids_": list(chunk)})


def count_reasons(session: Session, *, host: str | None = None) -> dict[str, int]:
    """Return how many sessions have each reason."""
    query = select(THREADS.c.reason, func.count()).group_by(THREADS.c.reason).order_by(THREADS.c.reason)
    if host is not None:
        query = query.where(THREADS.c.host == host)
    return {row[0]: row[1] for row in session.connection().execute(query)}


def threads_with(session: Session, reason: str, host: str, project_id: str | None = None) -> list[str]:
    """Ids of a host's sessions whose latest fate is `reason`, the newest first."""
    query = select(THREADS.c.id).where(THREADS.c.reason == reason, THREADS.c.host == host)
    if project_id is not None:
        query = query.where(THREADS.c.project_id == project_id)
    return list(session.connection().execute(query.order_by(THREADS.c.last_activity.desc())).scalars())


def has_begun(session: Session, run_id: str) -> bool:
    """Whether any work of a run was claimed yet."""
    query = select(func.count()).where(JOBS.c.run_id == run_id)
    return session.connection().execute(query).scalar_one() > 0


def count_run_sessions(session: Session, run_id: str, thread_ids: list[str]) -> int:
    """Return how many of a run's sessions have their fate by now: a stored output, a failure, or a place in a batch."""
    done = 0
    for chunk in _chunks(thread_ids):
        query = select(func.count()).where(
            JOBS.c.kind == JobKind.EXTRACT,
            JOBS.c.key.in_(chunk),
            JOBS.c.run_id == run_id,
            JOBS.c.state.not_in((JobState.PENDING, JobState.RUNNING)),
        )
        done += session.connection().execute(query).scalar_one()
    return done


def _insert_missing(session: Session, table: TableClause, values: Mapping[str, object]) -> bool:
    # PostgreSQL's ON CONFLICT waits for whoever is changing the row that is there; a plain look does not.
    if session.connection().execute(select(table.c.id).where(table.c.id == values["id"])).first() is not None:
        return False
    insert = sqlite.insert(table) if is_sqlite(session) else postgresql.insert(table)
    made = session.connection().execute(insert.values(**values).on_conflict_do_nothing().returning(table.c.id))
    return made.first() is not None


def _thread_values(seen: SeenThread) -> dict[str, object]:
    values: dict[str, object] = {}
    for name in SeenThread.__slots__:
        value = getattr(seen, name)
        if isinstance(value, Mapping):
            value = {storable(key): count for key, count in value.items()}
        values[name] = storable(value) if isinstance(value, str) else value
    return values


def _refresh(session: Session, table: SchemaTable, which: ColumnElement[bool], values: Mapping[str, object]) -> None:
    """Update a row unless a worker holds it right now.

    A scan holds the rows of many sessions; waiting for a worker that in turn waits for one of them would be a deadlock.
    What is left out here comes with the next scan or request.
    """
    keys = list(table.primary_key.columns)
    unlocked = select(*keys).where(which).with_for_update(skip_locked=True)
    if (row := session.connection().execute(unlocked).first()) is not None:
        this = and_(*(key == value for key, value in zip(keys, row, strict=True)))
        session.connection().execute(update(table).where(this).values(**values))


def _touch_project(session: Session, seen: SeenThread) -> None:
    if seen.project_id is None or seen.last_activity is None:
        return
    is_newer = or_(PROJECTS.c.last_activity.is_(None), PROJECTS.c.last_activity < seen.last_activity)
    changes = {"last_activity": seen.last_activity}
    _refresh(session, PROJECTS, and_(PROJECTS.c.id == seen.project_id, is_newer), changes)


def _move(session: Session, seen: SeenThread, moved_from: str, now: float) -> None:
    this_job = and_(JOBS.c.kind == JobKind.EXTRACT, JOBS.c.key == seen.id)
    _refresh(session, JOBS, this_job, {"project_id": seen.project_id})
    if seen.project_id is None:
        return
    moved = session.connection().execute(
        update(OUTPUTS).where(OUTPUTS.c.thread_id == seen.id).values(project_id=seen.project_id, pending=True)
    )
    if moved.rowcount:
        bump_generation(session, (moved_from, seen.project_id), now=now)


def _chunks(keys: list[str]) -> Iterable[list[str]]:
    return (keys[start : start + _CHUNK] for start in range(0, len(keys), _CHUNK))
