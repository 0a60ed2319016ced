"""All token rules."""

from __future__ import annotations

from slowwave.redaction.rules import platforms, services
from slowwave.redaction.rules.rule import TokenRule

TOKENS: tuple[TokenRule, ...] = tuple(
    rule for table in (platforms.CLOUDS, platforms.CODE_HOSTS, platforms.OTHERS, *services.TABLES) for rule in table
)
