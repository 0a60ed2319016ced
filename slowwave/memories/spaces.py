"""Workspaces of this process, shared by the batches and projects of a run so that one scanner remembers all values."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from contextlib import ExitStack

from slowwave.app import App
from slowwave.llm.base import Extractor
from slowwave.memories.workspace import Workspace, workspace

_lock = threading.Lock()
_open: dict[tuple[str, str, int], tuple[Workspace, ExitStack]] = {}
_extractors: dict[tuple[str, str], Extractor] = {}


def use_extractor(app: App, run_id: str, extractor: Extractor) -> None:
    """Let a run use an extractor of the caller's own, such as one over an SDK client for another cloud."""
    _extractors[app.reference, run_id] = extractor


def space_for(app: App, run_id: str) -> Workspace:
    """The workspace of a run in this event loop, opened at its first use.

    Raises:
        RedactionError: the scanner is not intact.
        ConsentRequired, ConfigError: from making the extractor.
    """
    key = (app.reference, run_id, id(asyncio.get_running_loop()))
    with _lock:
        if key not in _open:
            stack = ExitStack()
            try:
                space = stack.enter_context(workspace(app, run_id, _extractors.get(key[:2])))
                stack.callback(space.engine.dispose)
            except BaseException:
                stack.close()
                raise
            _open[key] = (space, stack)
        return _open[key][0]


async def disconnect(app: App, run_id: str) -> None:
    """Close the connections to the model that this event loop has opened for a run; a later call opens them again."""
    key = (app.reference, run_id, id(asyncio.get_running_loop()))
    if (found := _open.get(key)) is not None:
        await found[0].extractor.aclose()


def close_space(app: App, run_id: str) -> Counter[str]:
    """End the scanners and the connections of a run in this process.

    Return what the scanners let pass because a person allowed it, by type.
    """
    allowed: Counter[str] = Counter()
    with _lock:
        for key in [key for key in _open if key[:2] == (app.reference, run_id)]:
            space, stack = _open.pop(key)
            allowed.update(space.scrubber.allowed)
            stack.close()
        _extractors.pop((app.reference, run_id), None)
    return allowed
