"""The restricted turn before a compaction: its one tool is `memory_write`, its answer goes to the profile's files."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from anthropic.types import Message

from slowwave.errors import ModelRejected
from slowwave.llm.prompting.templates import render
from slowwave.session.flushing.shards import Shards, clean_line, today
from slowwave.session.history.compression import newest, transcript
from slowwave.session.redacting import scrub
from slowwave.session.text import contains_quote
from slowwave.storage.types import Standing
from slowwave.text.typed import said_text

FLUSH_OUTPUT_TOKENS = 2000
MEMORY_WRITE: dict[str, Any] = {
    "name": "memory_write",
    "description": "Append lines to long-term memory. Existing lines are never changed.",
    "input_schema": {
        "type": "object",
        "properties": {
            "path": {
                "type": "string",
                "description": "empty for today's file; memory.md; or memory/topics/<slug>.md for one topic",
            },
            "entries": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"text": {"type": "string"}, "quote": {"type": "string"}},
                    "required": ["text", "quote"],
                    "additionalProperties": False,
                },
            },
        },
        "required": ["entries"],
        "additionalProperties": False,
    },
}


class Entry(NamedTuple):
    """One proposed line with its proof and where it is to go."""

    text: str
    quote: str
    path: str


class Saved(NamedTuple):
    """What was written: the lines with their checked quotes, the paths used, and what was redirected or refused."""

    lines: tuple[tuple[str, str, str], ...]
    path: str
    new: int
    redirected: tuple[str, ...]
    refused_tools: tuple[str, ...]


def flush_body(
    messages: Sequence[Mapping[str, Any]],
    *,
    model: str,
    room: int,
    now: float,
    zone: str | None,
    prompt_dir: str | None,
) -> dict[str, Any]:
    """The request of a flush turn over some messages. `room` bounds its prompt in tokens: the newest lines are kept.

    The conversation is data in the one user message, redacted, between lines that it cannot contain; the main system
    prompt and tools are not part of it, so there is nothing to put back when the turn is aborted.
    """
    user = render(
        "memory_flush.md",
        prompt_dir,
        today=today(now, zone),
        fence=f"conversation-{secrets.token_hex(8)}",
        transcript=newest(scrub(transcript(messages)), room),
    )
    return {
        "model": model,
        "max_tokens": FLUSH_OUTPUT_TOKENS,
        "system": render("memory_flush_system.md", prompt_dir),
        "messages": [{"role": "user", "content": user}],
        "tools": [MEMORY_WRITE],
    }


def proposed(message: Message) -> tuple[list[Entry], list[str]]:
    """The entries of a flush answer and the names of other tools that it wrongly called. No call at all is silence.

    Raises:
        ModelRejected: reason `refusal`, or `answer_cut` when nothing usable came before the limit.
    """
    if message.stop_reason == "refusal":
        raise ModelRejected("the model refused to save memories", reason="refusal")
    entries: list[Entry] = []
    refused: list[str] = []
    for block in message.content:
        if block.type != "tool_use":
            continue
        if block.name != MEMORY_WRITE["name"]:
            refused.append(block.name)
            continue
        given: object = block.input
        entries += _entries(given) if isinstance(given, dict) else []
    if message.stop_reason == "max_tokens" and not entries:
        raise ModelRejected("the answer was cut before anything could be saved", reason="answer_cut")
    return entries, refused


def _entries(given: Mapping[str, Any]) -> list[Entry]:
    path = given.get("path")
    rows = given.get("entries")
    return [
        Entry(
            row["text"],
            row["quote"] if isinstance(row.get("quote"), str) else "",
            path if isinstance(path, str) else "",
        )
        for row in (rows if isinstance(rows, list) else [])
        if isinstance(row, dict) and isinstance(row.get("text"), str) and row["text"].strip()
    ]


def save(
    shards: Shards,
    entries: Sequence[Entry],
    refused: Sequence[str],
    messages: Sequence[Mapping[str, Any]],
    *,
    now: float,
) -> Saved:
    """Write the entries and look whether they stand in the files. Raises `StoreError` and `RedactionError`.

    A quote that occurs in what the user typed makes a line `user_said`, one from elsewhere `inferred`; a line without a
    true quote is kept in the file and not handed to the night.
    """
    typed, everything = _texts(messages)
    lines: list[tuple[str, str, str]] = []
    redirected: list[str] = []
    new, used = 0, ""
    for path in dict.fromkeys(entry.path for entry in entries):
        group = {line: entry for entry in entries if entry.path == path and (line := clean_line(entry.text))}
        written = shards.write([entry.text for entry in group.values()], path=path, now=now)
        used = used or written.path
        new += len(written.lines)
        redirected += [written.redirected] if written.redirected else []
        for line in written.present:
            entry = group.get(line)
            quote = scrub(entry.quote) if entry else ""
            if contains_quote(typed, quote):
                lines.append((line.removeprefix("- "), quote, Standing.USER_SAID.value))
            elif contains_quote(everything, quote):
                lines.append((line.removeprefix("- "), quote, Standing.INFERRED.value))
    return Saved(tuple(lines), used, new, tuple(redirected), tuple(refused))


def _texts(messages: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """What the user typed, and all text of the messages, both redacted."""
    typed: list[str] = []
    every: list[str] = []
    for message in messages:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        texts = [str(block.get("text", block.get("content", ""))) for block in blocks]
        every += texts
        if message["role"] == "user":
            typed += [said_text(str(block["text"])) for block in blocks if block.get("type") == "text"]
    return scrub("\n".join(typed)), scrub("\n".join(every))
