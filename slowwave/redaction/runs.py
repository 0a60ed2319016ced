"""Long unbroken runs of token characters: weighed by what stands before them, or decoded. Standard library only.

Starts from the value, where the other rules start from a name or a prefix: a random-looking run beside a service's name is
that service's credential, and a run that decodes to a text with a secret in it is one too.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from slowwave.redaction.findings import Finding
from slowwave.redaction.names import Kind, classify, split_words
from slowwave.redaction.rules.vendors import distinct_vendors, vendors
from slowwave.redaction.values import alternations, is_placeholder, is_secret

SHORTEST = 16
LONGEST_VALUE = 512
SHORTEST_ENCODED = 24
LONGEST_ENCODED = 65_536

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-"
_TABLE = bytes(0x61 if code in _ALPHABET else 0x20 for code in range(256))


@cache
def _run_pattern() -> re.Pattern[bytes]:
    # Spelt out so that the engine's literal-prefix search skips everything shorter in one pass.
    return re.compile(b"a" * SHORTEST + b"a*")


def runs(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of every run of at least `SHORTEST` base64 or base64url characters."""
    flat = text.encode("latin-1", "replace").translate(_TABLE)
    for match in _run_pattern().finditer(flat):
        yield match.span()


_LEFT = re.compile(
    r"""(?P<name>[A-Za-z][A-Za-z0-9_.$ /-]{0,70}?)\\{0,3}["'`\])]{0,3}[ \t]{0,8}
    (?P<sign>:=|=>|->|={1,2}|\?=|\|\||:|：|,|>|\bis\b|\||[ \t]|\()[ \t\\]{0,8}["'`(\[{<]{0,3}(?:Bearer[ ]|[Tt]oken[ ])?\Z""",
    re.VERBOSE,
)
_HEX = re.compile(r"[0-9a-f]+\Z|[0-9A-F]+\Z")
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\Z")
_NO_SECRET = re.compile(
    r"\b(?:sha\d*|commit|hash|digest|checksum|revision|rev|md5|etag|integrity|uuid|guid|trace|span|request|req|session|thread|"
    r"message|msg|event|issue|pull|blob|tree|object|id|ids|ref|refs|url|path|file|version|build|artifact|image|layer|page|doc|docs|"
    r"run|job|pipeline|workflow|node|branch|tag|release|cache|nonce|fingerprint|public|publishable|account|project|user|org|team|tenant|"
    r"client|app|application|zone|region|chat|channel|room|folder|filename|import|from|require|function|class|def|var|let|encrypted|content|model)\b"
)


def named_run(text: str, start: int, end: int) -> Finding | None:
    """The run as a service's credential, if what stands before it says so."""
    if end - start > LONGEST_VALUE or end - start < SHORTEST:
        return None
    # NAME=value is one run: only what follows the last sign inside it is the value.
    start = max(start, text.rfind("=", start, start + len(text[start:end].rstrip("="))) + 1)
    value = text[start:end]
    if len(value) < SHORTEST:
        return None
    changes = alternations(value)
    if changes < 3 or is_placeholder(value) or value.count("/") > 2:
        return None
    left = _LEFT.search(text, max(0, start - 90), start)
    if left is None:
        return None
    words = split_words(left["name"])[-6:]
    joined = {"".join(pair) for pair in pairwise(words)}
    assigned = left["sign"].strip() not in ("", "|", "(")
    known = vendors() if assigned else distinct_vendors()
    if not (known & joined or known.intersection(words)):
        return None
    kind = classify(left["name"].split()[-1] if left["name"].split() else "")
    if kind is Kind.NONE and _NO_SECRET.search(" ".join(words[-2:])):
        return None
    plain = bool(_HEX.match(value) or _UUID.match(value))
    if plain and not assigned:
        return None
    if not is_secret(value, Kind.TOKEN, quoted=True) or (not assigned and changes < 5):
        return None
    return Finding(start, end, "service-key")


def decoded_run(text: str, start: int, end: int) -> str | None:
    """The text that a base64 run stands for, or None when it is not readable text."""
    size = end - start
    if not SHORTEST_ENCODED <= size <= LONGEST_ENCODED:
        return None
    run = text[start:end]
    head = _decode(run[:64])
    if head is None or _unreadable(head):
        return None
    return head.decode("latin-1") if size <= 64 else (_decode(run) or b"").decode("latin-1")


def _decode(run: str) -> bytes | None:
    body = run.rstrip("=").replace("-", "+").replace("_", "/")
    if "=" in body:
        return None
    body = body[: len(body) - (len(body) % 4 == 1)]
    try:
        return base64.b64decode(body + "=" * (-len(body) % 4))
    except ValueError:
        return None


def _unreadable(raw: bytes) -> bool:
    return len(raw) < 12 or sum(32 <= byte < 127 or byte in b"\t\n\r" for byte in raw) < len(raw) * 0.95
