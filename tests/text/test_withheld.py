"""What a person marks as private is nowhere: not in items, not in the in-session store, not in requests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from slowwave.rollouts.agents.claude import ClaudeReader
from slowwave.rollouts.base import log_file
from slowwave.session.hosts.hooks import on_user_prompt
from slowwave.text.withheld import without_withheld

WORDS = "the merger with Quillon"


@pytest.mark.parametrize(
    ("text", "typed", "left"),
    [
        (f"Use pnpm. <private>{WORDS}</private> Always.", True, "Use pnpm.  Always."),
        (f"Use pnpm. <PRIVATE>\n{WORDS}\n</Private >", True, "Use pnpm. "),
        (f"<private>{WORDS}</private>", False, ""),
        (f"Use pnpm. <private>{WORDS}", True, "Use pnpm. "),
        ("The element <private> holds it.", False, "The element <private> holds it."),
        ("A private repository, a <private-key/> and a private> b", True,
         "A private repository, a <private-key/> and a private> b"),
        (f"<private>one</private> two <private>{WORDS}</private> three", True, " two  three"),
    ],
)  # fmt: skip
def test_what_is_marked_goes(text: str, typed: bool, left: str) -> None:
    assert without_withheld(text, typed=typed) == left


def test_a_log_is_read_without_it(tmp_path: Path) -> None:
    said = [f"We use pnpm. <private>{WORDS}</private>", f"<private>{WORDS} alone</private>", f"Fine. <private>{WORDS}"]
    rows = [
        {"type": "user", "uuid": f"u{number}", "sessionId": "s1", "timestamp": f"2026-05-01T10:0{number}:00Z",
         "cwd": "/w", "message": {"role": "user", "content": text}}
        for number, text in enumerate(said)
    ]  # fmt: skip
    file = tmp_path / "s1.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    reader = ClaudeReader()
    log = log_file("claude", file)
    facts = reader.scan(log)
    texts = [item.text for item in reader.items(log, facts)]
    assert len(texts) == 2 and "Quillon" not in " ".join(texts)
    assert "Quillon" not in repr(facts)


def test_a_hook_keeps_nothing_of_it(home: Path) -> None:
    prompt = f"Never deploy on Fridays. <private>Never mention {WORDS}.</private> Always run make check first."
    on_user_prompt(
        home=home, prompt=prompt, session_id="s1", agent="claude", project_id="p", cwd=str(home), now=1_780_000_000.0
    )
    stored = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert b"Fridays" in stored and b"Quillon" not in stored
