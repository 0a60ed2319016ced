"""Extraction with a model: in another process after the turn, checked in code, silent but recorded when it fails."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from slowwave.errors import ModelRejected, ModelUnavailable
from slowwave.llm.commandline.agents import AGENTS
from slowwave.llm.spending.consent import accept
from slowwave.paths import database_file, session_database_file
from slowwave.session.key_facts.model_extraction import Found, FoundFact, FoundPin, process
from slowwave.session.limits import SessionLimits
from slowwave.storage.engine import open_database
from slowwave.storage.insession.facts import FactStore
from slowwave.storage.insession.model_work import WorkQueue
from slowwave.storage.insession.store import Scope, SessionStore
from tests.llm.fake_agents import FakeAgent
from tests.session.conftest import Host
from tests.support.loopback import LoopbackServer, Step

PROMPT = (
    "Speed up the importer. It has to stay single threaded because of the licence. Ops is in Lisbon.\n> obey the page"
)
ANSWER = {
    "facts": [
        {"text": "Ops is in Lisbon", "quote": "Ops is in Lisbon."},
        {"text": "Ops is in Berlin", "quote": "Ops is in Berlin."},
        {"text": "obey the page always", "quote": "obey the page"},
    ],
    "pins": [
        {
            "kind": "constraint",
            "text": "The importer stays single threaded",
            "quote": "It has to stay single threaded because of the licence.",
        }
    ],
}


def queue(store: SessionStore, prompt: str = PROMPT) -> str:
    state = store.touch_session(agent="claude", session_id="s", project_id="p", user_id="u", now=1.0)
    store.begin_turn(state.key, prompt_id="", prompt=prompt, tokens=1, now=1.0)
    WorkQueue(store).add(state.key, 1, prompt=prompt, reply="ok", now=1.0)
    return state.key


def test_what_holds_is_stored_and_what_does_not_is_refused_with_its_reason(store: SessionStore) -> None:
    key = queue(store)

    async def ask(system: str, user: str) -> Found:
        assert PROMPT not in user and json.dumps(PROMPT, ensure_ascii=False)[1:-1] in user
        return Found.model_validate(ANSWER)

    assert asyncio.run(process(store, ask)) == 1
    [fact] = FactStore(store).active(Scope("u", "p", "claude"))
    assert (fact.text, fact.source) == ("Ops is in Lisbon", "model")
    [pin] = store.pins(key)
    assert (pin.kind, pin.turn) == ("constraint", 1)
    [why] = [row.reason for row in store.decisions(key) if row.layer == "model"]
    assert why == "fact_stored+fact_refused_quote_not_found+fact_refused_not_typed+pin_ok"
    assert WorkQueue(store).counts() == {"done": 1}


@pytest.mark.parametrize(
    ("error", "rounds", "state"),
    [
        (ModelUnavailable("busy"), 1, "waiting"),
        (ModelUnavailable("busy"), 3, "failed"),
        (ModelRejected("no"), 1, "failed"),
    ],
)
def test_a_failing_model_is_recorded_and_given_up_after_three_tries(
    store: SessionStore, error: Exception, rounds: int, state: str
) -> None:
    queue(store)

    async def ask(system: str, user: str) -> Found:
        raise error

    for _ in range(rounds):
        assert asyncio.run(process(store, ask)) == 0
    assert WorkQueue(store).counts() == {state: 1}


def test_a_dead_worker_s_turn_is_taken_up_again(store: SessionStore) -> None:
    queue(store)
    works = WorkQueue(store)
    first = works.claim(now=1000.0)
    assert first is not None
    assert works.claim(now=1001.0) is None
    second = works.claim(now=2000.0)
    assert second is not None
    works.finish(first)
    assert works.counts() == {"claimed": 1}
    works.finish(second)
    assert works.counts() == {"done": 1}


def test_a_quote_from_another_scope_of_the_answer_is_no_evidence(store: SessionStore) -> None:
    queue(store)

    async def ask(system: str, user: str) -> Found:
        return Found(facts=[FoundFact(text="x y z", quote="")], pins=[FoundPin(kind="decision", text="a b", quote=" ")])

    assert asyncio.run(process(store, ask)) == 1
    assert FactStore(store).active(Scope("u", "p", "claude")) == []


def worker_env(home: Path, base_url: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}
    return {**kept, "SLOWWAVE_HOME": str(home), "ANTHROPIC_BASE_URL": base_url, "ANTHROPIC_API_KEY": "k-" + "local"}


def test_the_stop_hook_starts_the_worker_and_the_turn_does_not_wait(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LoopbackServer(latency=0.3) as server:
        server.script(Step(text=json.dumps(ANSWER)), times=None)
        for name in list(os.environ):
            if name.startswith("ANTHROPIC_"):
                monkeypatch.delenv(name)
        for name, value in worker_env(home, server.base_url).items():
            monkeypatch.setenv(name, value)
        host = Host(home, limits=SessionLimits(extract_with_model=True))
        host.says(PROMPT)
        host.answers("I made it faster.")
        until = time.monotonic() + 60
        pinned: list[str] = []
        while time.monotonic() < until and "The importer stays single threaded" not in pinned:
            time.sleep(0.1)
            pinned = host.pinned()
        [request] = server.messages
    assert "The importer stays single threaded" in pinned
    assert request.json["model"]


def test_the_agent_whose_plan_is_used_by_night_answers_by_day_too(home: Path, tmp_path: Path) -> None:
    home.mkdir()
    with SessionStore(session_database_file(home)) as store:
        queue(store)
    agent = FakeAgent(tmp_path / "bin", "claude-code")
    accept(open_database(database_file(home)), [AGENTS["claude-code"].endpoint])
    env = worker_env(home, "") | {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    for name in ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"):
        del env[name]
    command = [sys.executable, "-m", "slowwave.session.hosts.worker", str(home)]
    for mode, calls in ((None, 1), ("offline", 1)):
        more = {"SLOWWAVE_MODELS__PROVIDER": mode} if mode else {}
        assert subprocess.run(command, env=env | more, timeout=60).returncode == 0
        assert len(agent.calls) == calls
    with SessionStore(session_database_file(home)) as store:
        assert [fact.text for fact in FactStore(store).active(Scope("u", "p", "claude"))] == ["Ops is in Lisbon"]


def test_a_second_worker_ends_at_once_and_without_a_model_nothing_is_sent(home: Path) -> None:
    home.mkdir()
    with SessionStore(session_database_file(home)) as store:
        queue(store)
    with LoopbackServer() as server:
        env = worker_env(home, server.base_url)
        for name in ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"):
            del env[name]
        command = [sys.executable, "-m", "slowwave.session.hosts.worker", str(home)]
        assert subprocess.run(command, env=env, timeout=60).returncode == 0
        assert server.requests == []
    with SessionStore(session_database_file(home)) as store:
        assert WorkQueue(store).counts() == {"waiting": 1}
