"""The pipeline as plain functions: plan, extract a batch, consolidate a project, finish. Flows only orchestrate them.

Work is claimed in the database, so it does not matter who calls these, how often, or how many at the same time.
"""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from sqlmodel import Session, col, select

from slowwave.app import App, open_app
from slowwave.errors import ConfigError
from slowwave.llm.base import Usage
from slowwave.memories.consolidation import Consolidated, consolidate
from slowwave.memories.discovery import ScanReport, scan_logs
from slowwave.memories.eligibility import MODEL, OFFLINE, Eligible, Policy, select_sessions
from slowwave.memories.extraction import Tally, extract_claimed
from slowwave.memories.forgetting import force_in
from slowwave.memories.spaces import close_space, space_for
from slowwave.memories.workspace import Workspace, retry_policy
from slowwave.paths import HOME_VARIABLE
from slowwave.rollouts.identity import identify
from slowwave.rollouts.registry import readers
from storage.engine import database_now, reading, writing
from storage.generations import dirty_projects as dirty_in
from storage.jobs import reclaim_dead
from storage.killpoints import reach
from storage.ledger import finish_run as close_run
from storage.ledger import mark_crashed_runs, start_run
from storage.owner import current_owner, this_host
from storage.registry import recent_threads, set_reasons
from storage.tables import Project, Run, Thread
from storage.types import JobState, Reason, RunStatus

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What a run is asked to do. `project` is an id, a slug, a name or a folder; `since` a date such as 2026-11-01."""

    kind: str = "nightly"
    project: str | None = None
    sessions: tuple[str, ...] = ()
    backfill: bool = False
    since: str | None = None
    reextract: bool = False
    force: bool = False
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run will do. Plain values: it goes through JSON. `batches` hold thread ids, `projects` ids that are dirty
    already (stage one will make more so)."""

    run_id: str
    kind: str
    extractor: str
    batches: tuple[tuple[str, ...], ...]
    projects: tuple[str, ...]
    reasons: Mapping[str, int] = field(default_factory=dict)
    upgrades: int = 0
    scanned: Mapping[str, int] = field(default_factory=dict)
    only_project: str | None = None

    @property
    def sessions(self) -> int:
        """How many sessions it extracts."""
        return sum(len(batch) for batch in self.batches)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to do."""
        return not self.batches and not self.projects

    def to_json(self) -> str:
        """The plan as JSON."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Plan:
        """The inverse of `to_json`."""
        data = json.loads(text)
        data["batches"] = tuple(tuple(batch) for batch in data["batches"])
        data["projects"] = tuple(data["projects"])
        return Plan(**data)


