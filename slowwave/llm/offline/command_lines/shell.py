"""Command lines read as a shell reads them: simple commands with their words, and how each hangs on the one before.

The grammar is tree-sitter's for Bash, which PowerShell's plain commands fit too. A line that it cannot read in full, and
anything inside a loop, a condition or a function, gives nothing: what is not understood is not learnt from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

MAX_LINE = 4_000
_LITERAL = frozenset({"word", "raw_string", "string", "number", "concatenation", "string_content", "ansi_c_string"})
_OPERATORS = frozenset({"&&", "||", ";", "&", "\n"})


@dataclass(frozen=True, slots=True)
class Word:
    """One word: `text` without its quotes, `raw` as it stands. `plain` tells that it holds no variable, no
    substitution and no line end, so that `text` is what the program got."""

    text: str
    raw: str
    plain: bool


@dataclass(frozen=True, slots=True)
class Simple:
    """One simple command. `assignments` are the variables set for it alone. `operator` joins it to the next command of
    the line ("" at the end); `masked` tells that the line's status may be another's (a pipe, `!`, a background job);
    `fed` that it reads a here-document. Words are empty for a statement that is no simple command."""

    words: tuple[Word, ...]
    assignments: tuple[Word, ...] = ()
    operator: str = ""
    masked: bool = False
    fed: bool = False

    @property
    def plain(self) -> bool:
        """Whether every word is what it looks like."""
        return bool(self.words) and all(word.plain for word in (*self.assignments, *self.words))


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))


def simple_commands(line: str) -> list[Simple]:
    """The simple commands of a line in order, empty where the line is too long or cannot be read in full."""
    if len(line) > MAX_LINE:
        return []
    root = _parser().parse(line.replace("\\\r\n", "   ").replace("\\\n", "  ").encode("utf-8", "replace")).root_node
    return [] if root.has_error else list(_statements(root))


def _statements(node: Node) -> Iterator[Simple]:
    """The commands of a sequence; a separator decides how the last command of a statement hangs on the next one."""
    held: list[Simple] = []
    for child in node.children:
        if child.type in _OPERATORS or child.type == ";;":
            if held and child.type == "&":
                held[-1] = replace(held[-1], masked=True)
        elif child.is_named and child.type != "comment":
            if held:
                held[-1] = replace(held[-1], operator=";")
                yield from held
            held = _parts(child)
    yield from held


def _parts(node: Node) -> list[Simple]:
    if node.type == "command":
        return [_command(node)]
    if node.type == "list":
        left, operator, right = node.children[0], node.children[1].type, node.children[-1]
        before = _parts(left)
        before[-1] = replace(before[-1], operator=operator)
        return before + _parts(right)
    if node.type == "pipeline":
        first = _parts(node.named_children[0])
        first[-1] = replace(first[-1], masked=True)
        return first
    if node.type == "redirected_statement" and (body := node.child_by_field_name("body")) is not None:
        parts = _parts(body)
        fed = any(child.type in ("heredoc_redirect", "herestring_redirect") for child in node.children)
        parts[-1] = replace(parts[-1], fed=parts[-1].fed or fed)
        return parts
    if node.type == "negated_command":
        return [replace(part, masked=True) for part in _parts(node.named_children[-1])]
    if node.type in ("subshell", "compound_statement"):
        return list(_statements(node)) or [Simple(())]
    return [Simple(())]


def _command(node: Node) -> Simple:
    words: list[Word] = []
    assignments: list[Word] = []
    fed = False
    for child in node.named_children:
        if child.type == "variable_assignment":
            assignments.append(_word(child))
        elif child.type == "command_name":
            words.append(_word(child.named_children[0]) if child.named_children else _word(child))
        elif child.type in ("file_redirect", "heredoc_redirect", "herestring_redirect"):
            fed = fed or child.type != "file_redirect"
        else:
            words.append(_word(child))
    return Simple(tuple(words), tuple(assignments), fed=fed)


def _word(node: Node) -> Word:
    raw = (node.text or b"").decode("utf-8", "replace")
    return Word(_unquoted(node), raw, _is_literal(node) and "\n" not in raw)


def _is_literal(node: Node) -> bool:
    if node.type == "variable_assignment":
        value = node.child_by_field_name("value")
        return value is None or _is_literal(value)
    return node.type in _LITERAL and all(_is_literal(child) for child in node.named_children)


def _unquoted(node: Node) -> str:
    raw = (node.text or b"").decode("utf-8", "replace")
    if node.type == "raw_string":
        return raw[1:-1]
    if node.type == "string":
        return raw[1:-1].replace('\\"', '"')
    if node.type == "concatenation":
        return "".join(_unquoted(child) for child in node.named_children)
    return raw
