"""Secrets that are known by the name they are assigned to: ``password: ...``, ``--token ...``, ``API_KEY=...``.

Standard library only. Works outwards from a key word: the whole name around it, then what follows the name decides how
sure the place is, then the value is weighed for that place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from slowwave.redaction.findings import Finding
from slowwave.redaction.rules.certainty import Name, Place, place_of
from slowwave.redaction.rules.places import blocks_of_values, prose, tables
from slowwave.redaction.rules.places.signs import CLOSE, sign_at, value_start
from slowwave.redaction.rules.places.spans import REACH, Value, line_start, value_at, whole
from slowwave.redaction.rules.rule import NOTHING, Outcome
from slowwave.redaction.rules.vendors import near_a_service
from slowwave.redaction.scan.names import KEYWORDS, SHORT_NAMES, Kind, classify, split_words
from slowwave.redaction.scan.values import (
    Certainty,
    alternations,
    is_identifier,
    is_keyed,
    is_placeholder,
    is_row_key,
    is_secret,
    plain_word,
)
from slowwave.redaction.scan.views import MASK
from slowwave.text.lazy import lazy

NAME_REACH = 60
_NAME = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-"
_RIGHT = lazy(r"[A-Za-z0-9_-]{0,60}+")
# "the key below": a plain word follows. Most key words in prose end here.
_PROSE = lazy(
    r"[ ](?!(?:is|was|are|to|as|be|for|FOR|of|on|value|or|de|del|do|da|von|van|pour|di|ist|es|est|lautet|equals|reads|will)\b)[A-Za-z]{1,14}+[ .,;)\n]"
)
_FLAG_PROSE = frozenset(
    [
        "flag",
        "option",
        "is",
        "and",
        "or",
        "argument",
        "to",
        "for",
        "instead",
        "which",
        "with",
        "when",
        "from",
        "can",
        "will",
        "must",
        "if",
        "as",
        "on",
        "in",
        "not",
        "are",
        "the",
        "a",
        "an",
        "that",
        "parameter",
        "switch",
        "value",
        "was",
        "has",
        "only",
        "also",
        "then",
    ]
)
_NETWORKS = frozenset(["wifi", "wlan", "vpn", "router", "hotspot", "network", "psk"])
_ACCOUNTS = frozenset(
    [
        "admin",
        "root",
        "db",
        "database",
        "server",
        "ssh",
        "ftp",
        "smtp",
        "mail",
        "imap",
        "login",
        "user",
        "sudo",
        "account",
        "staging",
        "prod",
        "wifi",
        "vpn",
    ]
)
_LOGIN = lazy(r"\b(?:user(?:name)?|login|account|e-?mail)\b", re.IGNORECASE)
# The rest of an XML tag up to its text: attributes, or an element that holds nothing but the value.
_TAG_REST = lazy(
    r"""["']?(?:(?:[ \t\r\n]+[A-Za-z_:.-]{1,40}[ ]?=[ ]?["'][^"'<>\n]{0,80}["']){1,4}[ ]?>(?:\s{0,40}<value>)?|>\s{0,40}<value>)"""
    r"""(?:\s{0,40}<!\[CDATA\[)?\s{0,80}(?=[^<>\s])"""
)
_TAG_STARTS = ("<", ":", '"', "'")
_SET_BY = lazy(
    r"[ \t>]*(?:RUN[ ]+)?(?:ENV|ARG|setx|SetEnv|PassEnv|setenv|env|config[ ]set|git[ ]config(?:[ ]--[a-z]+)?)[ ]+\Z",
    re.IGNORECASE,
)
# "mot de passe root est V", "Passwort admin: V": what it belongs to stands behind the name.
_OWNED = lazy(r"[A-Za-z][\w.@-]{1,30}(?:[ ]?[:：](?!//)|[ ](?:est|es|é|è|ist|lautet|is)\b:?)[ ]{1,4}(?=\S)")
_TAG = lazy(r"<(?:[A-Za-z][\w.-]{0,40}:)?\Z")
_QUALIFIERS = lazy(r"[A-Za-z0-9]{1,20}(?:[ ][A-Za-z0-9]{1,20})?")
_SIBLING = lazy(
    r"""(?:^|[^A-Za-z])(?:user(?:name)?|login|host(?:name)?|email|account|uid|smtp|database|dbname|server|mail)["'`]{0,2}[ \t]*(?:[:=]|=>|>[^<>\n]{1,60}</)""",
    re.IGNORECASE,
)


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
        return assignment(text, at, SHORT_NAMES.get(anchor) or len(anchor))


