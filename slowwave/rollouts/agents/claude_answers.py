"""Words that a person typed into one of Claude Code's dialogs: they stand inside tool results."""

from __future__ import annotations

from typing import Any

from slowwave.rollouts.values import dict_in, list_in, text_in

_DENIAL_MARK = "the user said:\n"
_DENIAL_START = "The user doesn't want to"
_DENIAL_END = "\n\nNote: The user's next message"
_CLARIFY_START = "The user wants to clarify"
_LOCAL_TOOLS = frozenset(
    {
        *("Edit", "MultiEdit", "Write", "NotebookEdit", "ExitPlanMode", "EnterPlanMode", "TodoWrite", "Skill"),
        *("Read", "Glob", "Grep", "LS", "KillShell", "BashOutput", "Task", "Agent", "AskUserQuestion"),
    }
)
"""Tools whose error text never carries foreign content, so that a denial in it is the agent's own wording."""
_SHELLS = frozenset({"Bash", "PowerShell"})


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


def denial_text(tool: str, text: str, failed: bool, denial_kind: str, version: str) -> str:
    """What the user typed when refusing a tool call, or "".

    Answers of remote tools can imitate the wording, so it counts only where the log marks the refusal or where the
    tool cannot carry foreign text. Output of a failed command is such text too, but since version 2 it never begins
    an error: its exit status does.
    """
    if not failed or not text.startswith(_DENIAL_START) or _DENIAL_MARK not in text:
        return ""
    local = tool in _LOCAL_TOOLS or (tool in _SHELLS and version.partition(".")[0].isdigit() and version[:1] > "1")
    if denial_kind != "user-rejected" and not local:
        return ""
    said = text.split(_DENIAL_MARK, 1)[1].partition(_DENIAL_END)[0].strip()
    return "" if said.startswith(_CLARIFY_START) else said
