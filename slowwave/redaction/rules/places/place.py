"""The form of a rule for a place: a secret that is known by where it stands. Standard library only."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from slowwave.redaction.findings import Finding
from slowwave.redaction.rules.places.spans import run_end
from slowwave.redaction.rules.rule import NOTHING, Outcome
from slowwave.redaction.scan.names import Kind
from slowwave.redaction.scan.values import is_placeholder, is_secret
from slowwave.text.lazy import lazy


def real(value: str) -> bool:
    """No placeholder."""
    return not is_placeholder(value)


def random_looking(value: str) -> bool:
    """A value that chance made."""
    return is_secret(value, Kind.TOKEN)


def password_like(value: str) -> bool:
    """A value that may be a password."""
    return is_secret(value, Kind.PASSWORD)


def in_address(value: str) -> bool:
    """The password of a URL: anything but a placeholder, a port or a word such as `password` or `APIKEY`."""
    return (
        is_secret(value, Kind.PASSWORD) and not _DOCUMENTED.search(value) and not (value.isdigit() and len(value) < 6)
    )


def typed(value: str) -> bool:
    """The password of a command line: anything but a placeholder, a variable or another flag."""
    return value[0] not in "-$%{([" and is_secret(value.rstrip(",;)"), Kind.PASSWORD) and not _DOCUMENTED.search(value)


_DOCUMENTED = lazy(r"^[A-Za-z_-]*(?:token|pass|password|key|secret|user|name|email)[A-Za-z_-]*$", re.IGNORECASE)


@dataclass(frozen=True)
class PlaceRule:
    """A place. `pattern` is verbose; group ``s`` is the secret, which `accept` weighs.

    It is matched at the anchor, or searched for from `back` characters before it; it may reach `ahead` characters after
    the anchor. `fold` ignores case. Where nothing matches, anchors within `run` (a pattern) are not tried again.
    A finding whose match reached its limit goes on to the end of its unbroken run. `learn` says whether its value may be
    looked for elsewhere.
    """

    type: str
    anchors: tuple[str, ...]
    pattern: str
    accept: Callable[[str], bool] = real
    back: int = 0
    ahead: int = 500
    fold: bool = False
    strong: bool = False
    always: bool = False
    run: str = ""
    learn: bool = True

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The compiled pattern, made at the first hit."""
        return re.compile(self.pattern, re.VERBOSE | (re.IGNORECASE if self.fold else 0))

    @cached_property
    def run_pattern(self) -> re.Pattern[str]:
        """The compiled `run`."""
        return re.compile(self.run)

    def _around(self, text: str, at: int) -> re.Match[str] | None:
        """The first match that holds the anchor; those before it belong to anchors of their own."""
        begin, end = max(0, at - self.back), at + self.ahead
        while (match := self.compiled.search(text, begin, end)) is not None and match.end() <= at:
            begin = match.end()
        return match

    def find(self, text: str, at: int, anchor: str) -> Outcome:
        """The secret at the place around the anchor."""
        match = self._around(text, at) if self.back else self.compiled.match(text, at, at + self.ahead)
        if match is None:
            stretch = self.run_pattern.match(text, at, at + self.ahead) if self.run else None
            return NOTHING, stretch.end() if stretch else 0
        start, end = match.span("s")
        if not self.accept(text[start:end]):
            return NOTHING, match.end()
        if end - start >= 24:
            end = run_end(text, end) if end == match.end() else end
        return (Finding(start, end, self.type, self.learn),), end
