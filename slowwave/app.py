"""What a command, a flow or a server holds in its hands: home folder, settings, environment and database."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sqlalchemy import Engine

from slowwave.errors import ConfigError
from slowwave.paths import database_file, slowwave_home
from slowwave.private import make_private_folder
from slowwave.settings import Settings
from slowwave.settings_file import load_settings

STORE_VARIABLE = "SLOWWAVE_STORE"
TURN_VARIABLE = "SLOWWAVE_STORE_TURN"
"""Set when this process goes over the stores one after the other, and nobody chose the store."""
HOME_STORE = "home"
TEAM_STORE = "team"


@dataclass(frozen=True)
class App:
    """The installation and the store it works with.

    There is one store, `home`, unless a team's database is configured (`database.url` with `database.share: explicit`).
    Then projects stay in the home's own SQLite file until their owner shares them, and the store `team` holds the
    shared ones. `is_worker` tells that somebody chose the team's store for this process: it consolidates for the team.
    `engine` opens (and, when it is local, upgrades) the store's database at its first use.
    """

    home: Path
    settings: Settings
    env: Mapping[str, str]
    is_worker: bool = False

    @property
    def store(self) -> str:
        """`home` or `team`."""
        return self.env.get(STORE_VARIABLE) or HOME_STORE

    @property
    def store_is_given(self) -> bool:
        """Whether the environment names the one store to work with."""
        return STORE_VARIABLE in self.env

    @property
    def has_team(self) -> bool:
        """Whether there is a team's store beside the home's own."""
        return self.settings.database.url is not None and self.settings.database.share == "explicit"

    @property
    def database_url(self) -> str | Path:
        """The URL or SQLite file of this store."""
        url = self.settings.database.url
        if url is None or (self.has_team and self.store == HOME_STORE):
            return database_file(self.home)
        return url

    @property
    def reference(self) -> str:
        """Names the installation and its store within a process."""
        return f"{self.home}#{self.store}"

    def at(self, store: str) -> App:
        """The same installation with another store."""
        if store == self.store:
            return self
        turn = {} if self.is_worker else {TURN_VARIABLE: "1"}
        return App(self.home, self.settings, {**self.env, STORE_VARIABLE: store, **turn}, self.is_worker)

    def stores(self) -> tuple[App, ...]:
        """The installation once for each store that it has, the home's own first."""
        return (self.at(HOME_STORE), self.at(TEAM_STORE)) if self.has_team else (self.at(HOME_STORE),)

    @cached_property
    def engine(self) -> Engine:
        """The store's database."""
        from slowwave.storage.engine import open_database

        make_private_folder(self.home)
        return open_database(self.database_url)


def open_app(env: Mapping[str, str] | None = None) -> App:
    """Return the installation that the environment names.

    Raises:
        ConfigError: a setting is wrong, or the store does not exist.
    """
    env = dict(os.environ) if env is None else env
    home = slowwave_home(env)
    chosen = env.get(STORE_VARIABLE) == TEAM_STORE and TURN_VARIABLE not in env
    app = App(home, load_settings(home, env), env, chosen)
    if app.store not in (HOME_STORE, TEAM_STORE) or (app.store == TEAM_STORE and not app.has_team):
        raise ConfigError(
            f"{STORE_VARIABLE}: there is no store {app.store!r}",
            hint="Use home, or team where database.url is set and database.share is explicit.",
        )
    return app
