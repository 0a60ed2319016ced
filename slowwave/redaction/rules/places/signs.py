"""What stands between a name and its value: signs, words, the end of a line. Standard library only."""

from __future__ import annotations

import re
from functools import cache

from slowwave.text.lazy import lazy

# What may close a name: quotes, also escaped ones, brackets; then a remark in brackets.
CLOSE = lazy(
    r"""(?P<close>\\{0,3}["'`]|\*\*|__|\]|\)|"\]|'\])?\\{0,3}["'\])]?(?P<gap>[ \t]{0,20}(?:\((?![\"'`\\])[^()\n]{0,40}\)[ \t]{0,4}|\[[^\[\]\n]{0,40}\](?=:)|\*\*(?=[ \t]*[:=]))?)"""
)

_PIECES: tuple[tuple[str, str], ...] = (
    (")]ox|?. \t", r"""(?P<fallback>\)?\]?[ \t]*(?:\bor\b(?![ \t]*`)|\|\||\?\?|\?:|\.unwrap_or(?:_else)?\((?:\|\|)?|\.or(?:Else|_else)\(|\|[ ]*default\()[ \t]*(?=\\{0,3}["'`]))"""),
    (":+.?|~=-＝→⇒<", r"""(?P<assign><-(?=[ \t])|::=|:=|\+=|\.=|\?\?=|\|\|=|\?=|~=|=>|->|→|⇒|={1,3}|＝|~(?=[ \t]))"""),
    (":", r"""(?P<default>:[-=](?=[^\s}]))"""),
    ("：:*?»›❯▸", r"""(?P<colon>：|:[ \t]*[»›❯▸…·](?=[ \t])|\*{0,2}:\*{0,2}(?!//)|[?][ \t]*[»›❯▸>:](?=[ \t])|[»›❯▸](?=[ \t]))"""),
    (",", r"""(?P<pair>,[ \t]*\n?[ \t]*\\{0,3}["']?(?:value|val|default|content)\\{0,3}["']?[ \t]*[:=][ \t]*)"""),
    (",", r"""(?P<comma>,[ \t]*(?=\\{0,3}["'`]))"""),
    ("><", r"""(?P<element>>(?:[ \t\r\n]*<!\[CDATA\[)?[ \t\r\n]{0,80}(?=[^<>\s])|</key>\s{0,40}<(?:string|data)>\s{0,40})"""),
    (" \tvcd\n", r"""(?P<attribute>[ \t]*(?:value|content|default)[ \t]{0,4}=[ \t]{0,4}|[ \t]*\n[ \t]*value:[ \t]+)"""),
    ("(", r"""(?P<call>\((?=[ \t]*\\{0,3}["'`]))"""),
    ("|,;\t ", r"""(?P<cell>\||[,;](?=[^\s"'`])|\t|[ ]{2,}(?=\S))"""),
    ("iwabeéèlrtgh", r"""(?P<verb>\b(?:is|was|has[ ]been)[ ](?:generated|created|issued|assigned|reset|set)[ ](?:for|to|by)[ ][^\s:]{1,60}:|(?:(?:is|was|has[ ]been|got|were)[ ](?:now[ ])?(?:changed|reset|set|updated|rotated|switched)[ ]to|is|was|are|be|ist|es|est|é|è|lautet|equals|reads|to|as|will[ ]be)\b:?(?:[ ](?:now|set[ ]to|still|just))?)"""),
    ("fFodpv", r"""(?P<of>\b(?:for|FOR|of|on|für|von|de|del|do|da|du|des|pour|para|por|per|di|van|voor)[ ][^\n:=,.;]{1,50}?(?:[ ]=|:(?!//)|[ ](?:is|was|ist|es|est|lautet|é|è)\b:?))"""),
    ("\r\n", r"""(?P<line>\r?\n)"""),
)  # fmt: skip
"""The first characters of each kind of sign, and its pattern: a group with the name of the kind."""


@cache
def _signs(first: str) -> re.Pattern[str] | None:
    found = [pattern for characters, pattern in _PIECES if first in characters]
    return re.compile("|".join(found), re.VERBOSE) if found else None


def sign_at(text: str, at: int) -> re.Match[str] | None:
    """The sign that starts at an offset; its `lastgroup` says of which kind it is."""
    pattern = _signs(text[at : at + 1]) if at < len(text) else None
    return pattern.match(text, at) if pattern is not None else None


# A type annotation, a wrapper or a prefix before a quoted value.
_LEAD_IN = lazy(
    r"""[ \t]{0,20}(?:\\?\r?\n[ \t]{0,40}(?=["'`]))?
    (?:(?:Optional\[)?(?:str|string|String|SecretStr|&str|&'static[ ]str|text|const[ ]char[ ]?\*|bytes|Final|final[ ]String)(?:\[str\])?\]?(?:[ \t]{0,4}\|[ \t]{0,4}(?:None|null|undefined))?[ \t]{0,4}=[ \t]{0,4})?
    (?:![a-z][a-z-]{0,20}[ ]|\[\](?:byte|u8|rune)\((?=["']))?
    (?:(?:new[ ])?(?:[A-Za-z_.]{1,40}\.)?(?:SecretStr|Secret|String|bytes|Some|b64decode|from|pulumi\.secret|secret)\([^()"'`\n]{0,40}(?=\\{0,3}["'`])|Field\((?:default=)?
    |\((?=\\{0,3}["'`])|(?:Bearer|Basic|bearer|Token|token)[ ]|[bruf@$]{1,2}(?=["'`]))?""",
    re.VERBOSE,
)


def value_start(text: str, at: int) -> int:
    """Where a value starts after its sign: behind blanks, a type, a wrapper or a prefix of a string."""
    if text[at : at + 1] in ('"', "'", "`"):
        return at
    if text[at : at + 1] == " " and text[at + 1 : at + 2] in ('"', "'", "`"):
        return at + 1
    found = _LEAD_IN.match(text, at)
    return found.end() if found else at
