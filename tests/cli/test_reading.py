"""`slowwave read` and `slowwave search`, as a person runs them."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from slowwave.cli.group import slowwave
from slowwave.errors import ConfigError, MemoryUrlError
from tests.support.memory import MemoryHome


class Shell:
    """Runs commands in a project's folder."""

    def __init__(self, base: Path) -> None:
        self.memory = MemoryHome(base / "home")
        self.shop, self.other = base / "shop", base / "other"
        for folder, texts in (
            (self.shop, ["tests run with `bun test`", "部署前必须轮换密钥"]),
            (self.other, ["bun is not used"]),
        ):
            self.memory.publish(
                self.memory.project(folder).id, texts, skills={"deploy": "1. rotate"} if folder == self.shop else {}
            )

    def __call__(self, *arguments: str, folder: Path | None = None) -> Result:
        env = dict.fromkeys(os.environ, None) | {
            "SLOWWAVE_HOME": str(self.memory.home),
            "HOME": str(self.memory.home.parent),
        }
        with contextlib.chdir(folder or self.shop):
            return CliRunner().invoke(slowwave, list(arguments), env=env, standalone_mode=False)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def test_read_prints_the_file_or_the_lines(shell: Shell) -> None:
    assert shell("read").output.startswith("# What is remembered about shop")
    assert shell("read", "memory://root/MEMORY.md#L5").output == "- tests run with `bun test` [m1]\n"
    answer = json.loads(shell("read", "memory://root/MEMORY.md#L5-L6", "--json").output)
    assert (answer["first"], answer["last"], answer["total"]) == (5, 6, 6) and "[m2]" in answer["text"]
    assert json.loads(shell("read", "--list", "--json").output)[-1] == "memory://root/skills/deploy/SKILL.md"


def test_read_of_another_project_and_of_nothing(shell: Shell) -> None:
    assert "bun is not used" in shell("read", "--project", "other").output
    assert isinstance(shell("read", "memory://root/../slowwave.db").exception, MemoryUrlError)
    assert isinstance(shell("read", folder=shell.memory.home).exception, ConfigError)


def test_a_report_is_recorded_and_an_unknown_id_is_refused(shell: Shell) -> None:
    assert "m1 helped" in shell("read", "--helped", "m1").output
    assert json.loads(shell("read", "--wrong", "m2", "--json").output) == {"m2": "wrong"}
    assert isinstance(shell("read", "--helped", "m77").exception, ConfigError)


def test_search_finds_in_this_project_only_unless_asked(shell: Shell) -> None:
    assert shell("search", "bun").output.startswith("[m1] tests run with `bun test`\n  memory://root/MEMORY.md#L5\n")
    assert "not used" not in shell("search", "bun").output
    assert "not used" in shell("search", "bun", "--all").output
    found = json.loads(shell("search", "密钥", "--json").output)
    assert [row["ref"] for row in found] == ["m2"] and found[0]["url"] == "memory://root/MEMORY.md#L6"
    assert json.loads(shell("search", "deploy", "--json").output)[0]["url"] == "memory://root/skills/deploy/SKILL.md"
    assert shell("search", "zeppelin").output == "Nothing in memory matches.\n"
    assert json.loads(shell("search", "zeppelin", "--json").output) == []


def test_mcp_prints_its_entry_for_a_client(shell: Shell) -> None:
    entry = json.loads(shell("mcp", "--json", "--project", "shop").output)
    assert entry == {"mcpServers": {"slowwave": {"command": "slowwave", "args": ["mcp", "--project", "shop"]}}}