@dataclass(frozen=True, slots=True)
class BatchReport:
    """What became of a batch: numbers of sessions by reason, secrets removed by type, why it ended early."""

    reasons: dict[str, int]
    redactions: dict[str, int]
    usage: Usage
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class ProjectReport:
    """What became of one project."""

    project_id: str
    outcome: str
    reason: str = ""
    version: int | None = None
    root: str = ""
    operations: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a run did. Counts, ids and reason codes only: it may be shown anywhere."""

    run_id: str
    kind: str
    status: str
    extractor: str
    sessions: dict[str, int] = field(default_factory=dict)
    projects: list[dict[str, Any]] = field(default_factory=list)
    redactions: dict[str, int] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    message: str = ""


def plan_run(
    app: App,
    options: RunOptions,
    *,
    extractor: tuple[str, str, int] | None = None,
    progress: Progress = lambda _: None,
) -> Plan:
    """Scan the logs, judge every session, and say what a run will do. Nothing is sent and nothing is extracted.

    `extractor` is (name, family, version) where the caller knows it. With `options.dry_run` the registry is updated and
    nothing else.

    Raises:
        ConfigError: the project or a session is not known.
        ConsentRequired: the model's endpoint was not accepted yet.
    """
    name, family, version = extractor or extractor_of(app)
    with writing(app.engine) as session:
        mark_crashed_runs(session)
        reclaim_dead(session, retry_policy(app.settings.memories))
    scanned = scan_logs(app.engine, readers(app.env), app.settings, app.env, progress=progress)
    progress("choosing sessions")
    with writing(app.engine) as session:
        project_id = find_project(session, options.project).id if options.project else None
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
        eligible = _choose(session, policy, options)
        set_reasons(session, eligible.reasons)
        if options.force:
            _force(session, project_id)
        projects = _dirty(session, project_id, eligible)
        awaits = family != OFFLINE and _awaits_answers(session)
    size = app.settings.memories.batch_size
    chosen = eligible.chosen
    batches = tuple(chosen[start : start + size] for start in range(0, len(chosen), size))
    if awaits and not batches:
        # A batch without sessions still stores the answers that earlier runs are waiting for.
        batches = ((),)
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
    )
    if not plan.empty and not options.dry_run:
        with writing(app.engine) as session:
            start_run(session, current_owner(), kind=options.kind, extractor=name, run_id=plan.run_id)
    reach("plan.made")
    return plan


def extractor_of(app: App) -> tuple[str, str, int]:
    """Name, family and version of the extractor that the settings give."""
    from slowwave.llm.factory import make_extractor

    extractor = make_extractor(app.settings, app.engine, None, app.env)
    return extractor.name, OFFLINE if extractor.name == OFFLINE else MODEL, extractor.version


def _awaits_answers(session: Session) -> bool:
    from slowwave.memories.batch_extraction import awaits_answers

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


def _asked(session: Session, wanted: Sequence[str]) -> frozenset[str]:
    found: set[str] = set()
    for name in wanted:
        rows = session.exec(
            select(Thread.id).where(
                (col(Thread.id) == name) | (col(Thread.session_id).startswith(name, autoescape=True))
            )
        ).all()
        if not rows:
            raise ConfigError(f"no session {name} is known", hint="`slowwave sessions` lists them.")
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


def find_project(session: Session, name: str) -> Project:
    """Look a project up by id (or its beginning), slug, name, or a folder in it.

    Raises:
        ConfigError: none or several fit.
    """
    rows = session.exec(select(Project).order_by(col(Project.id))).all()
    found = [p for p in rows if name in (p.id, p.slug, p.name, p.root)]
    if not found and len(name) >= 4:
        found = [p for p in rows if p.id.startswith(name)]
    if not found:
        identity = identify(name)
        found = [p for p in rows if p.id == identity.id]
    if not found:
        known = ", ".join(sorted({p.name for p in rows})[:8]) or "none yet"
        raise ConfigError(f"no project {name} is known", hint=f"Known: {known}. `slowwave status` lists them.")
    if len(found) > 1:
        raise ConfigError(
            f"{name} names {len(found)} projects: {', '.join(p.id[:8] for p in found)}", hint="Give the id."
        )
    return found[0]


def _force(session: Session, project_id: str | None) -> None:
    """Consolidate again although nothing is new: the sessions count as not yet seen by stage two."""
    query = select(Project.id).where(col(Project.version) > 0)
    force_in(session, [project_id] if project_id is not None else session.exec(query).all())


def _dirty(session: Session, project_id: str | None, eligible: Eligible) -> tuple[str, ...]:
    now = database_now(session)
    ready = [
        project.id
        for project in dirty_in(session)
        if project.state is not JobState.DEAD and (project.retry_at is None or project.retry_at <= now)
    ]
    return tuple(found for found in ready if project_id is None or found == project_id)


def _app(home: str) -> App:
    app = open_app()
    if str(app.home) == home:
        return app
    return open_app({**app.env, HOME_VARIABLE: home})


async def extract_batch(
    home: str, run_id: str, thread_ids: Sequence[str], *, limit: asyncio.Semaphore | None = None
) -> BatchReport:
    """Stage one for the sessions of a batch that can be claimed. `limit` bounds live sessions over several batches."""
    app = _app(home)
    space = space_for(app, run_id)
    limit = limit or asyncio.Semaphore(app.settings.memories.stage1_concurrency)
    tally = await _stage_one(space, thread_ids, limit)
    await asyncio.to_thread(_add_batch, app, run_id, tally)
    stopped = f"{tally.stopped.reason}: {tally.stopped}" if tally.stopped is not None else ""
    return BatchReport(dict(tally.reasons), dict(tally.redactions), tally.usage, stopped)


async def _stage_one(space: Workspace, thread_ids: Sequence[str], limit: asyncio.Semaphore) -> Tally:
    if space.family == OFFLINE:
        return await extract_claimed(space, thread_ids, limit)
    # The SDK takes most of a second to import, so it is left out where nothing is sent.
    from slowwave.memories.batch_extraction import extract_sessions

    return await extract_sessions(space, thread_ids, limit)


def _add_batch(app: App, run_id: str, tally: Tally) -> None:
    with writing(app.engine) as session:
        run = session.get(Run, run_id, with_for_update=True)
        if run is None:
            return
        run.reasons = _sum(run.reasons, tally.reasons)
        run.redactions = _sum(run.redactions, tally.redactions)
        run.counts = _sum(run.counts, _usage_counts(tally.usage))
        if tally.stopped is not None:
            run.message = str(tally.stopped)
        session.add(run)


def _sum(old: Mapping[str, int], new: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted((Counter(old) + Counter(new)).items()))


def _usage_counts(usage: Usage) -> dict[str, int]:
    if not usage.calls:
        return {}
    return {
        "model_calls": usage.calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cache_read_tokens": usage.cache_read_tokens,
    }


def dirty_projects(app: App, run_id: str) -> tuple[str, ...]:
    """The projects that stage two should look at now."""
    with reading(app.engine) as session:
        return _dirty(session, None, Eligible((), {}))


async def consolidate_project(home: str, run_id: str, project_id: str) -> ProjectReport:
    """Stage two for one project, if it is dirty and nobody else is at it."""
    app = _app(home)
    space = space_for(app, run_id)
    result = await consolidate(space, project_id)
    if result.late:
        again = await consolidate(space, project_id)
        result = replace(again, operations=result.operations + again.operations, changes=result.changes + again.changes)
    report = _project_report(result)
    await asyncio.to_thread(_add_project, app, run_id, report, result)
    return report


def _project_report(result: Consolidated) -> ProjectReport:
    return ProjectReport(
        result.project_id,
        result.outcome,
        result.reason,
        result.version,
        result.root,
        dict(sorted(result.operations.items())),
        dict(sorted(result.refused.items())),
    )


def _add_project(app: App, run_id: str, report: ProjectReport, result: Consolidated) -> None:
    with writing(app.engine) as session:
        run = session.get(Run, run_id, with_for_update=True)
        if run is None:
            return
        project = session.get(Project, report.project_id)
        row = asdict(report) | {"name": project.name if project is not None else report.project_id}
        row["edits"] = len(result.changes)
        run.projects = [*run.projects, row]
        run.counts = _sum(run.counts, _usage_counts(result.usage))
        if result.stopped is not None and not run.message:
            run.message = str(result.stopped)
        session.add(run)


def finish_run(app: App, run_id: str, *, status: RunStatus | None = None) -> RunReport:
    """Close the run's record and return its report."""
    close_space(app, run_id)
    with writing(app.engine) as session:
        run = session.get_one(Run, run_id)
        final = status or _status(run)
        close_run(
            session,
            run_id,
            final,
            counts=run.counts,
            reasons=run.reasons,
            redactions=run.redactions,
            message=run.message,
        )
        seconds = database_now(session) - run.started_at
        return RunReport(
            run_id=run.id,
            kind=run.kind,
            status=final,
            extractor=run.extractor,
            sessions=dict(run.reasons),
            projects=list(run.projects),
            redactions=dict(run.redactions),
            counts=dict(run.counts),
            seconds=seconds,
            message=run.message,
        )


_FINE = {Reason.EXTRACTED, Reason.NOTHING_TO_KEEP, Reason.BUDGET, "not_claimed", "lease_lost"}


def _status(run: Run) -> RunStatus:
    failed = sum(count for reason, count in run.reasons.items() if reason not in _FINE)
    bad_projects = [row for row in run.projects if row["outcome"] == "failed"]
    if not failed and not bad_projects:
        return RunStatus.COMPLETED
    good = any(reason in _FINE for reason in run.reasons) or any(
        row["outcome"] in ("published", "unchanged") for row in run.projects
    )
    return RunStatus.PARTIAL if good else RunStatus.FAILED
