"""The installation itself: files, database, the last run, the hooks' log, the model and the schedule."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from sqlmodel import Session

from slowwave.agents.doctor.findings import Finding, Level
from slowwave.agents.hook.index import DAY, notice, read_index
from slowwave.app import App
from slowwave.errors import SlowwaveError
from slowwave.llm.commandline.agents import AGENTS
from slowwave.llm.endpoint.capabilities import Capabilities
from slowwave.llm.providers import installed, settled
from slowwave.llm.roles import AGENT_PREFIX, Role, resolve_roles, variables_of
from slowwave.llm.spending.consent import endpoints_to_accept, is_accepted, is_loopback
from slowwave.memories.projects.following import behind
from slowwave.memories.publishing.damage import kept_aside
from slowwave.memories.publishing.publication import root_of
from slowwave.memories.publishing.takeover import pending_edits
from slowwave.paths import config_file, hook_index_file, hook_log_file, session_database_file
from slowwave.scheduling.job import nightly_job, only_here
from slowwave.storage.engine import reading
from slowwave.storage.queries.projects import published_projects
from slowwave.storage.tables import Project

CONNECT_SECONDS = 3.0


def examine_home(app: App) -> Iterator[Finding]:
    """Yield what there is to say about the installation."""
    yield _permissions(app.home)
    yield from _database(app)
    yield from _team(app)
    yield from _files(app)
    yield from _index(app)
    yield _hook_log(app.home)
    yield from _model(app)
    yield from _schedule(app)


def _permissions(home: Path) -> Finding:
    """Memory and logs of sessions are private: nobody else may enter the home folder."""
    if not home.is_dir():
        return Finding("home", "permissions", Level.INFO, f"{home} does not exist yet", "Run `slowwave init`.")
    private = (home, home / "hooks", config_file(home), session_database_file(home), hook_index_file(home))
    open_ones = [path for path in private if path.exists() and path.stat().st_mode & 0o077]
    if open_ones and home in open_ones:
        todo = f"Run `chmod -R go= {home}`."
        return Finding("home", "permissions", Level.WARNING, f"others may read {open_ones[0]}", todo)
    return Finding("home", "permissions", Level.OK, f"{home} is private")


def _database(app: App) -> Iterator[Finding]:
    for store in app.stores():
        check = "database" if store.store == app.store else f"{store.store} database"
        try:
            with reading(store.engine):
                where = "SQLite" if store.engine.dialect.name == "sqlite" else "PostgreSQL"
                yield Finding("home", check, Level.OK, f"{where} answers and has this version's tables")
        except SlowwaveError as error:
            yield Finding("home", check, Level.FAULT, str(error), error.hint)


def _team(app: App) -> Iterator[Finding]:
    """How far this host is behind what its team published."""
    if not app.has_team:
        return
    try:
        found = list(behind(app))
    except SlowwaveError:
        # That the team's database does not answer is said above.
        return
    for one in found:
        purged = "; something in it was purged" if one.purged else ""
        text = f"{one.project.name}: version {one.here or 'none'} here, the team has {one.there}{purged}"
        yield Finding("home", "team", Level.WARNING, text, "Run `slowwave run`: it fetches what the team published.")
    if not found:
        yield Finding("home", "team", Level.OK, "what is shared is as the team published it")


def _files(app: App) -> Iterator[Finding]:
    """Edits that wait, damage, and damaged files that were kept aside."""
    for store in app.stores():
        try:
            with reading(store.engine) as session:
                for project in published_projects(session):
                    yield from _files_of(session, root_of(store.home, project), project)
        except (SlowwaveError, OSError) as error:
            yield Finding("home", "files", Level.FAULT, str(error))


def _files_of(session: Session, root: Path, project: Project) -> Iterator[Finding]:
    if not root.is_dir():
        return
    waiting = pending_edits(session, root, project)
    if waiting.damage:
        text = f"{project.name}: {'; '.join(waiting.damage)}"
        yield Finding("home", "files", Level.WARNING, text)
    if waiting.changes:
        yield Finding("home", "files", Level.INFO, f"{project.name}: {len(waiting.changes)} edits wait for a run")
    if kept := kept_aside(root):
        text = f"{project.name}: {len(kept)} damaged files were kept aside"
        yield Finding("home", "files", Level.WARNING, text, "`slowwave edits` shows them.")


def _index(app: App) -> Iterator[Finding]:
    try:
        index = read_index(app.home)
    except (OSError, ValueError, KeyError, TypeError) as error:
        text = f"hooks/index.json cannot be used: {error}"
        yield Finding("home", "blocks", Level.FAULT, text, "Run `slowwave view`, which compiles it again.")
        return
    count = len(list((app.home / "hooks").glob("*.md")))
    yield Finding("home", "blocks", Level.OK, f"{count} projects have a start-up block")
    stale = notice(index, time.time())
    if stale:
        yield Finding("home", "last run", Level.WARNING, stale, "See `slowwave status`.")
    elif index.last_run is not None:
        hours = max(0.0, time.time() - index.last_run.at) / 3600
        yield Finding("home", "last run", Level.OK, f"{index.last_run.status} {hours:.0f} hours ago")
    else:
        yield Finding("home", "last run", Level.INFO, "no run yet", "Run `slowwave run`.")


def _hook_log(home: Path) -> Finding:
    """Failures of hooks in the last day, which no agent shows."""
    reasons: list[str] = []
    try:
        lines = hook_log_file(home).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        lines = []
    for line in lines:
        at, reason = _record(line)
        if at > time.time() - DAY:
            reasons.append(reason)
    if not reasons:
        return Finding("home", "hook log", Level.OK, "no hook failed in the last day")
    text = f"{len(reasons)} hook calls failed in the last day, the newest: {reasons[-1]}"
    return Finding("home", "hook log", Level.WARNING, text, f"See {hook_log_file(home)}.")


def _record(line: str) -> tuple[float, str]:
    """Time and text of a line of the log: JSON from the hook itself, a dated line from the in-session layers."""
    try:
        record = json.loads(line)
        return float(record["at"]), f"{record['agent']} {record['event']}: {record['reason']}"
    except (ValueError, KeyError, TypeError):
        stamp, _, reason = line.partition(" ")
    try:
        return datetime.fromisoformat(stamp).timestamp(), reason
    except ValueError:
        return 0.0, ""


def _model(app: App) -> Iterator[Finding]:
    models = settled(app.settings.models, app.engine, app.env)
    if models.provider == "offline":
        text = "the offline extractor is used; no key and no network is needed"
        yield Finding("home", "model", Level.INFO, text, "Set a key or models.default.baseUrl for a model.")
        return
    try:
        roles = resolve_roles(models, app.env)
    except SlowwaveError as error:
        yield Finding("home", "model", Level.FAULT, str(error), error.hint)
        return
    for role in dict.fromkeys((roles.default, roles.smol)):
        yield _agent(role, app) if role.is_agent else _reach(role)
        if known := ", ".join(Capabilities(role, app.engine).shown()) if not role.is_agent else "":
            yield Finding("home", f"abilities of {role.model}", Level.INFO, known)
    missing = [endpoint for endpoint in endpoints_to_accept(roles) if not is_accepted(app.engine, endpoint)]
    if missing:
        text = f"nobody accepted yet that redacted text goes to {', '.join(missing)}; scheduled runs refuse"
        yield Finding("home", "consent", Level.WARNING, text, "Run `slowwave config accept`.")


def _agent(role: Role, app: App) -> Finding:
    """Whether the agent whose plan is used is there and logged in; it is not started for this."""
    agent = AGENTS[role.endpoint.removeprefix(AGENT_PREFIX)]
    model = role.model or "its own model"
    if agent not in installed(app.env):
        todo = "Install it, or set models.provider to auto."
        return Finding("home", "model", Level.FAULT, f"{agent.binary} is not on the PATH", todo)
    if not agent.is_logged_in(app.env):
        todo = f"Run `{agent.binary}` and log in, unless it has a key in the environment."
        return Finding("home", "model", Level.WARNING, f"{agent.title}: no login was found on this machine", todo)
    return Finding("home", "model", Level.OK, f"{agent.title} ({model}), included in your plan")


def _reach(role: Role) -> Finding:
    """A model server on this machine is tried; nothing is sent to another machine just to see whether it is there."""
    import socket
    from urllib.parse import urlsplit

    if not is_loopback(role.base_url):
        return Finding("home", "model", Level.OK, f"{role.model} at {role.endpoint} (not contacted by this check)")
    parts = urlsplit(role.base_url)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        socket.create_connection((parts.hostname or "localhost", port), CONNECT_SECONDS).close()
    except (OSError, ValueError) as error:
        todo = "Start the model server, or correct models.default.baseUrl."
        return Finding("home", "model", Level.FAULT, f"{role.endpoint} does not answer: {error}", todo)
    return Finding("home", "model", Level.OK, f"{role.model} at {role.endpoint} answers")


def _schedule(app: App) -> Iterator[Finding]:
    from slowwave.scheduling import crontab, systemd

    units = [str(path) for path in systemd.installed(app.env)]
    line = crontab.installed(app.env) if crontab.available() else None
    enabled = app.settings.memories.enabled
    if units or line:
        where = ", ".join(units) or "crontab"
        running = systemd.is_running(app.env) if units else crontab.is_running()
        if running is False:
            todo = "Start it (`systemctl --user enable --now`, or the cron service), or use `slowwave serve`."
            yield Finding("home", "schedule", Level.FAULT, f"{where} is installed and nothing runs it", todo)
        elif enabled:
            yield Finding("home", "schedule", Level.OK, f"{app.settings.schedule.cron} by {where}")
        else:
            text = f"{where} starts runs, but memories.enabled is false"
            todo = "Run `slowwave config set memories.enabled true`."
            yield Finding("home", "schedule", Level.WARNING, text, todo)
    else:
        text = "no systemd timer and no crontab line starts the nightly run"
        todo = "Run `slowwave schedule install`, unless `slowwave serve` or a Prefect server does it."
        yield Finding("home", "schedule", Level.WARNING if enabled else Level.INFO, text, todo)
    if units or line:
        yield from _keys_at_night(app)
    yield from _prefect(app)


def _keys_at_night(app: App) -> Iterator[Finding]:
    job = nightly_job(app.home, app.env)
    if missing := only_here(job, variables_of(app.settings.models), app.env):
        text = f"only this shell has {', '.join(missing)}: at night the model is missing"
        todo = f"Put it into {job.environment_file}, or run `slowwave schedule install` here."
        yield Finding("home", "schedule", Level.WARNING, text, todo)


def _prefect(app: App) -> Iterator[Finding]:
    url = app.settings.prefect.api_url or app.env.get("PREFECT_API_URL")
    if not url:
        return
    import urllib.error
    import urllib.request

    try:
        urllib.request.urlopen(f"{url.rstrip('/')}/health", timeout=CONNECT_SECONDS).close()
    except urllib.error.HTTPError as answer:
        answer.close()
    except (OSError, ValueError) as error:
        todo = "Start it, or remove prefect.apiUrl to use the embedded one."
        yield Finding("home", "prefect", Level.FAULT, f"the Prefect server at {url} does not answer: {error}", todo)
        return
    yield Finding("home", "prefect", Level.OK, f"the Prefect server at {url} answers")
