"""The in-session stack. The names below are loaded when they are asked for, because hooks import this package too."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slowwave.session.memory import SessionMemory as SessionMemory

_HOMES = {"SessionMemory": "slowwave.session.memory"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
