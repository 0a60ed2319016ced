"""Start-up block and in-session text in one answer: both arrive, and the block gives way where there is no room."""

from __future__ import annotations

from pathlib import Path

import pytest

from slowwave.agents import hosts
from slowwave.agents.install import contracts
from slowwave.memories.reading.read_path import entry_numbers
from slowwave.paths import injection_file, session_database_file
from tests.agents.conftest import Ran, RunHook
from tests.support.memory import MemoryHome

GOAL = "Please add a retry policy to the payment client, but never touch the auth code."


class Conversation:
    """One session of one agent in a project with memory."""

    def __init__(self, agent: str, memory: MemoryHome, run: RunHook, folder: Path) -> None:
        self.agent, self.memory, self.run, self.folder = agent, memory, run, folder
        self.project = memory.project(folder)
        memory.publish(self.project.id, ["tests run with `bun test`"])
        memory.compile()

    def __call__(self, event: str, **fields: str) -> Ran:
        payload = contracts.payload(self.agent, event, self.folder, session="s1") | fields
        ran = self.run(event, self.agent, payload)
        assert ran.code == 0 and contracts.problems(self.agent, event, ran.out) == []
        return ran


@pytest.fixture(params=["claude", "codex"])
def talk(request: pytest.FixtureRequest, memory_home: MemoryHome, run_hook: RunHook, tmp_path: Path) -> Conversation:
    return Conversation(request.param, memory_home, run_hook, tmp_path / "shop")


def test_the_pinned_task_comes_back_beside_the_memory_after_a_compaction(talk: Conversation) -> None:
    assert "[m1]" in talk(hosts.SESSION_START).context
    talk(hosts.USER_PROMPT, prompt=GOAL)
    talk(hosts.STOP, last_assistant_message="I added it.")
    talk(hosts.PRE_COMPACT)
    after = talk(hosts.SESSION_START, source="compact").context
    assert "[m1]" in after and "never touch the auth code" in after
    assert after.index("slowwave-memory") < after.index("never touch the auth code")
    assert session_database_file(talk.memory.home).stat().st_mode & 0o077 == 0


def test_a_block_that_fills_the_limit_gives_way_by_whole_entries(talk: Conversation) -> None:
    host = hosts.HOSTS[talk.agent]
    assert host.limit is not None
    talk(hosts.USER_PROMPT, prompt=GOAL)
    lines = "".join(f"- entry {number} {'word ' * 12}[m{number}]\n" for number in range(1, 200))
    head = '<slowwave-memory version="9-x">\nguidance\n\n# Memory\n\n'
    text = head + lines[: host.limit - len(head) - 25].rpartition("\n")[0] + "\n</slowwave-memory>\n"
    assert hosts.fits(text, host)
    injection_file(talk.memory.home, talk.project.id).write_text(text)
    after = talk(hosts.SESSION_START, source="compact").context
    shown = entry_numbers(after)
    assert hosts.size_of(after, host.unit) <= host.limit
    assert "never touch the auth code" in after
    assert shown == list(range(1, len(shown) + 1)) and len(shown) < len(entry_numbers(text))


def test_a_broken_store_of_the_session_keeps_no_memory_away(talk: Conversation) -> None:
    session_database_file(talk.memory.home).write_bytes(b"no database at all" * 100)
    assert "[m1]" in talk(hosts.SESSION_START, source="compact").context
    assert talk(hosts.USER_PROMPT, prompt=GOAL).context == ""


def test_a_sub_agents_prompt_is_not_the_persons(talk: Conversation) -> None:
    talk(hosts.USER_PROMPT, prompt=GOAL, agent_id="worker-1")
    assert "auth code" not in talk(hosts.SESSION_START, source="compact").context
