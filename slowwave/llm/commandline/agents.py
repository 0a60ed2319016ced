"""The agents' command lines that can answer as a model: how each is started, and how its answer is read.

Pure functions. One request is one run: no tools, no hooks, no MCP servers, no project instructions, no personal
settings that change the answer, no stored session; the prompt goes in on standard input.
Sources: each tool's own `--help` (Claude Code 2.1, Codex 0.171, Gemini CLI).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from slowwave.llm.endpoint.reported import Answered, counts_of
from slowwave.llm.roles import AGENT_PREFIX


@dataclass(frozen=True, slots=True)
class Ask:
    """One request as files in a folder: the system text, the JSON schema, and where the answer may be put."""

    folder: Path
    model: str
    schema: Mapping[str, Any]

    @property
    def work(self) -> Path:
        """The empty folder in which the tool runs."""
        return self.folder / "empty"

    @property
    def system(self) -> Path:
        """File with the system text."""
        return self.folder / "system.md"

    @property
    def shape(self) -> Path:
        """File with the JSON schema."""
        return self.folder / "schema.json"

    @property
    def answer(self) -> Path:
        """File that the tool may write its answer to."""
        return self.folder / "answer.json"


@dataclass(frozen=True, slots=True)
class Told:
    """What a run printed: an answer, or what went wrong in the tool's words (with a status where it names one)."""

    answered: Answered | None = None
    trouble: str = ""
    status: int = 400


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent that a person may be logged in to. `added_tokens` is what it puts around a prompt of its own accord."""

    name: str
    title: str
    binary: str
    default_model: str
    added_tokens: int
    takes_system: bool
    takes_shape: bool
    arguments: Callable[[Ask], Sequence[str]]
    read: Callable[[str, Ask], Told]
    env: Mapping[str, str]
    login: tuple[tuple[str, str, str], ...]
    """Files that a login leaves: (variable with the settings folder, folder below the home, file)."""
    own_home: bool = False
    """Whether personal instructions can only be kept out by a settings folder that holds nothing but the login."""

    def with_arguments(self, more: Sequence[str]) -> Agent:
        """The same agent with further arguments of the person's own, before those of a request."""
        own = self.arguments
        return replace(self, arguments=lambda ask: (*_head(own(ask)), *more, *_tail(own(ask)))) if more else self

    @property
    def endpoint(self) -> str:
        """What consent and the call_log call it."""
        return AGENT_PREFIX + self.name

    def is_logged_in(self, env: Mapping[str, str]) -> bool:
        """Tell whether a login of a person is on this machine. Nothing in it is read."""
        return self.login_file(env) is not None

    def login_file(self, env: Mapping[str, str]) -> Path | None:
        """The file that the login left, None where there is none (a key in the environment, a keychain)."""
        home = Path(env.get("HOME") or Path.home())
        files = (Path(env.get(variable) or home / folder) / file for variable, folder, file in self.login)
        return next((file for file in files if file.is_file()), None)


def _head(arguments: Sequence[str]) -> Sequence[str]:
    """All but a last argument that says where the prompt comes from."""
    return arguments[:-1] if arguments and arguments[-1] == "-" else arguments


def _tail(arguments: Sequence[str]) -> Sequence[str]:
    return arguments[len(_head(arguments)) :]


def _claude(ask: Ask) -> Sequence[str]:
    return (
        "-p", "--output-format", "json", "--json-schema", json.dumps(ask.schema, separators=(",", ":")),
        "--system-prompt-file", str(ask.system), "--tools", "", "--strict-mcp-config", "--setting-sources", "",
        "--disable-slash-commands", "--no-session-persistence", *(("--model", ask.model) if ask.model else ()),
    )  # fmt: skip


def _read_claude(out: str, ask: Ask) -> Told:
    data = _object(out)
    if data is None:
        return Told(trouble=out)
    if data.get("is_error"):
        status = data.get("api_error_status")
        words = f"{data.get('result') or data.get('subtype') or ''}"
        return Told(trouble=words, status=status if isinstance(status, int) else 400)
    counts, absurd = counts_of(data.get("usage"))
    shaped = data.get("structured_output")
    text = json.dumps(shaped) if isinstance(shaped, dict) else str(data.get("result") or "")
    # A shaped answer ends with the call of the tool that the schema became.
    reason = "end_turn" if isinstance(shaped, dict) else data.get("stop_reason")
    return Told(Answered(text, stop_reason=str(reason) if reason else None, counts=counts, is_absurd=absurd))


_CODEX_WITHOUT = (
    "shell_tool", "unified_exec", "apps", "plugins", "remote_plugin", "multi_agent", "image_generation", "browser_use",
    "computer_use", "goals", "hooks", "code_mode_host", "skill_search", "skill_mcp_dependency_install", "tool_suggest",
    "workspace_dependencies", "in_app_browser", "sleep_tool", "shell_snapshot", "view_image",
)  # fmt: skip
"""Features of Codex that put tools or text into a request: without them 5 kB stand around a prompt, not 40."""


