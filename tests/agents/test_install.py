"""Installing into an agent keeps everything else, can be repeated, and is undone to the byte."""

import json
from pathlib import Path

import pytest

from slowwave.agents.hook.settings import events_with_hooks
from slowwave.agents.install.commands import program_of
from slowwave.agents.install.edits import Edit, apply_edits
from slowwave.agents.install.installer import carry_out, plan_install
from slowwave.agents.install.integrations import INTEGRATIONS, Scope, Way
from slowwave.agents.install.jsonc import parse
from slowwave.errors import AgentIntegrationError
from tests.agents.conftest import COMMAND
from tests.support.installing import SETTINGS, do_install, do_uninstall, place_in, prepare, tree

HOOK_AGENTS = ("claude", "codex", "gemini", "cursor")


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
    line = {"statusLine": integration.status_line(place)} if agent == "claude" else {}
    line |= {"version": 1} if agent == "cursor" else {}
    assert {key: value for key, value in new.items() if key != "hooks"} == {
        k: v for k, v in old.items() if k != "hooks"
    } | line
    for event, groups in old.get("hooks", {}).items():
        assert new["hooks"][event][: len(groups)] == groups
    commands = events_with_hooks(installed)
    assert set(commands) == set(integration.hook_groups(place))
    assert all(f"--agent {agent}" in command for found in commands.values() for command in found)
    if SETTINGS[case]:
        kept = [line for line in (SETTINGS[case] or "").splitlines() if "//" in line or "/*" in line]
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
    # Cursor's table names its version; without one we set it, and it stays in a file that is somebody's.
    text = (SETTINGS["comments and trailing commas"] or "").replace('"theme"', '"version": 1, "theme"')
    path = prepare(integration, place, text)
    do_install(home, integration, place)
    path.write_text(path.read_text().replace('"theme": "dark"', '"theme": "light"'))
    do_uninstall(home, integration, place)
    assert path.read_text() == text.replace('"dark"', '"light"')


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
    assert list(map(program_of, events_with_hooks(path.read_text())["SessionStart"])) == [str(COMMAND)]


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
    if (way is Way.MARKDOWN and context is None) or (way is Way.HOOKS and not integration.has_hooks):
        pytest.skip("this agent has no such way")
    if context is not None and not integration.context_is_ours(place):
        context.parent.mkdir(parents=True, exist_ok=True)
        context.write_text("# Rules\n\nBe kind.")
    before = tree(place.folder)
    plan = do_install(
        home, integration, place, way, block="<slowwave-memory>\n- x [m1]\n</slowwave-memory>\n", mcp=True
    )
    assert plan.changes
    if way is Way.MARKDOWN and context is not None:
        assert "- x [m1]" in context.read_text()
        assert integration.context_is_ours(place) or context.read_text().startswith(
            "# Rules\n\nBe kind.\n\n<!-- slowwave:begin"
        )
    else:
        assert context is None or not context.exists() or "slowwave" not in context.read_text()
    assert (
        do_install(
            home, integration, place, way, block="<slowwave-memory>\n- x [m1]\n</slowwave-memory>\n", mcp=True
        ).changes
        == ()
    )
    do_uninstall(home, integration, place)
    assert tree(place.folder) == before
