"""A person at a terminal: a command runs in one of a given width, questions are answered in turn."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

_STYLE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_ASKS = re.compile(r"(?:\[[Yy]/[Nn]\]:?|\?) ?$")
LONGEST_SECONDS = 180


def at_terminal(
    words: Sequence[str], env: Mapping[str, str], folder: Path, *, columns: int = 80, answers: Sequence[str] = ()
) -> tuple[int, str]:
    """Run `slowwave` at a terminal; return its exit code and what stood there, without colours.

    An answer is typed whenever the last line asks something. Raises `AssertionError` when a question is left without an
    answer, or when the command does not end.
    """
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        clean = {name: value for name, value in env.items() if name != "COLUMNS"} | {"TERM": "xterm"}
        os.execve(sys.executable, [sys.executable, "-m", "slowwave", *words], clean)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    waiting, said, answered = list(answers), b"", 0
    end = time.monotonic() + LONGEST_SECONDS
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.3)[0]:
            try:
                said += os.read(terminal, 65536)
            except OSError:
                break
        elif len(said) > answered and _ASKS.search(_STYLE.sub("", said.decode(errors="replace"))):
            assert waiting, f"nobody answers: {said[-300:]!r}"
            os.write(terminal, waiting.pop(0).encode() + b"\n")
            answered = len(said) + 1
    else:
        os.kill(child, 9)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), _STYLE.sub("", said.decode(errors="replace"))


def broken_lines(said: str, columns: int) -> list[str]:
    """Lines that a terminal of that width would break inside a word, though no word of them is too long for it."""
    lines = [line.rpartition("\r")[2] for line in said.replace("\r\n", "\n").split("\n")]
    return [line for line in lines if len(line) > columns and max(map(len, line.split())) < columns - 4]
