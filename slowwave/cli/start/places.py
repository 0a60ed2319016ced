"""Where session logs are looked for, in words for somebody who has none there."""

from __future__ import annotations

from pathlib import Path

from slowwave.app import App
from slowwave.rollouts.readers import readers
from slowwave.rollouts.walk import places_noted

_MOST_PLACES = 2


def looked_in(app: App) -> str:
    """The places that each reader looks into, as the readers themselves tell, and how to name another."""
    home = Path(app.env.get("HOME") or Path.home())
    lines = ["no session logs; looked in"]
    for agent, reader in readers(app.env).items():
        with places_noted() as places:
            for _ in reader.discover(app.env, home):
                pass
        shown = [str(path) for path in list(places)[:_MOST_PLACES]]
        more = ", ..." if len(places) > _MOST_PLACES else ""
        if shown:
            lines.append(f"  {agent}: {', '.join(shown)}{more}")
    lines.append(
        "an agent's own variable (CLAUDE_CONFIG_DIR, CODEX_HOME, ...) names another folder,"
        " `slowwave ingest FILE` takes a log from anywhere"
    )
    return "\n".join(lines)
