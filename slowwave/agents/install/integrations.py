"""Where each agent keeps its settings, instructions, commands, skills and extensions, and what we put there.

Two scopes: `user` (the agent's own folder in the home) and `project` (the repository). Two ways: `hooks` (settings
entries or an extension file) and `markdown` (a marked block or a rules file, for those who want no hooks).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Any

from slowwave.agents import hosts
from slowwave.agents.install.commands import executable, hook_command, plain_command
from slowwave.paths import HOME_VARIABLE, slowwave_home


class Scope(StrEnum):
    """Whose settings are edited."""

    USER = "user"
    PROJECT = "project"


class Way(StrEnum):
    """How the memory reaches the agent."""

    HOOKS = "hooks"
    MARKDOWN = "markdown"


@dataclass(frozen=True, slots=True)
class Place:
    """One place of installation: a scope, the folder it means (home or repository) and the environment's say in it."""

    scope: Scope
    folder: Path
    env: Mapping[str, str] = field(default_factory=dict)

    def config(self, variable: str, user: str, project: str) -> Path:
        """The agent's folder: named by an environment variable or below the home, or in the repository."""
        if self.scope is Scope.PROJECT:
            return self.folder / project
        named = self.env.get(variable, "") if variable else ""
        return Path(named).expanduser() if named else self.folder / user

    @property
    def program(self) -> str:
        """What to call: by absolute path for this user, by name in a repository that others use too."""
        return executable() if self.scope is Scope.USER else "slowwave"

    @property
    def home(self) -> str:
        """Slowwave's home where it is not the default one, for hooks of this user: a repository has other users too."""
        given = self.env.get(HOME_VARIABLE, "")
        return str(slowwave_home(self.env)) if given and self.scope is Scope.USER else ""


@dataclass(frozen=True, slots=True)
class Integration:
    """What is known about one agent.

    `config` is its folder for a place. `settings` is the file with the hook table, where it has one, and `own_files`
    the files that are wholly ours. `context` is the instructions file for the markdown way (`context_is_ours`: a file
    of our own). `skills` is the folder that it finds skills in. `hook_seconds` is how many units of its time-outs make
    a second. `trust` is what a person must do before hooks run. `front` heads a rules file of ours, and `beside` are
    files that it needs. An agent that `hosts.HOSTS` does not know has no hooks: it is given rules only.
    """

    agent: str
    title: str
    binary: str
    config: Callable[[Place], Path]
    context: Callable[[Place], Path | None]
    skills: Callable[[Place], Path]
    settings: Callable[[Place], Path] | None = None
    hook_seconds: float = 1.0
    own_files: Callable[[Place], dict[Path, str]] = lambda place: {}
    context_is_ours: Callable[[Place], bool] = lambda place: False
    trust: str = ""
    front: str = ""
    beside: Callable[[Place], dict[Path, str]] = lambda place: {}

    @property
    def has_hooks(self) -> bool:
        """Whether the agent calls us."""
        return self.agent in hosts.HOSTS

    def hook_groups(self, place: Place) -> dict[str, dict[str, Any]]:
        """Our group for each event of the agent's hook table; its time-outs are in the agent's own unit."""
        groups: dict[str, dict[str, Any]] = {}
        for event, name in hosts.HOSTS[self.agent].events.items():
            seconds = 10 if event == hosts.SESSION_START else 5
            handler: dict[str, Any] = {
                "type": "command",
                "command": hook_command(place.program, event, self.agent, place.home),
                "timeout": round(seconds * self.hook_seconds),
            }
            if self.agent == "cursor":
                del handler["type"]
            if self.agent == "copilot":
                handler = {"type": "command", "bash": handler["command"], "timeoutSec": handler["timeout"]}
            if self.agent == "gemini":
                handler = {"name": f"slowwave-{event}", **handler}
            groups[name] = {"hooks": [handler]} if hosts.HOSTS[self.agent].wire == "hook" else handler
        return groups

    def status_line(self, place: Place) -> dict[str, str] | None:
        """Our status line in the agent's settings, None where it gets none.

        A project gets none: its setting would hide the own status line of everybody who works in it.
        """
        if not hosts.HOSTS[self.agent].status_line or place.scope is Scope.PROJECT:
            return None
        return {"type": "command", "command": plain_command(place.program, hosts.STATUS_LINE, self.agent)}