def assignment(text: str, at: int, length: int) -> Outcome:
    """Weigh the key word at [at, at + length): findings, and the offset up to which nothing needs weighing again."""
    end = _RIGHT.match(text, at + length).end()  # type: ignore[union-attr]  # matches the empty text too
    head = text[at - NAME_REACH if at > NAME_REACH else 0 : at]
    start = at - len(head) + len(head.rstrip(_NAME))
    raw = text[start:end]
    left = text[start - 1] if start else ""
    flag = raw[0] == "-" or (left == "/" and text[start - 2 : start - 1] in ("", " "))
    if end - start > 80 or left == "!" or left == "+":
        return NOTHING, end
    if left == ":" and (text[start - 2 : start - 1] == ":" or "arn:" in text[max(0, start - 80) : start]):
        return NOTHING, end
    named = raw.strip("-.$")
    kind = classify(named)
    if kind is Kind.NONE or (len(named) > 40 and named.isalnum()):
        return NOTHING, end
    if (
        _PROSE.match(text, end, end + 20)
        and not flag
        and not (kind is Kind.PASSWORD and _OWNED.match(text, end + 1, end + 50))
    ):
        return prose.before(text, start, end, _qualified(text, start, named, kind)), end
    name = Name(start, end, named, kind if flag else _qualified(text, start, named, kind), flag)
    if name.kind is Kind.NONE:
        return NOTHING, end
    return _after(text, name)


def _qualified(text: str, start: int, name: str, kind: Kind) -> Kind:
    """The kind of an ordinary name, by the words before it: an API key is a secret, a primary key is none."""
    if kind not in (Kind.GENERIC, Kind.WORD) or start < 2 or text[start - 1] != " ":
        return kind
    words = _QUALIFIERS.match(text[max(0, start - 42) : start - 1][::-1])
    if words is None:
        return kind
    before = words.group()[::-1]
    last = before.split()[-1].lower()
    if (last in _NETWORKS and name.lower() in ("key", "pass", "pw", "pin")) or (
        last in _ACCOUNTS and name.lower() in ("pass", "passcode")
    ):
        return Kind.PASSWORD
    with_one = classify(f"{before.split()[-1]}_{name}")
    if kind is Kind.WORD:
        return Kind.NONE if before.islower() and with_one in (Kind.WORD, Kind.NONE) else with_one
    if with_one is Kind.TOKEN or with_one is Kind.NONE:
        return with_one
    with_two = classify(f"{before.replace(' ', '_')}_{name}")
    return with_two if with_two is not Kind.PASSWORD else kind


def _after(text: str, name: Name) -> Outcome:
    close = CLOSE.match(text, name.end)
    at = close.end() if close else name.end
    if (
        close
        and close["close"]
        and text[at : at + 1] == ","
        and (called := blocks_of_values.parameters(text, name.end, name.kind))
    ):
        return called, called[-1].end
    if (
        text[name.start - 1 : name.start] in _TAG_STARTS
        and (tag := _TAG_REST.match(text, name.end))
        and _in_tag(text, name)
    ):
        value = _element_value(text, tag.end())
        return _weighed(text, name, value, Place(Certainty.SURE, True)) if value else (NOTHING, name.end)
    sign = sign_at(text, at)
    if sign is None or (name.flag and sign.lastgroup == "verb"):
        if text[name.end : name.end + 2] == "  " and (cells := tables.below(text, name.start, name.end, name.kind)):
            return cells, max(found.end for found in cells)
        return _after_blank(text, name, close is not None and bool(close["close"]), at)
    group = sign.lastgroup or ""
    if group == "cell":
        cells = tables.below(text, name.start, name.end, name.kind)
        if cells or not _is_row(text, name, sign[0]):
            return (cells, max((f.end for f in cells), default=name.end)) if cells else _no_sign(text, name)
    if group == "line":
        return _after_line(text, name, sign.end())
    if group == "element" and not _in_tag(text, name):
        return NOTHING, name.end
    if group == "comma" and not (close and close["close"]):
        return NOTHING, name.end
    if group == "colon" and text[max(0, name.start - 2) : name.start] == "${":
        return NOTHING, name.end
    if group in ("assign", "colon") and (block := blocks_of_values.below(text, name.start, sign.end(), name.kind)):
        return block, block[-1].end
    begin = value_start(text, sign.end()) if group != "element" else sign.end()
    if text[begin : begin + 1] == MASK:
        return NOTHING, name.end
    if group == "colon" and text[begin : begin + 1] in ("\n", "\r"):
        return _after_line(text, name, begin)
    value = _element_value(text, begin) if group == "element" else value_at(text, begin)
    if value is None:
        return NOTHING, name.end
    return _weighed(text, name, value, place_of(text, name, sign, value, bool(close and close["gap"])))


