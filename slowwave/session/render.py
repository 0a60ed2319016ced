"""The one place where injected text is put together. Budgeted, escaped, byte-stable for the same input."""

from __future__ import annotations

from collections.abc import Sequence

from slowwave.session.key_facts.facts import Fact
from slowwave.session.task.lines import render
from slowwave.session.task.pins import PIN_CHARACTERS, Pin
from slowwave.session.text import escape_tags
from slowwave.text import fold_space


def facts_block(facts: Sequence[Fact]) -> str:
    """The facts of one turn; empty for none."""
    if not facts:
        return ""
    lines = "\n".join(f"- {escape_tags(fold_space(fact.text))}" for fact in facts)
    return f"<key_facts>\nSaid by the user in earlier sessions; newer words win:\n{lines}\n</key_facts>"


def pins_block(pins: Sequence[Pin], *, limit: int = PIN_CHARACTERS) -> str:
    """The pins for the end of a system prompt; empty for none."""
    body = render(pins, limit=limit)
    return (
        f"<task_recap>\nWhat the user asked for in this session, in their words:\n{body}\n</task_recap>" if body else ""
    )


def before_message(*blocks: str) -> str:
    """Blocks in reading order, empty ones left out."""
    return "\n".join(block for block in blocks if block)
