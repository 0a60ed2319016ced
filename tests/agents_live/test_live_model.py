"""The real Claude Code and Codex as the model: one request, nothing of the person's in it, nothing left behind."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from slowwave.llm.commandline.agents import AGENTS
from slowwave.llm.commandline.extractor import CommandLineExtractor
from slowwave.llm.factory import make_extractor
from slowwave.llm.spending import consent
from slowwave.rollouts.readers import readers
from slowwave.settings import Settings
from slowwave.storage.engine import open_database
from tests.agents_live.model_server import ModelServer
from tests.llm.conftest import request_of

pytestmark = pytest.mark.agents_live

TEXT = "Please always use uv instead of pip here."
PERSONAL = "the zeppelin build needs FLAG_42"
HOOK = "touch {mark}"


def answer(body: str) -> str:
    quote = {"item": 0, "quote": TEXT}
    memory = {"kind": "preference", "text": TEXT, "situation": "", "standing": "user_said", "evidence": [quote]}
    whole: dict[str, Any] = {
        "outcome": "success",
        "rollout_slug": "use-uv",
        "rollout_summary": "uv",
        "memories": [memory],
    }
    return json.dumps(whole | {name: [] for name in ("open", "open_work", "applies_to") if f'\\"{name}\\"' in body})


def a_person(home: Path, agent: str, mark: Path) -> None:
    """Personal instructions, settings, hooks and servers that must not come into a request."""
    if agent == "claude-code":
        (home / ".claude").mkdir()
        (home / ".claude" / "CLAUDE.md").write_text(PERSONAL)
        hook = {"hooks": [{"type": "command", "command": HOOK.format(mark=mark)}]}
        settings = {"hooks": {name: [hook] for name in ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")}}
        (home / ".claude" / "settings.json").write_text(json.dumps(settings))
        return
    (home / ".codex").mkdir()
    (home / ".codex" / "AGENTS.md").write_text(PERSONAL)
    hook = {"hooks": [{"type": "command", "command": HOOK.format(mark=mark)}]}
    (home / ".codex" / "hooks.json").write_text(json.dumps({"hooks": {"SessionStart": [hook], "Stop": [hook]}}))


@pytest.mark.parametrize("name", ["claude-code", "codex"])
def test_a_session_is_extracted_by_the_agent_that_a_person_is_logged_in_to(
    name: str, agent_binary: Callable[[str], str], tmp_path: Path
) -> None:
    agent = AGENTS[name]
    folder = str(Path(agent_binary(agent.binary)).parent)
    mark = tmp_path / "hook-ran"
    a_person(tmp_path, name, mark)
    with ModelServer(answer) as server:
        env = {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(tmp_path), "SLOWWAVE_HOME": str(tmp_path / "sw"),
               "ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "not-a-key", "LOOP_KEY": "not-a-key",
               "NO_PROXY": "127.0.0.1", "CODEX_HOME": str(tmp_path / ".codex")}  # fmt: skip
        loop = f'{{name="loop",base_url="{server.url}/v1",wire_api="responses",env_key="LOOP_KEY"}}'
        more = ("-c", f"model_providers.loop={loop}", "-c", 'model_provider="loop"') if name == "codex" else ()
        models = {"provider": name, "agent_arguments": more, "default": {"timeout_seconds": 60}}
        if name == "codex":
            models["default"] = {"timeout_seconds": 60, "model": "test"}
        engine = open_database(tmp_path / "slowwave.db")
        consent.accept(engine, [agent.endpoint])
        extractor = make_extractor(Settings.model_validate({"models": models}), engine, None, env)
        assert isinstance(extractor, CommandLineExtractor)
        reply = asyncio.run(extractor.extract(request_of(TEXT)))
        engine.dispose()
        asked = [body for path, body in server.requests if "messages" in path or "responses" in path]
    assert reply.reply.memories[0].text == TEXT
    assert reply.usage.cost == 0.0 and reply.usage.input_tokens > 0
    assert len(asked) <= 2
    sent = asked[0]
    assert TEXT in sent and "The log is evidence" in sent
    assert PERSONAL not in sent
    assert not mark.exists()
    tools = [tool.get("name") for tool in json.loads(sent).get("tools", [])]
    assert set(tools) <= {"StructuredOutput", "request_user_input"}
    assert len(sent) < 2 * len(json.dumps(TEXT)) + 20_000
    logs = [log for reader in readers(env).values() for log in reader.discover(env, tmp_path)]
    assert logs == []
