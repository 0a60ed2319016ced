"""Our command as the status line of Claude Code, in the settings file that holds its hooks too.

::

    {"statusLine": {"type": "command", "command": "slowwave hook status-line --agent claude"}}

There is room for one status line only, so one that is not ours is never touched. Source: Claude Code's reference of the
status line, November 2026.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

from slowwave.agents import hosts
from slowwave.agents.install.jsonc import find, remove, set_in

_PATH = ("statusLine",)
_PROGRAM = re.compile(r"(?:.*[/\\])?slowwave(?:\.exe)?", re.DOTALL)


def with_status_line(text: str, value: Mapping[str, str]) -> str:
    """Return the settings with our status line, unchanged where there is one already.

    Raises:
        AgentIntegrationError: the file is no JSON with comments, or not an object.
    """
    return set_in(text, _PATH, dict(value)) if find(text, _PATH) is None else text


def without_status_line(text: str) -> str:
    """Return the settings without our status line; another one stays.

    Raises:
        AgentIntegrationError: the file is no JSON with comments.
    """
    found = find(text, _PATH)
    return remove(text, _PATH) if found is not None and _is_ours(found.value) else text


def has_own_status_line(text: str) -> bool:
    """Tell whether the settings hold a status line of the person's.

    Raises:
        AgentIntegrationError: the file is no JSON with comments.
    """
    found = find(text, _PATH)
    return found is not None and not _is_ours(found.value)


def _is_ours(value: object) -> bool:
    """Whether the command is ours alone: a person's script that calls ours among other things is the person's."""
    command = value.get("command") if isinstance(value, dict) else None
    try:
        words = shlex.split(command) if isinstance(command, str) else []
    except ValueError:
        return False
    return (
        len(words) == 5
        and _PROGRAM.fullmatch(words[0]) is not None
        and words[1:4] == ["hook", hosts.STATUS_LINE, "--agent"]
    )
