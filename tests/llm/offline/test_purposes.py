"""What command lines are for, over whole sessions: the lines that a workflow memory may hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from slowwave.llm.offline.command_lines.commands import Step, is_personal, timeline
from slowwave.llm.offline.command_lines.purposes import name_purpose
from slowwave.llm.offline.command_lines.shell import simple_commands
from slowwave.llm.offline.workflows import is_broad, purpose_of
from tests.llm.offline.command_lines import PURPOSES
from tests.support.offline import Log

CASES = Path(__file__).parents[4] / "shared" / "cases" / "offline-commands.tsv"


def purposes(line: str) -> set[str]:
    """The purposes of the project-wide commands of a line that ran and passed."""
    steps = [event for event in timeline(Log().run(line, "ok, all passed").items) if isinstance(event, Step)]
    return {purpose for step in steps if (purpose := purpose_of(step.text)) and is_broad(step.text) and step.ok}


@pytest.mark.parametrize(("line", "purpose"), PURPOSES)
def test_the_purpose_of_a_line(line: str, purpose: str | None) -> None:
    assert purposes(line) == ({purpose} if purpose else set())


@pytest.mark.parametrize(("line", "purpose"), PURPOSES)
def test_nothing_personal_stands_in_a_step(line: str, purpose: str | None) -> None:
    for event in timeline(Log().run(line, "ok").items):
        if isinstance(event, Step):
            assert not is_personal(event.text)
            assert "\n" not in event.text


WORDS = {"format": "formatter", "lint": "linter", "test": "tests", "typ": "type check", "doc": "docs"}


def _cases() -> list[tuple[str, str]]:
    if not CASES.is_file():
        return []
    rows = [line.split("\t") for line in CASES.read_text(encoding="utf-8").splitlines()[1:]]
    return [(row[1].replace("\\n", "\n").replace("\\t", "\t"), row[2]) for row in rows]


@pytest.mark.parametrize(("line", "right"), _cases())
def test_the_shared_cases(line: str, right: str) -> None:
    word = right.removeprefix("optional: ")
    wanted = WORDS.get(word, word)
    found = purposes(line)
    assert found <= {wanted}
    if right not in ("nothing",) and not right.startswith("optional"):
        assert found == {wanted}


@pytest.mark.parametrize(
    ("name", "purpose"),
    [
        ("test", "tests"),
        ("test:unit", "tests"),
        ("ci-lint", "linter"),
        ("lint_fix", "lint fixes"),
        ("format.check", "format check"),
        ("check-types", "type check"),
        ("docs:build", "docs"),
        ("build-docs", "docs"),
        ("test-harness", None),
        ("watch:test", None),
        ("update-snapshots", None),
        ("contest", None),
        ("rebuild-index", None),
    ],
)
def test_a_script_is_known_by_its_name(name: str, purpose: str | None) -> None:
    assert name_purpose(name) == purpose


def test_commands_are_cut_as_a_shell_cuts_them() -> None:
    parts = simple_commands("cd a && FOO='x y' b 'c && d' | e; f || g &")
    assert [[word.text for word in part.words] for part in parts] == [["cd", "a"], ["b", "c && d"], ["f"], ["g"]]
    assert [part.operator for part in parts] == ["&&", ";", "||", ""]
    assert [part.masked for part in parts] == [False, True, False, True]
    assert [word.raw for word in parts[1].assignments] == ["FOO='x y'"]
    assert simple_commands("make test )") == []
    assert not simple_commands("make $TARGET")[0].plain
