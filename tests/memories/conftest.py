"""Stores that tests lose, keep and put back: a home's SQLite file and a database on a PostgreSQL server."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.postgres import Postgres
from tests.support.remembered import Remembered


class Store:
    """`env` leads to the store. One copy of it can be kept."""

    def __init__(self, folder: Path, postgres: Postgres | None) -> None:
        self._copy = str(folder / "kept.db")
        self._postgres = postgres
        self._url = postgres.database() if postgres is not None else ""
        self.env = {"SLOWWAVE_DATABASE__URL": self._url, "SLOWWAVE_DATABASE__SHARE": "all"} if self._url else {}

    def keep(self, one: Remembered) -> Remembered:
        """Keep a copy of the store as it is now."""
        one.close()
        if self._postgres is None:
            shutil.copy(one.app.home / "slowwave.db", self._copy)
        else:
            self._copy = self._postgres.copy(self._url)
        return Remembered.reopen(one)

    def lose(self, one: Remembered, *, restored: bool = False) -> Remembered:
        """The same home with its store gone, or as it was when it was kept."""
        one.close()
        for file in one.app.home.glob("slowwave.db*"):
            file.unlink()
        if self._postgres is not None:
            self._postgres.drop(self._url)
            self._postgres.copy(self._copy if restored else self._postgres.database(), self._url)
        elif restored:
            shutil.copy(self._copy, one.app.home / "slowwave.db")
        return Remembered.reopen(one)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=[pytest.mark.full, pytest.mark.postgres])])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """An empty store of each kind."""
    return Store(tmp_path, request.getfixturevalue("postgres") if request.param == "postgres" else None)
