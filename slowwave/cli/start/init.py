"""`slowwave init`: find the agents, switch on, wire up, schedule, run once."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from slowwave.app import App, open_app
from slowwave.cli.common import json_option
from slowwave.cli.consent import ask_consent, missing_consent
from slowwave.cli.output import emit, say
from slowwave.cli.start.places import looked_in
from slowwave.errors import ConfigError, SlowwaveError
from slowwave.llm.commandline.agents import AGENTS
from slowwave.memories.pipeline import RunOptions
from slowwave.paths import config_file, slowwave_home
from slowwave.private import make_private_folder
from slowwave.rollouts.readers import readers
from slowwave.settings_file import set_value


@click.command()
@click.option("-y", "--yes", is_flag=True, help="Answer yes to everything.")
@click.option("--no-install", is_flag=True, help="Do not offer to wire up agents.")
@click.option("--no-schedule", is_flag=True, help="Do not offer a nightly schedule.")
@click.option("--no-run", is_flag=True, help="Do not run now.")
@click.option(
    "--use", type=click.Choice([*AGENTS, "none"]), help="Let this agent, logged in here, answer as the model."
)
@json_option
@click.pass_context
def init(
    ctx: click.Context, yes: bool, no_install: bool, no_schedule: bool, no_run: bool, use: str | None, as_json: bool
) -> int:
    """Set Slowwave up on this machine. Each step asks first; --yes agrees to all but sending text anywhere.

    \b
    Example:
      slowwave init
    """
    home = make_private_folder(slowwave_home())
    app = open_app()
    found = count_logs(app)
    tell_person = partial(say, err=as_json)
    tell_person(f"home: {home}")
    for agent, count in found.items():
        tell_person(f"  {agent}: {count} session logs")
    if not found:
        tell_person(looked_in(app))
    steps: dict[str, object] = {"home": str(home), "logs": found}
    if _ask("Turn nightly runs on (memories.enabled)?", yes):
        set_value(home, "memories.enabled", "true")
        tell_person(f"memories.enabled is true in {config_file(home)}")
        steps["enabled"] = True
    steps["model"] = _model(app, use, tell_person)
    if not no_install:
        steps["installed"] = _install(ctx, found, yes)
    if not no_schedule and _ask("Schedule a run every night?", yes):
        steps["schedule"] = _schedule(ctx)
    if as_json:
        emit(steps)
    if not yes and not sys.stdin.isatty():
        tell_person(
            "nobody could be asked: `slowwave init --yes` does all of it, `slowwave run` reads the sessions once"
        )
        return 0
    if no_run or not _ask("Run once now?", yes):
        tell_person("next: `slowwave run` reads the sessions, `slowwave run --dry-run` shows what that costs")
        return 0
    from slowwave.cli.runs.run import execute

    if not found and not as_json:
        tell_person("nothing to run yet: `slowwave run` once an agent has worked here")
        return 0
    app = _consented(open_app(dict(os.environ)), tell_person)
    code = execute(app, RunOptions(), as_json=as_json)
    if code == 0 and not as_json and _wants_older(app, yes):
        return execute(app, RunOptions(backfill=True), as_json=as_json)
    return code


def _consented(app: App, tell_person: Callable[[str], None]) -> App:
    """The installation, without its model where nobody agreed to what that would be sent."""
    if not (endpoints := missing_consent(app)):
        return app
    tell_person(
        f"nobody agreed to send anything to {', '.join(endpoints)}: this run uses the offline extractor;"
        " `slowwave run --dry-run` shows the price, `slowwave config accept` agrees"
    )
    os.environ["SLOWWAVE_MODELS__PROVIDER"] = "offline"
    return open_app(dict(os.environ))


def _wants_older(app: App, yes: bool) -> bool:
    """Offer to read what only the age limit kept out, where nothing else was there to read. --yes agrees to what
    costs nothing."""
    from slowwave.memories.discovery.eligibility import OFFLINE
    from slowwave.memories.discovery.older import older_now

    older = older_now(app)
    if older is None:
        return False
    if yes and older.extractor != OFFLINE:
        return False
    return _ask("Read them now?", yes)


def _model(app: App, use: str | None, tell_person: Callable[[str], None]) -> str:
    """Offer an agent that the person is logged in to as the model, where no other is configured; return who answers."""
    from slowwave.llm.providers import installed, settled
    from slowwave.llm.spending import consent

    provider = settled(app.settings.models, app.engine, app.env).provider
    if use is None and sys.stdin.isatty() and provider not in AGENTS and (endpoints := missing_consent(app)):
        if ask_consent(app, endpoints, RunOptions()):
            return provider
        if click.confirm("Go on with the offline extractor, which sends nothing?", default=True):
            set_value(app.home, "models.provider", "offline")
            return "offline"
    if use is None and (provider != "offline" or app.settings.models.provider == "offline"):
        return provider
    if use is not None and use not in {agent.name for agent in installed(app.env)} | {"none"}:
        raise ConfigError(f"{AGENTS[use].binary} is not on the PATH", hint=f"Install {AGENTS[use].title} first.")
    for agent in installed(app.env):
        if use not in (None, agent.name) or (use is None and not agent.is_logged_in(app.env)):
            continue
        if use is None and not sys.stdin.isatty():
            tell_person(f"{agent.title} could answer as the model: `slowwave init --use {agent.name}`")
            continue
        tell_person(consent.describe([agent.endpoint]))
        if use is None and not click.confirm(f"Let {agent.title} (logged in here) answer as the model?", default=True):
            continue
        for one in app.stores():
            consent.accept(one.engine, [agent.endpoint])
        if use is not None:
            set_value(app.home, "models.provider", agent.name)
        tell_person(f"{agent.title} answers, included in your plan; budget.perRun limits calls and tokens")
        return agent.name
    return "offline"


def count_logs(app: App) -> dict[str, int]:
    """How many session logs of each agent lie on this machine."""
    home = Path(app.env.get("HOME") or Path.home())
    counts = {agent: sum(1 for _ in reader.discover(app.env, home)) for agent, reader in readers(app.env).items()}
    return {agent: count for agent, count in counts.items() if count}


def _ask(question: str, yes: bool) -> bool:
    if yes:
        return True
    return sys.stdin.isatty() and click.confirm(question, default=True)


def _install(ctx: click.Context, found: dict[str, int], yes: bool) -> list[str]:
    from slowwave.agents.install.integrations import INTEGRATIONS
    from slowwave.cli.start.install import install

    known = [agent for agent in found if agent in INTEGRATIONS]
    titles = ", ".join(INTEGRATIONS[agent].title for agent in known)
    chosen = known if known and _ask(f"Let {titles} read the memory at start-up?", yes) else []
    if chosen:
        ctx.invoke(install, agents=tuple(chosen))
    return chosen


def _schedule(ctx: click.Context) -> str:
    """A machine without a scheduler of its own is no reason to stop here."""
    from slowwave.cli.runs.schedule import install

    try:
        ctx.invoke(install)
    except SlowwaveError as error:
        say(f"no schedule: {error}. {error.hint}", err=True)
        return str(error)
    return "installed"
