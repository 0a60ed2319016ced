"""Which sessions there are, from the logs themselves; what an earlier scan registered is not read again."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from slowwave.app import App
from slowwave.errors import RolloutError
from slowwave.memories.discovery.eligibility import OFFLINE, Policy, refusal
from slowwave.memories.discovery.exclusion import matches
from slowwave.memories.discovery.scanning import reader_version
from slowwave.memories.projects.finding import book_of
from slowwave.rollouts.identity.places import Looked
from slowwave.rollouts.identity.projects import ProjectIdentity, project_of
from slowwave.rollouts.model import ItemKind, LogFile, Reader, SessionFacts
from slowwave.rollouts.readers import readers
from slowwave.storage.engine import reading
from slowwave.storage.queries.projects import all_projects
from slowwave.storage.queries.threads import all_threads
from slowwave.storage.queue.owner import this_host
from slowwave.storage.registry import LogStamp, known_logs
from slowwave.storage.tables import Project, Thread
from slowwave.storage.types import Reason


@dataclass(frozen=True, slots=True)
class Found:
    """A session as `slowwave sessions` lists it. `idle` is in seconds, `size` in bytes, `turns` counts user texts."""

    session: str
    agent: str
    project: str
    project_id: str
    kind: str
    turns: int
    size: int
    idle: float | None
    last_activity: float | None
    reason: str
    detail: str
    title: str | None
    path: str


@dataclass(frozen=True, slots=True)
class _Registered:
    stamps: Mapping[str, LogStamp]
    threads: Mapping[str, Thread]
    projects: Mapping[str, Project]


def user_home(app: App) -> Path:
    """The home folder whose agents are looked at."""
    return Path(app.env.get("HOME") or Path.home())


def chosen_readers(app: App) -> dict[str, Reader]:
    """The readers that the settings allow."""
    allowed = app.settings.memories.readers
    return {agent: reader for agent, reader in readers(app.env).items() if allowed is None or agent in allowed}


def find_sessions(app: App) -> Iterator[Found]:
    """Yield every session of every agent with its fate in the next run. Nothing is written."""
    registered = _registered(app)
    policy = Policy(app.settings.memories, OFFLINE, 1, time.time())
    book, looked = book_of(app), Looked()
    for reader in chosen_readers(app).values():
        for log in reader.discover(app.env, user_home(app)):
            if pattern := matches(app.settings.memories.exclude, paths=[str(log.path)]):
                yield _unread(log, Reason.EXCLUDED, f"memories.exclude has {pattern}")
                continue
            stamp = registered.stamps.get(log.key)
            thread = registered.threads.get(stamp.thread_id or "") if stamp else None
            if stamp is not None and thread is not None and _unchanged(stamp, log, reader):
                project = registered.projects.get(thread.project_id or "")
                yield _judged(thread, project, project.name if project else "", policy)
                continue
            try:
                facts = reader.scan(log)
            except RolloutError as error:
                yield _unread(log, error.reason, str(error))
                continue
            identity = project_of(facts, book, looked)
            thread = _thread(facts, identity, log, thread)
            yield _judged(thread, registered.projects.get(identity.id), identity.name, policy)


def _registered(app: App) -> _Registered:
    """What the database knows; nothing where there is none yet, and then none is made."""
    if isinstance(app.database_url, Path) and not app.database_url.exists():
        return _Registered({}, {}, {})
    with reading(app.engine) as session:
        threads, projects = all_threads(session), all_projects(session)
        session.expunge_all()
        return _Registered(
            known_logs(session, this_host()),
            {thread.id: thread for thread in threads},
            {project.id: project for project in projects},
        )


def _unchanged(stamp: LogStamp, log: LogFile, reader: Reader) -> bool:
    seen = (stamp.size, stamp.mtime_ns, stamp.inode, stamp.reader_version)
    return seen == (log.size, log.mtime_ns, str(log.inode), reader_version(reader))


def _thread(facts: SessionFacts, project: ProjectIdentity, log: LogFile, known: Thread | None) -> Thread:
    return Thread(
        id=facts.thread_id,
        agent=facts.agent,
        session_id=facts.session_id,
        host=this_host(),
        path=str(log.path),
        log_key=log.key,
        project_id=project.id,
        cwd=facts.cwd,
        kind=str(facts.kind),
        title=facts.title,
        last_activity=facts.last_activity.timestamp() if facts.last_activity else None,
        size=log.size,
        items=dict(facts.items),
        ignored=known.ignored if known else False,
        forgotten=known.forgotten if known else False,
    )


def _judged(thread: Thread, project: Project | None, name: str, policy: Policy) -> Found:
    refused = refusal(thread, project, policy)
    if refused is not None:
        reason, detail = refused
    elif thread.reason in (Reason.EXTRACTED, Reason.NOTHING_TO_KEEP, Reason.UP_TO_DATE, Reason.DEAD, Reason.IN_BACKOFF):
        reason, detail = Reason(thread.reason), thread.reason_detail
    else:
        reason, detail = Reason.ELIGIBLE, ""
    last = thread.last_activity
    return Found(
        session=thread.id,
        agent=thread.agent,
        project=name,
        project_id=thread.project_id or "",
        kind=thread.kind,
        turns=thread.items.get(ItemKind.USER_TEXT.value, 0),
        size=thread.size,
        idle=None if last is None else policy.now - last,
        last_activity=last,
        reason=reason.value,
        detail=detail,
        title=thread.title,
        path=thread.log_key,
    )


def _unread(log: LogFile, reason: str, detail: str) -> Found:
    return Found("", log.agent, "", "", "", 0, log.size, None, None, str(reason), detail, None, log.key)
