"""Which extractor answers: the offline one until a key, a base URL or an agent's use is there, then a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from sqlalchemy import Engine

from slowwave.llm.base import Extractor
from slowwave.llm.commandline.agents import AGENTS
from slowwave.llm.providers import settled
from slowwave.llm.roles import at_address, resolve_roles
from slowwave.llm.spending import consent
from slowwave.paths import slowwave_home
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
    sends: bool = True,
) -> Extractor:
    """Return the extractor of a run.

    `client` is an SDK client of the caller's own (Bedrock, Vertex, Foundry or a tuned one); whoever passes one has
    agreed to what it sends. Where nothing will be sent (`sends` false: only the price is wanted) no consent is needed.
    `shield` gets the exact text of every prompt and returns what may be sent.

    Raises:
        ConsentRequired: an endpoint is not on this machine and nobody has agreed to it yet.
        ConfigError: a base URL is malformed.
    """
    models = settings.models if client is not None else settled(settings.models, engine, env)
    if models.provider == "offline":
        from slowwave.llm.offline.extractor import OfflineExtractor

        return OfflineExtractor()
    from slowwave.llm.spending.budget import Budget

    roles = resolve_roles(models, env)
    if client is None:
        if sends:
            consent.require(engine, roles)
    else:
        roles = at_address(roles, str(client.base_url))
    zone = ZoneInfo(settings.memories.time_zone) if settings.memories.time_zone else None
    budget = Budget(settings.budget, engine, run_id, zone)
    memories = settings.memories
    if models.provider in AGENTS:
        from slowwave.llm.commandline.extractor import CommandLineExtractor

        return CommandLineExtractor(
            AGENTS[models.provider].with_arguments(models.agent_arguments),
            roles, budget, engine, run_id, slowwave_home(env), env, memories.prompt_dir, shield,
        )  # fmt: skip
    from slowwave.llm.model_extractor import ModelExtractor

    return ModelExtractor(
        roles, budget, engine, run_id, memories.prompt_dir, client, shield, memories.stage1_concurrency
    )