def _is_row(text: str, name: Name, sign: str) -> bool:
    """Whether a name's cell has its value in the next one: a row of a Markdown, tab-separated or aligned table."""
    line = text[line_start(text, name.start) : name.start].lstrip()
    if sign == "|":
        return line.startswith("|") or (not line and name.kind is Kind.TOKEN)
    return not line.rstrip(" `*|") and (sign[0] != "," or name.kind is Kind.TOKEN)


def _in_tag(text: str, name: Name) -> bool:
    head = text[max(0, name.start - 120) : name.start]
    if text[name.end : name.end + 1] in ("'", '"'):
        return head.rfind("<") > head.rfind(">")
    return bool(_TAG.search(head)) or text[name.end : name.end + 6] == "</key>"


def _element_value(text: str, at: int) -> Value | None:
    end = text.find("<", at, at + REACH)
    if end < 0 or text[end : end + 2] not in ("</", "<!"):
        long = value_at(text, at) if end < 0 else None
        return long if long and long.end - long.start > REACH // 2 else None
    inner = text[at:end].rstrip()
    if inner.endswith("]]>"):
        inner = inner[:-3].rstrip()
    if inner[:1] == "`" == inner[-1:]:
        at, inner = at + 1, inner[1:-1]
    return Value(at, at + len(inner), True, "") if inner and "\n" not in inner else None


def _weighed(text: str, name: Name, value: Value, place: Place) -> Outcome:
    candidate = text[value.start : value.end]
    kind, certainty = name.kind, place.certainty
    if kind is Kind.WORD and certainty is Certainty.SURE and place.literal and _beside_a_login(text, name):
        kind = Kind.PASSWORD
    if kind is Kind.WORD and (value.quoted and text[value.start - 1 : value.start] == "`"):
        return NOTHING, name.end
    if certainty is not Certainty.SURE and name.text.lower() in ("pass", "login") and kind is not Kind.PASSWORD:
        # "pass `x`", "login x": an English verb before something quoted.
        return NOTHING, name.end
    if (
        kind is Kind.GENERIC
        and text[name.start - 1 : name.start] in ("?", "&", "-")
        and text[name.end : name.end + 1] == "="
    ):
        kind = Kind.TOKEN
    if kind is Kind.GENERIC and near_a_service(text[max(0, name.start - 60) : name.end]):
        kind = Kind.TOKEN
    if name.text[-4:].lower() == "seed" and "-" in candidate:
        return NOTHING, name.end
    accepted = is_secret(candidate, kind, certainty, literal=place.literal)
    if not accepted and kind is Kind.TOKEN and certainty is Certainty.SURE and "secret" in name.text.lower():
        # A login's secret is a password, whatever its name.
        chosen = place.literal and is_secret(candidate, Kind.PASSWORD, certainty)
        accepted = chosen and _beside_a_login(text, name)
    if not accepted and kind is Kind.GENERIC and certainty is Certainty.SURE and len(candidate) >= 20:
        # acme_key = V: the name of a service that nobody knows, and what it gave out.
        accepted = (
            place.literal and len(split_words(name.text)) >= 2 and is_keyed(candidate) and not is_row_key(candidate)
        )
    if not accepted and kind is Kind.PASSWORD and place.literal and certainty is Certainty.LIKELY:
        accepted = plain_word(candidate) and not is_placeholder(candidate) and (value.quoted or value.ends_line)
    if not accepted:
        return NOTHING, name.end
    learn = certainty is Certainty.SURE
    end = whole(text, value.start, value.end)
    return (Finding(value.start, end, type_of(kind, name.text), learn),), end


