"""`hooks/index.json`: what `slowwave hook` knows without settings or database. Standard library only.

`slowwave.agents.compile` writes it, hooks and `slowwave doctor` read it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from slowwave.paths import hook_index_file

if TYPE_CHECKING:
    from slowwave.rollouts.identity.book import Book

FORMAT = 1
STALE_HOURS = 50.0
HOUR = 3600.0
DAY = 24 * HOUR


class LastRun(NamedTuple):
    """The newest run of the pipeline: a `slowwave.storage.types.RunStatus` value, seconds since the epoch, and a
    message."""

    status: str
    at: float
    message: str


class HookIndex(NamedTuple):
    """The compiled state. `projects` maps project ids to their facts (key, name, root, version, excluded, shared).

    `session` holds the settings of the in-session layers by their attribute names. `enabled` is the master switch
    of scheduled runs. `enabled_at` is when the index was first compiled with it on (seconds, 0: off).
    """

    enabled: bool
    enabled_at: float
    user_project: str | None
    last_run: LastRun | None
    projects: dict[str, dict[str, Any]]
    session: dict[str, Any]

    def book(self) -> Book:
        """What the projects are known by, to find the one of a folder without a database."""
        from slowwave.rollouts.identity.book import Book, Known
        from slowwave.rollouts.identity.projects import host_id

        known = (
            Known.from_json(one, facts) for one, facts in sorted(self.projects.items()) if one != self.user_project
        )
        return Book(known, host=host_id())


EMPTY = HookIndex(False, 0.0, None, None, {}, {})


def read_index(home: Path) -> HookIndex:
    """Return the index; an absent one is empty.

    Raises:
        ValueError: the file is not an index of this format.
        OSError: it cannot be read.
    """
    try:
        raw = json.loads(hook_index_file(home).read_bytes())
    except FileNotFoundError:
        return EMPTY
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise ValueError("hooks/index.json is of another format; `slowwave doctor` compiles it again")
    run = raw.get("last_run")
    return HookIndex(
        enabled=bool(raw["enabled"]),
        enabled_at=float(raw["enabled_at"]),
        user_project=raw["user_project"],
        last_run=LastRun(str(run["status"]), float(run["at"]), str(run["message"])) if run else None,
        projects=raw["projects"],
        session=raw["session"],
    )


def index_json(index: HookIndex) -> bytes:
    """Return the bytes of an index: the same index gives the same bytes."""
    fields: dict[str, Any] = {"format": FORMAT, **index._asdict()}
    fields["last_run"] = index.last_run._asdict() if index.last_run else None
    return json.dumps(fields, ensure_ascii=False, indent=1, sort_keys=True).encode() + b"\n"


def notice(index: HookIndex, now: float) -> str | None:
    """One line for the person when the last night failed or is overdue, else None. Only while runs are enabled."""
    if not index.enabled:
        return None
    run = index.last_run
    if run is None:
        if index.enabled_at and now - index.enabled_at > STALE_HOURS * HOUR:
            return "Slowwave is enabled but has not run yet. `slowwave doctor` says why."
        return None
    if run.status in ("failed", "crashed"):
        reason = " ".join(run.message.split())[:120]
        because = f" ({reason})" if reason else ""
        return f"Slowwave: the last run {run.status}{because}. `slowwave status` has the details."
    if now - run.at > STALE_HOURS * HOUR:
        days = int((now - run.at) / DAY)
        return f"Slowwave: the last run was {days} days ago, memory may be stale. `slowwave doctor` says why."
    return None
