"""What a terminal of 80 or 120 columns shows: nothing is broken inside a word, ids are whole."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import sys
import termios

import pytest

from tests.support.installation import Installation

FULL = os.environ.get("SLOWWAVE_FULL") == "1"
_STYLE = re.compile(r"\x1b\[[0-9;]*m")
SEEN = {80: ("status", "sessions", "projects", "log", "doctor", "--help")} | (
    {120: ("status", "doctor")} if FULL else {}
)


def on_screen(machine: Installation, command: str, columns: int) -> str:
    """Run a command at a terminal of that width."""
    env = {name: value for name, value in machine.env().items() if name != "COLUMNS"} | {"TERM": "xterm"}
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(machine.folder)
        os.execve(sys.executable, [sys.executable, "-m", "slowwave", command], env)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    said = b""
    while True:
        try:
            said += os.read(terminal, 65536)
        except OSError:
            break
    os.waitpid(child, 0)
    return said.decode()


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("screen"))
    made.write_sessions(3)
    made.run(
        "remember", "Integration tests need the compose stack; unit tests never do, whatever their folder is called"
    )
    return made


@pytest.mark.parametrize("columns", SEEN)
def test_lines_fit_and_break_between_words(machine: Installation, columns: int) -> None:
    said = {command: _STYLE.sub("", on_screen(machine, command, columns)) for command in SEEN[columns]}
    assert all(text.strip() for text in said.values())
    for command, text in said.items():
        for line in text.splitlines():
            longest = max(map(len, line.split()), default=0)
            assert len(line) <= columns or longest > columns - 4, command
    if columns == 80:
        assert len(re.findall(r"^claude:[0-9a-f-]{36}\r?$", said["sessions"], re.MULTILINE)) == 3
        assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d", said["log"])
