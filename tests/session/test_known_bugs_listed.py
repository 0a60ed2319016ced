"""Every report in docs/session-known-bugs.md is a test of ours, or is listed as not applicable."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def numbers_in(names: list[str]) -> set[int]:
    found: set[int] = set()
    for name in names:
        head = re.match(r"test_((?:\d\d(?:_and)?_)+)", name)
        found |= {int(number) for number in re.findall(r"\d\d", head[1])} if head else set()
    return found


def test_every_report_is_tested_or_explained() -> None:
    listed: set[int] = set()
    for first in re.findall(r"^\| ([\d, ]+) \|", (ROOT / "docs/session-known-bugs.md").read_text(), re.MULTILINE):
        listed |= {int(number) for number in first.split(",")}
    explained = {
        int(number)
        for number in re.findall(r"^\| (\d+) \|", (ROOT / "docs/session-not-applicable.md").read_text(), re.MULTILINE)
    }
    names: list[str] = []
    for file in ("tests/conversation/test_known_bugs_flush.py", "tests/session/test_known_bugs_injection.py"):
        names += re.findall(r"^def (test_\w+)", (ROOT / file).read_text(), re.MULTILINE)
    tested = numbers_in(names)
    assert listed == set(range(1, 57))
    assert tested | explained == listed
    assert not tested & explained
