"""Where session logs are looked for, in words for somebody who has none there."""

from __future__ import annotations

from pathlib import Path

from slowwave.app import App

# Agent, the variable that moves its folder, the folder below the home, and what is below that.
_PLACES = (
    ("Claude Code", "CLAUDE_CONFIG_DIR", ".claude", "projects"),
    ("Codex", "CODEX_HOME", ".codex", "sessions"),
    ("Gemini CLI", "GEMINI_CLI_HOME", "", ".gemini/tmp"),
    ("opencode", "XDG_DATA_HOME", ".local/share", "opencode"),
    ("pi", "PI_CODING_AGENT_DIR", ".pi/agent", "sessions"),
    ("oh-my-pi", "", ".omp/agent", "sessions"),
    ("OpenClaw", "OPENCLAW_STATE_DIR", ".openclaw", "agents"),
    ("Copilot CLI", "COPILOT_HOME", ".copilot", "session-state"),
)


def looked_in(app: App) -> str:
    """One line: every place that was looked into, and how to name another."""
    home = Path(app.env.get("HOME") or Path.home())
    places = []
    for agent, variable, folder, below in _PLACES:
        moved = app.env.get(variable, "").strip() if variable else ""
        places.append(f"{(Path(moved) if moved else home / folder) / below} ({agent})")
    return (
        f"no session logs: looked in {', '.join(places)}; an agent's own variable (CLAUDE_CONFIG_DIR, CODEX_HOME, ...)"
        " names another folder, `slowwave ingest FILE` takes a log from anywhere"
    )
