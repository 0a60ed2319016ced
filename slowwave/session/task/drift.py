"""Drift: what the assistant did against what is pinned. Pure policy, no I/O.

Only plain conflicts count: a file or a command that a constraint of the user excludes. How far a reply strays from a
topic is not measured; no model of that kind is honest enough to act on.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import NamedTuple

from slowwave.session.key_facts.words import STOP_WORDS, terms
from slowwave.session.phrases import Statements
from slowwave.session.task.pins import Pin, PinKind
from slowwave.text import fold_space, shorten
from slowwave.text.languages.phrases import Phrases, phrases_cut

LARGE = 0.6


class Action(NamedTuple):
    """Something the assistant did. `verb` is edit, run or read; `target` a path or a command line."""

    verb: str
    target: str


class Drift(NamedTuple):
    """A conflict between an action and a constraint. `score` is 0 to 1; from `LARGE` on it is an event."""

    pin: Pin
    action: Action
    score: float
    reason: str

    @property
    def large(self) -> bool:
        """Whether stage one should look there."""
        return self.score >= LARGE


HANDS_OFF = Statements(
    (
        "don't|dont|do not|never|must not|mustn't|without|avoid|leave|stay away from|hands off|no",
        """
        touch|touching|change|changing|changes|edit|editing|edits|modify|modifying|alter|altering|break|breaking|rewrite
        rewriting|delete|deleting|remove|removing|alone|move|moving|rename|renaming|refactor|refactoring|from|off
        """,
    ),
    ("不要|别|不能|不得|禁止|请勿", "改|动|碰|删"),
    ("を|は", "触らない|変更しない|変えない|削除しない|いじらない"),
    ("อย่า|ห้าม", "แตะ|แก้|เปลี่ยน|ลบ"),
    alone=Phrases(words="hands off|leave .. alone|stay away", anywhere="건드리지|수정하지"),
)
_DO_NOT_USE = (
    r"(?i)\b(?:never|not|do ?n['’]?o?t|do not|avoid|without|no|instead of|rather than)\s+"
    r"(?:use |using |run |running |call |install )?[`'\"]?([a-z][\w.@/+-]*)|"
    r"(?:不要用|别用|不用|禁止使用|不能用)\s*([a-zA-Z][\w.@/+-]*)"
)
_GENERIC = terms(
    """flow code file logic part stuff modul system function class exist current behaviour behavior src source package
    packages lib index main app component page repo project build built"""
)
_VERBS = frozenset(
    phrases_cut(
        """touch|touching|change|changing|edit|editing|modify|modifying|break|breaking|push|pushing|commit|committing
        delete|deleting|remove|removing|add|adding|ask|asking|rename|any|more|than|the|a|to"""
    )
)
_VERB_STEMS = terms(" ".join(_VERBS)) | terms("leave alone keep preserve without avoid never must hands stay away")


def _forbidden_tools(constraint: str) -> set[str]:
    found: set[str] = set()
    for match in re.finditer(_DO_NOT_USE, constraint):
        first = (match[1] or match[2] or "").lower().rstrip(".")
        if first and first not in STOP_WORDS and first not in _VERBS:
            found.add(first)
    return found


def _commands(line: str) -> list[str]:
    """The program of each part of a shell line."""
    programs: list[str] = []
    for part in re.split(r"&&|\|\||[;|\n]", line):
        try:
            words = shlex.split(part)
        except ValueError:
            words = part.split()
        words = [word for word in words if "=" not in word or word.startswith("-")]
        if words and words[0] == "sudo":
            words = words[1:]
        if words:
            programs.append(words[0].rsplit("/", 1)[-1].lower())
    return programs


def _path_terms(path: str) -> set[str]:
    return terms(path) - _GENERIC


def compare(pins: Sequence[Pin], actions: Sequence[Action]) -> list[Drift]:
    """The conflicts between actions and the constraints that stand, each pair once, the gravest first."""
    found: dict[tuple[str, str], Drift] = {}
    for pin in pins:
        if pin.kind is not PinKind.CONSTRAINT:
            continue
        tools = _forbidden_tools(pin.text)
        subject = terms(pin.text) - _GENERIC if HANDS_OFF.found_in(pin.text) else set()
        subject = {term for term in subject if term not in _VERB_STEMS}
        for action in actions:
            drift = _conflict(pin, action, tools, subject)
            if drift is not None:
                found.setdefault((pin.text, action.target), drift)
    return sorted(found.values(), key=lambda drift: -drift.score)


def _conflict(pin: Pin, action: Action, tools: set[str], subject: set[str]) -> Drift | None:
    shown = Action(action.verb, shorten(fold_space(action.target), 200))
    if action.verb == "run" and tools & set(_commands(action.target)):
        return Drift(pin, shown, 0.9, "forbidden_command")
    if action.verb == "edit" and subject:
        hits = subject & _path_terms(action.target)
        if hits:
            return Drift(pin, shown, min(1.0, 0.6 + 0.2 * (len(hits) - 1)), "forbidden_file")
    return None
