"""Secrets that are known by the name they are assigned to: ``password: ...``, ``--token ...``, ``API_KEY=...``.

Standard library only. Works outwards from a key word: the whole name around it, then a separator, then a value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from slowwave.redaction.findings import Finding
from slowwave.redaction.names import KEYWORDS, WORDS_OTHER_SCRIPTS, Kind, classify
from slowwave.redaction.rules.rule import Outcome
from slowwave.redaction.values import is_secret

NAME_REACH = 60
VALUE_REACH = 600


@dataclass(frozen=True)
class NameRule:
    """Values that a telling name is assigned to."""

    type: str = "key"
    anchors: tuple[str, ...] = KEYWORDS
    fold: bool = True
    strong: bool = False
    always: bool = False

    def find(self, text: str, at: int, anchor: str) -> Outcome:
        """The value of the name around the key word."""
        return assignment(text, at, len(anchor))


@dataclass(frozen=True)
class ForeignNameRule:
    """Values beside a word for password, token or key in another script."""

    type: str = "password"
    anchors: tuple[str, ...] = WORDS_OTHER_SCRIPTS
    fold: bool = False
    strong: bool = False
    always: bool = False

    def find(self, text: str, at: int, anchor: str) -> Outcome:
        """The value that follows the word."""
        return foreign_assignment(text, at + len(anchor))


@cache
def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name])


_PATTERNS = {
    "left": r"[A-Za-z0-9_.$-]{0,60}",
    "right": r"[A-Za-z0-9_-]{0,60}",
    # What may close a name before its separator: quotes, also escaped ones, brackets, a type annotation.
    "separator": r"""(?P<close>\\{0,3}["'`]|\*\*|\]|\)|"\]|'\])?\\{0,3}["'\])]?
        (?P<gap>[ \t]{0,20}(?:\([^()\n]{0,30}\)[ \t]{0,4})?)
        (?P<sign>:=|=>|->|={1,3}|\?=|\|\|=?|：|＝|:(?!//)|,(?=[ \t]*\\{0,3}["'`]|[A-Za-z0-9])|\((?=[ \t]*\\{0,3}["'`])|\|(?=[ \t])|(?=>)|(?:\b(?:is|was|are|to|as|be|ist|es|est|é)\b:?)|(?=[ \t]+value\b)|(?<=[ \t])(?=\S)|\r?\n[ \t]*(?=["'`]?[A-Za-z0-9]))
        (?P<rest>[ \t]{0,20}(?:\\?\r?\n[ \t]{0,20}(?=["'`]))?)
        (?P<type>(?:(?:Optional\[)?(?:str|string|String|SecretStr|&str|text|const\ char\ ?\*|bytes|final\ String)\]?(?:[ \t]{0,4}\|[ \t]{0,4}(?:None|null|undefined))?[ \t]{0,4}=[ \t]{0,4})?)
        (?P<tag>>(?:<!\[CDATA\[)?[ \t]{0,4}|value[ \t]{0,4}=[ \t]{0,4}|\(\s{0,4}|(?:[A-Za-z_.]{1,40}\.)?(?:SecretStr|Secret|String|bytes|Some|b64decode)\([^()"'`\n]{0,40}|Field\((?:default=)?|Bearer[ ]|[bruf@$]{1,2}(?=["'`]))?""",
    "other-separator": r"""[」』】)"'`*]{0,3}[ \t]{0,8}(?P<sign>[:：=＝]|是|为|為|は|が|を|คือ|เป็น|는|은|가|이|を|—|–|-|это|es|ist|est|is|である)?[:：]?[ \t]{0,8}""",
    "quoted": r"""(?P<slash>\\{0,3})(?P<mark>["'`「『])(?P<value>(?:(?!(?P=mark)|[\n\r」』]).){0,600}?)(?P<end>(?P=slash)(?:(?P=mark)|[」』]))""",
    # NAME=other=...: what follows is a name again, which is weighed by itself.
    "chained": r"[A-Za-z_.-]{2,40}=[^=\s]",
    # "the key below": a plain word follows. Most key words in prose end here.
    "prose": r"[ \t]{1,4}(?!(?:is|was|are|to|as|be|ist|es|est|value)\b)[A-Za-z]{1,12}[ \t.,;)\n]",
    "triple": r"(?:\"\"\"|''')(?P<value>[^\n\"']{4,600})(?:\"\"\"|''')",
    "bare": r"""(?:(?!\\[rnt"'\\]|&[A-Za-z_.-]{1,40}=)[^\s"'`<>,;\x00。，、；」』）】！？]){1,600}""",
}
_TRAILING = "&.,;:!?)]}*\\\"'`>|"


def assignment(text: str, at: int, length: int) -> Outcome:
    """Weigh the key word at [at, at + length) of `text`.

    Returns the finding, if its value is a secret, and the offset up to which nothing needs weighing again.
    """
    left = _compiled("left").match(text[max(0, at - NAME_REACH) : at][::-1])
    right = _compiled("right").match(text, at + length)
    start = at - left.end() if left else at
    end = right.end() if right else at + length
    raw = text[start:end]
    name = raw.strip("-.$")
    kind = classify(name)
    if kind is Kind.NONE or len(name) > 80:
        return None, end
    # A flag such as --password may take its value after a blank; so may `requirepass x` and netrc's `password x`.
    flag = raw.startswith("-") or (start > 0 and text[start - 1] in "-/")
    if _compiled("prose").match(text, end, end + 24):
        return None, end
    found = _separator().match(text, end, end + 120)
    if found is None:
        return None, end
    value = _value_at(text, found.end())
    if value is None:
        return None, end
    (begin, stop), quoted = value
    sign = found["sign"]
    weak = (
        sign.strip() in ("", "is", "was", "are", "to", "as", "be", "ist", "es", "est", "é", "|", ",")
        and not found["tag"]
    )
    prose = weak and not flag
    if prose and name.lower() in ("pass", "login"):
        # "pass `x`", "login x": an English verb before something quoted.
        return None, end
    if sign.strip() == "" and "\n" in sign and not quoted:
        prose = True
    candidate = text[begin:stop]
    if not is_secret(candidate, kind, quoted=quoted, prose=prose):
        return None, end
    return Finding(begin, stop, _type(kind, name)), stop


@cache
def _separator() -> re.Pattern[str]:
    return re.compile(_PATTERNS["separator"], re.VERBOSE)


def foreign_assignment(text: str, end: int) -> Outcome:
    """Weigh a key word of another script that ends at `end`."""
    found = _compiled("other-separator").match(text, end, end + 40)
    begin = found.end() if found else end
    value = _value_at(text, begin)
    if value is None:
        return None, end
    (begin, stop), quoted = value
    prose = not (found and found["sign"])
    candidate = re.match(r"[\x21-\x7e]+", text[begin:stop])
    if candidate is None:
        return None, end
    stop = begin + candidate.end()
    while stop > begin and text[stop - 1] in _TRAILING:
        stop -= 1
    if not is_secret(text[begin:stop], Kind.PASSWORD, quoted=quoted, prose=prose or not quoted):
        return None, end
    return Finding(begin, stop, "password"), stop


def _value_at(text: str, at: int) -> tuple[tuple[int, int], bool] | None:
    """The value that starts at `at`: its span and whether it is quoted."""
    limit = at + VALUE_REACH + 10
    if _compiled("chained").match(text, at, at + 60):
        return None
    triple = _compiled("triple").match(text, at, limit)
    if triple:
        return triple.span("value"), True
    quoted = _compiled("quoted").match(text, at, limit)
    if quoted:
        return quoted.span("value"), True
    bare = _compiled("bare").match(text, at, limit)
    if bare is None:
        # An opening quote whose end was cut off still names a value.
        opened = re.compile(r"""\\{0,3}["'`]([^\s"'`<>,;\x00]{1,600})""").match(text, at, limit)
        return (opened.span(1), False) if opened else None
    begin, stop = bare.span()
    while stop > begin and text[stop - 1] in _TRAILING:
        stop -= 1
    return ((begin, stop), False) if stop > begin else None


def _type(kind: Kind, name: str) -> str:
    if kind is Kind.PASSWORD:
        return "password"
    low = name.lower()
    for word in ("secret", "token", "cookie", "session", "signature", "credential"):
        if word in low:
            return word
    return "key"
