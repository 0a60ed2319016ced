"""Limits of the in-session layers as plain values, so that hooks need no settings library."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from slowwave.session.key_facts.facts import FACT_TOKENS
from slowwave.session.task.pins import PIN_CHARACTERS
from slowwave.session.task.recap import RECAP_EVERY_TOKENS, RECAP_TOKENS


class SessionLimits(NamedTuple):
    """What the layers may spend. Token figures are estimates; the defaults keep a turn under 300 tokens."""

    pin_characters: int = PIN_CHARACTERS
    recap_tokens: int = RECAP_TOKENS
    trim_characters: int = 800
    compression_tokens: int = 50_000
    extract_with_model: bool = False
    recap_every_tokens: int = RECAP_EVERY_TOKENS
    fact_tokens: int = FACT_TOKENS
    enable_memory_flush: bool = True
    memory_flush_soft_tokens: int = 4000
    context_window: int | None = None
    reserve_tokens: int = 20_000
    compaction_trigger: int | None = None
    time_zone: str | None = None

    @classmethod
    def of(cls, values: Mapping[str, object]) -> SessionLimits:
        """Take the known keys of a mapping, spelt as attributes or as in `config.yml`; others are left alone."""
        spelt = {
            re.sub(r"[A-Z]", lambda found: "_" + found.group().lower(), name): value for name, value in values.items()
        }
        taken = {name: value for name, value in spelt.items() if name in cls._fields and value is not None}
        return cls(**taken)  # type: ignore[arg-type]
