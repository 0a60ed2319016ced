"""A conversation on the Anthropic SDK with the in-session layers built in. Names are loaded when they are asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slowwave.conversation.conversation import AsyncConversation as AsyncConversation
    from slowwave.conversation.conversation import Conversation as Conversation
    from slowwave.conversation.core import Reply as Reply
    from slowwave.conversation.steps import Tool as Tool
    from slowwave.conversation.upkeep import Limits as Limits

_HOMES = {
    "AsyncConversation": "slowwave.conversation.conversation",
    "Conversation": "slowwave.conversation.conversation",
    "Limits": "slowwave.conversation.upkeep",
    "Reply": "slowwave.conversation.core",
    "Tool": "slowwave.conversation.steps",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
