"""What the model tests share: a database, a loopback endpoint, an extractor on both."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import Engine, select

from slowwave.llm.base import ExtractRequest
from slowwave.llm.factory import make_extractor
from slowwave.llm.model_extractor import ModelExtractor
from slowwave.rollouts.model import Item, ItemKind, Role
from slowwave.settings import Settings
from slowwave.storage.engine import open_database, reading
from slowwave.storage.tables import ModelCall
from tests.support.loopback import LoopbackServer
from tests.support.night import Night
from tests.support.nursery import Nursery

T = TypeVar("T")
KEY = "test-" + "key"


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated, empty database file to copy: migrating one for each test takes most of a second."""
    path = tmp_path_factory.mktemp("database") / "slowwave.db"
    # The last connection to close moves everything from the write-ahead log into the file.
    open_database(path).dispose()
    return path


@pytest.fixture
def engine(tmp_path: Path, empty_database: Path) -> Iterator[Engine]:
    """A fresh pipeline database."""
    shutil.copy(empty_database, tmp_path / "slowwave.db")
    opened = open_database(tmp_path / "slowwave.db")
    yield opened
    opened.dispose()


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    """A loopback endpoint."""
    with LoopbackServer() as started:
        yield started


@dataclass
class Bench:
    """An endpoint, a database and settings that lead to both."""

    server: LoopbackServer
    engine: Engine

    def settings(self, **groups: Any) -> Settings:
        """Settings with the default role on the loopback endpoint; `default` adds to that role."""
        role = {"base_url": self.server.base_url, "api_key_env": "TEST_KEY", "timeout_seconds": 5}
        role |= groups.pop("default", {})
        models = {"default": role} | groups.pop("models", {})
        return Settings.model_validate({"models": models, **groups})

    def extractor(self, *, run_id: str | None = None, **groups: Any) -> ModelExtractor:
        """An extractor on the loopback endpoint."""
        made = make_extractor(self.settings(**groups), self.engine, run_id, {"TEST_KEY": KEY})
        assert isinstance(made, ModelExtractor)
        return made

    def run(self, work: Callable[[ModelExtractor], Coroutine[Any, Any, T]], **groups: Any) -> T:
        """Run a coroutine with a fresh extractor and close it."""

        async def main() -> T:
            extractor = self.extractor(**groups)
            try:
                return await work(extractor)
            finally:
                await extractor.aclose()

        return asyncio.run(main())

    def calls(self) -> list[ModelCall]:
        """The recorded calls, in order."""
        with reading(self.engine) as session:
            return list(session.scalars(select(ModelCall).order_by(ModelCall.id)))  # type: ignore[arg-type]


@pytest.fixture
def bench(server: LoopbackServer, engine: Engine) -> Bench:
    """Endpoint and database together."""
    return Bench(server, engine)


def request_of(*texts: str, thread_id: str = "claude:s1") -> ExtractRequest:
    """A request whose items are what a user typed."""
    items = tuple(Item(n, Role.USER, ItemKind.USER_TEXT, text, turn=n + 1) for n, text in enumerate(texts))
    return ExtractRequest(thread_id=thread_id, agent="claude", project="demo", items=items)


@pytest.fixture(scope="session")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    """What nights are started from as processes of their own."""
    started = Nursery(tmp_path_factory.mktemp("nights"))
    yield started
    started.close()


@pytest.fixture
def night(server: LoopbackServer, tmp_path: Path) -> Night:
    """A home with settings that lead to the loopback endpoint, and no sessions yet."""
    made = Night(tmp_path / "home", server.base_url)
    made.write_settings()
    return made
