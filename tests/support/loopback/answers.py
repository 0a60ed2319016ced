"""The smart default answer: it finds the session (or the memories) in the prompt and answers with true quotes.

It shows nothing about the quality of a model. It exists so that a whole pipeline can run against a real endpoint.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from tests.support.loopback.script import prompt_text

DIRECTIVE = re.compile(
    r"\b(always|never|don'?t|do not|use|prefer|must|should|instead|remember)\b"
    r"|不要|必须|总是|请用|必ず|ないで|使って|อย่า|ต้อง|ให้ใช้",
    re.IGNORECASE,
)
LONGEST_QUOTE = 200
MOST_MEMORIES = 4


def answer_for(body: Mapping[str, Any]) -> str:
    """Return the JSON text that a well-behaved model would answer to this Messages body."""
    names = _asked_for(body)
    prompt = prompt_text(body)
    if "operations" in names:
        return json.dumps(stage_two(prompt), ensure_ascii=False)
    if "memories" in names:
        return json.dumps(stage_one(prompt), ensure_ascii=False)
    return "Understood."


def _asked_for(body: Mapping[str, Any]) -> set[str]:
    schema = ((body.get("output_config") or {}).get("format") or {}).get("schema") or {}
    if schema:
        return set(schema.get("properties", {}))
    prompt = prompt_text(body)
    return {name for name in ("operations", "memories") if f'"{name}"' in prompt}


def json_lines(prompt: str, first_key: str) -> Iterator[dict[str, Any]]:
    """Yield the objects that stand on lines of their own and begin with the key `first_key`."""
    decoder = json.JSONDecoder()
    for line in prompt.split("\n"):
        if line.startswith('{"' + first_key + '":'):
            yield decoder.raw_decode(line)[0]


def stage_one(prompt: str) -> dict[str, Any]:
    """Propose what the user directed, and a command that failed, each with its quote."""
    items = list(json_lines(prompt, "item"))
    users = [item for item in items if item.get("from") == "user" and len(item["text"].strip()) >= 12]
    users.sort(key=lambda item: (DIRECTIVE.search(item["text"]) is None, item["item"]))
    memories = [_user_memory(item) for item in users[: MOST_MEMORIES - 1]]
    failures = [item for item in items if item.get("failed") and item["text"].strip()]
    memories += [_failure_memory(item) for item in failures[:1]]
    title = _quote(users[0]["text"]) if users else ""
    return {
        "outcome": "success" if memories else "uncertain",
        "rollout_slug": "-".join(re.findall(r"[a-z]+", title.lower())[:4]) or "session",
        "rollout_summary": f"The user asked: {title}" if memories else "",
        "memories": memories,
    }


def _user_memory(item: Mapping[str, Any]) -> dict[str, Any]:
    quote = _quote(item["text"])
    return {
        "kind": "preference" if DIRECTIVE.search(quote) else "fact",
        "text": quote,
        "situation": "",
        "standing": "user_said",
        "evidence": [{"item": item["item"], "quote": quote}],
    }


def _failure_memory(item: Mapping[str, Any]) -> dict[str, Any]:
    quote = _quote(item["text"])
    return {
        "kind": "pitfall",
        "text": f"This fails: {quote}",
        "situation": "",
        "standing": "verified",
        "evidence": [{"item": item["item"], "quote": quote}],
    }


def _quote(text: str) -> str:
    line = next((line for line in text.split("\n") if len(line.strip()) >= 8), text).strip()
    return line[:LONGEST_QUOTE].strip()


def stage_two(prompt: str) -> dict[str, Any]:
    """Confirm what stands already and add the rest; equal texts make one entry."""
    rows = list(json_lines(prompt, "id"))
    standing = {_folded(row["text"]): row["id"] for row in rows if re.fullmatch(r"m\d+", row["id"])}
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        if re.fullmatch(r"s\d+\.\d+", row["id"]):
            groups.setdefault(_folded(row["text"]), []).append(row)
    return {"operations": [_operation(key, group, standing) for key, group in groups.items()], "skills": []}


def _operation(key: str, group: list[dict[str, Any]], standing: Mapping[str, str]) -> dict[str, Any]:
    known = standing.get(key)
    return {
        "op": "confirm" if known else "add",
        "entries": [known] if known else [],
        "memories": [row["id"] for row in group],
        "kind": None if known else group[0]["kind"],
        "text": "" if known else group[0]["text"],
        "situation": "" if known else group[0].get("situation", ""),
        "reason": "",
    }


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
