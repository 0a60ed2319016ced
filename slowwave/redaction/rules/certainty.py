"""How sure a place is: what stands between a name and its value decides. Standard library only."""

from __future__ import annotations

import re
from typing import NamedTuple

from slowwave.redaction.rules.places.spans import Value, line_start
from slowwave.redaction.scan.names import Kind
from slowwave.redaction.scan.values import Certainty
from slowwave.text.lazy import lazy

_BEFORE_CALL = lazy(
    r"""(?:get|set|env|prop|conf|opt|def|param|put|add|append|insert|pop|fetch|lookup|secret|field|value|header|item|fill|store|save|write|arg|cookie)[A-Za-z_]{0,20}!?[ ]?[(\[][ \t\n]{0,20}(?:["'][A-Za-z]{1,20}["'],[ ]*)?["'`]?\Z|[A-Za-z]{3,40}[ ]["'][A-Za-z]{1,20}["'],[ ]*["']\Z""",
    re.IGNORECASE,
)
_YAML_START = lazy(r"""[ \t]*(?:[-*+>][ \t]+|\d+[.)][ \t]+|//[ \t]*|#[ \t]*|export[ ]|set[ ]|[+-])?["'`*]{0,2}\Z""")
_PROMPTED = lazy(
    r"[ \t]*(?:\[sudo\]|[?>$#»›][ ]|(?:Enter|New|Old|Current|Confirm|Retype|Repeat|Re-enter|Type|Paste|Please enter|Please type|Your|Set|Choose)\b|\S+@\S+'s[ ])",
    re.IGNORECASE,
)
_NEXT_SETTING = lazy(r"[ ][a-z_]+=[^\s=]")
_LAST_SETTING = lazy(r"(?:^|[ \"'])[a-z_]+=[^\s=(\[]+[ ]\Z")
_DECLARING = frozenset(
    [
        "const",
        "let",
        "var",
        "val",
        "final",
        "string",
        "char",
        "auto",
        "private",
        "public",
        "static",
        "def",
        "my",
        "local",
        "set",
        "export",
        "readonly",
        "protected",
        "internal",
        "out",
        "ref",
        "mut",
        "if",
        "return",
        "and",
        "or",
        "not",
        "new",
        "assert",
        "declare",
        "global",
        "self",
        "this",
        "str",
        "type",
    ]
)
_INI_LINE = lazy(r"(?:\[[^\]\n]{1,60}\]|[A-Za-z][\w.-]*[ \t]*=[ \t]*[^\s\"'`(\[{]+)[ \t]*\Z")


class Name(NamedTuple):
    """A telling name in a text. `flag` is one such as ``--password``, whose value may stand after a blank."""

    start: int
    end: int
    text: str
    kind: Kind
    flag: bool


class Place(NamedTuple):
    """How sure a place is, and whether a bare word there is text (`literal`) rather than a variable."""

    certainty: Certainty
    literal: bool


