"""What every rule is, and the form of a token rule. Standard library only."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from slowwave.redaction.findings import Finding
from slowwave.redaction.rules.places.spans import TOKEN_RUN
from slowwave.redaction.scan.values import alternations, harsh, is_identifier, is_placeholder, is_structured, mixed_case
from slowwave.text.lazy import lazy

Outcome = tuple[tuple[Finding, ...], int]
"""What a rule found at an anchor, and the offset up to which its further anchors need no look."""
NOTHING: tuple[Finding, ...] = ()


class Rule(Protocol):
    """A kind of secret, looked for where one of its anchors stands and nowhere else.

    `fold` ignores the anchors' case. `strong` rules prove a secret by themselves: no allowlist may switch one off.
    `always` rules are tried inside a span that another rule has found, too.
    """

    @property
    def type(self) -> str: ...
    @property
    def anchors(self) -> tuple[str, ...]: ...
    @property
    def fold(self) -> bool: ...
    @property
    def strong(self) -> bool: ...
    @property
    def always(self) -> bool: ...

    def find(self, text: str, at: int, anchor: str) -> Outcome:
        """Look at the anchor that stands at `at`. Looks at a bounded stretch of text only."""
        ...


@dataclass(frozen=True)
class TokenRule:
    """A credential that is known by a fixed piece of text, its anchor.

    `body` is what may follow the anchor, always bounded. With `back` the token starts before the anchor: `back` is a
    pattern that must end where the anchor starts, `reach` how many characters it may need. `edge` asks for a left edge
    (the anchor is too common inside words), `mixed` for a body in which letters and digits alternate (the anchor is a
    common word itself).
    """

    type: str
    anchors: tuple[str, ...]
    body: str
    edge: bool = False
    mixed: bool = False
    back: str = ""
    reach: int = 0
    fold: bool = False

    @property
    def strong(self) -> bool:
        """Whether the anchor alone is proof enough."""
        return not self.mixed

    @property
    def always(self) -> bool:
        """A strong token keeps its type when it stands where a name has already given its value away."""
        return self.strong

    @cached_property
    def body_pattern(self) -> re.Pattern[str]:
        """The compiled body; compiled at the first hit, so that a hook pays for what it meets."""
        return re.compile(self.body)

    @cached_property
    def back_pattern(self) -> re.Pattern[str]:
        """The compiled part before the anchor, matched to end at the anchor."""
        return re.compile(f"(?:{self.back})\\Z")

    def find(self, text: str, at: int, anchor: str) -> Outcome:
        """The token around the anchor."""
        start = at
        if self.back:
            before = self.back_pattern.search(text, max(0, at - self.reach), at)
            if before is None:
                return NOTHING, 0
            start = before.start()
        elif (self.edge or _inside_a_run(text, at, anchor)) and not (left_edge(text, at) or _in_path(text, at, anchor)):
            return NOTHING, 0
        end = at + len(anchor)
        match = self.body_pattern.match(text, end, end + 9000)
        if match is None:
            return NOTHING, 0
        # A token that ends with its anchor is weighed by what stands before it.
        body = match.group() or text[start:at]
        if len(set(body)) < 4 or ("_" in body and alternations(body) < 2 and is_identifier(body)):
            # Nothing but words up to the end of the match, so none of the anchors inside it starts a token either.
            return NOTHING, match.end()
        if is_placeholder(body) or (self.mixed and text[start - 3 : start] == "h1:"):
            return NOTHING, 0
        if self.mixed and not (_shuffled(body) or (alternations(body) >= 3 and not is_structured(body))):
            return NOTHING, 0
        stop = TOKEN_RUN.match(text, match.end()).end()  # type: ignore[union-attr]  # matches the empty text too
        return (Finding(start, stop, self.type),), stop


def _shuffled(body: str) -> bool:
    both = any(map(str.isupper, body)) and any(map(str.islower, body))
    return mixed_case(body) or (harsh(body) and (both or (body.isalnum() and len(body) >= 24)))


SHORT_ANCHOR = 5


def _inside_a_run(text: str, at: int, anchor: str) -> bool:
    """Whether an anchor stands behind a letter or digit: a short one by chance, one of words as a word's end."""
    if at == 0 or not (text[at - 1].isascii() and text[at - 1].isalnum()):
        return False
    return len(anchor) <= SHORT_ANCHOR or (anchor[-1] in "_-" and anchor[:-1].replace("_", "a").isalpha())


def _in_path(text: str, at: int, anchor: str) -> bool:
    """Whether the anchor begins a part of a path, of a dotted or of a dashed name.

    No base64 has an underscore, so it is no chance; base64url has one, so behind a dash only a long anchor counts.
    """
    return "_" in anchor and at > 0 and (text[at - 1] in "/." or (text[at - 1] == "-" and len(anchor) >= 4))


_TOKEN_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/.")
_ESCAPE = lazy(r"(?:\\[nrtfb0]|%[0-9A-Fa-f]{2}|\\u[0-9a-fA-F]{4}|\[[0-9;]{1,12}m)\Z")


def left_edge(text: str, at: int) -> bool:
    """Whether a token may start here: no token character before it, or an escape sequence that only looks like one."""
    if at == 0 or text[at - 1] not in _TOKEN_CHARACTERS:
        return True
    tail = text[at - 14 if at > 14 else 0 : at]
    return ("\\" in tail or "%" in tail or tail[-1] == "m") and bool(_ESCAPE.search(tail))


ALNUM = "[A-Za-z0-9]"
URL64 = "[A-Za-z0-9_-]"
_EXACT = {"%A": ALNUM, "%U": URL64, "%B": "[A-Za-z0-9+/]", "%H": "[0-9a-fA-F]"}
_WIDE = {"%A": URL64, "%U": URL64, "%B": "[A-Za-z0-9+/_-]", "%H": ALNUM}


def rows(table: str) -> tuple[TokenRule, ...]:
    r"""Read a table of rules, one a line: ``type | anchors | body | flags``.

    Anchors are separated by blanks, a blank in one is written ``\s``. In the body ``%A`` stands for letters and digits,
    ``%U`` for base64url, ``%B`` for base64, ``%H`` for hexadecimal. Flags: ``e`` needs a left edge, ``m`` must be mixed.
    A rule without flags has a prefix that is proof enough: its alphabet is taken one step wider, because vendors change it.
    """
    out = []
    for line in table.strip().splitlines():
        if not line.strip():
            continue
        name, anchors, body, *flags = (cell.strip() for cell in line.split(" | "))
        flag = flags[0] if flags else ""
        for short, long in (_EXACT if flag else _WIDE).items():
            body = body.replace(short, long)
        words = tuple(anchor.replace("\\s", " ") for anchor in anchors.split())
        out.append(TokenRule(name, words, body, edge="e" in flag, mixed="m" in flag))
    return tuple(out)
