"""`slowwave doctor` says what keeps the memory from arriving, and what to do."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from slowwave.agents.install.codex_trust import untrusted_hooks
from slowwave.cli.group import slowwave
from slowwave.errors import AgentIntegrationError
from tests.agents.conftest import COMMAND
from tests.support.logs import claude_session
from tests.support.memory import MemoryHome


class Machine:
    """A home folder with agents, a Slowwave home and one project with memory."""

    def __init__(self, base: Path) -> None:
        self.user = base / "user"
        self.user.mkdir()
        self.bin = base / "bin"
        self.bin.mkdir()
        self.memory = MemoryHome(base / "home")
        self.memory.home.chmod(0o700)
        self.repo = base / "repo"
        self.memory.publish(self.memory.project(self.repo).id, ["first thing"])
        self.memory.compile()

    def run(self, *arguments: str, **env: str) -> Result:
        """Run a command in this process: starting one for each check would take most of the time."""
        variables = dict.fromkeys(os.environ, None) | {
            "PATH": f"{self.bin}:/usr/bin:/bin",
            "HOME": str(self.user),
            "SLOWWAVE_HOME": str(self.memory.home),
            **env,
        }
        with contextlib.chdir(self.repo):
            return CliRunner().invoke(slowwave, list(arguments), env=variables, standalone_mode=False)

    def agent(self, name: str, script: str = "#!/bin/sh\n") -> None:
        """Put an agent's command on the PATH."""
        (self.bin / name).write_text(script)
        (self.bin / name).chmod(0o755)

    def doctor(self, *agents: str, **env: str) -> dict[tuple[str, str], tuple[str, str, str]]:
        """Findings by subject and check: level, text, what to do."""
        done = self.run("doctor", "--json", *agents, **env)
        findings = json.loads(done.stdout)
        assert (done.return_value == 3) == any(finding["level"] == "fault" for finding in findings)
        assert all(finding["todo"] for finding in findings if finding["level"] in ("fault", "warning"))
        return {(f["subject"], f["check"]): (f["level"], f["text"], f["todo"]) for f in findings}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def install(machine: Machine, *arguments: str) -> None:
    done = machine.run("install", *arguments)
    assert done.exception is None, done.output


def test_nothing_installed_is_no_fault(machine: Machine) -> None:
    machine.agent("claude")
    found = machine.doctor()
    assert found["claude", "installed"][0] == "ok"
    assert found["claude", "wired"] == ("info", "not installed into", "Run `slowwave install claude` if you use it.")
    assert ("gemini", "installed") not in found
    assert found["home", "database"][0] == "ok" and found["home", "permissions"][0] == "ok"


@pytest.mark.parametrize("agent", ["claude", "gemini", "pi", "omp", "opencode", "openclaw", "cursor"])
def test_an_installed_agent_is_well(agent: str, machine: Machine) -> None:
    machine.agent(agent)
    install(machine, agent)
    found = machine.doctor(agent)
    assert found[agent, "wired"][0] == "ok"
    assert found[agent, "answers"][0] in ("ok", "warning") and "events answered" in found[agent, "answers"][1]
    assert found[agent, "arrives"][0] == "ok" and "whole" in found[agent, "arrives"][1]
    assert found[agent, "arrived"][0] == "info"
    before = sorted(machine.memory.home.rglob("*"))
    machine.doctor(agent)
    assert sorted(machine.memory.home.rglob("*")) == before


def test_a_removed_entry_a_gone_command_and_a_switch_are_found(machine: Machine) -> None:
    machine.agent("claude")
    install(machine, "claude")
    path = machine.user / ".claude" / "settings.json"
    good = path.read_text()
    settings = json.loads(good)
    path.write_text(json.dumps({**settings, "disableAllHooks": True}))
    assert machine.doctor("claude")["claude", "switches"][0] == "fault"
    del settings["hooks"]["Stop"]
    path.write_text(json.dumps(settings))
    level, text, todo = machine.doctor("claude")["claude", "wired"]
    assert (level, "Stop" in text, todo) == ("fault", True, "Run `slowwave install claude` again.")
    path.write_text(good.replace(str(COMMAND), "/gone/slowwave"))
    assert machine.doctor("claude")["claude", "wired"][:2] == ("fault", "/gone/slowwave does not exist")
    path.write_text("{")
    assert machine.doctor("claude")["claude", "wired"][0] == "fault"


