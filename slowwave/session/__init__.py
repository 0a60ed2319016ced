"""The in-session stack. The names below are loaded when they are asked for, because hooks import this package too."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slowwave.session.flushing.policy import FlushDecision as FlushDecision
    from slowwave.session.flushing.policy import should_flush as should_flush
    from slowwave.session.memory import SessionMemory as SessionMemory

_HOMES = {
    "FlushDecision": "slowwave.session.flushing.policy",
    "SessionMemory": "slowwave.session.memory",
    "should_flush": "slowwave.session.flushing.policy",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
