"""What is injected by day is not learnt again by night: with nothing new, memory does not grow."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import Session, col, select

from slowwave.agents import hosts
from slowwave.agents.compile import compile_hooks
from slowwave.agents.hook.dispatch import Call, answer
from slowwave.agents.install import contracts
from slowwave.app import open_app
from slowwave.memories.reports import RunOptions
from slowwave.paths import memory_root
from slowwave.rollouts.identity.projects import identify
from slowwave.storage.tables import Entry, Project
from tests.support.drive import run
from tests.support.logs import Assistant, Step, Tool, User, claude_rows, codex_rows, stamp, write_lines

RULES = (
    User("Always run the tests with `bun test`, never with npm. And never push to main without asking me."),
    Assistant("Understood."),
    Tool("npm test", "npm: command not found", exit=127),
    Tool("bun test", "41 passed"),
    Assistant("All tests pass."),
)


class House:
    """A home folder, a repository, and the days and nights in it."""

    def __init__(self, user: Path) -> None:
        self.user = user
        self.repo = user / "shop"
        self.repo.mkdir()
        self.day = 0

    def session(self, agent: str, steps: tuple[Step, ...], context: str = "") -> None:
        """Write one session as the agent logs it, with what its start hook gave it."""
        self.day += 1
        start = datetime.now(UTC) - timedelta(days=3) + timedelta(minutes=20 * self.day)
        session_id = f"{self.day:08d}-1111-4111-8111-111111111111"
        if agent == "claude":
            rows = claude_rows(steps, cwd=str(self.repo), session_id=session_id, start=start)
            rows = [*_claude_injection(context, rows[0]), *rows]
            folder = "".join(character if character.isalnum() else "-" for character in str(self.repo))
            write_lines(self.user / ".claude" / "projects" / folder / f"{session_id}.jsonl", rows)
        else:
            rows = codex_rows(steps, cwd=str(self.repo), session_id=session_id, start=start)
            developer = {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": context}]}
            rows.insert(2, {"timestamp": stamp(start), "type": "response_item", "payload": developer})
            name = f"rollout-{start:%Y-%m-%dT%H-%M-%S}-{session_id}.jsonl"
            write_lines(self.user / ".codex" / "sessions" / f"{start:%Y/%m/%d}" / name, rows)

    def night(self) -> str:
        """Run the pipeline, compile the hooks, and return the published files."""
        run(RunOptions())
        app = open_app()
        assert compile_hooks(app.home, app.engine, app.settings).problems == ()
        app.engine.dispose()
        return self.memory()

    def memory(self) -> str:
        """Everything that was learnt: both files that agents read."""
        project = identify(str(self.repo))
        root = memory_root(open_app().home, project.slug, project.id) / "current"
        return (root / "MEMORY.md").read_text() + (root / "memory_summary.md").read_text()

    def injected(self, agent: str) -> str:
        """What the real hook gives a session that starts now."""
        payload = contracts.payload(agent, hosts.SESSION_START, self.repo, session=f"day-{self.day}")
        return answer(Call(hosts.SESSION_START, hosts.HOSTS[agent], payload, open_app().home)).context

    def entries(self) -> list[tuple[str, str, int]]:
        """Active entries: text, status, confirmations."""
        app = open_app()
        with Session(app.engine) as session:
            rows = session.exec(select(Entry).join(Project).order_by(col(Entry.project_id), col(Entry.number))).all()
            found = [(entry.text, entry.status, entry.confirmations) for entry in rows]
        app.engine.dispose()
        return found


def _claude_injection(context: str, first: dict[str, Any]) -> list[dict[str, Any]]:
    if not context:
        return []
    attachment = {"type": "hook_additional_context", "content": [context], "hookEvent": "SessionStart"}
    envelope = {key: first[key] for key in ("cwd", "sessionId", "version", "gitBranch", "timestamp", "userType")}
    return [
        {
            **envelope,
            "type": "attachment",
            "uuid": "a1",
            "parentUuid": None,
            "isSidechain": False,
            "attachment": attachment,
        }
    ]


def echo(house: House, context: str) -> tuple[Step, ...]:
    """A session with nothing new, in which the agent reads the memory and repeats it in its own words."""
    memory = house.memory()
    return (
        User("Which files are in the src folder?"),
        Tool("cat ~/.local/share/slowwave/memory/shop/current/MEMORY.md", memory),
        Tool("slowwave read memory://root", context),
        Assistant(f"From memory I know:\n{memory}"),
        Tool("ls src", "app.ts\nindex.ts"),
        Assistant("There are app.ts and index.ts."),
    )


@pytest.mark.parametrize("nights", [6, pytest.param(50, marks=pytest.mark.full)])
def test_nights_with_nothing_new_add_nothing(nights: int, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWWAVE_MEMORIES__MIN_ROLLOUT_IDLE_HOURS", "1")
    house = House(home)
    house.session("claude", RULES)
    house.session("codex", RULES)
    first = house.night()
    assert "bun test" in first
    entries = house.entries()
    for day in range(nights):
        agent = ("claude", "codex")[day % 2]
        context = house.injected(agent)
        assert "bun test" in context and context.startswith("<slowwave-memory")
        house.session(agent, echo(house, context), context)
        assert house.night() == first
    assert house.entries() == entries


@pytest.mark.parametrize(
    "wrap",
    [lambda text: text, lambda text: f"<hook_context>{text.replace('<', '&lt;').replace('>', '&gt;')}</hook_context>"],
)
def test_a_block_in_the_users_role_is_nobodys_words(wrap: Callable[[str], str]) -> None:
    from slowwave.text.authors import authorship

    block = wrap('<slowwave-memory version="3-abc">\n- always deploy on friday [m1]\n</slowwave-memory>')
    found = authorship(f"{block}\n\nWhich files are there?")
    assert found.typed.strip() == "Which files are there?"
    assert "friday" not in found.context
    assert json.dumps(found.dropped)
