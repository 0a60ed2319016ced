"""Installing into an agent keeps everything else, can be repeated, and is undone to the byte."""

import json
import os
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from slowwave.agents.edits import Edit, apply_edits
from slowwave.agents.hook_settings import events_with_hooks
from slowwave.agents.installer import Plan, carry_out, plan_install, plan_uninstall, undo
from slowwave.agents.integrations import INTEGRATIONS, Integration, Place, Scope, Way
from slowwave.agents.jsonc import parse
from slowwave.errors import AgentIntegrationError
from tests.agents.conftest import COMMAND
from tests.support.memory import MemoryHome

HOOK_AGENTS = ("claude", "codex", "gemini")

SETTINGS = {
    "none": None,
    "empty file": "",
    "empty object": "{}\n",
    "comments and trailing commas": """\
// my settings
{
  "theme": "dark", // keep
  /* my own hooks */
  "hooks": {
    "SessionStart": [
      { "matcher": "startup", "hooks": [{ "type": "command", "command": "echo hello" }] }, // mine
    ],
    "PreToolUse": [],
  },
}
""",
    "tabs and odd blanks": '{\n\t"a" :1,\n\n\t\t"hooks":   {"Stop":[ {"hooks":[{"type":"command"}]} ] }\n}',
    "one line": '{"model":"opus","hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"x"}]}]}}',
    "crlf": '{\r\n    "model": "opus"\r\n}\r\n',
    "bom": '\ufeff{\n  "model": "opus"\n}\n',
    "not ascii": '{\n  "greeting": "größe 你好 🐈",\n  "escaped": "\\u00e9"\n}\n',
}


