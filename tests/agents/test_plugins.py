"""The shipped plugin folders are what the integrations say now."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from slowwave.agents.plugins import plugin_files, write_plugins
from tests.conftest import ROOT


def test_the_shipped_folders_are_current_and_whole(tmp_path: Path) -> None:
    write_plugins(tmp_path)
    shipped = ROOT / "deployments" / "plugins"
    names = {path.relative_to(shipped).as_posix() for path in shipped.rglob("*") if path.is_file()}
    assert names == set(plugin_files()), "run `python -m slowwave.agents.plugins deployments/plugins`"
    for name in names:
        assert (shipped / name).read_text(encoding="utf-8") == (tmp_path / name).read_text(encoding="utf-8"), name


def test_hooks_call_the_program_by_name_and_are_silent_without_it() -> None:
    files = plugin_files()
    for name in ("claude-code/hooks/hooks.json", "gemini-cli/hooks/hooks.json"):
        groups = json.loads(files[name])["hooks"]
        commands = [hook["command"] for group in groups.values() for entry in group for hook in entry["hooks"]]
        assert commands and all(line.startswith("! command -v slowwave") for line in commands)
    assert tomllib.loads(files["gemini-cli/commands/slowwave.toml"])["prompt"]
    listed = json.loads(files[".claude-plugin/marketplace.json"])["plugins"]
    assert f"{listed[0]['source'].removeprefix('./')}/.claude-plugin/plugin.json" in files
