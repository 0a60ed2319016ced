"""The line in an agent's settings: it carries its home, and is silent once the program is gone."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from slowwave.agents.install.commands import hook_command, program_of

PROGRAMS = ("/opt/slow wave/bin/slowwave", "/usr/bin/slowwave", "/home/ü's/bin/slowwave")


def run(line: str, path: str = os.defpath) -> subprocess.CompletedProcess[str]:
    return subprocess.run(line, shell=True, capture_output=True, text=True, env={"PATH": path})


@pytest.mark.parametrize("program", [*PROGRAMS, "slowwave"])
@pytest.mark.parametrize("home", ["", "/data/my home"])
def test_a_line_whose_program_is_gone_ends_well_and_says_nothing(program: str, home: str) -> None:
    done = run(hook_command(program.replace("/usr", "/nowhere"), "stop", "claude", home))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("folder", ["bin", "my tools", "o'neill"])
@pytest.mark.parametrize("home", ["", "/data/my home", "/data/$HOME`x`"])
def test_a_line_calls_the_program_with_the_home_it_was_installed_from(tmp_path: Path, folder: str, home: str) -> None:
    program = tmp_path / folder / "slowwave"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nprintf "%s|%s" "$SLOWWAVE_HOME" "$*"; exit 3\n')
    program.chmod(0o755)
    line = hook_command(str(program), "session-start", "codex", home)
    done = run(line)
    assert (done.returncode, done.stdout) == (3, f"{home}|hook session-start --agent codex")
    assert program_of(line) == str(program)


@pytest.mark.parametrize("line", ["hook", "", "slowwave", "echo 'run the hook'"])
def test_a_line_that_calls_no_hook_names_no_program(line: str) -> None:
    assert program_of(line) == ""
