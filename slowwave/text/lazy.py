"""Patterns that are compiled at their first use: a hook starts a process at every turn and meets few of them. Standard
library only."""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("match", "fullmatch", "search", "findall", "finditer", "sub", "split")


class _LazyPattern:
    """Stands in for a compiled pattern; after the first call its methods are the pattern's own."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self._source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy(source: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern that is compiled when it is first used. Offers the methods of a compiled pattern."""
    return cast("re.Pattern[str]", _LazyPattern(source, flags))
