"""Where Slowwave keeps things. Standard library only: hooks import this."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

HOME_VARIABLE = "SLOWWAVE_HOME"


def slowwave_home(env: Mapping[str, str] | None = None) -> Path:
    """Return `$SLOWWAVE_HOME`, or the platform's user data folder (the one that `platformdirs` names)."""
    env = os.environ if env is None else env
    if given := env.get(HOME_VARIABLE):
        return Path(given).expanduser().absolute()
    if sys.platform == "win32":
        base = env.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
        return Path(base) / "slowwave" / "slowwave"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "slowwave"
    base = env.get("XDG_DATA_HOME", "").strip() or str(Path.home() / ".local" / "share")
    return Path(base) / "slowwave"


def config_file(home: Path) -> Path:
    """The settings file a person edits."""
    return home / "config.yml"


def database_file(home: Path) -> Path:
    """The pipeline's SQLite database, used unless a database URL is configured."""
    return home / "slowwave.db"


def session_database_file(home: Path) -> Path:
    """The in-session store: a SQLite file of its own, always local."""
    return home / "session.db"


def memory_root(home: Path, slug: str, project_id: str) -> Path:
    """The folder that holds a project's versions and the link `current`."""
    return home / "memory" / f"{slug}-{project_id[:8]}"


def hook_index_file(home: Path) -> Path:
    """What hooks read instead of settings and database: compiled at publish and at configuration."""
    return home / "hooks" / "index.json"


def injection_file(home: Path, project_id: str) -> Path:
    """The ready injection block of a project."""
    return home / "hooks" / f"{project_id}.md"


def published_file(home: Path, project_id: str) -> Path:
    """The published texts that a project's block was compiled from: hooks tell a person's later edits by it."""
    return home / "hooks" / f"{project_id}.published.json"


def hook_log_file(home: Path) -> Path:
    """Where hooks write what went wrong; it is never shown to an agent."""
    return home / "logs" / "hooks.log"
