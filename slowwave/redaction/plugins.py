"""The rules, loaded through detect-secrets' plugin settings, with its own good plugins riding along.

detect-secrets' filters are off: some can be switched off by a comment inside the text, others drop whole classes of
secrets (see docs/redaction.md). Its settings are global to a process, so they are touched once, here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

from slowwave.errors import RedactionError
from slowwave.redaction.core import standard_rules
from slowwave.redaction.findings import Finding
from slowwave.redaction.rules.rule import Outcome, Rule, left_edge
from slowwave.redaction.values import is_placeholder

DETECTORS = Path(__file__).with_name("detectors.py")


@dataclass(frozen=True)
class BuiltInRule:
    """A plugin that detect-secrets brings, behind anchors of ours; its whole match is the secret."""

    type: str
    anchors: tuple[str, ...]
    patterns: tuple[re.Pattern[str], ...]
    back: int = 0
    ahead: int = 200
    fold: bool = False
    strong: bool = False
    always: bool = False

    def find(self, text: str, at: int, anchor: str) -> Outcome:
        """The plugin's match around the anchor."""
        begin = max(0, at - self.back)
        for pattern in self.patterns:
            look = pattern.search if self.back else pattern.match
            match = look(text, begin, at + self.ahead)
            # `aws.{0,20}...` has the value in its group; a plugin without a group is the value as a whole.
            if match is None:
                continue
            start, end = match.span(pattern.groups and 1)
            if left_edge(text, start) and not is_placeholder(text[start:end]):
                return Finding(start, end, self.type), end
        return None, 0


BUILT_IN: dict[str, tuple[str, tuple[str, ...], int, int]] = {
    "AWSKeyDetector": ("aws-access-key", ("A3T", "aws", "AWS"), 0, 120),
    "AzureStorageKeyDetector": ("storage-key", ("AccountKey=",), 0, 120),
    "MailchimpDetector": ("mailchimp-key", ("-us",), 33, 8),
    "SendGridDetector": ("sendgrid-key", ("SG.",), 0, 80),
    "SlackDetector": ("slack-token", ("xox", "https://hooks.slack.com"), 0, 300),
    "SquareOAuthDetector": ("square-token", ("sq0csp-",), 0, 60),
    "TelegramBotTokenDetector": ("telegram-token", (":AA",), 10, 50),
    "TwilioKeyDetector": ("twilio-key", ("SK", "AC"), 0, 36),
    "PypiTokenDetector": ("pypi-token", ("pypi-AgE",), 0, 1200),
    "CloudantDetector": ("cloudant-key", ("cloudant",), 90, 120),
    "SoftlayerDetector": ("softlayer-key", ("softlayer",), 0, 120),
    "IbmCosHmacDetector": ("ibm-key", ("ibm_cos", "ibm-cos", "cos_hmac", "cos-hmac"), 0, 120),
}
"""detect-secrets' plugins that add something: type, anchors, characters before and after the anchor."""


@cache
def load_rules() -> tuple[Rule, ...]:
    """Load every plugin once and return its rules. Raises `RedactionError` when one is missing: then nothing is scanned."""
    from detect_secrets.core.plugins import initialize
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
    from detect_secrets.plugins.base import RegexBasedDetector
    from detect_secrets.settings import transient_settings

    from slowwave.redaction.detectors import class_name

    expected = standard_rules()
    ours = sorted({class_name(rule.type) for rule in expected})
    used = [{"name": name, "path": f"file://{DETECTORS}"} for name in ours] + [{"name": name} for name in BUILT_IN]
    # The framework forgets to drop this cache when its settings change.
    get_mapping_from_secret_type_to_class.cache_clear()
    try:
        with transient_settings({"plugins_used": _once_per_file(used), "filters_used": []}) as settings:
            settings.disable_filters(*list(settings.filters))
            plugins: dict[str, object] = {name: initialize.from_plugin_classname(name) for name in (*ours, *BUILT_IN)}
    except (TypeError, OSError) as error:
        raise RedactionError(f"The secret scanner's plugins did not load ({type(error).__name__}).") from error
    finally:
        get_mapping_from_secret_type_to_class.cache_clear()
    rules = [rule for name in ours for rule in cast("Sequence[Rule]", getattr(plugins[name], "rules", ()))]
    order = {rule: number for number, rule in enumerate(expected)}
    if len(rules) != len(expected) or set(rules) != set(order):
        raise RedactionError(f"The secret scanner loaded {len(rules)} of {len(expected)} rules.")
    rules.sort(key=order.__getitem__)
    for name, (kind, anchors, back, ahead) in BUILT_IN.items():
        plugin = plugins[name]
        if not isinstance(plugin, RegexBasedDetector) or not plugin.denylist:
            raise RedactionError(f"The plugin {name} of detect-secrets has no patterns.")
        rules.append(BuiltInRule(kind, anchors, tuple(plugin.denylist), back, ahead))
    return tuple(rules)


def _once_per_file(used: list[dict[str, str]]) -> list[dict[str, str]]:
    """Name our file once: the framework imports it again for every entry that names it."""
    seen: set[str] = set()
    out = []
    for entry in used:
        path = entry.get("path", "")
        out.append({"name": entry["name"]} if path in seen else entry)
        seen.add(path)
    return out
