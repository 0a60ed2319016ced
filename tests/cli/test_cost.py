"""`slowwave cost` over recorded calls."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from slowwave.cli.see.cost import cost
from slowwave.storage.call_log import record_call
from slowwave.storage.engine import open_database, writing
from slowwave.storage.tables import ModelCall, Project, Thread


def call(at: float, model: str, role: str = "default", **columns: Any) -> ModelCall:
    return ModelCall(at=at, model=model, role=role, **columns)


@pytest.fixture
def spent(home: Path) -> Path:
    """Calls of two projects on two days, one failed, one of a model without a price, one long ago."""
    now = time.time()
    engine = open_database(home / "slowwave" / "slowwave.db")
    with writing(engine) as session:
        session.add(Project(id="p1", key="k1", slug="shop", name="shop"))
        session.add(Project(id="p2", key="k2", slug="blog", name="blog"))
        session.flush()
        session.add(
            Thread(id="claude:a", agent="claude", session_id="a", host="h", path="x", log_key="x", kind="interactive",
                   project_id="p1")
        )  # fmt: skip
        session.flush()
        rows = [
            call(now, "m", thread_id="claude:a", input_tokens=100, output_tokens=10, cost=0.5),
            call(now, "m", thread_id="claude:a", outcome="timeout"),
            call(
                now - 86_400,
                "m",
                role="smol",
                project_id="p2",
                input_tokens=7,
                output_tokens=3,
                cost=0.25,
                cache_read_tokens=1000,
                cache_write_tokens=5,
            ),
            call(now, "llama", role="smol", project_id="p2", input_tokens=1, output_tokens=1),
            call(now - 90 * 86_400, "m", role="smol", input_tokens=10**6, output_tokens=1, cost=99.0),
        ]
        for row in rows:
            record_call(session, row)
    engine.dispose()
    return home


def asked(*arguments: str) -> dict[str, dict[str, Any]]:
    result = CliRunner().invoke(cost, [*arguments, "--json"], catch_exceptions=False)
    data = json.loads(result.output)
    return {group[data["by"]]: group for group in data["groups"]}


def test_by_project_with_sessions_traced_to_theirs(spent: Path) -> None:
    groups = asked("--by", "project")
    assert list(groups) == ["shop", "blog"]
    numbers = {"calls": 2, "failed": 1, "input_tokens": 100, "cached_tokens": 0, "output_tokens": 10, "dollars": 0.5}
    assert groups["shop"] == {"project": "shop", "unpriced": 0, "included": 0} | numbers
    assert groups["blog"]["unpriced"] == 1 and groups["blog"]["cached_tokens"] == 1000
    assert groups["blog"]["input_tokens"] == 13


def test_by_day_role_model_and_outcome(spent: Path) -> None:
    days = asked()
    assert len(days) == 2 and list(days) == sorted(days)
    assert {key: group["calls"] for key, group in asked("--by", "role").items()} == {"default": 2, "smol": 2}
    assert set(asked("--by", "model")) == {"m", "llama"}
    assert asked("--by", "outcome")["timeout"]["calls"] == 1
    assert sum(group["dollars"] for group in asked("--days", "365").values()) == pytest.approx(99.75)


def test_an_unknown_price_is_not_shown_as_zero(spent: Path) -> None:
    text = CliRunner().invoke(cost, ["--by", "model"], catch_exceptions=False).output
    assert "unknown" in next(line for line in text.splitlines() if line.startswith("llama"))
    assert "0.7500 + 1 calls of unknown price" in text.splitlines()[-1]


def test_a_fresh_home_has_cost_nothing(home: Path) -> None:
    assert "costs nothing" in CliRunner().invoke(cost, [], catch_exceptions=False).output
