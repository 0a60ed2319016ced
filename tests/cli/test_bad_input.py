"""No command prints a traceback, whatever it is given and whatever its home looks like."""

from __future__ import annotations

import io
import os
import random
import shutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest

from slowwave.cli.main import COMMANDS, main

FULL = os.environ.get("SLOWWAVE_FULL") == "1"

VALUES = {
    "empty": "",
    "terminal escape": "\x1b]0;title\x07a",
    "not UTF-8": "caf\udce9",
    "number": "9" * 400,
    "negative": "-5",
    "no such path": "/nonexistent/a/b",
    "folder": "/tmp",
    "long": "x" * 5000,
    "parent folders": "../../etc/passwd",
    "YAML alias": "*/20 3 * * *",
    "full device": "/dev/full",
    "address": "postgresql://user:word@127.0.0.1:1/name",
}
STAYS = {"serve", "mcp"}
WORKS = {"init", "run"}


def commands() -> Iterator[tuple[list[str], click.Command]]:
    for name, target in COMMANDS.items():
        module, attribute = target.split(":")
        yield from below([name], getattr(import_module(module), attribute))


def below(path: list[str], command: click.Command) -> Iterator[tuple[list[str], click.Command]]:
    if isinstance(command, click.Group):
        for name, one in command.commands.items():
            yield from below([*path, name], one)
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield path, command


def arguments(command: click.Command, value: str) -> list[str]:
    return [value for one in command.params if isinstance(one, click.Argument)]


def calls() -> Iterator[list[str]]:
    for path, command in commands():
        yield [*path, "--no-such-option"]
        yield [*path, *"abcdef"]
        if path[0] in STAYS | WORKS:
            continue
        yield path
        for value in VALUES.values():
            yield path + arguments(command, value)
            for one in command.params:
                if isinstance(one, click.Option) and not one.is_flag:
                    yield [*path, one.opts[-1], value, *arguments(command, "x")]


def call(words: list[str], capfd: pytest.CaptureFixture[str]) -> str:
    """What is wrong with the way a command ended, as a rule nothing. An exception that gets out fails the test."""
    try:
        code: object = main(words)
    except SystemExit as end:
        code = end.code
    out, err = capfd.readouterr()
    if "Traceback" in out + err:
        return f"{words[:4]}: {err[-500:]}"
    return f"{words[:4]}: failed without a word" if code not in (0, None) and not (out + err).strip() else ""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "user"))
    monkeypatch.setenv("SLOWWAVE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("sys.stdin", io.StringIO())
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "home"


def test_what_a_command_is_given(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tried = list(calls())
    assert len(tried) > 1200
    if not FULL:
        tried = random.Random(7).sample(tried, 150)
    assert not [said for words in tried if (said := call(words, capfd))]


HOMES = {
    "a file": lambda home: home.write_text("x"),
    "a broken link": lambda home: home.symlink_to(home / "nowhere"),
    "no database": lambda home: (home / "x").mkdir(parents=True),
    "damaged database": lambda home: put(home / "slowwave.db", b"nonsense" * 2000),
    "a folder for a database": lambda home: (home / "slowwave.db").mkdir(parents=True),
    "damaged session store": lambda home: put(home / "session.db", b"SQLite format 3\0" + b"nonsense" * 2000),
    "settings that are no text": lambda home: put(home / "config.yml", b"\xff\xfe{["),
    "settings that are a list": lambda home: put(home / "config.yml", b"- a\n- b\n"),
    "settings without an end": lambda home: put(home / "config.yml", b"a: &a [*a]\n"),
    "a folder for settings": lambda home: (home / "config.yml").mkdir(parents=True),
    "wrong settings": lambda home: put(home / "config.yml", b"memories:\n  maxAgeDays: soon\n"),
    "no server": lambda home: put(home / "config.yml", b"database:\n  url: postgresql://u:w@127.0.0.1:1/x\n"),
    "hooks that are a file": lambda home: put(home / "hooks", b"x"),
    "memory that is a file": lambda home: put(home / "memory", b"x"),
}


def put(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True)
    file.write_bytes(content)


@pytest.mark.parametrize("kind", HOMES)
def test_what_a_home_may_look_like(kind: str, home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tried = [path + arguments(command, "x") for path, command in commands() if path[0] not in STAYS | WORKS]
    wrong = []
    for words in tried if FULL else random.Random(kind).sample(tried, 8):
        shutil.rmtree(home) if home.is_dir() and not home.is_symlink() else home.unlink(missing_ok=True)
        HOMES[kind](home)
        more = ["--dry-run"] if words[0] == "rebuild" else []
        wrong.append(call([*words, *more], capfd))
    assert not [said for said in wrong if said]
