"""Find session logs and register what is new. An unchanged file costs one `stat`, a changed one is read once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session

from slowwave.errors import RolloutError, RolloutUnreadable, RolloutVanished
from slowwave.memories.discovery.exclusion import matches
from slowwave.memories.projects.placing import Join, Placing
from slowwave.redaction.api import redact
from slowwave.rollouts.model import LogFile, Reader, SessionFacts
from slowwave.settings import Settings
from slowwave.storage.engine import reading, writing
from slowwave.storage.failpoints import reach
from slowwave.storage.queue.owner import this_host
from slowwave.storage.registry import (
    LogStamp,
    SeenThread,
    known_logs,
    mark_missing,
    record_log,
    upsert_thread,
)
from slowwave.storage.types import SessionKind
from slowwave.text.hygiene import clean_line

COMMIT_EVERY = 50
WAVE = 4_000
Progress = Callable[[str], None]
Route = Callable[[str], Engine]


@dataclass(slots=True)
class ScanReport:
    """What a scan did. `errors` counts logs by why they could not be read, `files` and `read` are numbers of logs."""

    files: int = 0
    read: int = 0
    new: int = 0
    changed: int = 0
    missing: int = 0
    excluded: int = 0
    errors: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class _Found:
    stamp: LogStamp
    facts: SessionFacts | None = None
    project: str | None = None
    log: LogFile | None = None


def reader_version(reader: Reader) -> int:
    """A reader's optional `version`: a new one makes every log count as changed."""
    return int(getattr(reader, "version", 1))


def scan_logs(
    engine: Engine,
    readers: Mapping[str, Reader],
    settings: Settings,
    env: Mapping[str, str],
    *,
    progress: Progress = lambda _: None,
    route: Route | None = None,
    join: Join = lambda _keep, _gone, _reason: False,
) -> ScanReport:
    """Walk every agent's logs and register sessions and projects.

    `route` says in which database a project's sessions are registered; without it, in `engine`, which keeps the stamps
    of all log files and knows all projects. `join` makes one project of two that turn out to be one. Damage inside a
    log and logs that cannot be read are counted and recorded; nothing here stops for one log.
    """
    report = ScanReport()
    host = this_host()
    home = Path(env.get("HOME") or Path.home())
    placing: Placing | None = None
    pending: list[_Found] = []
    gone: list[tuple[str, set[str]]] = []
    for agent, reader in readers.items():
        if settings.memories.readers is not None and agent not in settings.memories.readers:
            continue
        with reading(engine) as session:
            known = known_logs(session, host, agent=agent)
        present: set[str] = set()
        for log in reader.discover(env, home):
            report.files += 1
            present.add(log.key)
            if matches(settings.memories.exclude, paths=[str(log.path)]):
                report.excluded += 1
                continue
            if _unchanged(known.get(log.key), log, reader):
                continue
            progress(f"reading {agent} logs")
            found = _read(reader, log, host, report)
            if found is not None:
                pending.append(found)
            if len(pending) >= WAVE:
                placing = placing or Placing(engine, join)
                _place_and_store(engine, placing, pending, report, route)
                pending = []
        if known.keys() - present:
            gone.append((agent, present))
    if pending:
        _place_and_store(engine, placing or Placing(engine, join), pending, report, route)
    for agent, present in gone:
        with writing(engine) as session:
            report.missing += len(mark_missing(session, host, agent, present))
    return report


def _place_and_store(
    engine: Engine, placing: Placing, found: list[_Found], report: ScanReport, route: Route | None
) -> None:
    placed = placing.settle([one.facts for one in found if one.facts is not None])
    for one in found:
        if one.facts is not None:
            one.project = placed[one.facts.thread_id]
    for start in range(0, len(found), COMMIT_EVERY):
        _store(engine, found[start : start + COMMIT_EVERY], report, route)


def _unchanged(stamp: LogStamp | None, log: LogFile, reader: Reader) -> bool:
    return (
        stamp is not None
        and stamp.size == log.size
        and stamp.mtime_ns == log.mtime_ns
        and stamp.inode == str(log.inode)
        and stamp.reader_version == reader_version(reader)
        and stamp.error != RolloutVanished.reason
    )


