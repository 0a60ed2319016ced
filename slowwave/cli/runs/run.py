"""`slowwave run`: plan, then extract and consolidate through Prefect."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click

from slowwave.app import App, open_app
from slowwave.cli.attention import attention
from slowwave.cli.common import json_option, locate, refresh_hooks
from slowwave.cli.consent import ask_consent, missing_consent
from slowwave.cli.output import emit, say
from slowwave.cli.runs.progress import watched
from slowwave.cli.start.places import looked_in
from slowwave.errors import ConsentRequired, ModelDenied
from slowwave.memories.discovery.older import only_older, told
from slowwave.memories.discovery.planning import scan
from slowwave.memories.discovery.scanning import ScanReport
from slowwave.memories.pipeline import DENIED, Plan, RunOptions, RunReport, plan_run
from slowwave.memories.preflight import check_model
from slowwave.scheduling.nights import mark

MANY_SESSIONS = 20
EXIT_PARTIAL = 3
MOST_HELD = 5


@click.command()
@click.option("--backfill", is_flag=True, help="Ignore the age limit and the cap on sessions, never the budgets.")
@click.option("--project", "-p", metavar="PROJECT", help="Only this project (id, name or folder).")
@click.option("--session", "-s", "sessions", multiple=True, metavar="ID", help="Only this session; may be repeated.")
@click.option("--since", metavar="DATE", help="Leave out sessions that ended before this date (2026-11-01).")
@click.option("--reextract", is_flag=True, help="Read sessions again that were extracted before.")
@click.option("--dry-run", is_flag=True, help="Show what would be done, with calls, tokens and money; do nothing.")
@click.option("--sample", is_flag=True, help="Use small bundled sessions and a home of their own.")
@click.option("--scheduled", is_flag=True, help="For schedules: do nothing unless memories.enabled is true.")
@json_option
def run(
    backfill: bool,
    project: str | None,
    sessions: tuple[str, ...],
    since: str | None,
    reextract: bool,
    dry_run: bool,
    sample: bool,
    scheduled: bool,
    as_json: bool,
) -> int:
    """Extract finished sessions and consolidate their projects, now.

    \b
    Example:
      slowwave run --backfill --dry-run
    """
    app = _sample_app() if sample else open_app()
    if scheduled and not app.settings.memories.enabled:
        say("scheduled runs are off; `slowwave config set memories.enabled true` turns them on")
        return 0
    options = RunOptions(
        project=project,
        sessions=sessions,
        backfill=backfill or sample,
        since=since,
        reextract=reextract,
        dry_run=dry_run,
    )
    may_ask = sys.stdin.isatty() and not (as_json or dry_run or scheduled)
    if may_ask and (endpoints := missing_consent(app)) and not ask_consent(app, endpoints, options):
        return ConsentRequired.exit_code
    return execute(app, options, as_json=as_json)


def execute(app: App, options: RunOptions, *, as_json: bool) -> int:
    """Plan and carry out a run of any kind; shared by `run`, `rebuild` and `init`.

    Raises:
        SlowwaveError: it cannot start.
    """
    from slowwave.llm.prompting.templates import check_templates

    check_templates(app.settings.memories.prompt_dir)
    tell_person = _sayer(as_json)
    if not options.dry_run:
        mark(app.home)
    if not app.settings.memories.enabled and options.kind == "nightly":
        tell_person("memories.enabled is false: scheduled runs are off; this run was asked for by hand")
    stores = _stores_for(app, options)
    scanned = scan(app, _progress(as_json))
    code = 0
    for one in stores:
        if len(stores) > 1:
            tell_person(f"store {one.store}")
        code = max(code, _in_store(one, options, scanned, as_json))
    refresh_hooks(app)
    for line in attention(app):
        tell_person(line)
    return code


def _stores_for(app: App, options: RunOptions) -> tuple[App, ...]:
    """A named project or session lies in one store only; everything else concerns all of them."""
    if options.project is not None:
        return (locate(options.project)[0],)
    if options.sessions:
        return (app,)
    return app.stores()


def _in_store(app: App, options: RunOptions, scanned: ScanReport, as_json: bool) -> int:
    tell_person = _sayer(as_json)
    started = time.monotonic()
    plan = plan_run(app, options, progress=_progress(as_json), scanned=scanned)
    tell_person(_plan_line(plan, app))
    for note in plan.notes:
        tell_person(note)
    if hint := _offline_hint(plan):
        tell_person(hint)
    if options.dry_run:
        return _dry_run(app, plan, as_json)
    if plan.empty:
        if as_json:
            nothing = {"status": "nothing_to_do", "store": app.store, "extractor": plan.extractor}
            emit({**nothing, "reasons": plan.reasons, "notes": plan.notes})
        else:
            tell_person(_nothing(plan))
            if (older := only_older(app, plan, options)) is not None:
                tell_person(told(app, older))
            if not plan.scanned.get("logs"):
                tell_person(looked_in(app))
            _print_held(app)
        return 0
    for line in _reach(app, plan):
        tell_person(line)
    _progress(as_json)("checking the model's address and key")
    check_model(app, plan)
    with watched(app, plan, visible=not as_json and sys.stderr.isatty()):
        report = _carry_out(app, plan)
    if as_json:
        emit(asdict(report) | {"home": str(app.home), "store": app.store})
    else:
        _print_report(app, report, time.monotonic() - started)
    if report.counts.get(DENIED):
        return ModelDenied.exit_code
    return EXIT_PARTIAL if report.status in ("partial", "failed") else 0


def _carry_out(app: App, plan: Plan) -> RunReport:
    from slowwave.orchestration.runtime import run_plan

    if plan.kind == "rebuild":
        return run_plan(app, plan, "rebuild")
    return run_plan(app, plan, "backfill" if plan.kind == "backfill" else "nightly")


def _sayer(as_json: bool) -> Callable[[str], None]:
    """Lines for a person go to stderr when stdout is for a program."""
    return partial(say, err=as_json)


def _progress(as_json: bool) -> Callable[[str], None]:
    if as_json or not sys.stderr.isatty():
        return lambda _text: None
    return lambda text: click.echo(f"\r{text:<60}\r", nl=False, err=True)


def _plan_line(plan: Plan, app: App) -> str:
    logs = plan.scanned.get("logs", 0)
    offline = " (offline: no key and no base URL is configured)" if plan.extractor == "offline" else ""
    return (
        f"{logs} logs, {plan.scanned.get('read', 0)} read; {plan.sessions} sessions to extract,"
        f" {len(plan.projects)} projects waiting; extractor: {plan.extractor}{offline}"
    )


def _offline_hint(plan: Plan) -> str:
    """What a person without a model is missing, in one line; empty with a model or with nothing to read."""
    if plan.extractor != "offline" or not plan.sessions:
        return ""
    return (
        "without a model only what was said for good, or twice, is kept; a model finds more: use the one of an agent"
        " that is logged in here, a key or a base URL (`slowwave config`, docs/model.md)"
    )


def _nothing(plan: Plan) -> str:
    if not plan.reasons:
        return "nothing to do"
    refused = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in sorted(plan.reasons.items()))
    return f"nothing to do ({refused}; `slowwave status` says why for each session)"


def _reach(app: App, plan: Plan) -> Iterator[str]:
    """How far a large run will come, said before anything is spent."""
    if plan.extractor == "offline" or plan.sessions < MANY_SESSIONS:
        return
    from slowwave.memories.discovery.estimate import estimate_plan

    yield from estimate_plan(app, plan).reach()


def _dry_run(app: App, plan: Plan, as_json: bool) -> int:
    from slowwave.memories.discovery.estimate import estimate_plan

    estimate = estimate_plan(app, plan)
    if as_json:
        emit({"plan": asdict(plan), "estimate": asdict(estimate)})
        return 0
    for line in estimate.lines():
        say(line)
    return 0


def _print_report(app: App, report: RunReport, seconds: float) -> None:
    sessions = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in sorted(report.sessions.items()))
    say(f"{report.status} in {seconds:.0f} s: {sessions or 'no session'}")
    if report.redactions:
        removed = ", ".join(f"{count} {kind}" for kind, count in sorted(report.redactions.items()))
        say(f"secrets removed: {removed}")
    for row in report.projects:
        done = ", ".join(f"{count} {name}" for name, count in row["operations"].items())
        where = f" {row['root']}/current" if row["root"] else ""
        why = f" ({row['reason']})" if row["reason"] else ""
        say(f"  {row['name']}: {row['outcome']}{why}{f' [{done}]' if done else ''}{where}")
        for damage in row.get("damage", ()):
            say(f"    {damage}; `slowwave edits` shows what was kept aside")
        for reason, count in row.get("refused", {}).items():
            say(f"    {count} not applied: {reason.replace('_', ' ')}")
    _print_held(app)
    if report.message:
        say(report.message, err=True)


def _print_held(app: App) -> None:
    """What waits for a person, of this run and of earlier ones."""
    from slowwave.memories.byhand.reviewing import waiting

    found = [one for one in waiting(app) if one.app.store == app.store]
    for one in found[:MOST_HELD]:
        say(f"  {one.project}: held: {one.lines[0]} ({one.reason.replace('_', ' ')})")


def _sample_app() -> App:
    """A home of its own with sample sessions, so that nothing of the user's is read or changed."""
    from slowwave.paths import HOME_VARIABLE, slowwave_home
    from slowwave.samples.samples import write_samples

    given = os.environ.get(HOME_VARIABLE)
    home = slowwave_home() if given else Path(tempfile.mkdtemp(prefix="slowwave-sample-"))
    logs = home / "sample-logs"
    write_samples(logs, datetime.now(UTC))
    os.environ |= {
        HOME_VARIABLE: str(home),
        "CLAUDE_CONFIG_DIR": str(logs / "claude"),
        "CODEX_HOME": str(logs / "codex"),
        "HOME": str(logs / "home"),
    }
    for variable in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        os.environ.pop(variable, None)
    say(f"sample sessions in {logs}; home: {home}", err=True)
    return open_app()
