"""Words that a person typed into one of Claude Code's dialogs: they stand inside tool results."""

from __future__ import annotations

from typing import Any

from slowwave.rollouts.values import dict_in, list_in, text_in

_DENIAL_MARK = "the user said:\n"
_DENIAL_START = "The user doesn't want to"
_CLARIFY_START = "The user wants to clarify"
_LOCAL_TOOLS = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit", "ExitPlanMode"})
"""Tools whose error text never carries foreign content, so that a denial in it is the agent's own wording."""


def typed_answers(details: object, arguments: object) -> list[str]:
    """Answers to the agent's question that are not one of the options it offered, and the user's notes."""
    questions = list_in(details, "questions") or list_in(arguments, "questions")
    options = {text_in(question, "question"): _labels(question) for question in questions}
    typed: list[str] = []
    for question, answer in dict_in(details, "answers").items():
        if isinstance(answer, str) and not _is_choice(answer, options.get(question, set())):
            typed.append(answer.strip())
    for annotation in dict_in(details, "annotations").values():
        note = text_in(annotation, "notes").strip()
        if note and note not in typed:
            typed.append(note)
    return [answer for answer in typed if answer]


def _labels(question: Any) -> set[str]:
    return {text_in(option, "label") for option in list_in(question, "options")}


def _is_choice(answer: str, labels: set[str]) -> bool:
    """True when an answer consists of offered labels only; several are joined by ", ", and a label may hold a comma."""
    rest = answer
    for label in sorted(labels, key=len, reverse=True):
        if label:
            rest = rest.replace(label, "")
    return not rest.strip(" ,")


def denial_text(tool: str, text: str, failed: bool, denial_kind: str) -> str:
    """What the user typed when refusing a tool call, or "".

    Command output and answers of remote tools can imitate the wording, so it counts only where the log marks the
    refusal or where the tool cannot carry foreign text.
    """
    if not failed or not text.startswith(_DENIAL_START) or _DENIAL_MARK not in text:
        return ""
    if denial_kind != "user-rejected" and tool not in _LOCAL_TOOLS:
        return ""
    said = text.split(_DENIAL_MARK, 1)[1].strip()
    return "" if said.startswith(_CLARIFY_START) else said
