"""Values below their name: YAML blocks and lists, JSON lists, a line of their own. Standard library only."""

from __future__ import annotations

from slowwave.redaction.findings import Finding
from slowwave.redaction.rules.places.spans import CHAINED, REACH, Value, line_start, value_at, whole
from slowwave.redaction.scan.names import Kind
from slowwave.redaction.scan.values import Certainty, is_secret
from slowwave.text.lazy import lazy

_BLOCK = lazy(r"[ \t]*[>|][+-]?\d?[+-]?[ \t]*\r?\n")
_FOLDED_LINE = lazy(r"([ \t]*)([^\s#][^\n\r]*)(\r?\n|\Z)")
_ITEM = lazy(r"[ \t]*\r?\n[ \t]*-[ \t]+(?![\w.-]+:[ \t])")
_LIST = lazy(r"[ \t]*[\[{(][ \t\r\n]*(?=\\{0,3}[\"'`])")
_NEXT = lazy(r"\\{0,3}[\"'`][ \t]*,[ \t\r\n]*(?=\\{0,3}[\"'`])")
_ALONE = lazy(
    r"(?:[ \t]*\r?\n){0,2}[ \t]*(?:[>*-][ \t]+)?(?P<mark>`{1,3}(?:[a-z]*\n)?|\*\*|[\"'])?(?P<value>[^\s`\"'*<>]++)(?P=mark)?(?:\n?`{1,3})?[\"'}\])]*[ \t]*(?:\r?\n|\Z)"
)
_PARAMETERS = lazy(
    r"\\{0,3}[\"'][ \t]*,[ \t\n]*\\{0,3}[\"'](?:params|args|arguments|data|values?)\\{0,3}[\"'][ \t]*:[ \t]*\[[ \t\n]*(?=\\{0,3}[\"'])"
)
LONGEST = 100_000
"""Characters of one line of a block that are looked at."""
_OPENS = (">", "|", "\n", "\r", "[", "{", "(", "")
_MEMBER = lazy(
    r"[ \t]*(?:\{|,|\r?\n(?=[ ]))[ \t\r\n]*[\"']?(?!(?:id|name|url|path|file|host|user|username|type|digest|hash|checksum|integrity|size|mode|crv|kid|alg|[A-Za-z])\b)[A-Za-z][\w.-]{0,40}[\"']?[ \t]*[:=][ \t]*(?=[^\s{\[])"
)
MOST = 64
"""Values of one list that are looked at."""


def below(text: str, start: int, at: int, kind: Kind) -> tuple[Finding, ...]:
    """The values of a block or a list that opens at `at`, right of a name's sign; `start` is where the name starts."""
    if text[at : at + 2].lstrip(" ")[:1] not in _OPENS:
        return ()
    if (opened := _BLOCK.match(text, at, at + 40)) is not None:
        return _folded(text, opened.end(), _indent(text, start), kind)
    if _ITEM.match(text, at, at + 120) is not None:
        return _items(text, at, kind)
    if (opened := _LIST.match(text, at, at + 200)) is not None:
        return _listed(text, opened.end(), kind)
    return _members(text, at, kind) if kind in (Kind.TOKEN, Kind.PASSWORD) and _MEMBER.match(text, at, at + 120) else ()


def parameters(text: str, end: int, kind: Kind) -> tuple[Finding, ...]:
    """The arguments of a call whose method's name tells: ``"method": "login_with_key", "params": ["..."]``."""
    opened = _PARAMETERS.match(text, end, end + 80)
    return _listed(text, opened.end(), kind) if opened else ()


def alone(text: str, at: int) -> Value | None:
    """The value that stands alone on the line that starts at `at`, or on the one after an empty line."""
    found = _ALONE.match(text, at, at + REACH)
    if found is None:
        return None
    start, end = found.span("value")
    # A name, a heading, a sentence's end or a setting is no value.
    if text[end - 1] in ":.,;?{(" or end - start < 6 or CHAINED.match(text, start, start + 60):
        return None
    return Value(start, end, bool(found["mark"]), "")


def _indent(text: str, start: int) -> int:
    begin = line_start(text, start)
    line = text[begin:start]
    return len(line) - len(line.lstrip(" \t-"))


def _folded(text: str, at: int, indent: int, kind: Kind) -> tuple[Finding, ...]:
    found: list[Finding] = []
    for _ in range(MOST):
        line = _FOLDED_LINE.match(text, at, at + LONGEST)
        if line is None or len(line[1]) <= indent:
            break
        start, end = line.start(2), line.start(2) + len(line[2].rstrip())
        if (
            not is_secret(text[start:end], kind if kind is not Kind.WORD else Kind.GENERIC, Certainty.SURE)
            and not found
        ):
            break
        if " " in text[start:end]:
            break
        found.append(Finding(start, end, _kind(kind)))
        at = line.end()
    return tuple(found)


def _items(text: str, at: int, kind: Kind) -> tuple[Finding, ...]:
    found: list[Finding] = []
    for _ in range(MOST):
        item = _ITEM.match(text, at, at + 200)
        value = value_at(text, item.end()) if item else None
        if value is None:
            break
        if value.ends_line and is_secret(
            text[value.start : value.end], kind, Certainty.SURE, literal=value.quoted or kind is Kind.PASSWORD
        ):
            found.append(Finding(value.start, whole(text, value.start, value.end), _kind(kind)))
        at = value.end + len(value.after)
    return tuple(found)


def _members(text: str, at: int, kind: Kind) -> tuple[Finding, ...]:
    """The values of a mapping under a telling name: ``api_keys: {prod: ..., staging: ...}``."""
    found: list[Finding] = []
    for _ in range(MOST):
        member = _MEMBER.match(text, at, at + 120)
        value = value_at(text, member.end()) if member else None
        if value is None:
            break
        wanted = Kind.TOKEN if kind is Kind.GENERIC else kind
        if (value.quoted or value.ends_line) and is_secret(text[value.start : value.end], wanted, Certainty.LIKELY):
            found.append(Finding(value.start, whole(text, value.start, value.end), _kind(kind), False))
        at = value.end + (1 if value.quoted else 0)
    return tuple(found)


def _listed(text: str, at: int, kind: Kind) -> tuple[Finding, ...]:
    found: list[Finding] = []
    certainty = Certainty.SURE if kind is not Kind.PASSWORD else Certainty.LIKELY
    for _ in range(MOST):
        value = value_at(text, at)
        if value is None or not value.quoted:
            break
        if is_secret(text[value.start : value.end], kind, certainty):
            found.append(Finding(value.start, whole(text, value.start, value.end), _kind(kind)))
        following = _NEXT.match(text, value.end, value.end + 80)
        if following is None:
            break
        at = following.end()
    return tuple(found)


def _kind(kind: Kind) -> str:
    return "password" if kind in (Kind.PASSWORD, Kind.WORD) else "token"
