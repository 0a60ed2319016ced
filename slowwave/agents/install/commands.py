"""How the agents are told to call us: the command line in a hook entry."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path


def executable() -> str:
    """Absolute path of the installed `slowwave`, so that a hook does not depend on the agent's PATH."""
    beside = Path(sys.executable).with_name("slowwave.exe" if sys.platform == "win32" else "slowwave")
    if beside.exists():
        return str(beside)
    return shutil.which("slowwave") or "slowwave"


def hook_command(program: str, event: str, agent: str) -> str:
    """One line for a shell."""
    if sys.platform == "win32":
        return f'"{program}" hook {event} --agent {agent}'
    return f"{shlex.quote(program)} hook {event} --agent {agent}"
