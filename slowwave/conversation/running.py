"""Carrying out single steps: a call with a hard limit, a tool whose failure is its result."""

from __future__ import annotations

import inspect
import queue
import threading
from collections.abc import Callable

from anthropic.types import Message

from slowwave.conversation.steps import RunTool
from slowwave.errors import ModelUnavailable


def within(seconds: float, call: Callable[[], Message]) -> Message:
    """Run a call with a hard limit. The SDK's own limit holds for each read, and a server may send for ever."""
    result: queue.SimpleQueue[Message | BaseException] = queue.SimpleQueue()

    def work() -> None:
        try:
            result.put(call())
        except BaseException as error:  # noqa: BLE001 - handed to the caller, who raises it
            result.put(error)

    threading.Thread(target=work, daemon=True).start()
    try:
        got = result.get(timeout=seconds)
    except queue.Empty:
        raise ModelUnavailable("the call exceeded its time limit", reason="timeout") from None
    if isinstance(got, BaseException):
        raise got
    return got


def run_tool(step: RunTool) -> tuple[str, bool]:
    """Run a tool: its text, and whether it failed."""
    if step.tool is None:
        return f"there is no tool {step.name}", True
    try:
        result = step.tool.run(step.input)
        if inspect.isawaitable(result):
            raise TypeError(f"tool {step.name} is a coroutine function: use AsyncConversation")
        return str(result), False
    except Exception as error:  # noqa: BLE001 - whatever a tool raises is its result for the model
        return f"{type(error).__name__}: {error}", True


async def run_tool_async(step: RunTool) -> tuple[str, bool]:
    """Run a tool that may be a coroutine function: its text, and whether it failed."""
    if step.tool is None:
        return f"there is no tool {step.name}", True
    try:
        result = step.tool.run(step.input)
        return str(await result if inspect.isawaitable(result) else result), False
    except Exception as error:  # noqa: BLE001 - whatever a tool raises is its result for the model
        return f"{type(error).__name__}: {error}", True
