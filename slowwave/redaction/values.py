"""Whether a value looks like a secret, given how much its name promises. Standard library only."""

from __future__ import annotations

import re

from slowwave.redaction.lazy import lazy
from slowwave.redaction.names import Kind
from slowwave.redaction.views import MASK

_PLACEHOLDERS = lazy(
    r"^(?:x{3,}|X{3,}|\*+|\.{2,}|-+|_+|•+|\?+|#+|0+|1+|none|null|nil|true|false|undefined|nan|empty|optional|required|string|str|int|bool|boolean|number|object|bytes|any|unknown|secret|secrets|password|passwd|pass|token|tokens|key|keys|"
    r"auth|bearer|basic|digest|user|username|admin|root|guest|default|example|sample|test|testing|dummy|fake|mock|demo|foo|bar|baz|foobar|changeme|change_me|change-me|changeit|redacted|hidden|masked|removed|filtered|secure|inherit|"
    r"env|environment|value|values|placeholder|todo|tbd|n/a|na|yes|no|on|off|here|this|self|file|stdin|prompt|postgres|mysql|redis|mongo|hunter2|letmein|s3cr3t|p@ssw0rd)$",
    re.IGNORECASE,
)
_TEMPLATES = lazy(
    r"^(?:\$\{|\$\(|\$\{\{|\{\{|\{[A-Za-z_]|<[A-Za-z/!%]|%\(|%[sdr]$|%[A-Z_]+%$|@\{|#\{|\$[A-Za-z_][A-Za-z0-9_]*$|\$[A-Z_][A-Z0-9_]*|\$env:|process\.env|os\.|env\.|ENV\[|getenv|secrets\.|vars\.|config\.|self\.|this\.|new |await |async |function\b|lambda\b|return\b)"
)
_EXAMPLE_WORDS = lazy(
    r"(?:^|[^a-z])(?:your|my|the|some|insert|enter|replace|paste|add|put|change)[-_ ]|your[A-Z_-]|placeholder|xxxxx|_here$|-here$|\.\.\.$|…$|^\[.*\]$|redacted",
    re.IGNORECASE,
)
_REFERENCE = lazy(r"^[A-Za-z_$@&*!][A-Za-z0-9_$]*(?:(?:\.|::|->|\?\.|!\.)[A-Za-z_$][A-Za-z0-9_$]*)+[!?]?$")
_OPERATORS = lazy(r"[=!]==?|\|\||&&|=>|\?\.|\)[,;{.)]|[;{}]|^[A-Za-z_][A-Za-z0-9_]*=[^=]")
# Possessive throughout: a value that is no identifier must not be split in every possible way before it is refused.
_IDENTIFIER = lazy(
    r"[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)++\Z|_*+[a-z]++[0-9]*+(?:_++[a-z]*+[0-9]*+)++\Z"
    r"|(?:_?+(?:[A-Z]++[a-z]*+|[a-z]++)[0-9]{0,5}+)++\Z"
)
_CALL = lazy(r"^[A-Za-z_$@&*!.][A-Za-z0-9_$.:!?-]*[(\[{]")
_UUID = lazy(r"^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$")
_DIGEST = lazy(r"(?:^|[-_.:/])[0-9a-f]{12,}\Z|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_DATE = lazy(
    r"^(?:\d{4}-\d\d-\d\d|\d{1,2}[:/.-]\d{1,2}[:/.-]\d{1,4}|v?\d+(?:\.\d+){1,4}(?:[-+][a-z0-9.]+)?$|\d+(?:\.\d+)?(?:ms|s|m|h|d|kb|mb|gb|k|%|px|em|rem|st|nd|rd|th|x)?$)",
    re.IGNORECASE,
)
_PATHLIKE = lazy(r"^(?:~?/|\.{1,2}/|[A-Za-z]:\\|[a-z][a-z0-9+.-]*://)")
_NUMBERED = lazy(r"[A-Z]?[a-z]+(?:[A-Z][a-z]+)*\d{1,4}\Z|[a-z]+\d{8,14}\Z")
_CAMEL_WORDS = lazy(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_CLASS_CHANGES = lazy(r"(?=[a-z][A-Z0-9]|[A-Z][a-z0-9]|[0-9][A-Za-z])")
_SWITCHES = lazy(r"[A-Za-z](?=[^A-Za-z0-9]?[0-9])|[0-9](?=[^A-Za-z0-9]?[A-Za-z])")


def alternations(value: str) -> int:
    """How often letters give way to digits or digits to letters: high in random values, low in words and dates."""
    return len(_SWITCHES.findall(value))


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for a secret: a template, a variable, an example word, a row of x."""
    if MASK in value or not value.strip("\"'` \t"):
        return True
    if value[0] == "$" and value[1:].isalnum() and alternations(value) >= 2 and not is_identifier(value[1:]):
        return False
    if _PLACEHOLDERS.match(value) or _TEMPLATES.match(value):
        return True
    if len(set(value)) <= 2:
        return True
    return bool(_EXAMPLE_WORDS.search(value))


def is_code(value: str) -> bool:
    """Whether a value is an expression: a reference, a call, an index, a path or an address."""
    return bool(
        _REFERENCE.match(value)
        or _CALL.match(value)
        or is_path(value)
        or _OPERATORS.search(value)
        or (is_identifier(value) and alternations(value) < 4)
    )


def is_identifier(value: str) -> bool:
    """Whether a value is a name in code: a constant, snake case, or camel case whose words are of a usual length."""
    if not _IDENTIFIER.match(value):
        return False
    return ("_" in value and (value.islower() or value.isupper())) or len(_CAMEL_WORDS.findall(value)) * 17 <= len(
        value
    ) * 5


def is_path(value: str) -> bool:
    """Whether a value is a path or an address, and no base64 that starts with a slash."""
    if not _PATHLIKE.match(value):
        return False
    return not (value[0] == "/" and len(value) >= 24 and value.count("/") <= 3 and mixed_case(value))


def is_secret(value: str, kind: Kind, *, quoted: bool, prose: bool = False) -> bool:
    """Decide on a value that stands after a name of this kind. `prose` is a weak separator such as "is" or a blank."""
    if len(value) < 4 or is_placeholder(value):
        return False
    if kind is Kind.PASSWORD:
        return _is_password(value, quoted=quoted, prose=prose)
    if not quoted and is_code(value):
        return False
    if is_path(value) or (_DATE.match(value) and not (value.isdigit() and len(value) > 14)):
        return False
    return _is_token(value, kind, prose=prose)


def _is_password(value: str, *, quoted: bool, prose: bool) -> bool:
    if len(value) < 6 or (" " in value and (prose or not quoted)):
        return False
    if is_path(value) or value[0] in "([{" or (prose and ("=" in value[:-2] or "/" in value)):
        return False
    has_digit = any(c.isdigit() for c in value)
    has_letter = any(c.isalpha() for c in value)
    special = sum(1 for c in value if not c.isalnum() and c not in "_-./: ,")
    if value.isdigit():
        return quoted and not prose
    if not quoted and is_code(value):
        return False
    if not quoted and not value.isascii():
        return False
    if prose and len(value) >= 16 and value.isalnum() and _shuffled_letters(value):
        return True
    if prose:
        return has_digit and has_letter and not _DATE.match(value) and (alternations(value) >= 2 or special > 0)
    if has_digit and has_letter:
        return not _DATE.match(value)
    if " " in value:
        return False
    if special and has_letter and quoted:
        return not value.endswith((":", "?", "!", ".")) and "(" not in value
    return has_letter and len(value) >= 12 and _shuffled_letters(value)


def mixed_case(value: str) -> bool:
    """Whether upper case, lower case and digits change as often as chance makes them, which no camel-case name does."""
    return len(_CLASS_CHANGES.findall(value)) * 100 >= len(value) * 37 and not is_identifier(value)


def _shuffled_letters(value: str) -> bool:
    """As `mixed_case`, for values with no digit to tell them from words: both cases, often."""
    return mixed_case(value) and not value.islower() and not value.isupper()


def _is_token(value: str, kind: Kind, *, prose: bool) -> bool:
    if " " in value or len(value) < 12 or not value.isascii():
        return False
    changes = alternations(value)
    if re.search(r"\)[,;{.]|[;{}\n]|=>|&&|\|\||^[),.:(\[]", value):
        return False
    if kind is Kind.GENERIC:
        return len(value) >= 24 and changes >= 6 and not _DIGEST.search(value) and not is_structured(value)
    if _UUID.match(value):
        return True
    if changes < 4 and is_identifier(value):
        return False
    if value.isdigit():
        return len(value) >= 16 and not prose and len(set(value)) > 4
    if prose and not re.fullmatch(r"[A-Za-z0-9+/=_~.:-]+", value):
        return False
    if len(value) >= (20 if prose else 16) and changes >= (6 if prose else 4):
        return not is_structured(value)
    if not re.fullmatch(r"[A-Za-z0-9+/=_~.-]+", value):
        return False
    if len(value) >= 20 and _shuffled_letters(value):
        return True
    if prose:
        return False
    if value.isalnum() and changes >= 4 and not is_structured(value):
        return True
    if value.isalnum() and changes >= 1 and sum(map(str.isdigit, value)) >= 2:
        return len(value) >= (16 if changes >= 2 else 24) and not _NUMBERED.match(value)
    return len(value) >= 16 and value.isalnum() and _shuffled_letters(value)


def is_structured(value: str) -> bool:
    """Whether the digits of a value come from numbered words or dates rather than from chance."""
    if re.match(r"^[a-z]+(?:[-_.][a-z0-9]+)*-?\d{4}-\d\d-\d\d", value):
        return True
    return alternations(value) < 12 and max(map(alternations, re.split(r"[^A-Za-z0-9]+", value))) < 3
