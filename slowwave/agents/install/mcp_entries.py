"""The entry of our MCP server in an agent's settings, for agents that have a file for it."""

from __future__ import annotations

from pathlib import Path

from slowwave.agents.install.editors import Editor, JsonMember, TomlTable
from slowwave.agents.install.integrations import Place, Scope


def mcp_editor(agent: str, config: Path, place: Place) -> tuple[Path, Editor] | None:
    """The file and the edit that register `slowwave mcp`; None where the agent has no file that is ours to edit.

    Claude Code keeps a user's servers in a file that it rewrites all the time, so only the project's file is edited;
    pi has no MCP.
    """
    entry = {"command": place.program, "args": ["mcp"]}
    if agent == "claude" and place.scope is Scope.PROJECT:
        return place.folder / ".mcp.json", JsonMember(("mcpServers", "slowwave"), entry)
    if agent == "gemini":
        return config / "settings.json", JsonMember(("mcpServers", "slowwave"), entry)
    if agent == "codex":
        return config / "config.toml", TomlTable(("mcp_servers", "slowwave"), entry)
    if agent == "opencode":
        folder = place.folder if place.scope is Scope.PROJECT else config
        value = {"type": "local", "command": [place.program, "mcp"], "enabled": True}
        return folder / "opencode.json", JsonMember(("mcp", "slowwave"), value)
    return None
