"""End a flow cleanly when the process is told to stop."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# A worker's cancel, a service manager's stop and a container's stop all kill after ten seconds or more.
GRACE_SECONDS = 8.0
TERMINATED = 128 + signal.SIGTERM


@contextmanager
def cancelled_by_signals() -> Iterator[None]:
    """Turn the first SIGTERM or SIGHUP into a cancellation of the task, so that claims are released on the way out.

    SIGHUP comes when a terminal is closed; who started the process with `nohup` wants it to go on, and it does.

    Prefect's own handler raises inside whatever code happens to run, which may be a commit. If the way out takes longer
    than `GRACE_SECONDS` (a thread that parses cannot be interrupted), the process exits hard: the next run on this host
    takes its claims back at once because their owner is gone.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    if task is None or threading.current_thread() is not threading.main_thread() or os.name != "posix":
        yield
        return
    hard_exit = threading.Timer(GRACE_SECONDS, os._exit, args=(TERMINATED,))
    hard_exit.daemon = True

    def stop() -> None:
        if not hard_exit.is_alive():
            hard_exit.start()
            task.cancel("told to stop")

    previous = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    taken = [number for number, handler in previous.items() if handler != signal.SIG_IGN]
    for number in taken:
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in taken:
            loop.remove_signal_handler(number)
            signal.signal(number, previous[number])
        hard_exit.cancel()
