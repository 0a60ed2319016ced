"""Commands out of tool calls: how agents write them, what is trivial, how one is known to have worked."""

from __future__ import annotations

import json

import pytest

from slowwave.llm.offline.command_lines.commands import Edit, Step, command_line, is_trivial, quote_of, timeline
from slowwave.rollouts.model import Item, ItemKind, Role
from tests.support.offline import Log


def call(text: str, tool: str) -> Item:
    return Item(0, Role.ASSISTANT, ItemKind.TOOL_CALL, text, tool=tool, call_id="c", cwd="/srv/app")


def steps(log: Log) -> list[tuple[str, bool | None]]:
    return [(event.text, event.ok) for event in timeline(log.items) if isinstance(event, Step)]


@pytest.mark.parametrize(
    ("tool", "text", "expected"),
    [
        ("Bash", "npm test", "npm test"),
        ("Bash", json.dumps({"command": "npm test", "description": "run"}), "npm test"),
        ("shell", json.dumps({"command": ["bash", "-lc", "npm test"]}), "npm test"),
        ("shell", json.dumps({"command": ["git", "commit", "-m", "two words"]}), "git commit -m 'two words'"),
        ("exec_command", json.dumps({"cmd": "npm test"}), "npm test"),
        ("exec", 'await tools.exec_command({cmd: "npm test"})', "npm test"),
        ("Read", json.dumps({"file_path": "a.py"}), None),
        ("Grep", "pattern", None),
        ("Bash", '{"command": broken', '{"command": broken'),
    ],
)
def test_the_command_of_a_call(tool: str, text: str, expected: str | None) -> None:
    assert command_line(call(text, tool)) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cd /srv/app && npm run check", ["npm run check"]),
        ("cd web && npm run check", ["cd web && npm run check"]),
        ("/srv/app/scripts/check.sh --all", ["scripts/check.sh --all"]),
        ("npm run check 2>&1", ["npm run check"]),
        ("timeout 120 npm run check", ["npm run check"]),
        ("sudo make install", ["make install"]),
        ("FOO=1 npm run check", ["FOO=1 npm run check"]),
        ("npm run lint && npm run check", ["npm run lint", "npm run check"]),
        ("echo 'a && b'; npm run check", ["npm run check"]),
        ("cat <<'EOF' > x\nnpm test\nEOF", []),
        ("for f in *; do npm test $f; done", []),
        ("cd /etc && make deploy", []),
    ],
)
def test_a_line_becomes_plain_commands(line: str, expected: list[str]) -> None:
    assert [text for text, _ in steps(Log().run(line, "ok"))] == expected


@pytest.mark.parametrize(
    "command",
    [
        "ls -la",
        "git status",
        "git log --oneline",
        "gh pr list",
        "rg foo",
        "node --version",
        "npm help",
        "curl -s http://x",
    ],
)
def test_looking_around_is_trivial(command: str) -> None:
    assert is_trivial(command)


@pytest.mark.parametrize("command", ["npm test", "git commit -m x", "make", "./run.sh", "uv run pytest -q"])
def test_work_is_not_trivial(command: str) -> None:
    assert not is_trivial(command)


@pytest.mark.parametrize(
    ("line", "output", "exit", "expected"),
    [
        ("make check", "", 0, True),
        ("make check", "boom", 2, False),
        ("make check", "", None, None),
        ("make check | tail -5", "all good, 5 passed", 0, True),
        ("make check | tail -5", "last lines", 0, None),
        ("make check | tail -5", "FAIL somewhere\n3 passed", 0, None),
        ("make check || true", "FAIL", 0, None),
        ("make check; echo done", "FAIL x\ndone", 0, None),
        ("make check", "The user doesn't want to proceed with this tool use.", 1, None),
        ("make check", "Command timed out after 2m", 1, None),
        ("make check", "failed in sandbox x with execution error: denied, exit code: 2, stdout: boom", None, False),
    ],
)
def test_success_is_believed_only_where_the_log_shows_it(
    line: str, output: str, exit: int | None, expected: bool | None
) -> None:
    assert steps(Log().run(line, output, exit)) == [("make check", expected)]


def test_only_the_last_of_a_failed_chain_is_blamed() -> None:
    assert steps(Log().run("make lint && make check", "boom", 1)) == [("make lint", None), ("make check", False)]


def test_edits_are_seen_between_commands() -> None:
    patch = "apply_patch <<'P'\n*** Begin Patch\n*** End Patch\nP"
    events = timeline(Log().run("make check", "", 1).edit().run(patch).items)
    assert [type(event) for event in events] == [Step, Edit, Edit]


def test_the_quote_stands_in_the_call_even_when_it_is_json() -> None:
    log = Log().run(json.dumps({"command": 'pytest -k "a b"'}), "1 passed")
    (step,) = [event for event in timeline(log.items) if isinstance(event, Step)]
    assert step.text == 'pytest -k "a b"'
    assert quote_of(step) == 'pytest -k \\"a b\\"'
    assert (quote_of(step) or "-") in log.items[0].text