def _beside_a_login(text: str, name: Name) -> bool:
    """Whether a user, a host or an account is named beside an ordinary word: then it names a password."""
    return bool(
        _SIBLING.search(text, max(0, name.start - 160), name.start) or _SIBLING.search(text, name.end, name.end + 200)
    )


def _after_blank(text: str, name: Name, closed: bool, at: int) -> Outcome:
    """A value after nothing but a blank: of a flag, of a setting such as `requirepass x`, or of prose."""
    if at == name.end or closed or text[name.end] == "\\":
        return _no_sign(text, name)
    value = value_at(text, at)
    if value is None:
        return NOTHING, name.end
    word = text[value.start : value.end]
    if _SET_BY.match(text, line_start(text, name.start), name.start):
        return _weighed(text, name, value, Place(Certainty.SURE, True))
    if (
        name.kind is Kind.PASSWORD
        and (owned := _OWNED.match(text, at, at + 50))
        and (its := value_at(text, owned.end()))
    ):
        outcome = _weighed(text, name, its, Place(Certainty.LIKELY, True))
        if outcome[0]:
            return outcome
    if name.flag:
        if word.lower() in _FLAG_PROSE or word[0] in "-<[":
            return NOTHING, name.end
        return _weighed(text, name, value, Place(Certainty.SURE, not (word.isupper() and word.isalpha())))
    if (
        name.kind is Kind.GENERIC
        and name.text[-4:].lower() in ("-key", "_key")
        and not (is_identifier(word) and alternations(word) < 4)
    ):
        return _weighed(
            text, Name(name.start, name.end, name.text, Kind.TOKEN, False), value, Place(Certainty.SURE, True)
        )
    beside = value.ends_line and _LOGIN.search(text, line_start(text, name.start), name.start) is not None
    certainty = Certainty.LIKELY if value.quoted or beside else Certainty.UNSURE
    if (
        name.kind in (Kind.TOKEN, Kind.GENERIC)
        and len(word) >= 16
        and (value.ends_line or value.quoted)
        and is_keyed(word)
    ):
        told = len(split_words(name.text)) >= 2 or len(word) >= 32
        if (told and name.kind is Kind.TOKEN) or near_a_service(text[max(0, name.start - 40) : name.end]):
            end = whole(text, value.start, value.end)
            return (Finding(value.start, end, type_of(name.kind, name.text), False),), end
    outcome = _weighed(text, name, value, Place(certainty, value.quoted or name.kind is Kind.PASSWORD))
    return outcome if outcome[0] else _no_sign(text, name)


def _no_sign(text: str, name: Name) -> Outcome:
    return prose.before(text, name.start, name.end, name.kind), name.end


def _after_line(text: str, name: Name, at: int) -> Outcome:
    """A value on a line of its own, below the name, perhaps after an empty line."""
    found = blocks_of_values.alone(text, at)
    if found is None:
        cells = tables.below(text, name.start, name.end, name.kind)
        return (cells, name.end) if cells else _no_sign(text, name)
    candidate = text[found.start : found.end]
    named = text[at - 1 : at] not in ("\n", "\r") or any(map(str.isdigit, candidate))
    if name.kind is Kind.WORD or not named or not is_secret(candidate, name.kind, Certainty.LIKELY, literal=True):
        cells = tables.below(text, name.start, name.end, name.kind)
        return (cells, name.end) if cells else _no_sign(text, name)
    end = whole(text, found.start, found.end)
    return (Finding(found.start, end, type_of(name.kind, name.text), False),), end


def type_of(kind: Kind, name: str) -> str:
    """The type of a finding under a name."""
    if kind in (Kind.PASSWORD, Kind.WORD):
        return "password"
    low = name.lower()
    for word in ("secret", "token", "cookie", "session", "signature", "credential"):
        if word in low:
            return word
    return "key"
