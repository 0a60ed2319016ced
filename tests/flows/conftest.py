"""Installations for the flows' tests. A fresh Prefect database takes 20 s to migrate, so one is copied."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from slowwave.orchestration.embedded import embedded_server
from slowwave.orchestration.environment import prefect_home
from tests.support.installation import Installation
from tests.support.loopback import LoopbackServer


@pytest.fixture(scope="session")
def prefect_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Prefect folder of a home in which the embedded server has run once."""
    home = tmp_path_factory.mktemp("template")
    with embedded_server(home, os.environ) as server:
        server.wait()
    folder = prefect_home(home)
    assert [path.name for path in folder.glob("migrated-*")], "the first start left no marker"
    return folder


@pytest.fixture
def empty_installation(tmp_path: Path) -> Installation:
    """An installation in which nothing has ever run."""
    return Installation(tmp_path)


@pytest.fixture
def installation(empty_installation: Installation, prefect_template: Path) -> Installation:
    """An installation whose embedded server has run before."""
    empty_installation.home.mkdir(mode=0o700)
    empty_installation.use_prefect_of(prefect_template)
    return empty_installation


@pytest.fixture
def slow_model(empty_installation: Installation) -> Iterator[LoopbackServer]:
    """A model that takes seven seconds for each answer, and the installation configured to use it."""
    with LoopbackServer(latency=7.0) as server:
        empty_installation.extra["SLOWWAVE_MODELS__DEFAULT__BASE_URL"] = server.base_url
        empty_installation.extra["ANTHROPIC_API_KEY"] = "any"
        yield server
