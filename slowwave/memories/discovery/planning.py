"""What a run will do: scan the logs, judge every session, choose. Nothing is sent and nothing is extracted."""

from __future__ import annotations

import math
import os
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence

from sqlmodel import Session, col, func, select

from slowwave.app import HOME_STORE, TEAM_STORE, App
from slowwave.errors import ConfigError, NotFound, PublishError, SlowwaveError
from slowwave.memories.byhand.forgetting import force_in
from slowwave.memories.consolidation.promotion import promotion_wanted_in
from slowwave.memories.context import retry_policy
from slowwave.memories.day import has_new_notes
from slowwave.memories.discovery.eligibility import DAY, MODEL, OFFLINE, Eligible, Policy, select_sessions
from slowwave.memories.discovery.reviving import revive
from slowwave.memories.discovery.scanning import ScanReport, scan_logs
from slowwave.memories.projects.finding import find_in
from slowwave.memories.projects.following import follow_team
from slowwave.memories.projects.joining import join_projects
from slowwave.memories.projects.noted import adopt_notes
from slowwave.memories.projects.placing import refresh_keys
from slowwave.memories.projects.stores import is_for, shared_projects
from slowwave.memories.publishing.recovery import recover_lost
from slowwave.memories.publishing.render import OPEN_WORK
from slowwave.memories.reports import Plan, RunOptions
from slowwave.paths import memory_root
from slowwave.rollouts.readers import readers
from slowwave.settings import MemoriesSettings, ModelsSettings
from slowwave.storage.call_log import mark_crashed_runs, start_run
from slowwave.storage.engine import database_now, writing
from slowwave.storage.failpoints import reach
from slowwave.storage.proposals import open_work_in
from slowwave.storage.published.live import is_edited
from slowwave.storage.published.versions import version_manifest
from slowwave.storage.queue.generations import bump_generation
from slowwave.storage.queue.generations import dirty_projects as dirty_in
from slowwave.storage.queue.jobs import reclaim_dead
from slowwave.storage.queue.owner import current_owner, this_host
from slowwave.storage.registry import recent_threads, set_reasons
from slowwave.storage.tables import Project, Run, Thread
from slowwave.storage.types import JobState

MOST_IN_TASK = 64
CLOCK_SECONDS = 86_400.0
LEAST_IN_TASK = 8

Progress = Callable[[str], None]


def plan_run(
    app: App,
    options: RunOptions,
    *,
    extractor: tuple[str, str, int] | None = None,
    progress: Progress = lambda _: None,
    scanned: ScanReport | None = None,
) -> Plan:
    """Scan the logs (unless `scanned` says that it was done), judge every session of the store, and say what a run will
    do. Nothing is sent and nothing is extracted.

    `extractor` is (name, family, version) where the caller knows it. With `options.dry_run` the registry is updated and
    nothing else.

    Raises:
        ConfigError: the project or a session is not known.
        ConsentRequired: the model's endpoint was not accepted yet.
    """
    notes = recover_lost(app) if app.store == HOME_STORE and not options.dry_run else []
    name, family, version = extractor or extractor_of(app, sends=not options.dry_run)
    with writing(app.engine) as session:
        mark_crashed_runs(session)
        reclaim_dead(session, retry_policy(app.settings.memories))
        if family == MODEL:
            revive(session, _settled(app), app.env)
    scanned = scan(app, progress) if scanned is None else scanned
    progress("choosing sessions")
    if app.store == TEAM_STORE and not options.dry_run:
        progress("fetching what the team published")
        follow_team(app)
    project_id = find_in(app, options.project).id if options.project else None
    with writing(app.engine) as session:
        policy = Policy(
            memories=app.settings.memories,
            family=family,
            version=version,
            now=time.time(),
            backfill=options.backfill,
            project_id=project_id,
            sessions=_asked(session, options.sessions),
            since=_since(options.since),
            reextract=options.reextract,
        )
        notes += _clock_trouble(session, policy.now)
        eligible = _choose(session, policy, options)
        set_reasons(session, eligible.reasons)
        if options.force:
            _force(session, project_id)
        _wake_noted(app, session)
        _wake_edited(app, session)
        projects = tuple(one for one in ready_projects_in(session, project_id) if is_for(app, one))
        promotion = project_id is None and promotion_wanted_in(session) > 0
        batches = _batches(app, eligible.chosen, family != OFFLINE and _awaits_answers(session))
    reasons = Counter(str(reason) for reason, _ in eligible.reasons.values())
    plan = Plan(
        run_id=uuid.uuid4().hex,
        kind=options.kind,
        extractor=name,
        batches=batches,
        projects=projects,
        reasons=dict(reasons),
        upgrades=eligible.upgrades,
        scanned=_scanned(scanned),
        only_project=project_id,
        promotion=promotion,
        notes=tuple(notes),
    )
    if not plan.empty and not options.dry_run:
        with writing(app.engine) as session:
            start_run(session, current_owner(), kind=options.kind, extractor=name, run_id=plan.run_id)
    reach("plan.made")
    return plan


