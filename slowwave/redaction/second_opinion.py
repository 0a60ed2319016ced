"""Another scanner's view of a text that ours has cleaned, through the extra `second-opinion` (kingfisher-secret-scanner).

Its rules and ours were written apart, so a hit there and not here is worth a stop: the publish is held and the type and
place are reported. It runs in this process and opens no connection.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from slowwave.errors import ConfigError, SecretFound
from slowwave.redaction.findings import Finding
from slowwave.redaction.scan.views import base

TIMEOUT = 20.0
"""Seconds for one text."""


@cache
def _scanner() -> Any:
    try:
        from kingfisher_sdk import DetectionPolicy, Rules, Scanner
    except ImportError as error:
        raise ConfigError(
            "redaction.secondOpinion is on, but the second scanner is not installed.",
            hint="Install the extra: pip install 'slowwave[second-opinion]'.",
        ) from error
    # Comments such as `kingfisher:ignore` stand in the scanned text, which nobody who is trusted has written.
    policy = DetectionPolicy(inline_ignores=False, cli_match_semantics=False)
    return Scanner(Rules(cache=False), policy=policy)


def findings(text: str) -> tuple[Finding, ...]:
    """What the second scanner finds in a text, placeholders left out.

    Raises:
        ConfigError: the extra is not installed.
    """
    raw = base(text).text.encode("utf-8", "replace")
    out = []
    for hit in _scanner().scan(raw, timeout=TIMEOUT):
        if not hit.visible or "\0" in hit.secret:
            continue
        start = len(raw[: hit.location["start_offset"]].decode("utf-8", "ignore"))
        out.append(Finding(start, start + len(hit.secret), f"second-opinion:{hit.rule_id}"))
    return tuple(sorted(out))


def assert_agreed(content: str | bytes, where: str) -> None:
    """Raise `SecretFound` when the second scanner finds a secret in a text that ours has cleaned."""
    text = content.decode("utf-8", "replace") if isinstance(content, bytes) else content
    found = findings(text)
    if found:
        kinds = ", ".join(sorted({finding.type.partition(":")[2] for finding in found}))
        raise SecretFound(
            f"A second scanner finds {len(found)} secret(s) in {where}: {kinds}.",
            hint="Nothing was published. `slowwave secrets scan` names the places that our own scan finds.",
        )
