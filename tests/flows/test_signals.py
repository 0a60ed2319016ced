"""SIGTERM: a cancellation first, a hard exit when the way out takes too long."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

from tests.support.installation import ROOT

SCRIPT = """
import asyncio, signal, sys, time
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may be run with nohup
from slowwave.orchestration import signals
signals.GRACE_SECONDS = 1.0

async def main():
    with signals.cancelled_by_signals():
        print("ready", flush=True)
        try:
            await asyncio.sleep(60)
        finally:
            print("given back", flush=True)
            {way_out}

try:
    asyncio.run(main())
except asyncio.CancelledError:
    print("cancelled", flush=True)
"""


def told_to_stop(way_out: str, signals: int = 1, number: int = signal.SIGTERM) -> tuple[int, str, float]:
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(way_out=way_out)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    for _ in range(signals):
        process.send_signal(number)
        time.sleep(0.1)
    started = time.monotonic()
    output = process.communicate(timeout=60)[0]
    return process.returncode, output, time.monotonic() - started


def test_the_way_out_is_walked_to_its_end() -> None:
    code, output, _ = told_to_stop("await asyncio.sleep(0.2)")
    assert (code, output) == (0, "given back\ncancelled\n")


def test_a_second_signal_does_not_interrupt_it() -> None:
    code, output, _ = told_to_stop("await asyncio.sleep(0.5)", signals=3)
    assert (code, output) == (0, "given back\ncancelled\n")


def test_a_blocked_way_out_ends_hard() -> None:
    code, output, took = told_to_stop("time.sleep(50)")
    assert code == 128 + signal.SIGTERM
    assert output == "given back\n"
    assert took < 40


def test_a_closed_terminal_gives_the_claims_back_too() -> None:
    code, output, _ = told_to_stop("pass", number=signal.SIGHUP)
    assert code == 0 and "given back" in output and "cancelled" in output
