"""Folders for agents' own marketplaces: `python -m slowwave.agents.plugins deployments/plugins`. A test compares.

A plugin brings the hooks and the slash command; the program itself is installed as always, and the hooks are silent
where it is missing. Formats: Claude Code's plugin manifest and marketplace, Gemini CLI's extension manifest.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from slowwave import __version__
from slowwave.agents.install.integrations import INTEGRATIONS, Place, Scope

DESCRIPTION = "Memory of earlier sessions: what was decided, what failed, how this project works."
# In a project's scope the program is called by its name: a plugin knows nobody's folders.
_ANYWHERE = Place(Scope.PROJECT, Path())


def plugin_files() -> dict[str, str]:
    """Every file of the plugins by its path in their folder."""
    claude, gemini = INTEGRATIONS["claude"], INTEGRATIONS["gemini"]
    about = {"name": "slowwave", "version": __version__, "description": DESCRIPTION}
    owner = {"name": "Slowwave"}
    listed = {"name": "slowwave", "source": "./claude-code", "description": DESCRIPTION}
    marketplace = {"name": "slowwave", "description": DESCRIPTION, "owner": owner, "plugins": [listed]}
    (slash,) = claude.own_files(_ANYWHERE).values()
    (toml,) = gemini.own_files(_ANYWHERE).values()
    return {
        ".claude-plugin/marketplace.json": _json(marketplace),
        "claude-code/.claude-plugin/plugin.json": _json(about | {"author": owner}),
        "claude-code/hooks/hooks.json": _json(
            {
                "description": DESCRIPTION,
                "hooks": {event: [group] for event, group in claude.hook_groups(_ANYWHERE).items()},
            }
        ),
        "claude-code/commands/slowwave.md": slash,
        "gemini-cli/gemini-extension.json": _json(about),
        "gemini-cli/hooks/hooks.json": _json(
            {"hooks": {event: [group] for event, group in gemini.hook_groups(_ANYWHERE).items()}}
        ),
        "gemini-cli/commands/slowwave.toml": toml,
    }


def write_plugins(folder: Path) -> None:
    """Write the plugins into a folder."""
    for name, text in plugin_files().items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


if __name__ == "__main__":
    write_plugins(Path(sys.argv[1]))
