"""The messages of the shared case file, read by the agents' readers; skipped where the folder is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from slowwave.rollouts.model import USER_TEXT
from slowwave.text.typed import said_text
from tests.support.agent_logs import pi_rows
from tests.support.logs import Assistant, User, claude_rows, codex_rows, write_lines
from tests.support.reading import read

CASES = Path(__file__).parents[3] / "shared" / "cases" / "typed-text.jsonl"
ROWS = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()] if CASES.is_file() else []
WISHES = ("ship-cli", "--force")


def _rows(case: dict[str, Any]) -> list[Any]:
    turns = [User(case["message"]), Assistant("ok")]
    if case["agent"] == "openclaw":
        return pi_rows(turns, cwd="/home/dev/.openclaw/workspace")
    if case["agent"] == "codex":
        return codex_rows(turns)
    rows = claude_rows(turns)
    for row in rows:
        if row.get("type") == "user":
            row |= case.get("row", {})
    return rows


@pytest.mark.parametrize("case", [row for row in ROWS if row["agent"] != "any"], ids=lambda case: case["id"])
def test_what_a_log_says_was_typed(tmp_path: Path, case: dict[str, Any]) -> None:
    _, items = read(write_lines(tmp_path / "s.jsonl", _rows(case)))
    assert "\n".join(item.text for item in items if item.kind is USER_TEXT) == case["right"]


@pytest.mark.parametrize("case", [row for row in ROWS if row["agent"] == "any"], ids=lambda case: case["id"])
def test_what_a_person_said_beside_a_paste(case: dict[str, Any]) -> None:
    wish = any(word in said_text(case["message"]) for word in WISHES)
    assert wish is (case["rule"] == "keep")


def test_the_case_file_is_read() -> None:
    if not CASES.is_file():
        pytest.skip("the shared case files are not here")
    assert len(ROWS) >= 40
