"""Commands, MCP entries, shared blocks and the command line of an installation."""

import json
import os
import subprocess
import tomllib
from pathlib import Path

import pytest

from slowwave.agents.install.installer import plan_install
from slowwave.agents.install.integrations import INTEGRATIONS, Scope, Way
from slowwave.agents.install.jsonc import parse
from slowwave.agents.install.markdown import NOTHING_YET, refresh_markdown
from slowwave.agents.install.receipts import all_receipts
from slowwave.errors import AgentIntegrationError
from tests.agents.conftest import COMMAND
from tests.support.installing import SETTINGS, do_install, do_uninstall, place_in, prepare, tree
from tests.support.memory import MemoryHome


@pytest.mark.parametrize("agent", [agent for agent, known in INTEGRATIONS.items() if known.has_hooks])
def test_every_agent_but_those_without_commands_gets_slash_slowwave(agent: str, tmp_path: Path) -> None:
    integration, place = INTEGRATIONS[agent], place_in(tmp_path / "user")
    do_install(tmp_path / "home", integration, place)
    commands = [path for path in place.folder.rglob("*") if path.name in ("slowwave.md", "slowwave.toml", "SKILL.md")]
    assert len(commands) == 1
    text = commands[0].read_text()
    for word in ("view", "clear", "reset", "enqueue", "rebuild"):
        assert f"`{word}`" in text
    if agent == "gemini":
        assert "{{args}}" in tomllib.loads(text)["prompt"]
    if commands[0].name == "SKILL.md":
        from skills_ref.validator import validate

        assert validate(commands[0].parent) == []


def test_a_persons_own_command_of_that_name_is_left_alone(tmp_path: Path) -> None:
    integration, place, home = INTEGRATIONS["claude"], place_in(tmp_path / "user"), tmp_path / "home"
    own = place.folder / ".claude" / "commands" / "slowwave.md"
    own.parent.mkdir(parents=True)
    own.write_text("my own command")
    plan = do_install(home, integration, place)
    assert own.read_text() == "my own command" and any("not ours" in note for note in plan.notes)
    do_uninstall(home, integration, place)
    assert own.read_text() == "my own command"


def test_extension_files_call_the_installed_command_and_parse_as_javascript(tmp_path: Path) -> None:
    for agent, name in (
        ("opencode", "slowwave.js"),
        ("pi", "slowwave.ts"),
        ("omp", "slowwave.ts"),
        ("openclaw", "handler.js"),
    ):
        place = place_in(tmp_path / agent)
        do_install(tmp_path / "home", INTEGRATIONS[agent], place)
        found = next(place.folder.rglob(name))
        text = found.read_text()
        assert f'const COMMAND = "{COMMAND}";' in text and "@" not in text.replace("@ts", "").split("\n")[3]
        assert "@COMMAND@" not in text and "@AGENT@" not in text


def test_the_mcp_entries_keep_toml_comments_and_order(tmp_path: Path) -> None:
    integration, place, home = INTEGRATIONS["codex"], place_in(tmp_path / "user"), tmp_path / "home"
    config = place.folder / ".codex" / "config.toml"
    config.parent.mkdir()
    original = '# mine\nmodel = "gpt-5"  # fast\n\n[mcp_servers.docs]\ncommand = "docs"\n'
    config.write_text(original)
    do_install(home, integration, place, mcp=True)
    text = config.read_text()
    assert text.startswith('# mine\nmodel = "gpt-5"  # fast\n')
    assert tomllib.loads(text)["mcp_servers"] == {
        "docs": {"command": "docs"},
        "slowwave": {"command": str(COMMAND), "args": ["mcp"]},
    }
    config.write_text(text + "\n[tui]\ntheme = 1\n")
    do_uninstall(home, integration, place)
    assert tomllib.loads(config.read_text()) == {**tomllib.loads(original), "tui": {"theme": 1}}
    assert "# mine" in config.read_text()


def test_gemini_takes_hooks_and_mcp_in_one_file(tmp_path: Path) -> None:
    integration, place, home = INTEGRATIONS["gemini"], place_in(tmp_path / "user"), tmp_path / "home"
    path = prepare(integration, place, SETTINGS["comments and trailing commas"])
    do_install(home, integration, place, mcp=True)
    value = parse(path.read_text()).value
    assert (
        value["mcpServers"]["slowwave"]["args"] == ["mcp"]
        and value["hooks"]["BeforeAgent"][0]["hooks"][0]["timeout"] == 5000
    )
    path.write_text(path.read_text() + "// later\n")
    do_uninstall(home, integration, place)
    assert path.read_text() == (SETTINGS["comments and trailing commas"] or "") + "// later\n"


def test_two_agents_share_one_block_and_the_last_one_to_go_takes_it(tmp_path: Path) -> None:
    place, home = place_in(tmp_path / "repo", Scope.PROJECT), tmp_path / "home"
    agents_md = place.folder / "AGENTS.md"
    agents_md.write_text("Be kind.\n")
    for agent in ("codex", "pi"):
        do_install(home, INTEGRATIONS[agent], place, Way.MARKDOWN, block="memory")
    assert agents_md.read_text().count("slowwave:begin") == 1
    do_uninstall(home, INTEGRATIONS["codex"], place)
    assert agents_md.read_text().count("slowwave:begin") == 1
    do_uninstall(home, INTEGRATIONS["pi"], place)
    assert agents_md.read_text() == "Be kind.\n"


def test_both_ways_at_once_are_refused(tmp_path: Path) -> None:
    place, home = place_in(tmp_path / "user"), tmp_path / "home"
    do_install(home, INTEGRATIONS["claude"], place)
    with pytest.raises(AgentIntegrationError, match="already"):
        plan_install(home, INTEGRATIONS["claude"], place, Way.MARKDOWN, block="x")