_CODEX_SETTINGS = (
    ("project_doc_max_bytes", "0"), ("include_permissions_instructions", "false"),
    ("include_apps_instructions", "false"), ("include_collaboration_mode_instructions", "false"),
    ("include_environment_context", "false"), ("analytics.enabled", "false"), ("check_for_update_on_startup", "false"),
)  # fmt: skip


def _codex(ask: Ask) -> Sequence[str]:
    without = [word for feature in _CODEX_WITHOUT for word in ("--disable", feature)]
    return (
        "exec", "--ephemeral", "--skip-git-repo-check", "-s", "read-only", "--ignore-rules", "--ignore-user-config",
        "--color", "never", "--output-schema", str(ask.shape), "--json", "-o", str(ask.answer), *without,
        "-c", f"model_instructions_file={json.dumps(str(ask.system))}", "-c", 'web_search="disabled"',
        *(word for name, value in _CODEX_SETTINGS for word in ("-c", f"{name}={value}")),
        *(("-m", ask.model) if ask.model else ()), "-",
    )  # fmt: skip


def _read_codex(out: str, ask: Ask) -> Told:
    usage: Mapping[str, Any] | None = None
    trouble = ""
    for line in out.splitlines():
        event = _object(line)
        if event is None:
            continue
        if event.get("type") == "turn.completed" and isinstance(event.get("usage"), dict):
            usage = event["usage"]
        elif event.get("type") in ("error", "turn.failed"):
            inner = event.get("error")
            trouble = str(event.get("message") or (inner.get("message") if isinstance(inner, dict) else inner) or "")
    text = ask.answer.read_text("utf-8", "replace") if ask.answer.is_file() else ""
    if not text.strip() and (trouble or usage is None):
        return Told(trouble=trouble or out)
    counts, absurd = counts_of(_without_cached(usage))
    return Told(Answered(text, stop_reason="end_turn", counts=counts, is_absurd=absurd))


def _without_cached(usage: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Figures in which the cached part is counted in, as figures that name it beside the rest."""
    if usage is None:
        return None
    whole, cached = usage.get("input_tokens"), usage.get("cached_input_tokens") or 0
    if isinstance(whole, int) and isinstance(cached, int) and 0 <= cached <= whole:
        return {**usage, "input_tokens": whole - cached, "cache_read_input_tokens": cached}
    return usage


def _gemini(ask: Ask) -> Sequence[str]:
    return (
        "--output-format", "json", "--extensions", "none", "--allowed-mcp-server-names", "none",
        *(("-m", ask.model) if ask.model else ()),
    )  # fmt: skip


def _read_gemini(out: str, ask: Ask) -> Told:
    data = _object(out[out.find("{") :]) if "{" in out else None
    if data is None:
        return Told(trouble=out)
    if (error := data.get("error")) or not isinstance(data.get("response"), str):
        words = error.get("message") if isinstance(error, dict) else error
        code = error.get("code") if isinstance(error, dict) else None
        return Told(trouble=str(words or out), status=code if isinstance(code, int) and code >= 400 else 400)
    counts, absurd = counts_of(_gemini_usage(data.get("stats")))
    return Told(Answered(data["response"], stop_reason="end_turn", counts=counts, is_absurd=absurd))


def _gemini_usage(stats: object) -> Mapping[str, Any] | None:
    models = stats.get("models") if isinstance(stats, dict) else None
    rows = list(models.values()) if isinstance(models, dict) else []
    inner = [row.get("tokens") for row in rows if isinstance(row, dict)]
    tokens = [row for row in inner if isinstance(row, dict)]
    if not tokens:
        return None
    sums = {key: sum(int(row[key]) for row in tokens if isinstance(row.get(key), int)) for key in _GEMINI_KEYS}
    whole = {"input_tokens": sums["prompt"], "cached_input_tokens": sums["cached"]}
    return _without_cached(whole | {"output_tokens": sums["candidates"] + sums["thoughts"]})


_GEMINI_KEYS = ("prompt", "candidates", "cached", "thoughts")


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _all() -> Iterator[Agent]:
    quiet = {"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
    yield Agent(
        "claude-code", "Claude Code", "claude", "haiku", 600, True, True, _claude, _read_claude,
        quiet | {"MAX_THINKING_TOKENS": "0"},
        (("CLAUDE_CONFIG_DIR", ".claude", ".credentials.json"), ("CLAUDE_CONFIG_DIR", "", ".claude.json")),
    )  # fmt: skip
    yield Agent(
        "codex", "Codex", "codex", "", 1500, True, True, _codex, _read_codex, {},
        (("CODEX_HOME", ".codex", "auth.json"),), own_home=True,
    )  # fmt: skip
    yield Agent(
        "gemini", "Gemini CLI", "gemini", "", 8000, False, False, _gemini, _read_gemini,
        {"GEMINI_CLI_TRUST_WORKSPACE": "true"}, (("GEMINI_CLI_HOME", ".gemini", "oauth_creds.json"),),
    )  # fmt: skip


AGENTS: Mapping[str, Agent] = {agent.name: agent for agent in _all()}
"""The agents by the name that `models.provider` gives them."""
