"""Which sessions a run extracts, and for each other one the reason why not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from slowwave.memories.discovery.exclusion import matches
from slowwave.rollouts.model import ItemKind
from slowwave.settings import MemoriesSettings
from slowwave.storage.queue.backlog import Request, enqueue_extract, forget_done
from slowwave.storage.tables import Job, Project, StageOneOutput, Thread
from slowwave.storage.types import JobKind, JobState, Reason, SessionKind
from slowwave.text import counted

ACTIVE_SECONDS = 15 * 60.0
FUTURE_SECONDS = 48 * 3600.0
DAY = 86_400.0
OFFLINE = "offline"
MODEL = "model"
_SETTLED = (Reason.EXTRACTED, Reason.NOTHING_TO_KEEP)


@dataclass(frozen=True, slots=True)
class Policy:
    """What a run asks for. `family` is `offline` or `model`; `sessions` names sessions whose idleness and age are not
    looked at because a person asked for them."""

    memories: MemoriesSettings
    family: str
    version: int
    now: float
    backfill: bool = False
    project_id: str | None = None
    sessions: frozenset[str] = frozenset()
    since: float | None = None
    reextract: bool = False


@dataclass(frozen=True, slots=True)
class Eligible:
    """The sessions of a plan in order, and everybody's reason with its detail."""

    chosen: tuple[str, ...]
    reasons: Mapping[str, tuple[Reason, str]]
    upgrades: int = 0


def refusal(thread: Thread, project: Project | None, policy: Policy) -> tuple[Reason, str] | None:
    """Why a session may not be extracted whatever the queue says; None when it may."""
    memories = policy.memories
    asked = thread.id in policy.sessions
    if thread.forgotten:
        return Reason.FORGOTTEN, "forgotten by the user; `slowwave ignore --remove` lets it be read again"
    if thread.ignored or (project is not None and project.excluded):
        return Reason.IGNORED, "`slowwave ignore --remove` brings it back"
    pattern = matches(
        memories.exclude,
        paths=[thread.path, thread.cwd],
        names=[thread.session_id, thread.id, *((project.name, project.id) if project is not None else ())],
    )
    if pattern is not None:
        return Reason.EXCLUDED, f"memories.exclude has {pattern}"
    if thread.kind != SessionKind.INTERACTIVE:
        return Reason.NOT_INTERACTIVE, thread.kind
    if not thread.items.get(ItemKind.USER_TEXT) and not _was_set_to_work(thread):
        return Reason.NO_USER_TEXT, ""
    if thread.missing:
        return Reason.VANISHED, "its log is gone"
    last = thread.last_activity
    if last is None:
        return Reason.UNREADABLE, "no record has a time"
    idle = policy.now - last
    if idle < -FUTURE_SECONDS:
        ahead = -idle / DAY
        return Reason.CLOCK, f"its last activity lies {ahead:.0f} days ahead of this machine's clock"
    if asked:
        return None
    if policy.since is not None and last < policy.since:
        return Reason.TOO_OLD, "before the date that was asked for"
    if idle < ACTIVE_SECONDS:
        return Reason.ACTIVE, ""
    if idle < memories.min_rollout_idle_hours * 3600:
        return Reason.NOT_IDLE, f"idle {idle / 3600:.1f} h of {memories.min_rollout_idle_hours:g}"
    if not policy.backfill and idle > memories.max_rollout_age_days * DAY:
        return Reason.TOO_OLD, f"{idle / DAY:.0f} days old, the limit is {memories.max_rollout_age_days:g}"
    return None


def _was_set_to_work(thread: Thread) -> bool:
    """Whether a session without typed words began with an accepted plan, a slash command or a skill, and work followed:
    nothing in it can be a wish, but what was done can be learnt from."""
    return bool(thread.items.get(ItemKind.CONTEXT) and thread.items.get(ItemKind.TOOL_CALL))