def scan(app: App, progress: Progress = lambda _: None) -> ScanReport:
    """Scan the logs of this host. Sessions of shared projects go to the team's store, all others to the home's own."""
    home = app.at(HOME_STORE)
    shared = shared_projects(app)
    team = app.at(TEAM_STORE) if shared else home

    def join(keep: str, gone: str, reason: str) -> bool:
        if keep in shared or gone in shared:
            # What is private never moves into the team's database unless a person says so.
            return False
        try:
            join_projects(home, keep, gone, by="scan", reason=reason, publish=False)
        except SlowwaveError as error:
            progress(f"two projects stay two for now: {error}")
            return False
        return True

    refresh_keys(home.engine)
    report = scan_logs(
        home.engine,
        readers(app.env),
        app.settings,
        app.env,
        progress=progress,
        route=lambda project_id: team.engine if project_id in shared else home.engine,
        join=join,
    )
    adopt_notes(home)
    return report


def extractor_of(app: App, *, sends: bool = True) -> tuple[str, str, int]:
    """Name, family and version of the extractor that the settings give."""
    from slowwave.llm.factory import make_extractor

    extractor = make_extractor(app.settings, app.engine, None, app.env, sends=sends)
    return extractor.name, OFFLINE if extractor.name == OFFLINE else MODEL, extractor.version


def _settled(app: App) -> ModelsSettings:
    from slowwave.llm.providers import settled

    return settled(app.settings.models, app.engine, app.env)


def _awaits_answers(session: Session) -> bool:
    from slowwave.memories.extraction.batch_steps import awaits_answers

    return awaits_answers(session)


def _scanned(report: ScanReport) -> dict[str, int]:
    counts = {"logs": report.files, "read": report.read, "new": report.new, "changed": report.changed}
    return counts | {f"error:{reason}": count for reason, count in report.errors.items()}


def _choose(session: Session, policy: Policy, options: RunOptions) -> Eligible:
    threads = recent_threads(session, this_host(), project_id=policy.project_id)
    if policy.sessions:
        threads = [thread for thread in threads if thread.id in policy.sessions]
    limit = None if options.backfill or policy.sessions else policy.memories.max_rollouts_per_startup
    if options.kind == "rebuild" and not options.reextract:
        return Eligible((), {})
    return select_sessions(session, threads, policy, limit)


def _task_size(memories: MemoriesSettings, sessions: int) -> int:
    """Sessions in one Prefect task. In one process a task more is only overhead; a cluster gets four for each
    processor, so that one that takes long leaves the others something to do."""
    if memories.batch_size is not None:
        return memories.batch_size
    if memories.task_runner != "dask":
        return MOST_IN_TASK
    return min(MOST_IN_TASK, max(LEAST_IN_TASK, math.ceil(sessions / (4 * (os.cpu_count() or 1)))))


