"""Slowwave's rules as detect-secrets plugins: one `RegexBasedDetector` per type of secret.

detect-secrets loads this file by its path (as a module of its own) and makes a plugin of every class in it. The classes
are made from the one rule table, so there is nothing here to keep in step.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Generator

from detect_secrets.plugins.base import RegexBasedDetector as _Base

from slowwave.redaction.core import standard_rules as _standard_rules
from slowwave.redaction.rules.rule import Rule as _Rule


def class_name(kind: str) -> str:
    """The plugin class of a type of secret: ``github-token`` -> ``SlowwaveGithubTokenDetector``."""
    return "Slowwave" + "".join(word.capitalize() for word in re.split(r"[^a-z0-9]+", kind)) + "Detector"


def _detector(kind: str, rules: tuple[_Rule, ...]) -> type[_Base]:
    def analyze_string(self: _Base, string: str) -> Generator[str, None, None]:
        for rule in rules:
            low = string.lower()
            for word in rule.anchors:
                where = low if rule.fold else string
                at = where.find(word)
                while at >= 0:
                    finding, _ = rule.find(string, at, word)
                    if finding is not None:
                        yield string[finding.start : finding.end]
                    at = where.find(word, at + 1)

    # The anchors stand in for the list of patterns that the framework asks for; the search itself is `analyze_string`.
    denylist = tuple(re.compile(re.escape(word)) for rule in rules for word in rule.anchors)
    members = {
        "secret_type": f"slowwave:{kind}",
        "denylist": denylist,
        "rules": rules,
        "analyze_string": analyze_string,
    }
    return type(class_name(kind), (_Base,), members)


_by_type: defaultdict[str, list[_Rule]] = defaultdict(list)
for _rule in _standard_rules():
    _by_type[_rule.type].append(_rule)
globals().update({class_name(_kind): _detector(_kind, tuple(_rules)) for _kind, _rules in _by_type.items()})