def _read(
    reader: Reader,
    log: LogFile,
    host: str,
    report: ScanReport,
) -> _Found | None:
    report.read += 1
    stamp = LogStamp(
        key=log.key,
        host=host,
        agent=log.agent,
        path=str(log.path),
        size=log.size,
        mtime_ns=log.mtime_ns,
        inode=str(log.inode),
        reader_version=reader_version(reader),
    )
    if redact(log.key).text != log.key:
        report.errors["secret_in_path"] += 1
        return None
    try:
        facts = reader.scan(log)
    except RolloutVanished:
        report.errors[RolloutVanished.reason] += 1
        return None
    except RolloutError as error:
        report.errors[error.reason] += 1
        return _Found(replace(stamp, error=error.reason))
    if not facts.session_id:
        return _Found(replace(stamp, error="no_session"))
    return _Found(replace(stamp, thread_id=facts.thread_id), facts, None, log)


def _store(engine: Engine, found: list[_Found], report: ScanReport, route: Route | None) -> None:
    """Sessions first, stamps last: after a crash in between a log is read again, never forgotten."""
    if not found:
        return
    by_engine: dict[Engine, list[_Found]] = {}
    for one in found:
        target = engine if route is None or one.project is None else route(one.project)
        by_engine.setdefault(target, []).append(one)
    for target, group in by_engine.items():
        if target is not engine:
            with writing(target) as session:
                _register_all(session, group, report)
    with writing(engine) as session:
        _register_all(session, by_engine.get(engine, []), report)
        for one in found:
            record_log(session, one.stamp)
    reach("scan.stored")


def _register_all(session: Session, found: list[_Found], report: ScanReport) -> None:
    for one in found:
        if one.facts is not None and one.project is not None and one.log is not None:
            register(session, one.facts, one.project, one.log, one.stamp.host, report)


def register(
    session: Session,
    facts: SessionFacts,
    project_id: str,
    log: LogFile,
    host: str,
    report: ScanReport,
) -> None:
    """Store a session in its project. Texts from the log are redacted before they enter the database."""
    change = upsert_thread(
        session,
        SeenThread(
            id=facts.thread_id,
            agent=facts.agent,
            session_id=facts.session_id,
            host=host,
            path=str(log.path),
            log_key=log.key,
            kind=SessionKind(facts.kind),
            content_hash=facts.content_hash,
            project_id=project_id,
            parent_session_id=facts.parent_session_id,
            cwd=_clean(facts.cwd),
            branch=_clean(clean_line(facts.branch or "", 300)) or None,
            title=_clean(clean_line(facts.title or "", 300)),
            model=facts.model,
            started_at=facts.started.timestamp() if facts.started is not None else None,
            last_activity=facts.last_activity.timestamp() if facts.last_activity is not None else None,
            size=log.size,
            items=dict(facts.items),
            dropped=dict(facts.dropped),
            unknown=_clean_keys(facts.unknown),
            turns_by_cwd=_clean_keys(facts.turns_by_cwd),
            damaged=facts.damaged,
        ),
    )
    report.new += change.created
    report.changed += change.changed and not change.created


def _clean(text: str | None) -> str | None:
    return redact(text).text if text else text


def _clean_keys(counts: Mapping[str, int]) -> dict[str, int]:
    cleaned: Counter[str] = Counter()
    for key, count in counts.items():
        cleaned[redact(key).text] += count
    return dict(cleaned)


def log_of(path: str, key: str, agent: str) -> LogFile:
    """The log file of a registered session as it is now.

    Raises:
        RolloutVanished: it is gone.
        RolloutUnreadable: it may not be looked at.
    """
    try:
        stat = Path(path).stat()
    except FileNotFoundError as error:
        raise RolloutVanished(f"{path} is gone") from error
    except OSError as error:
        raise RolloutUnreadable(f"{path} cannot be read: {error.strerror}") from error
    return LogFile(agent, Path(path), key, stat.st_size, stat.st_mtime_ns, stat.st_ino)
