"""detect-secrets' own scanner over every text that is published: the second engine at the gate.

Its settings are global to a process and not safe between threads, so it runs in the scanning processes only, which have
one thread and load it once. Its filters are off: some can be switched off by a comment inside the text, others drop
whole classes of secrets (see docs/redaction.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from slowwave.errors import RedactionError
from slowwave.redaction.findings import Finding, Redaction, merged, original, replace
from slowwave.redaction.rules.places.spans import run_end
from slowwave.redaction.scan import engine
from slowwave.redaction.scan.values import is_placeholder, is_public
from slowwave.redaction.scan.views import MASK, base

DETECTORS = Path(__file__).with_name("detectors.py")
OWN = "SlowwaveDetector"
BUILT_IN: dict[str, str] = {
    "ArtifactoryDetector": "artifactory-token", "AWSKeyDetector": "aws-access-key", "AzureStorageKeyDetector": "storage-key",
    "CloudantDetector": "cloudant-key", "DiscordBotTokenDetector": "discord-token", "GitHubTokenDetector": "github-token",
    "GitLabTokenDetector": "gitlab-token", "IbmCloudIamDetector": "ibm-api-key", "IbmCosHmacDetector": "ibm-key",
    "JwtTokenDetector": "jwt", "MailchimpDetector": "mailchimp-key", "NpmDetector": "npm-token", "OpenAIDetector": "openai-key",
    "PypiTokenDetector": "pypi-token", "SendGridDetector": "sendgrid-key", "SlackDetector": "slack-token",
    "SoftlayerDetector": "softlayer-key", "SquareOAuthDetector": "square-token", "StripeDetector": "stripe-key",
    "TelegramBotTokenDetector": "telegram-token",
}  # fmt: skip
"""Plugins that detect-secrets brings and that run here, and the type each finding gets."""
LINE = 4_000
"""Characters of a line that are given to detect-secrets at once: some of its patterns are slow on long ones."""
OVERLAP = 400


@cache
def _prepared() -> None:
    """Set detect-secrets up once in this process. Raises `RedactionError` when a plugin is missing."""
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
    from detect_secrets.settings import configure_settings_from_baseline, get_settings

    used = [{"name": OWN, "path": f"file://{DETECTORS}"}, *({"name": name} for name in BUILT_IN)]
    try:
        configure_settings_from_baseline({"plugins_used": used, "filters_used": []})
        settings = get_settings()
        settings.disable_filters(*list(settings.filters))
        plugins: dict[str, type] = get_mapping_from_secret_type_to_class()
        loaded = {plugin.__name__ for plugin in plugins.values()}
    except (TypeError, OSError) as error:
        raise RedactionError(f"detect-secrets' plugins did not load ({type(error).__name__}).") from error
    if missing := {OWN, *BUILT_IN} - loaded:
        raise RedactionError(f"detect-secrets loaded no {', '.join(sorted(missing))}.")


def second_findings(text: str) -> Iterator[Finding]:
    """What detect-secrets' scanner finds in a text. Placeholders and public ids are left out."""
    from detect_secrets.core.scan import scan_line

    _prepared()
    view = base(text)
    at = 0
    for line in view.text.splitlines(keepends=True):
        for cut in range(0, max(1, len(line)), LINE - OVERLAP):
            piece = line[cut : cut + LINE]
            for secret in scan_line(piece.rstrip("\r\n")):
                yield from _places(view.text, at + cut, len(piece), secret.secret_value or "", secret.type)
        at += len(line)


def _places(text: str, start: int, size: int, value: str, kind: str) -> Iterator[Finding]:
    """Where a reported value stands in its line: detect-secrets tells a value, which may be a prefix, and no column."""
    if not value or MASK in value or is_placeholder(value) or is_public(value):
        return
    at = text.find(value, start, start + size)
    while at >= 0:
        end = run_end(text, at + len(value))
        if end - at >= (6 if len(value) >= 6 else 16):
            yield Finding(at, end, _types().get(kind, "secret"))
        at = text.find(value, end, start + size)


@cache
def _types() -> dict[str, str]:
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    plugins: dict[str, type] = get_mapping_from_secret_type_to_class()
    return {kind: BUILT_IN.get(found.__name__, "secret") for kind, found in plugins.items()}


def redact(text: str) -> Redaction:
    """Replace every secret that our own scan or detect-secrets' finds in a text that is to be published.

    Redacting the result again changes nothing.
    """
    findings = engine.redact(text).findings
    for _ in range(3):
        clean = replace(text, findings)
        more = merged((*engine.scan(clean), *second_findings(clean)))
        if not more:
            break
        findings = merged((*findings, *original(findings, more)))
    return Redaction(replace(text, findings), findings)