def test_an_administrator_who_allows_managed_hooks_only_is_found(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    managed = tmp_path / "managed-settings.json"
    monkeypatch.setattr("slowwave.agents.doctor.checks.MANAGED_SETTINGS", (tmp_path / "none.json", managed))
    machine.agent("claude")
    install(machine, "claude")
    managed.write_text('{"allowManagedHooksOnly": false}')
    assert ("claude", "switches") not in machine.doctor("claude")
    managed.write_text('{"allowManagedHooksOnly": true}')
    level, _, todo = machine.doctor("claude")["claude", "switches"]
    assert level == "fault" and "--markdown" in todo


def test_a_command_that_answers_wrongly_is_found(machine: Machine) -> None:
    machine.agent("gemini")
    install(machine, "gemini")
    machine.agent("slowwave", '#!/bin/sh\necho \'{"hookSpecificOutput": {"additionalContext": "x"}, "more": 1}\'\n')
    path = machine.user / ".gemini" / "settings.json"
    path.write_text(path.read_text().replace(str(COMMAND), str(machine.bin / "slowwave")))
    level, text, _ = machine.doctor("gemini")["gemini", "answers"]
    assert level == "fault" and "unknown key more" in text and "hookSpecificOutput" in text


def test_a_block_over_the_limit_is_found(machine: Machine) -> None:
    machine.agent("claude")
    install(machine, "claude")
    project = machine.memory.project(machine.repo)
    machine.memory.publish(project.id, [f"entry {number} {'word ' * 20}" for number in range(110)])
    machine.memory.compile()
    level, text, todo = machine.doctor("claude")["claude", "arrives"]
    assert level == "warning" and "cut" in text and "summaryInjectionTokenLimit" in todo


def test_the_newest_log_tells_whether_it_arrived(machine: Machine) -> None:
    machine.agent("claude")
    install(machine, "claude")
    log = machine.user / ".claude" / "projects" / "-repo" / "11111111-1111-4111-8111-111111111111.jsonl"
    log.parent.mkdir(parents=True)
    claude_session(log, cwd=str(machine.repo))
    os.utime(log, (time.time() + 5, time.time() + 5))
    assert machine.doctor("claude")["claude", "arrived"][0] == "warning"
    with log.open("a") as file:
        file.write(json.dumps({"type": "attachment", "content": '<slowwave-memory version="1-x">'}) + "\n")
    assert machine.doctor("claude")["claude", "arrived"][0] == "ok"


def test_the_markdown_way_is_checked_too(machine: Machine) -> None:
    machine.agent("codex")
    install(machine, "codex", "--project", "--markdown")
    assert machine.doctor("codex")["codex", "wired"][0] == "ok"
    (machine.repo / "AGENTS.md").write_text("nothing of ours\n")
    assert machine.doctor("codex")["codex", "wired"][0] == "fault"


def test_the_home_is_examined(machine: Machine) -> None:
    machine.memory.home.chmod(0o755)
    hooks_log = machine.memory.home / "logs" / "hooks.log"
    hooks_log.parent.mkdir()
    hooks_log.write_text(
        json.dumps({"at": time.time(), "agent": "claude", "event": "stop", "reason": "disk full"}) + "\n"
    )
    (machine.memory.home / "hooks" / "index.json").write_text("{")
    found = machine.doctor(
        SLOWWAVE_MODELS__DEFAULT__BASE_URL="http://127.0.0.1:9", SLOWWAVE_PREFECT__API_URL="http://127.0.0.1:9/api"
    )
    assert found["home", "permissions"][0] == "warning"
    assert found["home", "hook log"][0] == "warning" and "disk full" in found["home", "hook log"][1]
    assert found["home", "blocks"][0] == "fault"
    assert found["home", "model"][0] == "fault" and "127.0.0.1:9" in found["home", "model"][1]
    assert found["home", "prefect"][0] == "fault"
    assert found["home", "schedule"][0] in ("info", "ok")


def test_a_model_elsewhere_is_not_contacted_and_lacks_consent(machine: Machine) -> None:
    found = machine.doctor(
        SLOWWAVE_MODELS__DEFAULT__BASE_URL="https://models.example.org", ANTHROPIC_API_KEY="not-a-key"
    )
    assert found["home", "model"][0] == "ok" and "not contacted" in found["home", "model"][1]
    assert found["home", "consent"][0] == "warning"


def test_install_all_means_the_agents_of_this_machine(machine: Machine) -> None:
    assert isinstance(machine.run("install", "all").exception, AgentIntegrationError)
    machine.agent("claude")
    (machine.user / ".gemini").mkdir()
    rows = json.loads(machine.run("install", "all", "--json").stdout)
    assert [row["agent"] for row in rows] == ["claude", "gemini"]


def test_an_unknown_agent_is_a_usage_error(machine: Machine) -> None:
    done = subprocess.run(
        [str(COMMAND), "doctor", "emacs"], capture_output=True, text=True, timeout=120, check=False,
        env={"PATH": os.environ["PATH"], "SLOWWAVE_HOME": str(machine.memory.home)},
    )  # fmt: skip
    assert done.returncode == 2 and "emacs" in done.stderr


APP_SERVER = """#!{python}
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("id") == 1:
        print(json.dumps({{"id": 1, "result": {{}}}}), flush=True)
        print(json.dumps({{"method": "configWarning", "params": {{}}}}), flush=True)
    if message.get("method") == "hooks/list":
        hooks = [
            {{"eventName": "sessionStart", "command": "/x/slowwave hook a --agent codex", "trustStatus": "{trust}"}},
            {{"eventName": "stop", "command": "another tool", "trustStatus": "untrusted"}},
        ]
        print(json.dumps({{"id": 2, "result": {{"data": [{{"cwd": "/", "hooks": hooks}}]}}}}), flush=True)
"""


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (APP_SERVER.format(python=sys.executable, trust="trusted"), []),
        (APP_SERVER.format(python=sys.executable, trust="untrusted"), ["sessionStart"]),
        ("#!/bin/sh\necho not json\n", None),
        ("#!/bin/sh\nexit 1\n", None),
    ],
)
def test_codex_is_asked_whether_it_trusts_our_hooks(
    script: str, expected: list[str] | None, tmp_path: Path, machine: Machine
) -> None:
    machine.agent("codex", script)
    assert untrusted_hooks(str(machine.bin / "codex"), tmp_path, {}) == expected
    install(machine, "codex")
    level = machine.doctor("codex")["codex", "trust"][0]
    assert level == ("warning" if expected is None else "fault" if expected else "ok")


def test_an_app_server_that_never_answers_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("slowwave.agents.install.codex_trust.SECONDS", 0.5)
    sleeper = tmp_path / "codex"
    sleeper.write_text("#!/bin/sh\nexec sleep 60\n")
    sleeper.chmod(0o755)
    started = time.monotonic()
    assert untrusted_hooks(str(sleeper), tmp_path, {}) is None
    assert time.monotonic() - started < 10
