"""Places where a test may kill the process for good. In normal use they cost one dictionary look-up."""

from __future__ import annotations

import os
import signal

VARIABLE = "SLOWWAVE_KILL_AT"
STOP_VARIABLE = "SLOWWAVE_STOP_AT"


def reach(step: str) -> None:
    """Die by SIGKILL if the environment names this step, or stop by SIGSTOP if the other variable does.

    ``publish.switched:3`` dies the third time the step is reached.
    """
    if VARIABLE in os.environ and _is_due(VARIABLE, step):
        os.kill(os.getpid(), signal.SIGKILL)
    if STOP_VARIABLE in os.environ and _is_due(STOP_VARIABLE, step):
        os.kill(os.getpid(), signal.SIGSTOP)


_reached: dict[tuple[str, str], int] = {}


def _is_due(variable: str, step: str) -> bool:
    name, _, times = os.environ[variable].partition(":")
    if name != step:
        return False
    count = _reached[variable, step] = _reached.get((variable, step), 0) + 1
    return count == int(times or 1)
