"""What a command, a flow or a server holds in its hands: home folder, settings, environment and database."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sqlalchemy import Engine

from slowwave.paths import database_file, make_private, slowwave_home
from slowwave.settings import Settings
from slowwave.settings_file import load_settings


@dataclass(frozen=True)
class App:
    """The installation. `engine` opens (and, when it is local, upgrades) the database at its first use."""

    home: Path
    settings: Settings
    env: Mapping[str, str]

    @property
    def database_url(self) -> str | Path:
        """The configured URL, else the SQLite file in the home folder."""
        return self.settings.database.url or database_file(self.home)

    @cached_property
    def engine(self) -> Engine:
        """The pipeline's database."""
        from storage.engine import open_database

        make_private(self.home)
        return open_database(self.database_url)


def open_app(env: Mapping[str, str] | None = None) -> App:
    """Return the installation that the environment names.

    Raises:
        ConfigError: a setting is wrong.
    """
    env = dict(os.environ) if env is None else env
    home = slowwave_home(env)
    return App(home, load_settings(home, env), env)