def run_cli(*arguments: str, memory: MemoryHome, cwd: Path) -> str:
    env = {"PATH": os.environ["PATH"], "HOME": str(memory.home.parent / "user"), "SLOWWAVE_HOME": str(memory.home)}
    done = subprocess.run(
        [str(COMMAND), *arguments], cwd=cwd, env=env, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_command_installs_exports_skills_renews_the_block_and_undoes_it_all(tmp_path: Path) -> None:
    memory = MemoryHome(tmp_path / "home")
    (tmp_path / "user").mkdir()
    repo = tmp_path / "repo"
    project = memory.project(repo)
    (repo / ".git").mkdir()
    project = memory.project(repo)
    memory.publish(project.id, ["first thing"], skills={"run-tests": "1. run them"})
    (repo / ".claude").mkdir()
    before = tree(repo)
    dry = run_cli("install", "claude", "--project", "--markdown", "--dry-run", memory=memory, cwd=repo)
    assert "would" in dry or "new:" in dry
    assert tree(repo) == before
    report = json.loads(
        run_cli("install", "claude", "codex", "--project", "--markdown", "--json", memory=memory, cwd=repo)
    )
    assert [row["agent"] for row in report] == ["claude", "codex"]
    assert "first thing [m1]" in (repo / ".claude" / "rules" / "slowwave.md").read_text()
    assert "first thing [m1]" in (repo / "AGENTS.md").read_text()
    for folder in (repo / ".claude" / "skills", repo / ".agents" / "skills"):
        assert (folder / "run-tests" / "SKILL.md").is_file() and (folder / "run-tests" / ".slowwave.json").is_file()
    memory.publish(project.id, ["second thing"])
    assert memory.compile().problems == ()
    assert "second thing [m2]" in (repo / ".claude" / "rules" / "slowwave.md").read_text()
    assert "second thing [m2]" in (repo / "AGENTS.md").read_text()
    assert not (repo / ".claude" / "skills" / "run-tests").exists()
    run_cli("uninstall", "claude", "codex", "--project", memory=memory, cwd=repo)
    after = tree(repo)
    assert {path for path in after if path not in before} == set()
    assert after == before


RULES = [agent for agent, known in INTEGRATIONS.items() if not known.has_hooks]
WHERE = {
    "vscode": (".config/Code/User/prompts/slowwave.instructions.md", ".github/instructions/slowwave.instructions.md"),
    "cline": ("Documents/Cline/Rules/slowwave.md", ".clinerules/slowwave.md"),
    "roo": (".roo/rules/slowwave.md", ".roo/rules/slowwave.md"),
    "kilocode": (".kilocode/rules/slowwave.md", ".kilocode/rules/slowwave.md"),
    "qwen": (".qwen/extensions/slowwave/SLOWWAVE.md", "QWEN.md"),
    "amp": (".config/amp/AGENTS.md", "AGENTS.md"),
    "kiro": (".kiro/steering/slowwave.md", ".kiro/steering/slowwave.md"),
    "cursor": ("", ".cursor/rules/slowwave.mdc"),
    "copilot": (".copilot/copilot-instructions.md", ".github/copilot-instructions.md"),
    "droid": (".factory/AGENTS.md", "AGENTS.md"),
}


@pytest.mark.parametrize("scope", list(Scope))
@pytest.mark.parametrize("agent", WHERE)
def test_rules_stand_where_the_agent_looks_and_keep_their_head_when_they_are_renewed(
    agent: str, scope: Scope, tmp_path: Path
) -> None:
    integration, place, memory = INTEGRATIONS[agent], place_in(tmp_path / "user", scope), MemoryHome(tmp_path / "home")
    where = WHERE[agent][scope is Scope.PROJECT]
    if not where:
        with pytest.raises(AgentIntegrationError, match="no file for instructions"):
            plan_install(memory.home, integration, place, Way.MARKDOWN, block="x")
        return
    do_install(memory.home, integration, place, Way.MARKDOWN, block="memory")
    path = place.folder / where
    text = path.read_text(encoding="utf-8")
    assert "memory" in text and text.startswith(integration.front)
    assert refresh_markdown(memory.home) == []
    renewed = path.read_text(encoding="utf-8")
    assert NOTHING_YET in renewed and renewed.startswith(integration.front)
    do_uninstall(memory.home, integration, place)
    assert tree(place.folder) == {}


def test_an_agent_without_hooks_is_given_rules_without_being_asked_how(tmp_path: Path) -> None:
    memory = MemoryHome(tmp_path / "home")
    assert set(RULES) == {"vscode", "cline", "roo", "kilocode", "qwen", "amp", "kiro"}
    run_cli("install", "kiro", "cursor", "--project", memory=memory, cwd=tmp_path)
    assert (tmp_path / ".kiro" / "steering" / "slowwave.md").exists()
    assert "sessionStart" in parse((tmp_path / ".cursor" / "hooks.json").read_text()).value["hooks"]
    run_cli("uninstall", "kiro", "cursor", "--project", memory=memory, cwd=tmp_path)
    assert not (tmp_path / ".kiro").exists() and not (tmp_path / ".cursor").exists()


def test_all_agents_at_once_leave_nothing_behind(tmp_path: Path) -> None:
    place, home = place_in(tmp_path / "user"), tmp_path / "home"
    for agent, integration in INTEGRATIONS.items():
        way = Way.HOOKS if integration.has_hooks else Way.MARKDOWN
        do_install(home, integration, place, way, block="memory")
        assert agent in {receipt.agent for receipt in all_receipts(home)}
    for integration in INTEGRATIONS.values():
        do_uninstall(home, integration, place)
    assert tree(place.folder) == {}
