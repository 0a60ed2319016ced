"""Personal details as an option: e-mail addresses, phone numbers and the names of home folders. Standard library only.

Off by default: a coding session is full of addresses that are no secret, and a rule like these cannot tell them apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from slowwave.redaction.findings import Finding

_RESERVED = (
    "example.com",
    "example.org",
    "example.net",
    "localhost",
    "invalid",
    "test",
    "local",
    "users.noreply.github.com",
)
_SHARED_HOMES = frozenset(
    [
        "shared",
        "public",
        "user",
        "username",
        "you",
        "me",
        "runner",
        "root",
        "vagrant",
        "ubuntu",
        "ec2-user",
        "node",
        "app",
        "default",
        "admin",
    ]
)


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    mail = re.compile(
        r"(?<![A-Za-z0-9._%+/:@-])(?P<s>[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?P<host>(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,24}))"
        r"(?![A-Za-z0-9@/:])"
    )
    phone = re.compile(
        r"(?<![A-Za-z0-9+./:=_-])(?P<s>\+[1-9]\d{0,2}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{2,4}(?:[ .-]?\d{2,4}){2,4}"
        r"|\(\d{3}\) ?\d{3}-\d{4}|(?<!\d)1[3-9]\d[ -]\d{4}[ -]\d{4}|0\d{1,3}-\d{2,4}-\d{4})(?![A-Za-z0-9_])"
    )
    home = re.compile(
        r"(?:/home/|/Users/|[A-Za-z]:\\{1,2}Users\\{1,2}|-home-|-Users-)(?P<s>[A-Za-z0-9._-]{2,32}?)(?=[/\\\s\"'`:;,)-]|$)"
    )
    return mail, phone, home


def scan(text: str) -> Iterator[Finding]:
    """Yield the personal details in a text."""
    mail, phone, home = _patterns()
    for match in mail.finditer(text):
        host = match["host"].lower()
        if not host.endswith(_RESERVED):
            yield Finding(*match.span("s"), "email")
    for match in phone.finditer(text):
        if 8 <= sum(map(str.isdigit, match["s"])) <= 15:
            yield Finding(*match.span("s"), "phone")
    for match in home.finditer(text):
        if match["s"].lower() not in _SHARED_HOMES:
            yield Finding(*match.span("s"), "home-name")
