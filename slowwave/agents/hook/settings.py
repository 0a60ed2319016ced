"""Our entries in the hook tables of agents, which share one shape; Cursor's has no groups around the handlers.

::

    {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "slowwave hook session-start ..."}]}]}}
    {"hooks": {"sessionStart": [{"command": "slowwave hook session-start ..."}]}}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from slowwave.agents.install.jsonc import Node, append_to, find, parse, remove

_OURS = re.compile(r"slowwave(?:\.exe)?['\"]?\s+hook\s")


def is_ours(handler: object) -> bool:
    """Tell whether a handler runs `slowwave hook`."""
    if not isinstance(handler, dict):
        return False
    arguments = handler.get("args")
    words = [str(handler.get("command", "")), *(map(str, arguments) if isinstance(arguments, list) else [])]
    return _OURS.search(" ".join(words) + " ") is not None


def with_hooks(text: str, groups: Mapping[str, dict[str, Any]]) -> str:
    """Return the settings with one group of ours for each event, at the end of the event's list.

    Raises:
        AgentIntegrationError: the file is no JSON with comments, or its hooks have another shape.
    """
    for event, group in groups.items():
        text = append_to(text, ("hooks", event), group)
    return text


def without_hooks(text: str) -> str:
    """Return the settings without our handlers, and without the lists and objects that only held them.

    Raises:
        AgentIntegrationError: the file is no JSON with comments.
    """
    found = _first_of_ours(text)
    if found is None:
        return text
    while found is not None:
        text = _remove_upwards(text, found)
        found = _first_of_ours(text)
    return text


def events_with_hooks(text: str) -> dict[str, list[str]]:
    """Commands of ours by event name, for `slowwave doctor`."""
    hooks = parse(text).value.get("hooks", {}) if text.strip() else {}
    commands: dict[str, list[str]] = {}
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            handlers = group.get("hooks", [group]) if isinstance(group, dict) else []
            commands.setdefault(event, []).extend(
                str(handler.get("command", "")) for handler in handlers if is_ours(handler)
            )
    return {event: found for event, found in commands.items() if found}


def _first_of_ours(text: str) -> tuple[str | int, ...] | None:
    """Path of one of our handlers: hooks, event, number of the group, and within one: hooks, number of the handler."""
    hooks = find(text, ("hooks",))
    for event, groups in hooks.items if hooks is not None and hooks.kind == "object" else ():
        for number, group in groups.items if groups.kind == "array" else ():
            if is_ours(group.value):
                return ("hooks", event, number)
            handlers = group.get("hooks") if group.kind == "object" else None
            for position, handler in handlers.items if handlers is not None else ():
                if is_ours(handler.value):
                    return ("hooks", event, number, "hooks", position)
    return None


def _remove_upwards(text: str, path: tuple[str | int, ...]) -> str:
    """Remove a handler, then its group, list, and table as far as they only held it."""
    text = remove(text, path)
    for depth in (4, 2, 1) if len(path) > 3 else (2, 1):
        node: Node | None = find(text, path[:depth])
        if node is None or node.items:
            return text
        text = remove(text, path[:3] if depth == 4 else path[:depth])
    return text