def place_of(text: str, name: Name, sign: re.Match[str], value: Value, gap: bool) -> Place:
    """The table of places: what stands between a name and its value decides how sure it is."""
    group = sign.lastgroup
    spaced = gap or value.start - sign.end() > 0
    if group == "assign":
        if value.quoted or name.flag:
            return Place(Certainty.SURE, True)
        return Place(Certainty.SURE, _is_setting(text, name, value, spaced))
    if group == "colon":
        if value.quoted:
            sentence = text[name.start - 1 : name.start] == " " and value.ends_line is False and " " in value.after
            return Place(Certainty.LIKELY if sentence and not _opens_line(text, name) else Certainty.SURE, True)
        keyed = text[name.end : name.end + 1] in "\"'" and text[name.end : name.end + 1] != ""
        whole = value.ends_line and not keyed and _opens_line(text, name) and not _closed_below(text, value)
        if whole or text[name.start - 1 : name.start] in ("?", "&", ";"):
            return Place(Certainty.SURE, True)
        if name.flag and text[name.end : name.end + 1] == ":":
            return Place(Certainty.SURE, True)
        prompted = value.ends_line and (
            bool(_PROMPTED.match(text, line_start(text, name.start))) or "[" in sign.string[name.end : sign.start()]
        )
        return Place(
            Certainty.SURE if prompted else Certainty.LIKELY,
            (value.ends_line and text[name.start - 1 : name.start] == " ")
            or (not keyed and sum(map(str.isdigit, text[value.start : value.end])) >= 2),
        )
    if group in ("pair", "attribute", "default", "element"):
        resource = group == "element" and text[name.end : name.end + 1] in "\"'"
        return Place(Certainty.LIKELY if resource else Certainty.SURE, True)
    if group == "fallback":
        return Place(Certainty.SURE, value.quoted)
    if group == "comma":
        if name.flag:
            return Place(Certainty.SURE, True)
        sure = _second_of_a_call(text, name.start)
        return Place(Certainty.SURE if sure else Certainty.UNSURE, value.quoted)
    if group == "call":
        setter = name.text.lower().startswith(("set", "with"))
        return Place(Certainty.SURE if setter else Certainty.LIKELY, True)
    if group == "of":
        return Place(Certainty.LIKELY, True)
    ended = value.after[:1] in ("", ",", ".", ")", "!") or value.ends_line
    likely = value.quoted or group == "cell" or sign[0][-1] == ":" or ended or sign[0] == "to"
    # "to authenticate": a verb, unless figures say otherwise.
    literal = sign[0] != "to" or any(map(str.isdigit, text[value.start : value.end]))
    return Place(Certainty.LIKELY if likely else Certainty.UNSURE, literal)


def _second_of_a_call(text: str, at: int) -> bool:
    """Whether a name is the first argument of a call that sets, gets or looks up: then the second is its value."""
    begin = max(0, at - 80)
    opened = max(text.rfind(sign, begin, at) for sign in "([\"'")
    return opened >= 0 and bool(_BEFORE_CALL.search(text, begin, at))


def _is_setting(text: str, name: Name, value: Value, spaced: bool) -> bool:
    """Whether NAME=value is a line of configuration, a shell word or a query, whose right side is text."""
    following = text[value.end : value.end + 1]
    if following in ("(", "[", "<") or (value.after[:1] in (",", ")") and not name.text.isupper()):
        return False
    before = text[name.start - 1 : name.start]
    if before in ("?", "&", ";", "="):
        return True
    if spaced:
        figures = sum(map(str.isdigit, text[value.start : value.end])) >= 3
        return value.ends_line and (figures or _ini_above(text, name.start) or _named_in_words(text, name))
    if name.text.isupper() or (before in ('"', "'") and following == before):
        return True
    if before == " " and (
        _NEXT_SETTING.match(value.after) or _LAST_SETTING.search(text, line_start(text, name.start), name.start)
    ):
        return True
    return value.ends_line and (_opens_line(text, name) or before == " ") and not _closed_below(text, value)


def _named_in_words(text: str, name: Name) -> bool:
    """Whether a name stands in a phrase (`DB password = ...`) and not behind a keyword of a program."""
    words = text[line_start(text, name.start) : name.start].split()
    return (
        bool(words)
        and text[name.start - 1 : name.start] == " "
        and all(map(str.isalpha, words))
        and (words[-1].lower() not in _DECLARING)
    )


def _ini_above(text: str, at: int) -> bool:
    """Whether the lines before are sections and settings of a configuration file."""
    head = text[max(0, line_start(text, at) - 400) : line_start(text, at)]
    lines = [line for line in head.splitlines()[-4:] if line.strip() and line.lstrip()[0] not in "#;"]
    return bool(lines) and all(_INI_LINE.match(line.strip()) for line in lines)


def _opens_line(text: str, name: Name) -> bool:
    return bool(_YAML_START.match(text, line_start(text, name.start), name.start))


def _closed_below(text: str, value: Value) -> bool:
    """Whether a bracket closes on the next line, so the value was an expression in a literal or a call."""
    below = text[value.end + len(value.after) : value.end + len(value.after) + 80].lstrip()
    return below[:1] in ("}", ")", "]") and below[:1] != ""
