"""Private keys: PEM, OpenSSH, PGP and PuTTY blocks, whole or cut off, in whatever frame they stand. Standard library only."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from slowwave.redaction.findings import Finding
from slowwave.redaction.rules.rule import NOTHING, Outcome

BLOCK_REACH = 32_768


@dataclass(frozen=True)
class PrivateKeyRule:
    """Private key blocks."""

    type: str = "private-key"
    anchors: tuple[str, ...] = ("PRIVATE KEY", "PuTTY-User-Key-File-", "Private-Lines:")
    fold: bool = False
    strong: bool = True
    always: bool = True

    def find(self, text: str, at: int, anchor: str) -> Outcome:
        """The block that the anchor opens."""
        finding = private_key(text, at, len(anchor))
        return ((finding,), finding.end) if finding else (NOTHING, 0)


@cache
def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name])


_PATTERNS = {
    "body": r"[A-Za-z0-9+/=]{16,}",
    "begin": r"-{4,5}[ ]?BEGIN [A-Z0-9 ]{0,40}\Z",
    "end": r"-{4,5}[ ]?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?[ ]?-{0,5}",
    # Header lines, base64, indents, quote marks, line numbers, diff signs and escaped line ends, with no word between.
    "material": r"(?:[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=]{1,80}(?=\s|\\|$|[\"'`])|(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash|MessageID)[ ]?:[^\n\\]{0,120}|\\+[nrt]|[\s\"'`,+>|#*\\:-]|\d{1,6}(?=[\t:|→ ]))+",
    "putty": r"[^\n]{0,40}(?:\\n|\r?\n)(?:.|\n){0,8000}?Private-MAC: ?[0-9a-fA-F]{8,128}",
}


def private_key(text: str, at: int, length: int) -> Finding | None:
    """The block around an anchor of `PrivateKeyRule` that stands at [at, at + length), or None when it opens none."""
    if text[at : at + 2] == "Pu":
        return _putty(text, at)
    if text[at : at + 2] == "Pr":
        return Finding(at, _material_end(text, at + length), "private-key")
    begin = _compiled("begin").search(text, max(0, at - 60), at)
    if begin is None:
        return None
    opened = text.find("BEGIN ", at + length, at + BLOCK_REACH)
    end = _compiled("end").search(text, at + length, at + BLOCK_REACH if opened < 0 else opened)
    if end:
        if not _compiled("body").search(text, at + length, end.start()):
            return None
        return Finding(begin.start(), end.end(), "private-key")
    stop = _material_end(text, at + length)
    return Finding(begin.start(), stop, "private-key") if stop - at > length + 40 else None


def _material_end(text: str, at: int) -> int:
    rest = _compiled("material").match(text, at, at + BLOCK_REACH)
    return rest.end() if rest else at


def _putty(text: str, at: int) -> Finding | None:
    whole = _compiled("putty").match(text, at, at + BLOCK_REACH)
    if whole:
        return Finding(at, whole.end(), "private-key")
    lines = text.find("Private-Lines:", at, at + BLOCK_REACH)
    if lines < 0:
        return None
    return Finding(at, _material_end(text, lines + 14), "private-key")
