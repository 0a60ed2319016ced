"""What a person should hear of wherever they look: a line for each thing that keeps memory from arriving."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from slowwave.app import App
from slowwave.cli.common import ago
from slowwave.errors import ConfigError
from slowwave.storage.engine import reading
from slowwave.storage.proposals import held_counts
from slowwave.storage.registry import count_reasons
from slowwave.storage.types import Reason


def attention(app: App) -> tuple[str, ...]:
    """Hooks that were taken out, nights without a run, sessions given up, changes that wait; empty when all is well."""
    from slowwave.agents.doctor.wiring import not_arriving

    waiting: Counter[str] = Counter()
    for one in app.stores():
        with reading(one.engine) as session:
            waiting["dead"] += count_reasons(session).get(Reason.DEAD, 0)
            waiting["held"] += sum(held_counts(session).values())
    lines = [*not_arriving(app.home, app.env), *_nights(app)]
    if dead := waiting["dead"]:
        lines.append(f"{dead} {_of(dead, 'session')} given up after failing again and again: `slowwave retry`")
    if held := waiting["held"]:
        lines.append(f"{held} {_of(held, 'change')} {'waits' if held == 1 else 'wait'} for you: `slowwave review`")
    return tuple(lines)


def _of(count: int, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"


def _nights(app: App) -> list[str]:
    from slowwave.scheduling.nights import missed

    if not app.settings.memories.enabled:
        return []
    schedule, now = app.settings.schedule, datetime.now().astimezone()
    try:
        last = missed(app.home, app.env, schedule.cron, schedule.time_zone, now)
    except ConfigError as error:
        return [f"the schedule cannot be read: {error}"]
    if last is None:
        return []
    since = ago(last.timestamp(), now.timestamp())
    return [f"nothing ran for two nights although a schedule is installed (last run {since}): `slowwave doctor`"]
