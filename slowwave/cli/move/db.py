"""`slowwave db`: the database's schema."""

from __future__ import annotations

from pathlib import Path

import click

from slowwave.app import open_app
from slowwave.cli.common import confirm, json_option, refresh_hooks, yes_option
from slowwave.cli.output import emit, say
from slowwave.errors import ConfigError
from slowwave.storage.engine import parse_url, revision_of, upgrade_database


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
    url = open_app().database_url
    shown, revision = parse_url(url).render_as_string(hide_password=True), revision_of(url)
    if as_json:
        emit({"database": shown, "schema": revision})
    else:
        say(f"{shown}, schema {revision or 'none yet'}")


@db.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@json_option
def backup(file: Path | None, as_json: bool) -> None:
    """Back this home's database up to FILE, or beside it, where the last three are kept. A run does so every week.

    \b
    Example:
      slowwave db backup
    """
    from slowwave.storage.backup import back_up

    made = back_up(open_app().engine, file)
    size = made.stat().st_size
    emit({"file": made, "bytes": size}) if as_json else say(f"{made} ({size / 1024:.0f} KiB)")


@db.command()
@click.option("--from", "source", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A backup.")
@yes_option
@json_option
def recover(source: Path | None, yes: bool, as_json: bool) -> None:
    """Take back what the published files know and the database does not, after restoring a backup if one is given.

    A run does the same by itself for a database that was lost. The present database is put aside, never removed.

    \b
    Example:
      slowwave db recover --from ~/.local/share/slowwave/backups/slowwave-20261201T030000Z.db.gz
    """
    from slowwave.memories.publishing.recovery import recover_lost
    from slowwave.storage.backup import restore

    app = open_app()
    said: list[str] = []
    if source is not None:
        database = app.database_url
        if not isinstance(database, Path):
            raise ConfigError("only this home's own SQLite file is restored", hint="Use pg_restore for PostgreSQL.")
        confirm(f"Put {source.name} in the place of {database}? End every run first.", yes)
        aside = restore(source, database)
        said.append(f"{source.name} is the database now" + (f"; the former one is {aside}" if aside else ""))
    said += recover_lost(app, everything=True)
    refresh_hooks(app)
    if as_json:
        emit({"done": said})
        return
    for line in said or ["the database knows everything that was published"]:
        say(line)
