"""Long unbroken runs of token characters: weighed by what stands before them, or decoded. Standard library only.

Starts from the value, where the other rules start from a name or a prefix: a random-looking run beside a service's name is
that service's credential, and a run that decodes to a text with a secret in it is one too.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise

from slowwave.redaction.findings import Finding
from slowwave.redaction.rules.vendors import distinct_vendors, near_a_service, vendors
from slowwave.redaction.scan.names import Kind, classify, split_words
from slowwave.redaction.scan.values import alternations, is_placeholder, is_public, is_secret, is_structured, mixed_case
from slowwave.text.lazy import lazy

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
    """Yield (start, end) of every run of at least `SHORTEST` base64 or base64url characters.

    NAME=value is one run: only what follows the last sign inside it is yielded.
    """
    flat = text.encode("latin-1", "replace").translate(_TABLE)
    for match in _run_pattern().finditer(flat):
        start, end = match.span()
        sign = text.rfind("=", start, start + len(text[start:end].rstrip("=")))
        if end - sign > SHORTEST:
            yield max(start, sign + 1), end


# Read backwards from the value, so that a match is anchored: opening quotes, a sign, closing quotes, a name.
_BEFORE = lazy(
    r"""(?:[ ](?:reraeB|[Nn]ekoT|nekot|yeKipA))?["'`(\[{<\\]{0,6}[ \t]{0,8}(?P<sign>=:|>=|>-|={1,2}\??|\|{1,2}|:|：|,|>|si(?=[ ])|(?<=[ \t])|\()
    [ \t]{0,8}["'`\])\\]{0,6}(?P<name>[A-Za-z0-9_.$ /-]{1,70})""",
    re.VERBOSE,
)
_CHECKSUM = lazy(r"(?:h1|sha\d{1,3}|md5|blake\d\w?|SHA256)[:=-]\Z", re.IGNORECASE)
_ENDS = ("", '"', "'", "`", " ", "\n", "\r", "\\", "&", "<")
_HEX = lazy(r"(?:0x)?(?:[0-9a-f]+|[0-9A-F]+)\Z")
# A vendor's prefix, whoever the vendor is, and a long body.
_PREFIXED = lazy(r"[a-z][a-z0-9]{1,11}(?:[_-][a-z]{2,10}[0-9]?){0,2}[_-](?P<body>[A-Za-z0-9_-]{30,200})\Z")
_HAS_UUID = lazy(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_IDENTIFIED = lazy(r"(?:[_-]id|\bid|Id|hash|digest|sum|etag)\W{1,4}(?:value\W{1,3})?\Z")
_WORDS_AND_UUID = lazy(r"[a-z]+(?:-[a-z]+)*-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_UUID = lazy(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\Z")
_NO_SECRET = lazy(
    r"\b(?:sha\w*|commit|hash|digest|checksum|revision|rev|md5|etag|integrity|uuid|guid|trace|span|request|req|session|thread|"
    r"message|msg|event|issue|pull|blob|tree|object|id|ids|ref|refs|url|path|file|version|build|artifact|image|layer|page|doc|docs|"
    r"run|job|pipeline|workflow|node|branch|tag|release|cache|nonce|fingerprint|public|challenge|verifier|sig|signature|signatures|cid|csum|cursor|stdin|seed|publishable|account|project|user|org|team|tenant|"
    r"client|app|application|zone|region|chat|channel|room|folder|filename|import|from|require|function|class|def|var|let|encrypted|content|model|name|names|title|label|slug|description)\b"
)


def named_run(text: str, start: int, end: int) -> Finding | None:
    """The run as a service's credential, if what stands before it says so."""
    if end - start > LONGEST_VALUE or end - start < SHORTEST:
        return None
    kind = _kind_of(text[start:end], text[max(0, start - 90) : start], text[end : end + 1])
    return Finding(start, end, kind) if kind else None


@lru_cache(maxsize=8192)
def _kind_of(value: str, head: str, following: str) -> str | None:
    """The type of a run after what stands before it. The same run is met in several readings of a text."""
    if len(value) < 24 and _HEX.match(value):
        return None
    if (_HEX.match(value) or value.isupper() or _UUID.match(value)) and not near_a_service(head):
        return None
    changes = alternations(value)
    prefixed = None if _HAS_UUID.search(value) else _PREFIXED.match(value)
    if prefixed and _random_body(prefixed["body"]) and not is_public(value):
        return None if _IDENTIFIED.search(head) else "prefixed-key"
    if _WORDS_AND_UUID.match(value) or changes < 1 or is_placeholder(value) or is_public(value) or _is_path(value):
        return None
    left = _BEFORE.match(head[::-1])
    if left is None or _CHECKSUM.search(head[-10:]):
        return None
    name = left["name"][::-1]
    if "/" in name.rpartition(" ")[2]:
        return None
    words = split_words(name)[-6:]
    joined = {"".join(pair) for pair in pairwise(words)}
    assigned = left["sign"] not in ("", "(", ",")
    called = left["sign"] == "("
    if not _of_a_service(words, joined, assigned=assigned):
        return "random-value" if assigned and _assigned_at_random(value, name, changes) and following in _ENDS else None
    kind = classify(name.split()[-1] if name.split() else "")
    if kind is Kind.NONE and not called and _NO_SECRET.search(" ".join(words[-2:])):
        return None
    if (_HEX.match(value) or _UUID.match(value)) and not (assigned or called or words[-1] in distinct_vendors()):
        return None
    if not is_secret(value, Kind.TOKEN) or (not assigned and changes < (4 if called else 5)):
        return None
    return "service-key"


def _random_body(body: str) -> bool:
    """Whether all that follows a vendor's prefix is chance: both cases and digits, in no order that names have."""
    varied = any(map(str.isdigit, body)) and any(map(str.isupper, body)) and any(map(str.islower, body))
    return varied and alternations(body) >= 6 and mixed_case(body) and not is_structured(body)


def _is_path(value: str) -> bool:
    """Whether slashes part words rather than stand among base64 digits."""
    return "/" in value and ("-" in value or "_" in value or any(map(str.isalpha, value.split("/"))))


def _of_a_service(words: list[str], joined: set[str], *, assigned: bool) -> bool:
    known = vendors() if assigned else distinct_vendors()
    return bool(known & joined or known.intersection(words))


def _assigned_at_random(value: str, name: str, changes: int) -> bool:
    """A value that only chance makes, assigned to a name that does not say it is an id or a digest."""
    words = split_words(name.split()[-1] if name.split() else "")
    return (
        20 <= len(value) <= 128
        and changes >= (8 if not value.islower() else 10)
        and value.isalnum()
        and not _HEX.match(value)
        and _readable(value) is None
        and not value.isupper()
        and bool(words)
        and len(words[-1]) > 1
        and not _NO_SECRET.search(" ".join(words[-2:]))
    )


def decoded_run(text: str, start: int, end: int) -> str | None:
    """The text that a base64 run stands for, or None when it is not readable text."""
    size = end - start
    if not SHORTEST_ENCODED <= size <= LONGEST_ENCODED:
        return None
    run = text[start:end]
    # Base64 of a text has both cases; digests, UUIDs and snake case do not.
    return None if run.islower() or run.isupper() else _readable(run)


@lru_cache(maxsize=8192)
def _readable(run: str) -> str | None:
    head = _decode(run[:64])
    if head is None or _unreadable(head):
        return None
    return head.decode("latin-1") if len(run) <= 64 else (_decode(run) or b"").decode("latin-1")


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