def shipped(name: str) -> str:
    """Text of a file that is installed into an agent's folder."""
    return files("slowwave.agents").joinpath("files", *name.split("/")).read_text(encoding="utf-8")


def _program_in(name: str, place: Place, agent: str) -> str:
    quoted = json.dumps(place.program)[1:-1]
    text = shipped(name).replace("// @CALL@\n", shipped("call.js"))
    home = json.dumps({HOME_VARIABLE: place.home} if place.home else {})
    return text.replace("@COMMAND@", quoted).replace("@AGENT@", agent).replace('"@HOME@"', home)


def _slash_markdown(arguments: str, **front: str) -> str:
    lines = [f"{key}: {value}" for key, value in {"description": "View and manage Slowwave's memory", **front}.items()]
    body = shipped("slash.md").replace("$ARGUMENTS", arguments)
    return "---\n" + "\n".join(lines) + "\n---\n\n" + body


def _slash_toml() -> str:
    body = shipped("slash.md").replace("$ARGUMENTS", "{{args}}").replace("\\", "\\\\").replace('"""', '\\"""')
    return f'description = "View and manage Slowwave\'s memory"\nprompt = """\n{body}"""\n'


def _slash_skill() -> str:
    return _slash_markdown(
        "what the user asked for",
        name="slowwave",
        description='"Views and manages what Slowwave remembers about the project: use when the user says slowwave."',
    )


def _claude_config(place: Place) -> Path:
    return place.config("CLAUDE_CONFIG_DIR", ".claude", ".claude")


def _claude_context(place: Place) -> Path:
    config = _claude_config(place)
    return config / "CLAUDE.md" if place.scope is Scope.USER else config / "rules" / "slowwave.md"


def _claude_files(place: Place) -> dict[Path, str]:
    hint = "view | status | search | why | remember | forget | clear | reset | enqueue | rebuild"
    text = _slash_markdown("$ARGUMENTS", **{"argument-hint": f'"{hint}"', "allowed-tools": "Bash(slowwave:*)"})
    return {_claude_config(place) / "commands" / "slowwave.md": text}


def _codex_config(place: Place) -> Path:
    return place.config("CODEX_HOME", ".codex", ".codex")


def _gemini_config(place: Place) -> Path:
    return place.config("", ".gemini", ".gemini")


def _omp_config(place: Place) -> Path:
    return place.config("", ".omp/agent", ".omp")


def _pi_config(place: Place) -> Path:
    return place.config("PI_CODING_AGENT_DIR", ".pi/agent", ".pi")


def _opencode_config(place: Place) -> Path:
    if place.scope is Scope.USER and (base := place.env.get("XDG_CONFIG_HOME")):
        return Path(base) / "opencode"
    return place.config("OPENCODE_CONFIG_DIR", ".config/opencode", ".opencode")


def _openclaw_config(place: Place) -> Path:
    return place.config("OPENCLAW_STATE_DIR", ".openclaw", "")


def _openclaw_workspace(place: Place) -> Path:
    return _openclaw_config(place) / "workspace" if place.scope is Scope.USER else place.folder


def _agents_skills(place: Place) -> Path:
    return place.folder / ".agents" / "skills"


def _instructions(config: Callable[[Place], Path], name: str) -> Callable[[Place], Path]:
    return lambda place: config(place) / name if place.scope is Scope.USER else place.folder / name


def _slash_as_skill(place: Place) -> dict[Path, str]:
    return {_agents_skills(place) / "slowwave" / "SKILL.md": _slash_skill()}


def _opencode_files(place: Place) -> dict[Path, str]:
    config = _opencode_config(place)
    return {
        config / "plugin" / "slowwave.js": _program_in("opencode.js", place, "opencode"),
        config / "command" / "slowwave.md": _slash_markdown("$ARGUMENTS"),
    }


def _omp_files(place: Place) -> dict[Path, str]:
    config = _omp_config(place)
    return {
        config / "extensions" / "slowwave.ts": _program_in("extension.ts", place, "omp"),
        config / "commands" / "slowwave.md": _slash_markdown("$ARGUMENTS"),
    }