def select_sessions(session: Session, threads: Sequence[Thread], policy: Policy, limit: int | None) -> Eligible:
    """Enqueue what is eligible and choose up to `limit` sessions, the projects in turn, newest first in each."""
    ids = [thread.id for thread in threads]
    projects = {p.id: p for p in session.exec(select(Project))}
    done = _done(session, ids)
    outputs = _outputs(session, [thread.id for thread in threads if thread.reason not in _SETTLED])
    reasons: dict[str, tuple[Reason, str]] = {}
    queued: defaultdict[str, list[str]] = defaultdict(list)
    upgrades = 0
    for position, thread in enumerate(threads):
        job = done.get(thread.id)
        if _is_done(thread, job, policy):
            if thread.reason not in _SETTLED:
                reasons[thread.id] = _fate(outputs.get(thread.id))
            continue
        refused = refusal(thread, projects.get(thread.project_id or ""), policy)
        if refused is None and position >= policy.memories.thread_scan_limit and not policy.backfill:
            refused = (Reason.OVER_SCAN_LIMIT, f"memories.threadScanLimit is {policy.memories.thread_scan_limit}")
        if refused is not None:
            reasons[thread.id] = refused
            continue
        if job is not None and job.done_hash == thread.content_hash and policy.reextract:
            forget_done(session, [thread.id])
        standing = enqueue_extract(session, _request(thread, policy))
        reasons[thread.id] = (standing, _detail(job, standing))
        if standing is Reason.QUEUED:
            upgrades += job is not None and job.done_hash == thread.content_hash
            queued[thread.project_id or ""].append(thread.id)
    chosen = _in_turn(queued, limit)
    left = {thread_id for group in queued.values() for thread_id in group} - set(chosen)
    for thread_id in left:
        reasons[thread_id] = (Reason.OVER_RUN_LIMIT, "waits for the next run")
    return Eligible(tuple(chosen), reasons, upgrades)


def _request(thread: Thread, policy: Policy) -> Request:
    return Request(
        thread_id=thread.id,
        source_hash=thread.content_hash,
        extractor=policy.family,
        extractor_version=policy.version,
        project_id=thread.project_id,
        host=thread.host,
        priority=thread.last_activity or 0.0,
    )


def _is_done(thread: Thread, job: Job | None, policy: Policy) -> bool:
    """Whether the content was processed by an extractor as good as this one. A model's work is not redone offline; what
    only the offline extractor has seen is done again once a model is there."""
    if job is None or job.done_hash != thread.content_hash or job.state == JobState.SUBMITTED:
        return False
    if policy.reextract and (thread.project_id == policy.project_id or policy.project_id is None):
        return False
    if policy.family == OFFLINE and job.done_extractor == MODEL:
        return True
    return job.done_extractor == policy.family and job.done_extractor_version >= policy.version


def _done(session: Session, ids: Sequence[str]) -> dict[str, Job]:
    found: dict[str, Job] = {}
    for start in range(0, len(ids), 500):
        rows = session.exec(
            select(Job).where(col(Job.kind) == JobKind.EXTRACT, col(Job.key).in_(ids[start : start + 500]))
        )
        found |= {row.key: row for row in rows}
    return found


def _outputs(session: Session, ids: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for start in range(0, len(ids), 500):
        rows = session.exec(select(StageOneOutput).where(col(StageOneOutput.thread_id).in_(ids[start : start + 500])))
        found |= {row.thread_id: len(row.memories) for row in rows}
    return found


def _fate(memories: int | None) -> tuple[Reason, str]:
    if memories is None:
        return Reason.UP_TO_DATE, ""
    if memories == 0:
        return Reason.NOTHING_TO_KEEP, ""
    return Reason.EXTRACTED, counted(memories, "memory", "memories")


def _detail(job: Job | None, standing: Reason) -> str:
    if job is None or standing not in (Reason.IN_BACKOFF, Reason.DEAD):
        return ""
    return f"{job.reason or ''}: {job.error or ''}".strip(": ")


def _in_turn(queued: Mapping[str, Sequence[str]], limit: int | None) -> list[str]:
    """The first session of each project, then the second of each, and so on."""
    chosen: list[str] = []
    for depth in range(max((len(group) for group in queued.values()), default=0)):
        for group in queued.values():
            if depth < len(group) and (limit is None or len(chosen) < limit):
                chosen.append(group[depth])
    return chosen
