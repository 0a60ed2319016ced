"""Python 3.11.0 to 3.11.4 match a possessive group wrongly when something in it can backtrack (python/cpython#106052).

A pattern that meets this fault loses the end of a secret on those versions only, so the patterns themselves are
looked at.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import pytest

import slowwave.redaction
import slowwave.text
from slowwave.text.lazy import _LazyPattern

parser: Any = importlib.import_module("re._parser")
constants: Any = importlib.import_module("re._constants")
GROUPS = (constants.POSSESSIVE_REPEAT, constants.ATOMIC_GROUP)
CAN_BACKTRACK = (constants.BRANCH, constants.MAX_REPEAT, constants.MIN_REPEAT)


def operations(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every operation of a parsed pattern with its argument, outermost first."""
    if isinstance(node, parser.SubPattern):
        for operation, argument in node.data:
            yield operation, argument
            yield from operations(argument)
    elif isinstance(node, tuple | list):
        for part in node:
            yield from operations(part)


def wrong_on_old_pythons(source: str, flags: int = 0) -> bool:
    return any(
        operation in GROUPS and any(inside in CAN_BACKTRACK for inside, _ in operations(argument))
        for operation, argument in operations(parser.parse(source, flags & ~re.DEBUG))
    )


def sources() -> dict[str, int]:
    """The patterns of the modules that tell secrets and pasted text, with their flags."""
    found: dict[str, int] = {}
    for package in (slowwave.redaction, slowwave.text):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for value in vars(importlib.import_module(module.name)).values():
                for one in value if isinstance(value, tuple) else (value,):
                    if isinstance(one, re.Pattern) and isinstance(one.pattern, str):
                        found[one.pattern] = one.flags
                    elif isinstance(one, _LazyPattern):
                        found[one._source] = one._flags
    return found


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        (r"(?:ab|c)*+d", True),
        (r"(?>a*b)", True),
        (r"(?:a[bc]*+)++", False),
        (r"[ab]*+c", False),
        (r"(?:ab|c)*d", False),
    ],
)
def test_what_counts_as_wrong(source: str, wrong: bool) -> None:
    assert wrong_on_old_pythons(source) is wrong


def test_no_pattern_meets_the_fault() -> None:
    looked_at = sources()
    assert len(looked_at) > 100
    assert [source for source, flags in looked_at.items() if wrong_on_old_pythons(source, flags)] == []
