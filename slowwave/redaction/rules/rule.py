"""The form of a token rule. Standard library only."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class TokenRule:
    """A credential that is known by a fixed piece of text, its anchor.

    `body` is what may follow the anchor, always bounded. With `back` the token starts before the anchor: `back` is a
    pattern that must end where the anchor starts, `reach` how many characters it may need. `edge` asks for a left edge
    (the anchor is too common inside words), `mixed` for a body in which letters and digits alternate (the anchor is a
    common word itself). A rule without either is a strong one: no allowlist may switch it off.
    """

    type: str
    anchors: tuple[str, ...]
    body: str
    edge: bool = False
    mixed: bool = False
    back: str = ""
    reach: int = 0

    @property
    def strong(self) -> bool:
        """Whether the anchor alone is proof enough."""
        return not self.mixed

    @cached_property
    def body_pattern(self) -> re.Pattern[str]:
        """The compiled body; compiled at the first hit, so that a hook pays for what it meets."""
        return re.compile(self.body)

    @cached_property
    def back_pattern(self) -> re.Pattern[str]:
        """The compiled part before the anchor, matched to end at the anchor."""
        return re.compile(f"(?:{self.back})\\Z")


ALNUM = "[A-Za-z0-9]"
URL64 = "[A-Za-z0-9_-]"
STD64 = "[A-Za-z0-9+/]"
HEX = "[0-9a-fA-F]"


def rows(table: str) -> tuple[TokenRule, ...]:
    r"""Read a table of rules: ``type | anchors | body | flags`` per line.

    In the body ``A`` after ``%`` stands for letters and digits, ``%U`` for base64url, ``%B`` for base64, ``%H`` for hex.
    Anchors are separated by blanks, a blank in one is written ``\s``. Flags: ``e`` needs a left edge, ``m`` must be mixed.
    """
    out = []
    for line in table.strip().splitlines():
        if not line.strip():
            continue
        name, anchors, body, *flags = (cell.strip() for cell in line.split(" | "))
        for short, long in (("%A", ALNUM), ("%U", URL64), ("%B", STD64), ("%H", HEX)):
            body = body.replace(short, long)
        flag = flags[0] if flags else ""
        words = tuple(anchor.replace("\\s", " ") for anchor in anchors.split(" "))
        out.append(TokenRule(name, words, body, edge="e" in flag, mixed="m" in flag))
    return tuple(out)