def _pi_files(place: Place) -> dict[Path, str]:
    config = _pi_config(place)
    return {
        config / "extensions" / "slowwave.ts": _program_in("extension.ts", place, "pi"),
        config / "prompts" / "slowwave.md": _slash_markdown("$ARGUMENTS"),
    }


def _openclaw_files(place: Place) -> dict[Path, str]:
    folder = (_openclaw_config(place) if place.scope is Scope.USER else place.folder) / "hooks" / "slowwave"
    return {
        folder / "HOOK.md": shipped("openclaw/HOOK.md"),
        folder / "handler.js": _program_in("openclaw/handler.js", place, "openclaw"),
        _openclaw_workspace(place) / "skills" / "slowwave" / "SKILL.md": _slash_skill(),
    }


def _cursor_config(place: Place) -> Path:
    return place.config("", ".cursor", ".cursor")


def _droid_config(place: Place) -> Path:
    return place.config("", ".factory", ".factory")


def _copilot_config(place: Place) -> Path:
    return place.config("COPILOT_HOME", ".copilot", ".github")


def _copilot_skills(place: Place) -> Path:
    return _copilot_config(place) / "skills"


def _copilot_files(place: Place) -> dict[Path, str]:
    groups = INTEGRATIONS["copilot"].hook_groups(place)
    # The agent's form has no room for a remark; a variable for our command is one.
    hooks = {name: [handler | {"env": {"SLOWWAVE_INSTALLED": OWN}}] for name, handler in groups.items()}
    return {
        _copilot_config(place) / "hooks" / "slowwave.json": json.dumps({"version": 1, "hooks": hooks}, indent=2) + "\n",
        _copilot_skills(place) / "slowwave" / "SKILL.md": _slash_skill(),
    }


def _qwen_config(place: Place) -> Path:
    return place.config("", ".qwen", ".qwen")


def _qwen_extension(place: Place) -> Path:
    return _qwen_config(place) / "extensions" / "slowwave"


def _qwen_manifest(place: Place) -> dict[Path, str]:
    if place.scope is Scope.PROJECT:
        return {}
    manifest = {"name": "slowwave", "version": "1.0.0", "description": OWN, "contextFileName": "SLOWWAVE.md"}
    return {_qwen_extension(place) / "qwen-extension.json": json.dumps(manifest, indent=2) + "\n"}


def _code_user(place: Place) -> Path:
    """VS Code's folder of a person's own files, where there is one; Linux's where there is none."""
    found = (place.folder / base / "Code" / "User" for base in ("Library/Application Support", "AppData/Roaming"))
    return next((folder for folder in found if folder.is_dir()), place.folder / ".config" / "Code" / "User")


def _extension(name: str) -> Callable[[Place], Path]:
    return lambda place: _code_user(place) / "globalStorage" / name if place.scope is Scope.USER else place.folder


def _rules(user: str, project: str) -> Callable[[Place], Path]:
    return lambda place: place.folder / (user if place.scope is Scope.USER else project) / "slowwave.md"


def _always(place: Place) -> bool:
    return True


def _for_person(place: Place) -> bool:
    return place.scope is Scope.USER


OWN = "Written by `slowwave install`; `slowwave uninstall` removes it."

