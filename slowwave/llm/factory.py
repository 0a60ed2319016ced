"""Which extractor answers: the offline one until a key or a base URL is configured, then a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from sqlalchemy import Engine

from slowwave.llm.base import Extractor
from slowwave.llm.roles import at_address, is_configured, resolve_roles
from slowwave.llm.spending import consent
from slowwave.settings import Settings

if TYPE_CHECKING:
    # The SDK takes seconds to import; who runs without a model does not pay for it.
    from anthropic import AsyncAnthropic


def make_extractor(
    settings: Settings,
    engine: Engine,
    run_id: str | None,
    env: Mapping[str, str],
    client: AsyncAnthropic | None = None,
    *,
    shield: Callable[[str], str] | None = None,
) -> Extractor:
    """Return the extractor of a run.

    `client` is an SDK client of the caller's own (Bedrock, Vertex, Foundry or a tuned one); whoever passes one has
    agreed to what it sends. `shield` gets the exact text of every prompt and returns what may be sent.

    Raises:
        ConsentRequired: an endpoint is not on this machine and nobody has agreed to it yet.
        ConfigError: a base URL is malformed.
    """
    if client is None and not is_configured(settings.models, env):
        from slowwave.llm.offline.extractor import OfflineExtractor

        return OfflineExtractor()
    from slowwave.llm.model_extractor import ModelExtractor
    from slowwave.llm.spending.budget import Budget

    roles = resolve_roles(settings.models, env)
    if client is None:
        consent.require(engine, roles)
    else:
        roles = at_address(roles, str(client.base_url))
    zone = ZoneInfo(settings.memories.time_zone) if settings.memories.time_zone else None
    budget = Budget(settings.budget, engine, run_id, zone)
    memories = settings.memories
    return ModelExtractor(
        roles, budget, engine, run_id, memories.prompt_dir, client, shield, memories.stage1_concurrency
    )
