"""All token rules."""

from __future__ import annotations

from slowwave.redaction.rules import clouds, services
from slowwave.redaction.rules.rule import TokenRule

TOKENS: tuple[TokenRule, ...] = tuple(
    rule for table in (clouds.CLOUDS, clouds.CODE_HOSTS, clouds.AROUND, *services.TABLES) for rule in table
)
