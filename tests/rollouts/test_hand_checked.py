"""Who typed what in real sessions, checked by hand.

For every session the rows are listed (from 0) that hold words which a person typed; everything else in the user's role
was read and found to be something else: command output, skill bodies, plans, notifications, replayed or mirrored rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from slowwave.rollouts.readers import readers
from slowwave.storage.types import SessionKind
from tests.support.reading import read, read_with, texts

TYPED: dict[str, tuple[list[int], SessionKind]] = {
    "982581eb*": ([], SessionKind.HEADLESS),
    "c32ba445*": ([61], SessionKind.INTERACTIVE),
    "12f1f541*": ([14, 34, 37, 46, 60, 72, 79, 89, 150, 155, 249, 303, 511], SessionKind.INTERACTIVE),
    "9a9eadc8*": ([1, 16, 21, 24, 27, 32, 39, 74, 106, 150, 238, 242, 262, 276, 286], SessionKind.INTERACTIVE),
    "67a8478e*": ([0, 2], SessionKind.INTERACTIVE),
    "a032db5a*": ([2, 21, 39, 91, 113, 278, 284], SessionKind.INTERACTIVE),
    "dc577197*": ([29, 52], SessionKind.INTERACTIVE),
    "fdd24234*": (
        [3, 51, 73, 91, 129, 152, 191, 232, 258, 269, 291, 327, 333, 339, 361],
        SessionKind.INTERACTIVE,
    ),
    "fe0cad35*": ([3, 46, 278], SessionKind.INTERACTIVE),
    "8e0afadf*": ([5, 34, 46, 54, 248, 738], SessionKind.INTERACTIVE),
    "3f0c2f60*": ([], SessionKind.INTERACTIVE),
    "e4d2c72e*": ([], SessionKind.INTERACTIVE),
    "rollout-2025-11-01T00-36*": ([], SessionKind.INTERACTIVE),
    "rollout-2026-06-18*": ([5, 320], SessionKind.INTERACTIVE),
    "rollout-2026-08-03*": ([5, 100], SessionKind.EPHEMERAL),
    "v3-small*": ([3, 6], SessionKind.INTERACTIVE),
    "events.jsonl": ([], SessionKind.HEADLESS),
}


def strings(value: Any) -> Iterator[str]:
    """Every string in a decoded value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)


def rows_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


@pytest.mark.parametrize("pattern", TYPED)
def test_exactly_the_typed_rows_are_the_users_words(shared_rollouts: Path, pattern: str) -> None:
    (path,) = shared_rollouts.rglob(pattern)
    lines, kind = TYPED[pattern]
    facts, items = read(path)
    rows = rows_of(path)
    typed = texts(items)
    assert len(typed) == len(lines)
    for text, line in zip(typed, lines, strict=True):
        words = text.removesuffix("[image]").strip()
        assert any(words in candidate for candidate in strings(rows[line])), line
    assert facts.kind == kind
    assert not facts.damaged and not facts.unknown


def test_every_prompt_of_a_long_codex_session_counts_once(shared_rollouts: Path) -> None:
    """All 52 messages in the user's role but the first, which is the environment."""
    (path,) = shared_rollouts.rglob("rollout-2025-11-01T17-34*")
    users = [
        row["payload"]["content"][0]["text"].strip()
        for row in rows_of(path)
        if row["payload"].get("type") == "message" and row["payload"]["role"] == "user"
    ]
    assert users[0].startswith("<environment_context>")
    assert texts(read(path)[1]) == users[1:]


def test_every_prompt_of_a_long_pi_session_counts(shared_rollouts: Path) -> None:
    (path,) = shared_rollouts.rglob("v1-large-session.jsonl")
    users = [row["message"]["content"][0]["text"].strip() for row in rows_of(path) if is_user(row)]
    assert len(users) == 88
    assert texts(read(path)[1]) == users


def is_user(row: Any) -> bool:
    return bool(row["type"] == "message" and row["message"]["role"] == "user")


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("session-2026-01-10T02-08*", [0, 2]),
        ("session-2026-01-10T20-00*", [0]),
        ("session-2026-01-15T20-51*", [0]),
    ],
)
def test_gemini_sessions(shared_rollouts: Path, pattern: str, expected: list[int]) -> None:
    (path,) = shared_rollouts.rglob(pattern)
    messages = json.loads(path.read_text())["messages"]
    assert texts(read(path)[1]) == [messages[number]["content"].strip() for number in expected]


def test_opencode_sessions(shared_rollouts: Path) -> None:
    """The fixture's synthetic part, a text that the agent wrote for itself, is not the user's."""
    reader = readers({})["opencode"]
    found = {
        log.path.stem: read_with(reader, log)
        for log in reader.discover({"XDG_DATA_HOME": str(shared_rollouts)}, shared_rollouts)
    }
    assert {name: texts(items) for name, (_, items) in found.items()} == {
        "ses_s_stage0_small": ["Hello"],
        "ses_s_stage0_large": ["Step 1", "Step 2"],
    }
    assert found["ses_s_stage0_large"][0].dropped["synthetic"] == 1


def test_no_row_of_the_real_logs_fails(shared_rollouts: Path) -> None:
    """Errors must be 0: no record of an unforeseen shape, no damaged line, no unknown row."""
    env = {
        "CLAUDE_CONFIG_DIR": str(shared_rollouts / "claude"),
        "CODEX_HOME": str(shared_rollouts / "codex"),
        "PI_CODING_AGENT_DIR": str(shared_rollouts / "pi" / "agent"),
        "COPILOT_HOME": str(shared_rollouts / "copilot"),
        "XDG_DATA_HOME": str(shared_rollouts),
    }
    count = 0
    for reader in readers(env).values():
        for log in reader.discover(env, shared_rollouts / "nowhere"):
            facts = reader.scan(log)
            assert not facts.damaged and not facts.unknown, log.key
            assert not [reason for reason in facts.dropped if reason.startswith("malformed")], log.key
            count += 1
    assert count == 21
