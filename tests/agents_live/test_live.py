"""The memory text is inside the request that the real agent sends, and is not read back as something new at night."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from slowwave.agents.install.codex_trust import untrusted_hooks
from slowwave.agents.install.installer import carry_out, plan_install
from slowwave.agents.install.integrations import INTEGRATIONS, Place, Scope, Way
from slowwave.rollouts.readers import readers
from tests.agents_live.model_server import REPLY, ModelServer
from tests.support.memory import MemoryHome

pytestmark = pytest.mark.agents_live

FACT = "the zeppelin build needs FLAG_42"
PROMPT = "say hello"


@dataclass(frozen=True)
class Setup:
    """How one agent is pointed at the loopback server: arguments, environment, and settings files below the home."""

    arguments: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)


def setup_of(agent: str, url: str) -> Setup:
    key = "not-a-key"
    if agent == "claude":
        quiet = (
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
            "DISABLE_TELEMETRY",
            "DISABLE_AUTOUPDATER",
            "DISABLE_ERROR_REPORTING",
        )
        env = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": key, **dict.fromkeys(quiet, "1")}
        return Setup(("-p", PROMPT), env)
    if agent == "codex":
        config = (
            'model = "test"\nmodel_provider = "loop"\ncheck_for_update_on_startup = false\n'
            "[analytics]\nenabled = false\n"
            f'[model_providers.loop]\nname = "loop"\nbase_url = "{url}/v1"\n'
            'wire_api = "responses"\nenv_key = "LOOP_KEY"\n'
        )
        arguments = ("exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", PROMPT)
        return Setup(arguments, {"LOOP_KEY": key}, {".codex/config.toml": config})
    if agent == "gemini":
        settings = {
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
            "security": {"auth": {"selectedType": "gemini-api-key"}},
        }
        env = {"GEMINI_API_KEY": key, "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_CLI_TRUST_WORKSPACE": "true"}
        return Setup(("-m", "gemini-2.5-flash", "-p", PROMPT), env, {".gemini/settings.json": json.dumps(settings)})
    if agent == "pi":
        loop = {"baseUrl": f"{url}/v1", "api": "openai-completions", "apiKey": key, "models": [{"id": "test"}]}
        words = ("-p", "--provider", "loop", "--model", "test", PROMPT)
        return Setup(words, {"PI_OFFLINE": "1"}, {".pi/agent/models.json": json.dumps({"providers": {"loop": loop}})})
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "loop",
        "options": {"baseURL": f"{url}/v1", "apiKey": key},
        "models": {"test": {"name": "test"}},
    }
    settings = {
        "autoupdate": False,
        "share": "disabled",
        "model": "loop/test",
        "small_model": "loop/test",
        "provider": {"loop": provider},
    }
    off = ("OPENCODE_DISABLE_AUTOUPDATE", "OPENCODE_DISABLE_MODELS_FETCH", "OPENCODE_DISABLE_LSP_DOWNLOAD")
    return Setup(("run", PROMPT), dict.fromkeys(off, "1"), {".config/opencode/opencode.json": json.dumps(settings)})


@dataclass(frozen=True)
class Turn:
    """What one turn of the agent was: what it printed, the bodies of its requests, and the home folder it used."""

    output: str
    bodies: list[str]
    user: Path


def run_turn(agent: str, binary: str, base: Path, *, without: str = "") -> Turn:
    memory = MemoryHome(base / "home")
    user, repo = base / "user", base / "repo"
    user.mkdir()
    subprocess.run(["git", "init", "-q", str(repo)], check=True)
    memory.publish(memory.project(repo).id, [FACT])
    assert memory.compile().problems == ()
    with ModelServer() as server:
        setup = setup_of(agent, server.url)
        for name, content in setup.files.items():
            (user / name).parent.mkdir(parents=True, exist_ok=True)
            (user / name).write_text(content)
        carry_out(memory.home, plan_install(memory.home, INTEGRATIONS[agent], Place(Scope.USER, user), Way.HOOKS))
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(user),
            "SLOWWAVE_HOME": str(memory.home),
            "TERM": "xterm-256color",
            "NO_PROXY": "127.0.0.1,localhost",
            **dict.fromkeys(("HTTPS_PROXY", "HTTP_PROXY"), "http://127.0.0.1:9"),
            **setup.env,
        }
        command = [binary, *(argument for argument in setup.arguments if argument != without)]
        done = subprocess.run(
            command,
            cwd=repo,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return Turn(done.stdout, [body for _, body in server.requests], user)


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini", "opencode", "pi"])
def test_the_memory_text_is_in_the_request_that_the_agent_sends(
    agent: str, agent_binary: Callable[[str], str], tmp_path: Path
) -> None:
    turn = run_turn(agent, agent_binary(agent), tmp_path)
    assert REPLY in turn.output
    asked = [body for body in turn.bodies if PROMPT in body]
    assert asked and all(
        FACT in body and "slowwave-memory" in body and "heuristic context" in body for body in asked[-1:]
    )
    logs = list(readers({"HOME": str(turn.user)})[agent].discover({"HOME": str(turn.user)}, turn.user))
    assert logs, "the agent wrote a session log"
    reader = readers({"HOME": str(turn.user)})[agent]
    items = [item for log in logs for item in reader.items(log)]
    assert any(PROMPT in item.text for item in items)
    assert not any("zeppelin" in item.text or "slowwave-memory" in item.text for item in items)


def test_codex_skips_hooks_that_nobody_trusted_without_a_word(
    agent_binary: Callable[[str], str], tmp_path: Path
) -> None:
    """Why `slowwave doctor` looks at the trust of our hooks and `slowwave install codex` says what to do."""
    turn = run_turn("codex", agent_binary("codex"), tmp_path, without="--dangerously-bypass-hook-trust")
    assert REPLY in turn.output and turn.bodies
    assert not any(FACT in body for body in turn.bodies)


def test_codex_tells_the_doctor_which_of_our_hooks_it_does_not_trust(
    agent_binary: Callable[[str], str], tmp_path: Path
) -> None:
    user = tmp_path / "user"
    user.mkdir()
    place = Place(Scope.USER, user)
    carry_out(tmp_path / "home", plan_install(tmp_path / "home", INTEGRATIONS["codex"], place, Way.HOOKS))
    env = {"HOME": str(user), "CODEX_HOME": str(user / ".codex"), "HTTPS_PROXY": "http://127.0.0.1:9"}
    untrusted = untrusted_hooks(agent_binary("codex"), tmp_path, env)
    assert untrusted is not None
    assert sorted(untrusted) == ["preCompact", "sessionStart", "stop", "userPromptSubmit"]
