"""Where a value begins and ends, by what stands around it. Standard library only.

A value runs to the end of its unbroken text, however long it is: half a secret is a secret.
"""

from __future__ import annotations

from typing import NamedTuple

from slowwave.text.lazy import lazy

REACH = 2_400
"""Characters of a value that decide on it; a hostile line must not be read again for every name in it."""
_TRAILING = "&.,;:!?)]}*\\\"'`>|"
_TRIPLE = lazy(r"(?:\"\"\"|''')(?P<value>[^\n\"']{4,})(?:\"\"\"|''')")
_QUOTED = lazy(
    r"""(?P<slash>\\{0,3})(?P<mark>["'`「『“‘«])(?:\\?["'])?(?P<value>(?:(?!(?P=mark))[^\n\r」』”’»\\]|\\(?!["'`nr])[^\n\r])*)"""
    r"""(?:\\?["'])?(?P<end>(?P=slash)(?:(?P=mark)|[」』”’»]))"""
)
# NAME=other=...: what follows is a name again, which is weighed by itself.
CHAINED = lazy(r"[A-Za-z_.-]{2,40}=[^=\s]")
_BARE = lazy(
    r"""(?:[^\s"'`<>,;\x00。，、；」』）】！？\\&]++|\\(?![rnt"'\\])|&(?![A-Za-z_][A-Za-z0-9_.-]{0,40}=|[a-z]{2,5};)|['`](?=[A-Za-z0-9]))+"""
)
_OPENED = lazy(r"""\\{0,3}["'`]([^\s"'`<>,;\x00]++)""")
_RUN = lazy(r"[A-Za-z0-9+/=_.~%-]*+")
_TOKEN_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/_.~%-"
TOKEN_RUN = lazy(r"[A-Za-z0-9_-]*+")
_LINE = lazy(r"[^\n\r]*+")


class Value(NamedTuple):
    """A value's span in a text, and how it stands there.

    `after` is the rest of its line. A quoted value is text; a bare one may be an expression.
    """

    start: int
    end: int
    quoted: bool
    after: str

    @property
    def ends_line(self) -> bool:
        """Whether nothing but a comment follows on the line."""
        rest = self.after.strip()
        return not rest or rest[0] == "#" or rest[:2] in ("//", "--") or rest in (".", "`", "**", "|")


def value_at(text: str, at: int) -> Value | None:
    """The value that starts at `at`: quoted, or a bare run without what may only close a sentence.

    No more than `REACH` characters are looked at; `whole` gives the end of a value that goes on.
    """
    limit = at + REACH
    if CHAINED.match(text, at, at + 60):
        return None
    quoted = _TRIPLE.match(text, at, limit) or _QUOTED.match(text, at, limit)
    if quoted:
        start, end = quoted.span("value")
        return Value(start, end, True, _rest(text, quoted.end())) if end > start else None
    bare = _BARE.match(text, at, limit)
    if bare is None:
        # An opening quote whose end was cut off, or is further away, still names a value.
        opened = _OPENED.match(text, at, limit)
        return Value(*opened.span(1), False, _rest(text, opened.end(1))) if opened else None
    begin, stop = bare.span()
    while stop > begin and text[stop - 1] in _TRAILING and not (text[stop - 1] in "!?" and _inner(text, begin, stop)):
        stop -= 1
    return Value(begin, stop, False, _rest(text, stop)) if stop > begin else None


def whole(text: str, start: int, end: int) -> int:
    """The end of a value that was looked at up to `end`: further on where it is longer than `REACH`."""
    if end - start < REACH - 8:
        return end
    found = _BARE.match(text, end)
    return found.end() if found else end


def _inner(text: str, begin: int, stop: int) -> bool:
    """Whether a sign at a value's end belongs to it: `tiger42!` at the end of a line of configuration."""
    return any(map(str.isdigit, text[max(begin, stop - 40) : stop])) and text[stop : stop + 1] in (
        "",
        "\n",
        "\r",
        '"',
        "'",
    )


def _rest(text: str, at: int) -> str:
    return text[at : _LINE.match(text, at, at + 200).end()]  # type: ignore[union-attr]  # matches the empty text too


def run_end(text: str, at: int) -> int:
    """The end of the unbroken run of token characters that goes on at `at`."""
    found = _RUN.match(text, at)
    return found.end() if found else at


def run_length(text: str, end: int) -> int:
    """How many token characters stand right before `end`, sixty at most."""
    head = text[max(0, end - 60) : end]
    return len(head) - len(head.rstrip(_TOKEN_CHARACTERS))


def line_start(text: str, at: int) -> int:
    """The offset of the first character of the line."""
    return max(text.rfind("\n", max(0, at - 400), at) + 1, at - 400, 0)
