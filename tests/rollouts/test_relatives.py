"""Agents that write another agent's format under a root of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from slowwave.rollouts.readers import reader_for, readers
from slowwave.rollouts.relatives import RELATIVES, Relative
from tests.support import agent_logs
from tests.support.logs import Assistant, User, claude_rows, codex_rows, write_lines
from tests.support.reading import texts

TURNS = [User("never edit the schema"), Assistant("ok")]


def write(format: str, root: Path) -> None:
    """Write one session of a format below a root."""
    if format == "claude":
        bucket = root / "projects" / "-home-dev-shop"
        write_lines(bucket / "11111111-1111-4111-8111-111111111111.jsonl", claude_rows(TURNS))
    elif format == "codex":
        name = "rollout-2026-06-01T09-00-00-0197f000-0000-7000-8000-000000000001.jsonl"
        write_lines(root / "sessions" / "2026" / "06" / "01" / name, codex_rows(TURNS))
    elif format == "openclaw":
        agent_logs.openclaw_session(root / "agents" / "main" / "sessions" / "s.jsonl", TURNS)
    elif format == "pi":
        write_lines(root / "--home-dev-shop--" / "s.jsonl", agent_logs.pi_rows(TURNS))
    else:
        connection = agent_logs.opencode_connection(root / "store.db")
        agent_logs.add_opencode_session(connection, TURNS)
        connection.close()


@pytest.mark.parametrize("relative", RELATIVES, ids=lambda relative: relative.agent)
def test_a_relatives_sessions_are_found_and_read_under_its_own_id(tmp_path: Path, relative: Relative) -> None:
    write(relative.format, tmp_path / relative.root)
    reader = readers({})[relative.agent]
    (log,) = reader.discover({}, tmp_path)
    facts = reader.scan(log)
    assert facts.thread_id.startswith(f"{relative.agent}:")
    assert texts(list(reader.items(log, facts))) == ["never edit the schema"]
    assert list(readers({})[relative.format].discover({}, tmp_path)) == []


def test_a_root_can_be_named(tmp_path: Path) -> None:
    write("claude", tmp_path / "elsewhere")
    env = {"SLOWWAVE_OPENCLAUDE_ROOT": str(tmp_path / "elsewhere")}
    (log,) = readers(env)["openclaude"].discover(env, tmp_path)
    assert log.agent == "openclaude"
    assert reader_for(log.path, env).agent == "claude"


def test_nothing_is_found_where_nothing_is(tmp_path: Path) -> None:
    assert [log for known in RELATIVES for log in readers({})[known.agent].discover({}, tmp_path)] == []
