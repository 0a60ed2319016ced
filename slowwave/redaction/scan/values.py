"""Whether a value is a secret, given what its name promises and how sure its place is. Standard library only."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

from slowwave.redaction.scan.names import Kind
from slowwave.redaction.scan.views import MASK
from slowwave.redaction.scan.words import BIGRAMS, STAND_INS, STOP_WORDS
from slowwave.text.lazy import lazy


class Certainty(Enum):
    """How sure a place is that what stands there is the value.

    `SURE`: syntax says so (an assignment, a flag, a header, a prompt's answer). `LIKELY`: prose with a colon, a table's
    cell. `UNSURE`: a word stands beside a name.
    """

    UNSURE = 0
    LIKELY = 1
    SURE = 2


_ROWS = lazy(r"(?:x{3,}|\*+|\.{2,}|-+|_+|•+|\?+|#+|0+|1+)\Z")
_TEMPLATES = lazy(
    r"^(?:\$\{|\$\(|\$\{\{|\{\{|\{[A-Za-z_]|<[A-Za-z/!%]|%\(|%[sdrvq]$|%[A-Z_]+%$|@\{|#\{|\$[A-Za-z_][A-Za-z0-9_]*$|\$[A-Z_][A-Z0-9_]*(?![A-Za-z0-9_!@#%^&*+=~])|\$env:|process\.env|os\.|env\.|ENV\[|getenv|secrets\.|vars\.|config\.|self\.|this\.|new |await |async |function\b|lambda\b|return\b|vault:|op://|ref\+|arn:|urn:|ssm:|sm://|kv/|ConvertTo-[A-Z]|Read-Host|New-Object|Get-[A-Z][a-z]|!Ref|!Sub|!vault|\|$|>$)"
)
_EXAMPLE_WORDS = lazy(
    r"(?:^|[^a-z])(?:your|my|the|some|insert|enter|replace|paste|add|put|change)[-_ ]|your[A-Z_-]|placeholder|xxxxx|_here$|-here$|\.\.\.$|…$|^\[.*\]$|redacted|^(?:%[sdr]\W?){2,}$|\*{4,}|•{3,}|<[a-z_ -]+>",
    re.IGNORECASE,
)
_HINTS = lazy(r"[-_ .…\[%*•<]|your|placeholder|xxxxx|redacted")
_NAME_WORD = (
    "my|your|our|the|a|an|some|this|that|new|old|current|previous|next|confirm|confirmed|repeat|verify|user|users|db|database|admin|root|app|api|access|refresh|auth|"
    "client|server|service|hashed|hash|plain|raw|encrypted|decrypted|encoded|decoded|stored|input|entered|given|actual|expected|wrong|bad|good|correct|incorrect|"
    "invalid|valid|test|tests|testing|fake|mock|dummy|example|sample|default|temp|tmp|super|top|very|not|no|is|with|for|from|to|in|of|set|get|string|str|text|"
    "value|val|field|data|env|var|config|secret|secrets|password|passwords|passwd|passwrd|pwd|pass|passphrase|passcode|token|tokens|key|keys|credential|credentials|"
    "cred|creds|login|name|id|pin|otp|code|session|cookie|bearer|header|strong|weak|unsafe|secure|safe|random|generated|master|private|public|shared|ssh|git|k8s"
)
# What such a value is made of: most values are not, and need no look at the words.
_LETTERS_ONLY = lazy(r"[A-Za-z8_ .-]++\d?\Z|[^\x00-\x7f]")
_ABOUT_NAMES = lazy(rf"(?:(?:{_NAME_WORD})[-_ .]?)+\d?\Z", re.IGNORECASE)
_MADE_OF_SETS = lazy(
    r"\[[^\]]*[A-Za-z0-9]-[A-Za-z0-9]|\(\?|\\\\?[dws][+*{]|\{\d+,\d*\}|^(?:abcdefghijklmnopqrstuvwxyz|ABCDEFGHIJKLMNOPQRSTUVWXYZ|0?123456789|234567|[^A-Za-z0-9]){2,}\Z|(?:%[sdr]\W?){2}|[\[<(]V?\d?[A-Z][A-Za-z0-9]+[\])>]\Z"
)
_PLAIN = lazy(r"[A-Za-z0-9+/=_.-]+\Z")
_NAMES_ONE = lazy(
    r"[A-Za-z_.-]*(?:[Pp]assword|passwd|PASSWORD|PASSWD|[Ss]ecret|SECRET|[Tt]oken|TOKEN|[-_]key|Key|_KEY|[Cc]redentials?|[Pp]assphrase)\Z"
)
_TRANSLATED = lazy(
    r"(?:pass|kenn|senha|contrase|mot de passe|wachtwoord|hasło|heslo|parol|şifre|sifre|lozinka|salasana|adgangskode|passord|lösenord|jelsz|geslo|slapta|mật|kata sandi|sandi|κωδικ|парол|密|パスワード|비밀|암호|รหัส|كلمة|סיסמ|clave|codice|schlüssel|token|secret|geheim|segreto|secreto)",
    re.IGNORECASE,
)
_REFERENCE = lazy(r"^!{0,2}[A-Za-z_$@&*!][A-Za-z0-9_$]*(?:(?:\.|::|->|\?\.|!\.)[A-Za-z_$][A-Za-z0-9_$]*)+[!?]?$")
_OPERATORS = lazy(r"[=!]==?|\|\||&&|=>|\?\.|\)[,;{.)]|[;{}]|^[A-Za-z_][A-Za-z0-9_]*=[^=]")
# Possessive throughout: a value that is no identifier must not be split in every possible way before it is refused.
_IDENTIFIER = lazy(
    r"[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)++\Z|_*+[a-z]++[0-9]*+(?:_++[a-z]*+[0-9]*+)++\Z"
    r"|(?:_?+(?=[A-Za-z])[A-Z]*+[a-z]*+[0-9]{0,5}+)++\Z"
)
_CALL = lazy(r"^[A-Za-z_$@&*!.][A-Za-z0-9_$.:!?-]*[(\[{]")
_NAMESPACED = lazy(r"[a-z][a-z0-9_]*(?::[a-z][a-z0-9_]*)+:[0-9a-f-]{6,}")
_UUID = lazy(r"^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$")
_WORDS_AND_NUMBER = lazy(r"^[a-z]{3,}(?:[-_.][a-z]{2,})*[-_.:][0-9a-f]{1,8}$")
_DIGEST = lazy(r"(?:^|[-_.:/])[0-9a-f]{12,}\Z|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_DATE = lazy(
    r"^(?:\d{4}-\d\d-\d\d|\d{1,2}[:/.-]\d{1,2}[:/.-]\d{1,4}|v?\d+(?:\.\d+){1,4}(?:[-+][a-z0-9.]+)?$|\d+(?:\.\d+)?(?:ms|s|m|h|d|kb|mb|gb|k|%|px|em|rem|st|nd|rd|th|x)?$|\d+[-_]?(?:min|minutes?|hours?|days?|chars?|characters?|bits?|bytes?)$)",
    re.IGNORECASE,
)
_PATHLIKE = lazy(
    r"^(?:~?/|\.{1,2}/|[A-Za-z]:\\|[a-z][a-z0-9+.-]*://|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|io|net|dev|in)/)"
)
_RELATIVE = lazy(
    r"[A-Za-z0-9_.@-]+(?:/[A-Za-z0-9_.@*-]+)+\Z|[A-Za-z0-9_-]+\.(?:py|js|ts|tsx|go|rs|rb|java|json|ya?ml|toml|md|txt|pem|key|crt|env|sh|html|css|com|org|net|io|dev|local|internal)\b"
)
_UNBROKEN = lazy(r"[A-Za-z0-9+/=_.~-]+\Z")
_PARTS = lazy(r"[-_.:+/=~]+")
_NUMBERED = lazy(r"[A-Z]?[a-z]+(?:[A-Z][a-z]+)*\d{1,4}\Z|[a-z]+\d{8,14}\Z")
_CAMEL_WORDS = lazy(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_CLASS_CHANGES = lazy(r"(?=[a-z][A-Z0-9]|[A-Z][a-z0-9]|[0-9][A-Za-z])")
_SWITCHES = lazy(r"[A-Za-z](?=[^A-Za-z0-9]?[0-9])|[0-9](?=[^A-Za-z0-9]?[A-Za-z])")
_COMMON = lazy(
    r"(?:SHA|MD|AES|RSA|RFC|CVE|UTF|ISO|BASE|EC|ES|HS|RS|PS|HMAC|BCRYPT|ARGON|IPV|HTTP|OAUTH|ED|X|K|P|S|V)-?\d{1,5}(?:[-_.]?\d+)*[a-z]?\Z",
    re.IGNORECASE,
)
_ENCODED = lazy(
    r"(?:base64|base32|sha\d+|utf-?8|bcrypt|argon2\w*|md5|x509|oauth2?|pbkdf2|url)[-_](?:[a-z]+)?", re.IGNORECASE
)
_TICKET = lazy(r"[A-Z]{2,10}-\d{1,7}\Z|#\d+\Z")
PUBLIC_ID = lazy(
    r"(?:asst|price|prod|cus|sub|pi|ch|acct|evt|req|run|thread|msg|file|dpl|prj|team|org|proj|user|usr|step|call|toolu|resp|chatcmpl|cmpl|batch|ft|ftjob|vs|in|ii|si|seti|src|tok|card|ba|txn|po|re|py|plink|cs|we|"
    r"srv|vc|acc|job|task|ses|sess|conv|conversation|item|rs|fc|ws|ev|wf|node|inst|vol|snap|ami|eni|sg|subnet|vpc|rtb|igw|i|eipalloc|arn|doc|page|room|chan|channel|repo|build|wrk|group|grp|cid|trace|span|cache|sha256|sha384|sha512|sha1|md5|h1|blake3|go|yarn|pkg|commit|tree|blob)(?:_test|_live)?[-_:][A-Za-z0-9+/=_-]{8,}\Z"
    r"|(?:bafy|bafk|bafz|bafyb)[a-z2-7]{40,}\Z|Qm[1-9A-HJ-NP-Za-km-z]{44}\Z|0x[0-9a-fA-F]{40}\Z|AC[0-9a-f]{32}\Z|(?:SHA256|SHA1|MD5):|G-[A-Z0-9]{8,12}\Z|UA-\d|pk_(?:live|test)_|xn--|MFkwEwYHKoZI|MIIBIjANBgkq|MCowBQYDK2Vw"
)
"""Ids that services show in public: of payments, assistants, deployments, content and cloud resources; digests."""
_VERSION = lazy(r"v?\d+\.\d+\.\d+[-+.]|\d{14}-[0-9a-f]{12}|[a-z0-9-]+@v?\d+\.\d|\^|~\d")
_PASCAL = lazy(r"(?:[A-Z][a-z]{2,11}){2,4}\d{0,4}\Z")
_PHRASE = lazy(r"[A-Za-z]{2,10}(?:[-_.][A-Za-z]{2,10}){2,7}(?:[-_.]?\d{1,4})?\Z")
_INFLECTED = lazy(
    r"(?:ed|ing|able|ible|ent|ant|ive|al|ic|ful|less|ous|ly|ary|ory|ment|tion|sion|ness|ance|ence|ity|est|ger|ker|ter|ize|ise|ism|ist|where|thing|time|day|self|text|word|name|case|file|path|code|base|side|mode|like|ward|wise|out|set|type|data)s?\Z"
)


@lru_cache(maxsize=4096)
def alternations(value: str) -> int:
    """How often letters give way to digits or digits to letters: high in random values, low in words and dates."""
    return len(_SWITCHES.findall(value))


@lru_cache(maxsize=2048)
def is_placeholder(value: str) -> bool:
    """Whether a value only stands for a secret: a template, a variable, an example word, a row of x."""
    if MASK in value or not value.strip("\"'` \t"):
        return True
    if value[0] == "$" and value[1:].isalnum() and alternations(value) >= 2 and not is_identifier(value[1:]):
        return False
    if _TEMPLATES.match(value):
        return True
    if len(value) > 200:
        return len(set(value[:400])) <= 2
    low = value.lower()
    if low in STAND_INS or len(set(value)) <= 2 or _ROWS.match(low):
        return True
    if _LETTERS_ONLY.match(value) and (_ABOUT_NAMES.match(value) or _NAMES_ONE.match(value)):
        return True
    return bool(_HINTS.search(low) and _EXAMPLE_WORDS.search(value))


def is_code(value: str) -> bool:
    """Whether a value is an expression: a reference, a call, an index, a path or an address."""
    return bool(
        (_REFERENCE.match(value) and not _random_parts(value))
        or _CALL.match(value)
        or is_path(value)
        or _OPERATORS.search(value)
        or (is_identifier(value) and alternations(value) < 4)
    )


def _random_parts(value: str) -> bool:
    """Whether a dotted value has a part that chance made: then it is no reference."""
    return any(len(part) >= 12 and (alternations(part) >= 4 or mixed_case(part)) for part in value.split("."))


def is_identifier(value: str) -> bool:
    """Whether a value is a name in code: a constant, snake case, or camel case whose words are of a usual length."""
    if len(value) > 120 or not _IDENTIFIER.match(value):
        return False
    return ("_" in value and (value.islower() or value.isupper())) or len(_CAMEL_WORDS.findall(value)) * 17 <= len(
        value
    ) * 5


def is_path(value: str) -> bool:
    """Whether a value is a path or an address, and no base64 that starts with a slash."""
    if not _PATHLIKE.match(value):
        return False
    if value[0] != "/" or len(value) < 24 or not mixed_case(value):
        return True
    return value.count("/") > 1 + len(value) // 12 and ("." in value or alternations(value) < 5)


def is_public(value: str) -> bool:
    """Whether a value is an id, a version or a digest that its service shows in public."""
    return bool(PUBLIC_ID.match(value) or _VERSION.match(value))


def is_secret(value: str, kind: Kind, certainty: Certainty = Certainty.SURE, *, literal: bool = True) -> bool:
    """Decide on a value that stands after a name of this kind.

    `literal` says that the place holds text (a quoted string, a line of an environment file, a flag) rather than an
    expression, so a bare word is the value itself and no variable.
    """
    if len(value) < 4 or is_placeholder(value) or (value[-1] in "({[" and _CALL.match(value)):
        return False
    if len(value) > 1000:
        return _is_long(value)
    if not literal and is_code(value):
        return False
    if kind is Kind.PASSWORD:
        return _is_password(value, certainty)
    if kind is Kind.WORD:
        return certainty is not Certainty.UNSURE and _is_strong_password(value)
    if (_REFERENCE.match(value) and not _random_parts(value)) or _NAMESPACED.match(value):
        return False
    if _MADE_OF_SETS.search(value):
        return False
    if is_path(value) or is_public(value) or (_DATE.match(value) and not (value.isdigit() and len(value) > 14)):
        return False
    return _is_token(value, kind, certainty)


def _is_long(value: str) -> bool:
    """Decide on a value of more than 1,000 characters by a sample: random at its start, unbroken throughout."""
    sample = value[:400]
    return value.split(None, 1) == [value] and not is_path(sample) and (mixed_case(sample) or alternations(sample) > 20)


def _is_password(value: str, certainty: Certainty) -> bool:
    if is_path(value) or (value[0] in "([{" and not _scrambled(value)) or _TRANSLATED.match(value):
        return False
    if certainty is Certainty.SURE:
        return _may_be_typed(value)
    return _is_password_in_prose(value, sure=certainty is Certainty.LIKELY)


def _may_be_typed(value: str) -> bool:
    """Whether a value in a sure place may be a password that a person chose: nearly anything but a sentence."""
    if value[:2] in ("\\x", "\\u", "\\0"):
        return False
    letters, digits = sum(map(str.isalpha, value)), sum(map(str.isdigit, value))
    if any(map(str.isspace, value)):
        words = value.split()
        plain = all(word.isalpha() and word.isascii() and len(word) <= 12 for word in words)
        return len(words) >= 4 and plain and value.islower() and STOP_WORDS.isdisjoint(words)
    if (value[0] in "&*" and value[1:].replace("-", "_").replace(".", "_").isidentifier()) or (
        value[-1] in "{([" and value[:-1].replace(".", "").isidentifier()
    ):
        return False
    if not letters:
        return digits >= 4 and (value.isdigit() or digits < len(value)) and not re.match(r"\d+[.:/-]\d+", value)
    if digits and re.match(r"v?\d+(?:\.\d+)+|\d+(?:ms|s|m|h|d|kb|mb|gb|%|px)\Z", value):
        return False
    if not value.isascii() and not digits:
        return False
    return not (value[-1] in ":?.…" and not digits) and ")," not in value and value[0] not in ",.:;"


def _is_password_in_prose(value: str, *, sure: bool) -> bool:
    if len(value) < 6 or " " in value or not value.isascii() or "=" in value[:-2] or "/" in value or value[0] in "&*":
        return False
    if _DATE.match(value) or _COMMON.match(value) or _TICKET.match(value) or is_public(value) or "\0" in value:
        return False
    if _CALL.match(value) or _RELATIVE.search(value) or (value[0] in "-@#:.<(" and not value[1:].isalnum()):
        return False
    if _ENCODED.match(value) or _REFERENCE.match(value.lstrip("~")):
        return False
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    symbols = sum(1 for c in value if not c.isalnum() and c not in "_-./: ,")
    if not letters:
        return False
    if len(value) >= 16 and value.isalnum() and _shuffled_letters(value):
        return True
    if digits:
        numbered = is_identifier(value) and (digits <= 1 or ("_" in value and digits < 3)) and not harsh(value)
        return (alternations(value) >= 2 or symbols > 0 or sure or len(value) >= 8) and not numbered
    if _PHRASE.match(value):
        return sure and value.count("-") >= 2 and STOP_WORDS.isdisjoint(re.split(r"[-_.]", value.lower()))
    if symbols and sure:
        return value[-1] not in ":?.,…)'" and not re.search(r"['(){}\[\]<>;]", value)
    return sure and bool(_PASCAL.match(value))


def _is_strong_password(value: str) -> bool:
    """A password that no command, version or key of something else looks like: for names that are ordinary words."""
    if " " in value or len(value) < 6 or is_code(value) or _RELATIVE.search(value) or is_public(value) or ":" in value:
        return False
    if _DATE.match(value) or _COMMON.match(value) or re.search(r"[`${}<>/=@]{1}.*[`${}<>/]|^[#@^~-]|==", value):
        return False
    return alternations(value) >= 2 or (any(map(str.isdigit, value)) and any(c in "!$%&*?#" for c in value[1:]))


def plain_word(value: str) -> bool:
    """Whether a lower-case word may be a password made of words, and no adjective or participle of prose."""
    return value.isalpha() and value.islower() and value.isascii() and len(value) >= 9 and not _INFLECTED.search(value)


@lru_cache(maxsize=4096)
def mixed_case(value: str) -> bool:
    """Whether upper case, lower case and digits change as often as chance makes them, which no camel-case name does."""
    return len(_CLASS_CHANGES.findall(value)) * 100 >= len(value) * 37 and not is_identifier(value)


def harsh(value: str) -> bool:
    """Whether letters follow one another as in no word: chance made them."""
    low = value.lower()
    pairs = [low[at : at + 2] for at in range(len(low) - 1) if low[at : at + 2].isalpha()]
    return len(pairs) < 4 or sum(pair in BIGRAMS for pair in pairs) * 100 < len(pairs) * 52


def _shuffled_letters(value: str) -> bool:
    """As `mixed_case`, for values with no digit to tell them from words: both cases, often."""
    return mixed_case(value) and not value.islower() and not value.isupper()


def _is_token(value: str, kind: Kind, certainty: Certainty) -> bool:
    if certainty is Certainty.SURE and kind is Kind.TOKEN and value.isascii() and len(value) >= 16 and is_keyed(value):
        return True
    if " " in value or len(value) < 12 or not value.isascii():
        return certainty is Certainty.SURE and kind is Kind.TOKEN and _is_short_token(value)
    prose = certainty is not Certainty.SURE
    changes = alternations(value)
    if re.search(r"\)[,;{.]|[;{}\n]|=>|&&|\|\||^[),.:(\[]", value):
        return not prose and kind is Kind.TOKEN and _scrambled(value)
    if kind is Kind.GENERIC:
        return (
            len(value) >= 20
            and not _UUID.match(value[:36])
            and _PLAIN.match(value) is not None
            and changes >= 6
            and not _DIGEST.search(value)
            and not is_structured(value)
        )
    if _UUID.match(value):
        return True
    if changes < 4 and is_identifier(value) and not (harsh(value) and not prose):
        return False
    if value.isdigit():
        return len(value) >= 16 and not prose and len(set(value)) > 4
    if certainty is Certainty.UNSURE and not re.fullmatch(r"[A-Za-z0-9+/=_~.:-]+", value):
        return False
    if len(value) >= (20 if prose else 16) and changes >= (6 if prose else 4) and not is_structured(value):
        return True
    if not re.fullmatch(r"[A-Za-z0-9+/=_~.-]+", value):
        return not prose and (mixed_case(value) or _scrambled(value))
    if len(value) >= 20 and (_shuffled_letters(value) or (value.isalnum() and _varied(value) and harsh(value))):
        return True
    if prose:
        return False
    return _is_token_in_a_sure_place(value, changes)


def _varied(value: str) -> bool:
    return any(map(str.isdigit, value)) and any(map(str.isupper, value)) and any(map(str.islower, value))


def _scrambled(value: str) -> bool:
    """Letters of both cases, digits and signs in no order that code has."""
    return (
        len(value) >= 16
        and _varied(value)
        and not re.search(r"\(\)|\)[.;,{]|=>|\$\{|\{\{|\]\(|\w\(\w+[,)]|::|->", value)
    )


def _is_token_in_a_sure_place(value: str, changes: int) -> bool:
    digits = sum(map(str.isdigit, value))
    if value.isalnum() and changes >= 4 and not is_structured(value):
        return True
    if value.isalnum() and len(value) >= 14 and (digits or len(value) >= 24) and harsh(value):
        return True
    if value.isalnum() and changes >= 1 and digits >= 2:
        return len(value) >= (16 if changes >= 2 else 24) and not _NUMBERED.match(value)
    if len(value) >= 40 and "." in value and harsh(value) and not is_structured(value):
        return True
    return len(value) >= 16 and value.isalnum() and _shuffled_letters(value)


def _is_short_token(value: str) -> bool:
    """A short value of a token's name: random, with no sign in it."""
    return len(value) >= 8 and value.isalnum() and value.isascii() and alternations(value) >= 3


def is_keyed(value: str) -> bool:
    """Whether a value may be what a service gave out, where a key word or a service's name says so.

    Looser than `is_secret`: the digits of an example in order do, a row of words with a number does not.
    """
    if len(value) < 12 or not _UNBROKEN.match(value) or is_placeholder(value) or is_public(value) or is_path(value):
        return False
    if value.isdigit():
        return len(value) >= 16 and len(set(value)) > 4
    if _DATE.match(value) or (_REFERENCE.match(value) and not _random_parts(value)) or _MADE_OF_SETS.search(value):
        return False
    if _UUID.match(value):
        return True
    parts = _PARTS.split(value)
    digits = sum(map(str.isdigit, value))
    if any(len(part) >= 8 and alternations(part) >= 1 and not _is_numbered(part) for part in parts):
        return digits >= 2
    if len(parts) >= 3 and digits >= 6:
        return sum(alternations(part) > 0 for part in parts) * 2 >= len(parts)
    longest = max(parts, key=len)
    return len(longest) >= 20 and (digits >= 2 or (harsh(longest) and not is_identifier(longest)))


def is_row_key(value: str) -> bool:
    """Whether a value is a UUID, or words and a short number: under a name that only ends in key the key of a row."""
    return bool(_UUID.match(value) or _WORDS_AND_NUMBER.match(value))


def _is_numbered(part: str) -> bool:
    """Whether a part is words with a number: ``Ed448PrivateKey``, ``build20260102``."""
    return bool(_NUMBERED.match(part)) or (
        len(part) <= 24 and alternations(part) <= 2 and not part.islower() and is_identifier(part)
    )


def is_structured(value: str) -> bool:
    """Whether the digits of a value come from numbered words or dates rather than from chance."""
    if re.match(r"^[a-z]+(?:[-_.][a-z0-9]+)*-?\d{4}-\d\d-\d\d", value):
        return True
    return alternations(value) < 12 and max(map(alternations, re.split(r"[^A-Za-z0-9]+", value))) < 3
