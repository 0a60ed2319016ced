"""Secrets in sentences: before their name, beside an id or a login, named in another script. Standard library only."""

from __future__ import annotations

from dataclasses import dataclass

from slowwave.redaction.findings import Finding
from slowwave.redaction.rules.places.place import PlaceRule, typed
from slowwave.redaction.rules.places.spans import value_at, whole
from slowwave.redaction.rules.rule import NOTHING, Outcome
from slowwave.redaction.scan.names import WORDS_OTHER_SCRIPTS, Kind
from slowwave.redaction.scan.values import Certainty, is_placeholder, is_secret, mixed_case, plain_word
from slowwave.text.lazy import lazy

# "V is the API key", "use V as the token": the words up to the name, then the value before them, read backwards.
_LINKED = lazy(
    r"""[ ](?:is|as|\((?=[a-z]))[ ]?(?:now[ ])?(?:the|my|our|your|his|her|their|its|a|an|this)?[ ]?(?:[A-Za-z0-9'-]{1,20}[ ]){0,3}\Z"""
)
_BEFORE = lazy(r""",?["'`]?(?P<value>[^\s"'`<>()]{6,})["'`]?(?:\Z|[\s(\[{:>])""")
_SECRET_KEY = lazy(r"(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")
_OTHER_SIGN = lazy(
    r"""[」』】)"'`*]{0,3}[ \t]{0,8}(?:(?:for|от|для|von|für|de|del|do|da|của|para|pour|por|per|voor|di|van|dla|du|des|la)[ ][^\n:=]{1,30}?(?=[:=]|[ ](?:es|est|ist|é|là)[ ]))?[ \t]*(?:[^\x00-\x7f：＝「『是为為はがをคื는은가이를를]{0,16}?(?P<sign>[:：=＝]|改成了?|改为|设为|设置为|重置为|変更は|→|是|为|為|は|が|を|คือ|เป็น|는|은|가|이|를|을|—|–|->|-|это|es|est|ist|é|là|lautet|is))?[:：]?[ \t]{0,8}(?:\n(?=[\x21-\x7e]{6,}\n?))?"""
)
_OPENERS = ("「", "『", "“", "‘", "«")
_ASCII = lazy(r"[\x21-\x7e]+")
_PARTICLE = lazy(r"[\x21-\x7e][\"'`」』]?[ ]?(?:を|是|作为|作為|当作|が|는|은|을|를|เป็น|คือ)")
_OTHER_BEFORE = lazy(
    r"""(?:\A|[^\x21-\x7e])(?P<value>[\x21-\x7e]{6,}?)["'`」』]?[ ]?(?:を|是|作为|作為|当作|が|는|은|을|를|เป็น|คือ)[^\x21-\x7e\n]{0,8}\Z"""
)


def before(text: str, start: int, end: int, kind: Kind) -> tuple[Finding, ...]:
    """The value that stands before its name at [start, end), which may be more than a name's length away."""
    head = text[max(0, start - 60) : start]
    if " is " not in head and " as " not in head and " (" not in head and " = " not in head:
        return ()
    found = _value_before(text, start) if kind not in (Kind.NONE, Kind.WORD) else None
    if found is None:
        return ()
    left, right = found
    while right > left and text[right - 1] in ",.;:":
        right -= 1
    value = text[left:right]
    wanted = Kind.PASSWORD if kind is Kind.PASSWORD else Kind.TOKEN
    if wanted is Kind.PASSWORD and value.isalpha() and text[left - 1 : left] not in ("`", '"', "'"):
        return ()
    if not is_secret(value, wanted, Certainty.LIKELY, literal=wanted is Kind.PASSWORD):
        return ()
    return (Finding(left, right, "password" if wanted is Kind.PASSWORD else "token", False),)


def _value_before(text: str, start: int) -> tuple[int, int] | None:
    """The word before a link such as ``is the`` that ends at a name's start."""
    link = _LINKED.search(text, max(0, start - 90), start)
    while link is not None:
        at = link.start()
        found = _BEFORE.match(text[max(0, start - 400) : at][::-1])
        if found:
            return at - found.end("value"), at - found.start("value")
        link = _LINKED.search(text, at + 1, start)
    return None


@dataclass(frozen=True)
class ForeignNameRule:
    """Values beside a word for password, token or key in another script."""

    type: str = "password"
    anchors: tuple[str, ...] = WORDS_OTHER_SCRIPTS
    fold: bool = False
    strong: bool = False
    always: bool = False

    def find(self, text: str, at: int, anchor: str) -> Outcome:
        """The value that follows the word, or stands before it."""
        end = at + len(anchor)
        sign = _OTHER_SIGN.match(text, end, end + 60)
        at_value = sign.end() if sign else end
        value = (
            value_at(text, at_value)
            if text[at_value : at_value + 1] in _OPENERS or text[at_value : at_value + 1].isascii()
            else None
        )
        found = _ASCII.match(text, value.start, value.end) if value else None
        if value is None or found is None:
            return _before_other(text, at), end
        stop = found.end()
        while stop > value.start and text[stop - 1] in ".,;:?)]}*\\\"'`>|":
            stop -= 1
        word = text[value.start : stop]
        named = bool(sign and sign["sign"]) or value.quoted
        # More ASCII words follow in a sentence; a value stands alone before the other script goes on.
        alone = not text[stop : stop + 2].strip().isascii() or value.ends_line or value.quoted
        accepted = is_secret(word, Kind.PASSWORD, Certainty.LIKELY if named or value.ends_line else Certainty.UNSURE)
        accepted = accepted or is_secret(word, Kind.TOKEN, Certainty.LIKELY)
        if not accepted and named and alone:
            accepted = plain_word(word) and not is_placeholder(word)
        if not accepted:
            return _before_other(text, at), end
        stop = whole(text, value.start, stop)
        return (Finding(value.start, stop, "password", False),), stop


