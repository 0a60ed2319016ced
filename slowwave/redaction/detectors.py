"""Slowwave's rules as a detect-secrets plugin: what `slowwave.redaction.published` names in detect-secrets' settings.

detect-secrets loads this file by its path, as a module of its own, and makes a plugin of every class in it.
"""

from __future__ import annotations

from collections.abc import Generator

from detect_secrets.plugins.base import BasePlugin as _Base

from slowwave.redaction.scan import engine as _engine


class SlowwaveDetector(_Base):
    """Everything that Slowwave's own scan finds in a line."""

    secret_type = "slowwave"

    def analyze_string(self, string: str) -> Generator[str, None, None]:
        """Yield each secret of a line, as the framework asks."""
        for finding in _engine.scan(string):
            yield string[finding.start : finding.end]