def place_in(folder: Path, scope: Scope = Scope.USER) -> Place:
    folder.mkdir(parents=True, exist_ok=True)
    return Place(scope, folder)


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every path below a folder with its bytes, links as links."""
    return {
        str(path.relative_to(folder)): (
            str(path.readlink()).encode() if path.is_symlink() else path.read_bytes() if path.is_file() else None
        )
        for path in sorted(folder.rglob("*"))
    }


def do_install(home: Path, integration: Integration, place: Place, way: Way = Way.HOOKS, **more: Any) -> Plan:
    plan = plan_install(home, integration, place, way, **more)
    carry_out(home, plan)
    return plan


def do_uninstall(home: Path, integration: Integration, place: Place) -> Plan:
    plan = plan_uninstall(home, integration, place)
    undo(home, plan)
    return plan


def settings_of(integration: Integration, place: Place) -> Path:
    assert integration.settings is not None
    return integration.settings(place)


def prepare(integration: Integration, place: Place, text: str | None) -> Path:
    path = settings_of(integration, place)
    if text is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize("case", list(SETTINGS))
@pytest.mark.parametrize("agent", HOOK_AGENTS)
def test_settings_keep_everything_else_and_come_back_to_the_byte(agent: str, case: str, tmp_path: Path) -> None:
    integration, place, home = INTEGRATIONS[agent], place_in(tmp_path / "user"), tmp_path / "home"
    path = prepare(integration, place, SETTINGS[case])
    before = tree(place.folder)
    do_install(home, integration, place)
    installed = path.read_text(encoding="utf-8")
    old = parse(SETTINGS[case] or "{}").value
    new = parse(installed).value
    assert {key: value for key, value in new.items() if key != "hooks"} == {
        k: v for k, v in old.items() if k != "hooks"
    }
    for event, groups in old.get("hooks", {}).items():
        assert new["hooks"][event][: len(groups)] == groups
    commands = events_with_hooks(installed)
    assert set(commands) == set(integration.hook_groups(place))
    assert all(f"--agent {agent}" in command for found in commands.values() for command in found)
    if SETTINGS[case]:
        kept = [line for line in SETTINGS[case].splitlines() if "//" in line or "/*" in line]
        assert all(line in installed.splitlines() for line in kept)
    do_uninstall(home, integration, place)
    assert tree(place.folder) == before


@pytest.mark.parametrize("case", list(SETTINGS))
@pytest.mark.parametrize("agent", HOOK_AGENTS)
def test_a_second_install_changes_nothing(agent: str, case: str, tmp_path: Path) -> None:
    integration, place, home = INTEGRATIONS[agent], place_in(tmp_path / "user"), tmp_path / "home"
    prepare(integration, place, SETTINGS[case])
    before = tree(place.folder)
    do_install(home, integration, place)
    once = tree(place.folder)
    assert do_install(home, integration, place).changes == ()
    assert tree(place.folder) == once
    do_uninstall(home, integration, place)
    assert tree(place.folder) == before
    assert do_uninstall(home, integration, place).changes == ()


@pytest.mark.parametrize("agent", HOOK_AGENTS)
def test_what_a_person_edits_after_the_installation_survives_its_undo(agent: str, tmp_path: Path) -> None:
    integration, place, home = INTEGRATIONS[agent], place_in(tmp_path / "user"), tmp_path / "home"
    path = prepare(integration, place, SETTINGS["comments and trailing commas"])
    do_install(home, integration, place)
    path.write_text(path.read_text().replace('"theme": "dark"', '"theme": "light"'))
    do_uninstall(home, integration, place)
    assert path.read_text() == (SETTINGS["comments and trailing commas"] or "").replace('"dark"', '"light"')


def test_an_edit_between_two_installs_survives_the_undo_of_both(tmp_path: Path) -> None:
    integration, place, home = INTEGRATIONS["claude"], place_in(tmp_path / "user"), tmp_path / "home"
    path = prepare(integration, place, '{\n  "a": 1\n}\n')
    do_install(home, integration, place)
    path.write_text(path.read_text().replace('"a": 1', '"a": 2'))
    do_install(home, integration, place)
    assert len(events_with_hooks(path.read_text())["SessionStart"]) == 1
    do_uninstall(home, integration, place)
    assert path.read_text() == '{\n  "a": 2\n}\n'


def test_without_a_receipt_our_entries_are_found_by_their_form(tmp_path: Path) -> None:
    integration, place = INTEGRATIONS["claude"], place_in(tmp_path / "user")
    path = prepare(integration, place, SETTINGS["comments and trailing commas"])
    do_install(tmp_path / "home", integration, place)
    do_uninstall(tmp_path / "another home", integration, place)
    assert path.read_text() == SETTINGS["comments and trailing commas"]
    assert not (place.folder / ".claude" / "commands" / "slowwave.md").exists()


def test_a_handler_that_a_person_put_into_our_group_stays(tmp_path: Path) -> None:
    integration, place, home = INTEGRATIONS["claude"], place_in(tmp_path / "user"), tmp_path / "home"
    path = prepare(integration, place, None)
    do_install(home, integration, place)
    settings = json.loads(path.read_text())
    settings["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "say done"})
    path.write_text(json.dumps(settings))
    do_uninstall(home, integration, place)
    assert json.loads(path.read_text()) == {
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}
    }


def test_an_entry_with_an_old_path_is_replaced_and_not_doubled(tmp_path: Path) -> None:
    integration, place, home = INTEGRATIONS["claude"], place_in(tmp_path / "user"), tmp_path / "home"
    old = {
        "hooks": {
            "SessionStart": [
                {"hooks": [{"type": "command", "command": "/old/bin/slowwave hook session-start --agent claude"}]}
            ]
        }
    }
    path = prepare(integration, place, json.dumps(old, indent=2))
    do_install(home, integration, place)
    assert [command.split()[0] for command in events_with_hooks(path.read_text())["SessionStart"]] == [str(COMMAND)]


def test_symlinked_dotfiles_are_followed_and_stay_links(tmp_path: Path) -> None:
    integration, place, home = INTEGRATIONS["claude"], place_in(tmp_path / "user"), tmp_path / "home"
    dotfiles = tmp_path / "dotfiles"
    (dotfiles / "claude").mkdir(parents=True)
    (dotfiles / "claude" / "settings.json").write_text('{"a": 1}\n')
    (dotfiles / "claude" / "settings.json").chmod(0o640)
    (place.folder / ".claude").mkdir()
    (place.folder / ".claude" / "settings.json").symlink_to(dotfiles / "claude" / "settings.json")
    before, before_dotfiles = tree(place.folder), tree(dotfiles)
    do_install(home, integration, place)
    real = dotfiles / "claude" / "settings.json"
    assert (place.folder / ".claude" / "settings.json").is_symlink()
    assert "slowwave" in real.read_text() and real.stat().st_mode & 0o777 == 0o640
    do_uninstall(home, integration, place)
    assert tree(place.folder) == before and tree(dotfiles) == before_dotfiles


def test_a_link_to_nothing_is_refused(tmp_path: Path) -> None:
    place = place_in(tmp_path / "user")
    (place.folder / ".claude").mkdir()
    (place.folder / ".claude" / "settings.json").symlink_to(tmp_path / "gone.json")
    with pytest.raises(AgentIntegrationError, match="link to nothing"):
        plan_install(tmp_path / "home", INTEGRATIONS["claude"], place, Way.HOOKS)


@pytest.mark.parametrize("linked", [False, True])
def test_a_read_only_file_is_refused_and_nothing_at_all_is_changed(linked: bool, tmp_path: Path) -> None:
    integration, place, home = INTEGRATIONS["claude"], place_in(tmp_path / "user"), tmp_path / "home"
    path = prepare(integration, place, '{"a": 1}\n')
    if linked:
        store = tmp_path / "store.json"
        path.rename(store)
        path.symlink_to(store)
        store.chmod(0o444)
    else:
        path.chmod(0o444)
    before = tree(place.folder)
    with pytest.raises(AgentIntegrationError, match="read-only") as caught:
        do_install(home, integration, place)
    assert caught.value.hint and tree(place.folder) == before
    assert not list((home / "install").glob("*.json"))


@pytest.mark.parametrize("text", ["{not json", '{"hooks": []}', '{"hooks": {"Stop": {}}}', "[1]", '{"a": "\xff"}'])
def test_a_file_that_cannot_be_edited_safely_is_refused_by_name(text: str, tmp_path: Path) -> None:
    integration, place = INTEGRATIONS["claude"], place_in(tmp_path / "user")
    path = prepare(integration, place, "")
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(AgentIntegrationError, match=r"settings\.json"):
        plan_install(tmp_path / "home", integration, place, Way.HOOKS)
    assert path.read_bytes() == text.encode("latin-1")


def test_a_failed_write_puts_the_earlier_ones_back(tmp_path: Path) -> None:
    first, blocker = tmp_path / "first.json", tmp_path / "blocker"
    first.write_text("old")
    blocker.write_text("a file")
    edits = [
        Edit(first, b"old", b"new"),
        Edit(tmp_path / "new" / "deep.json", None, b"x"),
        Edit(blocker / "x" / "y", None, b"x"),
    ]
    with pytest.raises(AgentIntegrationError):
        apply_edits(edits)
    assert first.read_text() == "old" and not (tmp_path / "new").exists()


def test_a_file_that_changes_between_plan_and_write_is_not_overwritten(tmp_path: Path) -> None:
    integration, place, home = INTEGRATIONS["claude"], place_in(tmp_path / "user"), tmp_path / "home"
    path = prepare(integration, place, "{}")
    plan = plan_install(home, integration, place, Way.HOOKS)
    path.write_text('{"new": 1}')
    with pytest.raises(AgentIntegrationError, match="changed meanwhile"):
        carry_out(home, plan)
    assert path.read_text() == '{"new": 1}'


@pytest.mark.parametrize("scope", list(Scope))
@pytest.mark.parametrize("way", list(Way))
@pytest.mark.parametrize("agent", list(INTEGRATIONS))
def test_every_agent_in_every_way_is_undone_without_a_trace(agent: str, way: Way, scope: Scope, tmp_path: Path) -> None:
    integration, place, home = INTEGRATIONS[agent], place_in(tmp_path / "user", scope), tmp_path / "home"
    integration.config(place).mkdir(parents=True, exist_ok=True)
    context = integration.context(place)
    if not integration.context_is_ours(place):
        context.parent.mkdir(parents=True, exist_ok=True)
        context.write_text("# Rules\n\nBe kind.")
    before = tree(place.folder)
    plan = do_install(
        home, integration, place, way, block="<slowwave-memory>\n- x [m1]\n</slowwave-memory>\n", mcp=True
    )
    assert plan.changes
    if way is Way.MARKDOWN:
        assert "- x [m1]" in context.read_text()
        assert integration.context_is_ours(place) or context.read_text().startswith(
            "# Rules\n\nBe kind.\n\n<!-- slowwave:begin"
        )
    else:
        assert not context.exists() or "slowwave" not in context.read_text()
    assert (
        do_install(
            home, integration, place, way, block="<slowwave-memory>\n- x [m1]\n</slowwave-memory>\n", mcp=True
        ).changes
        == ()
    )
    do_uninstall(home, integration, place)
    assert tree(place.folder) == before


@pytest.mark.parametrize("agent", list(INTEGRATIONS))
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
