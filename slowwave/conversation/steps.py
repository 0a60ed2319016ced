"""What a conversation asks its driver to do: the logic yields these and is sent the results.

A synchronous and an asynchronous driver share every decision in this way.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from slowwave.session.events import SessionEvent


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of the conversation. `run` gets the input and returns text; an exception becomes an error result.

    An asynchronous conversation may be given coroutine functions.
    """

    name: str
    description: str
    input_schema: Mapping[str, Any]
    run: Callable[[dict[str, Any]], str | Awaitable[str]]

    def definition(self) -> dict[str, Any]:
        """The tool as the Messages API takes it."""
        return {"name": self.name, "description": self.description, "input_schema": dict(self.input_schema)}


@dataclass(frozen=True, slots=True)
class Call:
    """Send a Messages body. `visible` text goes to the user as it comes; `timeout` in seconds is a hard limit."""

    body: dict[str, Any]
    visible: bool
    timeout: float


@dataclass(frozen=True, slots=True)
class RunTool:
    """Run a tool and send back (text, whether it failed)."""

    tool: Tool | None
    name: str
    input: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Emit:
    """Tell the host about an event."""

    event: SessionEvent


Step = Call | RunTool | Emit
