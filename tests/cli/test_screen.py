"""What a terminal of 80 or 120 columns shows: nothing is broken inside a word, ids are whole."""

from __future__ import annotations

import os
import re

import pytest

from tests.support.installation import Installation
from tests.support.terminal import at_terminal, broken_lines

FULL = os.environ.get("SLOWWAVE_FULL") == "1"
SEEN = {80: ("status", "sessions", "projects", "log", "doctor", "--help")} | (
    {120: ("status", "doctor")} if FULL else {}
)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("screen"))
    made.write_sessions(3)
    made.run("remember", "Integration tests need the compose stack; unit tests never do, whatever their folder")
    return made


@pytest.mark.parametrize("columns", SEEN)
def test_lines_fit_and_break_between_words(machine: Installation, columns: int) -> None:
    said = {
        command: at_terminal([command], machine.env(), machine.folder, columns=columns)[1] for command in SEEN[columns]
    }
    assert all(text.strip() for text in said.values())
    assert not [line for text in said.values() for line in broken_lines(text, columns)]
    if columns == 80:
        assert len(re.findall(r"^claude:[0-9a-f-]{36}\r?$", said["sessions"], re.MULTILINE)) == 3
        assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d", said["log"])
