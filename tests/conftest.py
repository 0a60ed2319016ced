"""Fixtures that every area shares: the real logs, a home of one's own, a clean environment."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.postgres import Postgres

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "rollouts"
FOREIGN_VARIABLES = ("ANTHROPIC_", "SLOWWAVE_", "PREFECT_", "CLAUDE_", "CODEX_", "GEMINI_", "OPENCODE_", "PI_CODING_")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the settings, keys or agents of whoever runs it."""
    for name in list(os.environ):
        if name.startswith(FOREIGN_VARIABLES):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def shared_rollouts() -> Path:
    """The folder with real session logs, laid out as the agents lay them out; absent outside the workplace."""
    if not SHARED.is_dir():
        pytest.skip("the real session logs (../shared/rollouts) are not here; tests over synthetic logs still run")
    return SHARED


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The one PostgreSQL server of a test process; a test takes a database of its own from it."""
    from tests.support.postgres import running_postgres

    with running_postgres() as running:
        yield running


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder and an empty $SLOWWAVE_HOME inside it."""
    user = tmp_path / "user"
    user.mkdir()
    monkeypatch.setenv("HOME", str(user))
    monkeypatch.setenv("SLOWWAVE_HOME", str(user / "slowwave"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(user / ".claude"))
    monkeypatch.setenv("CODEX_HOME", str(user / ".codex"))
    return user


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what runs at full size or needs an agent from a registry, unless it is asked for."""
    full = os.environ.get("SLOWWAVE_FULL") == "1"
    chosen = config.getoption("-m") or ""
    for item in items:
        if "full" in item.keywords and not full and "full" not in chosen:
            item.add_marker(pytest.mark.skip(reason="full size: .ci/full runs it"))
        if "agents_live" in item.keywords and "agents_live" not in chosen:
            item.add_marker(pytest.mark.skip(reason="opt-in: pytest -m agents_live"))
