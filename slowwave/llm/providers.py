"""Who answers: a key, else a base URL, else an agent whose use a person accepted, else the offline extractor."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping

from sqlalchemy import Engine

from slowwave.llm.commandline.agents import AGENTS, Agent
from slowwave.llm.roles import is_configured
from slowwave.llm.spending.consent import is_accepted
from slowwave.settings import ModelsSettings


def settled(models: ModelsSettings, engine: Engine, env: Mapping[str, str]) -> ModelsSettings:
    """The settings with `auto` replaced by what it comes to here."""
    if models.provider != "auto":
        return models
    if is_configured(models, env):
        return models.model_copy(update={"provider": "anthropic"})
    accepted = next((agent for agent in installed(env) if is_accepted(engine, agent.endpoint)), None)
    return models.model_copy(update={"provider": accepted.name if accepted is not None else "offline"})


def installed(env: Mapping[str, str]) -> Iterator[Agent]:
    """The agents whose command line is on the PATH."""
    return (agent for agent in AGENTS.values() if shutil.which(agent.binary, path=env.get("PATH")))
