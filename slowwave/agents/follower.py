"""`python -m slowwave.agents.follower HOME`: fetches what the team published since, and lets go what it purged.

A hook starts it when a session begins and no process has looked for a while; the hook itself never waits for a network.
One at a time holds a lock file; a second one has nothing to do.
"""

from __future__ import annotations

import sys
from pathlib import Path

from filelock import FileLock, Timeout

from slowwave.agents.compile import compile_hooks
from slowwave.agents.hook.dispatch import log
from slowwave.app import App, open_app
from slowwave.errors import SlowwaveError
from slowwave.memories.projects.following import follow_team


def follow(app: App) -> int:
    """Fetch what is newer and compile what hooks inject; return for how many projects.

    Raises:
        SlowwaveError, OSError: the team's database does not answer, or this home cannot be written.
    """
    # Without the team's address nothing here is known to be shared: compiling would drop the blocks that stand.
    if not app.has_team or not (fetched := follow_team(app)):
        return 0
    engines = [one.engine for one in app.stores()]
    compile_hooks(app.home, engines[0], app.settings, more=engines[1:])
    return fetched


def main(home: Path) -> int:
    """Look once and return the exit code; why it failed goes to the hooks' log, since nobody reads its output."""
    try:
        with FileLock(home / "hooks" / "follower.lock", mode=0o600, blocking=False):
            follow(open_app())
    except Timeout:
        return 0
    except (SlowwaveError, OSError) as error:
        log(home, "team", "follower", f"{type(error).__name__}: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
