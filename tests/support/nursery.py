"""Real processes without the seconds that their imports take.

A nursery is a process that has imported the pipeline and forks a child for each order: the child has an environment of
its own, runs one function, writes what it prints to files and can be killed like any other process. `run` takes a free
nursery or starts one, so that several children can be under way at once.
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PRELOADED = (
    "slowwave.app",
    "slowwave.llm.factory",
    "slowwave.memories.extraction.batches",
    "slowwave.memories.pipeline",
    "slowwave.storage.call_log",
)


@dataclass(frozen=True)
class Finished:
    """How a child ended: the exit code (negative for a signal) and what it printed."""

    code: int
    stdout: str
    stderr: str


class Child:
    """A child that is under way."""

    def __init__(self, nursery: subprocess.Popen[str], folder: Path, name: str, pid: int) -> None:
        self._nursery = nursery
        self._paths = (folder / f"{name}.out", folder / f"{name}.err")
        self.pid = pid
        self._code: int | None = None

    def kill(self, by: int = signal.SIGKILL) -> None:
        """Send it a signal, if it still runs."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, by)

    def wait(self, seconds: float = 120) -> Finished:
        """Wait for its end; it is killed when it takes longer."""
        if self._code is None:
            late = threading.Timer(seconds, self.kill)
            late.start()
            assert self._nursery.stdout is not None
            self._code = int(self._nursery.stdout.readline())
            late.cancel()
        out, err = (path.read_text("utf-8", "replace") for path in self._paths)
        return Finished(self._code, out, err)


class Nursery:
    """A process that forks a child for each order, one at a time. `folder` takes what the children print; `modules` are
    imported beside the pipeline."""

    def __init__(self, folder: Path, *modules: str) -> None:
        self._folder = folder
        self._count = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.nursery", *modules],
            cwd=ROOT,
            env={"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT), "HOME": str(folder)},
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def start(self, function: str, argument: Any, env: Mapping[str, str]) -> Child:
        """Start `module:function` with one argument (JSON) in this environment; what it returns is the exit code."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._count += 1
        name = str(self._count)
        order = {"function": function, "argument": argument, "env": dict(env), "output": str(self._folder / name)}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return Child(self._process, self._folder, name, int(self._process.stdout.readline()))

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)


_free: list[Nursery] = []


@contextmanager
def _borrowed() -> Iterator[Nursery]:
    try:
        nursery = _free.pop()
    except IndexError:
        folder = tempfile.TemporaryDirectory(prefix="nursery-")
        nursery = Nursery(Path(folder.name))
        atexit.register(folder.cleanup)
        atexit.register(nursery.close)
    try:
        yield nursery
    finally:
        _free.append(nursery)


def run(function: str, argument: Any, env: Mapping[str, str], seconds: float = 240) -> Finished:
    """Run `module:function` with one argument in a process of its own, to its end."""
    with _borrowed() as nursery:
        return nursery.start(function, argument, env).wait(seconds)


def _child(order: Mapping[str, Any]) -> int:
    for descriptor, ending in ((1, ".out"), (2, ".err")):
        target = os.open(order["output"] + ending, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(target, descriptor)
        os.close(target)
    # Tests that are run with `nohup` pass on that it is ignored.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(order["env"])
    module, _, name = order["function"].partition(":")
    try:
        code = int(getattr(importlib.import_module(module), name)(order["argument"]))
        sys.stdout.flush()
        sys.stderr.flush()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    except BaseException:  # noqa: BLE001 - printed for the test, which then fails on the exit code
        traceback.print_exc()
        return 70
    return code


def _serve() -> None:
    for module in (*PRELOADED, *sys.argv[1:]):
        importlib.import_module(module)
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            os._exit(_child(order))
        print(pid, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


if __name__ == "__main__":
    _serve()
