"""Consent where it is missing: what would be sent, what it would cost, and the ways out, asked then and there."""

from __future__ import annotations

import click

from slowwave.app import App
from slowwave.cli.output import say
from slowwave.llm.providers import settled
from slowwave.llm.roles import resolve_roles
from slowwave.llm.spending import consent
from slowwave.memories.pipeline import RunOptions, plan_run

WAYS_OUT = (
    "Without it: `slowwave config set models.provider offline` sends nothing, `slowwave init --use claude-code`"
    " lets an agent answer that is logged in here."
)


def missing_consent(app: App) -> list[str]:
    """The endpoints outside this machine that the settings name and nobody has accepted yet."""
    models = settled(app.settings.models, app.engine, app.env)
    if models.provider == "offline":
        return []
    endpoints = consent.endpoints_to_accept(resolve_roles(models, app.env))
    return [endpoint for endpoint in endpoints if not consent.is_accepted(app.engine, endpoint)]


def ask_consent(app: App, endpoints: list[str], options: RunOptions) -> bool:
    """Show what a run would send and cost, and ask; record a yes for every store."""
    from dataclasses import replace

    from slowwave.memories.discovery.estimate import estimate_plan

    say(consent.describe(endpoints))
    plan = plan_run(app, replace(options, dry_run=True, force=False))
    if not plan.sessions and not options.backfill:
        plan = plan_run(app, replace(options, dry_run=True, force=False, backfill=True))
        say("Nothing is recent enough to be read now; with what is older (`--backfill`):")
    for line in estimate_plan(app, plan).lines():
        say(line)
    if not click.confirm("Send session excerpts there?", default=True):
        say(WAYS_OUT)
        return False
    for one in app.stores():
        consent.accept(one.engine, endpoints)
    return True
