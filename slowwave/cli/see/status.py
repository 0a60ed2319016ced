"""`slowwave status`: the fate of every session and the state of every project."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from sqlmodel import Session

from slowwave.app import App, open_app
from slowwave.cli.attention import attention
from slowwave.cli.common import ago, json_option, locate, project_option
from slowwave.cli.output import emit, say, table, width
from slowwave.errors import SlowwaveError
from slowwave.memories.projects.stores import is_for
from slowwave.memories.publishing.damage import kept_aside
from slowwave.memories.publishing.publication import root_of
from slowwave.memories.publishing.takeover import Pending, pending_edits
from slowwave.storage.engine import reading
from slowwave.storage.project_keys import projects_in
from slowwave.storage.proposals import held
from slowwave.storage.queries.projects import active_kinds
from slowwave.storage.queries.runs import jobs_by_key, newest_runs
from slowwave.storage.queries.threads import all_threads, redacted, unreadable_logs
from slowwave.storage.queue.owner import this_host
from slowwave.storage.tables import Job, Project, Run, Thread
from slowwave.storage.types import JobKind


@click.command()
@project_option
@click.option("--all", "everything", is_flag=True, help="List every session, not just the last ones.")
@json_option
def status(project: str | None, everything: bool, as_json: bool) -> None:
    """Show what became of each session, why, and how each project stands.

    \b
    Example:
      slowwave status --json
    """
    app = open_app()
    only = locate(project)[1].id if project else None
    data = merged(app, only)
    _put_first(data, only or _here(app))
    data["attention"] = list(attention(app))
    if as_json:
        emit(data)
        return
    _print(data, everything)


def _here(app: App) -> str | None:
    """The project one stands in, if it is a known one."""
    from slowwave.memories.projects.finding import find

    try:
        return find(app, None)[1].id
    except SlowwaveError:
        # No project is known here: the list begins with the first by name.
        return None


def _put_first(data: dict[str, Any], project_id: str | None) -> None:
    data["here"] = project_id if any(project["id"] == project_id for project in data["projects"]) else None
    data["projects"].sort(key=lambda project: project["id"] != project_id)


def merged(app: App, only: str | None) -> dict[str, Any]:
    """What all stores of the installation know, as one."""
    data: dict[str, Any] = {}
    for one in app.stores():
        with reading(one.engine) as session:
            more = gather(one, session, only)
        if not data:
            data = more
            continue
        for name in ("sessions", "projects", "unreadable", "runs"):
            data[name] += more[name]
        for name in ("reasons", "redactions"):
            data[name] = dict(sorted((Counter(data[name]) + Counter(more[name])).items()))
    return data


def gather(app: App, session: Session, only: str | None = None) -> dict[str, Any]:
    """Everything that `status` knows, as plain values."""
    jobs, threads = jobs_by_key(session), all_threads(session)
    rows = sorted(projects_in(session), key=lambda row: (row.name, row.id))
    projects = [row for row in rows if is_for(app, row.id)]
    names = {project.id: project.name for project in projects}
    chosen = [thread for thread in threads if only is None or thread.project_id == only]
    redactions: Counter[str] = Counter()
    for found in redacted(session):
        redactions.update(found)
    return {
        "home": str(app.home),
        "host": this_host(),
        "enabled": app.settings.memories.enabled,
        "sessions": [_session(t, jobs.get((JobKind.EXTRACT, t.id)), names) for t in chosen],
        "reasons": dict(sorted(Counter(thread.reason or "seen" for thread in chosen).items())),
        "unreadable": [
            {"path": row.path, "agent": row.agent, "reason": row.error or ""} for row in unreadable_logs(session)
        ],
        "projects": [
            _project(app, session, p, jobs.get((JobKind.CONSOLIDATE, p.id)))
            for p in projects
            if only is None or p.id == only
        ],
        "redactions": dict(sorted(redactions.items())),
        "runs": [_run(run) for run in newest_runs(session, 5)],
    }


def _session(thread: Thread, job: Job | None, names: dict[str, str]) -> dict[str, Any]:
    return {
        "id": thread.id,
        "agent": thread.agent,
        "session_id": thread.session_id,
        "path": thread.path,
        "project": names.get(thread.project_id or "", ""),
        "project_id": thread.project_id,
        "title": thread.title,
        "kind": thread.kind,
        "last_activity": thread.last_activity,
        "fate": thread.reason or "seen",
        "detail": thread.reason_detail,
        "retry_at": job.retry_at if job is not None else None,
        "attempts": job.attempts if job is not None else 0,
        "crashes": job.crashes if job is not None else 0,
        "dropped": thread.dropped,
        "damaged": thread.damaged,
    }


def _project(app: App, session: Session, project: Project, job: Job | None) -> dict[str, Any]:
    entries = active_kinds(session, project.id)
    root = root_of(app.home, project)
    waiting = project.input_generation > project.consolidated_generation
    edits = _pending(session, root, project)
    held_in_project = [
        {"id": row.id, "operation": row.operation["op"], "entries": row.operation["entries"], "reason": row.reason}
        for row in held(session, project.id)
    ]
    return {
        "id": project.id,
        "name": project.name,
        "root": project.root,
        "remote": project.remote,
        "memory": str(root / "current") if project.version else None,
        "version": project.version,
        "entries": dict(sorted(Counter(entries).items())),
        "dirty": waiting,
        "state": str(job.state) if job is not None else "",
        "reason": (job.reason or "") if job is not None else "",
        "error": (job.error or "") if job is not None else "",
        "retry_at": job.retry_at if job is not None else None,
        "excluded": project.excluded,
        "held": held_in_project,
        "edits": list(edits.changes),
        "damage": list(edits.damage),
        "kept_aside": [str(kept.file) for kept in kept_aside(root)],
        "visibility": project.visibility,
        "last_activity": project.last_activity,
    }


def _pending(session: Session, root: Path, project: Project) -> Pending:
    try:
        return pending_edits(session, root, project) if root.is_dir() else Pending()
    except (OSError, SlowwaveError) as error:
        return Pending((), (f"{root}: {error}",))


def _run(run: Run) -> dict[str, Any]:
    return run.model_dump(exclude={"host", "pid", "owner_boot", "owner_started"})


def _print(data: dict[str, Any], everything: bool) -> None:
    now = time.time()
    say(f"home: {data['home']}  scheduled runs: {'on' if data['enabled'] else 'off'}")
    if data["runs"]:
        run = data["runs"][0]
        say(f"last run: {run['status']}, {ago(run['started_at'], now)}, extractor {run['extractor']}")
        if run["message"]:
            say(f"  {run['message']}")
    for line in data["attention"]:
        say(f"! {line}", style="yellow")
    _print_projects(data)
    _print_sessions(data["sessions"], now, everything)
    counts = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in data["reasons"].items())
    say(f"\n{counts or 'no session is known yet: `slowwave run` reads the logs of the agents on this machine'}")
    for row in data["unreadable"]:
        say(f"unreadable ({row['reason']}): {row['path']}")
    if data["redactions"]:
        removed = ", ".join(f"{count} {kind}" for kind, count in data["redactions"].items())
        say(f"secrets removed: {removed}")


def _print_projects(data: dict[str, Any]) -> None:
    if not data["projects"]:
        return
    say("\nprojects" + " (* the one you are in)" * (data["here"] is not None))
    rows = []
    for project in data["projects"]:
        mark = "* " if project["id"] == data["here"] else ""
        entries = sum(project["entries"].values())
        rows.append((f"{mark}{project['name']}", project["id"][:8], entries, "; ".join(_stands(project))))
    table(("project", "id", "entries", "state"), rows)
    for project in data["projects"]:
        if project["id"] == data["here"] and project["memory"]:
            say(f"{project['name']}: {project['memory']}")
        for change in (*project["edits"], *project["damage"]):
            say(f"{project['name']}: in the files: {change}")


def _stands(project: dict[str, Any]) -> Iterator[str]:
    if not project["memory"]:
        yield "no memory yet"
    if project["dirty"]:
        state = f"{project['state']}: {project['reason']}" if project["reason"] else project["state"]
        yield f"waits for consolidation ({state})" if state else "waits for consolidation"
    if project["held"]:
        yield f"{len(project['held'])} held for you to decide: `slowwave review`"
    if kept := len(project["kept_aside"]):
        yield f"{kept} damaged files were kept aside: `slowwave edits`"


def _print_sessions(sessions: list[dict[str, Any]], now: float, everything: bool) -> None:
    if not sessions:
        return
    shown = sessions if everything else sessions[:20]
    say(f"\nsessions ({len(sessions)})")
    has_room = width() >= 120
    rows = []
    for row in shown:
        detail = f" ({row['detail']})" if row["detail"] else ""
        retry = f", tried again in {(row['retry_at'] - now) / 60:.0f} min" if (row["retry_at"] or 0) > now else ""
        fate = f"{row['fate'].replace('_', ' ')}{detail}{retry}"
        title = f"  {row['title']}" if has_room and row["title"] else ""
        rows.append((row["id"], ago(row["last_activity"], now), fate + title))
    table(("session", "last active", "fate"), rows)
    if len(shown) < len(sessions):
        say(f"... {len(sessions) - len(shown)} more; `slowwave status --all` lists them")
