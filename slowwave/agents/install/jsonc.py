"""Edit JSON with comments in place: everything that is not edited keeps its bytes.

Agents' settings files are edited by people too, with comments, trailing commas and indentation of their own. Loading
and dumping would lose those, so values are found by their position in the text and only the text around the change is
touched.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from slowwave.errors import AgentIntegrationError

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n\ufeff]+|//[^\n]*|/\*.*?\*/)
      | (?P<string>"(?:[^"\\\x00-\x1f]|\\.)*")
      | (?P<mark>[\[\]{},:])
      | (?P<word>[^\s\[\]{},:"/]+)""",
    re.VERBOSE | re.DOTALL,
)
_BRACKETS = {"{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class Node:
    """A value at `text[start:end]`. `items` holds the members of an object (with their keys) or the items of an array.

    `opens` is where a member begins (its key for objects, the value itself for arrays).
    """

    kind: str
    start: int
    end: int
    value: Any
    items: tuple[tuple[str | int, Node], ...] = ()
    opens: int = 0

    def get(self, key: str | int) -> Node | None:
        """The last member with this key (the one that parsers keep), or the item at this position."""
        return next((node for name, node in reversed(self.items) if name == key), None)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


def parse(text: str) -> Node:
    """Parse JSON with comments and trailing commas. An empty text is an empty object at position 0.

    Raises:
        AgentIntegrationError: it is not such JSON; the message names the line.
    """
    tokens = _tokens(text)
    if not tokens:
        return Node("object", len(text), len(text), {})
    parser = _Parser(text, tokens)
    node = parser.value()
    if parser.position < len(tokens):
        raise parser.wrong("something follows the end of the document")
    return node


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise _wrong(text, position, "an unfinished string or comment, or a stray character")
        if match.lastgroup != "space":
            tokens.append(_Token(str(match.lastgroup), match[0], match.start(), match.end()))
        position = match.end()
    return tokens


def _wrong(text: str, position: int, what: str) -> AgentIntegrationError:
    line = text.count("\n", 0, position) + 1
    return AgentIntegrationError(f"line {line}: {what}", hint="Correct the file by hand first; nothing was changed.")


class _Parser:
    def __init__(self, text: str, tokens: list[_Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.position = 0

    def wrong(self, what: str) -> AgentIntegrationError:
        last = self.tokens[min(self.position, len(self.tokens) - 1)]
        return _wrong(self.text, last.start, what)

    def next(self) -> _Token:
        if self.position >= len(self.tokens):
            raise _wrong(self.text, len(self.text), "the document ends too early")
        token = self.tokens[self.position]
        self.position += 1
        return token

    def peek(self) -> str:
        return self.tokens[self.position].text if self.position < len(self.tokens) else ""

    def value(self) -> Node:
        token = self.next()
        if token.text in _BRACKETS:
            return self._container(token)
        if token.kind == "mark":
            self.position -= 1
            raise self.wrong(f"a value was expected before {token.text!r}")
        try:
            return Node("scalar", token.start, token.end, json.loads(token.text), opens=token.start)
        except ValueError:
            self.position -= 1
            raise self.wrong(f"{token.text[:40]!r} is no JSON value") from None

    def _container(self, opening: _Token) -> Node:
        closing = _BRACKETS[opening.text]
        items: list[tuple[str | int, Node]] = []
        while self.peek() != closing:
            items.append(self._member(opening.text, len(items)))
            if self.peek() == ",":
                self.next()
            elif self.peek() != closing:
                raise self.wrong("a comma is missing")
        end = self.next().end
        value: Any = [node.value for _, node in items] if closing == "]" else {key: node.value for key, node in items}
        kind = "array" if closing == "]" else "object"
        return Node(kind, opening.start, end, value, tuple(items), opens=opening.start)

    def _member(self, bracket: str, number: int) -> tuple[str | int, Node]:
        if bracket == "[":
            return number, self.value()
        key = self.next()
        if key.kind != "string" or self.next().text != ":":
            self.position -= 1
            raise self.wrong("a key in double quotes and a colon were expected")
        node = self.value()
        return json.loads(key.text), Node(node.kind, node.start, node.end, node.value, node.items, opens=key.start)


def set_in(text: str, path: tuple[str, ...], value: Any) -> str:
    """Return the text with `value` at `path`, objects on the way created. A value that is equal stays as it stands.

    Raises:
        AgentIntegrationError: not JSON with comments, or something on the way is not an object.
    """
    node = parse(text)
    for depth, key in enumerate(path):
        if node.kind != "object":
            raise AgentIntegrationError(f"{'.'.join(path[:depth]) or 'the document'} is not an object")
        found = node.get(key)
        if found is None:
            for missing in reversed(path[depth + 1 :]):
                value = {missing: value}
            return _insert(text, node, value, key)
        node = found
    if node.value == value:
        return text
    return text[: node.start] + _dump(text, value, _indent_at(text, node.opens)) + text[node.end :]


def append_to(text: str, path: tuple[str, ...], value: Any) -> str:
    """Return the text with `value` as the last item of the array at `path`, created where it is missing.

    Raises:
        AgentIntegrationError: not JSON with comments, or `path` names something else than an array.
    """
    node = find(text, path)
    if node is None:
        return set_in(text, path, [value])
    if node.kind != "array":
        raise AgentIntegrationError(f"{'.'.join(path)} is not an array")
    return _insert(text, node, value, None)


def find(text: str, path: tuple[str | int, ...]) -> Node | None:
    """The node at `path`, None where something on the way is missing."""
    node: Node | None = parse(text)
    for key in path:
        node = node.get(key) if node is not None else None
    return node


def remove(text: str, path: tuple[str | int, ...]) -> str:
    """Return the text without the member or item at `path`, its comma and its line; unchanged when it is absent.

    Comments beside it stay: they are a person's.
    """
    parent = find(text, path[:-1])
    node = parent.get(path[-1]) if parent is not None else None
    if parent is None or node is None:
        return text
    members = [member for _, member in parent.items]
    number = members.index(node)
    own_end = _after_comma(text, node.end)
    cuts = [_widened(text, node.opens, own_end)]
    if own_end == node.end and number > 0:
        comma = _after_comma(text, members[number - 1].end)
        cuts.insert(0, (comma - 1, comma))
    shorter = text
    for start, end in reversed(cuts):
        shorter = shorter[:start] + shorter[end:]
    if len(members) == 1:
        inner = shorter[parent.start + 1 : parent.end - 1 - (len(text) - len(shorter))]
        if not inner.strip():
            shorter = shorter[: parent.start + 1] + shorter[parent.start + 1 + len(inner) :]
    return shorter


def _after_comma(text: str, position: int) -> int:
    """Position behind the comma that follows a value, over comments; the value's end when there is none."""
    here = position
    while match := _TOKEN.match(text, here):
        if match.lastgroup != "space":
            return match.end() if match[0] == "," else position
        here = match.end()
    return position


def _widened(text: str, start: int, end: int) -> tuple[int, int]:
    """A cut and the blanks around it: the whole line when nothing else stands there."""
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end
    blank_before = not text[line_start:start].strip()
    if blank_before and not text[end:line_end].strip():
        return line_start, min(line_end + 1, len(text))
    while end < len(text) and text[end] in " \t" and (blank_before or text[start - 1] in "[{"):
        end += 1
    while not blank_before and start > line_start and text[start - 1] in " \t":
        start -= 1
    return start, end


def _insert(text: str, parent: Node, value: Any, key: str | None) -> str:
    """Put a new last member into an object (with `key`) or array, in the style of the text around it."""
    newline = "\r\n" if "\r\n" in text else "\n"
    if parent.end == parent.start:
        document = _dump(text, value if key is None else {key: value}, "")
        separator = newline if text and not text.endswith("\n") else ""
        return f"{text}{separator}{document}{newline}"
    outer = _indent_at(text, parent.start)
    inner = _member_indent(text, parent, outer)
    label = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
    member = label + _dump(text, value, inner)
    if not parent.items:
        body = text[parent.start + 1 : parent.end - 1].rstrip()
        return f"{text[: parent.start + 1]}{body}{newline}{inner}{member}{newline}{outer}{text[parent.end - 1 :]}"
    last = parent.items[-1][1]
    after = _after_comma(text, last.end)
    trailing = after > last.end
    if not trailing:
        text = f"{text[: last.end]},{text[last.end :]}"
        after = last.end + 1
    member += "," if trailing else ""
    rest_end = _comment_end(text, after)
    if _on_own_line(text, last.opens) and text[rest_end : rest_end + 1] in ("\n", "\r"):
        return f"{text[:rest_end]}{newline}{inner}{member}{text[rest_end:]}"
    return f"{text[:after]} {member}{text[after:]}"


def _comment_end(text: str, position: int) -> int:
    """End of the blanks and comments that follow on the same line."""
    match = re.compile(r"[ \t]*(?:/\*[^\r\n]*?\*/[ \t]*)*(?://[^\r\n]*)?").match(text, position)
    end = match.end() if match else position
    return end if text[end : end + 1] in ("\n", "\r") else position


def _on_own_line(text: str, position: int) -> bool:
    return not text[text.rfind("\n", 0, position) + 1 : position].strip()


def _indent_at(text: str, position: int) -> str:
    """Leading blanks of the line that holds a position."""
    start = text.rfind("\n", 0, position) + 1
    match = re.compile(r"[ \t]*").match(text, start)
    return match[0] if match else ""


def _member_indent(text: str, parent: Node, outer: str) -> str:
    if parent.items and _on_own_line(text, parent.items[0][1].opens):
        return _indent_at(text, parent.items[0][1].opens)
    return outer + _unit(text)


def _unit(text: str) -> str:
    """One step of indentation as the file writes it; two blanks where it shows none."""
    steps = re.findall(r"^([ \t]+)[\"\]}\[{]", text, re.MULTILINE)
    return min(steps, key=len) if steps else "  "


def _dump(text: str, value: Any, indent: str) -> str:
    """JSON of a value in the file's indentation and line ends; the first line carries no indent."""
    lines = json.dumps(value, ensure_ascii=False, indent=_unit(text)).split("\n")
    newline = "\r\n" if "\r\n" in text else "\n"
    return f"{newline}{indent}".join(lines)