def _batches(app: App, chosen: Sequence[str], answers: bool) -> tuple[tuple[str, ...], ...]:
    """Cut the sessions into units of work: one for all when they go out as message batches. An empty one is there to
    collect the answers to an earlier run's batches."""
    memories = app.settings.memories
    size = max(1, len(chosen)) if memories.batch else _task_size(memories, len(chosen))
    batches = tuple(tuple(chosen[start : start + size]) for start in range(0, len(chosen), size))
    return batches or (((),) if answers else ())


def _wake_noted(app: App, session: Session) -> None:
    """Projects about which the day noted something are dirty."""
    known = session.exec(select(Project.id).where(col(Project.excluded).is_(False))).all()
    noted = [project_id for project_id in known if has_new_notes(app.home, session, project_id)]
    waiting = {project.id for project in dirty_in(session)}
    if fresh := [project_id for project_id in noted if project_id not in waiting]:
        bump_generation(session, fresh)


def _clock_trouble(session: Session, now: float) -> list[str]:
    """Say so when this machine's clock is behind an earlier run: nothing is lost, but ages and schedules are wrong."""
    newest: float | None = session.exec(select(func.max(Run.started_at))).first()
    if newest is None or newest - now < CLOCK_SECONDS:
        return []
    days = (newest - now) / CLOCK_SECONDS
    return [f"this machine's clock is {days:.0f} days behind an earlier run; sessions of later dates wait for it"]


def _wake_edited(app: App, session: Session) -> None:
    """Projects whose published files a person changed, or something damaged, are dirty."""
    waiting = {project.id for project in dirty_in(session)}
    in_use = (col(Project.version) > 0, col(Project.excluded).is_(False), col(Project.joined_to).is_(None))
    published = session.exec(select(Project).where(*in_use))
    for project in published.all():
        if project.id not in waiting and (_is_edited(app, session, project) or _shows_old_work(app, session, project)):
            bump_generation(session, project.id)


def _shows_old_work(app: App, session: Session, project: Project) -> bool:
    """Whether the published files still say that something is open which is too old to be told."""
    shown = memory_root(app.home, project.slug, project.id) / "current" / OPEN_WORK
    since = database_now(session) - app.settings.memories.open_work_days * DAY
    return shown.is_file() and not open_work_in(session, project.id, since)


def _is_edited(app: App, session: Session, project: Project) -> bool:
    manifest = version_manifest(session, project.id, project.version)
    root = memory_root(app.home, project.slug, project.id)
    try:
        return manifest is not None and root.is_dir() and is_edited(root, manifest)
    except (OSError, PublishError):
        # What cannot be read is looked at under the project's claim, where the reason is recorded.
        return True


def _asked(session: Session, wanted: Sequence[str]) -> frozenset[str]:
    found: set[str] = set()
    for name in wanted:
        rows = session.exec(
            select(Thread.id).where(
                (col(Thread.id) == name) | (col(Thread.session_id).startswith(name, autoescape=True))
            )
        ).all()
        if not rows:
            raise NotFound(f"no session {name} is known", hint="`slowwave sessions` lists them.")
        if len(rows) > 1:
            raise ConfigError(f"{name} names {len(rows)} sessions", hint="Give more of the id.")
        found.update(rows)
    return frozenset(found)


def _since(text: str | None) -> float | None:
    if text is None:
        return None
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise ConfigError(f"{text!r} is not a date", hint="Write it like 2026-11-01.") from error
    return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp()


def _force(session: Session, project_id: str | None) -> None:
    """Consolidate again although nothing is new: the sessions count as not yet seen by stage two."""
    query = select(Project.id).where(col(Project.version) > 0, col(Project.joined_to).is_(None))
    force_in(session, [project_id] if project_id is not None else session.exec(query).all())


def ready_projects_in(session: Session, project_id: str | None = None) -> tuple[str, ...]:
    """Projects with something new whose backoff is over; dead ones wait for `slowwave retry`."""
    now = database_now(session)
    ready = [
        project.id
        for project in dirty_in(session)
        if project.state is not JobState.DEAD and (project.retry_at is None or project.retry_at <= now)
    ]
    return tuple(found for found in ready if project_id is None or found == project_id)
