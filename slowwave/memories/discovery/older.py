"""What lies beyond the age limit, for somebody whose logs all do: how many sessions, and what reading them costs."""

from __future__ import annotations

from dataclasses import replace

from slowwave.app import App
from slowwave.memories.discovery.estimate import estimate_plan
from slowwave.memories.discovery.planning import extractor_of
from slowwave.memories.reports import Plan, RunOptions
from slowwave.storage.engine import reading
from slowwave.storage.queue.owner import this_host
from slowwave.storage.registry import count_reasons, threads_with
from slowwave.storage.types import Reason

_KNOWN = {Reason.EXTRACTED, Reason.NOTHING_TO_KEEP, Reason.UP_TO_DATE, Reason.QUEUED, Reason.SUBMITTED}


def only_older(app: App, plan: Plan, options: RunOptions) -> Plan | None:
    """The plan that would read the sessions which only the age limit keeps out; None unless nothing else was ever read.
    It serves to be estimated and told."""
    if plan.sessions or options.backfill or options.since is not None or _KNOWN & set(plan.reasons):
        return None
    with reading(app.engine) as session:
        old = threads_with(session, Reason.TOO_OLD, this_host(), plan.only_project)
    return replace(plan, batches=(tuple(old),), projects=()) if old else None


def older_now(app: App) -> Plan | None:
    """`only_older` after a run, from what the registry holds."""
    with reading(app.engine) as session:
        reasons = count_reasons(session, host=this_host())
    plan = Plan("", "backfill", extractor_of(app)[0], (), (), reasons=reasons)
    return only_older(app, plan, RunOptions())


def told(app: App, older: Plan) -> str:
    """One line: the number, the limit, the price with a model, the command."""
    estimate, days = estimate_plan(app, older), app.settings.memories.max_rollout_age_days
    count = f"{older.sessions} session{'s' if older.sessions != 1 else ''}"
    price = ""
    if estimate.calls:
        money = "price unknown" if estimate.dollars is None else f"at most about ${estimate.dollars:.2f}"
        price = f" ({estimate.calls} calls, {money})"
    return f"{count} older than {days:g} days: `slowwave run --backfill` reads them{price}"
