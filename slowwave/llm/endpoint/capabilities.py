"""What an endpoint can do beyond plain messages: configured, known, or found out by trying, and remembered.

The provider's own endpoint can do everything. Others say nothing about themselves: a feature is tried once, and what
the endpoint did is kept in the `settings` table for a week.
"""

from __future__ import annotations

import threading
import time
from typing import Literal, get_args
from urllib.parse import urlsplit

from sqlalchemy import Engine

from slowwave.llm.roles import Role
from slowwave.storage.engine import reading, writing
from slowwave.storage.published.versions import ensure_setting
from slowwave.storage.tables import Setting

Feature = Literal["structured_output", "count_tokens", "batches", "caching"]
FEATURES: tuple[Feature, ...] = get_args(Feature)
KEPT_SECONDS = 7 * 86_400.0
SETTING_PREFIX = "capabilities:"
PROVIDER_HOST = "api.anthropic.com"


class Capabilities:
    """The features of one role's endpoint and model. `offers` is True, False, or None while nobody knows."""

    def __init__(self, role: Role, engine: Engine | None = None) -> None:
        self._engine = engine
        self._name = f"{SETTING_PREFIX}{role.endpoint}|{role.model}"
        self._lock = threading.Lock()
        self._configured = {name: getattr(role.capabilities, name) for name in FEATURES}
        self._is_provider = urlsplit(role.base_url).hostname == PROVIDER_HOST
        self._found = self._load()

    def offers(self, feature: Feature) -> bool | None:
        """Tell whether the endpoint has a feature: as configured, as known, or as last found."""
        configured = self._configured[feature]
        if configured is not None or self._is_provider:
            return configured is not False
        return self._found.get(feature)

    def learn(self, feature: Feature, works: bool) -> None:
        """Remember what trying a feature showed."""
        with self._lock:
            if self._found.get(feature) == works:
                return
            self._found = self._found | {feature: works}
        if self._engine is not None:
            with writing(self._engine) as session:
                row = ensure_setting(session, self._name, {})
                row.value, row.updated_at = dict(self._found), time.time()
                session.add(row)

    def _load(self) -> dict[str, bool]:
        if self._engine is None:
            return {}
        with reading(self._engine) as session:
            row = session.get(Setting, self._name)
            fresh = row is not None and row.updated_at > time.time() - KEPT_SECONDS
            return {name: bool(value) for name, value in row.value.items()} if row is not None and fresh else {}
