"""`slowwave db`: the database's schema."""

from __future__ import annotations

import click

from slowwave.app import open_app
from slowwave.cli.common import json_option
from slowwave.cli.output import emit, say
from slowwave.storage.engine import connect, parse_url, upgrade_database


@click.group()
def db() -> None:
    """Look after the database.

    \b
    Example:
      slowwave db upgrade
    """


@db.command()
@json_option
def upgrade(as_json: bool) -> None:
    """Upgrade each database (this home's and the team's) to this version's schema. Shared ones are upgraded only so.

    \b
    Example:
      SLOWWAVE_DATABASE__URL=postgresql://db/slowwave slowwave db upgrade
    """
    done = [(app.store, *upgrade_database(app.database_url)) for app in open_app().stores()]
    if as_json:
        emit([{"store": store, "before": before, "after": after} for store, before, after in done])
        return
    for store, before, after in done:
        changed = f"schema {before or 'none'} -> {after}" if before != after else f"schema {after} is current"
        say(f"{store}: {changed}")


@db.command()
@json_option
def show(as_json: bool) -> None:
    """Say which database is used and which schema it has.

    \b
    Example:
      slowwave db show
    """
    from slowwave.storage.schema import current_revision

    url = open_app().database_url
    shown = parse_url(url).render_as_string(hide_password=True)
    engine = connect(url)
    try:
        revision = current_revision(engine)
    finally:
        engine.dispose()
    if as_json:
        emit({"database": shown, "schema": revision})
    else:
        say(f"{shown}, schema {revision or 'none yet'}")