INTEGRATIONS: dict[str, Integration] = {
    "claude": Integration(
        "claude", "Claude Code", "claude", _claude_config, _claude_context,
        lambda place: _claude_config(place) / "skills",
        settings=lambda place: _claude_config(place) / "settings.json", own_files=_claude_files,
        context_is_ours=lambda place: place.scope is Scope.PROJECT,
    ),
    "codex": Integration(
        "codex", "Codex", "codex", _codex_config, _instructions(_codex_config, "AGENTS.md"), _agents_skills,
        settings=lambda place: _codex_config(place) / "hooks.json", own_files=_slash_as_skill,
        trust="Codex runs a new or changed hook only after you trusted it: open Codex and confirm it under /hooks.",
    ),
    "gemini": Integration(
        "gemini", "Gemini CLI", "gemini", _gemini_config, _instructions(_gemini_config, "GEMINI.md"), _agents_skills,
        settings=lambda place: _gemini_config(place) / "settings.json", hook_seconds=1000.0,
        own_files=lambda place: {_gemini_config(place) / "commands" / "slowwave.toml": _slash_toml()},
    ),
    "opencode": Integration(
        "opencode", "opencode", "opencode", _opencode_config, _instructions(_opencode_config, "AGENTS.md"),
        _agents_skills, own_files=_opencode_files,
    ),
    "omp": Integration(
        "omp", "oh-my-pi", "omp", _omp_config, _instructions(_omp_config, "AGENTS.md"), _agents_skills,
        own_files=_omp_files,
    ),
    "pi": Integration(
        "pi", "pi", "pi", _pi_config, _instructions(_pi_config, "AGENTS.md"), _agents_skills, own_files=_pi_files,
    ),
    "openclaw": Integration(
        "openclaw", "OpenClaw", "openclaw", _openclaw_config, lambda place: _openclaw_workspace(place) / "AGENTS.md",
        lambda place: _openclaw_workspace(place) / "skills", own_files=_openclaw_files,
        trust="OpenClaw loads hooks at its start: run `openclaw hooks enable slowwave` and restart its gateway.",
    ),
    "cursor": Integration(
        "cursor", "Cursor", "cursor-agent", _cursor_config,
        lambda place: _cursor_config(place) / "rules" / "slowwave.mdc" if place.scope is Scope.PROJECT else None,
        _agents_skills, settings=lambda place: _cursor_config(place) / "hooks.json", context_is_ours=_always,
        own_files=lambda place: {_cursor_config(place) / "commands" / "slowwave.md": _slash_markdown("")},
        front="---\ndescription: What Slowwave remembers of this project\nalwaysApply: true\n---\n",
    ),
    "copilot": Integration(
        "copilot", "GitHub Copilot CLI", "copilot", _copilot_config,
        lambda place: _copilot_config(place) / "copilot-instructions.md", _copilot_skills, own_files=_copilot_files,
    ),
    "droid": Integration(
        "droid", "Factory Droid", "droid", _droid_config, _instructions(_droid_config, "AGENTS.md"), _agents_skills,
        settings=lambda place: _droid_config(place) / "settings.json",
        own_files=lambda place: {_droid_config(place) / "commands" / "slowwave.md": _slash_markdown("$ARGUMENTS")},
    ),
    "vscode": Integration(
        "vscode", "VS Code", "code", lambda place: _code_user(place) if place.scope is Scope.USER else place.folder,
        lambda place: (_code_user(place) / "prompts" if place.scope is Scope.USER else place.folder / ".github"
                       / "instructions") / "slowwave.instructions.md",
        _agents_skills, context_is_ours=_always, front='---\napplyTo: "**"\n---\n',
    ),
    "cline": Integration(
        "cline", "Cline", "cline", _extension("saoudrizwan.claude-dev"),
        _rules("Documents/Cline/Rules", ".clinerules"), _agents_skills, context_is_ours=_always,
    ),
    "roo": Integration(
        "roo", "Roo Code", "roo", _extension("rooveterinaryinc.roo-cline"), _rules(".roo/rules", ".roo/rules"),
        _agents_skills, context_is_ours=_always,
    ),
    "kilocode": Integration(
        "kilocode", "Kilo Code", "kilocode", _extension("kilocode.kilo-code"),
        _rules(".kilocode/rules", ".kilocode/rules"), _agents_skills, context_is_ours=_always,
    ),
    "qwen": Integration(
        "qwen", "Qwen Code", "qwen", _qwen_config,
        lambda place: _qwen_extension(place) / "SLOWWAVE.md" if place.scope is Scope.USER else place.folder / "QWEN.md",
        _agents_skills, context_is_ours=_for_person, beside=_qwen_manifest,
    ),
    "amp": Integration(
        "amp", "Amp", "amp", lambda place: place.config("", ".config/amp", ".amp"),
        _instructions(lambda place: place.folder / ".config" / "amp", "AGENTS.md"), _agents_skills,
    ),
    "kiro": Integration(
        "kiro", "Kiro", "kiro-cli", lambda place: place.config("", ".kiro", ".kiro"),
        _rules(".kiro/steering", ".kiro/steering"), _agents_skills, context_is_ours=_always,
        front="---\ninclusion: always\n---\n",
    ),
}  # fmt: skip
