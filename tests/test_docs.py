"""Documentation that is checked: every command, every local link, every template."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from slowwave.cli.group import slowwave
from slowwave.cli.main import COMMANDS
from slowwave.llm.prompting.templates import prompts_folder
from slowwave.settings_page import page

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def test_the_reference_is_what_the_program_prints() -> None:
    # In a process of its own: click keeps a command's help option as its first caller asked for it.
    printed = subprocess.run(
        [sys.executable, "-m", "slowwave.cli.reference"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert (ROOT / "docs" / "commands.md").read_text(encoding="utf-8") == printed, (
        "run: python -m slowwave.cli.reference > docs/commands.md"
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_an_example_and_a_place_in_the_readme(name: str) -> None:
    context = click.Context(slowwave, info_name="slowwave")
    command = slowwave.get_command(context, name)
    assert command is not None
    text = command.get_help(click.Context(command, info_name=name, parent=context))
    assert "Example" in text, f"slowwave {name} shows no example"
    assert f"slowwave {name}" in text
    assert f"`{name}`" in (ROOT / "README.md").read_text(encoding="utf-8"), f"README does not name {name}"


@pytest.mark.parametrize(
    "name", sorted(set(COMMANDS) - {"mcp", "serve", "config", "db", "secrets", "schedule", "completion"})
)
def test_every_command_that_answers_has_a_json_form(name: str) -> None:
    context = click.Context(slowwave, info_name="slowwave")
    command = slowwave.get_command(context, name)
    assert command is not None
    commands = [command]
    if isinstance(command, click.Group) and not any("--json" in parameter.opts for parameter in command.params):
        commands = [sub for n in command.list_commands(context) if (sub := command.get_command(context, n))]
    for one in commands:
        assert any("--json" in parameter.opts for parameter in one.params), f"{name} {one.name} has no --json"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_local_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_template_is_described() -> None:
    text = (ROOT / "docs" / "prompts.md").read_text(encoding="utf-8")
    for path in prompts_folder().iterdir():
        assert f"`{path.name}`" in text, f"docs/prompts.md does not describe {path.name}"


def test_the_settings_page_has_every_key() -> None:
    assert (ROOT / "docs" / "settings.md").read_text(encoding="utf-8") == page(), (
        "run: python -m slowwave.settings_page > docs/settings.md"
    )
