"""What an endpoint can do beyond plain messages: configured, known, or found out by trying, and remembered.

Endpoints say nothing about themselves. A part of a request is sent until the endpoint refuses it; what it took and what
it refused is kept in the `settings` table for a week, for each endpoint and model.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping
from typing import Literal, get_args
from urllib.parse import urlsplit

from sqlalchemy import Engine

from slowwave.llm.roles import Role
from slowwave.storage.engine import reading, writing
from slowwave.storage.published.versions import ensure_setting
from slowwave.storage.tables import Setting

Feature = Literal[
    "structured_output", "effort", "thinking", "system_list", "caching", "bearer", "count_tokens", "batches"
]
FEATURES: tuple[Feature, ...] = get_args(Feature)
OF_A_REQUEST: tuple[Feature, ...] = ("effort", "structured_output", "caching", "system_list", "thinking")
"""Those that a Messages body can be written without, in the order in which they are suspected."""
MOST_OUTPUT = "most_output"
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
        self.is_provider = urlsplit(role.base_url).hostname == PROVIDER_HOST
        self._found = self._load()

    def offers(self, feature: Feature) -> bool | None:
        """Tell whether the endpoint has a feature: as configured, as last found, or as known of the provider."""
        configured = self._configured[feature]
        if configured is not None:
            return bool(configured)
        found = self._found.get(feature)
        return True if found is None and self.is_provider else None if found is None else bool(found)

    def may_drop(self, feature: Feature) -> bool:
        """Tell whether a request may be tried without a feature: nobody configured it, and it never worked."""
        return self._configured[feature] is None and not self._found.get(feature)

    def is_configured(self, feature: Feature) -> bool:
        """Tell whether a person said whether the endpoint has a feature."""
        return self._configured[feature] is not None

    @property
    def most_output(self) -> int | None:
        """The largest output limit that the endpoint takes, where it named one."""
        return self._found.get(MOST_OUTPUT)

    def learn(self, feature: Feature, works: bool) -> None:
        """Remember what trying a feature showed."""
        self.learn_all({feature: int(works)})

    def learn_all(self, found: Mapping[str, int]) -> None:
        """Remember several findings."""
        with self._lock:
            if all(self._found.get(name) == value for name, value in found.items()):
                return
            self._found = self._found | dict(found)
        if self._engine is not None:
            with writing(self._engine) as session:
                row = ensure_setting(session, self._name, {})
                # Both roles may share an endpoint and a model: what the other has found meanwhile stays.
                row.value, row.updated_at = dict(row.value) | dict(found), time.time()
                session.add(row)

    def shown(self) -> Iterable[str]:
        """What is known, for a person."""
        for feature in FEATURES:
            if (offered := self.offers(feature)) is not None:
                yield f"{feature.replace('_', ' ')}: {'yes' if offered else 'no'}"
        if self.most_output is not None:
            yield f"at most {self.most_output:,} output tokens"

    def _load(self) -> dict[str, int]:
        if self._engine is None:
            return {}
        with reading(self._engine) as session:
            row = session.get(Setting, self._name)
            fresh = row is not None and row.updated_at > time.time() - KEPT_SECONDS
            return {name: int(value) for name, value in row.value.items()} if row is not None and fresh else {}
