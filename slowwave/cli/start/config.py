"""`slowwave config`: the settings in force, where each came from, and how to change one."""

from __future__ import annotations

import os

import click

from slowwave.cli.common import json_option, refresh_hooks
from slowwave.cli.output import emit, say
from slowwave.paths import config_file, slowwave_home
from slowwave.settings_file import find_leaf, leaves, load_with_sources, set_value, unset_value


@click.group(invoke_without_command=True)
@click.option("--env", "show_env", is_flag=True, help="List the environment variables instead.")
@json_option
@click.pass_context
def config(ctx: click.Context, show_env: bool, as_json: bool) -> None:
    """Print the effective settings and where each came from.

    \b
    Example:
      slowwave config
      slowwave config set memories.enabled true
    """
    if ctx.invoked_subcommand is not None:
        return
    home = slowwave_home()
    _, effective = load_with_sources(home)
    variables = {leaf.key: leaf.variable for leaf in leaves()}
    if as_json:
        emit({e.key: {"value": e.value, "source": e.source, "variable": variables[e.key]} for e in effective})
        return
    say(f"# {config_file(home)}")
    for one in effective:
        name = variables[one.key] if show_env else one.key
        say(f"{name} = {one.value!r}  # {one.source}; {one.description}")


@config.command("set", context_settings={"ignore_unknown_options": True})
@click.argument("key")
@click.argument("value")
def set_(key: str, value: str) -> None:
    """Write one key into config.yml; comments and order stay.

    \b
    Example:
      slowwave config set memories.minRolloutIdleHours 6
    """
    home = slowwave_home()
    written = set_value(home, key, value)
    say(f"{key} = {written!r} in {config_file(home)}")
    _refresh()


@config.command()
@click.argument("key")
def unset(key: str) -> None:
    """Take one key out of config.yml: its default is in force again.

    \b
    Example:
      slowwave config unset schedule.cron
    """
    home = slowwave_home()
    if unset_value(home, key):
        say(f"{key} has its default again: {find_leaf(key).default!r}")
    else:
        say(f"{key} does not stand in {config_file(home)}")
    _refresh()


@config.command()
def enable() -> None:
    """Turn scheduled runs on.

    \b
    Example:
      slowwave config enable
    """
    set_value(slowwave_home(), "memories.enabled", "true")
    say("scheduled runs are on")
    _refresh()


@config.command()
def disable() -> None:
    """Turn scheduled runs off.

    \b
    Example:
      slowwave config disable
    """
    set_value(slowwave_home(), "memories.enabled", "false")
    say("scheduled runs are off")
    _refresh()


@config.command()
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@click.option("--withdraw", is_flag=True, help="Take the consent back.")
def accept(yes: bool, withdraw: bool) -> None:
    """Show what would be sent where, and accept it once.

    \b
    Example:
      slowwave config accept
    """
    from slowwave.app import open_app
    from slowwave.cli.common import confirm
    from slowwave.cli.consent import missing_consent
    from slowwave.llm.spending import consent

    app = open_app()
    if withdraw:
        for one in app.stores():
            consent.withdraw(one.engine)
        say("consent withdrawn: nothing is sent to an endpoint that is not on this machine")
        return
    endpoints = missing_consent(app)
    if not endpoints:
        say("nothing to accept: no endpoint outside this machine is configured")
        return
    say(consent.describe(endpoints))
    confirm("Send session excerpts there?", yes)
    for one in app.stores():
        consent.accept(one.engine, endpoints)
    say("accepted")


def _refresh() -> None:
    from slowwave.app import open_app

    app = open_app(dict(os.environ))
    refresh_hooks(app)
