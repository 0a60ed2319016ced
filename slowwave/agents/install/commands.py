"""How the agents are told to call us: the command line in a hook entry."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

from slowwave.paths import HOME_VARIABLE


def executable() -> str:
    """Absolute path of the installed `slowwave`, so that a hook does not depend on the agent's PATH."""
    beside = Path(sys.executable).with_name("slowwave.exe" if sys.platform == "win32" else "slowwave")
    if beside.exists():
        return str(beside)
    return shutil.which("slowwave") or "slowwave"


def plain_command(program: str, event: str, agent: str) -> str:
    """The call itself, as one line for a shell."""
    if sys.platform == "win32":
        return f'"{program}" hook {event} --agent {agent}'
    return f"{shlex.quote(program)} hook {event} --agent {agent}"


def hook_command(program: str, event: str, agent: str, home: str = "") -> str:
    """One line for a shell that calls us where we are still installed and is silent where we are not.

    `home` is `$SLOWWAVE_HOME` as it was when the hook was installed, "" for the default: an agent may be started
    without the variables of that shell.
    """
    call = plain_command(program, event, agent)
    if sys.platform == "win32":
        return call
    present = f"test ! -x {shlex.quote(program)}" if "/" in program else f"! command -v {program} >/dev/null"
    return f"{present} || {HOME_VARIABLE}={shlex.quote(home)} {call}" if home else f"{present} || {call}"


def program_of(command: str) -> str:
    """The program that a line of `hook_command` or `plain_command` calls, "" for another line."""
    words = shlex.split(command)
    return words[words.index("hook") - 1] if "hook" in words[1:] else ""