def _before_other(text: str, at: int) -> tuple[Finding, ...]:
    if not _PARTICLE.search(text, max(0, at - 10), at):
        return ()
    begin = max(0, at - 120)
    found = _OTHER_BEFORE.search(text[begin:at])
    if found is None or not is_secret(found["value"], Kind.PASSWORD, Certainty.LIKELY):
        return ()
    return (Finding(begin + found.start("value"), begin + found.end("value"), "password", False),)


@dataclass(frozen=True)
class KeyPairRule:
    """The secret half of a key pair whose id was recognised: on the same line, the next, or in the next cell."""

    type: str = "aws-secret-key"
    anchors: tuple[str, ...] = ("AKIA", "ASIA")
    fold: bool = False
    strong: bool = False
    always: bool = True

    def find(self, text: str, at: int, anchor: str) -> Outcome:
        """The secret within a few lines of the id."""
        id_end = at + 20
        if not text[at:id_end].isalnum() or not text[at:id_end].isupper():
            return NOTHING, 0
        for begin, end in ((id_end, id_end + 300), (max(0, at - 120), at)):
            for run in _SECRET_KEY.finditer(text, begin, end):
                value = run.group()
                varied = any(map(str.islower, value)) and any(map(str.isupper, value)) and any(map(str.isdigit, value))
                if varied and (mixed_case(value) or "/" in value or "+" in value):
                    return (Finding(run.start(), run.end(), self.type),), 0
        return NOTHING, 0


def _beside_a_login(value: str) -> bool:
    return is_secret(value, Kind.PASSWORD, Certainty.LIKELY) or (plain_word(value) and not is_placeholder(value))


_LOGIN = (
    r"(?:log(?:ged|ging)?[ -]?in|sign(?:ed|ing)?[ -]?in|login|credentials?|creds|logins?|username[ ]?/[ ]?password|user[ ]?/[ ]?pass(?:word)?|authenticate[ds]?|connect(?:ed)?|account"
    r"|zugangsdaten|anmeldedaten|logindaten|anmelden|einloggen|melde?[ ](?:dich|mich|sich|euch)|identifiants?|connecte[rz]?(?:[ -](?:toi|vous|moi))?|credenciales|inicia[r]?[ ]sesi[oó]n|entra[r]?|accede[r]?|credenziali|accedi|credenciais|inloggegevens|acceso)"
    r"(?=[ :=])(?:[ ](?:with|as|using|are|is|via|of|for[ ][\w.-]{1,30}(?:[ ](?:are|is))?|to[ ](?:the[ ])?[\w.:/-]{1,40}[ ](?:with|as|using)|mit|als|avec|con|como|com|met|(?:für|pour|para|per|voor)[ ][\w.-]{1,30}))?[ ]?[:=]?[ ]{0,3}(?:user(?:name)?[ :=]{1,3})?[\"'`]?"
)
_BETWEEN = r"[\"'`]?[ ]?(?:/|:|\||→|,[ ]?(?:and[ ])?(?:password|passwd|pass|pw|pwd)[ ]?(?:is[ ]|[:=][ ]?)?|[ ](?:and|with|password|pass|pw)[ ](?:the[ ])?(?:(?:password|pass|pw)[ :=]{1,3})?)[ ]?[\"'`]?"
_TWO = r"""["'](?:[^"'\n]{1,60})["'],[ ]*["'](?P<s>[^"'\n]{4,128})["']"""
LOGINS: tuple[PlaceRule, ...] = (
    PlaceRule(
        "password",
        ("auth=(", "basicauth(", "digestauth(", "basic_auth(", "passwordcredentials(", "networkcredential(", ".auth("),
        rf"""(?:auth=\(|[a-z]*(?:basic_?|digest)auth\(|[a-z]*credentials?\(|\.auth\(){_TWO}""",
        typed,
        fold=True,
    ),
    PlaceRule("password", ("login(", "authenticate(", "signin(", "sign_in(", "wifi.begin("), rf"""[a-z_.]+\({_TWO}\)""", _beside_a_login, fold=True, learn=False),
    PlaceRule(
        "password",
        ("use ",),
        r"""use[ ](?-i:[a-z0-9])[\w.@+-]{1,40}[ ]?[:/][ ]?(?P<s>[^\s"'`,;<>()\x00]{4,128})[ ]to[ ](?:log|sign)[ -]?in""",
        _beside_a_login,
        fold=True,
        learn=False,
    ),
    PlaceRule(
        "password",
        ("log in", "login", "sign in", "logged in", "logging in", "credential", "creds", "username/pass", "username / pass", "user/pass", "authenticat", "connect as", "connect with", "signed in", "sign-in", "log-in", "zugangsdaten", "anmeldedaten", "logindaten", "anmelden mit", "einloggen mit", "melde ", "meld ", "identifiant", "connecte", "inicia", "entra con", "entrar con", "accede con", "acceder con", "accedi con", "credenziali", "credenciales", "credenciais", "inloggegevens", "acceso"),
        rf"""{_LOGIN}(?-i:[a-z0-9])[\w.@+-]{{1,60}}?{_BETWEEN}(?P<s>[^\s"'`,;<>()\x00]{{4,128}})""",
        _beside_a_login,
        ahead=320,
        fold=True,
        learn=False,
    ),
)  # fmt: skip
"""Passwords that stand beside a login in a sentence."""
