"""Installing into agents in tests: settings files of every style, and snapshots of a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from slowwave.agents.install.installer import Plan, carry_out, plan_install, plan_uninstall, undo
from slowwave.agents.install.integrations import Integration, Place, Scope, Way

SETTINGS: dict[str, str | None] = {
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
