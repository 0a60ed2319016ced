"""`slowwave cost`: what model calls have cost, by day, role, project, model or outcome."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime, tzinfo
from typing import Literal
from zoneinfo import ZoneInfo

import click

from slowwave.app import open_app
from slowwave.cli.common import json_option
from slowwave.cli.output import emit, say
from slowwave.llm.roles import AGENT_PREFIX
from slowwave.storage.engine import reading
from slowwave.storage.queries.runs import PricedCall, calls_since

Key = Literal["day", "role", "project", "model", "outcome"]
KEYS: tuple[Key, ...] = ("day", "role", "project", "model", "outcome")
DAY_SECONDS = 86_400.0


@dataclass
class Cost:
    """What some calls add up to. `dollars` counts calls with a known price, `unpriced` answered ones without,
    `included` those that an agent's plan covers."""

    calls: int = 0
    failed: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    dollars: float = 0.0
    unpriced: int = 0
    included: int = 0

    def add(self, call: PricedCall) -> None:
        """Count one call."""
        self.calls += 1
        answered = call.input_tokens is not None
        self.failed += call.failed or not answered
        self.input_tokens += (call.input_tokens or 0) + (call.cache_write_tokens or 0)
        self.cached_tokens += call.cache_read_tokens or 0
        self.output_tokens += call.output_tokens or 0
        self.dollars += call.cost or 0.0
        self.unpriced += answered and call.cost is None
        self.included += call.endpoint.startswith(AGENT_PREFIX)


@click.command()
@click.option("--by", type=click.Choice(KEYS), default="day", show_default=True, help="How calls are grouped.")
@click.option("--days", type=click.IntRange(1, 3650), default=30, show_default=True, help="How far to look back.")
@json_option
def cost(by: Key, days: int, as_json: bool) -> None:
    """Show what model calls have cost. A model without a known price counts as unknown, not as zero.

    \b
    Example:
      slowwave cost --by project --days 7
    """
    app = open_app()
    name = app.settings.memories.time_zone
    zone = ZoneInfo(name) if name else None
    with reading(app.engine) as session:
        groups = costs_by(calls_since(session, time.time() - days * DAY_SECONDS), by, zone)
    total = Cost()
    for group in groups.values():
        for field, value in asdict(group).items():
            setattr(total, field, getattr(total, field) + value)
    if as_json:
        listed = [{by: key, **asdict(group)} for key, group in groups.items()]
        emit({"by": by, "days": days, "groups": listed, "total": asdict(total)})
        return
    _print(by, groups, total)


def costs_by(calls: Iterable[PricedCall], by: Key, zone: tzinfo | None = None) -> dict[str, Cost]:
    """Add up calls, the dearest group first; days in order of time."""
    groups: dict[str, Cost] = defaultdict(Cost)
    for call in calls:
        groups[_key(call, by, zone)].add(call)
    if by == "day":
        return dict(sorted(groups.items()))
    return dict(sorted(groups.items(), key=lambda pair: (-pair[1].dollars, -pair[1].calls, pair[0])))


def _key(call: PricedCall, by: Key, zone: tzinfo | None) -> str:
    if by == "day":
        return datetime.fromtimestamp(call.at, zone).date().isoformat()
    return str(getattr(call, by) or "unknown")


def _print(by: Key, groups: dict[str, Cost], total: Cost) -> None:
    if not groups:
        say("no model calls; the offline extractor costs nothing")
        return
    width = max(len(by), len("total"), *(len(key) for key in groups))
    say(f"{by:<{width}}  {'calls':>6} {'failed':>6} {'input':>12} {'cached':>12} {'output':>10}  dollars")
    for key, group in [*groups.items(), ("total", total)]:
        say(
            f"{key:<{width}}  {group.calls:>6} {group.failed:>6} {group.input_tokens:>12,} {group.cached_tokens:>12,}"
            f" {group.output_tokens:>10,}  {_dollars(group)}"
        )


def _dollars(group: Cost) -> str:
    if group.included and group.included == group.calls:
        return "included in your plan"
    if group.unpriced and not group.dollars:
        return "unknown"
    more = f" + {group.unpriced} calls of unknown price" if group.unpriced else ""
    return f"{group.dollars:.4f}{more}" + (f" + {group.included} calls included in your plan" if group.included else "")
