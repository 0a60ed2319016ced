"""From requests to prompts. Everything that comes from a session is JSON on lines of its own, between two marker lines.

The marker is a hash of the very text that it encloses, so text cannot contain its own marker: it would have to hold a
hash of itself. It depends on nothing else, so the same session gives the same prompt.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict

from slowwave.llm.base import ConsolidateRequest, ExtractRequest, Prompt
from slowwave.llm.prompting.templates import render
from slowwave.rollouts.model import Item, ItemKind
from slowwave.text import estimate_tokens

STAGE_ONE = ("stage_one_system.md", "stage_one_input.md")
STAGE_TWO = ("consolidation_system.md", "consolidation.md")
MOST_NOTES_TOKENS = 2300

_FROM = {
    ItemKind.USER_TEXT: "user",
    ItemKind.ASSISTANT_TEXT: "agent",
    ItemKind.TOOL_CALL: "call",
    ItemKind.TOOL_RESULT: "result",
    ItemKind.CONTEXT: "context",
    ItemKind.SUMMARY: "summary",
}
# Made once: `json.dumps` with options builds an encoder for every call.
_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str).encode
_ODD = re.compile(r"[^\w:.@/-]+")


def stage_one_prompt(request: ExtractRequest, prompt_dir: str | None = None) -> Prompt:
    """Render the prompt of one part of a session. Raises `TemplateError`."""
    session = {
        "session": request.thread_id,
        "agent": request.agent,
        "project": request.project,
        "folder": request.cwd,
        "branch": request.branch,
        "started": request.started,
        "ended": request.ended,
    }
    data = {
        "session_json": _line({key: value for key, value in session.items() if value}),
        "notes_json": _notes(request),
        "response_items_json": "\n".join(_item_lines(request)),
    }
    user = render(
        "stage_one_input.md",
        prompt_dir,
        thread_id=_ODD.sub("_", request.thread_id)[:120],
        part=request.part,
        parts=request.parts,
        fence=fence_for(data),
        **data,
    )
    return Prompt(_clean(render("stage_one_system.md", prompt_dir)), _clean(user))


def stage_two_prompt(request: ConsolidateRequest, prompt_dir: str | None = None) -> Prompt:
    """Render the prompt of one step of a consolidation. Raises `TemplateError`."""
    data = {
        "project_json": _line(_present({"project": request.project, "today": request.today})),
        "standing_entries": _lines(_present(asdict(entry)) for entry in request.entries),
        "user_edits": _lines({"user_edit": edit} for edit in request.edits),
        "key_facts": _lines({"key_fact": fact} for fact in request.facts),
        "skills": _lines({"skill": name, "description": text} for name, text in request.skills),
        "rollout_summaries": _lines(
            _present({"session": f"s{view.number}", "title": view.title, "outcome": view.outcome, "date": view.date,
                      "summary": view.summary})
            for view in request.sessions
        ),
        "raw_memories": _lines(
            _present({"id": view.id, "kind": view.kind, "text": view.text, "situation": view.situation,
                      "standing": view.standing, "scope": view.scope, "date": view.date,
                      "members": list(view.members), "quotes": [quote for quote in view.quotes if quote != view.text]})
            for view in (*request.waiting, *request.candidates)
        ),
    }  # fmt: skip
    user = render("consolidation.md", prompt_dir, step=request.step, steps=request.steps, fence=fence_for(data), **data)
    return Prompt(_clean(render("consolidation_system.md", prompt_dir)), _clean(user))


def fence_for(data: Mapping[str, str]) -> str:
    """Return a marker that occurs nowhere in the data and that nobody could have put there."""
    enclosed = "\n".join(data[key] for key in sorted(data))
    fence = ""
    while not fence or fence in enclosed:
        fence = hashlib.sha256(f"{fence}\n{enclosed}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return fence


def _item_lines(request: ExtractRequest) -> Iterable[str]:
    for item in request.items:
        if missing := request.gaps.get(item.index):
            yield _line({"gap": missing})
        yield _line(_item(item, item.index in request.signals))
    if missing := request.gaps.get(-1):
        yield _line({"gap": missing})


def _item(item: Item, look: bool) -> dict[str, object]:
    row: dict[str, object] = {"item": item.index, "from": _FROM[item.kind]}
    if item.kind in (ItemKind.TOOL_CALL, ItemKind.TOOL_RESULT) and item.tool:
        row["tool"] = item.tool
    if item.exit_status not in (None, 0):
        row["exit"] = item.exit_status
    if item.failed or item.exit_status not in (None, 0):
        row["failed"] = True
    if look:
        row["look"] = True
    return row | {"text": item.text}


def _notes(request: ExtractRequest) -> str:
    """The notes of earlier parts as one line; the oldest memories go first where they are too many."""
    if request.notes is None:
        return ""
    notes = request.notes.model_dump(mode="json")
    while True:
        line = _line({"notes_of_earlier_parts": notes})
        if estimate_tokens(line) <= MOST_NOTES_TOKENS or not notes["memories"]:
            return line
        notes["memories"] = notes["memories"][1:]


def _present(row: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in row.items() if value not in ("", (), [], False, None)}


def _lines(rows: Iterable[Mapping[str, object]]) -> str:
    return "\n".join(_line(row) for row in rows)


def _line(row: Mapping[str, object]) -> str:
    return _as_json(row)


def _clean(text: str) -> str:
    """Lone surrogates cannot be sent: a question mark stands in for each."""
    return text.encode("utf-8", "replace").decode("utf-8")
