"""Patterns that are compiled at their first use: a hook is a process that starts at every turn and needs few of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property


class Lazy:
    """A regular expression. It costs nothing until it is asked."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._pattern = pattern
        self._flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return re.compile(self._pattern, self._flags)

    def match(self, text: str) -> re.Match[str] | None:
        """Match at the beginning of a text."""
        return self.compiled.match(text)

    def search(self, text: str) -> re.Match[str] | None:
        """Find the first match in a text."""
        return self.compiled.search(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Find every match in a text."""
        return self.compiled.finditer(text)
